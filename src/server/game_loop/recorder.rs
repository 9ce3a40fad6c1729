//! Crash recordings. The most recent inputs of the game are kept in memory and written to a file when the game panics,
//! so that a bug report can be replayed. The world that they were played on is written beside it.
//!
//! Credentials and addresses are left out. The recording contains the players' commands, so only the server's user may
//! read the files.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::net::Ipv4Addr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use deepwell_core::base::GameTime;
use deepwell_core::world::{Banned, Snapshot};
use deepwell_game::input::recording::{Recorded, RecordedMove, Recording, RecordingHeader};
use deepwell_game::{BuilderRequest, Envelope, GameConfig, Input, StaffRequest};

/// Maximum number of recorded moves. Commits are never adjacent, so at least half of the moves are inputs.
const KEPT: usize = 512;
/// Maximum size of a recorded world; a larger one is not written.
const WORLD_BYTES_MAX: usize = 64 << 20;
/// Maximum number of recorded worlds in the folder; further crashes leave only their recordings.
const WORLDS_MAX: usize = 4;

/// File name suffix of a recorded world.
const WORLD: &str = ".world.json";

/// Recent inputs and the folder for recordings.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    recent: VecDeque<Recorded>,
    /// Inputs that attach the clients that have left since the last commit: in the stored world they are still present.
    left: Vec<Envelope>,
    /// Settings at the last commit, if they have been replaced since.
    replaced: Option<GameConfig>,
}

impl Recorder {
    /// Creates a recorder that writes to `folder`.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            recent: VecDeque::with_capacity(KEPT),
            left: Vec::new(),
            replaced: None,
        }
    }

    /// Records an input and evicts the oldest if the recorder is full. Content reloads cannot be recorded; see
    /// [`forget_moves`](Self::forget_moves).
    pub fn note(&mut self, at: GameTime, envelope: &Envelope) {
        if matches!(envelope.input, Input::Content { .. }) {
            return;
        }
        let mut envelope = envelope.clone();
        clear_secrets(&mut envelope);
        self.keep(at, RecordedMove::Input(envelope));
    }

    /// Records that the changes of all inputs so far were passed to storage.
    pub fn note_commit(&mut self, at: GameTime) {
        self.left.clear();
        self.replaced = None;
        self.release_rows();
        self.recent.pop_back_if(|last| last.what == RecordedMove::Commit);
        self.keep(at, RecordedMove::Commit);
    }

    /// Drops the rows of branches that were read before a commit: a replay begins after it.
    fn release_rows(&mut self) {
        for recorded in
            self.recent.iter_mut().rev().take_while(|recorded| recorded.what != RecordedMove::Commit)
        {
            if let RecordedMove::Input(Envelope { input: Input::PartRows { rows, .. }, .. }) =
                &mut recorded.what
            {
                *rows = None;
            }
        }
    }

    /// Records a client that is leaving, with the inputs that attach it.
    pub fn note_leaving(&mut self, seat: impl IntoIterator<Item = Envelope>) {
        self.left.extend(seat);
    }

    /// Clears the recording after the world was reloaded from storage, which either contains the recorded inputs or
    /// undid them.
    pub fn clear_after_rebuild(&mut self) {
        self.recent.clear();
        self.left.clear();
        self.replaced = None;
    }

    /// Clears the inputs after a content reload: inputs played with the old content cannot be replayed.
    pub fn forget_moves(&mut self) {
        self.recent.clear();
        self.replaced = None;
    }

    /// Records the settings in force before an [`Input::Settings`] is played.
    pub fn note_settings(&mut self, before: &GameConfig) {
        self.replaced.get_or_insert_with(|| before.clone());
    }

    /// Returns the settings with which a replay begins, if they have been replaced since.
    pub const fn first_settings(&self) -> Option<&GameConfig> {
        self.replaced.as_ref()
    }

    /// Takes the inputs that attach the clients that have left since the last commit.
    pub fn take_left(&mut self) -> Vec<Envelope> {
        std::mem::take(&mut self.left)
    }

    fn keep(&mut self, at: GameTime, what: RecordedMove) {
        if self.recent.len() == KEPT
            && let Some(Recorded { what: RecordedMove::Input(evicted), .. }) = self.recent.pop_front()
            && let (Input::Settings(config), Some(first)) = (evicted.input, &mut self.replaced)
        {
            *first = *config;
        }
        self.recent.push_back(Recorded { at, what });
    }

    /// Writes the recording to `crash-<moment>.json`, and the stored world to `crash-<moment>.world.json` if it is
    /// small enough. Returns the path of the recording. A failure is logged and gives `None`, since recovery must go on
    /// without the report.
    pub fn dump(&self, now: GameTime, header: RecordingHeader, stored: Option<&Snapshot>) -> Option<PathBuf> {
        let path = self.folder.join(format!("crash-{}.json", now.0));
        if let Err(error) = self.write(&path, header) {
            tracing::error!(%error, "cannot write the crash recording");
            return None;
        }
        let written = stored.map(|stored| self.write_world(&path.with_extension(&WORLD[1..]), stored));
        if let Some(Err(error)) = written {
            tracing::warn!(%error, "cannot write the world beside the crash recording; use a backup to replay it");
        }
        Some(path)
    }

    fn write(&self, path: &Path, header: RecordingHeader) -> io::Result<()> {
        let text = Recording { header, moves: self.recent.iter().cloned().collect() }.text()?;
        let mut file = create(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    fn write_world(&self, path: &Path, stored: &Snapshot) -> io::Result<()> {
        let names =
            fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        if names.filter(|name| name.ends_with(WORLD)).count() >= WORLDS_MAX {
            return Err(io::Error::other(format!(
                "the folder already has {WORLDS_MAX} recorded worlds; move them elsewhere"
            )));
        }
        let mut file = Bounded { inner: BufWriter::new(create(path)?), left: WORLD_BYTES_MAX };
        let written = serde_json::to_writer(&mut file, &without_secrets(stored)).map_err(io::Error::from);
        let written = written.and_then(|()| file.inner.into_inner()?.sync_all());
        if written.is_err() {
            // The write error matters, not that of the removal.
            let _ = fs::remove_file(path);
        }
        written
    }
}

fn create(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Writer that fails after `left` bytes.
struct Bounded<W> {
    inner: W,
    left: usize,
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let too_large = || io::Error::other(format!("the world takes more than {WORLD_BYTES_MAX} bytes"));
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(too_large)?;
        self.inner.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns the world without credentials, tokens and addresses.
fn without_secrets(stored: &Snapshot) -> Snapshot {
    let mut world = stored.clone();
    for account in world.accounts.values_mut() {
        account.credential.clear();
        account.recovery.iter_mut().for_each(String::clear);
        account.known_addresses.clear();
        let tokens = account.seat_tokens.iter_mut().chain(&mut account.desk_tokens);
        tokens.for_each(|token| token.hash.clear());
    }
    world.bans.retain(|_, ban| matches!(ban.banned, Banned::Account(_)));
    // The audit log names banned networks.
    world.audit = BTreeMap::new();
    world.meta.iter_mut().for_each(|meta| meta.owner_token = None);
    world
}

fn clear_secrets(envelope: &mut Envelope) {
    envelope.caller = envelope.caller.map(|_| Ipv4Addr::UNSPECIFIED.into());
    envelope.proof.iter_mut().for_each(|proof| proof.hash.clear());
    match &mut envelope.input {
        Input::Create { credential, .. }
        | Input::Credential { credential, .. }
        | Input::NewPassword { credential, .. }
        | Input::Recovery { credential, .. }
        | Input::OneTimeCode { credential, .. }
        | Input::OperatorCode { credential, .. }
        | Input::Join { credential, .. }
        | Input::Recovered { credential, .. } => credential.clear(),
        Input::TakeSeat { token, next, .. } => {
            token.clear();
            next.clear();
        }
        Input::OwnerToken { token }
        | Input::KeepSeat { token, .. }
        | Input::WebBuilder {
            ask: BuilderRequest::Staff(StaffRequest::Recover { credential: token, .. }),
            ..
        }
        | Input::OpenWebBuilder { token, .. }
        | Input::CloseWebBuilder { token, .. } => token.clear(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::SessionId;
    use deepwell_core::catalog::Catalog;
    use deepwell_core::world::{SeatToken, Settings};
    use deepwell_game::input::recording::Beginning;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn o7_recording_has_last_inputs_and_no_credentials() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::new(folder.path());
        let session = SessionId(1);
        for n in 0..600 {
            recorder.note(GameTime(n), &Input::Command { session, line: format!("look {n}") }.into());
            recorder.note_commit(GameTime(n));
            recorder.note_commit(GameTime(n));
        }
        let credential = "$argon2id$secret".to_owned();
        let create = Input::Create { session, name: "Ann".to_owned(), credential, pre_login: Box::default() };
        recorder.note(GameTime(600), &create.into());
        let (account, pre_login) = (deepwell_core::base::AccountId(1), Box::<Settings>::default());
        let secret = || "$argon2id$secret".to_owned();
        for input in [
            Input::Credential { account, credential: secret() },
            Input::NewPassword { session, account, credential: secret() },
            Input::Recovery { session, account, credential: secret() },
            Input::Join { session, name: "Ann".to_owned(), credential: secret() },
            Input::OneTimeCode { session, account, credential: secret() },
            Input::OperatorCode { asker: session, account, credential: secret(), by: None },
            Input::Recovered {
                session,
                account,
                name: "Ann".to_owned(),
                credential: secret(),
                pre_login: pre_login.clone(),
            },
            Input::KeepSeat { session, account, token: secret() },
            Input::TakeSeat {
                session,
                account,
                name: "Ann".to_owned(),
                token: secret(),
                next: secret(),
                pre_login,
            },
        ] {
            recorder.note(GameTime(600), &input.sent_from([192, 0, 2, 77].into()));
        }
        let begins = Beginning::Stored { seated: Vec::new() };
        let header = RecordingHeader::new(&Catalog::default(), &GameConfig::default(), begins, String::new());
        let path = recorder.dump(GameTime(601), header.clone(), None).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 1 + KEPT);
        assert!(
            text.matches("look").count() > 250
                && text.contains("look 599")
                && !text.contains("argon2")
                && !text.contains("192.0.2")
        );
        assert_eq!(
            recorder.dump(GameTime(601), header, None),
            None,
            "an existing file is never written over"
        );
    }

    /// T6: the recorded world is for debugging and must not let its reader log in.
    #[test]
    fn t6_o7_recorded_worlds_have_no_secrets_and_are_few() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::new(folder.path());
        let mut table = crate::table::Table::new(GameConfig::default());
        table.sit("Ada");
        let mut stored = table.stored().clone();
        for account in stored.accounts.values_mut() {
            (account.credential, account.recovery) = ("$argon2id$1".into(), Some("$argon2id$2".into()));
            account.seat_tokens = vec![SeatToken { hash: "$argon2id$3".into(), until: GameTime(1) }];
        }
        stored.meta.as_mut().unwrap().owner_token = Some("sesame".into());
        let begins = Beginning::Stored { seated: Vec::new() };
        let header = RecordingHeader::new(&Catalog::default(), &GameConfig::default(), begins, String::new());
        for n in (0..).take(WORLDS_MAX + 1) {
            recorder.dump(GameTime(n), header.clone(), Some(&stored)).unwrap();
        }
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        let worlds: Vec<_> = names.iter().filter(|path| path.to_string_lossy().ends_with(WORLD)).collect();
        assert_eq!((names.len(), worlds.len()), (2 * WORLDS_MAX + 1, WORLDS_MAX));
        for world in worlds {
            let text = fs::read_to_string(world).unwrap();
            assert!(text.contains("Ada") && !text.contains("argon2") && !text.contains("sesame"));
            assert_eq!(fs::metadata(world).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), without_secrets(&stored));
        }
    }

    /// A replay begins at the last commit, with the settings of that time.
    #[test]
    fn o7_recording_begins_with_the_settings_of_the_last_commit() {
        let with_round = |ms| GameConfig { round: deepwell_core::base::Span(ms), ..GameConfig::default() };
        let mut recorder = Recorder::new(Path::new("nowhere"));
        assert_eq!(recorder.first_settings(), None);
        for round in [1_000, 2_000] {
            recorder.note_settings(&with_round(round));
            recorder.note(GameTime(1), &Input::Settings(Box::new(with_round(round + 1_000))).into());
        }
        assert_eq!(recorder.first_settings(), Some(&with_round(1_000)));
        for n in 0..i64::try_from(KEPT).unwrap() {
            recorder.note(GameTime(n), &Input::Wake.into());
        }
        assert_eq!(recorder.first_settings(), Some(&with_round(3_000)), "the inputs have been evicted");
        recorder.note_commit(GameTime(2));
        assert_eq!(recorder.first_settings(), None);
    }

    #[test]
    fn bounded_writer_fails_past_its_limit() {
        let mut bounded = Bounded { inner: Vec::new(), left: 5 };
        bounded.write_all(b"abc").unwrap();
        bounded.write_all(b"def").unwrap_err();
        assert_eq!(bounded.inner, b"abc");
    }
}

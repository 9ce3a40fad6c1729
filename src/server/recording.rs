//! The last inputs of the game, kept in memory and written to a file when the game panics, so that a bug report is a
//! recording. Credentials are left out; what players typed is in it, so only the server's user may read the file.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write as _};
use std::net::Ipv4Addr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::GameTime;
use crate::game::Input;

/// Inputs kept.
const KEPT: usize = 256;

/// Recent inputs and where to put them.
#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    recent: VecDeque<Recorded>,
}

/// One line of a recording.
#[derive(Debug, Serialize)]
struct Recorded {
    at: GameTime,
    input: Input,
}

impl Recording {
    /// Writes its files to a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), recent: VecDeque::with_capacity(KEPT) }
    }

    /// Keeps an input, and forgets the oldest.
    pub fn note(&mut self, at: GameTime, input: &Input) {
        let mut input = input.clone();
        clear_secrets(&mut input);
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        self.recent.push_back(Recorded { at, input });
    }

    /// Writes everything kept as JSON lines to `crash-<moment>.json`. Returns the file; none if that fails, which
    /// is logged: a crash must not fail for want of its report.
    pub fn dump(&self, now: GameTime) -> Option<PathBuf> {
        let path = self.folder.join(format!("crash-{}.json", now.0));
        match self.write(&path) {
            Ok(()) => Some(path),
            Err(error) => {
                tracing::error!(%error, "cannot write the recording of the crash");
                None
            }
        }
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let mut file = BufWriter::new(file);
        for recorded in &self.recent {
            serde_json::to_writer(&mut file, recorded)?;
            file.write_all(b"\n")?;
        }
        file.into_inner()?.sync_all()
    }
}

fn clear_secrets(input: &mut Input) {
    match input {
        Input::Create { credential, .. }
        | Input::Credential { credential, .. }
        | Input::NewPassword { credential, .. }
        | Input::Recovery { credential, .. }
        | Input::OneTimeCode { credential, .. }
        | Input::Recovered { credential, .. } => credential.clear(),
        Input::Proved { proof, then, .. } => {
            proof.clear();
            clear_secrets(then);
        }
        Input::From { address, then } => {
            *address = Ipv4Addr::UNSPECIFIED.into();
            clear_secrets(then);
        }
        Input::OwnerToken { token } => token.clear(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SessionId;
    use crate::world::Settings;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn o7_a_dump_holds_the_last_inputs_and_no_credential() {
        let folder = tempfile::tempdir().unwrap();
        let mut recording = Recording::new(folder.path());
        let session = SessionId(1);
        for n in 0..300 {
            recording.note(GameTime(n), &Input::Command { session, line: format!("look {n}") });
        }
        let credential = "$argon2id$secret".to_owned();
        let create =
            Input::Create { session, name: "Ann".to_owned(), credential, pre_login: Settings::default() };
        recording.note(GameTime(300), &create);
        let (account, pre_login) = (crate::base::AccountId(1), Settings::default());
        let secret = || "$argon2id$secret".to_owned();
        for input in [
            Input::Credential { account, credential: secret() },
            Input::NewPassword { session, account, credential: secret() },
            Input::Recovery { session, account, credential: secret() },
            Input::OneTimeCode { session, account, credential: secret() },
            Input::Recovered { session, account, name: "Ann".to_owned(), credential: secret(), pre_login },
        ] {
            recording.note(GameTime(300), &input.from([192, 0, 2, 77].into()));
        }
        let path = recording.dump(GameTime(301)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), KEPT);
        assert!(text.contains("look 299") && !text.contains("argon2") && !text.contains("192.0.2"));
        assert_eq!(recording.dump(GameTime(301)), None, "an existing file is never written over");
    }
}

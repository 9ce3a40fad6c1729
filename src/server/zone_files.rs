//! Zone files, in `zones/` of the state folder. They are read and written on a blocking thread, one request at a time.
//! A file is replaced atomically, and only if its content is a version that the world knows.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use tokio::task::{JoinHandle, spawn_blocking};

use crate::base::SessionId;
use crate::game::{Declined, Input, MadeFile, MadeFileResult, ZoneUse};
use crate::server::made_files;
use crate::server::state_file::{FileError, place, read, write};

/// Maximum number of queued requests; further ones are refused.
const WAITING_MAX: usize = 32;

/// Reads and writes zone files at the game's request.
#[derive(Debug)]
pub struct ZoneFiles {
    /// The state folder.
    folder: PathBuf,
    bytes_max: u64,
    waiting: VecDeque<(Asked, Work)>,
    at_work: Option<(JoinHandle<Input>, Asked)>,
    /// Requests refused because the queue was full.
    refused: VecDeque<Asked>,
}

/// Origin and purpose of a request.
#[derive(Clone, Debug)]
struct Asked {
    asker: SessionId,
    zones: Vec<String>,
    purpose: Purpose,
}

#[derive(Clone, Debug)]
enum Purpose {
    /// Digest that the written file will have.
    Write(String),
    Read(ZoneUse),
    /// Paths of the files of builder-made definitions, each with the digest that it will have.
    WriteMade(Vec<(String, String)>),
    ReadMade(ZoneUse),
}

/// File operation to carry out.
#[derive(Debug)]
pub(super) enum Work {
    /// Write a zone file; a present file is overwritten only if its digest is one of `known`.
    Write { text: String, digest: String, known: Vec<String> },
    /// Read zone files.
    Read(ZoneUse),
    /// Write all files of builder-made definitions.
    WriteMade(Vec<MadeFile>),
    /// Read all files of builder-made definitions.
    ReadMade(ZoneUse),
}

impl Asked {
    /// Returns the input that reports a failed request to the game.
    fn decline(self, error: &FileError) -> Input {
        let Self { asker, zones, purpose } = self;
        let declined = Declined::Reason(error.to_string());
        match purpose {
            Purpose::Read(then) => Input::ZonesRead { asker, zones, then, came: Err(declined) },
            Purpose::Write(digest) => {
                Input::ZoneWritten { asker, zone: zones.concat(), digest, came: Err(declined) }
            }
            Purpose::ReadMade(then) => Input::MadeRead { asker, then, came: Err(declined) },
            Purpose::WriteMade(files) => {
                let came = files.into_iter().map(|(path, digest)| MadeFileResult {
                    path,
                    digest,
                    came: Err(declined.clone()),
                });
                Input::MadeWritten { asker, came: came.collect(), others: Vec::new() }
            }
        }
    }

    /// Carries out a request and returns the input that reports its result to the game.
    fn carry_out(self, work: Work, folder: &Path, bytes_max: u64) -> Input {
        let path = |zone: &str| place(folder, &Path::new("zones").join(format!("{zone}.toml")));
        let asker = self.asker;
        match work {
            Work::Write { text, digest, known } => {
                let zone = self.zones.concat();
                let came = path(&zone).and_then(|path| {
                    write(&path, &text, &known, bytes_max).map(|()| path.display().to_string())
                });
                let came = came.map_err(|error| Declined::Reason(error.to_string()));
                Input::ZoneWritten { asker, zone, digest, came }
            }
            Work::Read(then) => {
                let came: Result<Vec<String>, FileError> =
                    self.zones.iter().map(|zone| read(&path(zone)?, bytes_max)).collect();
                let came = came.map_err(|error| Declined::Reason(error.to_string()));
                Input::ZonesRead { asker, zones: self.zones, then, came }
            }
            Work::WriteMade(files) => made_files::write_all(asker, folder, files, bytes_max),
            Work::ReadMade(then) => made_files::read_all(asker, folder, then, bytes_max),
        }
    }
}

impl ZoneFiles {
    /// Creates the queue for files below `state_folder`, each of at most `bytes_max` bytes.
    pub fn new(state_folder: &Path, bytes_max: u32) -> Self {
        Self {
            folder: state_folder.to_owned(),
            bytes_max: bytes_max.into(),
            waiting: VecDeque::new(),
            at_work: None,
            refused: VecDeque::new(),
        }
    }

    /// Queues a request behind earlier ones, or refuses it if the queue is full.
    pub(super) fn ask(&mut self, asker: SessionId, zones: Vec<String>, work: Work) {
        let purpose = match &work {
            Work::Write { digest, .. } => Purpose::Write(digest.clone()),
            Work::Read(then) => Purpose::Read(*then),
            Work::WriteMade(files) => Purpose::WriteMade(
                files.iter().map(|file| (file.path.clone(), file.digest.clone())).collect(),
            ),
            Work::ReadMade(then) => Purpose::ReadMade(*then),
        };
        let from = Asked { asker, zones, purpose };
        if self.waiting.len() >= WAITING_MAX {
            return self.refused.push_back(from);
        }
        self.waiting.push_back((from, work));
        self.begin();
    }

    fn begin(&mut self) {
        if self.at_work.is_some() {
            return;
        }
        let Some((asked, work)) = self.waiting.pop_front() else { return };
        let (folder, bytes_max, from) = (self.folder.clone(), self.bytes_max, asked.clone());
        self.at_work = Some((spawn_blocking(move || from.carry_out(work, &folder, bytes_max)), asked));
    }

    /// Waits for the request in progress; pends for ever if there is no request. Cancel-safe. Refusals are returned
    /// first, so that they do not wait behind a file that hangs.
    pub(super) async fn done(&mut self) -> Input {
        if let Some(asked) = self.refused.pop_front() {
            return asked.decline(&FileError::Busy);
        }
        let Some((work, asked)) = self.at_work.as_mut() else { return std::future::pending().await };
        let came = work.await;
        let asked = asked.clone();
        self.at_work = None;
        self.begin();
        came.unwrap_or_else(|error| asked.decline(&error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Digest;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    async fn does(files: &mut ZoneFiles, what: Work) -> Result<String, Declined> {
        files.ask(SessionId(7), vec!["mill".into()], what);
        match files.done().await {
            Input::ZoneWritten { asker: SessionId(7), came, .. } => came,
            Input::ZonesRead { asker: SessionId(7), came, .. } => came.map(|texts| texts.concat()),
            other => panic!("{other:?}"),
        }
    }

    fn writes(text: &str, known: &[&str]) -> Work {
        let known = known.iter().map(|text| Digest::of_text(text).to_string()).collect();
        Work::Write { text: text.into(), digest: Digest::of_text(text).to_string(), known }
    }

    #[tokio::test]
    async fn externally_changed_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 100);
        let path = folder.path().join("zones/mill.toml");
        assert_eq!(does(&mut files, writes("one", &[])).await, Ok(path.display().to_string()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(does(&mut files, writes("two", &["one"])).await.is_ok());
        fs::write(&path, "an edit").unwrap();
        let told = does(&mut files, writes("three", &["one", "two"])).await.unwrap_err().to_string();
        assert!(told.contains("mill.toml has been changed by somebody else"), "{told}");
        assert_eq!(does(&mut files, Work::Read(ZoneUse::Import)).await, Ok("an edit".into()));
        fs::write(&path, b"\xff").unwrap();
        assert!(does(&mut files, writes("three", &["one", "two"])).await.is_err());
        assert_eq!(fs::read_dir(folder.path().join("zones")).unwrap().count(), 1, "nothing is left behind");
    }

    #[tokio::test]
    async fn unreadable_file_is_reported_with_reason() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 3);
        let told = does(&mut files, Work::Read(ZoneUse::Compare)).await.unwrap_err().to_string();
        assert!(told.contains("mill.toml cannot be read: No such file"), "{told}");
        assert!(does(&mut files, writes("long", &[])).await.is_ok());
        let told = does(&mut files, Work::Read(ZoneUse::Compare)).await.unwrap_err().to_string();
        assert!(told.contains("is too long: limits.zone_file_bytes is 3"), "{told}");
    }

    /// Neither the zone file nor its temporary file may be written or read through a symbolic link.
    #[tokio::test]
    async fn symlinks_and_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 100);
        let (zones, elsewhere) = (folder.path().join("zones"), folder.path().join("elsewhere"));
        fs::create_dir(&zones).unwrap();
        fs::write(&elsewhere, "precious").unwrap();
        symlink(&elsewhere, zones.join("mill.toml.next")).unwrap();
        assert!(does(&mut files, writes("one", &[])).await.is_ok());
        assert_eq!(fs::read_to_string(zones.join("mill.toml")).unwrap(), "one");

        fs::remove_file(zones.join("mill.toml")).unwrap();
        symlink(&elsewhere, zones.join("mill.toml")).unwrap();
        assert!(does(&mut files, writes("two", &["precious"])).await.is_err());
        assert!(does(&mut files, Work::Read(ZoneUse::Import)).await.is_err());
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "precious");

        fs::remove_file(zones.join("mill.toml")).unwrap();
        assert!(
            std::process::Command::new("mkfifo").arg(zones.join("mill.toml")).status().unwrap().success()
        );
        let told = does(&mut files, Work::Read(ZoneUse::Import)).await.unwrap_err().to_string();
        assert!(told.contains("it is no file"), "{told}");
    }

    /// Refusals are returned immediately and the queue stays bounded while a file hangs.
    #[tokio::test]
    async fn every_request_is_answered_when_the_queue_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 100);
        // One request in progress, `WAITING_MAX` in the queue, and four too many.
        for number in 0..WAITING_MAX + 5 {
            files.ask(SessionId(7), vec![format!("z{number}")], writes("text", &[]));
        }
        let refused = WAITING_MAX + 1..WAITING_MAX + 5;
        for number in refused.clone().chain(0..refused.start) {
            let Input::ZoneWritten { zone, came, .. } = files.done().await else {
                panic!("something is read")
            };
            assert_eq!(zone, format!("z{number}"));
            assert_eq!(came.is_err(), refused.contains(&number));
        }
        assert!(files.at_work.is_none() && files.refused.is_empty());
    }
}

//! The files of zones, in `zones/` of the state folder: written and read on a thread of their own, one after the other. A
//! file is replaced as a whole or not at all, and only while it is what the world knows it to be.

use std::collections::VecDeque;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use crate::base::{Digest, SessionId};
use crate::game::{Declined, Input, ZoneUse};
use crate::server::replace::replace_file;

/// What waits to be written or read; more is refused.
const WAITING_MAX: usize = 32;

/// Writes and reads the files of zones when the game asks.
#[derive(Debug)]
pub struct ZoneFiles {
    folder: PathBuf,
    bytes_max: u64,
    waiting: VecDeque<(Asked, Work)>,
    at_work: Option<(JoinHandle<Came>, Asked)>,
    /// What is refused, because too much waits.
    refused: VecDeque<Asked>,
}

/// What comes of it: what each file says, or where it is written.
type Came = Result<Vec<String>, FileError>;

/// Who asked for what.
#[derive(Clone, Debug)]
struct Asked {
    asker: SessionId,
    zones: Vec<String>,
    purpose: Purpose,
}

/// What for.
#[derive(Clone, Debug)]
enum Purpose {
    /// The file is to have this digest.
    Write(String),
    Read(ZoneUse),
}

/// What is to be done with a file.
#[derive(Debug)]
pub(super) enum Work {
    /// Written, over nothing but what has one of these digests.
    Write { text: String, digest: String, known: Vec<String> },
    /// Read.
    Read(ZoneUse),
}

/// Why a file is not written or read.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("{} cannot be written: {source}.", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("{} cannot be read: {source}.", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "{} has been changed by somebody else, and is left as it is: zone diff tells how, zone import takes it over, or \
         move it away.",
        .0.display()
    )]
    Changed(PathBuf),
    #[error("{} is too long: limits.zone_file_bytes is {bytes_max}.", .path.display())]
    TooLong { path: PathBuf, bytes_max: u64 },
    #[error("The server has too many files to write and to read: try again in a moment.")]
    Busy,
    #[error("the file could not be worked on: {0}")]
    Ended(#[from] JoinError),
}

impl Asked {
    /// What the game is told.
    fn answer(self, came: Came) -> Input {
        let Self { asker, zones, purpose } = self;
        let came = came.map_err(|error| Declined(error.to_string()));
        match purpose {
            Purpose::Read(then) => Input::ZonesRead { asker, zones, then, came },
            Purpose::Write(digest) => {
                let (zone, came) = (zones.concat(), came.map(|paths| paths.concat()));
                Input::ZoneWritten { asker, zone, digest, came }
            }
        }
    }
}

impl Work {
    /// What each file says, or where it is written.
    fn carry_out(self, paths: &[PathBuf], bytes_max: u64) -> Came {
        let carry_out = |path: &PathBuf| match &self {
            Self::Write { text, known, .. } => {
                write(path, text, known, bytes_max).map(|()| path.display().to_string())
            }
            Self::Read(_) => read(path, bytes_max),
        };
        paths.iter().map(carry_out).collect()
    }
}

impl ZoneFiles {
    /// Keeps files of at most so many bytes in a folder of the state folder.
    pub fn new(state_folder: &Path, bytes_max: u32) -> Self {
        Self {
            folder: state_folder.join("zones"),
            bytes_max: bytes_max.into(),
            waiting: VecDeque::new(),
            at_work: None,
            refused: VecDeque::new(),
        }
    }

    /// Has something done as soon as what was asked for before is done.
    pub(super) fn ask(&mut self, asker: SessionId, zones: Vec<String>, work: Work) {
        let purpose = match &work {
            Work::Write { digest, .. } => Purpose::Write(digest.clone()),
            Work::Read(then) => Purpose::Read(*then),
        };
        let from = Asked { asker, zones, purpose };
        if self.waiting.len() >= WAITING_MAX {
            return self.refused.push_back(from);
        }
        self.waiting.push_back((from, work));
        self.begin();
    }

    /// Whether anything is to be done, or told.
    pub(super) fn is_busy(&self) -> bool {
        self.at_work.is_some() || !self.refused.is_empty()
    }

    fn begin(&mut self) {
        if self.at_work.is_some() {
            return;
        }
        let Some((asked, work)) = self.waiting.pop_front() else { return };
        let path = |zone: &String| self.folder.join(format!("{zone}.toml"));
        let (paths, bytes_max): (Vec<PathBuf>, u64) =
            (asked.zones.iter().map(path).collect(), self.bytes_max);
        self.at_work = Some((spawn_blocking(move || work.carry_out(&paths, bytes_max)), asked));
    }

    /// Waits for what is being done; for ever if nothing is. Nothing is lost if the wait is given up. What is refused does
    /// not wait behind a file that hangs.
    pub(super) async fn done(&mut self) -> Input {
        if let Some(asked) = self.refused.pop_front() {
            return asked.answer(Err(FileError::Busy));
        }
        let Some((work, asked)) = self.at_work.as_mut() else { return std::future::pending().await };
        let came = work.await;
        let asked = asked.clone();
        self.at_work = None;
        self.begin();
        asked.answer(came.unwrap_or_else(|error| Err(error.into())))
    }
}

/// Replaces a file, if it is not there or is one of those that are known.
fn write(path: &Path, text: &str, known: &[String], bytes_max: u64) -> Result<(), FileError> {
    match read(path, bytes_max) {
        Ok(there) if known.contains(&Digest::of_text(&there).to_string()) => {}
        Err(FileError::Unreadable { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
        Err(FileError::Unreadable { path, source }) if source.kind() != io::ErrorKind::InvalidData => {
            return Err(FileError::Unwritable { path, source });
        }
        _ => return Err(FileError::Changed(path.to_owned())),
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let written = made.and_then(|()| replace_file(path, 0o600, text.as_bytes()));
    written.map_err(|source| FileError::Unwritable { path: path.to_owned(), source })
}

fn read(path: &Path, bytes_max: u64) -> Result<String, FileError> {
    let failed = |source: io::Error| FileError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    let file = open_file(path).map_err(failed)?;
    let bytes = file.take(bytes_max + 1).read_to_string(&mut text).map_err(failed)?;
    if bytes as u64 > bytes_max {
        return Err(FileError::TooLong { path: path.to_owned(), bytes_max });
    }
    Ok(text)
}

/// Opens what is a file: a link leads elsewhere, and a pipe would be waited for without an end.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no file")) }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    async fn a_file_that_somebody_else_changed_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 100);
        let path = folder.path().join("zones/mill.toml");
        assert_eq!(does(&mut files, writes("one", &[])).await, Ok(path.display().to_string()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(does(&mut files, writes("two", &["one"])).await.is_ok());
        fs::write(&path, "an edit").unwrap();
        let told = does(&mut files, writes("three", &["one", "two"])).await.unwrap_err().0;
        assert!(told.contains("mill.toml has been changed by somebody else"), "{told}");
        assert_eq!(does(&mut files, Work::Read(ZoneUse::Import)).await, Ok("an edit".into()));
        fs::write(&path, b"\xff").unwrap();
        assert!(does(&mut files, writes("three", &["one", "two"])).await.is_err());
        assert_eq!(fs::read_dir(folder.path().join("zones")).unwrap().count(), 1, "nothing is left behind");
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_told_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 3);
        let told = does(&mut files, Work::Read(ZoneUse::Compare)).await.unwrap_err().0;
        assert!(told.contains("mill.toml cannot be read: No such file"), "{told}");
        assert!(does(&mut files, writes("long", &[])).await.is_ok());
        let told = does(&mut files, Work::Read(ZoneUse::Compare)).await.unwrap_err().0;
        assert!(told.contains("is too long: limits.zone_file_bytes is 3"), "{told}");
    }

    /// Elsewhere lies a text that nobody may touch through a link, neither in the place of the file nor of the next one.
    #[tokio::test]
    async fn no_link_is_followed_and_no_pipe_is_waited_for() {
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
        let told = does(&mut files, Work::Read(ZoneUse::Import)).await.unwrap_err().0;
        assert!(told.contains("it is no file"), "{told}");
    }

    /// Those that are refused hear it at once, however long the others take; nothing grows while a file hangs.
    #[tokio::test]
    async fn each_is_answered_however_much_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = ZoneFiles::new(folder.path(), 100);
        // One is being written while as many wait as may.
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
        assert!(!files.is_busy());
    }
}

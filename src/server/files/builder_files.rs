//! Files of builders, in the state folder. They are read and written on a blocking thread, one request at a time.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use tokio::task::{JoinHandle, spawn_blocking};

use crate::server::files::state_folder::{FileError, StateFolder};
use deepwell_core::base::limits::Limits;
use deepwell_core::data::archive::ArchiveLimits;
use deepwell_game::{FileRequest, Input};

/// Maximum number of queued requests; further ones are refused.
const WAITING_MAX: usize = 32;

/// Reads and writes the files of builders at the game's request.
#[derive(Debug)]
pub struct BuilderFiles {
    folder: StateFolder,
    waiting: VecDeque<Arc<FileRequest>>,
    at_work: Option<(JoinHandle<Input>, Arc<FileRequest>)>,
    /// Requests refused because the queue was full.
    refused: VecDeque<Arc<FileRequest>>,
}

impl BuilderFiles {
    /// Creates the queue for files below `state_folder`.
    pub fn new(state_folder: &Path, limits: &Limits) -> Self {
        let packages = ArchiveLimits { files: limits.package_files, bytes: limits.package_bytes };
        Self {
            folder: StateFolder::new(state_folder, limits.zone_file_bytes.into(), packages),
            waiting: VecDeque::new(),
            at_work: None,
            refused: VecDeque::new(),
        }
    }

    /// Queues a request behind earlier ones, or refuses it if the queue is full.
    pub(in crate::server) fn ask(&mut self, request: Arc<FileRequest>) {
        if self.waiting.len() >= WAITING_MAX {
            return self.refused.push_back(request);
        }
        self.waiting.push_back(request);
        self.begin();
    }

    fn begin(&mut self) {
        if self.at_work.is_some() {
            return;
        }
        let Some(request) = self.waiting.pop_front() else { return };
        let (mut folder, work) = (self.folder.clone(), Arc::clone(&request));
        self.at_work = Some((spawn_blocking(move || work.carry_out(&mut folder)), request));
    }

    /// Waits for the request in progress; pends for ever if there is no request. Cancel-safe. Refusals are returned
    /// first, so that they do not wait behind a file that hangs.
    pub(in crate::server) async fn done(&mut self) -> Input {
        if let Some(request) = self.refused.pop_front() {
            return request.decline(&FileError::Busy.into());
        }
        let Some((work, request)) = self.at_work.as_mut() else { return std::future::pending().await };
        let answer = work.await;
        let request = Arc::clone(request);
        self.at_work = None;
        self.begin();
        answer.unwrap_or_else(|error| request.decline(&FileError::from(error).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::{Digest, SessionId};
    use deepwell_game::{Declined, ExportFile, FileKind, FileOperation, FilePurpose};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn files_of(folder: &Path, zone_file_bytes: u32) -> BuilderFiles {
        BuilderFiles::new(folder, &Limits { zone_file_bytes, ..Limits::default() })
    }

    fn request(operation: FileOperation) -> Arc<FileRequest> {
        Arc::new(FileRequest { asker: SessionId(7), kind: FileKind::Zone, operation })
    }

    async fn does(files: &mut BuilderFiles, operation: FileOperation) -> Result<String, Declined> {
        files.ask(request(operation));
        match files.done().await {
            Input::FilesWritten { asker: SessionId(7), files, .. } => files[0].result.clone(),
            Input::FilesRead { asker: SessionId(7), files, .. } => {
                files.map(|files| files.into_iter().map(|(_, text)| text).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    fn reads() -> FileOperation {
        FileOperation::Read { names: vec!["mill".into()], purpose: FilePurpose::Import, prefix: None }
    }

    fn writes(text: &str, known: &[&str]) -> FileOperation {
        writes_zone("mill", text, known)
    }

    fn writes_zone(name: &str, text: &str, known: &[&str]) -> FileOperation {
        let known = known.iter().map(|text| Digest::of_text(text).to_string()).collect();
        let digest = Digest::of_text(text).to_string();
        FileOperation::Write(vec![ExportFile { name: name.into(), text: text.into(), digest, known }])
    }

    #[tokio::test]
    async fn externally_changed_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files_of(folder.path(), 100);
        let path = folder.path().join("zones/mill.toml");
        assert_eq!(does(&mut files, writes("one", &[])).await, Ok(path.display().to_string()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(does(&mut files, writes("two", &["one"])).await.is_ok());
        fs::write(&path, "an edit").unwrap();
        let message = does(&mut files, writes("three", &["one", "two"])).await.unwrap_err().to_string();
        assert!(message.contains("mill.toml has been changed by somebody else"), "{message}");
        assert_eq!(does(&mut files, reads()).await, Ok("an edit".into()));
        fs::write(&path, b"\xff").unwrap();
        assert!(does(&mut files, writes("three", &["one", "two"])).await.is_err());
        assert_eq!(fs::read_dir(folder.path().join("zones")).unwrap().count(), 1, "nothing is left behind");
    }

    #[tokio::test]
    async fn unreadable_file_is_reported_with_reason() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files_of(folder.path(), 3);
        let message = does(&mut files, reads()).await.unwrap_err().to_string();
        assert!(message.contains("mill.toml cannot be read: No such file"), "{message}");
        assert!(does(&mut files, writes("long", &[])).await.is_ok());
        let message = does(&mut files, reads()).await.unwrap_err().to_string();
        assert!(message.contains("is too long: limits.zone_file_bytes is 3"), "{message}");
    }

    /// Neither the zone file nor its temporary file may be written or read through a symbolic link.
    #[tokio::test]
    async fn symlinks_and_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files_of(folder.path(), 100);
        let (zones, elsewhere) = (folder.path().join("zones"), folder.path().join("elsewhere"));
        fs::create_dir(&zones).unwrap();
        fs::write(&elsewhere, "precious").unwrap();
        symlink(&elsewhere, zones.join("mill.toml.next")).unwrap();
        assert!(does(&mut files, writes("one", &[])).await.is_ok());
        assert_eq!(fs::read_to_string(zones.join("mill.toml")).unwrap(), "one");

        fs::remove_file(zones.join("mill.toml")).unwrap();
        symlink(&elsewhere, zones.join("mill.toml")).unwrap();
        assert!(does(&mut files, writes("two", &["precious"])).await.is_err());
        assert!(does(&mut files, reads()).await.is_err());
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "precious");

        fs::remove_file(zones.join("mill.toml")).unwrap();
        assert!(
            std::process::Command::new("mkfifo").arg(zones.join("mill.toml")).status().unwrap().success()
        );
        let message = does(&mut files, reads()).await.unwrap_err().to_string();
        assert!(message.contains("it is no file"), "{message}");
    }

    /// Refusals are returned immediately and the queue stays bounded while a file hangs.
    #[tokio::test]
    async fn every_request_is_answered_when_the_queue_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = files_of(folder.path(), 100);
        // One request in progress, `WAITING_MAX` in the queue, and four too many.
        for number in 0..WAITING_MAX + 5 {
            files.ask(request(writes_zone(&format!("z{number}"), "text", &[])));
        }
        let refused = WAITING_MAX + 1..WAITING_MAX + 5;
        for number in refused.clone().chain(0..refused.start) {
            let Input::FilesWritten { files: written, .. } = files.done().await else {
                panic!("something is read")
            };
            assert_eq!(written[0].name, format!("z{number}"));
            assert_eq!(written[0].result.is_err(), refused.contains(&number));
        }
        assert!(files.at_work.is_none() && files.refused.is_empty());
    }
}

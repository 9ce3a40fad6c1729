//! Files in the state folder that the operator may edit while the server runs: `zones/`, `packages/`, and `made/` with
//! the layout of `content/`. A file is replaced atomically, and only if its content is a version that the world knows.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tokio::task::JoinError;

use crate::server::files::atomic_file::replace_file;
use deepwell_core::base::Digest;
use deepwell_core::data::archive::{Archive, ArchiveError, ArchiveLimits};
use deepwell_game::{Declined, ExportFile, FileKind, FileStore, PACKAGE};

/// Reason why a file is not written or read.
#[derive(Debug, thiserror::Error)]
pub(in crate::server) enum FileError {
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
    #[error("{} is too long: {limit} is {bytes_max}.", .path.display())]
    TooLong { path: PathBuf, limit: &'static str, bytes_max: u64 },
    #[error("{} cannot be unpacked: {source}.", .path.display())]
    Package { path: PathBuf, source: ArchiveError },
    #[error("{} is a link, and no links are followed there: put a folder or a file in its place.", .0.display())]
    Link(PathBuf),
    #[error("The server has too many files to write and to read: try again in a moment.")]
    Busy,
    #[error("the file could not be worked on: {0}")]
    Ended(#[from] JoinError),
}

impl From<FileError> for Declined {
    fn from(error: FileError) -> Self {
        Self::Reason(error.to_string())
    }
}

/// Maximum number of files of definitions to read.
const DEFINITIONS_MAX: usize = 100_000;

/// The state folder.
#[derive(Clone, Debug)]
pub(in crate::server) struct StateFolder {
    path: PathBuf,
    /// Maximum size of a file.
    bytes_max: u64,
    packages: ArchiveLimits,
}

impl StateFolder {
    pub(in crate::server) fn new(path: &Path, bytes_max: u64, packages: ArchiveLimits) -> Self {
        Self { path: path.to_owned(), bytes_max, packages }
    }

    /// Reads a file as text; a package as the JSON of its archive.
    fn read_text(&self, path: &Path) -> Result<String, FileError> {
        if !is_package(path) {
            return read(path, self.bytes_max);
        }
        let refused = |source| FileError::Package { path: path.to_owned(), source };
        let bytes = read_bytes(path, self.packages.bytes.into())?;
        let archive = Archive::from_bytes(&bytes, &self.packages).map_err(refused)?;
        serde_json::to_string(&archive).map_err(|error| refused(ArchiveError::Unreadable(error.to_string())))
    }

    /// Writes a file if it is missing or its present digest is one of `known`.
    fn write_text(&self, path: &Path, text: &str, known: &[String]) -> Result<(), FileError> {
        match self.read_text(path) {
            Ok(there) if known.contains(&Digest::of_text(&there).to_string()) => {}
            Err(FileError::Unreadable { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(FileError::Unreadable { path, source }) if source.kind() != io::ErrorKind::InvalidData => {
                return Err(FileError::Unwritable { path, source });
            }
            _ => return Err(FileError::Changed(path.to_owned())),
        }
        let unwritable = |source| FileError::Unwritable { path: path.to_owned(), source };
        if !is_package(path) {
            return write(path, text.as_bytes()).map_err(unwritable);
        }
        let archive: Archive = serde_json::from_str(text).map_err(|error| unwritable(error.into()))?;
        let bytes =
            archive.to_bytes().map_err(|source| FileError::Package { path: path.to_owned(), source })?;
        write(path, &bytes).map_err(unwritable)
    }

    /// Returns the path of a file below the state folder. Fails if a part of the path is a symbolic link.
    fn place(&self, below: &str) -> Result<PathBuf, FileError> {
        let mut path = self.path.clone();
        for part in Path::new(below) {
            path.push(part);
            if path.is_symlink() {
                return Err(FileError::Link(path));
            }
        }
        Ok(path)
    }

    /// Returns the paths of all files one level below the folder of definitions, sorted. Skips hidden files, which
    /// belong to editors or git, and temporary files, which end with `.next`.
    fn definition_paths(&self) -> Result<Vec<String>, FileError> {
        let folder = &self.place(&FileKind::Definition.path(""))?;
        let failed = |source: io::Error| FileError::Unreadable { path: folder.to_owned(), source };
        let names = |folder: &Path| -> io::Result<Vec<String>> {
            let entries =
                fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
            let names = entries.collect::<io::Result<Vec<String>>>()?.into_iter();
            Ok(names
                .filter(|name| !name.starts_with('.') && name.rsplit('.').next() != Some("next"))
                .collect())
        };
        let mut paths = Vec::new();
        for below in names(folder).map_err(failed)? {
            let inner = folder.join(&below);
            if inner.is_dir() {
                let files = names(&inner).map_err(failed)?.into_iter();
                paths.extend(files.map(|name| format!("{below}/{name}")));
            } else {
                paths.push(below);
            }
        }
        if paths.len() > DEFINITIONS_MAX {
            return Err(failed(io::Error::other("too many files lie there")));
        }
        paths.sort();
        Ok(paths)
    }
}

impl FileStore for StateFolder {
    fn location(&self, path: &str) -> String {
        self.path.join(path).display().to_string()
    }

    fn write(&mut self, path: &str, file: &ExportFile) -> Result<(), Declined> {
        Ok(self.write_text(&self.place(path)?, &file.text, &file.known)?)
    }

    fn read(&mut self, path: &str) -> Result<String, Declined> {
        Ok(self.read_text(&self.place(path)?)?)
    }

    fn definitions(&self) -> Result<Vec<String>, Declined> {
        Ok(self.definition_paths()?)
    }
}

/// Returns `true` for the path of a package.
fn is_package(path: &Path) -> bool {
    path.to_string_lossy().ends_with(PACKAGE)
}

/// Replaces a file, and creates its folder.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    replace_file(path, 0o600, bytes)
}

fn read(path: &Path, bytes_max: u64) -> Result<String, FileError> {
    let failed = |source: io::Error| FileError::Unreadable { path: path.to_owned(), source };
    let bytes = read_bytes(path, bytes_max)?;
    String::from_utf8(bytes).map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error)))
}

fn read_bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    let failed = |source: io::Error| FileError::Unreadable { path: path.to_owned(), source };
    let mut content = Vec::new();
    let file = open_file(path).map_err(failed)?;
    let bytes = file.take(bytes_max + 1).read_to_end(&mut content).map_err(failed)?;
    if bytes as u64 > bytes_max {
        return Err(FileError::TooLong { path: path.to_owned(), limit: limit_of(path), bytes_max });
    }
    Ok(content)
}

/// Returns the setting that limits the size of a file.
fn limit_of(path: &Path) -> &'static str {
    if is_package(path) { "limits.package_bytes" } else { "limits.zone_file_bytes" }
}

/// Opens a regular file. Does not follow symbolic links, and does not block on a pipe.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no file")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::SessionId;
    use deepwell_game::{FileOperation, FilePurpose, FileRequest, Input};

    const PACKAGES: ArchiveLimits = ArchiveLimits { files: 10, bytes: 10_000 };

    /// A package is a zip archive that is overwritten only as the world knows it; a broken one is refused.
    #[test]
    fn package_is_written_and_read_as_archive() {
        let state = tempfile::tempdir().unwrap();
        let mut folder = StateFolder::new(state.path(), 100, PACKAGES);
        let package = |text: &str, known: &[&str]| ExportFile {
            name: "mill".into(),
            text: format!("{{\"zones/mill.toml\":\"{text}\"}}"),
            digest: String::new(),
            known: known.iter().map(|text| Digest::of_text(text).to_string()).collect(),
        };
        let path = FileKind::Package.path("mill");
        let one = package("one", &[]);
        assert_eq!(folder.write(&path, &one), Ok(()));
        assert!(fs::read(state.path().join("packages/mill.zip")).unwrap().starts_with(b"PK"));
        assert_eq!(folder.read(&path).as_ref(), Ok(&one.text));
        assert!(
            folder
                .write(&path, &package("two", &[]))
                .unwrap_err()
                .to_string()
                .contains("changed by somebody")
        );
        assert_eq!(folder.write(&path, &package("two", &[&one.text])), Ok(()));
        fs::write(state.path().join(&path), b"PK no archive").unwrap();
        assert!(
            folder.read(&path).unwrap_err().to_string().contains("cannot be unpacked: it is no zip archive")
        );
        fs::write(state.path().join(&path), vec![b'x'; 20_000]).unwrap();
        assert!(folder.read(&path).unwrap_err().to_string().contains("limits.package_bytes is 10000"));
    }

    fn answer(folder: &Path, operation: FileOperation) -> Input {
        let request = FileRequest { asker: SessionId(7), kind: FileKind::Definition, operation };
        request.carry_out(&mut StateFolder::new(folder, 100, PACKAGES))
    }

    fn read_all(folder: &Path) -> Result<Vec<(String, String)>, Declined> {
        let all = FileOperation::Read { names: Vec::new(), purpose: FilePurpose::Import, prefix: None };
        let Input::FilesRead { files, .. } = answer(folder, all) else { panic!("files are read") };
        files
    }

    /// Writes files of this text; returns the result for each, and the other files in the folder.
    fn write_all(
        folder: &Path,
        names: &[&str],
        text: &str,
        known: &[&str],
    ) -> (Vec<Result<String, Declined>>, Vec<String>) {
        let digest = |text: &str| Digest::of_text(text).to_string();
        let file = |name: &&str| ExportFile {
            name: (*name).into(),
            text: text.into(),
            digest: digest(text),
            known: known.iter().map(|text| digest(text)).collect(),
        };
        let written = answer(folder, FileOperation::Write(names.iter().map(file).collect()));
        let Input::FilesWritten { files, others, .. } = written else { panic!("files are written") };
        (files.into_iter().map(|file| file.result).collect(), others)
    }

    #[test]
    fn externally_changed_file_is_kept_and_others_written() {
        let state = tempfile::tempdir().unwrap();
        let all = |known: &[&str], text: &str| {
            let (results, others) =
                write_all(state.path(), &["items/sack.toml", "mobs/rat.toml"], text, known);
            (results.iter().map(Result::is_ok).collect::<Vec<_>>(), others)
        };
        assert_eq!(all(&[], "one"), (vec![true, true], Vec::new()));
        fs::write(state.path().join("made/mobs/rat.toml"), "an edit").unwrap();
        fs::write(state.path().join("made/mobs/bat.toml"), "new").unwrap();
        let (results, others) = all(&["one"], "two");
        assert_eq!(results, [true, false]);
        assert!(others.len() == 1 && others[0].ends_with("made/mobs/bat.toml"), "{others:?}");
        let texts = [("items/sack.toml", "two"), ("mobs/bat.toml", "new"), ("mobs/rat.toml", "an edit")];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(read_all(state.path()), Ok(texts.to_vec()));
    }

    #[test]
    fn symlinked_folders_are_refused() {
        let (state, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(state.path().join("made")).unwrap();
        fs::write(elsewhere.path().join("rat.toml"), "theirs").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), state.path().join("made/mobs")).unwrap();
        let (results, _) = write_all(state.path(), &["mobs/rat.toml"], "ours", &["theirs"]);
        assert!(results[0].as_ref().unwrap_err().to_string().contains("made/mobs is a link"), "{results:?}");
        assert_eq!(fs::read_to_string(elsewhere.path().join("rat.toml")).unwrap(), "theirs");
        assert!(read_all(state.path()).unwrap_err().to_string().contains("is a link"));
    }

    #[test]
    fn missing_folder_is_reported() {
        let state = tempfile::tempdir().unwrap();
        assert!(
            read_all(state.path()).unwrap_err().to_string().contains("made cannot be read: No such file")
        );
    }
}

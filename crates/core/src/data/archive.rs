//! Archives of text files in the zip format, as packages of zones. Reading refuses whatever is no plain text file below
//! the archive, and is bounded by limits that do not trust the sizes that the archive states.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Texts of an archive by path. Its JSON is the same for the same texts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Archive(pub BTreeMap<String, String>);

/// Limits of an archive that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchiveLimits {
    /// Maximum number of files and folders.
    pub files: u32,
    /// Maximum size of the archive, and of all its texts together, in bytes.
    pub bytes: u32,
}

/// First bytes of a zip archive.
const MAGIC: &[u8] = b"PK\x03\x04";

/// Maximum length of the path of a file.
const PATH_BYTES_MAX: usize = 200;

/// Reason why an archive is not read. Texts are paths.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The bytes are no zip archive.
    #[error("it is no zip archive that can be read: {0}")]
    Unreadable(String),
    /// It holds more files than it may.
    #[error("it holds {files} files, and limits.package_files is {most}")]
    TooManyFiles {
        /// Files in the archive.
        files: usize,
        /// Limit.
        most: u32,
    },
    /// It is larger than it may be, or its texts are.
    #[error("it is too large when unpacked, or as it is: limits.package_bytes is {0}")]
    TooLarge(u32),
    /// A path leads out of the archive, or is none.
    #[error("{0:?} is no path below the archive")]
    Path(String),
    /// Two files have the same path.
    #[error("{0} is in it twice")]
    Twice(String),
    /// A link.
    #[error("{0} is a link, and no links are followed")]
    Link(String),
    /// An archive within the archive.
    #[error("{0} is an archive of its own, and none may be in it")]
    Nested(String),
    /// A file that is no text, or cannot be unpacked.
    #[error("{0} is no text that can be read")]
    NoText(String),
}

impl From<ZipError> for ArchiveError {
    fn from(error: ZipError) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl Archive {
    /// Writes the archive. The same texts give the same bytes.
    ///
    /// # Errors
    /// If it is too large for its format.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ArchiveError> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(0o644);
        for (path, text) in &self.0 {
            zip.start_file(path.as_str(), options)?;
            zip.write_all(text.as_bytes()).map_err(|_| ArchiveError::NoText(path.clone()))?;
        }
        Ok(zip.finish()?.into_inner())
    }

    /// Reads an archive.
    ///
    /// # Errors
    /// The first reason to refuse it; nothing of it is to be used then.
    pub fn from_bytes(bytes: &[u8], limits: &ArchiveLimits) -> Result<Self, ArchiveError> {
        if bytes.len() > limits.bytes as usize {
            return Err(ArchiveError::TooLarge(limits.bytes));
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes))?;
        if zip.len() > limits.files as usize {
            return Err(ArchiveError::TooManyFiles { files: zip.len(), most: limits.files });
        }
        let (mut texts, mut left) = (BTreeMap::new(), u64::from(limits.bytes));
        for at in 0..zip.len() {
            let file = zip.by_index(at)?;
            let path = file.name()?.into_owned();
            if file.is_symlink() {
                return Err(ArchiveError::Link(shown(&path)));
            }
            let is_folder = path.ends_with('/');
            if !is_path(path.trim_end_matches('/')) {
                return Err(ArchiveError::Path(shown(&path)));
            }
            if is_folder {
                continue;
            }
            let mut content = Vec::new();
            let read = file.take(left + 1).read_to_end(&mut content);
            let size = read.map_err(|_| ArchiveError::NoText(path.clone()))? as u64;
            left = left.checked_sub(size).ok_or(ArchiveError::TooLarge(limits.bytes))?;
            if content.starts_with(MAGIC) {
                return Err(ArchiveError::Nested(path));
            }
            let text = String::from_utf8(content).map_err(|_| ArchiveError::NoText(path.clone()))?;
            if texts.insert(path.clone(), text).is_some() {
                return Err(ArchiveError::Twice(path));
            }
        }
        Ok(Self(texts))
    }
}

/// Returns `true` for a path of plain names below the archive.
fn is_path(path: &str) -> bool {
    let is_name = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        !name.is_empty() && !name.starts_with('.') && name.chars().all(fits)
    };
    path.len() <= PATH_BYTES_MAX && path.split('/').all(is_name)
}

/// Returns the beginning of a path that cannot be trusted, for a message.
fn shown(path: &str) -> String {
    path.chars().filter(|c| !c.is_control()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ArchiveLimits = ArchiveLimits { files: 4, bytes: 2_000 };

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (path, content) in files {
            zip.start_file(*path, options).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn refused(bytes: &[u8]) -> String {
        Archive::from_bytes(bytes, &LIMITS).expect_err("it is refused").to_string()
    }

    #[test]
    fn archive_round_trip_is_identical() {
        let texts = [("zones/mill.toml", "a = 1\n"), ("scripts/bell.luau", "return {}\n")];
        let archive = Archive(texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
        let bytes = archive.to_bytes().unwrap();
        assert_eq!(bytes, archive.to_bytes().unwrap());
        assert_eq!(Archive::from_bytes(&bytes, &LIMITS), Ok(archive));
    }

    #[test]
    fn paths_out_of_the_archive_are_refused() {
        for path in
            ["../mill.toml", "/etc/passwd", "zones/../../x", "zones\\mill.toml", "C:/x", "a//b", ".git/x"]
        {
            let refusal = refused(&packed(&[(path, b"x")]));
            assert!(refusal.contains("is no path below the archive"), "{path}: {refusal}");
        }
    }

    #[test]
    fn links_and_archives_within_are_refused() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.add_symlink("zones/mill.toml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        assert!(refused(&zip.finish().unwrap().into_inner()).contains("is a link"));
        let inner = packed(&[("a.txt", b"a")]);
        assert!(refused(&packed(&[("zones/mill.toml", &inner)])).contains("is an archive of its own"));
    }

    /// The limits hold for what is unpacked, whatever the archive states about its sizes.
    #[test]
    fn bombs_are_refused() {
        let bomb = packed(&[("a.txt", &vec![b'a'; 100_000])]);
        assert!(bomb.len() < 2_000);
        assert!(refused(&bomb).contains("limits.package_bytes is 2000"));
        let half = [b'a'; 1_200];
        assert!(refused(&packed(&[("a.txt", &half), ("b.txt", &half)])).contains("too large"));
        let many = ["a", "b", "c", "d", "e"].map(|path| (path, b"x".as_slice()));
        assert!(refused(&packed(&many)).contains("it holds 5 files, and limits.package_files is 4"));
        assert!(refused(&[b'x'; 3_000]).contains("too large"));
        assert!(refused(b"no archive").contains("no zip archive"));
        assert!(refused(&packed(&[("a.txt", b"\xff\xfe")])).contains("a.txt is no text"));
    }

    #[test]
    fn cut_archives_are_refused() {
        let bytes = packed(&[("a.txt", b"some words"), ("b.txt", b"more words")]);
        for end in 0..bytes.len() {
            assert!(Archive::from_bytes(&bytes[..end], &LIMITS).is_err(), "{end}");
        }
    }
}

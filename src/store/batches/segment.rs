//! Files of the log. Each is a header and the batches after it, in order. Each of these is a frame: length, digest, JSON.

use super::BatchPlace;
use crate::store::Batch;
use deepwell_core::base::{Digest, GameTime};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

/// Parts of a name before and after the time.
const AROUND: (&str, &str) = ("batches-", ".log");
/// Length of a frame without its text.
const FRAME: u64 = 12;

/// First frame of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SegmentHeader {
    /// Format of the batches; see [`batch_format`](crate::store::batch_format).
    pub(super) format: String,
    /// Writer of all batches in the file.
    pub(super) writer: u64,
    /// Place of the batch before the first one.
    pub(super) after: BatchPlace,
}

/// Frame of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::store) struct BatchFrame {
    /// Number of the batch.
    pub(in crate::store) sequence: u64,
    /// World time.
    pub(in crate::store) at: GameTime,
    /// The batch.
    pub(in crate::store) batch: Batch,
}

/// Returns the path of a file whose first batch is of a moment.
pub(super) fn path_of(folder: &Path, at: GameTime, first: BatchPlace) -> PathBuf {
    let name = format!("{}{}-{}-{:016x}{}", AROUND.0, at.stamp(), first.sequence, first.writer, AROUND.1);
    folder.join(name)
}

/// Returns the files of a folder, oldest first. Other files are left out.
pub(super) fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let stem = name.strip_prefix(AROUND.0).and_then(|rest| rest.strip_suffix(AROUND.1));
        let parts: Option<Vec<&str>> = stem.map(|stem| stem.rsplitn(3, '-').collect());
        if parts.is_some_and(|parts| parts.len() == 3 && GameTime::from_stamp(parts[2]).is_some())
            && entry.file_type()?.is_file()
        {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the size of the files of a folder in bytes.
pub(super) fn size_of(folder: &Path) -> io::Result<u64> {
    files_in(folder)?.iter().map(|path| Ok(fs::metadata(path)?.len())).sum()
}

/// Appends a frame.
pub(super) fn write_frame(file: &mut impl Write, value: &impl Serialize) -> io::Result<u64> {
    let text = serde_json::to_string(value)?;
    let length = u32::try_from(text.len()).map_err(|_| io::Error::other("a batch is too long"))?;
    let mut frame = Vec::with_capacity(text.len() + 12);
    frame.extend(length.to_be_bytes());
    frame.extend(Digest::of_text(&text).0.to_be_bytes());
    frame.extend(text.bytes());
    file.write_all(&frame)?;
    Ok(frame.len() as u64)
}

/// Next frame of a file.
#[derive(Debug)]
pub(in crate::store) enum NextFrame<T> {
    /// A complete frame.
    Frame(T),
    /// The file ends.
    End,
    /// The file ends within a frame, whose bytes are counted.
    Torn(u64),
}

/// A file that is read.
pub(in crate::store) struct SegmentReader {
    file: BufReader<File>,
    left: u64,
}

impl SegmentReader {
    /// Opens a file.
    pub(in crate::store) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let left = file.metadata()?.len();
        Ok(Self { file: BufReader::new(file), left })
    }

    /// Reads the header.
    pub(super) fn header(&mut self) -> io::Result<Option<SegmentHeader>> {
        match self.frame()? {
            NextFrame::Frame(header) => Ok(Some(header)),
            NextFrame::End | NextFrame::Torn(_) => Ok(None),
        }
    }

    /// Skips the header.
    pub(in crate::store) fn skip_header(&mut self) -> io::Result<()> {
        self.header().map(|_| ())
    }

    /// Reads a batch.
    pub(in crate::store) fn record(&mut self) -> io::Result<NextFrame<BatchFrame>> {
        self.frame()
    }

    /// Reads a frame. Fails for a damaged one that is not the last.
    fn frame<T: DeserializeOwned>(&mut self) -> io::Result<NextFrame<T>> {
        let all = self.left;
        if all == 0 {
            return Ok(NextFrame::End);
        }
        let (mut length, mut digest) = ([0; 4], [0; 8]);
        if all < FRAME {
            return Ok(NextFrame::Torn(all));
        }
        self.file.read_exact(&mut length)?;
        self.file.read_exact(&mut digest)?;
        self.left -= FRAME;
        let length = u64::from(u32::from_be_bytes(length));
        // A length of 0 is a part of the file that was never written.
        if length == 0 || length > self.left {
            return Ok(NextFrame::Torn(all));
        }
        let mut text = Vec::new();
        (&mut self.file).take(length).read_to_end(&mut text)?;
        self.left -= length;
        let read =
            str::from_utf8(&text).ok().filter(|text| Digest::of_text(text).0 == u64::from_be_bytes(digest));
        match read.and_then(|text| serde_json::from_str(text).ok()) {
            Some(value) => Ok(NextFrame::Frame(value)),
            None if self.left == 0 => Ok(NextFrame::Torn(all)),
            None => Err(io::Error::other("a batch within the file is damaged")),
        }
    }
}

/// Deletes the files that end before a place, which is that of the oldest backup. If no file contains the place, none is
/// deleted. Returns the number of deleted files.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be deleted.
pub(crate) fn prune(folder: &Path, oldest: BatchPlace) -> io::Result<usize> {
    let files = files_in(folder)?;
    let mut needed = None;
    for (n, path) in files.iter().enumerate() {
        let header = SegmentReader::open(path)?.header()?;
        if header.is_some_and(|it| it.writer == oldest.writer && it.after.sequence <= oldest.sequence) {
            needed = Some(n);
        }
    }
    let expired = files.iter().take(needed.unwrap_or(0));
    expired.map(fs::remove_file).try_fold(0, |count, removed| removed.map(|()| count + 1))
}

/// Deletes the oldest files until all have at most a number of bytes together. The last one is kept, because it is written
/// to. Returns the number of deleted files.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be deleted.
pub(crate) fn prune_to(folder: &Path, bytes: u64) -> io::Result<usize> {
    let (mut size, files) = (size_of(folder)?, files_in(folder)?);
    let mut count = 0;
    for path in files.iter().take(files.len().saturating_sub(1)) {
        if size <= bytes {
            break;
        }
        size -= fs::metadata(path)?.len();
        fs::remove_file(path)?;
        count += 1;
    }
    Ok(count)
}

//! Batches that lead from a backup to a moment. After a restore, numbers are given again by another writer; the chain
//! therefore is followed from its end to the backup.

use super::BatchPlace;
use super::segment::{NextFrame, SegmentReader, files_in};
use crate::store::{StoreError, batch_format};
use deepwell_core::base::GameTime;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Reason why no batches can be applied to a copy.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayed {
    /// The folder or a file in it cannot be read.
    #[error("{}: {source}", .path.display())]
    File {
        /// Folder or file.
        path: PathBuf,
        /// Error of the operating system, or damage.
        source: io::Error,
    },
    /// The copy does not tell which batches follow it.
    #[error("the copy was made while no batches were logged; restore it without --batches")]
    NotNumbered,
    /// The copy has an older schema.
    #[error(
        "the copy has {0}, and batches can be applied to this release's schema only; restore it without --batches"
    )]
    Older(String),
    /// The copy cannot be restored, or the result is not sound.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The copy is too new.
    #[error("the copy is of {}, which is after the wanted moment; restore an older one", .0.utc_to_second())]
    TooNew(GameTime),
    /// Batches are missing.
    #[error("batches are missing in {}: {before} is followed by {after}; restore a newer copy, or an earlier moment", .folder.display())]
    Gap {
        /// Folder.
        folder: PathBuf,
        /// Last batch before the gap.
        before: String,
        /// First batch after it.
        after: String,
    },
    /// The log of a cluster cannot be applied.
    #[error("{0}")]
    Log(String),
    /// The batches were written by another release.
    #[error("{}: its batches have the format of another release; restore with that one", .0.display())]
    Format(PathBuf),
}

/// A file of the log.
#[derive(Debug)]
struct Segment {
    path: PathBuf,
    format: String,
    writer: u64,
    after: BatchPlace,
    /// World times of its batches, in order.
    times: Vec<GameTime>,
    torn: u64,
}

impl Segment {
    fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut reader = SegmentReader::open(path)?;
        let Some(header) = reader.header()? else { return Ok(None) };
        let mut segment = Self {
            path: path.to_owned(),
            format: header.format,
            writer: header.writer,
            after: header.after,
            times: Vec::new(),
            torn: 0,
        };
        loop {
            match reader.record()? {
                NextFrame::Frame(record) if record.sequence == segment.last() + 1 => {
                    segment.times.push(record.at);
                }
                NextFrame::Frame(_) => return Err(io::Error::other("its batches are not in order")),
                NextFrame::End => return Ok(Some(segment)),
                NextFrame::Torn(bytes) => {
                    segment.torn = bytes;
                    return Ok(Some(segment));
                }
            }
        }
    }

    /// Number of the last batch.
    fn last(&self) -> u64 {
        self.after.sequence + self.times.len() as u64
    }

    /// Returns `true` if the batch is in the file.
    fn contains(&self, place: BatchPlace) -> bool {
        self.writer == place.writer && (self.after.sequence + 1..=self.last()).contains(&place.sequence)
    }

    fn time(&self, sequence: u64) -> GameTime {
        let index =
            sequence.checked_sub(self.after.sequence + 1).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.times.get(index)).copied().unwrap_or_default()
    }

    fn describe(&self, sequence: u64) -> String {
        format!("batch {sequence} of {}", self.time(sequence).utc_to_second())
    }
}

/// Batches to apply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct BatchChain {
    /// Files with the writer and the numbers of the batches to apply, in order.
    pub(crate) stretches: Vec<(PathBuf, u64, RangeInclusive<u64>)>,
    /// World time of the last batch to apply.
    pub(crate) until: Option<GameTime>,
    /// Files with an incomplete last batch, and the number of its bytes.
    pub(crate) torn: Vec<(PathBuf, u64)>,
}

impl BatchChain {
    /// Returns the number of batches.
    pub(crate) fn len(&self) -> u64 {
        self.stretches.iter().map(|(.., numbers)| numbers.end() + 1 - numbers.start()).sum()
    }
}

/// Returns the batches that lead from a copy, by the place and the time of its last batch, to a moment.
///
/// # Errors
/// [`NotReplayed`] if some are missing.
pub(crate) fn chain(
    folder: &Path,
    (copy, copied_at): (BatchPlace, GameTime),
    until: GameTime,
) -> Result<BatchChain, NotReplayed> {
    if copy.writer == 0 {
        return Err(NotReplayed::NotNumbered);
    }
    if copied_at > until {
        return Err(NotReplayed::TooNew(copied_at));
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| NotReplayed::File { path, source }
    };
    let mut segments = Vec::new();
    for path in files_in(folder).map_err(failed(folder))? {
        segments.extend(Segment::read(&path).map_err(failed(&path))?);
    }
    let mut chain = follow(folder, &segments, copy, until)?;
    chain.stretches.reverse();
    let last = chain.stretches.last().filter(|(.., numbers)| !numbers.is_empty());
    chain.until = last.and_then(|(path, _, numbers)| {
        segments.iter().find(|it| it.path == *path).map(|segment| segment.time(*numbers.end()))
    });
    let in_use = |path: &PathBuf| chain.stretches.iter().any(|(used, ..)| used == path);
    let torn = segments.iter().filter(|segment| segment.torn > 0 && in_use(&segment.path));
    chain.torn = torn.map(|segment| (segment.path.clone(), segment.torn)).collect();
    let format = batch_format();
    match segments.into_iter().find(|it| it.format != format && in_use(&it.path)) {
        Some(other) => Err(NotReplayed::Format(other.path)),
        None => Ok(chain),
    }
}

/// Returns `true` if the files of a folder have all batches between a copy and the last batch that they have, in the present
/// format: a restore of the copy then needs no newer one.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub(crate) fn leads_on(folder: &Path, copy: BatchPlace) -> io::Result<bool> {
    let files = files_in(folder)?;
    // Earlier files would be read in vain.
    let mut first = None;
    for (n, path) in files.iter().enumerate() {
        let header = SegmentReader::open(path)?.header()?;
        let is_around = |after: BatchPlace, writer: u64| {
            after == copy || (writer == copy.writer && after.sequence <= copy.sequence)
        };
        if header.is_some_and(|it| is_around(it.after, it.writer)) {
            first = Some(n);
        }
    }
    let mut segments = Vec::new();
    for path in files.get(first.unwrap_or(0)..).unwrap_or_default() {
        segments.extend(Segment::read(path)?);
    }
    let format = batch_format();
    let is_present = segments.iter().all(|segment| segment.format == format);
    Ok(copy.writer != 0 && is_present && follow(folder, &segments, copy, GameTime(i64::MAX)).is_ok())
}

/// Follows the chain from its end to the copy. Returns the stretches, the last one first.
fn follow(
    folder: &Path,
    segments: &[Segment],
    copy: BatchPlace,
    until: GameTime,
) -> Result<BatchChain, NotReplayed> {
    let mut chain = BatchChain::default();
    let gap = |before: String, after: String| NotReplayed::Gap { folder: folder.to_owned(), before, after };
    let copied = format!("batch {} in the copy", copy.sequence);
    let due = |segment: &Segment| segment.times.iter().take_while(|at| **at <= until).count() as u64;
    let Some((mut at, count)) =
        segments.iter().enumerate().rev().map(|(n, segment)| (n, due(segment))).find(|(_, count)| *count > 0)
    else {
        return Ok(chain);
    };
    let mut last = segments[at].after.sequence + count;
    if copy.writer == segments[at].writer && copy.sequence > last {
        // The copy is newer than all batches up to the moment, of which it lacks none.
        return if last < segments[at].last() {
            Ok(chain)
        } else {
            Err(gap(segments[at].describe(last), copied))
        };
    }
    for _ in segments {
        let segment = &segments[at];
        let first = segment.after.sequence + 1;
        let mut push = |from| chain.stretches.push((segment.path.clone(), segment.writer, from..=last));
        if segment.contains(copy) || segment.after == copy {
            push(copy.sequence + 1);
            return Ok(chain);
        }
        push(first);
        let before = segment.after;
        if before.writer == copy.writer && before.sequence < copy.sequence {
            break;
        }
        let Some(earlier) = segments.iter().rposition(|it| it.contains(before)) else {
            let known =
                segments.iter().rev().find(|it| it.writer == before.writer && it.last() < before.sequence);
            let known = known.map_or(copied, |it| it.describe(it.last()));
            return Err(gap(known, segment.describe(first)));
        };
        (at, last) = (earlier, before.sequence);
    }
    Err(gap(copied, segments[at].describe(segments[at].after.sequence + 1)))
}

//! Entries of the log, and the parts into which an entry is split when it is longer than a message of the engine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio_util::bytes::{BufMut as _, Bytes, BytesMut};

use crate::store::Batch;

/// Length of the header of a part: writer, index and number of parts, each in network byte order.
const HEADER_BYTES: usize = 16;
/// Maximum length of an entry. A longer one is not ours.
const ENTRY_BYTES_MAX: usize = 1 << 30;

/// Entry of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ClusterLogEntry {
    /// Random number of the leadership in which the entry was written.
    pub(super) writer: u64,
    /// Format of batches of the program; see [`batch_format`](crate::store::batch_format).
    pub(super) format: String,
    /// Content.
    pub(super) body: EntryContent,
}

/// Content of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum EntryContent {
    /// A host leads from here on. Because each entry names its place, no earlier leader can write after it.
    Lead(Lead),
    /// Changes of the world.
    Batch(Arc<Batch>),
}

/// A host that leads.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Lead {
    /// Name of the host.
    pub(super) host: String,
    /// Version of its program.
    pub(super) program: String,
    /// Digest of its content.
    pub(super) content: String,
    /// Name of the history of its world; empty in entries of programs before version 0.3.
    #[serde(default)]
    pub(super) history: String,
}

/// Message of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) struct LogMessagePart {
    pub(super) bytes: Bytes,
    /// Set if it has the mark of a program that writes parts. Programs before version 0.3 set none, and neither does
    /// another program that sends to the subject of the log by mistake.
    pub(super) is_marked: bool,
}

impl LogMessagePart {
    /// Creates a part with the mark.
    #[cfg(test)]
    pub(super) const fn marked(bytes: Bytes) -> Self {
        Self { bytes, is_marked: true }
    }
}

/// A part with the mark of a program that writes parts, which is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the log contains a damaged entry: stop all hosts, and start the one with the newest copy with --new-history"
)]
pub(super) struct Foreign;

impl ClusterLogEntry {
    /// Splits the entry into parts of at most `part_bytes`, header included.
    pub(super) fn split(&self, part_bytes: usize) -> serde_json::Result<Vec<Bytes>> {
        let body = serde_json::to_vec(self)?;
        let room = part_bytes.saturating_sub(HEADER_BYTES).max(1);
        let count = u32::try_from(body.len().div_ceil(room)).unwrap_or(u32::MAX);
        let parts = (0..count).zip(body.chunks(room)).map(|(index, chunk)| {
            let mut part = BytesMut::with_capacity(HEADER_BYTES + chunk.len());
            part.put_u64(self.writer);
            part.put_u32(index);
            part.put_u32(count);
            part.put_slice(chunk);
            part.freeze()
        });
        Ok(parts.collect())
    }
}

/// Returns the writer of a part.
pub(super) fn writer_of(part: &[u8]) -> Option<u64> {
    part.first_chunk().map(|bytes| u64::from_be_bytes(*bytes))
}

/// Parts of an entry that is not complete yet.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    writer: u64,
    next: u32,
    count: u32,
    body: Vec<u8>,
}

impl Assembly {
    /// Forgets the parts.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a part; returns the entry that it completes. Parts of an entry whose writer gave up are skipped, and so is a
    /// message without the mark that is no part. It cannot be between the parts of a complete entry, because each
    /// names its place.
    pub(super) fn take(&mut self, part: &LogMessagePart) -> Result<Option<ClusterLogEntry>, Foreign> {
        let taken = self.add(&part.bytes);
        if taken.is_err() && !part.is_marked {
            self.clear();
            tracing::warn!(
                bytes = part.bytes.len(),
                "ignored a message in the log of the cluster that no host has written"
            );
            return Ok(None);
        }
        taken
    }

    fn add(&mut self, part: &[u8]) -> Result<Option<ClusterLogEntry>, Foreign> {
        let (header, chunk) = part.split_at_checked(HEADER_BYTES).ok_or(Foreign)?;
        let number =
            |range| header.get(range).and_then(|bytes: &[u8]| bytes.try_into().ok()).map(u32::from_be_bytes);
        let writer = writer_of(header).ok_or(Foreign)?;
        let (index, count) = (number(8..12).ok_or(Foreign)?, number(12..16).ok_or(Foreign)?);
        if index >= count {
            return Err(Foreign);
        }
        if index == 0 {
            *self = Self { writer, next: 0, count, body: Vec::new() };
        }
        if (writer, index, count) != (self.writer, self.next, self.count) {
            self.clear();
            return Ok(None);
        }
        if self.body.len() + chunk.len() > ENTRY_BYTES_MAX {
            return Err(Foreign);
        }
        self.body.extend_from_slice(chunk);
        self.next += 1;
        if self.next < self.count {
            return Ok(None);
        }
        let body = std::mem::take(self).body;
        let text = str::from_utf8(&body).map_err(|_| Foreign)?;
        serde_json::from_str(text).map(Some).map_err(|_| Foreign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lead(host: String, writer: u64) -> ClusterLogEntry {
        ClusterLogEntry {
            writer,
            format: "1".to_owned(),
            body: EntryContent::Lead(Lead { host, ..Lead::default() }),
        }
    }

    proptest! {
        #[test]
        fn entry_survives_any_split(host in ".{0,200}", writer: u64, part_bytes in 17_usize..200) {
            let entry = lead(host, writer);
            let mut assembly = Assembly::default();
            let parts = entry.split(part_bytes).unwrap();
            let (last, first) = parts.split_last().unwrap();
            for part in first {
                prop_assert!(part.len() <= part_bytes);
                prop_assert_eq!(assembly.add(part), Ok(None));
            }
            prop_assert_eq!(assembly.add(last), Ok(Some(entry)));
        }

        #[test]
        fn a8_foreign_parts_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = Assembly::default().add(&bytes);
        }

        /// A8: messages without the mark, before and after an entry, change nothing.
        #[test]
        fn a8_unmarked_messages_are_ignored(
            before in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 0..4),
            is_marked: bool,
        ) {
            let (entry, mut assembly) = (lead("host".to_owned(), 7), Assembly::default());
            for bytes in before {
                let stray = LogMessagePart { bytes: bytes.into(), is_marked: false };
                prop_assert_eq!(assembly.take(&stray), Ok(None));
            }
            let mut found = None;
            for bytes in entry.split(60).unwrap() {
                found = assembly.take(&LogMessagePart { bytes, is_marked }).unwrap();
            }
            prop_assert_eq!(found, Some(entry));
        }
    }

    #[test]
    fn entry_that_was_given_up_is_skipped() {
        let (old, new) = (lead("a".repeat(100), 1), lead("b".repeat(100), 2));
        let (mut assembly, given_up) = (Assembly::default(), old.split(60).unwrap());
        assert_eq!(assembly.add(&given_up[0]), Ok(None));
        let mut found = None;
        for part in new.split(60).unwrap() {
            found = assembly.add(&part).unwrap();
        }
        assert_eq!(found, Some(new), "a complete entry counts");
        assert_eq!(assembly.add(&given_up[1]), Ok(None), "a late part of the old one does not");
    }
}

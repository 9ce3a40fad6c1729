//! Events that the web hook has not delivered. Those of a stopped server are kept in a file, and delivered at the next
//! start under their own ids.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::feed::{Feed, FeedReader, Published};
use crate::server::files::atomic_file::{remove_if_there, replace_file};

/// Events that wait for the receiver.
#[derive(Debug)]
pub(super) struct Pending {
    file: PathBuf,
    /// Events of earlier runs, oldest first.
    earlier: Mutex<VecDeque<Arc<Published>>>,
    /// Place in the feed from which events are not delivered.
    place: AtomicU64,
}

impl Pending {
    /// Reads the events that the last run kept, at most the newest `most`.
    pub(super) fn read(file: PathBuf, most: usize) -> Self {
        let read = std::fs::read(&file).and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
        let mut earlier: VecDeque<Arc<Published>> = read.unwrap_or_else(|error: io::Error| {
            if error.kind() != io::ErrorKind::NotFound {
                tracing::warn!(file = %file.display(), %error, "events for the web hook are lost");
            }
            VecDeque::new()
        });
        earlier.drain(..earlier.len().saturating_sub(most));
        Self { file, earlier: Mutex::new(earlier), place: AtomicU64::new(u64::MAX) }
    }

    /// Returns the number of events of earlier runs.
    pub(super) fn earlier_count(&self) -> u64 {
        self.earlier().len() as u64
    }

    /// Returns the oldest event of earlier runs.
    pub(super) fn first_earlier(&self) -> Option<Arc<Published>> {
        self.earlier().front().cloned()
    }

    /// Forgets the oldest event of earlier runs, and the file with the last one.
    pub(super) fn forget_first(&self) {
        let is_last = {
            let mut earlier = self.earlier();
            earlier.pop_front();
            earlier.is_empty()
        };
        if is_last {
            self.remove();
        }
    }

    /// Notes that a reader of the feed has handled all events before its place.
    pub(super) fn note(&self, reader: &FeedReader) {
        self.place.store(reader.place(), Ordering::Release);
    }

    /// Writes all events that are not delivered to the file.
    pub(super) fn keep(&self, feed: &Feed) {
        let earlier: Vec<_> = self.earlier().iter().cloned().collect();
        let events = [earlier, feed.since(self.place.load(Ordering::Acquire))].concat();
        if events.is_empty() {
            return self.remove();
        }
        let count = events.len();
        let written = serde_json::to_vec(&events).map_err(io::Error::from);
        match written.and_then(|bytes| replace_file(&self.file, 0o600, &bytes)) {
            Ok(()) => tracing::info!(count, "events for the web hook are kept for the next start"),
            Err(error) => tracing::warn!(count, %error, "events for the web hook are lost"),
        }
    }

    fn remove(&self) {
        if let Err(error) = remove_if_there(&self.file) {
            tracing::warn!(file = %self.file.display(), %error, "cannot remove delivered events");
        }
    }

    fn earlier(&self) -> MutexGuard<'_, VecDeque<Arc<Published>>> {
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::GameTime;
    use deepwell_game::PublicEvent;

    fn publish(feed: &Feed, text: &str) {
        feed.publish(&PublicEvent::News { text: text.into() }, GameTime(1));
    }

    fn texts(pending: &Pending) -> Vec<String> {
        let text = |event: &Arc<Published>| match &event.event {
            PublicEvent::News { text } => text.clone(),
            other => format!("{other:?}"),
        };
        pending.earlier().iter().map(text).collect()
    }

    /// Events that are not delivered at a stop are there at the next start, each once and in order.
    #[tokio::test]
    async fn every_undelivered_event_is_kept_over_stops() {
        for delivered in 0..=6 {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("webhook.json");
            let mut all = Vec::new();
            let mut left = delivered;
            for run in 0..3 {
                let (feed, pending) = (Arc::new(Feed::new(10)), Pending::read(file.clone(), 10));
                assert_eq!(texts(&pending), all, "{delivered} {run}");
                let mut reader = feed.reader();
                pending.note(&reader);
                for text in [format!("{run} a"), format!("{run} b")] {
                    publish(&feed, &text);
                    all.push(text);
                }
                while left > 0 && pending.first_earlier().is_some() {
                    pending.forget_first();
                    (left, _) = (left - 1, all.remove(0));
                }
                while left > 0 && reader.waiting() > 0 {
                    reader.next().await;
                    pending.note(&reader);
                    (left, _) = (left - 1, all.remove(0));
                }
                pending.keep(&feed);
                assert_eq!(file.exists(), !all.is_empty());
            }
        }
    }

    #[test]
    fn unreadable_file_and_too_many_events_are_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("webhook.json");
        std::fs::write(&file, "[{]").unwrap();
        assert_eq!(Pending::read(file.clone(), 10).earlier_count(), 0);
        let (feed, pending) = (Feed::new(10), Pending::read(file.clone(), 10));
        pending.place.store(0, Ordering::Release);
        for text in ["a", "b", "c"] {
            publish(&feed, text);
        }
        pending.keep(&feed);
        assert_eq!(texts(&Pending::read(file, 2)), ["b", "c"]);
    }
}

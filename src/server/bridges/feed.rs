//! The newest public events, in order and bounded. Each reader has its place in them; one that is too slow misses the
//! oldest, and is told how many.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use deepwell_core::base::GameTime;
use deepwell_game::PublicEvent;

/// Published event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Published {
    /// Unique name: the number of the feed, and the place of the event in it.
    pub(super) id: String,
    /// Game time in milliseconds since 1970.
    pub(super) at: i64,
    /// The event.
    #[serde(flatten)]
    pub(super) event: PublicEvent,
}

/// The newest events.
#[derive(Debug)]
pub(super) struct Feed {
    /// Random number, so that names of events are unique across starts.
    number: u32,
    most: usize,
    events: Mutex<VecDeque<Arc<Published>>>,
    /// Number of events published so far.
    published: watch::Sender<u64>,
}

/// Next event of a reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NextFeedEvent {
    /// The event.
    Event(Arc<Published>),
    /// Number of events that the reader was too slow for.
    Missed(u64),
}

/// Place in a feed.
#[derive(Debug)]
pub(super) struct FeedReader {
    feed: Arc<Feed>,
    /// Number of events that were published before the next one to read.
    place: u64,
    published: watch::Receiver<u64>,
}

impl Feed {
    /// Creates an empty feed that keeps at most `most` events.
    pub(super) fn new(most: usize) -> Self {
        // Without random numbers, names are unique within a run only.
        let number = SysRng.try_next_u32().unwrap_or(0);
        Self { number, most, events: Mutex::default(), published: watch::Sender::new(0) }
    }

    /// Adds an event.
    pub(super) fn publish(&self, event: &PublicEvent, at: GameTime) {
        if self.most == 0 {
            return;
        }
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() == self.most {
            events.pop_front();
        }
        let place = *self.published.borrow();
        events.push_back(Arc::new(Published { id: self.id(place), at: at.0, event: event.clone() }));
        self.published.send_replace(place + 1);
    }

    /// Returns a reader of future events.
    pub(super) fn reader(self: &Arc<Self>) -> FeedReader {
        let published = self.published.subscribe();
        let place = *published.borrow();
        FeedReader { feed: Arc::clone(self), place, published }
    }

    /// Returns a reader of the events after the one of this name. After one of another run of the server, all that are
    /// kept follow.
    pub(super) fn reader_after(self: &Arc<Self>, id: &str) -> FeedReader {
        let mut reader = self.reader();
        let (run, place) = id.split_once('-').unwrap_or_default();
        let known = place.parse::<u64>().ok().filter(|place| run == self.run() && *place < reader.place);
        reader.place = known.map_or_else(|| self.oldest(), |place| place + 1);
        reader
    }

    /// Returns the kept events from a place on.
    pub(super) fn since(&self, place: u64) -> Vec<Arc<Published>> {
        let oldest = self.oldest();
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = usize::try_from(place.saturating_sub(oldest)).unwrap_or(usize::MAX);
        events.iter().skip(gone).cloned().collect()
    }

    fn id(&self, place: u64) -> String {
        format!("{}-{place}", self.run())
    }

    fn run(&self) -> String {
        format!("{:08x}", self.number)
    }

    /// Returns the number of events before the oldest that is kept.
    fn oldest(&self) -> u64 {
        let kept = self.events.lock().unwrap_or_else(PoisonError::into_inner).len();
        self.published.borrow().saturating_sub(kept as u64)
    }
}

impl FeedReader {
    /// Waits for the next event. Cancel-safe.
    pub(super) async fn next(&mut self) -> NextFeedEvent {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.grown().await;
        }
    }

    /// Waits for another event, without reading it. Cancel-safe.
    pub(super) async fn grown(&mut self) {
        if self.published.changed().await.is_err() {
            // The reader owns the feed, so this cannot happen.
            std::future::pending::<()>().await;
        }
    }

    /// Continues after the newest event.
    pub(super) fn skip(&mut self) {
        self.place = *self.published.borrow();
    }

    /// Returns the number of events that were published before the next one to read.
    pub(super) const fn place(&self) -> u64 {
        self.place
    }

    /// Returns the number of events that wait.
    pub(super) fn waiting(&self) -> u64 {
        self.published.borrow().saturating_sub(self.place)
    }

    fn take(&mut self) -> Option<NextFeedEvent> {
        let events = self.feed.events.lock().unwrap_or_else(PoisonError::into_inner);
        let published = *self.published.borrow_and_update();
        let oldest = published.saturating_sub(events.len() as u64);
        if self.place < oldest {
            let missed = oldest - self.place;
            self.place = oldest;
            return Some(NextFeedEvent::Missed(missed));
        }
        let at = usize::try_from(self.place - oldest).ok()?;
        let event = Arc::clone(events.get(at)?);
        self.place += 1;
        Some(NextFeedEvent::Event(event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    fn news(text: &str) -> PublicEvent {
        PublicEvent::News { text: text.into() }
    }

    fn told(next: &NextFeedEvent) -> String {
        match next {
            NextFeedEvent::Event(event) => match &event.event {
                PublicEvent::News { text } => text.clone(),
                other => format!("{other:?}"),
            },
            NextFeedEvent::Missed(count) => format!("{count} missed"),
        }
    }

    /// Reads all that is there.
    fn read(reader: &mut FeedReader) -> Vec<String> {
        std::iter::from_fn(|| reader.next().now_or_never()).map(|next| told(&next)).collect()
    }

    #[test]
    fn slow_reader_misses_the_oldest_and_is_told_how_many() {
        let feed = Arc::new(Feed::new(3));
        let (mut fast, mut slow) = (feed.reader(), feed.reader());
        for text in ["a", "b"] {
            feed.publish(&news(text), GameTime(1));
        }
        assert_eq!(read(&mut fast), ["a", "b"]);
        for text in ["c", "d", "e"] {
            feed.publish(&news(text), GameTime(2));
        }
        assert_eq!(
            (slow.waiting(), read(&mut slow)),
            (5, ["2 missed", "c", "d", "e"].map(String::from).to_vec())
        );
        assert_eq!(read(&mut fast), ["c", "d", "e"]);
        assert_eq!((fast.waiting(), read(&mut feed.reader()).len()), (0, 0));
    }

    #[test]
    fn reader_continues_after_the_event_it_names() {
        let feed = Arc::new(Feed::new(3));
        let mut first = feed.reader();
        for text in ["a", "b", "c", "d"] {
            feed.publish(&news(text), GameTime(1));
        }
        first.take();
        let NextFeedEvent::Event(event) = first.take().unwrap() else { panic!("b is kept") };
        assert_eq!(read(&mut feed.reader_after(&event.id)), ["c", "d"]);
        for unknown in ["", "b", "ffffffff-1", &feed.id(4), &feed.id(99)] {
            assert_eq!(read(&mut feed.reader_after(unknown)), ["b", "c", "d"], "{unknown:?}");
        }
        assert_eq!(read(&mut feed.reader_after(&feed.id(0))), ["b", "c", "d"], "nothing between was lost");
        let shown = serde_json::to_value(&*event).unwrap();
        assert_eq!((&shown["at"], &shown["kind"], &shown["text"]), (&1.into(), &"news".into(), &"b".into()));
    }

    #[test]
    fn feed_without_readers_keeps_nothing() {
        let feed = Arc::new(Feed::new(0));
        feed.publish(&news("a"), GameTime(1));
        assert_eq!((feed.oldest(), *feed.published.borrow()), (0, 0));
    }
}

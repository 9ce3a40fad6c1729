//! Output queue of one client, filled by the driver and emptied by the connection's task. Bounded in bytes: a client
//! that does not read costs a fixed amount of memory and delays no other client.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::net::LinkQueue;
use crate::session::Delivery;
use deepwell_core::base::SessionId;

/// Output queue of one client.
#[derive(Debug)]
pub struct ClientOutbox {
    queue: Mutex<OutboxQueue>,
    reader: OutboxReader,
    limit: usize,
    abandoned: CancellationToken,
}

/// Task that takes the queue.
#[derive(Debug)]
enum OutboxReader {
    /// The task of the connection.
    Connection(Notify),
    /// The task that writes to the gateway of the connection.
    Link(SessionId, Arc<LinkQueue>),
}

#[derive(Debug, Default)]
struct OutboxQueue {
    waiting: Vec<Delivery>,
    bytes: usize,
    overflowed: bool,
}

/// Error: the client's queue has overflowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooSlow;

impl ClientOutbox {
    /// Creates an empty queue for about `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self::read_by(OutboxReader::Connection(Notify::new()), limit)
    }

    /// Creates an empty queue for about `limit` bytes, whose output is sent to the gateway of the session.
    pub fn of_link(session: SessionId, link: Arc<LinkQueue>, limit: usize) -> Self {
        Self::read_by(OutboxReader::Link(session, link), limit)
    }

    fn read_by(reader: OutboxReader, limit: usize) -> Self {
        Self { queue: Mutex::default(), reader, limit, abandoned: CancellationToken::new() }
    }

    /// Adds deliveries without waking the connection. A queue that exceeds its limit is emptied and marked as
    /// overflowed. Returns `true` if the connection should take the queue soon, because it is filled by a quarter.
    pub fn put(&self, deliveries: impl IntoIterator<Item = Delivery>) -> bool {
        let mut queue = self.lock();
        if queue.overflowed {
            return true;
        }
        for delivery in deliveries {
            queue.bytes += delivery.bytes();
            queue.waiting.push(delivery);
        }
        if queue.bytes > self.limit {
            *queue = OutboxQueue { overflowed: true, ..OutboxQueue::default() };
        }
        queue.overflowed || queue.bytes > self.limit / 4
    }

    /// Marks the connection as ended; the queue is no longer read.
    pub fn abandon(&self) {
        self.abandoned.cancel();
    }

    /// Waits until the connection has ended. Cancel-safe.
    pub async fn abandoned(&self) {
        self.abandoned.cancelled().await;
    }

    /// Empties the queue and marks it as overflowed, because the output has overflowed in the host.
    pub fn overflow(&self) {
        *self.lock() = OutboxQueue { overflowed: true, ..OutboxQueue::default() };
        self.wake();
    }

    /// Wakes the connection.
    pub fn wake(&self) {
        match &self.reader {
            OutboxReader::Connection(filled) => filled.notify_one(),
            OutboxReader::Link(session, link) => link.fill(*session),
        }
    }

    /// Wakes the connection if it has not taken everything.
    pub fn wake_if_filled(&self) {
        let is_filled = {
            let queue = self.lock();
            queue.overflowed || !queue.waiting.is_empty()
        };
        if is_filled {
            self.wake();
        }
    }

    /// Adds one delivery and wakes the connection.
    pub fn deliver(&self, delivery: Delivery) {
        self.put([delivery]);
        self.wake();
    }

    /// Waits until [`wake`](Self::wake) has been called since the last wait; forever for the queue of a link, which has
    /// its own [`LinkQueue::filled`]. Cancel-safe.
    pub async fn filled(&self) {
        match &self.reader {
            OutboxReader::Connection(filled) => filled.notified().await,
            OutboxReader::Link(..) => std::future::pending().await,
        }
    }

    /// Moves all queued deliveries to `into`, which should be empty; its memory is reused.
    pub fn take(&self, into: &mut Vec<Delivery>) -> Result<(), TooSlow> {
        let mut queue = self.lock();
        if queue.overflowed {
            return Err(TooSlow);
        }
        mem::swap(&mut queue.waiting, into);
        queue.bytes = 0;
        Ok(())
    }

    /// Returns `true` if the queue has overflowed.
    pub fn overflowed(&self) -> bool {
        self.lock().overflowed
    }

    fn lock(&self) -> MutexGuard<'_, OutboxQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::NameStatus;
    use deepwell_core::text::Markup;

    fn show(text: &str) -> Delivery {
        Delivery::Show(Arc::new(Markup::plain(text)))
    }

    #[test]
    fn deliveries_are_taken_in_order() {
        let outbox = ClientOutbox::new(10_000);
        outbox.put([show("a"), show("b")]);
        outbox.deliver(Delivery::NameLookedUp(NameStatus::Known));
        let mut out = Vec::new();
        outbox.take(&mut out).unwrap();
        assert_eq!(out, [show("a"), show("b"), Delivery::NameLookedUp(NameStatus::Known)]);
    }

    #[test]
    fn n4_overflowed_queue_is_emptied() {
        let outbox = ClientOutbox::new(1_000);
        let line = show(&"x".repeat(400));
        outbox.put([line.clone(), line.clone()]);
        assert!(!outbox.overflowed());
        outbox.put([line.clone()]);
        outbox.put([line]);
        assert!(outbox.overflowed());
        assert_eq!(outbox.take(&mut Vec::new()), Err(TooSlow));
        assert!(outbox.lock().waiting.is_empty());
    }

    #[test]
    fn n4_reading_client_receives_without_limit() {
        let outbox = ClientOutbox::new(1_000);
        let mut out = Vec::new();
        for _ in 0..100 {
            outbox.put([show(&"x".repeat(400))]);
            outbox.take(&mut out).unwrap();
            out.clear();
        }
    }
}

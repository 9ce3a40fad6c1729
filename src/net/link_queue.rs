//! Work for the task that writes to a gateway: sessions with output in their outbox, and requests that have been handled.

use std::collections::BTreeSet;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use deepwell_core::base::SessionId;

/// Queue of one link. Outboxes and receipts fill it, and the writer of the link empties it.
#[derive(Debug, Default)]
pub struct LinkQueue {
    waiting: Mutex<QueuedSessions>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct QueuedSessions {
    sessions: BTreeSet<SessionId>,
    handled: Vec<u64>,
    sealed: bool,
}

/// Receipt for a request of a gateway; the request counts as handled when its receipt is dropped.
#[derive(Debug)]
pub struct Receipt {
    number: u64,
    queue: Arc<LinkQueue>,
}

impl Receipt {
    /// Creates the receipt of a request with this number.
    pub const fn new(number: u64, queue: Arc<LinkQueue>) -> Self {
        Self { number, queue }
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        if !waiting.sealed {
            waiting.handled.push(self.number);
            drop(waiting);
            self.queue.filled.notify_one();
        }
    }
}

impl LinkQueue {
    /// Records that a session has output in its outbox, and wakes the writer.
    pub fn fill(&self, session: SessionId) {
        if self.lock().sessions.insert(session) {
            self.filled.notify_one();
        }
    }

    /// Waits until the queue has been filled since the last wait. Cancel-safe.
    pub async fn filled(&self) {
        self.filled.notified().await;
    }

    /// Takes the numbers of the requests handled since the last call.
    pub fn take_handled(&self) -> Vec<u64> {
        mem::take(&mut self.lock().handled)
    }

    /// Takes the sessions with output.
    pub fn take_sessions(&self) -> BTreeSet<SessionId> {
        mem::take(&mut self.lock().sessions)
    }

    /// Ends the record of handled requests: a request whose receipt is dropped later was not handled.
    pub fn seal(&self) {
        self.lock().sealed = true;
    }

    fn lock(&self) -> MutexGuard<'_, QueuedSessions> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_receipt_is_handled_until_the_queue_is_sealed() {
        let queue = Arc::new(LinkQueue::default());
        let receipts: Vec<_> = (1..=3).map(|number| Receipt::new(number, Arc::clone(&queue))).collect();
        let mut receipts = receipts.into_iter();
        drop(receipts.next());
        drop(receipts.next());
        queue.seal();
        drop(receipts);
        assert_eq!((queue.take_handled(), queue.take_handled()), (vec![1, 2], vec![]));
    }

    #[test]
    fn session_is_queued_once() {
        let queue = LinkQueue::default();
        for session in [7, 3, 7] {
            queue.fill(SessionId(session));
        }
        assert_eq!(queue.take_sessions(), BTreeSet::from([SessionId(3), SessionId(7)]));
        assert_eq!(queue.take_sessions(), BTreeSet::new());
    }
}

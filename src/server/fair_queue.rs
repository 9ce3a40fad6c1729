//! Fair queue for a limited number of slots. A waiting request is ranked by the number of requests its source already
//! has, so light sources overtake heavy ones. When the queue is full, the last request of the heaviest source is
//! evicted.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Slots with a bounded queue.
#[derive(Clone, Debug)]
pub(super) struct FairQueue(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: u32,
    waiting_most: usize,
    /// Waiting requests, in order of service.
    waiting: BTreeMap<Waiting, oneshot::Sender<Slot>>,
    /// Waiting and running requests per source.
    by_source: HashMap<IpAddr, u32>,
    next: u64,
}

/// Position of a waiting request, ordered by the number of earlier requests from its source, then by arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Waiting {
    rank: u32,
    number: u64,
    source: IpAddr,
}

/// Error if the queue is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Full;

/// A slot, freed on drop. The work must own it, since it may outlive the caller.
#[derive(Debug)]
pub(super) struct Slot {
    queue: FairQueue,
    source: IpAddr,
}

impl FairQueue {
    /// Creates a queue with `slots` slots and at most `waiting_most` waiting requests.
    pub(super) fn new(slots: u32, waiting_most: u32) -> Self {
        let waiting_most = usize::try_from(waiting_most).unwrap_or(usize::MAX);
        let state =
            State { free: slots, waiting_most, waiting: BTreeMap::new(), by_source: HashMap::new(), next: 0 };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Waits for a slot. Cancel-safe: dropping the future leaves the queue.
    ///
    /// # Errors
    /// [`Full`], immediately or when the request is evicted in favour of a source with fewer requests.
    pub(super) async fn slot(&self, source: IpAddr) -> Result<Slot, Full> {
        let (place, ready) = match self.enter(source)? {
            Ok(slot) => return Ok(slot),
            Err(waiting) => waiting,
        };
        let leave = Leave { queue: self, place };
        let slot = ready.await;
        std::mem::forget(leave);
        slot.map_err(|_| Full)
    }

    /// Returns a slot if one is free, else a place in the queue.
    fn enter(&self, source: IpAddr) -> Result<Result<Slot, (Waiting, oneshot::Receiver<Slot>)>, Full> {
        let mut state = self.lock();
        let of_source = state.by_source.get(&source).copied().unwrap_or(0);
        if state.free > 0 {
            state.free -= 1;
            *state.by_source.entry(source).or_default() += 1;
            return Ok(Ok(Slot { queue: self.clone(), source }));
        }
        let place = Waiting { rank: of_source, number: state.next, source };
        if state.waiting.len() >= state.waiting_most {
            let (last, _) = state.waiting.last_key_value().ok_or(Full)?;
            let last = *last;
            if last.rank <= place.rank {
                return Err(Full);
            }
            state.waiting.remove(&last);
            state.release(last.source);
        }
        state.next += 1;
        *state.by_source.entry(source).or_default() += 1;
        let (sender, ready) = oneshot::channel();
        state.waiting.insert(place, sender);
        Ok(Err((place, ready)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Decrements the count of a source and removes it at zero.
    fn release(&mut self, source: IpAddr) {
        if let Some(count) = self.by_source.get_mut(&source) {
            *count -= 1;
            if *count == 0 {
                self.by_source.remove(&source);
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.release(self.source);
        let Some((place, ready)) = state.waiting.pop_first() else {
            state.free += 1;
            return;
        };
        drop(state);
        // If that request was cancelled, the returned slot is dropped here and passed on to the next.
        drop(ready.send(Slot { queue: self.queue.clone(), source: place.source }));
    }
}

/// Leaves the queue on drop.
struct Leave<'a> {
    queue: &'a FairQueue,
    place: Waiting,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        // If the place is missing, the request was served or evicted, and has been counted there.
        if state.waiting.remove(&self.place).is_some() {
            state.release(self.place.source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::task::Poll;

    fn source(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    type Asking<'a> = std::pin::Pin<Box<dyn Future<Output = Result<Slot, Full>> + 'a>>;

    /// Requests a slot and polls once.
    async fn ask(queue: &FairQueue, from: u8) -> (Asking<'_>, Poll<Result<Slot, Full>>) {
        let mut asked: Asking<'_> = Box::pin(queue.slot(source(from)));
        let now = std::future::poll_fn(|context| Poll::Ready(asked.as_mut().poll(context))).await;
        (asked, now)
    }

    #[tokio::test]
    async fn light_sources_are_served_before_heavy_ones() {
        let queue = FairQueue::new(1, 8);
        let first = queue.slot(source(1)).await.unwrap();
        let (often_1, _) = ask(&queue, 1).await;
        let (often_2, _) = ask(&queue, 1).await;
        let (seldom, _) = ask(&queue, 2).await;
        drop(first);
        let slot = seldom.await.unwrap();
        drop(slot);
        drop(often_1.await.unwrap());
        drop(often_2.await.unwrap());
        assert!(queue.lock().by_source.is_empty() && queue.lock().free == 1);
    }

    #[tokio::test]
    async fn full_queue_evicts_heavy_source_for_light_one() {
        let queue = FairQueue::new(1, 2);
        let first = queue.slot(source(1)).await.unwrap();
        let (stays, _) = ask(&queue, 1).await;
        let (goes, _) = ask(&queue, 1).await;
        assert!(
            matches!(ask(&queue, 1).await.1, Poll::Ready(Err(Full))),
            "its own source is the most frequent"
        );
        let (seldom, now) = ask(&queue, 2).await;
        assert!(now.is_pending());
        assert_eq!(goes.await.err(), Some(Full));
        drop(first);
        drop(seldom.await.unwrap());
        drop(stays.await.unwrap());
        assert!(queue.lock().by_source.is_empty());
    }

    #[tokio::test]
    async fn cancelled_request_leaves_the_queue() {
        let queue = FairQueue::new(1, 2);
        let first = queue.slot(source(1)).await.unwrap();
        for _ in 0..100 {
            let (gone, now) = ask(&queue, 2).await;
            assert!(now.is_pending());
            drop(gone);
        }
        assert!(queue.lock().waiting.is_empty());
        drop(first);
        assert!(queue.slot(source(3)).await.is_ok());
        assert!(queue.lock().by_source.is_empty());
    }
}

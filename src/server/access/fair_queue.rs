//! Fair queue for a limited number of slots. Sources take turns, so that light sources overtake heavy ones; requests of
//! one source are served in order of arrival. The networks of a provider, and the sources of a network, share turns, and
//! known sources are served before strangers. When the queue is full, the last request of the heaviest stranger is evicted.
//! A waiting request is told its number in the queue.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::net::admission::{network, provider};

/// Shortest time between two numbers told to a waiting request.
const TELL_EVERY: Duration = Duration::from_secs(3);

/// Slots with a bounded queue.
#[derive(Clone, Debug)]
pub(in crate::server) struct FairQueue(Arc<Mutex<FairQueueState>>);

#[derive(Debug)]
struct FairQueueState {
    free: u32,
    waiting_most: usize,
    /// Waiting requests, in order of service.
    waiting: BTreeMap<WaitingRequest, oneshot::Sender<QueueSlot>>,
    /// Sources, networks and providers with waiting or running requests.
    groups: HashMap<SourceGroup, Turns>,
    /// Turn of the request served last; never falls.
    turn: u64,
    next: u64,
}

/// A source with its network and its provider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SourceGroup {
    Source(IpAddr),
    Network(IpAddr),
    Provider(IpAddr),
}

impl SourceGroup {
    /// Returns the groups of a source, each with the share of a turn that a request takes. In one turn of a source,
    /// its network serves four sources, and its provider sixteen.
    fn of(source: IpAddr) -> [(Self, u64); 3] {
        [
            (Self::Source(source), 16),
            (Self::Network(network(source)), 4),
            (Self::Provider(provider(source)), 1),
        ]
    }
}

/// Requests of one group.
#[derive(Clone, Copy, Default, Debug)]
struct Turns {
    /// Number of waiting and running requests.
    requests: u32,
    /// First moment at which the group has a turn left.
    next: u64,
}

/// Position of a waiting request: known sources first, then in order of turns, then of arrival. A group with earlier
/// requests has its next turn after them, one without has it now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct WaitingRequest {
    rank: Rank,
    turn: u64,
    number: u64,
    source: IpAddr,
}

/// Rank of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::server) enum Rank {
    /// The owner of the account has logged in from this source before.
    Known,
    /// Any other source.
    Stranger,
}

/// Error if the queue is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct Full;

/// A slot, freed on drop. The work must own it, since it may outlive the caller.
#[derive(Debug)]
pub(in crate::server) struct QueueSlot {
    queue: FairQueue,
    source: IpAddr,
}

/// A request after it has entered.
enum Entered {
    /// A slot was free.
    Served(QueueSlot),
    /// The request waits at this place, with this number.
    Waits(WaitingRequest, u32, oneshot::Receiver<QueueSlot>),
}

impl FairQueue {
    /// Creates a queue with `slots` slots and at most `waiting_most` waiting requests.
    pub(in crate::server) fn new(slots: u32, waiting_most: u32) -> Self {
        let waiting_most = usize::try_from(waiting_most).unwrap_or(usize::MAX);
        let state = FairQueueState {
            free: slots,
            waiting_most,
            waiting: BTreeMap::new(),
            groups: HashMap::new(),
            turn: 0,
            next: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Waits for a slot. A request that has to wait is told its number, beginning with 1 for the request that is served
    /// next: at once, and every [`TELL_EVERY`] if the number has changed. Cancel-safe: dropping the future leaves the
    /// queue.
    ///
    /// # Errors
    /// [`Full`], immediately or when the request is evicted in favour of a source with fewer requests.
    pub(in crate::server) async fn slot(
        &self,
        source: IpAddr,
        rank: Rank,
        tell: impl Fn(u32),
    ) -> Result<QueueSlot, Full> {
        let (place, mut notice, mut ready) = match self.enter(source, rank)? {
            Entered::Served(slot) => return Ok(slot),
            Entered::Waits(place, number, ready) => (place, number, ready),
        };
        let leave = Leave { queue: self, place };
        tell(notice);
        let slot = loop {
            if let Ok(slot) = timeout(TELL_EVERY, &mut ready).await {
                break slot;
            }
            // A request that has just been served or evicted has no number.
            if let Some(number) = self.lock().number(&place).filter(|number| *number != notice) {
                tell(number);
                notice = number;
            }
        };
        std::mem::forget(leave);
        slot.map_err(|_| Full)
    }

    /// Returns the number of waiting requests.
    pub(in crate::server) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Returns a slot if one is free, else a place in the queue.
    fn enter(&self, source: IpAddr, rank: Rank) -> Result<Entered, Full> {
        let mut state = self.lock();
        let groups = SourceGroup::of(source);
        let next = |(group, _): &(SourceGroup, u64)| state.groups.get(group).map_or(0, |turns| turns.next);
        let turn = groups.iter().map(next).fold(state.turn, u64::max);
        let place = WaitingRequest { rank, turn, number: state.next, source };
        let waits = state.free == 0;
        if waits && state.waiting.len() >= state.waiting_most {
            let (last, _) = state.waiting.last_key_value().ok_or(Full)?;
            let last = *last;
            if (last.rank, last.turn) <= (place.rank, place.turn) {
                return Err(Full);
            }
            state.withdraw(&last);
        }
        state.next += 1;
        let now = state.turn;
        for (group, part) in groups {
            let turns = state.groups.entry(group).or_default();
            turns.requests += 1;
            // Only the source itself waits for a turn that its network or provider has delayed.
            let since = if matches!(group, SourceGroup::Source(_)) { turn } else { now };
            turns.next = turns.next.max(since) + part;
        }
        if !waits {
            state.free -= 1;
            return Ok(Entered::Served(QueueSlot { queue: self.clone(), source }));
        }
        let (sender, ready) = oneshot::channel();
        state.waiting.insert(place, sender);
        let number = state.number(&place).unwrap_or_default();
        Ok(Entered::Waits(place, number, ready))
    }

    fn lock(&self) -> MutexGuard<'_, FairQueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FairQueueState {
    /// Returns the number of a waiting request, 1 for the next to be served. Counts the requests before it: at most
    /// `waiting_most`, some microseconds for a thousand.
    fn number(&self, place: &WaitingRequest) -> Option<u32> {
        self.waiting.contains_key(place).then(|| {
            let number = self.waiting.range(..=*place).count();
            u32::try_from(number).unwrap_or(u32::MAX)
        })
    }

    /// Removes a request that has not been served, and gives its turn back to its groups. Does nothing for a request that
    /// has been served or removed.
    fn withdraw(&mut self, place: &WaitingRequest) {
        if self.waiting.remove(place).is_none() {
            return;
        }
        for (group, part) in SourceGroup::of(place.source) {
            if let Some(turns) = self.groups.get_mut(&group)
                && (!matches!(group, SourceGroup::Source(_)) || turns.next == place.turn + part)
            {
                turns.next -= part;
            }
        }
        self.release(place.source);
    }

    /// Decrements the counts of the groups of a source and removes those at zero.
    fn release(&mut self, source: IpAddr) {
        for (group, _) in SourceGroup::of(source) {
            if let Some(turns) = self.groups.get_mut(&group) {
                turns.requests -= 1;
                if turns.requests == 0 {
                    self.groups.remove(&group);
                }
            }
        }
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.release(self.source);
        let Some((place, ready)) = state.waiting.pop_first() else {
            state.free += 1;
            return;
        };
        state.turn = state.turn.max(place.turn);
        drop(state);
        // If that request was cancelled, the returned slot is dropped here and passed on to the next.
        drop(ready.send(QueueSlot { queue: self.queue.clone(), source: place.source }));
    }
}

/// Leaves the queue on drop.
struct Leave<'a> {
    queue: &'a FairQueue,
    place: WaitingRequest,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.queue.lock().withdraw(&self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::net::Ipv4Addr;
    use std::rc::Rc;
    use std::task::Poll;
    use tokio::task::LocalSet;
    use tokio::time::{Instant, sleep};

    fn source(last: u8) -> IpAddr {
        Ipv4Addr::new(192, last, 2, 1).into()
    }

    type Asking<'a> = std::pin::Pin<Box<dyn Future<Output = Result<QueueSlot, Full>> + 'a>>;

    /// Requests a slot and polls once.
    async fn ask(queue: &FairQueue, from: u8) -> (Asking<'_>, Poll<Result<QueueSlot, Full>>) {
        let mut asked: Asking<'_> = Box::pin(queue.slot(source(from), Rank::Stranger, |_| {}));
        let now = std::future::poll_fn(|context| Poll::Ready(asked.as_mut().poll(context))).await;
        (asked, now)
    }

    #[tokio::test]
    async fn light_sources_are_served_before_heavy_ones() {
        let queue = FairQueue::new(1, 8);
        let first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let (often_1, _) = ask(&queue, 1).await;
        let (often_2, _) = ask(&queue, 1).await;
        let (seldom, _) = ask(&queue, 2).await;
        drop(first);
        let slot = seldom.await.unwrap();
        drop(slot);
        drop(often_1.await.unwrap());
        drop(often_2.await.unwrap());
        assert!(queue.lock().groups.is_empty() && queue.lock().free == 1);
    }

    #[tokio::test]
    async fn full_queue_evicts_heavy_source_for_light_one() {
        let queue = FairQueue::new(1, 2);
        let first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
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
        assert!(queue.lock().groups.is_empty());
    }

    /// Returns the position in which a request is served that comes after a hundred others.
    async fn position_behind(others: &[IpAddr], from: IpAddr, rank: Rank) -> u32 {
        let queue = FairQueue::new(1, 400);
        let _first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let asked: Vec<_> = others
            .iter()
            .map(|other| queue.enter(*other, Rank::Stranger).unwrap_or_else(|_| panic!()))
            .collect();
        let Ok(Entered::Waits(_, number, _)) = queue.enter(from, rank) else { panic!("a place") };
        drop(asked);
        number
    }

    #[tokio::test]
    async fn networks_and_providers_share_turns_and_known_sources_come_first() {
        let honest = IpAddr::from([203, 0, 113, 1]);
        let of_network: Vec<_> = (0..200).map(|n| IpAddr::from([198, 51, 100, n])).collect();
        let of_provider: Vec<_> = (0..200).map(|n| IpAddr::from([198, 51, n, 1])).collect();
        let of_many: Vec<_> = (0..200).map(|n| IpAddr::from([30, n, 0, 1])).collect();
        for (others, most) in [(&of_network, 2), (&of_provider, 2), (&of_many, 201)] {
            let strange = position_behind(others, honest, Rank::Stranger).await;
            assert!(strange <= most, "{others:?}: {strange}");
            assert_eq!(position_behind(others, honest, Rank::Known).await, 1);
        }
        let neighbour = IpAddr::from([198, 51, 100, 250]);
        assert_eq!(position_behind(&of_network, neighbour, Rank::Stranger).await, 201, "in order of arrival");
    }

    #[tokio::test]
    async fn known_source_evicts_a_stranger_and_never_the_reverse() {
        let queue = FairQueue::new(1, 2);
        let _first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let ranks = [Rank::Known, Rank::Stranger, Rank::Known, Rank::Stranger, Rank::Known];
        let mut entered = Vec::new();
        for (n, rank) in ranks.into_iter().enumerate() {
            entered.push(queue.enter(source(u8::try_from(10 + n).unwrap()), rank));
        }
        let refused: Vec<bool> = entered.iter().map(Result::is_err).collect();
        assert_eq!(refused, [false, false, false, true, true]);
        let Ok(Entered::Waits(_, _, evicted)) = &mut entered[1] else { panic!("it waited") };
        assert!(evicted.try_recv().is_err());
    }

    #[tokio::test]
    async fn cancelled_request_leaves_the_queue() {
        let queue = FairQueue::new(1, 2);
        let first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        for _ in 0..100 {
            let (gone, now) = ask(&queue, 2).await;
            assert!(now.is_pending());
            drop(gone);
        }
        assert!(queue.lock().waiting.is_empty());
        drop(first);
        assert!(queue.slot(source(3), Rank::Stranger, |_| {}).await.is_ok());
        assert!(queue.lock().groups.is_empty());
    }

    /// Enters the queue and records the numbers told.
    async fn ask_for_numbers(queue: &FairQueue, from: u8) -> (Asking<'_>, Rc<RefCell<Vec<u32>>>) {
        let numbers = Rc::new(RefCell::new(Vec::new()));
        let records = Rc::clone(&numbers);
        let mut asked: Asking<'_> = Box::pin(
            queue.slot(source(from), Rank::Stranger, move |number| records.borrow_mut().push(number)),
        );
        let now = std::future::poll_fn(|context| Poll::Ready(asked.as_mut().poll(context))).await;
        assert!(now.is_pending());
        (asked, numbers)
    }

    #[tokio::test(start_paused = true)]
    async fn later_requests_of_a_source_never_overtake_earlier_ones() {
        let queue = FairQueue::new(1, 8);
        let first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let (second, _) = ask_for_numbers(&queue, 1).await;
        let (third, numbers) = ask_for_numbers(&queue, 1).await;
        drop(first);
        let second = second.await.unwrap();
        // Fewer requests of the source are left than when the third one entered.
        let (_fourth, of_fourth) = ask_for_numbers(&queue, 1).await;
        assert_eq!((numbers.take(), of_fourth.take()), (vec![2], vec![2]));
        drop(second);
        third.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn number_is_told_on_entry_and_only_after_a_change() {
        let queue = FairQueue::new(1, 8);
        let first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let (mut heavy, numbers) = ask_for_numbers(&queue, 1).await;
        assert_eq!(*numbers.borrow(), [1]);
        let a_while = Duration::from_secs(10);
        assert!(timeout(a_while, &mut heavy).await.is_err());
        assert_eq!(*numbers.borrow(), [1], "the number is the same");
        let (light, of_light) = ask_for_numbers(&queue, 2).await;
        assert_eq!(of_light.take(), [1], "a light source overtakes");
        assert!(timeout(a_while, &mut heavy).await.is_err());
        assert_eq!(*numbers.borrow(), [1, 2], "one notice for one change");
        drop(light);
        assert!(timeout(a_while, &mut heavy).await.is_err());
        assert_eq!(numbers.take(), [1, 2, 1], "the other request has left");
        drop(first);
        heavy.await.unwrap();
        assert_eq!(queue.lock().groups.len(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn many_changes_within_the_interval_are_told_once() {
        let queue = FairQueue::new(1, 200);
        let _first = queue.slot(source(1), Rank::Stranger, |_| {}).await.unwrap();
        let mut before = Vec::new();
        for from in 2..102 {
            before.push(ask_for_numbers(&queue, from).await.0);
        }
        let (mut last, numbers) = ask_for_numbers(&queue, 200).await;
        for request in before.drain(10..) {
            drop(request);
            assert!(timeout(Duration::from_millis(20), &mut last).await.is_err());
        }
        assert!(timeout(Duration::from_secs(4), &mut last).await.is_err());
        assert_eq!(numbers.take(), [101, 11]);
    }

    /// Three hundred sources ask at once, while two others have filled the queue.
    #[tokio::test(start_paused = true)]
    async fn storm_of_light_sources_is_served_completely_and_numbers_fall() {
        // Never ends at the moment when a number is told.
        const HASH: Duration = Duration::from_millis(101);
        let queue = FairQueue::new(1, 400);
        let tasks = LocalSet::new();
        for nth in 0..500_u32 {
            let queue = queue.clone();
            tasks.spawn_local(async move {
                let from = source(u8::try_from(nth % 2).unwrap());
                if let Ok(_slot) = queue.slot(from, Rank::Stranger, |_| {}).await {
                    sleep(HASH).await;
                }
            });
        }
        let served = Rc::new(RefCell::new(0));
        for nth in 0..300_u16 {
            let (queue, served) = (queue.clone(), Rc::clone(&served));
            tasks.spawn_local(async move {
                let [net, last] = nth.to_be_bytes();
                let from = IpAddr::from([51 + net, last, 0, 1]);
                let (numbers, entered) = (RefCell::new(Vec::new()), Instant::now());
                let slot = queue.slot(from, Rank::Stranger, |number| numbers.borrow_mut().push(number)).await;
                assert!(slot.is_ok(), "source {nth} was refused");
                let waited = entered.elapsed();
                let numbers = numbers.take();
                // The two heavy sources have one turn each in the round of the others.
                assert!(numbers[0] <= u32::from(nth) + 2, "{nth}: {numbers:?}");
                assert!(numbers.is_sorted_by(|before, after| before > after), "{nth}: {numbers:?}");
                let notices = u128::try_from(numbers.len()).unwrap();
                assert_eq!(notices, 1 + waited.as_millis().saturating_sub(1) / TELL_EVERY.as_millis());
                sleep(HASH).await;
                *served.borrow_mut() += 1;
            });
        }
        tasks.await;
        assert_eq!(*served.borrow(), 300);
        assert!(queue.lock().groups.is_empty() && queue.lock().free == 1);
    }
}

//! Who may connect: counts of connections in all, of those that have not logged in, and of those from one address.
//! Each admitted connection holds a [`Pass`] that gives its places back when it is dropped. Where there is no place, one
//! that has stood at the gate for a while without a word gives way, first of the network that has most of them; and at
//! once, if its network has more of them than the newcomer's. A word is a whole line or an answer to a question of the
//! protocol, and counts for a minute: a byte now and then keeps no place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::base::address::household;
use crate::base::limits::Limits;

/// Counts connections against the limits.
#[derive(Debug)]
pub struct Admission {
    limits: Limits,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    connections: u32,
    before_login: u32,
    compressed: u32,
    by_source: HashMap<IpAddr, u32>,
    /// Those that have not logged in, in the order of their coming.
    guests: BTreeMap<u64, Guest>,
    next_guest: u64,
}

/// A connection that has not logged in.
#[derive(Debug)]
struct Guest {
    source: Option<IpAddr>,
    came: Instant,
    /// When its last word came.
    spoke: Option<Instant>,
    /// Tells it that it has given way.
    displaced: CancellationToken,
}

/// How long a newcomer may be silent before it can be made to give way.
const GRACE: Duration = Duration::from_secs(3);
/// How long a word keeps the place: longer than it takes to think of a name and a password.
const WORD: Duration = Duration::from_mins(1);

/// Why a connection is turned away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// No more connections.
    Full,
    /// Too many that have not logged in.
    TooManyBeforeLogin,
    /// Too many from the same address.
    TooManyFromAddress,
}

impl Refused {
    /// A line for the caller.
    pub const fn line(self) -> &'static str {
        match self {
            Self::Full => "Every place in the well is taken. Please come back in a few minutes.\r\n",
            Self::TooManyBeforeLogin => {
                "Too many people stand at the gate at once. Please try again in a minute.\r\n"
            }
            Self::TooManyFromAddress => {
                "Too many connections from your address wait for a name. Log in on those or close them, \
                 then try again.\r\n"
            }
        }
    }
}

impl Admission {
    /// Nobody is there yet.
    pub fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self { limits: limits.clone(), counts: Mutex::default() })
    }

    /// Takes a place, if there is one.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Pass, Refused> {
        let mut pass = self.take_place(counted(address))?;
        pass.count_for(address)?;
        Ok(pass)
    }

    /// Takes a place for somebody of whom it is not known yet where they call from: see [`Pass::count_for`].
    pub fn admit_unknown(self: &Arc<Self>) -> Result<Pass, Refused> {
        self.take_place(None)
    }

    fn take_place(self: &Arc<Self>, newcomer: Option<IpAddr>) -> Result<Pass, Refused> {
        let mut counts = self.lock();
        let waiting = newcomer.and_then(|source| counts.by_source.get(&source).copied()).unwrap_or(0);
        // Nobody gives way to one who is turned away.
        let has_too_many = waiting >= self.limits.connections_per_address;
        if counts.connections >= self.limits.connections && (has_too_many || !counts.displace(newcomer)) {
            return Err(Refused::Full);
        }
        if has_too_many {
            return Err(Refused::TooManyFromAddress);
        }
        if counts.before_login >= self.limits.connections_before_login && !counts.displace(newcomer) {
            return Err(Refused::TooManyBeforeLogin);
        }
        counts.connections += 1;
        counts.before_login += 1;
        let (number, displaced) = (counts.next_guest, CancellationToken::new());
        counts.next_guest += 1;
        let guest = Guest { source: None, came: Instant::now(), spoke: None, displaced: displaced.clone() };
        counts.guests.insert(number, guest);
        let admission = Arc::clone(self);
        Ok(Pass { admission, number, displaced, source: None, before_login: true, compressed: false })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guest {
    /// Whether it has said nothing, or nothing lately.
    fn is_silent(&self) -> bool {
        self.spoke.is_none_or(|at| at.elapsed() >= WORD)
    }
}

impl Counts {
    /// Takes the places of one that is silent at the gate: of the network that has most of those, the one that came first.
    /// One that has just come is only taken from a network that has more of them than the newcomer's would. False if there
    /// is none.
    fn displace(&mut self, newcomer: Option<IpAddr>) -> bool {
        let mut crowds: HashMap<IpAddr, u32> = HashMap::new();
        for guest in self.guests.values().filter(|guest| guest.is_silent()) {
            // This machine's own stand for many people, and are no crowd.
            if let Some(source) = guest.source {
                *crowds.entry(network(source)).or_default() += 1;
            }
        }
        let of = |source: IpAddr| crowds.get(&network(source)).copied().unwrap_or(0);
        let crowd = |guest: &Guest| guest.source.map_or(1, of);
        let own = newcomer.map_or(u32::MAX, |source| of(source) + 1);
        let gives_way =
            |guest: &Guest| guest.is_silent() && (guest.came.elapsed() >= GRACE || crowd(guest) > own);
        let candidates = self.guests.iter().filter(|(_, guest)| gives_way(guest));
        let chosen = candidates.max_by_key(|(number, guest)| (crowd(guest), Reverse(**number)));
        let Some((number, source)) = chosen.map(|(number, guest)| (*number, guest.source)) else {
            return false;
        };
        if let Some(guest) = self.guests.remove(&number) {
            guest.displaced.cancel();
        }
        self.connections -= 1;
        self.leave_gate(source);
        true
    }

    /// One less that has not logged in.
    fn leave_gate(&mut self, source: Option<IpAddr>) {
        self.before_login -= 1;
        if let Some(source) = source
            && let Some(waiting) = self.by_source.get_mut(&source)
        {
            *waiting -= 1;
            if *waiting == 0 {
                self.by_source.remove(&source);
            }
        }
    }
}

/// The network that an address belongs to, as providers hand them out: /24, or /48 of IPv6.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & (u32::MAX << 8))),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 80))),
    }
}

/// The address by which a caller is known, which stands for the household.
pub fn source(address: IpAddr) -> IpAddr {
    household(address).addr()
}

/// By what a caller is counted; none for this machine's own, who may be a proxy for many people.
fn counted(address: IpAddr) -> Option<IpAddr> {
    Some(source(address)).filter(|source| !source.is_loopback())
}

/// The places that one connection takes up.
#[derive(Debug)]
pub struct Pass {
    admission: Arc<Admission>,
    /// Which guest it is as long as it has not logged in.
    number: u64,
    displaced: CancellationToken,
    source: Option<IpAddr>,
    before_login: bool,
    compressed: bool,
}

impl Pass {
    /// Counts the connection for its address, once that is known.
    pub fn count_for(&mut self, address: IpAddr) -> Result<(), Refused> {
        let (Some(source), None, true) = (counted(address), self.source, self.before_login) else {
            return Ok(());
        };
        let mut counts = self.admission.lock();
        let counts = &mut *counts;
        // One that has given way has no places that could be counted.
        let guest = counts.guests.get_mut(&self.number).ok_or(Refused::TooManyBeforeLogin)?;
        let waiting = counts.by_source.entry(source).or_default();
        if *waiting >= self.admission.limits.connections_per_address {
            return Err(Refused::TooManyFromAddress);
        }
        *waiting += 1;
        guest.source = Some(source);
        self.source = Some(source);
        Ok(())
    }

    /// Cancelled when it has given way to another: its places are gone, and it must end.
    pub const fn displaced(&self) -> &CancellationToken {
        &self.displaced
    }

    /// Whether it may have to give way to another, or has already.
    pub fn may_give_way(&self) -> bool {
        self.before_login || self.displaced.is_cancelled()
    }

    /// The client has said a word, and gives way to nobody for a while; false if it has done so already.
    #[must_use]
    pub fn speak(&mut self) -> bool {
        if self.before_login
            && let Some(guest) = self.admission.lock().guests.get_mut(&self.number)
        {
            guest.spoke = Some(Instant::now());
        }
        !self.displaced.is_cancelled()
    }

    /// Takes one of the places for compressed connections; false if there is none. Given back by
    /// [`Pass::decompress`] and with the pass.
    #[must_use]
    pub fn compress(&mut self) -> bool {
        let mut counts = self.admission.lock();
        if !self.compressed && counts.compressed < self.admission.limits.compressed_connections {
            counts.compressed += 1;
            self.compressed = true;
        }
        self.compressed
    }

    /// Gives back the place for a compressed connection, if it has one.
    pub fn decompress(&mut self) {
        if std::mem::take(&mut self.compressed) {
            self.admission.lock().compressed -= 1;
        }
    }

    /// The client has logged in: only the place among all connections stays taken.
    pub fn logged_in(&mut self) {
        if !self.before_login {
            return;
        }
        self.before_login = false;
        let mut counts = self.admission.lock();
        if counts.guests.remove(&self.number).is_some() {
            counts.leave_gate(self.source);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.logged_in();
        self.decompress();
        if !self.displaced.is_cancelled() {
            self.admission.lock().connections -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(all: u32, before_login: u32, per_address: u32) -> Arc<Admission> {
        Admission::new(&Limits {
            connections: all,
            connections_before_login: before_login,
            connections_per_address: per_address,
            ..Limits::default()
        })
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn n1_each_limit_refuses_and_names_itself() {
        let far = address("192.0.2.1");
        let full = admission(1, 9, 9);
        let _one = full.admit(far).unwrap();
        assert_eq!(full.admit(far).unwrap_err(), Refused::Full);
        let gate = admission(9, 1, 9);
        let _one = gate.admit(far).unwrap();
        assert_eq!(gate.admit(far).unwrap_err(), Refused::TooManyBeforeLogin);
        let each = admission(9, 9, 1);
        let _one = each.admit(far).unwrap();
        assert_eq!(each.admit(far).unwrap_err(), Refused::TooManyFromAddress);
        assert!(each.admit(address("192.0.2.2")).is_ok());
    }

    #[test]
    fn n1_whoever_has_logged_in_counts_only_as_a_connection() {
        let admission = admission(2, 1, 1);
        let mut first = admission.admit(address("192.0.2.1")).unwrap();
        first.logged_in();
        let _second = admission.admit(address("192.0.2.1")).unwrap();
        assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), Refused::Full);
    }

    #[tokio::test(start_paused = true)]
    async fn n2_silent_ones_give_way_first_of_the_network_that_has_most() {
        let admission = admission(100, 8, 10);
        let mut crowd: Vec<_> =
            (1..7).map(|n| admission.admit(address(&format!("192.0.2.{n}"))).unwrap()).collect();
        let mut slow = admission.admit(address("198.51.100.1")).unwrap();
        let mut local = admission.admit(address("127.0.0.1")).unwrap();
        let honest = address("203.0.113.5");
        let another = address("192.0.2.77");
        assert_eq!(admission.admit(another).unwrap_err(), Refused::TooManyBeforeLogin, "they have just come");
        tokio::time::advance(GRACE).await;
        assert!(crowd[0].speak());
        let mut guests: Vec<_> = (0..3).map(|_| admission.admit(honest).unwrap()).collect();
        let gone: Vec<bool> = crowd.iter().map(|pass| pass.displaced().is_cancelled()).collect();
        assert_eq!(gone, [false, true, true, true, false, false], "those that came first and said nothing");
        assert!(!slow.displaced().is_cancelled() && !local.displaced().is_cancelled());
        for pass in crowd.iter_mut().chain(&mut guests).chain([&mut slow, &mut local]) {
            assert_eq!(pass.speak(), !pass.displaced().is_cancelled(), "who has given way comes too late");
        }
        assert_eq!(
            admission.admit(honest).unwrap_err(),
            Refused::TooManyBeforeLogin,
            "all have said something"
        );
        drop((crowd, guests, slow, local));
        let counts = admission.lock();
        assert_eq!((counts.connections, counts.before_login, counts.guests.len()), (0, 0, 0));
        assert!(counts.by_source.is_empty());
    }

    /// A word counts for a minute, so that nobody holds a place for five by one.
    #[tokio::test(start_paused = true)]
    async fn n2_a_word_keeps_the_place_for_a_minute() {
        let admission = admission(100, 2, 2);
        let mut first = admission.admit(address("192.0.2.1")).unwrap();
        let mut second = admission.admit(address("192.0.2.2")).unwrap();
        assert!(first.speak() && second.speak());
        tokio::time::advance(WORD.saturating_sub(Duration::from_secs(1))).await;
        let honest = address("203.0.113.5");
        assert_eq!(admission.admit(honest).unwrap_err(), Refused::TooManyBeforeLogin);
        assert!(second.speak());
        tokio::time::advance(Duration::from_secs(1)).await;
        let mut third = admission.admit(honest).unwrap();
        assert!(
            first.displaced().is_cancelled() && first.may_give_way() && !second.displaced().is_cancelled()
        );
        assert!(third.speak());
        third.logged_in();
        assert!(!third.may_give_way(), "who plays gives way to nobody");
    }

    #[tokio::test(start_paused = true)]
    async fn n2_a_network_with_many_gives_way_at_once_to_one_with_few() {
        let admission = admission(100, 8, 3);
        let crowd: Vec<_> =
            (0..8).map(|n| admission.admit(address(&format!("192.0.2.{}", 1 + n / 2))).unwrap()).collect();
        let far = |n: u8| admission.admit(IpAddr::from([203, 0, 113, n]));
        let guests: Vec<_> = (1..=4).map(|n| far(n).unwrap()).collect();
        assert_eq!(far(5).unwrap_err(), Refused::TooManyBeforeLogin, "both have as many");
        let gone: Vec<bool> = crowd.iter().map(|pass| pass.displaced().is_cancelled()).collect();
        assert_eq!(gone, [true, true, true, true, false, false, false, false]);
        assert!(guests.iter().all(|pass| !pass.displaced().is_cancelled()));
        assert_eq!(
            admission.admit_unknown().unwrap_err(),
            Refused::TooManyBeforeLogin,
            "whose network nobody knows"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn n2_nobody_gives_way_to_one_who_is_turned_away() {
        let admission = admission(100, 3, 2);
        let crowd = [(); 2].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        let other = admission.admit(address("198.51.100.1")).unwrap();
        tokio::time::advance(GRACE).await;
        assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), Refused::TooManyFromAddress);
        assert!(
            !other.displaced().is_cancelled() && crowd.iter().all(|pass| !pass.displaced().is_cancelled())
        );
    }

    #[tokio::test(start_paused = true)]
    async fn n2_who_has_given_way_is_counted_nowhere() {
        let admission = admission(9, 1, 1);
        let mut proxied = admission.admit_unknown().unwrap();
        tokio::time::advance(GRACE).await;
        let _other = admission.admit(address("192.0.2.1")).unwrap();
        assert_eq!(proxied.count_for(address("192.0.2.2")), Err(Refused::TooManyBeforeLogin));
        assert!(!proxied.speak());
        drop(proxied);
        assert_eq!(admission.lock().by_source.len(), 1);
    }

    #[test]
    fn local_tools_are_not_counted_by_address() {
        let admission = admission(9, 9, 1);
        let _passes = ["127.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"]
            .map(|local| admission.admit(address(local)).unwrap());
    }

    #[test]
    fn n1_an_ipv6_network_is_one_caller() {
        let admission = admission(9, 9, 1);
        let _one = admission.admit(address("2001:db8:1:2::1")).unwrap();
        assert_eq!(
            admission.admit(address("2001:db8:1:2:ffff::9")).unwrap_err(),
            Refused::TooManyFromAddress
        );
        assert!(admission.admit(address("2001:db8:1:3::1")).is_ok());
    }

    #[test]
    fn n1_a_caller_behind_a_proxy_counts_once_it_is_known() {
        let admission = admission(2, 9, 1);
        let mut first = admission.admit_unknown().unwrap();
        first.count_for(address("192.0.2.1")).unwrap();
        let mut second = admission.admit_unknown().unwrap();
        assert_eq!(second.count_for(address("192.0.2.1")), Err(Refused::TooManyFromAddress));
        assert_eq!(admission.admit_unknown().unwrap_err(), Refused::Full);
        drop(first);
        second.count_for(address("192.0.2.1")).unwrap();
    }

    #[test]
    fn n5_compressed_connections_are_counted_by_themselves() {
        let limits = Limits { compressed_connections: 1, ..Limits::default() };
        let admission = Admission::new(&limits);
        let [mut one, mut two] = [(); 2].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        assert!(one.compress() && one.compress(), "asked twice, it has one place");
        assert!(!two.compress());
        one.decompress();
        assert!(two.compress());
        drop(two);
        assert!(one.compress());
    }

    #[test]
    fn o9_nothing_is_left_when_everybody_has_gone() {
        let admission = admission(9, 9, 9);
        let passes: Vec<_> = (0..5).map(|n| admission.admit(IpAddr::from([10, 0, 0, n])).unwrap()).collect();
        drop(passes);
        let mut refused = admission.admit_unknown().unwrap();
        assert!(refused.compress());
        drop(refused);
        let counts = admission.lock();
        assert_eq!((counts.connections, counts.before_login), (0, 0));
        assert_eq!((counts.compressed, counts.by_source.len()), (0, 0));
    }
}

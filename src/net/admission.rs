//! Who may connect: counts of connections in all, of those that have not logged in, and of those of one address and of
//! one network. Each admitted connection holds a [`Pass`] that gives its places back when it is dropped.
//!
//! Where no place is left, a connection that has not logged in gives way. A network that holds many places gives way
//! first, also where its clients have spoken; then one that is idle. A newcomer never takes the place of a network that
//! holds fewer than its own. A word is a whole line or an answer to a question of the protocol and keeps a place only
//! for a time ([`Patience`]), so that neither silence nor a word now and then shuts the gate.

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
    patience: Patience,
    counts: Mutex<Counts>,
}

/// How long a connection that has not logged in keeps its place where none is left.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After connecting, without a word.
    pub silent: Duration,
    /// After its last word.
    pub word: Duration,
    /// After connecting, whatever it says.
    pub stay: Duration,
}

impl Patience {
    /// For players: a word holds longer than it takes to think of a name and a password.
    pub const PLAYERS: Self =
        Self { silent: Duration::from_secs(3), word: Duration::from_mins(1), stay: Duration::from_mins(3) };
    /// For browsers, which load a page within seconds and connect again without being asked.
    pub const BROWSERS: Self =
        Self { silent: Duration::from_secs(3), word: Duration::from_secs(2), stay: Duration::from_secs(10) };
}

#[derive(Debug, Default)]
struct Counts {
    connections: u32,
    compressed: u32,
    by_source: HashMap<IpAddr, u32>,
    /// Those that have not logged in, in the order of their coming.
    guests: BTreeMap<u64, Guest>,
    next_guest: u64,
    /// Those whose proxy has not said yet whom it speaks for, in the order of their coming.
    unnamed: BTreeMap<u64, CancellationToken>,
    next_unnamed: u64,
}

/// A connection that has not logged in.
#[derive(Debug)]
struct Guest {
    /// Its address; none for this machine's own and for proxies, which stand for many people.
    source: Option<IpAddr>,
    came: Instant,
    /// When its last word came.
    spoke: Option<Instant>,
    /// Tells it that it has given way.
    displaced: CancellationToken,
}

/// So many of one network are a household and no crowd, and do not give way while they speak.
const HOUSEHOLD: u32 = 4;

/// Why a connection is turned away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// No more connections.
    Full,
    /// Too many that have not logged in.
    TooManyBeforeLogin,
    /// Too many from the same address.
    TooManyFromAddress,
    /// Too many from the same network.
    TooManyFromNetwork,
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
            Self::TooManyFromNetwork => {
                "Too many connections from your network wait for a name. Please try again in a minute.\r\n"
            }
        }
    }
}

impl Admission {
    /// Nobody is there yet.
    pub fn new(limits: &Limits, patience: Patience) -> Arc<Self> {
        Arc::new(Self { limits: limits.clone(), patience, counts: Mutex::default() })
    }

    /// Takes a place for a caller from `address`, if there is one.
    ///
    /// # Errors
    /// A limit is reached, and nobody has to give way to this caller.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Pass, Refused> {
        self.take_place(counted(address))
    }

    /// Takes a place for a peer that stands for many people, and is counted by no address.
    ///
    /// # Errors
    /// As [`Admission::admit`].
    pub fn admit_proxy(self: &Arc<Self>) -> Result<Pass, Refused> {
        self.take_place(None)
    }

    /// Takes one of the places for connections whose proxy has not said yet whom it speaks for. Where none is left, the one
    /// that came first gives way: a proxy sends its header at once.
    pub fn wait_for_name(self: &Arc<Self>) -> Unnamed {
        let mut counts = self.lock();
        if counts.unnamed.len() >= self.limits.connections_without_header as usize
            && let Some((_, displaced)) = counts.unnamed.pop_first()
        {
            displaced.cancel();
        }
        let (number, displaced) = (counts.next_unnamed, CancellationToken::new());
        counts.next_unnamed += 1;
        counts.unnamed.insert(number, displaced.clone());
        Unnamed { admission: Arc::clone(self), number, displaced }
    }

    fn take_place(self: &Arc<Self>, source: Option<IpAddr>) -> Result<Pass, Refused> {
        let mut counts = self.lock();
        let counts = &mut *counts;
        if let Some(source) = source {
            // Nobody gives way to one who is turned away, so that these come first.
            if counts.waiting(source) >= self.limits.connections_per_address {
                return Err(Refused::TooManyFromAddress);
            }
            let own_network =
                |guest: &Guest| guest.source.is_some_and(|other| network(other) == network(source));
            let neighbours = counts.guests.values().filter(|guest| own_network(guest)).count();
            if neighbours >= self.limits.connections_per_network as usize
                && !counts.displace(&self.patience, Some(source), |address| address, own_network)
            {
                return Err(Refused::TooManyFromNetwork);
            }
        }
        if counts.connections >= self.limits.connections
            && !counts.displace(&self.patience, source, network, |_| true)
        {
            return Err(Refused::Full);
        }
        if counts.guests.len() >= self.limits.connections_before_login as usize
            && !counts.displace(&self.patience, source, network, |_| true)
        {
            return Err(Refused::TooManyBeforeLogin);
        }
        counts.connections += 1;
        if let Some(source) = source {
            *counts.by_source.entry(source).or_default() += 1;
        }
        let (number, displaced) = (counts.next_guest, CancellationToken::new());
        counts.next_guest += 1;
        let guest = Guest { source, came: Instant::now(), spoke: None, displaced: displaced.clone() };
        counts.guests.insert(number, guest);
        Ok(Pass { admission: Arc::clone(self), number, displaced, before_login: true, compressed: false })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guest {
    /// Whether it has used up its time: silent, quiet since its last word, or here for too long.
    fn is_idle(&self, patience: &Patience) -> bool {
        let (here, quiet) = (self.came.elapsed(), self.spoke.map(|at| at.elapsed()));
        here >= patience.stay || quiet.map_or(here >= patience.silent, |quiet| quiet >= patience.word)
    }
}

impl Counts {
    /// How many from this address have not logged in.
    fn waiting(&self, source: IpAddr) -> u32 {
        self.by_source.get(&source).copied().unwrap_or(0)
    }

    /// Takes the place of one of the `eligible` that have not logged in, and gives it to a newcomer; false if nobody has to
    /// give way to it. Connections compete by the group that `group` puts their address into.
    fn displace(
        &mut self,
        patience: &Patience,
        newcomer: Option<IpAddr>,
        group: fn(IpAddr) -> IpAddr,
        eligible: impl Fn(&Guest) -> bool,
    ) -> bool {
        let mut crowds: HashMap<IpAddr, u32> = HashMap::new();
        for source in self.guests.values().filter_map(|guest| guest.source) {
            *crowds.entry(group(source)).or_default() += 1;
        }
        // One that stands for many people is no crowd.
        let size = |source: Option<IpAddr>| {
            source.and_then(|source| crowds.get(&group(source))).copied().unwrap_or(0)
        };
        let own_group = newcomer.map(group);
        let own = size(newcomer) + 1;
        // The order in which they give way, the last first; none keeps its place.
        let rank = |number: u64, guest: &Guest| {
            let crowd = size(guest.source).max(1);
            let is_own = own_group.is_some() && guest.source.map(group) == own_group;
            let idle = guest.is_idle(patience);
            let yields_to_fewer = crowd > own && !is_own && (crowd > HOUSEHOLD || guest.spoke.is_none());
            let yields_as_idle = idle && (is_own || crowd >= own || own <= HOUSEHOLD);
            let weight = if crowd > HOUSEHOLD { crowd } else { 0 };
            (yields_to_fewer || yields_as_idle).then_some((weight, idle, crowd, Reverse(number)))
        };
        let candidates = self.guests.iter().filter(|(_, guest)| eligible(guest));
        let ranked = candidates.filter_map(|(number, guest)| Some((rank(*number, guest)?, *number)));
        let Some((_, number)) = ranked.max() else { return false };
        if let Some(guest) = self.leave_gate(number) {
            guest.displaced.cancel();
        }
        self.connections -= 1;
        true
    }

    /// One less that has not logged in; none if it had given way before.
    fn leave_gate(&mut self, number: u64) -> Option<Guest> {
        let guest = self.guests.remove(&number)?;
        if let Some(source) = guest.source
            && let Some(waiting) = self.by_source.get_mut(&source)
        {
            *waiting -= 1;
            if *waiting == 0 {
                self.by_source.remove(&source);
            }
        }
        Some(guest)
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

/// A place among the connections whose proxy has not said yet whom it speaks for.
#[derive(Debug)]
pub struct Unnamed {
    admission: Arc<Admission>,
    number: u64,
    displaced: CancellationToken,
}

impl Unnamed {
    /// Cancelled when it has given way to another, and must end.
    pub const fn displaced(&self) -> &CancellationToken {
        &self.displaced
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        self.admission.lock().unnamed.remove(&self.number);
    }
}

/// The places that one connection takes up.
#[derive(Debug)]
pub struct Pass {
    admission: Arc<Admission>,
    /// Which guest it is as long as it has not logged in.
    number: u64,
    displaced: CancellationToken,
    before_login: bool,
    compressed: bool,
}

impl Pass {
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
        self.admission.lock().leave_gate(self.number);
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
        let limits = Limits {
            connections: all,
            connections_before_login: before_login,
            connections_per_address: per_address,
            ..Limits::default()
        };
        Admission::new(&limits, Patience::PLAYERS)
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
        assert_eq!(admission.admit(address("192.0.2.2")).unwrap_err(), Refused::Full);
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
        tokio::time::advance(Patience::PLAYERS.silent).await;
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
        assert_eq!((counts.connections, counts.guests.len()), (0, 0));
        assert!(counts.by_source.is_empty());
    }

    /// A word counts for a minute, so that nobody holds a place for five by one.
    #[tokio::test(start_paused = true)]
    async fn n2_a_word_keeps_the_place_for_a_minute() {
        let admission = admission(100, 2, 2);
        let mut first = admission.admit(address("192.0.2.1")).unwrap();
        let mut second = admission.admit(address("192.0.2.2")).unwrap();
        assert!(first.speak() && second.speak());
        tokio::time::advance(Patience::PLAYERS.word.saturating_sub(Duration::from_secs(1))).await;
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
        let _local = admission.admit_proxy().expect("who stands for many people is one caller");
        assert!(crowd[4].displaced().is_cancelled());
    }

    /// A whisper now and then keeps no crowd in its places.
    #[tokio::test(start_paused = true)]
    async fn n2_a_network_with_many_gives_way_also_where_it_speaks() {
        let admission = admission(100, 20, 64);
        let mut crowd: Vec<_> = (0..16).map(|n| admission.admit([192, 0, 2, n].into()).unwrap()).collect();
        let mut pair = [(); 2].map(|()| admission.admit(address("198.51.100.1")).unwrap());
        let mut slow = admission.admit(address("198.51.101.1")).unwrap();
        let mut local = admission.admit(address("127.0.0.1")).unwrap();
        for pass in crowd.iter_mut().chain(&mut pair).chain([&mut slow, &mut local]) {
            assert!(pass.speak());
        }
        let honest: Vec<_> = (1..=4).map(|n| admission.admit([203, 0, n, 5].into()).unwrap()).collect();
        let gone = crowd.iter().filter(|pass| pass.displaced().is_cancelled()).count();
        assert_eq!(gone, 4, "the crowd alone gives way");
        assert_eq!(
            admission.admit([192, 0, 2, 99].into()).unwrap_err(),
            Refused::TooManyBeforeLogin,
            "one of the crowd takes nobody's place"
        );
        assert!(
            honest.iter().chain(&pair).chain([&slow, &local]).all(|pass| !pass.displaced().is_cancelled())
        );
    }

    #[tokio::test(start_paused = true)]
    async fn n2_a_household_that_speaks_keeps_its_places() {
        let admission = admission(100, 4, 64);
        let mut family = [(); 4].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        assert!(family.iter_mut().all(Pass::speak));
        assert_eq!(admission.admit(address("203.0.113.5")).unwrap_err(), Refused::TooManyBeforeLogin);
    }

    /// Nobody keeps a place for ever by words alone, even if each comes from a network of its own.
    #[tokio::test(start_paused = true)]
    async fn n2_words_keep_a_place_only_for_so_long() {
        let admission = admission(100, 3, 64);
        let mut crowd: Vec<_> = (1..=3).map(|n| admission.admit([192, 0, n, 1].into()).unwrap()).collect();
        let mut spoken = Duration::ZERO;
        while spoken < Patience::PLAYERS.stay {
            assert_eq!(admission.admit(address("203.0.113.5")).unwrap_err(), Refused::TooManyBeforeLogin);
            let pause = Patience::PLAYERS.word / 2;
            tokio::time::advance(pause).await;
            spoken += pause;
            assert!(crowd.iter_mut().all(Pass::speak));
        }
        let _honest = admission.admit(address("203.0.113.5")).unwrap();
        assert!(crowd[0].displaced().is_cancelled(), "who came first");
    }

    #[tokio::test(start_paused = true)]
    async fn n2_one_network_has_a_share_of_the_gate_and_is_fair_within_it() {
        let limits = Limits { connections_per_network: 6, ..Limits::default() };
        let admission = Admission::new(&limits, Patience::PLAYERS);
        let mut many = [(); 5].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        let mut one = admission.admit(address("192.0.2.2")).unwrap();
        assert!(one.speak() && many.iter_mut().all(Pass::speak));
        assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), Refused::TooManyFromNetwork);
        let _neighbour = admission.admit(address("192.0.2.3")).unwrap();
        assert!(many[0].displaced().is_cancelled() && !one.displaced().is_cancelled());
        assert!(admission.admit(address("198.51.100.1")).is_ok(), "the gate itself has places");
    }

    #[tokio::test(start_paused = true)]
    async fn n2_nobody_gives_way_to_one_who_is_turned_away() {
        let admission = admission(100, 3, 2);
        let crowd = [(); 2].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        let other = admission.admit(address("198.51.100.1")).unwrap();
        tokio::time::advance(Patience::PLAYERS.silent).await;
        assert_eq!(admission.admit(address("192.0.2.1")).unwrap_err(), Refused::TooManyFromAddress);
        assert!(
            !other.displaced().is_cancelled() && crowd.iter().all(|pass| !pass.displaced().is_cancelled())
        );
    }

    #[tokio::test(start_paused = true)]
    async fn n2_who_has_given_way_is_counted_nowhere() {
        let admission = admission(9, 1, 1);
        let mut first = admission.admit(address("192.0.2.2")).unwrap();
        tokio::time::advance(Patience::PLAYERS.silent).await;
        let _other = admission.admit(address("192.0.2.1")).unwrap();
        assert!(!first.speak());
        drop(first);
        let counts = admission.lock();
        assert_eq!((counts.connections, counts.by_source.len()), (1, 1));
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

    /// A silent crowd behind a proxy, or one that plays a proxy, keeps nobody out.
    #[test]
    fn n2_whom_no_header_names_takes_no_place_and_gives_way_to_the_next() {
        let limits = Limits { connections: 1, connections_without_header: 2, ..Limits::default() };
        let admission = Admission::new(&limits, Patience::PLAYERS);
        let waiting = [(); 3].map(|()| admission.wait_for_name());
        let gone = waiting.each_ref().map(|unnamed| unnamed.displaced().is_cancelled());
        assert_eq!(gone, [true, false, false]);
        assert!(admission.admit(address("192.0.2.1")).is_ok());
        drop(waiting);
        assert!(admission.lock().unnamed.is_empty());
    }

    #[test]
    fn n5_compressed_connections_are_counted_by_themselves() {
        let limits = Limits { compressed_connections: 1, ..Limits::default() };
        let admission = Admission::new(&limits, Patience::PLAYERS);
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
        let mut local = admission.admit_proxy().unwrap();
        assert!(local.compress());
        drop(local);
        let counts = admission.lock();
        assert_eq!((counts.connections, counts.guests.len()), (0, 0));
        assert_eq!((counts.compressed, counts.by_source.len()), (0, 0));
    }
}

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

/// Times for which a connection that has not logged in keeps its place where none is left.
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
        Self { silent: Duration::from_secs(3), word: Duration::from_mins(1), stay: Duration::from_secs(90) };
    /// For browsers, which load a page within seconds and connect again without being asked.
    pub const BROWSERS: Self =
        Self { silent: Duration::from_secs(3), word: Duration::from_secs(2), stay: Duration::from_secs(10) };
    /// For programs that ask for figures: one that takes longer for an answer than this reads none.
    pub const SCRAPERS: Self = Self {
        silent: Duration::from_secs(1),
        word: Duration::from_millis(500),
        stay: Duration::from_secs(5),
    };
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
    /// Returns `true` if it has used up its time: silent, quiet since its last word, or here for too long.
    fn is_idle(&self, patience: &Patience) -> bool {
        let (here, quiet) = (self.came.elapsed(), self.spoke.map(|at| at.elapsed()));
        here >= patience.stay || quiet.map_or(here >= patience.silent, |quiet| quiet >= patience.word)
    }
}

impl Counts {
    /// Number of connections from this address that have not logged in.
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
mod tests;

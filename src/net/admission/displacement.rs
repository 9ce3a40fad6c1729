//! Choice of the connection that yields its place when a limit is reached: first from the provider and the network that
//! hold many places, then an idle one, and at last the one whose input is the longest ago.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use deepwell_core::base::address;

/// Times for which a connection that has not logged in keeps its place if a limit is reached.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Time after connecting, without any input.
    pub silent: Duration,
    /// Time after the last input.
    pub word: Duration,
    /// Time after the last input, if no other connection can be displaced.
    pub typing: Duration,
    /// Time after connecting, regardless of input.
    pub stay: Duration,
}

impl Patience {
    /// Times for players: long enough to think of a name and a password.
    pub const PLAYERS: Self = Self {
        silent: Duration::from_secs(3),
        word: Duration::from_mins(1),
        typing: Duration::from_secs(10),
        stay: Duration::from_secs(90),
    };
    /// Times for browsers, which load a page within seconds and reconnect automatically.
    pub const BROWSERS: Self = Self {
        silent: Duration::from_secs(3),
        word: Duration::from_secs(2),
        typing: Duration::from_secs(1),
        stay: Duration::from_secs(10),
    };
    /// Times for metrics scrapers: one that needs longer to take an answer does not read it at all.
    pub const SCRAPERS: Self = Self {
        silent: Duration::from_secs(1),
        word: Duration::from_millis(500),
        typing: Duration::from_millis(500),
        stay: Duration::from_secs(5),
    };
}

/// A connection that has not logged in.
#[derive(Debug)]
pub(super) struct PreLogin {
    /// Client address; `None` for loopback and for proxies, which serve many clients.
    pub(super) source: Option<IpAddr>,
    pub(super) connected_at: Instant,
    /// Time of the last input.
    pub(super) spoke: Option<Instant>,
    /// Cancelled when the connection is displaced.
    pub(super) displaced: CancellationToken,
}

impl PreLogin {
    /// Returns `true` if the connection has used up its time: silent, quiet since its last input, or connected for too long.
    fn is_idle(&self, patience: &Patience) -> bool {
        let (here, quiet) = (self.connected_at.elapsed(), self.quiet());
        let most = if self.spoke.is_some() { patience.word } else { patience.silent };
        here >= patience.stay || quiet >= most
    }

    /// Returns the time since the last input or, without any, since the connection.
    fn quiet(&self) -> Duration {
        self.spoke.unwrap_or(self.connected_at).elapsed()
    }
}

/// Number of connections that one household may have: a network with no more is not displaced while its clients send
/// input.
const HOUSEHOLD: u32 = 4;

/// Number of connections that the customers of one provider may have without being displaced for those of others while
/// they send input.
const CUSTOMERS: u32 = 16 * HOUSEHOLD;

/// Groups in which connections compete for places: the network within its provider.
pub(super) const GLOBAL: Groups = Groups { wide: provider, narrow: network };
/// Groups in which the connections of one network compete.
pub(super) const IN_NETWORK: Groups = Groups { wide: network, narrow: |address| address };

/// Functions that map an address to its groups, the narrow one within the wide one.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    wide: fn(IpAddr) -> IpAddr,
    narrow: fn(IpAddr) -> IpAddr,
}

/// Numbers of connections in the groups of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GroupCounts {
    wide: u32,
    narrow: u32,
}

/// Returns the number of the `eligible` connection that yields its place to a newcomer; `None` if none does.
pub(super) fn yielding(
    before_login: &BTreeMap<u64, PreLogin>,
    patience: &Patience,
    newcomer: Option<IpAddr>,
    groups: Groups,
    eligible: impl Fn(&PreLogin) -> bool,
) -> Option<u64> {
    let (mut wide, mut narrow) = (HashMap::<IpAddr, u32>::new(), HashMap::<IpAddr, u32>::new());
    for source in before_login.values().filter_map(|connection| connection.source) {
        *wide.entry((groups.wide)(source)).or_default() += 1;
        *narrow.entry((groups.narrow)(source)).or_default() += 1;
    }
    // A proxy or loopback client is not counted as a crowd.
    let crowd = |source: Option<IpAddr>| {
        let count = |counts: &HashMap<IpAddr, u32>, group: IpAddr| counts.get(&group).copied().unwrap_or(0);
        source.map_or(GroupCounts { wide: 0, narrow: 0 }, |source| GroupCounts {
            wide: count(&wide, (groups.wide)(source)),
            narrow: count(&narrow, (groups.narrow)(source)),
        })
    };
    let in_group = |group: fn(IpAddr) -> IpAddr, connection: &PreLogin| {
        newcomer.is_some() && connection.source.map(group) == newcomer.map(group)
    };
    let own = crowd(newcomer);
    let own = GroupCounts { wide: own.wide + 1, narrow: own.narrow + 1 };
    // Rank for displacement, highest first; `None` keeps its place.
    let rank = |number: u64, connection: &PreLogin| {
        let crowd = crowd(connection.source);
        let crowd = GroupCounts { wide: crowd.wide.max(1), narrow: crowd.narrow.max(1) };
        let is_own = in_group(groups.narrow, connection);
        let is_foreign = !in_group(groups.wide, connection);
        // Customers of a large provider never displace those of a smaller one.
        if is_foreign && own.wide > CUSTOMERS && own.wide > crowd.wide {
            return None;
        }
        let idle = connection.is_idle(patience);
        let wide_yields = is_foreign && crowd.wide > CUSTOMERS && crowd.wide > own.wide;
        let narrow_yields =
            !is_own && crowd.narrow > own.narrow && (crowd.narrow > HOUSEHOLD || connection.spoke.is_none());
        let is_no_smaller = is_own || crowd.narrow >= own.narrow;
        let idle_yields = idle && (is_no_smaller || own.narrow <= HOUSEHOLD);
        let quiet = connection.quiet();
        let last_resort = is_no_smaller && quiet >= patience.typing;
        let yields = wide_yields || narrow_yields || idle_yields;
        let weight = |size: u32, free: u32| if size > free { size } else { 0 };
        let by_size = (
            if is_foreign { weight(crowd.wide, CUSTOMERS) } else { 0 },
            weight(crowd.narrow, HOUSEHOLD),
            idle,
            crowd.narrow,
        );
        match (yields, last_resort) {
            (true, _) => Some((Some(by_size), Duration::ZERO, Reverse(number))),
            (false, true) => Some((None, quiet, Reverse(number))),
            (false, false) => None,
        }
    };
    let candidates = before_login.iter().filter(|(_, connection)| eligible(connection));
    let ranked = candidates.filter_map(|(number, connection)| Some((rank(*number, connection)?, *number)));
    ranked.max().map(|(_, number)| number)
}

/// Returns the address that represents the client's network, as providers assign them.
pub fn network(address: IpAddr) -> IpAddr {
    address::site(address).addr()
}

/// Returns the address that represents the client's provider.
pub fn provider(address: IpAddr) -> IpAddr {
    address::provider(address).addr()
}

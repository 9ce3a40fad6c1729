//! Connection limits: in total, before login, per address and per network. Each admitted connection holds a [`Pass`]
//! that releases its places when dropped.
//!
//! If a limit is reached, a connection that has not logged in may be displaced: first from the provider and the network
//! that hold many places, even if their clients have sent input, then an idle one, and at last the one whose input is the
//! longest ago. A newcomer never displaces a connection of a provider or network that holds fewer places than its own.
//! Input means a whole line or an answer to a protocol negotiation. It keeps a place only for a limited time
//! ([`Patience`]), so that neither silent clients nor occasional input can block the login.

mod displacement;

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::net::counters::ConnectionLimit;
use deepwell_core::base::address::household;
use deepwell_core::base::limits::Limits;
use displacement::{GLOBAL, Groups, IN_NETWORK, PreLogin, yielding};

pub use displacement::{Patience, network, provider};

/// Enforces the connection limits.
#[derive(Debug)]
pub struct Admission {
    limits: Limits,
    patience: Patience,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    connections: u32,
    compressed: u32,
    by_source: HashMap<IpAddr, u32>,
    /// Connections that have not logged in, in order of arrival.
    before_login: BTreeMap<u64, PreLogin>,
    next_before_login: u64,
    /// Connections that still wait for a PROXY header, in order of arrival.
    unnamed: BTreeMap<u64, CancellationToken>,
    next_unnamed: u64,
}

/// Reason why a connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdmissionRefusal {
    /// Limit of all connections.
    Full,
    /// Limit of connections that have not logged in.
    TooManyBeforeLogin,
    /// Limit of connections from the same address.
    TooManyFromAddress,
    /// Limit of connections from the same network.
    TooManyFromNetwork,
}

impl AdmissionRefusal {
    /// Returns the limit that was reached.
    pub const fn limit(self) -> ConnectionLimit {
        match self {
            Self::Full => ConnectionLimit::Connections,
            Self::TooManyBeforeLogin => ConnectionLimit::ConnectionsBeforeLogin,
            Self::TooManyFromAddress => ConnectionLimit::ConnectionsPerAddress,
            Self::TooManyFromNetwork => ConnectionLimit::ConnectionsPerNetwork,
        }
    }

    /// Returns the line sent to the client.
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
    /// Creates an instance without connections.
    pub fn new(limits: &Limits, patience: Patience) -> Arc<Self> {
        Arc::new(Self { limits: limits.clone(), patience, counts: Mutex::default() })
    }

    /// Takes a place for a client from `address`.
    ///
    /// # Errors
    /// A limit is reached, and no connection can be displaced for this client.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Pass, AdmissionRefusal> {
        self.take_place(counted(address))
    }

    /// Takes a place for a peer that serves many clients and is not counted by address.
    ///
    /// # Errors
    /// As [`Admission::admit`].
    pub fn admit_proxy(self: &Arc<Self>) -> Result<Pass, AdmissionRefusal> {
        self.take_place(None)
    }

    /// Takes a place for a connection that still waits for a PROXY header. If none is free, the oldest is displaced: a
    /// proxy sends its header immediately.
    pub fn wait_for_header(self: &Arc<Self>) -> AwaitingHeader {
        let mut counts = self.lock();
        if counts.unnamed.len() >= self.limits.connections_without_header as usize
            && let Some((_, displaced)) = counts.unnamed.pop_first()
        {
            displaced.cancel();
        }
        let (number, displaced) = (counts.next_unnamed, CancellationToken::new());
        counts.next_unnamed += 1;
        counts.unnamed.insert(number, displaced.clone());
        AwaitingHeader { admission: Arc::clone(self), number, displaced }
    }

    fn take_place(self: &Arc<Self>, source: Option<IpAddr>) -> Result<Pass, AdmissionRefusal> {
        let mut counts = self.lock();
        let counts = &mut *counts;
        if let Some(source) = source {
            // Checked first, so that no connection is displaced for a client that is then refused.
            if counts.waiting(source) >= self.limits.connections_per_address {
                return Err(AdmissionRefusal::TooManyFromAddress);
            }
            let own_network = |connection: &PreLogin| {
                connection.source.is_some_and(|other| network(other) == network(source))
            };
            let neighbours =
                counts.before_login.values().filter(|connection| own_network(connection)).count();
            if neighbours >= self.limits.connections_per_network as usize
                && !counts.displace(&self.patience, Some(source), IN_NETWORK, own_network)
            {
                return Err(AdmissionRefusal::TooManyFromNetwork);
            }
        }
        if counts.connections >= self.limits.connections
            && !counts.displace(&self.patience, source, GLOBAL, |_| true)
        {
            return Err(AdmissionRefusal::Full);
        }
        if counts.before_login.len() >= self.limits.connections_before_login as usize
            && !counts.displace(&self.patience, source, GLOBAL, |_| true)
        {
            return Err(AdmissionRefusal::TooManyBeforeLogin);
        }
        counts.connections += 1;
        if let Some(source) = source {
            *counts.by_source.entry(source).or_default() += 1;
        }
        let (number, displaced) = (counts.next_before_login, CancellationToken::new());
        counts.next_before_login += 1;
        let connection =
            PreLogin { source, connected_at: Instant::now(), spoke: None, displaced: displaced.clone() };
        counts.before_login.insert(number, connection);
        Ok(Pass { admission: Arc::clone(self), number, displaced, before_login: true, compressed: false })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    /// Displaces one of the `eligible` connections in favour of a newcomer; returns `false` if none can be displaced.
    fn displace(
        &mut self,
        patience: &Patience,
        newcomer: Option<IpAddr>,
        groups: Groups,
        eligible: impl Fn(&PreLogin) -> bool,
    ) -> bool {
        let Some(number) = yielding(&self.before_login, patience, newcomer, groups, eligible) else {
            return false;
        };
        if let Some(connection) = self.remove_before_login(number) {
            connection.displaced.cancel();
        }
        self.connections -= 1;
        true
    }

    /// Number of connections from this address that have not logged in.
    fn waiting(&self, source: IpAddr) -> u32 {
        self.by_source.get(&source).copied().unwrap_or(0)
    }

    /// Removes a connection; returns `None` if it was displaced before.
    fn remove_before_login(&mut self, number: u64) -> Option<PreLogin> {
        let connection = self.before_login.remove(&number)?;
        if let Some(source) = connection.source
            && let Some(waiting) = self.by_source.get_mut(&source)
        {
            *waiting -= 1;
            if *waiting == 0 {
                self.by_source.remove(&source);
            }
        }
        Some(connection)
    }
}

/// Returns the address that represents the client's household.
pub fn source(address: IpAddr) -> IpAddr {
    household(address).addr()
}

/// Returns the address by which a client is counted; `None` for loopback, which may be a proxy for many clients.
fn counted(address: IpAddr) -> Option<IpAddr> {
    Some(source(address)).filter(|source| !source.is_loopback())
}

/// Place of a connection that still waits for a PROXY header.
#[derive(Debug)]
pub struct AwaitingHeader {
    admission: Arc<Admission>,
    number: u64,
    displaced: CancellationToken,
}

impl AwaitingHeader {
    /// Returns a token that is cancelled when the connection is displaced and must end.
    pub const fn displaced(&self) -> &CancellationToken {
        &self.displaced
    }
}

impl Drop for AwaitingHeader {
    fn drop(&mut self) {
        self.admission.lock().unnamed.remove(&self.number);
    }
}

/// Places taken by one connection.
#[derive(Debug)]
pub struct Pass {
    admission: Arc<Admission>,
    /// Key of the connection while it has not logged in.
    number: u64,
    displaced: CancellationToken,
    before_login: bool,
    compressed: bool,
}

impl Pass {
    /// Returns a token that is cancelled when the connection is displaced: its places are released, and it must end.
    pub const fn displaced(&self) -> &CancellationToken {
        &self.displaced
    }

    /// Returns `true` if the connection can still be displaced, or already is.
    pub fn may_be_displaced(&self) -> bool {
        self.before_login || self.displaced.is_cancelled()
    }

    /// Records input of the client, which protects its place for a while. Returns `false` if it has already been
    /// displaced.
    #[must_use]
    pub fn speak(&mut self) -> bool {
        if self.before_login
            && let Some(connection) = self.admission.lock().before_login.get_mut(&self.number)
        {
            connection.spoke = Some(Instant::now());
        }
        !self.displaced.is_cancelled()
    }

    /// Takes a slot for a compressed connection; returns `false` if none is free. [`Pass::decompress`] or dropping the
    /// pass releases it.
    #[must_use]
    pub fn compress(&mut self) -> bool {
        let mut counts = self.admission.lock();
        if !self.compressed && counts.compressed < self.admission.limits.compressed_connections {
            counts.compressed += 1;
            self.compressed = true;
        }
        self.compressed
    }

    /// Releases the slot for a compressed connection, if taken.
    pub fn decompress(&mut self) {
        if std::mem::take(&mut self.compressed) {
            self.admission.lock().compressed -= 1;
        }
    }

    /// Records the login: from now on only the place among all connections is taken.
    pub fn logged_in(&mut self) {
        if !self.before_login {
            return;
        }
        self.before_login = false;
        self.admission.lock().remove_before_login(self.number);
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

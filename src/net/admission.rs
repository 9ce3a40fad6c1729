//! Who may connect: counts of connections in all, of those that have not logged in, and of those from one address.
//! Each admitted connection holds a [`Pass`] that gives its places back when it is dropped.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
}

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
        let mut pass = self.admit_unknown()?;
        pass.calls_from(address)?;
        Ok(pass)
    }

    /// Takes a place for somebody of whom it is not known yet where they call from: see [`Pass::calls_from`].
    pub fn admit_unknown(self: &Arc<Self>) -> Result<Pass, Refused> {
        let mut counts = self.lock();
        if counts.connections >= self.limits.connections {
            return Err(Refused::Full);
        }
        if counts.before_login >= self.limits.connections_before_login {
            return Err(Refused::TooManyBeforeLogin);
        }
        counts.connections += 1;
        counts.before_login += 1;
        Ok(Pass { admission: Arc::clone(self), source: None, before_login: true, compressed: false })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What counts as one caller: an IPv4 address, or the network of an IPv6 address, which one household has whole.
pub fn source(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)))
        }
        canonical => canonical,
    }
}

/// The places that one connection takes up.
#[derive(Debug)]
pub struct Pass {
    admission: Arc<Admission>,
    source: Option<IpAddr>,
    before_login: bool,
    compressed: bool,
}

impl Pass {
    /// Counts the connection for its address, once that is known.
    pub fn calls_from(&mut self, address: IpAddr) -> Result<(), Refused> {
        // Local tools and proxies stand for many people.
        let source = Some(source(address)).filter(|source| !source.is_loopback());
        let (Some(source), None, true) = (source, self.source, self.before_login) else { return Ok(()) };
        let mut counts = self.admission.lock();
        let waiting = counts.by_source.entry(source).or_default();
        if *waiting >= self.admission.limits.connections_per_address {
            return Err(Refused::TooManyFromAddress);
        }
        *waiting += 1;
        self.source = Some(source);
        Ok(())
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
        counts.before_login -= 1;
        let Some(source) = self.source else { return };
        if let Some(waiting) = counts.by_source.get_mut(&source) {
            *waiting -= 1;
            if *waiting == 0 {
                counts.by_source.remove(&source);
            }
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.logged_in();
        self.decompress();
        self.admission.lock().connections -= 1;
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
        first.calls_from(address("192.0.2.1")).unwrap();
        let mut second = admission.admit_unknown().unwrap();
        assert_eq!(second.calls_from(address("192.0.2.1")), Err(Refused::TooManyFromAddress));
        assert_eq!(admission.admit_unknown().unwrap_err(), Refused::Full);
        drop(first);
        second.calls_from(address("192.0.2.1")).unwrap();
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

//! The lease of the leader: a record that it renews. Each host measures with its own clock how long the record has not
//! changed, so the clocks of hosts need not agree. The lease only decides who tries to lead; the log decides who writes.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use tokio_util::bytes::Bytes;

use super::engine::{Engine, EngineError};

/// Key of the record.
const KEY: &str = "leader";

/// The lease.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::server) struct ClusterLease {
    /// Host that leads.
    pub(in crate::server) host: String,
    /// Name under which the leader's process accepts gateways.
    pub(in crate::server) link: String,
    /// Set by a leader that has stopped leading.
    #[serde(default)]
    pub(super) is_released: bool,
    /// Host for which it was released; any host if empty.
    #[serde(default)]
    pub(super) successor: String,
}

/// Reads the lease and its revision.
pub(super) async fn read(engine: &impl Engine) -> Result<Option<(u64, ClusterLease)>, EngineError> {
    Ok(engine.record(KEY).await?.map(|(revision, value)| {
        // An unreadable record is one that nobody renews.
        (revision, serde_json::from_slice(&value).unwrap_or_default())
    }))
}

/// Writes the lease; returns its new revision, or `None` if another host has written it.
pub(super) async fn write(
    engine: &impl Engine,
    revision: u64,
    lease: &ClusterLease,
) -> Result<Option<u64>, EngineError> {
    let value = serde_json::to_vec(lease).map_err(|error| EngineError::Unreachable(error.to_string()))?;
    engine.put_record(KEY, revision, Bytes::from(value)).await
}

/// Observation of the lease by a host that does not lead.
#[derive(Debug)]
pub(super) struct Watch {
    /// Time without a change after which the lease is free.
    term: Duration,
    /// Last revision seen, and when it was seen first.
    seen: Option<(u64, Instant)>,
    #[cfg(test)]
    pub(super) planted: super::planted::Planted,
}

impl Watch {
    /// Creates an observation that has seen nothing.
    pub(super) fn new(term: Duration) -> Self {
        Self {
            term,
            seen: None,
            #[cfg(test)]
            planted: super::planted::Planted::default(),
        }
    }

    /// Returns the revision from which this host may take the lease, if it is free for it.
    pub(super) fn observe(
        &mut self,
        now: Instant,
        found: Option<&(u64, ClusterLease)>,
        own: &str,
    ) -> Option<u64> {
        let Some((revision, lease)) = found else { return Some(0) };
        let since = match self.seen {
            Some((seen, since)) if seen == *revision => since,
            _ => now,
        };
        self.seen = Some((*revision, since));
        #[cfg(test)]
        if self.planted == super::planted::Planted::LeaseWithoutExpiry {
            return lease.is_released.then_some(*revision);
        }
        let is_meant = lease.is_released && (lease.successor.is_empty() || lease.successor == own);
        let is_expired = now.duration_since(since) >= self.term;
        // The process that had it under this name has ended: two of them cannot use one state folder.
        let is_own = lease.host == own && !lease.is_released;
        (is_meant || is_expired || is_own).then_some(*revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERM: Duration = Duration::from_secs(2);

    fn lease(host: &str) -> ClusterLease {
        ClusterLease { host: host.to_owned(), ..ClusterLease::default() }
    }

    #[tokio::test(start_paused = true)]
    async fn lease_is_free_after_a_term_without_change() {
        let mut watch = Watch::new(TERM);
        let start = Instant::now();
        assert_eq!(watch.observe(start, None, "b"), Some(0), "nobody has led yet");
        let held = (7, lease("a"));
        assert_eq!(watch.observe(start, Some(&held), "b"), None);
        assert_eq!(watch.observe(start + TERM / 2, Some(&held), "b"), None);
        let renewed = (8, lease("a"));
        assert_eq!(watch.observe(start + TERM, Some(&renewed), "b"), None, "it was renewed");
        assert_eq!(watch.observe(start + TERM * 2, Some(&renewed), "b"), Some(8));
    }

    #[tokio::test(start_paused = true)]
    async fn released_lease_is_free_for_its_successor_first() {
        let start = Instant::now();
        let mut released = (3, ClusterLease { is_released: true, ..lease("a") });
        for (successor, host, free) in
            [("", "a", true), ("", "b", true), ("b", "b", true), ("b", "c", false), ("b", "a", false)]
        {
            successor.clone_into(&mut released.1.successor);
            let found = Watch::new(TERM).observe(start, Some(&released), host);
            assert_eq!(found.is_some(), free, "{host} after a release for {successor:?}");
        }
        let mut watch = Watch::new(TERM);
        assert_eq!(watch.observe(start, Some(&released), "c"), None);
        assert_eq!(watch.observe(start + TERM, Some(&released), "c"), Some(3), "the successor did not come");
    }

    #[tokio::test(start_paused = true)]
    async fn restarted_leader_takes_its_own_lease_at_once() {
        assert_eq!(Watch::new(TERM).observe(Instant::now(), Some(&(4, lease("a"))), "a"), Some(4));
    }
}

//! What has been told to be done, by kind, over all lives of a server.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts by kind.
#[derive(Default)]
pub(super) struct Deeds {
    counts: Mutex<BTreeMap<&'static str, u32>>,
    more: Condvar,
}

impl Deeds {
    pub(super) fn note(&self, kind: &'static str) {
        *self.counts().entry(kind).or_default() += 1;
        self.more.notify_all();
    }

    /// How many there are of all kinds.
    pub(super) fn count(&self) -> u32 {
        self.counts().values().sum()
    }

    /// Waits until there are so many.
    pub(super) fn wait_for(&self, enough: u32) {
        let few = |counts: &mut BTreeMap<_, u32>| counts.values().sum::<u32>() < enough;
        let waited = self.more.wait_timeout_while(self.counts(), crate::PATIENCE, few);
        let (counts, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "{enough} things were to be done, and these were: {counts:?}");
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<&'static str, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Display for Deeds {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let counts = self.counts();
        write!(f, "{} acknowledged changes:", counts.values().sum::<u32>())?;
        counts.iter().try_for_each(|(kind, count)| write!(f, " {kind} {count}"))
    }
}

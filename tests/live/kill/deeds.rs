//! Counts of requested and acknowledged changes, by kind, over all lives of a server.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Shared counts by kind, with notification.
#[derive(Default)]
pub(super) struct Deeds {
    counts: Mutex<Counts>,
    more: Condvar,
}

#[derive(Default)]
pub(super) struct Counts {
    begun: BTreeMap<&'static str, u32>,
    told: BTreeMap<&'static str, u32>,
    is_gone: bool,
}

impl Counts {
    /// Returns the number of acknowledged changes of all kinds.
    pub(super) fn all(&self) -> u32 {
        self.told.values().sum()
    }

    pub(super) fn begun(&self, kind: &str) -> u32 {
        self.begun.get(kind).copied().unwrap_or_default()
    }

    pub(super) fn told(&self, kind: &str) -> u32 {
        self.told.get(kind).copied().unwrap_or_default()
    }
}

impl Deeds {
    /// Counts a change that is about to be requested.
    pub(super) fn begin(&self, kind: &'static str) {
        *self.counts().begun.entry(kind).or_default() += 1;
        self.more.notify_all();
    }

    /// Counts an acknowledged change.
    pub(super) fn note(&self, kind: &'static str) {
        *self.counts().told.entry(kind).or_default() += 1;
        self.more.notify_all();
    }

    /// Records that the server is down, which ends all waits, or up again.
    pub(super) fn set_gone(&self, is_gone: bool) {
        self.counts().is_gone = is_gone;
        self.more.notify_all();
    }

    pub(super) fn is_gone(&self) -> bool {
        self.counts().is_gone
    }

    /// Waits until the condition holds or the server is down.
    pub(super) fn wait_until(&self, enough: impl Fn(&Counts) -> bool) {
        let few = |counts: &mut Counts| !counts.is_gone && !enough(counts);
        let waited = self.more.wait_timeout_while(self.counts(), crate::PATIENCE, few);
        let (counts, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "too little is done: {:?}", counts.told);
    }

    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Display for Deeds {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let counts = self.counts();
        write!(f, "{} acknowledged changes:", counts.all())?;
        counts.told.iter().try_for_each(|(kind, count)| write!(f, " {kind} {count}"))
    }
}

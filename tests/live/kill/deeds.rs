//! What has been told to be done, by kind, over all lives of a server, and what was begun.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts by kind.
#[derive(Default)]
pub(super) struct Deeds {
    counts: Mutex<Counts>,
    more: Condvar,
}

#[derive(Default)]
pub(super) struct Counts {
    begun: BTreeMap<&'static str, u32>,
    told: BTreeMap<&'static str, u32>,
    /// Whether the server is gone.
    is_gone: bool,
}

impl Counts {
    /// How many of all kinds were told.
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
    /// A change of a kind is about to be asked for.
    pub(super) fn begin(&self, kind: &'static str) {
        *self.counts().begun.entry(kind).or_default() += 1;
        self.more.notify_all();
    }

    /// A change of a kind has been told.
    pub(super) fn note(&self, kind: &'static str) {
        *self.counts().told.entry(kind).or_default() += 1;
        self.more.notify_all();
    }

    /// Notes that the server is gone, so that nobody waits for more, or that another one is there.
    pub(super) fn set_gone(&self, is_gone: bool) {
        self.counts().is_gone = is_gone;
        self.more.notify_all();
    }

    /// Whether the server is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.counts().is_gone
    }

    /// Waits until it is enough, or the server is gone.
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

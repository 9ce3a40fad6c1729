//! Deterministic measure of the cost of a step.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of units of work so far: rows read or changed, entries of an index visited, or text of similar cost. It can be
/// increased through a shared reference, because reading rows counts as well. One thread at a time counts: the atomic
/// only allows the owner to be shared, and is not incremented as a whole, which would cost as much as the work itself.
#[derive(Debug, Default)]
pub struct WorkMeter(AtomicU64);

impl WorkMeter {
    /// Adds units of work.
    pub fn add(&self, units: u64) {
        self.0.store(self.total().wrapping_add(units), Ordering::Relaxed);
    }

    /// Returns the number of units so far.
    pub fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for WorkMeter {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.total()))
    }
}

//! Deterministic measure of the cost of a step.

use std::cell::Cell;

/// Number of units of work so far: rows read or changed, entries of an index visited, or text of similar cost. It can be
/// increased through a shared reference, because reading rows counts as well.
#[derive(Clone, Debug, Default)]
pub struct WorkMeter(Cell<u64>);

impl WorkMeter {
    /// Adds units of work.
    pub fn add(&self, units: u64) {
        self.0.set(self.0.get().wrapping_add(units));
    }

    /// Returns the number of units so far.
    pub const fn total(&self) -> u64 {
        self.0.get()
    }
}

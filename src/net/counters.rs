//! Event counters for the operator's metrics.

use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;

use crate::base::Tally;

/// One counter for each tally, shared by all tasks.
#[derive(Clone, Debug)]
pub struct Counters {
    tallies: Arc<[Counter]>,
    /// Number of connections that are compressed at present.
    pub compressed: Gauge,
}

impl Default for Counters {
    fn default() -> Self {
        let tallies = Tally::ALL.iter().map(|_| Counter::default()).collect();
        Self { tallies, compressed: Gauge::default() }
    }
}

impl Counters {
    /// Adds one to a counter.
    pub fn count(&self, tally: Tally) {
        self.add(tally, 1);
    }

    /// Adds `amount` to a counter.
    pub fn add(&self, tally: Tally, amount: u64) {
        self.of(tally).inc_by(amount);
    }

    /// Returns the counter of a tally.
    pub fn of(&self, tally: Tally) -> &Counter {
        &self.tallies[tally as usize]
    }
}

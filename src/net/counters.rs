//! How often what happened, for the operator.

use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;

use crate::base::Tally;

/// A counter for each tally, shared by everybody who counts.
#[derive(Clone, Debug)]
pub struct Counters {
    tallies: Arc<[Counter]>,
    /// Connections that are compressed now.
    pub compressed: Gauge,
}

impl Default for Counters {
    fn default() -> Self {
        let tallies = Tally::ALL.iter().map(|_| Counter::default()).collect();
        Self { tallies, compressed: Gauge::default() }
    }
}

impl Counters {
    /// It happened once.
    pub fn count(&self, tally: Tally) {
        self.add(tally, 1);
    }

    /// So much of it at once.
    pub fn add(&self, tally: Tally, amount: u64) {
        self.of(tally).inc_by(amount);
    }

    /// The counter of a tally.
    pub fn of(&self, tally: Tally) -> &Counter {
        &self.tallies[tally as usize]
    }
}

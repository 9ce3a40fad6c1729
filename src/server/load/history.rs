//! Load of the last hour, for the charts of the staff page.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Time between two samples of the load.
pub(in crate::server) const SAMPLED_EVERY: Duration = Duration::from_secs(10);
/// Number of samples that are kept: an hour.
const SAMPLES_KEPT: usize = 360;

/// A sample of the load.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::server) struct Sample {
    pub(in crate::server) playing: u64,
    pub(in crate::server) connections: u64,
    pub(in crate::server) requests_waiting: u64,
    pub(in crate::server) commits_waiting: u64,
    pub(in crate::server) wal_bytes: u64,
}

/// Samples of the last hour, oldest first: for each figure, named as in a status, a list of equal length.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::server) struct LoadHistory {
    /// Seconds between two samples.
    every_secs: u64,
    playing: VecDeque<u64>,
    connections: VecDeque<u64>,
    requests_waiting: VecDeque<u64>,
    commits_waiting: VecDeque<u64>,
    wal_bytes: VecDeque<u64>,
}

impl LoadHistory {
    /// Adds a sample, and drops the one of an hour ago.
    pub(in crate::server) fn note(&mut self, sample: Sample) {
        self.every_secs = SAMPLED_EVERY.as_secs();
        for (figures, figure) in [
            (&mut self.playing, sample.playing),
            (&mut self.connections, sample.connections),
            (&mut self.requests_waiting, sample.requests_waiting),
            (&mut self.commits_waiting, sample.commits_waiting),
            (&mut self.wal_bytes, sample.wal_bytes),
        ] {
            if figures.len() >= SAMPLES_KEPT {
                figures.pop_front();
            }
            figures.push_back(figure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_has_the_last_hour() {
        let mut history = LoadHistory::default();
        for playing in 0..400 {
            history.note(Sample { playing, ..Sample::default() });
        }
        let ends = (history.playing.front(), history.playing.back());
        assert_eq!((ends, history.wal_bytes.len()), ((Some(&40), Some(&399)), SAMPLES_KEPT));
        assert_eq!(SAMPLED_EVERY * 360, Duration::from_hours(1));
    }
}

//! All metrics by name. Counters are updated where the events occur; gauges are read from the status at each scrape.

pub mod cluster;
pub mod gateway;

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use cluster::ClusterGauges;

use crate::base::Tally;
use crate::game::StepCost;
use crate::net::Counters;
use crate::server::logging;
use crate::server::peaks::Peaks;
use crate::server::question::{Problem, Status};

/// Histogram bounds in seconds: from a tenth of a step's budget to a failing disk.
const SECONDS: &[f64] =
    &[0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 10.0];

/// Handles of all metrics.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Counters by tally.
    pub counters: Counters,
    /// Seconds per batch of inputs in the game.
    pub step_seconds: Histogram,
    /// Seconds per commit.
    pub commit_seconds: Histogram,
    peaks: Mutex<Peaks>,
    asked: Asked,
    cluster: ClusterGauges,
}

/// Label of the longest step. Only one series exists at a time.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Cause {
    cause: &'static str,
}

/// Values read at each scrape.
#[derive(Debug, Default)]
struct Asked {
    connections: Gauge,
    playing: Gauge,
    link_dead: Gauge,
    requests_waiting: Gauge,
    commits_waiting: Gauge,
    read_only: Gauge,
    slow: Gauge,
    rooms: Gauge,
    branches: Gauge,
    branches_asleep: Gauge,
    characters_absent: Gauge,
    wal_bytes: Gauge,
    log_lines_dropped: Counter,
    longest_step: Family<Cause, Gauge<f64, AtomicU64>>,
    largest_step: Family<Cause, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("deepwell");
        let counters = Counters::default();
        let asked = Asked::default();
        let step_seconds = Histogram::new(SECONDS.iter().copied());
        let commit_seconds = Histogram::new(SECONDS.iter().copied());
        for tally in Tally::ALL {
            let (name, help) = tally.words();
            registry.register(name, help, counters.of(*tally).clone());
        }
        let gauges = [
            ("connections", "Open connections", &asked.connections),
            ("connections_compressed", "Compressed connections", &counters.compressed),
            ("sessions_playing", "Logged-in clients", &asked.playing),
            ("bodies_link_dead", "Characters whose client has disconnected", &asked.link_dead),
            ("requests_waiting", "Client requests waiting for the game loop", &asked.requests_waiting),
            ("commits_waiting", "Commits in flight", &asked.commits_waiting),
            ("storage_read_only", "1 while storage cannot be written", &asked.read_only),
            ("storage_slow", "1 while a commit takes longer than server.slow_commit_secs", &asked.slow),
            ("rooms", "Existing rooms", &asked.rooms),
            ("branches", "Existing branches", &asked.branches),
            ("branches_asleep", "Branches that are only in the database", &asked.branches_asleep),
            (
                "characters_absent",
                "Characters that are only in the database, because nobody plays their account",
                &asked.characters_absent,
            ),
            ("wal_bytes", "Size of the write-ahead log in bytes", &asked.wal_bytes),
        ];
        for (name, help, gauge) in gauges {
            registry.register(name, help, gauge.clone());
        }
        let dropped = asked.log_lines_dropped.clone();
        registry.register(
            "log_lines_dropped",
            "Log lines dropped because standard error was too slow or failed",
            dropped,
        );
        registry.register(
            "step_seconds",
            "Duration of one batch in the game in seconds",
            step_seconds.clone(),
        );
        registry.register(
            "longest_step_seconds",
            "Duration of the longest step of the last five to ten minutes in seconds, with its command or input",
            asked.longest_step.clone(),
        );
        registry.register(
            "largest_step_work",
            "Number of rows and effects of the step with the most work in that time, with its command or input",
            asked.largest_step.clone(),
        );
        registry.register("commit_seconds", "Duration of one commit in seconds", commit_seconds.clone());
        let cluster = ClusterGauges::register(&mut registry);
        let peaks = Mutex::default();
        Self { registry, counters, step_seconds, commit_seconds, peaks, asked, cluster }
    }
}

impl Metrics {
    /// Records a step of the game that ends at a moment.
    pub fn note_step(&self, at: Instant, took: Duration, cost: StepCost) {
        self.peaks.lock().unwrap_or_else(PoisonError::into_inner).note(at, took, cost);
    }

    /// Shows the longest step of the last minutes.
    fn show_peak(&self) {
        let peak = self.peaks.lock().unwrap_or_else(PoisonError::into_inner).last(Instant::now());
        self.asked.longest_step.clear();
        self.asked.largest_step.clear();
        let ((seconds, longest), (work, largest)) = (peak.seconds, peak.work);
        self.asked.longest_step.get_or_create(&Cause { cause: longest }).set(seconds);
        let work = i64::try_from(work).unwrap_or(i64::MAX);
        self.asked.largest_step.get_or_create(&Cause { cause: largest }).set(work);
    }

    /// Returns all metrics as `OpenMetrics` text.
    pub fn text(&self, status: &Status) -> Result<String, std::fmt::Error> {
        let asked = [
            (&self.asked.connections, status.connections),
            (&self.asked.playing, status.playing),
            (&self.asked.link_dead, status.world.link_dead),
            (&self.asked.requests_waiting, status.requests_waiting),
            (&self.asked.commits_waiting, status.commits_waiting),
            (&self.asked.read_only, u64::from(status.problems.contains(&Problem::ReadOnly))),
            (&self.asked.slow, u64::from(status.problems.contains(&Problem::SlowStorage))),
            (&self.asked.rooms, status.world.rooms),
            (&self.asked.branches, status.world.branches),
            (&self.asked.branches_asleep, status.world.branches_asleep),
            (&self.asked.characters_absent, status.world.characters_absent),
            (&self.asked.wal_bytes, status.wal_bytes),
        ];
        for (gauge, value) in asked {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        let dropped = &self.asked.log_lines_dropped;
        dropped.inc_by(logging::lines_dropped().saturating_sub(dropped.get()));
        self.show_peak();
        if let Some(cluster) = &status.cluster {
            self.cluster.show(cluster);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns the names of all series in a scrape, without the suffixes of histograms.
    fn scraped() -> BTreeSet<String> {
        let metrics = Metrics::default();
        metrics.step_seconds.observe(0.002);
        metrics.commit_seconds.observe(0.002);
        let text = metrics.text(&Status::default()).unwrap();
        let series = text.lines().filter(|line| !line.starts_with('#'));
        let name = |line: &str| {
            let name = line.split(['{', ' ']).next()?.strip_prefix("deepwell_")?;
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part));
            Some(base.unwrap_or(name).to_owned())
        };
        series.filter_map(name).collect()
    }

    #[test]
    fn documented_metrics_match_a_scrape() {
        let page = include_str!("../../docs/operate/operations.md");
        let table = page.split("| metric, each with the prefix").nth(1).expect("the table of metrics");
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let names = rows.filter_map(|row| row.split('|').nth(1));
        let documented: BTreeSet<String> =
            names.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        assert_eq!(documented, scraped());
    }

    #[test]
    fn docs_name_counters_with_total_suffix() {
        for tally in Tally::ALL {
            let bare = format!("`{}`", tally.words().0);
            let page = include_str!("../../docs/operate/operations.md");
            assert!(!page.contains(&bare), "{bare} is exported with _total");
        }
    }

    #[test]
    fn o8_counters_gauges_and_histograms_are_exported() {
        let metrics = Metrics::default();
        metrics.counters.count(Tally::ConnectionsRefused);
        metrics.commit_seconds.observe(0.002);
        let cost = StepCost { work: 40, cause: "find", is_first: false };
        metrics.note_step(Instant::now(), Duration::from_millis(4), cost);
        metrics.note_step(Instant::now(), Duration::from_millis(2), StepCost { cause: "look", ..cost });
        let status = Status { playing: 3, wal_bytes: 4_096, ..Status::default() };
        let text = metrics.text(&status).unwrap();
        for line in [
            "deepwell_connections_refused_total 1",
            "deepwell_sessions_playing 3",
            "deepwell_wal_bytes 4096",
            "deepwell_commit_seconds_bucket{le=\"0.0025\"} 1",
            "deepwell_longest_step_seconds{cause=\"find\"} 0.004",
            "deepwell_largest_step_work{cause=\"find\"} 40",
            "# EOF",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }
}

//! All metrics by name. Counters are updated where the events occur; gauges are read from the status at each scrape.

mod backup;
pub(super) mod bridges;
pub mod cluster;
pub mod gateway;
mod process;

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use backup::BackupGauges;
use bridges::BridgeMetrics;
use cluster::ClusterGauges;
use process::{ProcessMetrics, prefixed};

use crate::net::Counters;
use crate::net::tls::Validity;
use crate::server::game_loop::question::{Problem, Status};
use crate::server::load::CauseLoad;
use crate::server::load::busy_rooms::RoomTotal;
use crate::server::load::peaks::Peaks;
use deepwell_core::base::RoomId;
use deepwell_game::StepCost;

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
    /// Seconds per COMMIT statement.
    pub commit_disk_seconds: Histogram,
    /// Counters of bridges.
    pub bridges: BridgeMetrics,
    peaks: Mutex<Peaks>,
    asked: ScrapedValues,
    cluster: ClusterGauges,
    process: ProcessMetrics,
    backup: BackupGauges,
}

/// Label of the longest step. Only one series exists at a time.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Cause {
    cause: &'static str,
}

/// Values read at each scrape.
#[derive(Debug, Default)]
struct ScrapedValues {
    connections: Gauge,
    playing: Gauge,
    link_dead: Gauge,
    requests_waiting: Gauge,
    logins_waiting: Gauge,
    commits_waiting: Gauge,
    clients_held: Gauge,
    read_only: Gauge,
    slow: Gauge,
    rooms: Gauge,
    branches: Gauge,
    branches_asleep: Gauge,
    expeditions: Gauge,
    characters_absent: Gauge,
    wal_bytes: Gauge,
    longest_step: Family<Cause, Gauge<f64, AtomicU64>>,
    largest_step: Family<Cause, Gauge>,
}

impl ScrapedValues {
    /// Creates the metrics and adds them to a registry.
    fn register(registry: &mut Registry) -> Self {
        let asked = Self::default();
        let gauges = [
            ("connections", "Open connections", &asked.connections),
            ("sessions_playing", "Logged-in clients", &asked.playing),
            ("bodies_link_dead", "Characters whose client has disconnected", &asked.link_dead),
            ("requests_waiting", "Client requests waiting for the game loop", &asked.requests_waiting),
            ("logins_waiting", "Password checks and new accounts waiting for a slot", &asked.logins_waiting),
            ("commits_waiting", "Commits in flight", &asked.commits_waiting),
            ("clients_held", "Clients whose output waits for a commit", &asked.clients_held),
            ("storage_read_only", "1 while storage cannot be written", &asked.read_only),
            ("storage_slow", "1 while a commit takes longer than server.slow_commit_secs", &asked.slow),
            ("rooms", "Existing rooms", &asked.rooms),
            ("branches", "Existing branches", &asked.branches),
            ("branches_asleep", "Branches that are only in the database", &asked.branches_asleep),
            ("expeditions", "Branches that belong to an expedition", &asked.expeditions),
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
        asked
    }
}

/// Creates a histogram of durations and adds it to a registry.
fn histogram(registry: &mut Registry, name: &str, help: &str) -> Histogram {
    let histogram = Histogram::new(SECONDS.iter().copied());
    registry.register(name, help, histogram.clone());
    histogram
}

impl Default for Metrics {
    fn default() -> Self {
        let (mut whole, process) = ProcessMetrics::start("game");
        let registry = prefixed(&mut whole);
        let counters = Counters::default();
        counters.register(registry);
        let asked = ScrapedValues::register(registry);
        let step_seconds =
            histogram(registry, "step_seconds", "Duration of one batch in the game in seconds");
        let commit_seconds = histogram(
            registry,
            "commit_seconds",
            "Duration of one commit, with its sync to the disk, in seconds",
        );
        let commit_disk_seconds = histogram(
            registry,
            "commit_disk_seconds",
            "Duration of the COMMIT statement in seconds: writing to the write-ahead log, its sync, and a due checkpoint",
        );
        let cluster = ClusterGauges::register(registry);
        let backup = BackupGauges::register(registry);
        let bridges = BridgeMetrics::register(registry);
        Self {
            registry: whole,
            counters,
            step_seconds,
            commit_seconds,
            commit_disk_seconds,
            bridges,
            peaks: Mutex::default(),
            asked,
            cluster,
            process,
            backup,
        }
    }
}

impl Metrics {
    /// Records a step of the game that ends at a moment.
    pub fn note_step(&self, at: Instant, took: Duration, cost: StepCost) {
        self.peaks.lock().unwrap_or_else(PoisonError::into_inner).note(at, took, cost);
    }

    /// Returns the time of each kind of step.
    pub(super) fn loads(&self) -> Vec<CauseLoad> {
        self.peaks.lock().unwrap_or_else(PoisonError::into_inner).collect_loads(Instant::now())
    }

    /// Returns the work of the steps of the last minutes by room.
    pub(super) fn busy_rooms(&self) -> Vec<(RoomId, RoomTotal)> {
        self.peaks.lock().unwrap_or_else(PoisonError::into_inner).sum_rooms(Instant::now())
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

    /// Shows the end of the certificate, if there is one.
    pub fn show_certificate(&self, validity: Option<Validity>) {
        self.process.show_certificate(validity);
    }

    /// Returns all metrics as `OpenMetrics` text.
    pub fn text(&self, status: &Status) -> Result<String, std::fmt::Error> {
        let asked = [
            (&self.asked.connections, status.connections),
            (&self.asked.playing, status.playing),
            (&self.asked.link_dead, status.world.link_dead),
            (&self.asked.requests_waiting, status.requests_waiting),
            (&self.asked.logins_waiting, status.logins_waiting),
            (&self.asked.commits_waiting, status.commits_waiting),
            (&self.asked.clients_held, status.clients_held),
            (&self.asked.read_only, u64::from(status.problems.contains(&Problem::ReadOnly))),
            (&self.asked.slow, u64::from(status.problems.contains(&Problem::SlowStorage))),
            (&self.asked.rooms, status.world.rooms),
            (&self.asked.branches, status.world.branches),
            (&self.asked.branches_asleep, status.world.branches_asleep),
            (&self.asked.expeditions, status.world.expeditions),
            (&self.asked.characters_absent, status.world.characters_absent),
            (&self.asked.wal_bytes, status.wal_bytes),
        ];
        for (gauge, value) in asked {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        self.process.show();
        self.show_peak();
        if let Some(cluster) = &status.cluster {
            self.cluster.show(cluster);
        }
        if let Some(backup) = &status.backup {
            self.backup.show(backup);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests;

//! Metrics of a host in its cluster.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::server::cluster::{ClusterStatus, HostRole};
use crate::server::metrics::process::{ProcessMetrics, prefixed};

/// Gauges of a host in its cluster, all 0 without one.
#[derive(Debug, Default)]
pub(super) struct ClusterGauges {
    leads: Gauge,
    stored: Gauge,
    lag: Gauge,
    snapshot: Gauge,
    has_problem: Gauge,
}

impl ClusterGauges {
    /// Creates the gauges and registers them.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let gauges = Self::default();
        for (name, help, gauge) in [
            ("cluster_leader", "1 while this host leads its cluster", &gauges.leads),
            ("cluster_stored_entry", "Last entry of the cluster's log that is stored here", &gauges.stored),
            ("cluster_lag_entries", "Entries of the cluster's log that are not stored here", &gauges.lag),
            (
                "cluster_snapshot_entry",
                "Entry of the cluster's log at which the last snapshot was stored",
                &gauges.snapshot,
            ),
            (
                "cluster_problem",
                "1 while the host neither leads nor follows as it should",
                &gauges.has_problem,
            ),
        ] {
            registry.register(name, help, gauge.clone());
        }
        gauges
    }

    /// Sets the gauges.
    pub(super) fn show(&self, status: &ClusterStatus) {
        let number = |value| i64::try_from(value).unwrap_or(i64::MAX);
        self.leads.set((status.role == HostRole::Leader).into());
        self.stored.set(number(status.stored));
        self.lag.set(number(status.lag()));
        self.snapshot.set(number(status.snapshot));
        self.has_problem.set((!status.problem.is_empty()).into());
    }
}

/// Handles of all metrics of a standby.
#[derive(Debug)]
pub struct StandbyMetrics {
    registry: Registry,
    gauges: ClusterGauges,
    process: ProcessMetrics,
}

impl Default for StandbyMetrics {
    fn default() -> Self {
        let (mut registry, process) = ProcessMetrics::start("standby");
        let gauges = ClusterGauges::register(prefixed(&mut registry));
        Self { registry, gauges, process }
    }
}

impl StandbyMetrics {
    /// Returns all metrics as `OpenMetrics` text.
    pub(in crate::server) fn text(&self, status: &ClusterStatus) -> Result<String, std::fmt::Error> {
        self.gauges.show(status);
        self.process.show();
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

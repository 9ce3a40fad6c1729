//! Metrics of bridges to other chat networks.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Handles, shared by all bridges.
#[derive(Clone, Debug, Default)]
pub struct BridgeMetrics {
    lines: Family<OutcomeLabel, Counter>,
    deliveries: Family<OutcomeLabel, Counter>,
    waiting: Gauge,
    failing: Gauge,
    grapevine: Gauge,
}

/// Label of a line or a delivery.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

/// Outcomes of a line from outside.
const LINES: [&str; 4] = ["said", "limited", "declined", "unanswered"];
/// Outcomes of a delivery.
const DELIVERIES: [&str; 4] = ["delivered", "refused", "given_up", "missed"];

impl BridgeMetrics {
    /// Creates the metrics and adds them to a registry.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        for (family, outcomes) in [(&metrics.lines, LINES), (&metrics.deliveries, DELIVERIES)] {
            for outcome in outcomes {
                let _ = family.get_or_create(&OutcomeLabel { outcome });
            }
        }
        registry.register("bridge_lines", "Lines that bridges wanted to say", metrics.lines.clone());
        let help = "Events for the web hook: delivered, refused by the receiver, given up, or missed because it was too slow";
        registry.register("webhook_deliveries", help, metrics.deliveries.clone());
        let gauges = [
            ("webhook_waiting", "Events that the web hook has not delivered", &metrics.waiting),
            ("webhook_failing", "1 while the receiver of the web hook fails", &metrics.failing),
            ("grapevine_connected", "1 while the game is connected to Grapevine", &metrics.grapevine),
        ];
        for (name, help, gauge) in gauges {
            registry.register(name, help, gauge.clone());
        }
        metrics
    }

    /// Counts a line from outside.
    pub(in crate::server) fn count_line(&self, outcome: &'static str) {
        self.lines.get_or_create(&OutcomeLabel { outcome }).inc();
    }

    /// Counts events for the web hook.
    pub(in crate::server) fn count_deliveries(&self, outcome: &'static str, count: u64) {
        self.deliveries.get_or_create(&OutcomeLabel { outcome }).inc_by(count);
    }

    /// Shows the number of events that the web hook has not delivered.
    pub(in crate::server) fn show_waiting(&self, events: u64) {
        self.waiting.set(i64::try_from(events).unwrap_or(i64::MAX));
    }

    /// Shows whether the receiver of the web hook fails.
    pub(in crate::server) fn show_failing(&self, fails: bool) {
        self.failing.set(fails.into());
    }

    /// Shows whether the game is connected to Grapevine.
    pub(in crate::server) fn show_grapevine(&self, connected: bool) {
        self.grapevine.set(connected.into());
    }
}

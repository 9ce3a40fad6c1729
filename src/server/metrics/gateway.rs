//! Metrics of a gateway: the counters of its connections, and the state of its link.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::net::Counters;
use crate::net::tls::Validity;
use crate::server::link::gateway::GatewayStatus;
use crate::server::metrics::process::{ProcessMetrics, prefixed};

/// Handles of all metrics of a gateway.
#[derive(Debug)]
pub struct GatewayMetrics {
    registry: Registry,
    connections: Gauge,
    playing: Gauge,
    requests_waiting: Gauge,
    is_linked: Gauge,
    links: Counter,
    process: ProcessMetrics,
}

impl GatewayMetrics {
    /// Creates the metrics; the connections count in `counters`.
    pub fn new(counters: &Counters) -> Self {
        let (mut whole, process) = ProcessMetrics::start("gateway");
        let registry = prefixed(&mut whole);
        counters.register(registry);
        let [connections, playing, requests_waiting, is_linked] = [(); 4].map(|()| Gauge::default());
        let links = Counter::default();
        let gauges = [
            ("connections", "Open connections", &connections),
            ("sessions_playing", "Logged-in clients", &playing),
            ("requests_waiting", "Events of clients that the host has not handled", &requests_waiting),
            ("linked", "1 while there is a link to the host", &is_linked),
        ];
        for (name, help, gauge) in gauges {
            registry.register(name, help, gauge.clone());
        }
        registry.register("links", "Links to a host since the start", links.clone());
        Self { registry: whole, connections, playing, requests_waiting, is_linked, links, process }
    }

    /// Shows the end of the certificate, if there is one.
    pub(in crate::server) fn show_certificate(&self, validity: Option<Validity>) {
        self.process.show_certificate(validity);
    }

    /// Returns all metrics as `OpenMetrics` text.
    pub(in crate::server) fn text(&self, status: &GatewayStatus) -> Result<String, std::fmt::Error> {
        let gauges = [
            (&self.connections, status.connections),
            (&self.playing, status.playing),
            (&self.requests_waiting, status.requests_waiting),
            (&self.is_linked, u64::from(status.host.is_some())),
        ];
        for (gauge, value) in gauges {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        self.links.inc_by(status.links.saturating_sub(self.links.get()));
        self.process.show();
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

//! Metrics of the process, under the names that Prometheus uses for every program, and the version of the program.

use std::fs;
use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::net::clock;
use crate::net::tls::Validity;
use crate::server::logging;

/// Prefix of all metrics but those of the process.
const PREFIX: &str = "deepwell";

/// Metrics that every role has.
#[derive(Debug)]
pub(super) struct ProcessMetrics {
    resident: Gauge,
    open: Gauge,
    open_most: Gauge,
    processor: Counter<f64, AtomicU64>,
    log_lines_dropped: Counter,
    certificate_end: Gauge,
}

impl ProcessMetrics {
    /// Creates a registry with the metrics of a process in a role. The caller registers its own metrics with the prefix.
    pub(super) fn start(role: &'static str) -> (Registry, Self) {
        let mut registry = Registry::default();
        let [resident, open, open_most, started] = [(); 4].map(|()| Gauge::default());
        started.set(clock::wall().0 / 1_000);
        for (name, help, gauge) in [
            ("process_resident_memory_bytes", "Resident memory in bytes", &resident),
            ("process_open_fds", "Open file descriptors", &open),
            ("process_max_fds", "Limit of open file descriptors", &open_most),
            ("process_start_time_seconds", "Start of the process in seconds since 1970", &started),
        ] {
            registry.register(name, help, gauge.clone());
        }
        let processor = Counter::default();
        registry.register("process_cpu_seconds", "Processor time used in seconds", processor.clone());
        let log_lines_dropped = Counter::default();
        let own = prefixed(&mut registry);
        own.register(
            "log_lines_dropped",
            "Log lines dropped because standard error was too slow or failed",
            log_lines_dropped.clone(),
        );
        let certificate_end = Gauge::default();
        own.register(
            "certificate_not_after_timestamp_seconds",
            "Last moment at which the TLS certificate is valid in seconds since 1970, 0 without one",
            certificate_end.clone(),
        );
        let labels = [("version", env!("CARGO_PKG_VERSION")), ("role", role)];
        own.register(
            "build",
            "Version and role of the program, with the value 1",
            Info::new(labels.to_vec()),
        );
        (registry, Self { resident, open, open_most, processor, log_lines_dropped, certificate_end })
    }

    /// Shows the end of the certificate, if there is one.
    pub(super) fn show_certificate(&self, validity: Option<Validity>) {
        self.certificate_end.set(validity.map_or(0, |validity| validity.until.0 / 1_000));
    }

    /// Reads the values of the process.
    pub(super) fn show(&self) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        self.resident.set(kib.and_then(|kib| kib.parse::<i64>().ok()).unwrap_or_default() * 1_024);
        // Reading the folder opens one more.
        let open = fs::read_dir("/proc/self/fd").map_or(0, |files| files.count().saturating_sub(1));
        self.open.set(i64::try_from(open).unwrap_or(i64::MAX));
        let most = getrlimit(Resource::Nofile).current;
        self.open_most.set(most.and_then(|most| i64::try_from(most).ok()).unwrap_or(i64::MAX));
        let used = clock_gettime(ClockId::ProcessCPUTime);
        #[expect(clippy::cast_precision_loss, reason = "a processor time, exact for 285 years")]
        let used = used.tv_sec as f64 + used.tv_nsec as f64 / 1e9;
        self.processor.inc_by((used - self.processor.get()).max(0.0));
        let dropped = &self.log_lines_dropped;
        dropped.inc_by(logging::lines_dropped().saturating_sub(dropped.get()));
    }
}

/// Returns the registry of the metrics with the prefix.
pub(super) fn prefixed(registry: &mut Registry) -> &mut Registry {
    registry.sub_registry_with_prefix(PREFIX)
}

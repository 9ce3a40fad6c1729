//! Metrics of backups.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::server::backups::status::BackupStatus;

/// Values read at each scrape.
#[derive(Debug, Default)]
pub(super) struct BackupGauges {
    last_success: Gauge,
    bytes: Gauge,
    duration: Gauge<f64, AtomicU64>,
    late: Gauge,
    failed: Counter,
    hooks_failed: Counter,
    batches_bytes: Gauge,
    batches_logged: Counter,
    batches_lost: Counter,
}

impl BackupGauges {
    /// Creates the metrics and adds them to a registry.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let gauges = Self::default();
        let numbers = [
            (
                "backup_last_success_timestamp_seconds",
                "Time of the last sound backup in seconds since 1970, 0 if there is none",
                &gauges.last_success,
            ),
            ("backup_bytes", "Size of the last sound backup in bytes", &gauges.bytes),
            ("backup_batches_bytes", "Size of the log of batches in bytes", &gauges.batches_bytes),
            ("backup_late", "1 if no backup has been made for longer than twice backup.every", &gauges.late),
        ];
        for (name, help, gauge) in numbers {
            registry.register(name, help, gauge.clone());
        }
        registry.register(
            "backup_duration_seconds",
            "Time that the last backup and its check took in seconds",
            gauges.duration.clone(),
        );
        registry.register("backups_failed", "Backups that failed", gauges.failed.clone());
        registry.register(
            "backup_hooks_failed",
            "Failed runs of the program in backup.hook",
            gauges.hooks_failed.clone(),
        );
        registry.register(
            "backup_batches_logged",
            "Committed batches that were written to the log of batches",
            gauges.batches_logged.clone(),
        );
        registry.register(
            "backup_batches_lost",
            "Committed batches that are missing in the log of batches",
            gauges.batches_lost.clone(),
        );
        gauges
    }

    /// Shows a status.
    pub(super) fn show(&self, status: &BackupStatus) {
        self.last_success.set(status.last_success_seconds);
        self.bytes.set(i64::try_from(status.bytes).unwrap_or(i64::MAX));
        self.duration.set(status.duration_seconds);
        self.late.set(status.late.into());
        self.failed.inc_by(status.failed.saturating_sub(self.failed.get()));
        self.hooks_failed.inc_by(status.hooks_failed.saturating_sub(self.hooks_failed.get()));
        self.batches_bytes.set(i64::try_from(status.batches_bytes).unwrap_or(i64::MAX));
        self.batches_logged.inc_by(status.batches_logged.saturating_sub(self.batches_logged.get()));
        self.batches_lost.inc_by(status.batches_lost.saturating_sub(self.batches_lost.get()));
    }
}

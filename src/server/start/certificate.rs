//! The TLS certificate: loaded before any port is opened, and reloaded at the operator's request or when its files have
//! changed. If a new certificate cannot be used, this is logged and the old one stays in use.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval};

use crate::net::clock;
use crate::net::tls::{CertificateFiles, Identity, TlsError, Validity};
use crate::server::game_loop::question::{Problem, Status};
use deepwell_core::base::{GameTime, Span};

/// Interval between checks for changed files.
const LOOK: Duration = Duration::from_mins(1);
/// Time before the end of the certificate from which the operator is warned: authorities renew certificates earlier.
const EARLY: Span = Span::mins(14 * 24 * 60);
/// Number of checks between two warnings.
const CHECKS_PER_WARNING: u32 = 24 * 60;

/// The certificate, if one is configured. Clones share it.
#[derive(Clone, Debug)]
pub struct Certificate {
    identity: Option<Arc<Identity>>,
}

/// Reason why the old certificate stays in use; also logged.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The server was started without a certificate.
    #[error("no certificate to reload: tls.cert and tls.key are not set")]
    NoCertificate,
    /// The new certificate cannot be used.
    #[error(transparent)]
    Unusable(#[from] TlsError),
    /// The task that reads the files panicked.
    #[error(transparent)]
    Interrupted(#[from] JoinError),
}

impl Certificate {
    /// Loads the certificate, if files are configured. Errors are worded for the operator.
    pub fn load(files: Option<CertificateFiles>) -> Result<Self, TlsError> {
        files.map(Identity::load).transpose().map(|identity| Self { identity })
    }

    /// Returns the period of the certificate in use, if there is one whose encoding is understood.
    pub fn validity(&self) -> Option<Validity> {
        self.identity.as_ref()?.validity()
    }

    /// Returns what is wrong with the certificate at a moment, or soon will be.
    pub(in crate::server) fn warning(&self, now: GameTime) -> Option<String> {
        let validity =
            self.validity().filter(|validity| !validity.contains(now) || validity.until < now + EARLY)?;
        let file = self.identity.as_ref()?.files().certificate.display();
        Some(format!("{file}: {}", validity.words(now)))
    }

    /// Adds the end of the certificate, and a warning, to a status.
    pub(in crate::server) fn note_in(&self, status: &mut Status) {
        let now = clock::wall();
        status.certificate = self.validity().map(|validity| validity.words(now));
        status.problems.extend(self.warning(now).map(|_| Problem::CertificateExpires));
    }

    /// Logs a warning if the certificate is not valid, or soon will not be.
    fn warn(&self) {
        if let Some(warning) = self.warning(clock::wall()) {
            tracing::warn!(%warning, "renew the certificate: clients refuse one that is not valid");
        }
    }

    /// Returns the certificate that listeners use.
    pub const fn identity(&self) -> Option<&Arc<Identity>> {
        self.identity.as_ref()
    }

    /// Reloads the files.
    pub async fn reload(&self) -> Result<(), ReloadError> {
        let Some(identity) = self.identity.clone() else {
            return Err(ReloadError::NoCertificate);
        };
        let files = identity.files().clone();
        // On the blocking pool, so that a hanging disk does not delay players.
        let read = spawn_blocking(move || identity.reload(clock::wall())).await;
        match read.map_err(ReloadError::from).and_then(|read| Ok(read?)) {
            Ok(()) => {
                tracing::info!(cert = %files.certificate.display(), "certificate reloaded");
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, "the new certificate cannot be used; the old one stays in use");
                Err(error)
            }
        }
    }

    /// Reloads the files whenever they have changed, and at each SIGHUP. Never returns.
    pub async fn watch(self) {
        let mut hang_up = signal(SignalKind::hangup())
            .inspect_err(|error| tracing::warn!(%error, "cannot catch SIGHUP"))
            .ok();
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut checks = 0;
        loop {
            if checks % CHECKS_PER_WARNING == 0 {
                self.warn();
            }
            checks += 1;
            let due = tokio::select! {
                () = caught(&mut hang_up) => true,
                _ = looks.tick() => self.is_outdated().await,
            };
            if due {
                // Errors have been logged.
                let _ = self.reload().await;
            }
        }
    }

    async fn is_outdated(&self) -> bool {
        let Some(identity) = self.identity.clone() else { return false };
        spawn_blocking(move || identity.is_outdated()).await.unwrap_or(false)
    }
}

/// Waits for the next signal; for ever if the signal cannot be caught.
async fn caught(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[tokio::test(start_paused = true)]
    async fn protocols_9_changed_files_are_reloaded_within_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
        let write = || {
            let made = rcgen::generate_simple_self_signed(["well.example".to_owned()]).unwrap();
            for (path, text) in [(&cert, made.cert.pem()), (&key, made.signing_key.serialize_pem())] {
                let next = path.with_extension("next");
                fs::write(&next, text).unwrap();
                fs::rename(next, path).unwrap();
            }
        };
        write();
        let files = CertificateFiles { certificate: cert.clone(), key: key.clone() };
        let certificate = Certificate::load(Some(files)).unwrap();
        let identity = Arc::clone(certificate.identity().unwrap());
        let watching = tokio::spawn(certificate.watch());
        tokio::time::sleep(LOOK / 2).await;
        write();
        assert!(identity.is_outdated());
        tokio::time::sleep(LOOK).await;
        assert!(!identity.is_outdated());
        watching.abort();
    }

    #[tokio::test]
    async fn reload_without_certificate_is_an_error() {
        let none = Certificate::load(None).unwrap();
        assert!(none.reload().await.unwrap_err().to_string().contains("tls.cert"));
        assert!(!none.is_outdated().await);
    }
}

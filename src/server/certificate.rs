//! The certificate over the life of a server: read before anything is opened, and again when an operator says so or when
//! its files have changed. A new one that cannot be used leaves the old one in force; that is logged and stops nobody.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval};

use crate::net::tls::{Files, Identity, TlsError};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_mins(1);

/// The certificate, if there is one. Copies are the same.
#[derive(Clone, Debug)]
pub struct Certificate {
    identity: Option<Arc<Identity>>,
}

/// Why the old certificate stays in force, for the operator, who finds it in the log, too.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The server was started without one.
    #[error("there is no certificate to read again: tls.cert and tls.key are not set")]
    NoCertificate,
    /// The new one cannot be used.
    #[error(transparent)]
    Unusable(#[from] TlsError),
    /// The reading itself broke.
    #[error(transparent)]
    Interrupted(#[from] JoinError),
}

impl Certificate {
    /// Reads it, if files are named. Errors are for the operator.
    pub fn load(files: Option<Files>) -> Result<Self, TlsError> {
        files.map(Identity::load).transpose().map(|identity| Self { identity })
    }

    /// What listeners serve.
    pub const fn identity(&self) -> Option<&Arc<Identity>> {
        self.identity.as_ref()
    }

    /// Reads the files again.
    pub async fn reload(&self) -> Result<(), ReloadError> {
        let Some(identity) = self.identity.clone() else {
            return Err(ReloadError::NoCertificate);
        };
        let files = identity.files().clone();
        // A file on a disk that does not answer must not hold up those who play.
        let read = spawn_blocking(move || identity.reload()).await;
        match read.map_err(ReloadError::from).and_then(|read| Ok(read?)) {
            Ok(()) => {
                tracing::info!(cert = %files.certificate.display(), "the certificate was read again");
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, "the new certificate cannot be used; the old one stays in force");
                Err(error)
            }
        }
    }

    /// Reads the files again whenever they have changed, and at each SIGHUP. Never ends.
    pub async fn watch(self) {
        let mut hang_up = signal(SignalKind::hangup())
            .inspect_err(|error| tracing::warn!(%error, "cannot catch SIGHUP"))
            .ok();
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = tokio::select! {
                () = caught(&mut hang_up) => true,
                _ = looks.tick() => self.is_outdated().await,
            };
            if due {
                // What went wrong has been logged.
                let _ = self.reload().await;
            }
        }
    }

    async fn is_outdated(&self) -> bool {
        let Some(identity) = self.identity.clone() else { return false };
        spawn_blocking(move || identity.is_outdated()).await.unwrap_or(false)
    }
}

/// Waits for the next signal; for ever if it cannot be caught.
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
    async fn protocols_9_changed_files_are_read_within_a_minute() {
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
        let files = Files { certificate: cert.clone(), key: key.clone() };
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
    async fn a_server_without_a_certificate_says_so() {
        let none = Certificate::load(None).unwrap();
        assert!(none.reload().await.unwrap_err().to_string().contains("tls.cert"));
        assert!(!none.is_outdated().await);
    }
}

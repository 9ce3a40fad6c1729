//! The server's TLS certificate: read from two PEM files and reloaded while the server runs. All listeners that encrypt
//! take their acceptor from here.
//!
//! TLS 1.2 and 1.3 by rustls with ring. A *certificate* is a chain with the server's own certificate first; a *key* is
//! the private key of that first certificate.

mod validity;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;
use std::{fmt, fs, io};

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

use deepwell_core::base::GameTime;
pub use validity::Validity;

/// Maximum file size in bytes: far more than any certificate chain needs.
const FILE_BYTES_MAX: u64 = 1_048_576;
/// Time limit for the TLS handshake.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Limit of encrypted bytes buffered for a client. Small, because a client that does not read is detected only once the
/// buffer is full.
const ENCRYPTED_BYTES: usize = 8_192;

/// Performs the TLS handshake with a client.
///
/// # Errors
/// No TLS version or cipher in common, a lost connection, or a timeout.
pub async fn accept(acceptor: &TlsAcceptor, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    let accept = acceptor.accept_with(stream, |session| session.set_buffer_limit(Some(ENCRYPTED_BYTES)));
    timeout(HANDSHAKE_TIME, accept).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// Paths of certificate and key, which may be in the same file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertificateFiles {
    /// Certificate chain in PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// Private key in PEM: PKCS #8, PKCS #1 or SEC 1, without a passphrase.
    pub key: PathBuf,
}

/// Reason why a certificate cannot be used. The message names the file and the fix.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file cannot be read.
    #[error("{0}: cannot be read: {1}; the server's user must be able to read it")]
    Unreadable(PathBuf, io::Error),
    /// The file is too long.
    #[error("{0}: is larger than one megabyte; it should contain only PEM sections")]
    TooLong(PathBuf),
    /// The file is not valid PEM.
    #[error("{0}: is not valid PEM: {1}")]
    Broken(PathBuf, pem::Error),
    /// The file has no certificate.
    #[error(
        "{0}: holds no certificate; it should have a section that begins with -----BEGIN CERTIFICATE-----"
    )]
    NoCertificate(PathBuf),
    /// The file has no private key.
    #[error(
        "{0}: holds no private key; it should have a section such as -----BEGIN PRIVATE KEY-----, without a passphrase"
    )]
    NoKey(PathBuf),
    /// The key does not match the certificate.
    #[error(
        "{key}: is not the key of the first certificate in {certificate}; the server's own certificate must come first"
    )]
    Mismatch {
        /// Path of the certificate.
        certificate: PathBuf,
        /// Path of the key.
        key: PathBuf,
    },
    /// Clients refuse the certificate at present.
    #[error("{}: {}; clients refuse it", .0.display(), .1.words(*.2))]
    Invalid(PathBuf, Validity, GameTime),
    /// The type of certificate or key is not supported.
    #[error("{0}: cannot be used: {1}")]
    Unusable(PathBuf, rustls::Error),
}

/// Current certificate, shared by all listeners. A reloaded certificate is used from the next handshake on.
pub struct Identity {
    files: CertificateFiles,
    served: RwLock<Served>,
    tried: Mutex<Stamp>,
}

/// Certificate with its key, and its period, unless its encoding is not understood.
type Served = (Arc<CertifiedKey>, Option<Validity>);

impl Identity {
    /// Reads the files. Errors are for the operator.
    pub fn load(files: CertificateFiles) -> Result<Arc<Self>, TlsError> {
        let tried = Stamp::of(&files);
        let served = read(&files)?;
        Ok(Arc::new(Self { files, served: RwLock::new(served), tried: Mutex::new(tried) }))
    }

    /// Reloads the files. After an error the previous certificate stays in use, as it does if the new one is not valid at
    /// present.
    pub fn reload(&self, now: GameTime) -> Result<(), TlsError> {
        *self.tried() = Stamp::of(&self.files);
        let fresh = read(&self.files)?;
        if let Some(validity) = fresh.1.filter(|validity| !validity.contains(now)) {
            return Err(TlsError::Invalid(self.files.certificate.clone(), validity, now));
        }
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// Returns `true` if one of the files has changed since it was last read, successfully or not.
    pub fn is_outdated(&self) -> bool {
        *self.tried() != Stamp::of(&self.files)
    }

    /// Returns the period of the certificate in use; `None` if its encoding is not understood.
    pub fn validity(&self) -> Option<Validity> {
        self.served.read().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Returns the paths of certificate and key.
    pub const fn files(&self) -> &CertificateFiles {
        &self.files
    }

    /// Creates the acceptor of a listener. `protocols` are the ALPN names (RFC 7301) to offer, such as `http/1.1`;
    /// empty for telnet.
    ///
    /// # Errors
    /// The library does not support its cipher suites; never in a build that passes its tests.
    pub fn acceptor(self: &Arc<Self>, protocols: &[&str]) -> Result<TlsAcceptor, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    fn tried(&self) -> MutexGuard<'_, Stamp> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResolvesServerCert for Identity {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.served.read().unwrap_or_else(PoisonError::into_inner).0))
    }
}

impl fmt::Debug for Identity {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").field("files", &self.files).finish_non_exhaustive()
    }
}

/// Version of the two files, to detect changes. The change time also moves with a change of permissions. `None` for a
/// file whose metadata cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp([Option<FileStamp>; 2]);

/// Device, inode, length, and change time in seconds and nanoseconds.
type FileStamp = (u64, u64, u64, i64, i64);

impl Stamp {
    fn of(files: &CertificateFiles) -> Self {
        Self([&files.certificate, &files.key].map(|path| {
            let file = fs::metadata(path).ok()?;
            Some((file.dev(), file.ino(), file.len(), file.ctime(), file.ctime_nsec()))
        }))
    }
}

fn read(files: &CertificateFiles) -> Result<Served, TlsError> {
    let (certificate, key) = (&files.certificate, &files.key);
    let chain = bytes(certificate)?;
    let chain = CertificateDer::pem_slice_iter(&chain)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| TlsError::Broken(certificate.clone(), error))?;
    let Some(own) = chain.first() else { return Err(TlsError::NoCertificate(certificate.clone())) };
    let validity = Validity::read(own);
    let secret = PrivateKeyDer::from_pem_slice(&bytes(key)?).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey(key.clone()),
        error => TlsError::Broken(key.clone(), error),
    })?;
    let served =
        CertifiedKey::from_der(chain, secret, &ring::default_provider()).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::Mismatch { certificate: certificate.clone(), key: key.clone() }
            }
            rustls::Error::InvalidCertificate(_) => TlsError::Unusable(certificate.clone(), error),
            error => TlsError::Unusable(key.clone(), error),
        })?;
    Ok((Arc::new(served), validity))
}

fn bytes(path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |error| TlsError::Unreadable(path.to_owned(), error);
    if fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX {
        return Err(TlsError::TooLong(path.to_owned()));
    }
    fs::read(path).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertifiedKey as Made, generate_simple_self_signed};
    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, RootCertStore};
    use tempfile::TempDir;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio_rustls::TlsConnector;

    const NAME: &str = "well.example";
    /// 2027-01-15: certificates of the tests are valid from 1975 to 4096.
    const NOW: GameTime = GameTime(1_800_000_000_000);

    fn made() -> Made<rcgen::KeyPair> {
        generate_simple_self_signed([NAME.to_owned()]).unwrap()
    }

    fn write(folder: &TempDir, made: &Made<rcgen::KeyPair>) -> CertificateFiles {
        let files = CertificateFiles {
            certificate: folder.path().join("cert.pem"),
            key: folder.path().join("key.pem"),
        };
        replace(&files.certificate, &made.cert.pem());
        replace(&files.key, &made.signing_key.serialize_pem());
        files
    }

    /// Replaces a file by renaming: the timestamps of file systems are coarse, but the inode differs.
    fn replace(path: &Path, text: &str) {
        let next = path.with_extension("next");
        fs::write(&next, text).unwrap();
        fs::rename(next, path).unwrap();
    }

    /// Returns a client that trusts this certificate only.
    fn trusting(made: &Made<rcgen::KeyPair>) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(made.cert.der().clone()).unwrap();
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        TlsConnector::from(Arc::new(config))
    }

    /// Returns `true` if a client that trusts this certificate can read a greeting.
    async fn greets(identity: &Arc<Identity>, made: &Made<rcgen::KeyPair>) -> bool {
        let (near, far) = duplex(16_384);
        let acceptor = identity.acceptor(&[]).unwrap();
        let server = async {
            let mut stream = acceptor.accept(near).await?;
            stream.write_all(b"Welcome.").await?;
            stream.shutdown().await
        };
        let client = async {
            let connected = trusting(made).connect(ServerName::try_from(NAME).unwrap(), far).await;
            let Ok(mut stream) = connected else { return false };
            let mut heard = String::new();
            // Without a close_notify this would be an unexpected end of file.
            stream.read_to_string(&mut heard).await.is_ok() && heard == "Welcome."
        };
        let (_, greeted) = tokio::join!(server, client);
        greeted
    }

    #[tokio::test]
    async fn protocols_9_certificate_is_reloaded_without_restart() {
        let folder = TempDir::new().unwrap();
        let (old, new) = (made(), made());
        let identity = Identity::load(write(&folder, &old)).unwrap();
        assert!(greets(&identity, &old).await && !greets(&identity, &new).await);
        assert!(!identity.is_outdated());
        write(&folder, &new);
        assert!(identity.is_outdated());
        identity.reload(NOW).unwrap();
        assert!(!identity.is_outdated());
        assert!(greets(&identity, &new).await && !greets(&identity, &old).await);
    }

    #[tokio::test]
    async fn protocols_9_failed_reload_keeps_previous_certificate() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let files = write(&folder, &good);
        let identity = Identity::load(files.clone()).unwrap();
        for rubbish in ["", "rubbish", "-----BEGIN CERTIFICATE-----\nAAAA\n", &made().cert.pem()] {
            replace(&files.certificate, rubbish);
            assert!(identity.is_outdated());
            assert!(identity.reload(NOW).is_err());
            assert!(!identity.is_outdated(), "it is not tried again until something changes");
            assert!(greets(&identity, &good).await);
        }
        fs::remove_file(&files.certificate).unwrap();
        assert!(identity.is_outdated() && identity.reload(NOW).is_err() && greets(&identity, &good).await);
    }

    #[test]
    fn o2_certificate_errors_name_file_and_fix() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let files = write(&folder, &good);
        let refusal = |files: &CertificateFiles| {
            let error = Identity::load(files.clone()).unwrap_err();
            assert!(std::error::Error::source(&error).is_none(), "a start says its words once: {error}");
            let text = error.to_string();
            text.replace(&folder.path().display().to_string(), "")
        };
        let swapped = CertificateFiles { certificate: files.key.clone(), key: files.certificate.clone() };
        assert!(
            refusal(&swapped).starts_with("/key.pem: holds no certificate; it should have"),
            "{}",
            refusal(&swapped)
        );
        let keyless = CertificateFiles { key: files.certificate.clone(), ..files.clone() };
        assert!(refusal(&keyless).starts_with("/cert.pem: holds no private key; it should have"));
        let missing = CertificateFiles { key: folder.path().join("none.pem"), ..files.clone() };
        assert!(refusal(&missing).starts_with("/none.pem: cannot be read: No such file"));
        fs::write(&files.key, made().signing_key.serialize_pem()).unwrap();
        assert_eq!(
            refusal(&files),
            "/key.pem: is not the key of the first certificate in /cert.pem; the server's own certificate must come first"
        );
    }

    /// A certificate is served at a start, but does not replace another one, while clients refuse it.
    #[tokio::test]
    async fn protocols_9_expired_or_future_certificate_does_not_replace_another() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let files = write(&folder, &good);
        let identity = Identity::load(files.clone()).unwrap();
        for (from, until, reason) in [
            (2024, 2025, "has expired on 2025-01-01 00:00:00 UTC"),
            (2028, 2029, "is valid only from 2028-01-01 00:00:00 UTC"),
        ] {
            let mut params = rcgen::CertificateParams::new([NAME.to_owned()]).unwrap();
            params.not_before = rcgen::date_time_ymd(from, 1, 1);
            params.not_after = rcgen::date_time_ymd(until, 1, 1);
            let signing_key = rcgen::KeyPair::generate().unwrap();
            let cert = params.self_signed(&signing_key).unwrap();
            write(&folder, &Made { cert, signing_key });
            let error = identity.reload(NOW).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(greets(&identity, &good).await);
            assert!(Identity::load(files.clone()).unwrap().validity().is_some_and(|it| !it.contains(NOW)));
        }
    }

    #[test]
    fn certificate_and_key_may_share_a_file() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let both = folder.path().join("both.pem");
        fs::write(&both, good.signing_key.serialize_pem() + &good.cert.pem()).unwrap();
        assert!(Identity::load(CertificateFiles { certificate: both.clone(), key: both }).is_ok());
    }
}

//! The server's certificate: read from two PEM files, served to whoever connects, and read again while the server runs.
//! Every listener that encrypts takes its acceptor from here; what is said inside the encryption is not known here.
//!
//! TLS 1.2 and 1.3 by rustls with ring. The names are the usual ones: a *certificate* is a chain of them, the server's
//! own first; a *key* is the private key of the first.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

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

/// Bytes of the longest file that is read: far more than any chain of certificates needs.
const FILE_BYTES_MAX: u64 = 1_048_576;
/// How long a client may take to agree on encryption.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Encrypted bytes that wait for a client. Few, because whether it reads shows only when they have gone.
const ENCRYPTED_BYTES: usize = 8_192;

/// Agrees with a client on the encryption.
///
/// # Errors
/// The client speaks no TLS that we speak, was gone, or took too long.
pub async fn accept(acceptor: &TlsAcceptor, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    let accept = acceptor.accept_with(stream, |session| session.set_buffer_limit(Some(ENCRYPTED_BYTES)));
    timeout(HANDSHAKE_TIME, accept).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// Where certificate and key lie. They may be the same file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The chain, PEM, the server's own certificate first.
    pub certificate: PathBuf,
    /// Its private key, PEM: PKCS #8, PKCS #1 or SEC 1, without a passphrase.
    pub key: PathBuf,
}

/// Why a certificate cannot be served: the file, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file cannot be read.
    #[error("{0}: cannot be read: {1}; the server's user must be able to read it")]
    Unreadable(PathBuf, io::Error),
    /// The file is far too long.
    #[error("{0}: is longer than a megabyte; it should hold nothing but PEM sections")]
    TooLong(PathBuf),
    /// The file is not PEM, or its PEM is broken.
    #[error("{0}: is not sound PEM: {1}")]
    Broken(PathBuf, pem::Error),
    /// There is no certificate in the file.
    #[error(
        "{0}: holds no certificate; it should have a section that begins with -----BEGIN CERTIFICATE-----"
    )]
    NoCertificate(PathBuf),
    /// There is no key in the file.
    #[error(
        "{0}: holds no private key; it should have a section such as -----BEGIN PRIVATE KEY-----, without a passphrase"
    )]
    NoKey(PathBuf),
    /// The key belongs to another certificate.
    #[error(
        "{key}: is not the key of the first certificate in {certificate}; the server's own certificate must come first"
    )]
    Mismatch {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
    },
    /// Certificate or key is of a kind that cannot be used.
    #[error("{0}: cannot be used: {1}")]
    Unusable(PathBuf, rustls::Error),
}

/// The certificate in force. Shared by all listeners; a new one is served from the next handshake on.
pub struct Identity {
    files: Files,
    served: RwLock<Arc<CertifiedKey>>,
    tried: Mutex<Stamp>,
}

impl Identity {
    /// Reads the files. Errors are for the operator.
    pub fn load(files: Files) -> Result<Arc<Self>, TlsError> {
        let tried = Stamp::of(&files);
        let served = read(&files)?;
        Ok(Arc::new(Self { files, served: RwLock::new(served), tried: Mutex::new(tried) }))
    }

    /// Reads the files again. After an error the certificate that was served before is served on.
    pub fn reload(&self) -> Result<(), TlsError> {
        *self.tried() = Stamp::of(&self.files);
        let fresh = read(&self.files)?;
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    /// Whether one of the files is another than when they were last read, well or not.
    pub fn is_outdated(&self) -> bool {
        *self.tried() != Stamp::of(&self.files)
    }

    /// Where certificate and key lie.
    pub const fn files(&self) -> &Files {
        &self.files
    }

    /// What a listener accepts with. `protocols` are the names that it offers by ALPN (RFC 7301), such as `http/1.1`;
    /// none for telnet.
    ///
    /// # Errors
    /// The library and its cipher suites do not fit together; never in a build that passes its tests.
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
        Some(Arc::clone(&self.served.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for Identity {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").field("files", &self.files).finish_non_exhaustive()
    }
}

/// What tells one version of the files from the next: for each its device, node, length, and the moment of its last
/// change, which a change of rights moves, too. A file that cannot be looked at has none.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp([Option<Look>; 2]);

/// Device, node, length, and the seconds and nanoseconds of the last change.
type Look = (u64, u64, u64, i64, i64);

impl Stamp {
    fn of(files: &Files) -> Self {
        Self([&files.certificate, &files.key].map(|path| {
            let file = fs::metadata(path).ok()?;
            Some((file.dev(), file.ino(), file.len(), file.ctime(), file.ctime_nsec()))
        }))
    }
}

fn read(files: &Files) -> Result<Arc<CertifiedKey>, TlsError> {
    let (certificate, key) = (&files.certificate, &files.key);
    let chain = bytes(certificate)?;
    let chain = CertificateDer::pem_slice_iter(&chain)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| TlsError::Broken(certificate.clone(), error))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.clone()));
    }
    let secret = PrivateKeyDer::from_pem_slice(&bytes(key)?).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey(key.clone()),
        error => TlsError::Broken(key.clone(), error),
    })?;
    CertifiedKey::from_der(chain, secret, &ring::default_provider()).map(Arc::new).map_err(
        |error| match error {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::Mismatch { certificate: certificate.clone(), key: key.clone() }
            }
            rustls::Error::InvalidCertificate(_) => TlsError::Unusable(certificate.clone(), error),
            error => TlsError::Unusable(key.clone(), error),
        },
    )
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

    fn made() -> Made<rcgen::KeyPair> {
        generate_simple_self_signed([NAME.to_owned()]).unwrap()
    }

    fn write(folder: &TempDir, made: &Made<rcgen::KeyPair>) -> Files {
        let files = Files { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        replace(&files.certificate, &made.cert.pem());
        replace(&files.key, &made.signing_key.serialize_pem());
        files
    }

    /// Puts a new file in the place of another: clocks of file systems are coarse, but the node is another.
    fn replace(path: &Path, text: &str) {
        let next = path.with_extension("next");
        fs::write(&next, text).unwrap();
        fs::rename(next, path).unwrap();
    }

    /// A client that trusts this certificate and no other.
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

    /// Whether a client that trusts this certificate can be talked to.
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
            // Without a close_notify this would be an unexpected end.
            stream.read_to_string(&mut heard).await.is_ok() && heard == "Welcome."
        };
        let (_, greeted) = tokio::join!(server, client);
        greeted
    }

    #[tokio::test]
    async fn protocols_9_a_certificate_is_served_and_replaced_without_a_restart() {
        let folder = TempDir::new().unwrap();
        let (old, new) = (made(), made());
        let identity = Identity::load(write(&folder, &old)).unwrap();
        assert!(greets(&identity, &old).await && !greets(&identity, &new).await);
        assert!(!identity.is_outdated());
        write(&folder, &new);
        assert!(identity.is_outdated());
        identity.reload().unwrap();
        assert!(!identity.is_outdated());
        assert!(greets(&identity, &new).await && !greets(&identity, &old).await);
    }

    #[tokio::test]
    async fn protocols_9_a_broken_file_leaves_the_old_certificate_in_force() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let files = write(&folder, &good);
        let identity = Identity::load(files.clone()).unwrap();
        for rubbish in ["", "rubbish", "-----BEGIN CERTIFICATE-----\nAAAA\n", &made().cert.pem()] {
            replace(&files.certificate, rubbish);
            assert!(identity.is_outdated());
            assert!(identity.reload().is_err());
            assert!(!identity.is_outdated(), "it is not tried again until something changes");
            assert!(greets(&identity, &good).await);
        }
        fs::remove_file(&files.certificate).unwrap();
        assert!(identity.is_outdated() && identity.reload().is_err() && greets(&identity, &good).await);
    }

    #[test]
    fn o2_what_is_wrong_with_a_file_names_the_file_and_the_cure() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let files = write(&folder, &good);
        let told = |files: &Files| {
            let error = Identity::load(files.clone()).unwrap_err();
            assert!(std::error::Error::source(&error).is_none(), "a start says its words once: {error}");
            let text = error.to_string();
            text.replace(&folder.path().display().to_string(), "")
        };
        let swapped = Files { certificate: files.key.clone(), key: files.certificate.clone() };
        assert!(
            told(&swapped).starts_with("/key.pem: holds no certificate; it should have"),
            "{}",
            told(&swapped)
        );
        let keyless = Files { key: files.certificate.clone(), ..files.clone() };
        assert!(told(&keyless).starts_with("/cert.pem: holds no private key; it should have"));
        let missing = Files { key: folder.path().join("none.pem"), ..files.clone() };
        assert!(told(&missing).starts_with("/none.pem: cannot be read: No such file"));
        fs::write(&files.key, made().signing_key.serialize_pem()).unwrap();
        assert_eq!(
            told(&files),
            "/key.pem: is not the key of the first certificate in /cert.pem; the server's own certificate must come first"
        );
    }

    #[test]
    fn one_file_may_hold_both() {
        let folder = TempDir::new().unwrap();
        let good = made();
        let both = folder.path().join("both.pem");
        fs::write(&both, good.signing_key.serialize_pem() + &good.cert.pem()).unwrap();
        assert!(Identity::load(Files { certificate: both.clone(), key: both }).is_ok());
    }
}

//! Connection of a player: TCP, or TLS over it.

use anyhow::Context as _;
use rcgen::generate_simple_self_signed;
use std::fs;
use std::io::{self, IoSlice};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Name in the certificate.
const NAME: &str = "well.example";

/// Connection of a player.
pub(crate) enum Wire {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Certificate of a server, and the clients that trust it.
#[derive(Clone)]
pub(crate) struct Trust {
    connector: TlsConnector,
}

impl Trust {
    /// Writes a new certificate to a folder. Returns the settings that use it, too.
    pub(crate) fn create(folder: &Path) -> anyhow::Result<(Self, [String; 3])> {
        let made = generate_simple_self_signed([NAME.to_owned()])?;
        let [cert, key] = ["cert.pem", "key.pem"].map(|file| folder.join(file));
        fs::write(&cert, made.cert.pem())?;
        fs::write(&key, made.signing_key.serialize_pem())?;
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::clone(made.cert.der()))?;
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let settings = [
            "telnet.tls_listen=127.0.0.1:0".to_owned(),
            format!("tls.cert={}", cert.display()),
            format!("tls.key={}", key.display()),
        ];
        Ok((Self { connector: TlsConnector::from(Arc::new(config)) }, settings))
    }

    /// Encrypts a connection.
    pub(crate) async fn encrypt(&self, stream: TcpStream) -> anyhow::Result<Wire> {
        let stream = self.connector.connect(ServerName::try_from(NAME)?, stream).await.context("no TLS")?;
        Ok(Wire::Tls(Box::new(stream)))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, into),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, into),
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Self::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

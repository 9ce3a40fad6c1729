//! The sockets that listen: opened together, before anybody is let in. Who accepts on them is `net`'s and `http`'s.

use std::io;
use std::net::SocketAddr;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::net::bind;
use crate::server::certificate::Certificate;
use crate::server::config::Config;
use crate::server::lifecycle::Ready;

/// The sockets that listen.
pub(super) struct Sockets {
    /// For plain telnet.
    pub(super) telnet: TcpListener,
    /// For telnet in TLS, with what is accepted with.
    pub(super) telnet_tls: Option<(TcpListener, TlsAcceptor)>,
    /// For browsers, with what is accepted with if everything there is encrypted.
    pub(super) http: Option<(TcpListener, Option<TlsAcceptor>)>,
    /// For operators.
    pub(super) ops: Option<TcpListener>,
}

impl Sockets {
    /// Opens all of them. An error names the setting.
    pub(super) fn bind(config: &Config, certificate: &Certificate) -> anyhow::Result<Self> {
        let encrypted = config.telnet.tls_listen.zip(certificate.identity()).map(|(address, identity)| {
            anyhow::Ok((listen("telnet.tls_listen", address)?, identity.acceptor(&[])?))
        });
        let http = config.http.listen.map(|address| {
            let identity = certificate.identity().filter(|_| config.http.tls);
            let tls = identity.map(|identity| identity.acceptor(&["http/1.1"])).transpose()?;
            anyhow::Ok((listen("http.listen", address)?, tls))
        });
        Ok(Self {
            telnet: listen("telnet.listen", config.telnet.listen)?,
            telnet_tls: encrypted.transpose()?,
            http: http.transpose()?,
            ops: config.ops.listen.map(|address| listen("ops.listen", address)).transpose()?,
        })
    }

    /// The addresses that were really bound.
    pub(super) fn addresses(&self) -> io::Result<Ready> {
        let of = |listener: Option<&TcpListener>| listener.map(TcpListener::local_addr).transpose();
        Ok(Ready {
            pid: std::process::id(),
            telnet: self.telnet.local_addr()?,
            telnet_tls: of(self.telnet_tls.as_ref().map(|(listener, _)| listener))?,
            http: of(self.http.as_ref().map(|(listener, _)| listener))?,
            ops: of(self.ops.as_ref())?,
        })
    }
}

/// Opens a listening socket; the error names the setting.
fn listen(setting: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    bind(address).with_context(|| {
        let cure = if address.is_ipv6() {
            " (a machine without IPv6 has 0.0.0.0 for all its addresses)"
        } else {
            ""
        };
        format!("{setting}: cannot listen on {address}{cure}")
    })
}

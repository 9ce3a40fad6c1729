//! Sockets: all addresses are reserved before the world is loaded, and all sockets listen once it can be played.
//! Accepting is in `net` and `http`.

use std::io;
use std::net::SocketAddr;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::net::{Reserved, reserve};
use crate::server::config::Config;
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::Ready;

/// The server's sockets, first reserved, then listening.
pub(in crate::server) struct Sockets<S> {
    /// Plain telnet.
    pub(in crate::server) telnet: S,
    /// Telnet over TLS.
    pub(in crate::server) telnet_tls: Option<(S, TlsAcceptor)>,
    /// HTTP, with a TLS acceptor if it is encrypted.
    pub(in crate::server) http: Option<(S, Option<TlsAcceptor>)>,
    /// Operators' endpoints.
    pub(in crate::server) ops: Option<S>,
}

impl Sockets<Reserved> {
    /// Reserves all addresses. Errors name the setting.
    pub(in crate::server) fn reserve(config: &Config, certificate: &Certificate) -> anyhow::Result<Self> {
        let encrypted = config.telnet.tls_listen.zip(certificate.identity()).map(|(address, identity)| {
            anyhow::Ok((take("telnet.tls_listen", address)?, identity.acceptor(&[])?))
        });
        let http = config.http.listen.map(|address| {
            let identity = certificate.identity().filter(|_| config.http.tls);
            let tls = identity.map(|identity| identity.acceptor(&["http/1.1"])).transpose()?;
            anyhow::Ok((take("http.listen", address)?, tls))
        });
        Ok(Self {
            telnet: take("telnet.listen", config.telnet.listen)?,
            telnet_tls: encrypted.transpose()?,
            http: http.transpose()?,
            ops: config.ops.listen.map(|address| take("ops.listen", address)).transpose()?,
        })
    }

    /// Starts listening on all sockets.
    pub(in crate::server) fn listen(self) -> io::Result<Sockets<TcpListener>> {
        Ok(Sockets {
            telnet: self.telnet.listen()?,
            telnet_tls: self
                .telnet_tls
                .map(|(socket, tls)| io::Result::Ok((socket.listen()?, tls)))
                .transpose()?,
            http: self.http.map(|(socket, tls)| io::Result::Ok((socket.listen()?, tls))).transpose()?,
            ops: self.ops.map(Reserved::listen).transpose()?,
        })
    }
}

impl Sockets<TcpListener> {
    /// Returns the addresses actually bound.
    pub(in crate::server) fn addresses(&self) -> io::Result<Ready> {
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

/// Reserves an address; the error names the setting.
fn take(setting: &str, address: SocketAddr) -> anyhow::Result<Reserved> {
    reserve(address).with_context(|| {
        let cure = if address.is_ipv6() { " (on a machine without IPv6, use 0.0.0.0)" } else { "" };
        format!("{setting}: cannot listen on {address}{cure}")
    })
}

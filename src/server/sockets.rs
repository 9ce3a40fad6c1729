//! The sockets: their addresses are taken together before the world is touched, and they listen together once it can be
//! played. Who accepts on them is `net`'s and `http`'s.

use std::io;
use std::net::SocketAddr;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::net::{Reserved, reserve};
use crate::server::certificate::Certificate;
use crate::server::config::Config;
use crate::server::lifecycle::Ready;

/// The sockets: addresses that are taken, and then those that listen there.
pub(super) struct Sockets<S> {
    /// For plain telnet.
    pub(super) telnet: S,
    /// For telnet in TLS, with what is accepted with.
    pub(super) telnet_tls: Option<(S, TlsAcceptor)>,
    /// For browsers, with what is accepted with if everything there is encrypted.
    pub(super) http: Option<(S, Option<TlsAcceptor>)>,
    /// For operators.
    pub(super) ops: Option<S>,
}

impl Sockets<Reserved> {
    /// Takes all addresses. An error names the setting.
    pub(super) fn reserve(config: &Config, certificate: &Certificate) -> anyhow::Result<Self> {
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

    /// Lets clients knock at all of them.
    pub(super) fn listen(self) -> io::Result<Sockets<TcpListener>> {
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

/// Takes an address; the error names the setting.
fn take(setting: &str, address: SocketAddr) -> anyhow::Result<Reserved> {
    reserve(address).with_context(|| {
        let cure = if address.is_ipv6() {
            " (a machine without IPv6 has 0.0.0.0 for all its addresses)"
        } else {
            ""
        };
        format!("{setting}: cannot listen on {address}{cure}")
    })
}

//! HTTP listener, optionally with TLS. Limits connections in total, per address and in duration.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::net::websocket::ClientOrigin;
use crate::net::{Admission, AdmissionRefusal, Networks, Pass, Patience, tls};
use crate::session::Privacy;
use deepwell_core::base::limits::Limits;

/// Maximum time to receive the headers of a request, including the idle time before it.
const HEADERS: Duration = Duration::from_secs(15);
/// Maximum lifetime of a connection that is not upgraded to a WebSocket.
const CONNECTION: Duration = Duration::from_mins(2);
/// Pause after `accept` failed.
const BACK_OFF: Duration = Duration::from_millis(500);
/// Maximum size of a request's headers.
const HEAD_BYTES: usize = 16_384;

/// Conditions for accepting connections.
#[derive(Clone)]
pub struct Terms {
    /// Connection limits: in total, and per address except loopback and trusted proxies.
    pub admission: Arc<Admission>,
    /// Trusted proxies, which connect for many clients.
    pub proxies: Arc<Networks>,
    /// TLS acceptor, if connections are encrypted.
    pub tls: Option<TlsAcceptor>,
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("proxies", &self.proxies)
            .field("tls", &self.tls.is_some())
            .finish_non_exhaustive()
    }
}

impl Terms {
    /// Creates the conditions for the web client, with a limit per address.
    pub fn new(limits: &Limits, proxies: Arc<Networks>, tls: Option<TlsAcceptor>) -> Self {
        let limits = Limits {
            connections: limits.http_connections,
            connections_before_login: limits.http_connections,
            connections_per_address: limits.http_connections_per_address,
            ..limits.clone()
        };
        Self { admission: Admission::new(&limits, Patience::BROWSERS), proxies, tls }
    }

    /// Creates the conditions for operators: no limit per address, since scrapers may share one.
    pub fn for_operators(connections: u32) -> Self {
        let limits = Limits {
            connections,
            connections_before_login: connections,
            connections_per_address: connections,
            connections_per_network: connections,
            ..Limits::default()
        };
        let admission = Admission::new(&limits, Patience::SCRAPERS);
        Self { admission, proxies: Arc::default(), tls: None }
    }

    fn admit(&self, address: IpAddr) -> Result<Pass, AdmissionRefusal> {
        if self.proxies.contains(address) {
            self.admission.admit_proxy()
        } else {
            self.admission.admit(address)
        }
    }
}

/// Serves until the task is aborted, which also closes its connections except those upgraded to a WebSocket.
pub async fn serve(listener: TcpListener, pages: Router, terms: Terms) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "cannot accept HTTP connections");
                sleep(BACK_OFF).await;
                continue;
            }
        };
        let address = address.ip().to_canonical();
        // Close connections beyond the limits without an answer.
        let Ok(pass) = terms.admit(address) else { continue };
        // If the client has disconnected, the first read will fail.
        let _ = stream.set_nodelay(true);
        connections.spawn(connection(stream, address, pages.clone(), terms.tls.clone(), pass));
    }
}

/// Serves one connection. Its place is freed when it ends, is displaced by another or becomes a WebSocket.
async fn connection(
    stream: TcpStream,
    address: IpAddr,
    pages: Router,
    acceptor: Option<TlsAcceptor>,
    pass: Pass,
) {
    let displaced = pass.displaced().clone();
    let served = async {
        let Some(acceptor) = acceptor else {
            return answer(
                stream,
                ClientOrigin { address, privacy: Privacy::of_plain(address.is_loopback()) },
                pages,
                pass,
            )
            .await;
        };
        match tls::accept(&acceptor, stream).await {
            Ok(stream) => answer(stream, ClientOrigin { address, privacy: Privacy::Tls }, pages, pass).await,
            Err(error) => tracing::debug!(%address, %error, "a TLS handshake failed"),
        }
    };
    displaced.run_until_cancelled(served).await;
}

async fn answer<S>(stream: S, caller: ClientOrigin, pages: Router, pass: Pass)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let pages = TowerToHyperService::new(pages);
    let pass = Mutex::new(pass);
    let service = service_fn(move |request: Request<Incoming>| {
        // A displaced connection is closed before its answer is sent.
        let _ = pass.lock().unwrap_or_else(PoisonError::into_inner).speak();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(caller);
        pages.call(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    match timeout(CONNECTION, served).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "HTTP connection ended"),
        Err(_) => tracing::debug!("HTTP connection lasted too long"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n1_connections_per_address_are_limited_until_closed() {
        let limits = Limits { http_connections: 100, http_connections_per_address: 2, ..Limits::default() };
        let terms = Terms::new(&limits, Arc::new("192.0.2.9".parse().unwrap()), None);
        let far: IpAddr = "192.0.2.1".parse().unwrap();
        let first = terms.admit(far).unwrap();
        let second = terms.admit(far).unwrap();
        assert_eq!(terms.admit(far).unwrap_err(), AdmissionRefusal::TooManyFromAddress);
        assert!(terms.admit("192.0.2.2".parse().unwrap()).is_ok());
        drop(first);
        let third = terms.admit(far);
        assert!(third.is_ok());
        drop((third, second));
        for local in [IpAddr::from([127, 0, 0, 1]), "192.0.2.9".parse().unwrap()] {
            let near: Vec<_> = (0..9).map(|_| terms.admit(local)).collect();
            assert!(near.iter().all(Result::is_ok));
        }
    }
}

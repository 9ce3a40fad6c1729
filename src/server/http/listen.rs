//! Accepts HTTP connections, inside TLS if that is wanted, so many at a time and from one address; none of them may
//! dawdle.

use std::collections::HashMap;
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
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::net::admission::source;
use crate::net::websocket::Caller;
use crate::net::{Networks, tls};

/// How long a client may take for the headers of a request, the wait for the next one included.
const HEADERS: Duration = Duration::from_secs(15);
/// How long a connection may last that does not become a WebSocket.
const CONNECTION: Duration = Duration::from_mins(2);
/// How long nothing is accepted after the system refused to.
const BACK_OFF: Duration = Duration::from_millis(500);
/// Bytes of a request's head, all headers together.
const HEAD_BYTES: usize = 16_384;

/// How connections are accepted.
#[derive(Clone)]
pub struct Terms {
    /// How many there may be in all.
    pub connections: usize,
    /// How many there may be from one address; this machine and trusted proxies are not counted.
    pub per_address: u32,
    /// Who stands for many people.
    pub proxies: Arc<Networks>,
    /// What is accepted with, if everything is encrypted.
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

/// Serves until the task is aborted, and ends the connections with it; those that have become a WebSocket live on.
pub async fn serve(listener: TcpListener, pages: Router, terms: Terms) {
    let places = Arc::new(Semaphore::new(terms.connections.min(Semaphore::MAX_PERMITS)));
    let crowd = Arc::new(Crowd::default());
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        // Whoever comes while every place is taken waits in the queue of the system.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "cannot accept HTTP connections");
                sleep(BACK_OFF).await;
                continue;
            }
        };
        let address = address.ip().to_canonical();
        let most = if terms.proxies.contains(address) { u32::MAX } else { terms.per_address };
        let Some(visitor) = crowd.enter(address, most) else { continue };
        // A peer that has gone already is found out by the first read.
        let _ = stream.set_nodelay(true);
        connections.spawn(connection(stream, address, pages.clone(), terms.tls.clone(), (place, visitor)));
    }
}

/// Serves one connection, and gives its places back when it ends or becomes a WebSocket.
async fn connection(
    stream: TcpStream,
    address: IpAddr,
    pages: Router,
    acceptor: Option<TlsAcceptor>,
    _places: (OwnedSemaphorePermit, Visitor),
) {
    let Some(acceptor) = acceptor else {
        return answer(stream, Caller { address, private: address.is_loopback() }, pages).await;
    };
    match tls::accept(&acceptor, stream).await {
        Ok(stream) => answer(stream, Caller { address, private: true }, pages).await,
        Err(error) => tracing::debug!(%address, %error, "a TLS handshake failed"),
    }
}

async fn answer<S>(stream: S, caller: Caller, pages: Router)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let pages = TowerToHyperService::new(pages);
    let service = service_fn(move |request: Request<Incoming>| {
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

/// Counts connections by address.
#[derive(Debug, Default)]
struct Crowd(Mutex<HashMap<IpAddr, u32>>);

/// One connection of an address.
#[derive(Debug)]
struct Visitor(Option<(Arc<Crowd>, IpAddr)>);

impl Crowd {
    /// Counts one more from this address, if there may be one more. This machine's own are not counted: a proxy stands
    /// for many people.
    fn enter(self: &Arc<Self>, address: IpAddr, most: u32) -> Option<Visitor> {
        let source = source(address);
        if source.is_loopback() {
            return Some(Visitor(None));
        }
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(source).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Visitor(Some((Arc::clone(self), source))))
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let Some((crowd, source)) = &self.0 else { return };
        let mut counts = crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(source) {
            *count -= 1;
            if *count == 0 {
                counts.remove(source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n1_connections_from_one_address_are_counted_until_they_end() {
        let crowd = Arc::new(Crowd::default());
        let far: IpAddr = "192.0.2.1".parse().unwrap();
        let first = crowd.enter(far, 2).unwrap();
        let second = crowd.enter(far, 2).unwrap();
        assert!(crowd.enter(far, 2).is_none());
        assert!(crowd.enter("192.0.2.2".parse().unwrap(), 2).is_some());
        drop(first);
        let third = crowd.enter(far, 2);
        assert!(third.is_some());
        drop((third, second));
        assert!(crowd.0.lock().unwrap().is_empty());
        let near: Vec<_> = (0..9).map(|_| crowd.enter(IpAddr::from([127, 0, 0, 1]), 1)).collect();
        assert!(near.iter().all(Option::is_some));
    }
}

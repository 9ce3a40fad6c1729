//! TCP listener for one address: socket options, the limits of [`Admission`], the PROXY header and TLS before the
//! client's own bytes, and retries when the process runs out of file descriptors.

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::net::connection::{Admitted, ConnectionShared, serve};
use crate::net::{Admission, AdmissionRefusal, AwaitingHeader, Networks, Pass, proxy, tls};
use crate::session::{ConnectionInfo, Privacy, SessionConfig, Transport};
use deepwell_core::base::{SessionId, Tally};

const BACKLOG: i32 = 1_024;
const BACK_OFF_FIRST: Duration = Duration::from_millis(10);
const BACK_OFF_MOST: Duration = Duration::from_secs(1);
/// Number of file descriptors to request; the system may grant fewer.
const DESCRIPTORS: u64 = 65_536;

/// Raises the process's soft limit of open files, at most to the hard limit or `DESCRIPTORS`. Returns the limit.
pub fn raise_descriptor_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(DESCRIPTORS).min(DESCRIPTORS);
    match limit.current {
        Some(current) if current < wanted => {
            let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
            setrlimit(Resource::Nofile, raised).map_or(current, |()| wanted)
        }
        Some(current) => current,
        None => u64::MAX,
    }
}

/// A bound address that does not listen yet.
#[derive(Debug)]
pub struct Reserved(Socket);

impl Reserved {
    /// Starts to listen.
    pub fn listen(self) -> io::Result<TcpListener> {
        self.0.listen(BACKLOG)?;
        TcpListener::from_std(self.0.into())
    }

    /// Returns another handle of the same address, which keeps it when the first one is closed.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }
}

/// Binds an address for a socket that will listen later. Port 0 requests any free port; `[::]` accepts both IPv4 and
/// IPv6.
pub fn reserve(address: SocketAddr) -> io::Result<Reserved> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        // Set explicitly, because the default depends on the system.
        socket.set_only_v6(!address.ip().is_unspecified())?;
    }
    // A fixed port may still have connections of the previous server. A port chosen by the system must be exclusive
    // before it listens: with address reuse the system may give it to several sockets.
    socket.set_reuse_address(address.port() != 0)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    Ok(Reserved(socket))
}

/// Steps of a connection before the client's own bytes.
#[derive(Clone, Default)]
pub struct ListenerOptions {
    /// Networks of trusted proxies. If set, only these may connect, and each connection begins with a PROXY header.
    pub proxies: Option<Arc<Networks>>,
    /// TLS acceptor, if the listener encrypts.
    pub tls: Option<TlsAcceptor>,
    /// Set if compression is offered.
    pub compress: bool,
}

impl fmt::Debug for ListenerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListenerOptions")
            .field("proxies", &self.proxies)
            .field("tls", &self.tls.is_some())
            .field("compress", &self.compress)
            .finish()
    }
}

/// State shared by all listeners: limits and session numbers are common to all ports.
#[derive(Clone, Debug)]
pub struct ListenerContext {
    /// Connection limits.
    pub admission: Arc<Admission>,
    /// Counter for session numbers.
    pub sessions: Arc<AtomicU64>,
    /// State shared by all connections.
    pub shared: ConnectionShared,
    /// Texts and limits of the sessions of new connections; a reload replaces them.
    pub session: watch::Receiver<Arc<SessionConfig>>,
    /// Tracker of all connection tasks.
    pub tasks: TaskTracker,
}

impl ListenerContext {
    /// Takes a place for a client. Counts and logs a refusal.
    pub fn admit(&self, address: IpAddr) -> Result<Pass, AdmissionRefusal> {
        self.admission.admit(address).inspect_err(|refused| {
            self.shared.counters.count(Tally::ConnectionsRefused);
            self.shared.counters.count_refusal(refused.limit());
            tracing::debug!(?refused, "connection refused");
        })
    }

    /// Assigns a session number to an admitted client.
    pub fn admitted(&self, address: IpAddr, pass: Pass) -> Admitted {
        let session = SessionId(self.sessions.fetch_add(1, Ordering::Relaxed));
        let shared = ConnectionShared { session: Arc::clone(&self.session.borrow()), ..self.shared.clone() };
        Admitted { session, address, pass, shared }
    }
}

/// Accepts clients and starts a task for each.
#[derive(Debug)]
pub struct ClientListener {
    /// Listening socket.
    pub listener: TcpListener,
    /// Steps before the client's own bytes.
    pub options: ListenerOptions,
    /// State shared with the other listeners.
    pub context: ListenerContext,
}

impl ClientListener {
    /// Accepts connections until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        let mut back_off = BACK_OFF_FIRST;
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, address)) => {
                    back_off = BACK_OFF_FIRST;
                    self.admit(stream, address.ip().to_canonical());
                }
                // The client closed the connection before it was accepted.
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    tracing::warn!(%error, wait_ms = back_off.as_millis(), "cannot accept connections");
                    tokio::select! {
                        () = stop.cancelled() => return,
                        () = tokio::time::sleep(back_off) => {}
                    }
                    back_off = (back_off * 2).min(BACK_OFF_MOST);
                }
            }
        }
    }

    fn admit(&self, stream: TcpStream, peer: IpAddr) {
        let Self { context, options, .. } = self;
        let Some(proxies) = &options.proxies else {
            let privacy = Privacy::of_plain(peer.is_loopback());
            return spawn_connection(stream, peer, privacy, options, context);
        };
        // Close without a message: only proxies use this port.
        if !proxies.contains(peer) {
            context.shared.counters.count(Tally::ConnectionsStrange);
            return tracing::debug!(%peer, "connection closed: the peer is not a trusted proxy");
        }
        let unnamed = context.admission.wait_for_header();
        let named = behind_proxy(stream, peer, unnamed, options.clone(), context.clone());
        context.tasks.spawn(named);
    }
}

/// Reads the PROXY header, and only then takes a place, for the address that it names.
async fn behind_proxy(
    mut stream: TcpStream,
    peer: IpAddr,
    unnamed: AwaitingHeader,
    options: ListenerOptions,
    context: ListenerContext,
) {
    let reading = unnamed.displaced().run_until_cancelled(proxy::read(&mut stream));
    let read = context.shared.hurry.run_until_cancelled(reading).await.flatten();
    let Some(header) = passed(read, "cannot read the PROXY header", peer, &context.shared) else { return };
    drop(unnamed);
    let address = header.caller.unwrap_or(peer);
    let privacy = Privacy::behind_proxy(header.encrypted);
    spawn_connection(stream, address, privacy, &options, &context);
}

/// Takes a place for a client and starts its task. If a limit is reached, the client is told the reason; it gets no
/// answer if it has already disconnected.
fn spawn_connection(
    stream: TcpStream,
    address: IpAddr,
    privacy: Privacy,
    options: &ListenerOptions,
    context: &ListenerContext,
) {
    let pass = match context.admit(address) {
        Ok(pass) => pass,
        Err(refused) => {
            // During a TLS handshake, plain text would only be an error.
            if options.tls.is_none() {
                let _ = stream.try_write(refused.line().as_bytes());
            }
            return;
        }
    };
    if tune(&stream).is_err() {
        return;
    }
    let info = ConnectionInfo {
        transport: Transport::Telnet,
        privacy: if options.tls.is_some() { Privacy::Tls } else { privacy },
        compress: options.compress,
        ..ConnectionInfo::default()
    };
    let admitted = context.admitted(address, pass);
    match options.tls.clone() {
        Some(acceptor) => context.tasks.spawn(serve_encrypted(stream, acceptor, admitted, info)),
        None => context.tasks.spawn(serve(stream, admitted, info)),
    };
}

/// Serves a connection after the TLS handshake. A failed handshake closes it without a message, which the client could
/// not read.
async fn serve_encrypted(stream: TcpStream, acceptor: TlsAcceptor, admitted: Admitted, info: ConnectionInfo) {
    let Admitted { address, shared, pass, .. } = &admitted;
    let shaking = pass.displaced().run_until_cancelled(tls::accept(&acceptor, stream));
    // Boxed, so that the size of the task does not include both futures at once.
    let shaken = Box::pin(shared.hurry.run_until_cancelled(shaking)).await.flatten();
    let Some(stream) = passed(shaken, "a TLS handshake failed", *address, shared) else { return };
    Box::pin(serve(stream, admitted, info)).await;
}

/// Returns the result of a step before the session, or `None` if it failed or the server stopped. Counts and logs a
/// failure.
fn passed<T>(
    step: Option<io::Result<T>>,
    failed: &str,
    address: IpAddr,
    shared: &ConnectionShared,
) -> Option<T> {
    step?
        .inspect_err(|error| {
            shared.counters.count(Tally::ConnectionsStrange);
            tracing::debug!(%address, %error, "{failed}");
        })
        .ok()
}

/// Sets socket options: small packets are sent immediately, a vanished peer is detected within about two minutes, and
/// urgent bytes stay in the stream. Without the last option, an IAC before an urgent byte would swallow the next
/// command.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    SockRef::from(stream).set_out_of_band_inline(true)?;
    let keepalive =
        TcpKeepalive::new().with_time(Duration::from_mins(1)).with_interval(Duration::from_secs(10));
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;
    use tokio::time::timeout;

    #[tokio::test]
    async fn port_zero_is_assigned_and_sockets_are_tuned() {
        let listener = reserve("127.0.0.1:0".parse().unwrap()).unwrap().listen().unwrap();
        let address = listener.local_addr().unwrap();
        assert_ne!(address.port(), 0);
        let _client = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        assert!(stream.nodelay().unwrap() && SockRef::from(&stream).keepalive().unwrap());
    }

    /// O9: no other socket can bind a reserved free port before it listens, not even with address reuse.
    #[tokio::test]
    async fn o9_reserved_port_is_exclusive_before_listening() {
        let reserved = reserve("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = reserved.0.local_addr().unwrap().as_socket().unwrap();
        assert_eq!(reserve(address).unwrap_err().kind(), ErrorKind::AddrInUse);
        reserved.listen().unwrap();
    }

    #[tokio::test]
    async fn protocols_4_1_urgent_byte_stays_in_stream_order() {
        let listener = reserve("127.0.0.1:0".parse().unwrap()).unwrap().listen().unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        // Some telnet clients send this on Ctrl-C: the data mark is urgent.
        SockRef::from(&client).send_out_of_band(b"\xff\xf4\xff\xf2").unwrap();
        SockRef::from(&client).send(b"\xff\xfd\x06").unwrap();
        let mut received = [0; 7];
        timeout(Duration::from_secs(5), stream.read_exact(&mut received)).await.unwrap().unwrap();
        assert_eq!(&received, b"\xff\xf4\xff\xf2\xff\xfd\x06");
    }

    #[test]
    fn n13_descriptor_limit_is_never_lowered() {
        let first = raise_descriptor_limit();
        assert!(first >= 256 && raise_descriptor_limit() >= first);
    }
}

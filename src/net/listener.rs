//! Accepts connections on one address: socket options, the limits of [`Admission`], what stands before a client's own
//! bytes (the header of a proxy, then TLS), and patience when the process runs out of descriptors.

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::base::{SessionId, Tally};
use crate::net::connection::{Shared, serve};
use crate::net::{Admission, Networks, Pass, Refused, Unnamed, proxy, tls};
use crate::session::{Link, Privacy, Transport};

const BACKLOG: i32 = 1_024;
const BACK_OFF_FIRST: Duration = Duration::from_millis(10);
const BACK_OFF_MOST: Duration = Duration::from_secs(1);
/// Descriptors asked for; the machine may grant fewer.
const DESCRIPTORS: u64 = 65_536;

/// Raises the process's soft limit of open files as far as the hard limit and reason allow. Returns the limit.
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

/// An address that nobody else can take, and where nobody is answered yet.
#[derive(Debug)]
pub struct Reserved(Socket);

impl Reserved {
    /// Lets clients knock.
    pub fn listen(self) -> io::Result<TcpListener> {
        self.0.listen(BACKLOG)?;
        TcpListener::from_std(self.0.into())
    }
}

/// Takes an address for a socket that is to listen later. Port 0 asks for any free one; `[::]` takes callers of both families.
pub fn reserve(address: SocketAddr) -> io::Result<Reserved> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        // Not left to the machine, where either may be the default.
        socket.set_only_v6(!address.ip().is_unspecified())?;
    }
    // A known port may have connections left of the server before this one. Any free port must stay free for this server
    // alone, also before it listens: reusable ones are given to several.
    socket.set_reuse_address(address.port() != 0)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    Ok(Reserved(socket))
}

/// What a connection has to pass before its client is heard.
#[derive(Clone, Default)]
pub struct Threshold {
    /// The proxies that call here, if nobody else may: each connection begins with their header.
    pub proxies: Option<Arc<Networks>>,
    /// What is accepted with, where everything is encrypted.
    pub tls: Option<TlsAcceptor>,
    /// Compression is offered.
    pub compress: bool,
}

impl fmt::Debug for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threshold")
            .field("proxies", &self.proxies)
            .field("tls", &self.tls.is_some())
            .field("compress", &self.compress)
            .finish()
    }
}

/// What all ways in share, so that limits and numbers hold for all of them together.
#[derive(Clone, Debug)]
pub struct Entrance {
    /// Who may.
    pub admission: Arc<Admission>,
    /// Numbers sessions.
    pub sessions: Arc<AtomicU64>,
    /// What connections need.
    pub shared: Shared,
    /// Knows every connection task.
    pub tasks: TaskTracker,
}

impl Entrance {
    /// The number of the next session.
    pub fn next_session(&self) -> SessionId {
        SessionId(self.sessions.fetch_add(1, Ordering::Relaxed))
    }
}

/// Accepts clients and starts a task for each.
#[derive(Debug)]
pub struct Listener {
    /// Where connections come in.
    pub listener: TcpListener,
    /// What comes before a client's own bytes.
    pub threshold: Threshold,
    /// What it shares with the other listeners.
    pub entrance: Entrance,
}

impl Listener {
    /// Accepts until `stop`.
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
                // The caller's fault: it hung up before it was accepted.
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
        let Self { entrance, threshold, .. } = self;
        let Some(proxies) = &threshold.proxies else {
            if let Some(guest) =
                Guest::admit(stream, peer, Privacy::of_plain(peer.is_loopback()), threshold, entrance)
            {
                guest.spawn(threshold, entrance);
            }
            return;
        };
        // Without a word: whoever is not a proxy has no business here.
        if !proxies.contains(peer) {
            entrance.shared.counters.count(Tally::ConnectionsStrange);
            return tracing::debug!(%peer, "connection closed: the peer is no trusted proxy");
        }
        let unnamed = entrance.admission.wait_for_name();
        let named = behind_proxy(stream, peer, unnamed, threshold.clone(), entrance.clone());
        entrance.tasks.spawn(named);
    }
}

/// Reads the header of a proxy, and only then takes a place, for the caller that it names.
async fn behind_proxy(
    mut stream: TcpStream,
    peer: IpAddr,
    unnamed: Unnamed,
    threshold: Threshold,
    entrance: Entrance,
) {
    let reading = unnamed.displaced().run_until_cancelled(proxy::read(&mut stream));
    let read = entrance.shared.hurry.run_until_cancelled(reading).await.flatten();
    let Some(header) = passed(read, "no header of a proxy came", peer, &entrance.shared) else { return };
    drop(unnamed);
    let address = header.caller.unwrap_or(peer);
    let privacy = Privacy::behind_proxy(header.encrypted);
    if let Some(guest) = Guest::admit(stream, address, privacy, &threshold, &entrance) {
        guest.spawn(&threshold, &entrance);
    }
}

/// One connection that has a place and has not been heard yet.
struct Guest {
    stream: TcpStream,
    session: SessionId,
    address: IpAddr,
    privacy: Privacy,
    pass: Pass,
    shared: Shared,
}

impl Guest {
    /// Takes a place; none if there is none, of which the caller is told, or the peer is gone already.
    fn admit(
        stream: TcpStream,
        address: IpAddr,
        privacy: Privacy,
        threshold: &Threshold,
        entrance: &Entrance,
    ) -> Option<Self> {
        let shared = entrance.shared.clone();
        let pass = match entrance.admission.admit(address) {
            Ok(pass) => pass,
            Err(refused) => {
                refuse(&stream, refused, threshold, &shared);
                return None;
            }
        };
        tune(&stream).ok()?;
        Some(Self { stream, session: entrance.next_session(), address, privacy, pass, shared })
    }

    /// Starts the task that shakes hands, where everything is encrypted, and serves.
    fn spawn(self, threshold: &Threshold, entrance: &Entrance) {
        let link = Link {
            transport: Transport::Telnet,
            privacy: if threshold.tls.is_some() { Privacy::Tls } else { self.privacy },
            compress: threshold.compress,
            ..Link::default()
        };
        if let Some(acceptor) = threshold.tls.clone() {
            entrance.tasks.spawn(self.shake_hands(acceptor, link));
        } else {
            let Self { stream, session, address, pass, shared, .. } = self;
            entrance.tasks.spawn(serve(stream, session, address, pass, shared, link));
        }
    }

    /// Serves once the TLS handshake is done. Who fails it is let go without a word, which nobody could read.
    async fn shake_hands(self, acceptor: TlsAcceptor, link: Link) {
        let Self { stream, session, address, pass, shared, .. } = self;
        let displaced = pass.displaced().clone();
        let shaking = displaced.run_until_cancelled(tls::accept(&acceptor, stream));
        // In boxes, so that a connection has the size of what it does and not of what it might have done.
        let shaken = Box::pin(shared.hurry.run_until_cancelled(shaking)).await.flatten();
        let Some(stream) = passed(shaken, "a TLS handshake failed", address, &shared) else { return };
        Box::pin(serve(stream, session, address, pass, shared, link)).await;
    }
}

/// What came of a step on the way in, if the server did not stop meanwhile; a failure is counted and logged.
fn passed<T>(step: Option<io::Result<T>>, failed: &str, address: IpAddr, shared: &Shared) -> Option<T> {
    step?
        .inspect_err(|error| {
            shared.counters.count(Tally::ConnectionsStrange);
            tracing::debug!(%address, %error, "{failed}");
        })
        .ok()
}

/// Says why and hangs up, without waiting. In the middle of a handshake it would be no words but an error.
fn refuse(stream: &TcpStream, refused: Refused, threshold: &Threshold, shared: &Shared) {
    shared.counters.count(Tally::ConnectionsRefused);
    tracing::debug!(?refused, "connection refused");
    if threshold.tls.is_none() {
        let _ = stream.try_write(refused.line().as_bytes());
    }
}

/// Small packets go at once; a vanished peer is found within about two minutes; an urgent byte stays in the
/// stream: taken out of it, the IAC before it would swallow the next command.
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
    async fn a_port_of_zero_becomes_a_real_one_and_accepted_sockets_are_tuned() {
        let listener = reserve("127.0.0.1:0".parse().unwrap()).unwrap().listen().unwrap();
        let address = listener.local_addr().unwrap();
        assert_ne!(address.port(), 0);
        let _client = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        assert!(stream.nodelay().unwrap() && SockRef::from(&stream).keepalive().unwrap());
    }

    /// O9: between taking a free port and listening at it nobody else gets it, not even one who reuses what is left over.
    #[tokio::test]
    async fn o9_a_free_port_is_nobody_else_s_before_it_listens() {
        let reserved = reserve("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = reserved.0.local_addr().unwrap().as_socket().unwrap();
        assert_eq!(reserve(address).unwrap_err().kind(), ErrorKind::AddrInUse);
        reserved.listen().unwrap();
    }

    #[tokio::test]
    async fn protocols_4_1_an_urgent_byte_stays_where_it_was_sent() {
        let listener = reserve("127.0.0.1:0".parse().unwrap()).unwrap().listen().unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        // What some telnets send at Ctrl-C: the data mark is urgent.
        SockRef::from(&client).send_out_of_band(b"\xff\xf4\xff\xf2").unwrap();
        SockRef::from(&client).send(b"\xff\xfd\x06").unwrap();
        let mut received = [0; 7];
        timeout(Duration::from_secs(5), stream.read_exact(&mut received)).await.unwrap().unwrap();
        assert_eq!(&received, b"\xff\xf4\xff\xf2\xff\xfd\x06");
    }

    #[test]
    fn n13_the_descriptor_limit_only_rises() {
        let first = raise_descriptor_limit();
        assert!(first >= 256 && raise_descriptor_limit() >= first);
    }
}

//! Accepts connections on one address: socket options, the limits of [`Admission`], and patience when the
//! process runs out of descriptors (N13).

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use socket2::{Domain, Protocol, SockRef, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::base::SessionId;
use crate::net::connection::{Shared, serve};
use crate::net::{Admission, Refused};
use crate::session::{Link, Transport};

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

/// Opens a listening socket. Port 0 asks for any free one.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Accepts clients and starts a task for each.
#[derive(Debug)]
pub struct Listener {
    /// Where connections come in.
    pub listener: TcpListener,
    /// Who may.
    pub admission: Arc<Admission>,
    /// Numbers sessions; shared by all listeners.
    pub sessions: Arc<AtomicU64>,
    /// What connections need.
    pub shared: Shared,
    /// Knows every connection task.
    pub tasks: TaskTracker,
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
                    self.admit(stream, address.ip());
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

    fn admit(&self, stream: TcpStream, address: IpAddr) {
        let pass = match self.admission.admit(address) {
            Ok(pass) => pass,
            Err(refused) => return self.refuse(&stream, refused),
        };
        if tune(&stream).is_err() {
            // The peer is gone already.
            return;
        }
        let session = SessionId(self.sessions.fetch_add(1, Ordering::Relaxed));
        let link = Link { transport: Transport::Telnet, private: address.to_canonical().is_loopback() };
        self.tasks.spawn(serve(stream, session, address, pass, self.shared.clone(), link));
    }

    /// Says why and hangs up, without a task and without waiting.
    fn refuse(&self, stream: &TcpStream, refused: Refused) {
        self.shared.counters.refused.inc();
        tracing::debug!(?refused, "connection refused");
        let _ = stream.try_write(refused.line().as_bytes());
    }
}

/// Small packets go at once; a vanished peer is found within about two minutes (N12); an urgent byte stays in the
/// stream: taken out of it, the IAC before it would swallow the next command (protocols 4.1).
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

    #[tokio::test]
    async fn a_port_of_zero_becomes_a_real_one_and_accepted_sockets_are_tuned() {
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        assert_ne!(address.port(), 0);
        let _client = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        assert!(stream.nodelay().unwrap() && SockRef::from(&stream).keepalive().unwrap());
    }

    #[tokio::test]
    async fn protocols_4_1_an_urgent_byte_stays_where_it_was_sent() {
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        // What some telnets send at Ctrl-C: the data mark is urgent.
        SockRef::from(&client).send_out_of_band(b"\xff\xf4\xff\xf2").unwrap();
        SockRef::from(&client).send(b"\xff\xfd\x06").unwrap();
        let mut received = [0; 7];
        tokio::time::timeout(Duration::from_secs(5), stream.read_exact(&mut received))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(&received, b"\xff\xf4\xff\xf2\xff\xfd\x06");
    }

    #[test]
    fn n13_the_descriptor_limit_only_rises() {
        let first = raise_descriptor_limit();
        assert!(first >= 256 && raise_descriptor_limit() >= first);
    }
}

//! One task per client: passes bytes between the stream and its session, requests to the driver, and deliveries back.
//! Contains no game logic; a panic here ends this client only.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::net::alarm::Alarm;
use crate::net::wire::{Wire, WireCounts, WireStuck};
use crate::net::{ClientEvent, ClientOutbox, Clock, ConnectionLimit, Counters, Pass, RequestPermit};
use crate::session::{ConnectionInfo, Delivery, Request, Session, SessionAction, SessionConfig};
use deepwell_core::base::{SessionId, Tally};
use deepwell_game::CloseReason;

/// State shared by all connections.
#[derive(Clone, Debug)]
pub struct ConnectionShared {
    /// Channel to the driver. It is bounded: waiting for space provides back-pressure when the game is busy.
    pub requests: mpsc::Sender<ClientEvent>,
    /// Game clock.
    pub clock: Clock,
    /// Texts and limits of sessions.
    pub session: Arc<SessionConfig>,
    /// Ends every connection immediately, even with unsent output.
    pub hurry: CancellationToken,
    /// Metrics.
    pub counters: Counters,
}

/// Reason why a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The session closed the connection.
    Closed(CloseReason),
    /// The connection was lost, or the peer closed it.
    Lost,
    /// The peer did not read its output.
    TooSlow,
    /// The server is stopping and does not wait any longer.
    Stopped,
}

impl From<WireStuck> for Ending {
    fn from(stuck: WireStuck) -> Self {
        match stuck {
            WireStuck::Lost => Self::Lost,
            WireStuck::TooSlow => Self::TooSlow,
        }
    }
}

/// Connection that has taken a place, before its first byte.
pub struct Admitted {
    /// Number of its session.
    pub session: SessionId,
    /// Client address.
    pub address: IpAddr,
    /// Its places.
    pub pass: Pass,
    /// State shared with the other connections.
    pub shared: ConnectionShared,
}

/// Serves one client from its first byte to its last, and notifies the driver of the connection's start and end.
pub async fn serve<S>(stream: S, admitted: Admitted, info: ConnectionInfo)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (id, address, shared) = (admitted.session, admitted.address, admitted.shared.clone());
    let limit = usize::try_from(shared.session.limits.output_bytes).unwrap_or(usize::MAX);
    let outbox = Arc::new(ClientOutbox::new(limit));
    let connected = ClientEvent::Connected { session: id, address, outbox: Arc::clone(&outbox) };
    if shared.requests.send(connected).await.is_err() {
        return;
    }
    shared.counters.count(Tally::ConnectionsAccepted);
    // Boxed, because the future of the task would hold it twice.
    let mut connection = Box::new(Connection::new(stream, admitted, outbox, info));
    let ending = caught(connection.pump()).await;
    connection.outbox.abandon();
    // Fails only if the driver has ended.
    let _ = shared.requests.send(ClientEvent::Ended { session: id, receipt: None }).await;
    connection.count();
    // Releases the compression slot before the wait in `linger`.
    connection.pass.decompress();
    connection.compressed = None;
    connection.place = None;
    match ending {
        Some(Ending::Closed(_)) => connection.wire.linger().await,
        Some(Ending::TooSlow) => {
            shared.counters.count(Tally::ConnectionsTooSlow);
            shared.counters.count_refusal(ConnectionLimit::OutputBytes);
        }
        Some(Ending::Lost | Ending::Stopped) => {}
        None => {
            shared.counters.count(Tally::ConnectionPanics);
            tracing::error!(session = id.0, "a connection was ended by a panic");
        }
    }
    tracing::debug!(session = id.0, ?ending, "connection ended");
}

/// Connection of one client.
struct Connection<S> {
    id: SessionId,
    wire: Wire<S>,
    session: Session,
    outbox: Arc<ClientOutbox>,
    /// Permits for requests in flight to the driver.
    places: Arc<Semaphore>,
    pass: Pass,
    shared: ConnectionShared,
    actions: Vec<SessionAction>,
    deliveries: Vec<Delivery>,
    counted: WireCounts,
    compressed: Option<Counted>,
    info: ConnectionInfo,
    is_playing: bool,
    /// Place in the number of sessions of its state and transport, until the connection ends.
    place: Option<Counted>,
}

/// Event that a connection waits for.
enum ConnectionEvent {
    /// The outbox was filled.
    Delivered,
    /// The peer has sent bytes; the session has already received them.
    Received,
    /// The peer is gone.
    Lost,
    /// The session's deadline may have passed; the alarm can ring early.
    Due,
    /// The server is stopping immediately.
    Hurried,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    fn new(stream: S, admitted: Admitted, outbox: Arc<ClientOutbox>, info: ConnectionInfo) -> Self {
        let Admitted { session: id, pass, shared, .. } = admitted;
        let session = Session::new(id, Arc::clone(&shared.session), info, shared.clock.now());
        let in_flight = shared.session.limits.commands_in_flight as usize;
        let place = Some(Counted::new(&shared.counters.sessions(&info, false)));
        Self {
            id,
            wire: Wire::new(stream),
            session,
            outbox,
            places: Arc::new(Semaphore::new(in_flight)),
            pass,
            shared,
            actions: Vec::new(),
            deliveries: Vec::new(),
            counted: WireCounts::default(),
            compressed: None,
            info,
            is_playing: false,
            place,
        }
    }

    /// Runs until the client or the server ends the connection.
    async fn pump(&mut self) -> Ending {
        let hurry = self.shared.hurry.clone();
        let mut hurried = pin!(hurry.cancelled());
        let mut alarm = Alarm::default();
        loop {
            // One write answers everything received so far.
            self.session.flush(&mut self.wire.out);
            let written = tokio::select! {
                biased;
                written = self.wire.write(&self.outbox) => written,
                () = &mut hurried => return Ending::Stopped,
            };
            if let Err(stuck) = written {
                return stuck.into();
            }
            self.count();
            match self.wait(&mut alarm, hurried.as_mut()).await {
                ConnectionEvent::Delivered => {
                    if self.take_deliveries().is_err() {
                        return Ending::TooSlow;
                    }
                }
                ConnectionEvent::Received => {}
                ConnectionEvent::Due => {
                    let now = self.shared.clock.now();
                    if self.session.next_deadline().is_some_and(|at| at <= now) {
                        self.session.tick(now, &mut self.actions);
                    }
                }
                ConnectionEvent::Lost => return Ending::Lost,
                ConnectionEvent::Hurried => return Ending::Stopped,
            }
            let ended = tokio::select! {
                biased;
                ended = self.carry_out() => ended,
                () = &mut hurried => return Ending::Stopped,
            };
            if let Some(ending) = ended {
                if matches!(ending, Ending::Closed(_)) {
                    self.session.flush(&mut self.wire.out);
                    self.wire.last_words(&self.outbox).await;
                }
                return ending;
            }
        }
    }

    async fn wait(
        &mut self,
        alarm: &mut Alarm,
        hurried: Pin<&mut impl Future<Output = ()>>,
    ) -> ConnectionEvent {
        let deadline = self.session.next_deadline().map(|at| self.shared.clock.instant(at));
        // A player in the game is never displaced, so there is no token to watch.
        let displaced = self.pass.may_be_displaced().then(|| self.pass.displaced().clone());
        let gives_way = async {
            match displaced {
                Some(displaced) => displaced.cancelled_owned().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.outbox.filled() => ConnectionEvent::Delivered,
            read = self.wire.read(|bytes| {
                self.session.receive(bytes, self.shared.clock.now(), &mut self.actions);
                !bytes.is_empty()
            }), if self.session.wants_input() => match read {
                // Ignore input of a connection that has been displaced.
                Ok(true) if !self.session.take_heard() || self.pass.speak() => ConnectionEvent::Received,
                Ok(_) | Err(_) => ConnectionEvent::Lost,
            },
            () = alarm.ring(deadline), if deadline.is_some() => ConnectionEvent::Due,
            () = gives_way => ConnectionEvent::Lost,
            () = hurried => ConnectionEvent::Hurried,
        }
    }

    fn take_deliveries(&mut self) -> Result<(), crate::net::outbox::TooSlow> {
        self.outbox.take(&mut self.deliveries)?;
        let now = self.shared.clock.now();
        for delivery in self.deliveries.drain(..) {
            self.session.deliver(delivery, now, &mut self.actions);
        }
        if self.session.is_playing() {
            self.pass.logged_in();
        }
        if self.session.is_playing() != self.is_playing {
            self.is_playing = !self.is_playing;
            self.place = Some(Counted::new(&self.shared.counters.sessions(&self.info, self.is_playing)));
        }
        Ok(())
    }

    /// Carries out the session's actions in order; discards those after a close.
    async fn carry_out(&mut self) -> Option<Ending> {
        let mut actions = std::mem::take(&mut self.actions);
        for action in actions.drain(..) {
            let done = match action {
                SessionAction::Ask(request) => self.ask(request).await,
                SessionAction::Compress => self.compress().await.map_err(Ending::from),
                SessionAction::Decompress => self.decompress().await.map_err(Ending::from),
                SessionAction::Close(why) => Err(Ending::Closed(why)),
            };
            if let Err(ending) = done {
                return Some(ending);
            }
        }
        // Reuses the memory of the drained vector.
        self.actions = actions;
        None
    }

    /// Sends a request to the driver; waits while this client has too many requests in flight.
    async fn ask(&self, request: Request) -> Result<(), Ending> {
        let place = Arc::clone(&self.places).acquire_owned().await.ok().map(RequestPermit::Permit);
        let asked = ClientEvent::Asked { session: self.id, request, place };
        self.shared.requests.send(asked).await.map_err(|_| Ending::Stopped)
    }

    /// Compresses all further output, if a compression slot is free.
    async fn compress(&mut self) -> Result<(), WireStuck> {
        if !self.pass.compress() {
            self.session.refuse_compression();
            return Ok(());
        }
        self.compressed = Some(Counted::new(&self.shared.counters.compressed));
        self.session.compress(&mut self.wire.out);
        self.wire.compress(&self.outbox).await
    }

    /// Ends the compression.
    async fn decompress(&mut self) -> Result<(), WireStuck> {
        self.session.flush(&mut self.wire.out);
        self.wire.decompress(&self.outbox).await?;
        self.pass.decompress();
        self.compressed = None;
        Ok(())
    }

    /// Adds the bytes written since the last call to the metrics.
    fn count(&mut self) {
        let counters = &self.shared.counters;
        let written = self.wire.written();
        counters.add(Tally::SentBytes, written.on_the_wire - self.counted.on_the_wire);
        counters.add(Tally::CompressedFromBytes, written.packed_from - self.counted.packed_from);
        counters.add(Tally::CompressedBytes, written.packed_to - self.counted.packed_to);
        self.counted = written;
    }
}

/// Keeps a gauge incremented while it lives.
struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Runs a future; returns `None` if it panics.
async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| {
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Admission, Patience};
    use deepwell_core::base::GameTime;
    use deepwell_core::base::limits::Limits;
    use std::net::Ipv4Addr;

    /// A client that sends many lines at once has a limited number of requests in flight, and continues as they are
    /// processed.
    #[tokio::test]
    async fn requests_in_flight_are_limited_per_client() {
        let limits = Limits::default();
        let in_flight = limits.commands_in_flight as usize;
        let (requests, mut asked) = mpsc::channel(in_flight * 2);
        let shared = ConnectionShared {
            requests,
            clock: Clock::start_at(GameTime(0)),
            session: Arc::default(),
            hurry: CancellationToken::new(),
            counters: Counters::default(),
        };
        let pass = Admission::new(&limits, Patience::PLAYERS)
            .admit(Ipv4Addr::LOCALHOST.into())
            .expect("there is room");
        let (_peer, stream) = tokio::io::duplex(64);
        let outbox = Arc::new(ClientOutbox::new(1_000));
        let admitted = Admitted { session: SessionId(1), address: Ipv4Addr::LOCALHOST.into(), pass, shared };
        let connection = Connection::new(stream, admitted, outbox, ConnectionInfo::default());
        let mut many = pin!(async {
            for _ in 0..=in_flight {
                connection.ask(Request::Who).await.expect("the driver is there");
            }
        });
        assert!(poll_once(many.as_mut()).await.is_pending());
        assert_eq!(asked.len(), in_flight);
        drop(asked.recv().await);
        assert!(poll_once(many.as_mut()).await.is_ready());
    }

    async fn poll_once(mut future: Pin<&mut impl Future<Output = ()>>) -> Poll<()> {
        std::future::poll_fn(move |context| Poll::Ready(future.as_mut().poll(context))).await
    }

    #[tokio::test]
    async fn o7_panic_is_caught_and_value_is_returned() {
        assert_eq!(caught(async { 7 }).await, Some(7));
        let broken = caught(async {
            tokio::task::yield_now().await;
            panic!("on purpose");
        });
        assert_eq!(broken.await, None::<()>);
    }
}

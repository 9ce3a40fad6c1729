//! One task per client: pumps bytes between its stream and its session, requests to the driver, and deliveries
//! back. Decides nothing about the game; a panic here ends this client only.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::base::{SessionId, Tally};
use crate::game::Closed;
use crate::net::alarm::Alarm;
use crate::net::wire::{Stuck, Wire, Written};
use crate::net::{ClientEvent, Clock, Counters, Outbox, Pass};
use crate::session::{Action, Delivery, Link, Request, Session, SessionConfig};

/// What all connections share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// To the driver. Waiting for room in it is what slows clients down when the world is busy.
    pub requests: mpsc::Sender<ClientEvent>,
    /// Game time.
    pub clock: Clock,
    /// Texts and limits of sessions.
    pub session: Arc<SessionConfig>,
    /// Ends every connection at once, unsaid words or not.
    pub hurry: CancellationToken,
    /// What is counted.
    pub counters: Counters,
}

/// How a connection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The session said so.
    Closed(Closed),
    /// The link broke, or the peer hung up.
    Lost,
    /// The peer did not read what it was sent.
    TooSlow,
    /// The server stops and waits no longer.
    Stopped,
}

impl From<Stuck> for Ending {
    fn from(stuck: Stuck) -> Self {
        match stuck {
            Stuck::Lost => Self::Lost,
            Stuck::TooSlow => Self::TooSlow,
        }
    }
}

/// Serves one client from its first byte to its last, and tells the driver of both ends.
pub async fn serve<S>(stream: S, id: SessionId, address: IpAddr, pass: Pass, shared: Shared, link: Link)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let limit = usize::try_from(shared.session.limits.output_bytes).unwrap_or(usize::MAX);
    let outbox = Arc::new(Outbox::new(limit));
    let connected = ClientEvent::Connected { session: id, address, outbox: Arc::clone(&outbox) };
    if shared.requests.send(connected).await.is_err() {
        return;
    }
    shared.counters.count(Tally::ConnectionsAccepted);
    let mut connection = Connection::new(stream, id, outbox, pass, shared.clone(), link);
    let ending = caught(connection.pump()).await;
    connection.outbox.abandon();
    // Nobody listens any more if the driver has ended.
    let _ = shared.requests.send(ClientEvent::Ended { session: id }).await;
    connection.count();
    // Who lingers needs none.
    connection.pass.decompress();
    connection.compressed = None;
    match ending {
        Some(Ending::Closed(_)) => connection.wire.linger().await,
        Some(Ending::TooSlow) => shared.counters.count(Tally::ConnectionsTooSlow),
        Some(Ending::Lost | Ending::Stopped) => {}
        None => {
            shared.counters.count(Tally::ConnectionPanics);
            tracing::error!(session = id.0, "a connection was ended by a panic");
        }
    }
    tracing::debug!(session = id.0, ?ending, "connection ended");
}

/// One client.
struct Connection<S> {
    id: SessionId,
    wire: Wire<S>,
    session: Session,
    outbox: Arc<Outbox>,
    /// Places for requests that the driver has not played.
    places: Arc<Semaphore>,
    pass: Pass,
    shared: Shared,
    actions: Vec<Action>,
    deliveries: Vec<Delivery>,
    counted: Written,
    compressed: Option<Counted>,
}

/// What a connection waits for.
enum Event {
    /// The outbox was filled.
    Delivered,
    /// The peer has sent something, which the session knows by now.
    Received,
    /// The peer is gone.
    Lost,
    /// The session's deadline, perhaps.
    Due,
    /// The server waits no longer.
    Hurried,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    fn new(stream: S, id: SessionId, outbox: Arc<Outbox>, pass: Pass, shared: Shared, link: Link) -> Self {
        let session = Session::new(id, Arc::clone(&shared.session), link, shared.clock.now());
        let in_flight = shared.session.limits.commands_in_flight as usize;
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
            counted: Written::default(),
            compressed: None,
        }
    }

    /// Works until the client or the server ends it.
    async fn pump(&mut self) -> Ending {
        let hurry = self.shared.hurry.clone();
        let mut hurried = pin!(hurry.cancelled());
        let mut alarm = Alarm::default();
        loop {
            // Everything that has come so far is answered in one write.
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
                Event::Delivered => {
                    if self.take_deliveries().is_err() {
                        return Ending::TooSlow;
                    }
                }
                Event::Received => {}
                Event::Due => {
                    let now = self.shared.clock.now();
                    if self.session.next_deadline().is_some_and(|at| at <= now) {
                        self.session.tick(now, &mut self.actions);
                    }
                }
                Event::Lost => return Ending::Lost,
                Event::Hurried => return Ending::Stopped,
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

    async fn wait(&mut self, alarm: &mut Alarm, hurried: Pin<&mut impl Future<Output = ()>>) -> Event {
        let deadline = self.session.next_deadline().map(|at| self.shared.clock.instant(at));
        // Who plays gives way to nobody, and then nothing has to be watched at each line.
        let displaced = self.pass.may_give_way().then(|| self.pass.displaced().clone());
        let gives_way = async {
            match displaced {
                Some(displaced) => displaced.cancelled_owned().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.outbox.filled() => Event::Delivered,
            read = self.wire.read(), if self.session.wants_input() => match read {
                Ok(bytes) if !bytes.is_empty() => {
                    self.session.receive(bytes, self.shared.clock.now(), &mut self.actions);
                    // What one says who has given way comes too late.
                    if self.session.take_heard() && !self.pass.speak() { Event::Lost } else { Event::Received }
                }
                Ok(_) | Err(_) => Event::Lost,
            },
            () = alarm.ring(deadline), if deadline.is_some() => Event::Due,
            () = gives_way => Event::Lost,
            () = hurried => Event::Hurried,
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
        Ok(())
    }

    /// Does what the session wants done, in its order; what follows a close is forgotten.
    async fn carry_out(&mut self) -> Option<Ending> {
        let mut actions = std::mem::take(&mut self.actions);
        for action in actions.drain(..) {
            let done = match action {
                Action::Ask(request) => self.ask(request).await,
                Action::Compress => self.compress().await.map_err(Ending::from),
                Action::Decompress => self.decompress().await.map_err(Ending::from),
                Action::Close(why) => Err(Ending::Closed(why)),
            };
            if let Err(ending) = done {
                return Some(ending);
            }
        }
        // Their memory is used again.
        self.actions = actions;
        None
    }

    /// Asks the driver; waits while too much of what this client asked for has not been played.
    async fn ask(&self, request: Request) -> Result<(), Ending> {
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let asked = ClientEvent::Asked { session: self.id, request, place };
        self.shared.requests.send(asked).await.map_err(|_| Ending::Stopped)
    }

    /// Compresses everything from here on, if there is a place for it.
    async fn compress(&mut self) -> Result<(), Stuck> {
        if !self.pass.compress() {
            self.session.refuse_compression();
            return Ok(());
        }
        self.compressed = Some(Counted::new(&self.shared.counters.compressed));
        self.session.compress(&mut self.wire.out);
        self.wire.compress(&self.outbox).await
    }

    /// Compresses nothing any more.
    async fn decompress(&mut self) -> Result<(), Stuck> {
        self.session.flush(&mut self.wire.out);
        self.wire.decompress(&self.outbox).await?;
        self.pass.decompress();
        self.compressed = None;
        Ok(())
    }

    /// Counts what was written since the last time.
    fn count(&mut self) {
        let counters = &self.shared.counters;
        let written = self.wire.written();
        counters.add(Tally::SentBytes, written.on_the_wire - self.counted.on_the_wire);
        counters.add(Tally::CompressedFromBytes, written.packed_from - self.counted.packed_from);
        counters.add(Tally::CompressedBytes, written.packed_to - self.counted.packed_to);
        self.counted = written;
    }
}

/// One more of something for as long as this lives.
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

/// Runs a future; none if it panics.
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
    use crate::base::GameTime;
    use crate::base::limits::Limits;
    use crate::net::{Admission, Patience};
    use std::net::Ipv4Addr;

    /// Whoever sends many lines at once has few of them wait before those of others, and goes on as they are played.
    #[tokio::test]
    async fn requests_of_one_client_wait_for_their_turns() {
        let limits = Limits::default();
        let in_flight = limits.commands_in_flight as usize;
        let (requests, mut asked) = mpsc::channel(in_flight * 2);
        let shared = Shared {
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
        let outbox = Arc::new(Outbox::new(1_000));
        let connection = Connection::new(stream, SessionId(1), outbox, pass, shared, Link::default());
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
    async fn o7_a_panic_is_caught_and_a_value_comes_through() {
        assert_eq!(caught(async { 7 }).await, Some(7));
        let broken = caught(async {
            tokio::task::yield_now().await;
            panic!("on purpose");
        });
        assert_eq!(broken.await, None::<()>);
    }
}

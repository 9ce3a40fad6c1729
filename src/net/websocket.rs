//! Clients over a WebSocket (RFC 6455, protocols 9): pumps its messages into the byte stream that a connection is
//! served on, and back; finds peers that have gone. The HTTP request before it, and who may, is `server::http`'s.

use std::net::IpAddr;
use std::pin::pin;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, close_code};
use bytes::BytesMut;
use futures_util::future::{Either, select, try_join};
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::net::connection;
use crate::net::{Entrance, Pass, Refused};
use crate::protocol::web;
use crate::session::{Link, Transport};

/// Bytes that wait between the messages and the connection, each way.
const PIPE_BYTES: usize = 4_096;
/// Silence of the client after which it is pinged.
const PING_AFTER: Duration = Duration::from_secs(30);
/// Pings without an answer after which the client is gone.
const PINGS_MISSED: u32 = 2;
/// How long the goodbye may take after the connection has ended.
const PARTING: Duration = Duration::from_secs(2);

/// What the messages of a WebSocket carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carries {
    /// Binary messages are text with colours, text messages GMCP.
    TextAndData,
    /// Binary messages are the raw telnet stream.
    Telnet,
}

/// The subprotocols that are spoken, the best first.
pub const SUBPROTOCOLS: [(&str, Carries); 4] = [
    ("gmcp.mudstandards.org", Carries::TextAndData),
    ("telnet.mudstandards.org", Carries::Telnet),
    ("telnet", Carries::Telnet),
    ("binary", Carries::Telnet),
];

/// The first of ours that the client offers, and its name for the answer; old clients offer none and speak telnet.
/// `None` if only others are offered.
pub fn choose(offered: &[&str]) -> Option<(Option<&'static str>, Carries)> {
    if offered.is_empty() {
        return Some((None, Carries::Telnet));
    }
    let (name, carries) = SUBPROTOCOLS.iter().find(|(name, _)| offered.contains(name))?;
    Some((Some(name), *carries))
}

/// A client that asks to come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Where it calls from.
    pub address: IpAddr,
    /// Nobody on the way can read what is sent.
    pub private: bool,
}

impl Entrance {
    /// Takes a place, if there is one.
    pub fn admit(&self, caller: Caller) -> Result<Pass, Refused> {
        self.admission.admit(caller.address).inspect_err(|refused| {
            self.shared.counters.refused.inc();
            tracing::debug!(?refused, "connection refused");
        })
    }

    /// Serves one client to its end.
    pub async fn serve<S, E>(self, socket: S, carries: Carries, caller: Caller, pass: Pass)
    where
        S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
    {
        let session = self.next_session();
        let transport = match carries {
            Carries::TextAndData => Transport::Web,
            Carries::Telnet => Transport::Telnet,
        };
        let link = Link { transport, private: caller.private };
        let (near, far) = duplex(PIPE_BYTES);
        let served = pin!(connection::serve(near, session, caller.address, pass, self.shared, link));
        let pumped = pin!(pump(socket, far, carries));
        match select(served, pumped).await {
            Either::Left(((), pumped)) => _ = timeout(PARTING, pumped).await,
            Either::Right((_, served)) => served.await,
        }
    }
}

/// Says why there is no place, and hangs up.
pub async fn refuse<S>(mut socket: S, refused: Refused)
where
    S: Sink<Message> + Unpin,
{
    let reason = Utf8Bytes::from_static(refused.line().trim_ascii_end());
    let farewell = Message::Close(Some(CloseFrame { code: close_code::AGAIN, reason }));
    // Whoever does not listen has no place either.
    let _ = timeout(PARTING, socket.send(farewell)).await;
}

/// That the client can no longer be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gone;

/// Pumps both ways until the client is gone, or until the connection has ended and the client knows.
async fn pump<S, E>(socket: S, pipe: DuplexStream, carries: Carries) -> Result<(), Gone>
where
    S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
{
    let (sink, stream) = socket.split();
    let (reader, writer) = split(pipe);
    let ping = Notify::new();
    try_join(pump_in(stream, writer, carries, &ping), pump_out(sink, reader, carries, &ping)).await.map(drop)
}

async fn pump_in<S, E>(
    mut stream: S,
    mut pipe: WriteHalf<DuplexStream>,
    carries: Carries,
    ping: &Notify,
) -> Result<(), Gone>
where
    S: Stream<Item = Result<Message, E>> + Unpin,
{
    let mut missed = 0;
    loop {
        let Ok(next) = timeout(PING_AFTER, stream.next()).await else {
            if missed == PINGS_MISSED {
                return Err(Gone);
            }
            missed += 1;
            ping.notify_one();
            continue;
        };
        missed = 0;
        let Some(Ok(message)) = next else { return Err(Gone) };
        let (kind, payload) = match message {
            Message::Binary(payload) => (web::TEXT, payload),
            Message::Text(payload) => (web::GMCP, payload.into()),
            // The library answers these.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => continue,
        };
        if carries == Carries::TextAndData {
            pipe.write_all(&web::header(kind, payload.len())).await.map_err(|_| Gone)?;
        }
        pipe.write_all(&payload).await.map_err(|_| Gone)?;
    }
}

async fn pump_out<S>(
    mut sink: S,
    mut pipe: ReadHalf<DuplexStream>,
    carries: Carries,
    ping: &Notify,
) -> Result<(), Gone>
where
    S: Sink<Message> + Unpin,
{
    let mut waiting = BytesMut::new();
    loop {
        let read = tokio::select! {
            read = pipe.read_buf(&mut waiting) => read,
            () = ping.notified() => {
                sink.send(Message::Ping(bytes::Bytes::new())).await.map_err(|_| Gone)?;
                continue;
            }
        };
        if !matches!(read, Ok(1..)) {
            let farewell = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::default() };
            return sink.send(Message::Close(Some(farewell))).await.map_err(|_| Gone);
        }
        while let Some(message) = take_message(&mut waiting, carries) {
            sink.feed(message).await.map_err(|_| Gone)?;
        }
        sink.flush().await.map_err(|_| Gone)?;
        if waiting.is_empty() {
            // An idle client keeps no buffer.
            waiting = BytesMut::new();
        }
    }
}

/// The next message in what the connection has written, if it is whole.
fn take_message(waiting: &mut BytesMut, carries: Carries) -> Option<Message> {
    if carries == Carries::Telnet {
        return (!waiting.is_empty()).then(|| Message::Binary(waiting.split().freeze()));
    }
    let (kind, payload) = web::read_header(*waiting.first_chunk()?);
    let whole = web::HEADER_BYTES.saturating_add(usize::try_from(payload).unwrap_or(usize::MAX));
    if waiting.len() < whole {
        return None;
    }
    let payload = waiting.split_to(whole).split_off(web::HEADER_BYTES).freeze();
    if kind == web::TEXT {
        return Some(Message::Binary(payload));
    }
    Utf8Bytes::try_from(payload).ok().map(Message::Text)
}

//! WebSocket clients (RFC 6455): copies messages into the byte stream of a connection and back, and detects vanished
//! peers. The HTTP request and its authorisation belong to `server::http`.

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

use crate::net::{AdmissionRefusal, ListenerContext, Pass, connection};
use crate::protocol::web;
use crate::session::{BrowserKey, ConnectionInfo, Privacy, Transport};

/// Buffer size between messages and the connection, in bytes each way.
const PIPE_BYTES: usize = 4_096;
/// Bytes read from the connection in one step. Small, because an idle client keeps the buffer.
const READ_BYTES: usize = 2_048;
/// Idle time after which the client is pinged.
const PING_AFTER: Duration = Duration::from_secs(30);
/// Unanswered pings after which the client counts as gone.
const PINGS_MISSED: u32 = 2;
/// Time limit for the closing message after the connection has ended.
const PARTING: Duration = Duration::from_secs(2);

/// Payload format of the WebSocket messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PayloadFormat {
    /// Binary messages are text with colours; text messages are GMCP.
    TextAndData,
    /// Binary messages are the raw telnet stream.
    Telnet,
}

/// Supported subprotocols, most preferred first.
pub const SUBPROTOCOLS: &[(&str, PayloadFormat)] = &[
    ("gmcp.mudstandards.org", PayloadFormat::TextAndData),
    ("telnet.mudstandards.org", PayloadFormat::Telnet),
    ("telnet", PayloadFormat::Telnet),
    ("binary", PayloadFormat::Telnet),
];

/// Selects the first supported subprotocol that the client offers, and returns its name for the answer. Old clients
/// offer none and speak telnet. Returns `None` if the client offers only unsupported ones.
pub fn choose(offered: &[&str]) -> Option<(Option<&'static str>, PayloadFormat)> {
    if offered.is_empty() {
        return Some((None, PayloadFormat::Telnet));
    }
    let (name, carries) = SUBPROTOCOLS.iter().find(|(name, _)| offered.contains(name))?;
    Some((Some(name), *carries))
}

/// Address and privacy of a connecting client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientOrigin {
    /// Client address.
    pub address: IpAddr,
    /// Parties that can read the connection.
    pub privacy: Privacy,
}

impl ListenerContext {
    /// Serves one client until it disconnects.
    pub async fn serve<S, E>(
        self,
        socket: S,
        carries: PayloadFormat,
        caller: ClientOrigin,
        browser: Option<BrowserKey>,
        pass: Pass,
    ) where
        S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
    {
        let transport = match carries {
            PayloadFormat::TextAndData => Transport::Web,
            PayloadFormat::Telnet => Transport::Telnet,
        };
        let info = ConnectionInfo { transport, privacy: caller.privacy, compress: false, browser };
        let (near, far) = duplex(PIPE_BYTES);
        let served = pin!(connection::serve(near, self.admitted(caller.address, pass), info));
        let pumped = pin!(pump(socket, far, carries));
        match select(served, pumped).await {
            Either::Left(((), pumped)) => _ = timeout(PARTING, pumped).await,
            Either::Right((_, served)) => served.await,
        }
    }
}

/// Sends the reason for the refusal and closes the WebSocket.
pub async fn refuse<S>(mut socket: S, refused: AdmissionRefusal)
where
    S: Sink<Message> + Unpin,
{
    let reason = Utf8Bytes::from_static(refused.line().trim_ascii_end());
    let farewell = Message::Close(Some(CloseFrame { code: close_code::AGAIN, reason }));
    // Errors are ignored: the client is refused in any case.
    let _ = timeout(PARTING, socket.send(farewell)).await;
}

/// Error: the client can no longer be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gone;

/// Copies data both ways until the client is gone, or until the connection has ended and the client has been told.
async fn pump<S, E>(socket: S, pipe: DuplexStream, carries: PayloadFormat) -> Result<(), Gone>
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
    carries: PayloadFormat,
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
            // The library answers these messages.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => continue,
        };
        if carries == PayloadFormat::TextAndData {
            pipe.write_all(&web::header(kind, payload.len())).await.map_err(|_| Gone)?;
        }
        pipe.write_all(&payload).await.map_err(|_| Gone)?;
    }
}

async fn pump_out<S>(
    mut sink: S,
    mut pipe: ReadHalf<DuplexStream>,
    carries: PayloadFormat,
    ping: &Notify,
) -> Result<(), Gone>
where
    S: Sink<Message> + Unpin,
{
    let mut waiting = BytesMut::new();
    loop {
        waiting.reserve(READ_BYTES);
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
            // Releases the memory of a long message.
            waiting = BytesMut::new();
        }
    }
}

/// Takes the next complete message from the connection's output.
fn take_message(waiting: &mut BytesMut, carries: PayloadFormat) -> Option<Message> {
    if carries == PayloadFormat::Telnet {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
    use tokio::time::Instant;

    /// A WebSocket whose client is the test.
    struct Socket {
        incoming: UnboundedReceiver<Message>,
        outgoing: UnboundedSender<Message>,
    }

    impl Stream for Socket {
        type Item = Result<Message, Gone>;

        fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.incoming.poll_recv(context).map(|message| message.map(Ok))
        }
    }

    impl Sink<Message> for Socket {
        type Error = Gone;

        fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Gone>> {
            Poll::Ready(Ok(()))
        }

        fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), Gone> {
            self.outgoing.send(message).map_err(|_| Gone)
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Gone>> {
            Poll::Ready(Ok(()))
        }

        fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Gone>> {
            Poll::Ready(Ok(()))
        }
    }

    /// A pump whose client and connection are both the test.
    struct Table {
        connection: DuplexStream,
        client: UnboundedSender<Message>,
        shown: UnboundedReceiver<Message>,
        pumped: tokio::task::JoinHandle<Result<(), Gone>>,
    }

    fn table(carries: PayloadFormat) -> Table {
        let (client, incoming) = mpsc::unbounded_channel();
        let (outgoing, shown) = mpsc::unbounded_channel();
        let (connection, far) = duplex(PIPE_BYTES);
        let pumped = tokio::spawn(pump(Socket { incoming, outgoing }, far, carries));
        Table { connection, client, shown, pumped }
    }

    fn packet(kind: u8, payload: &[u8]) -> Vec<u8> {
        [web::header(kind, payload.len()).as_slice(), payload].concat()
    }

    #[test]
    fn protocols_9_server_preference_decides_and_default_is_telnet() {
        let chosen = |offered: &[&str]| choose(offered);
        assert_eq!(chosen(&[]), Some((None, PayloadFormat::Telnet)));
        assert_eq!(chosen(&["binary"]), Some((Some("binary"), PayloadFormat::Telnet)));
        assert_eq!(
            chosen(&["telnet", "gmcp.mudstandards.org"]),
            Some((Some("gmcp.mudstandards.org"), PayloadFormat::TextAndData))
        );
        assert_eq!(chosen(&["mqtt", "telnet"]), Some((Some("telnet"), PayloadFormat::Telnet)));
        assert_eq!(chosen(&["json.mudstandards.org"]), None);
    }

    #[tokio::test]
    async fn protocols_9_packets_and_messages_convert_both_ways() {
        let mut table = table(PayloadFormat::TextAndData);
        let bytes =
            [packet(web::TEXT, "n\u{f6}rth\n".as_bytes()), packet(web::GMCP, b"Room.Info {}")].concat();
        let (first, rest) = bytes.split_at(7);
        table.connection.write_all(first).await.unwrap();
        tokio::task::yield_now().await;
        table.connection.write_all(rest).await.unwrap();
        assert_eq!(table.shown.recv().await, Some(Message::Binary("n\u{f6}rth\n".into())));
        assert_eq!(table.shown.recv().await, Some(Message::Text("Room.Info {}".into())));
        table.client.send(Message::Binary("look\n".into())).unwrap();
        table.client.send(Message::Ping("x".into())).unwrap();
        table.client.send(Message::Text("Core.Ping".into())).unwrap();
        let expected = [packet(web::TEXT, b"look\n"), packet(web::GMCP, b"Core.Ping")].concat();
        let mut received = vec![0; expected.len()];
        table.connection.read_exact(&mut received).await.unwrap();
        assert_eq!(received, expected);
    }

    #[tokio::test]
    async fn protocols_9_text_longer_than_buffers_is_one_message() {
        let mut table = table(PayloadFormat::TextAndData);
        let long = vec![b'x'; 10 * PIPE_BYTES];
        table.connection.write_all(&packet(web::TEXT, &long)).await.unwrap();
        assert_eq!(table.shown.recv().await, Some(Message::Binary(long.into())));
    }

    #[tokio::test]
    async fn protocols_9_telnet_bytes_pass_unchanged() {
        let mut table = table(PayloadFormat::Telnet);
        table.connection.write_all(b"\xff\xfd\x18").await.unwrap();
        assert_eq!(table.shown.recv().await, Some(Message::Binary(b"\xff\xfd\x18".as_slice().into())));
        table.client.send(Message::Binary(b"lo\xff".as_slice().into())).unwrap();
        table.client.send(Message::Text("ok\r\n".into())).unwrap();
        let mut received = [0; 7];
        table.connection.read_exact(&mut received).await.unwrap();
        assert_eq!(&received, b"lo\xffok\r\n");
    }

    #[tokio::test(start_paused = true)]
    async fn protocols_9_two_unanswered_pings_close_connection() {
        let mut table = table(PayloadFormat::TextAndData);
        let start = Instant::now();
        for nth in 1..=2 {
            assert_eq!(table.shown.recv().await, Some(Message::Ping(bytes::Bytes::new())));
            assert_eq!(start.elapsed(), PING_AFTER * nth);
        }
        assert_eq!(table.pumped.await.unwrap(), Err(Gone));
        assert_eq!(start.elapsed(), PING_AFTER * 3);
    }

    #[tokio::test(start_paused = true)]
    async fn protocols_9_client_answering_pings_stays_connected() {
        let mut table = table(PayloadFormat::TextAndData);
        for _ in 0..10 {
            assert_eq!(table.shown.recv().await, Some(Message::Ping(bytes::Bytes::new())));
            table.client.send(Message::Pong(bytes::Bytes::new())).unwrap();
        }
        assert!(!table.pumped.is_finished());
    }

    #[tokio::test]
    async fn close_frame_follows_last_output() {
        let mut table = table(PayloadFormat::TextAndData);
        table.connection.write_all(&packet(web::TEXT, b"Farewell.\n")).await.unwrap();
        table.connection.shutdown().await.unwrap();
        assert_eq!(table.shown.recv().await, Some(Message::Binary("Farewell.\n".into())));
        assert!(matches!(table.shown.recv().await, Some(Message::Close(Some(_)))));
        drop(table.client);
        assert_eq!(table.pumped.await.unwrap(), Err(Gone));
        let mut rest = Vec::new();
        assert_eq!(table.connection.read_to_end(&mut rest).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn n1_refused_websocket_gets_reason_in_close_frame() {
        let (_client, incoming) = mpsc::unbounded_channel();
        let (outgoing, mut shown) = mpsc::unbounded_channel();
        refuse(Socket { incoming, outgoing }, AdmissionRefusal::Full).await;
        let Some(Message::Close(Some(farewell))) = shown.recv().await else { panic!("no farewell") };
        assert!(farewell.code == close_code::AGAIN && farewell.reason.contains("Every place"));
        for refused in [
            AdmissionRefusal::Full,
            AdmissionRefusal::TooManyBeforeLogin,
            AdmissionRefusal::TooManyFromAddress,
        ] {
            assert!(refused.line().len() <= 123, "a close frame holds no more");
        }
    }
}

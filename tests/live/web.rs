//! WebSocket and HTTP at the level of bytes; the web client itself is tested by `tests/web`.

use crate::PATIENCE;
use crate::server::Server;
use crate::timing::{timed, try_again, within};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use std::future::Future;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message, protocol::frame::coding::CloseCode};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) const WEB: &str = "gmcp.mudstandards.org";
/// Less than the timeout of silent connections.
const LET_IN_WITHIN: Duration = Duration::from_secs(8);

fn start(more: &[&str]) -> Server {
    Server::start(&[&["http.listen=127.0.0.1:0"], more].concat())
}

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { timeout(PATIENCE * 4, test).await.expect("the test hangs") })
}

/// WebSocket client with all data it has received.
pub(crate) struct Browser {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    subprotocol: Option<String>,
    text: Vec<u8>,
    data: Vec<String>,
}

/// Opens a WebSocket that offers subprotocols, with an `Origin` header if given. Error: the HTTP status of the refusal.
async fn open(address: SocketAddr, offer: &str, origin: Option<&str>) -> Result<Browser, u16> {
    let origin = origin.map(|origin| ("origin", origin));
    open_with(address, offer, origin.as_slice()).await
}

/// Opens a WebSocket with any request headers.
pub(crate) async fn open_with(
    address: SocketAddr,
    offer: &str,
    more: &[(&'static str, &str)],
) -> Result<Browser, u16> {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    let headers = request.headers_mut();
    if !offer.is_empty() {
        headers.insert("sec-websocket-protocol", HeaderValue::from_str(offer).unwrap());
    }
    for (name, value) in more {
        headers.insert(*name, HeaderValue::from_str(value).unwrap());
    }
    match connect_async(request).await {
        Ok((socket, response)) => {
            let subprotocol = response.headers().get("sec-websocket-protocol");
            let subprotocol = subprotocol.map(|name| name.to_str().unwrap().to_owned());
            Ok(Browser { socket, subprotocol, text: Vec::new(), data: Vec::new() })
        }
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Browser {
    pub(crate) async fn send(&mut self, text: &str) {
        self.socket.send(Message::binary(text.as_bytes().to_vec())).await.unwrap();
    }

    pub(crate) async fn send_data(&mut self, message: &str) {
        self.socket.send(Message::text(message)).await.unwrap();
    }

    /// Receives the next message; returns `false` at the end.
    async fn take(&mut self) -> bool {
        let next = timeout(PATIENCE, self.socket.next()).await;
        match next.unwrap_or_else(|_| panic!("nothing comes after {:?} {:?}", self.words(), self.data)) {
            Some(Ok(Message::Binary(bytes))) => self.text.extend_from_slice(&bytes),
            Some(Ok(Message::Text(text))) => self.data.push(text.as_str().to_owned()),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return false,
            Some(Ok(_)) => {}
        }
        true
    }

    fn words(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// Waits for the text, and discards all text up to its end.
    pub(crate) async fn expect(&mut self, phrase: &str) -> String {
        loop {
            let text = self.words();
            if text.contains(phrase) {
                self.text.clear();
                return text;
            }
            assert!(self.take().await, "closed after {text:?}");
        }
    }

    /// Waits for either of two texts; returns the one that arrived.
    pub(crate) async fn expect_either<'a>(&mut self, one: &'a str, other: &'a str) -> &'a str {
        loop {
            let text = self.words();
            if let Some(found) = [one, other].into_iter().find(|phrase| text.contains(phrase)) {
                self.text.clear();
                return found;
            }
            assert!(self.take().await, "closed after {text:?}");
        }
    }

    /// Waits for a GMCP message; returns its body.
    pub(crate) async fn expect_data(&mut self, package: &str) -> String {
        loop {
            let found = self.data.iter().position(|message| message.split(' ').next() == Some(package));
            if let Some(place) = found {
                return self.data.remove(place).split_off(package.len()).trim_start().to_owned();
            }
            assert!(self.take().await, "closed without {package}: {:?}", self.data);
        }
    }

    /// Waits until the server closes the connection.
    pub(crate) async fn expect_end(&mut self) {
        while self.take().await {}
    }
}

/// Protocols 9 and 14.15: a web client creates a character, is sent the room as text and GMCP, and quits.
#[test]
fn browser_logs_in_looks_and_quits() {
    let server = start(&[]);
    run(async {
        let origin = format!("http://{}", server.http());
        let mut browser = open(server.http(), WEB, Some(&origin)).await.unwrap();
        assert_eq!(browser.subprotocol.as_deref(), Some(WEB));
        browser.expect("name: ").await;
        browser.expect_data("Deepwell.Prompt").await;
        browser.send("kill\n").await;
        browser.expect("That word is a command, so nobody can be called it.").await;
        browser.send("create Olad\n").await;
        assert_eq!(browser.expect_data("Deepwell.Input").await, "{\"hidden\":true}");
        browser.expect("new password: ").await;
        browser.send("correct-horse\n").await;
        browser.expect("the same password: ").await;
        browser.send("correct-horse\n").await;
        assert_eq!(browser.expect_data("Deepwell.Input").await, "{\"hidden\":false}");
        browser.expect("Exits:").await;
        browser.socket.send(Message::text("Core.Supports.Set [\"Room 1\",\"Char 1\"]")).await.unwrap();
        let room: Value = serde_json::from_str(&browser.expect_data("Room.Info").await).unwrap();
        assert!(room["num"].as_u64().is_some_and(|num| num > 0), "{room}");
        // A UTF-8 character split between two messages.
        browser.socket.send(Message::binary(b"say n\xc3".to_vec())).await.unwrap();
        browser.socket.send(Message::binary(b"\xb6rth\n".to_vec())).await.unwrap();
        // Speech has its own colour, hence two waits.
        assert!(browser.expect("n\u{f6}rth").await.contains("You say: "));
        browser.send("quit\n").await;
        browser.expect_data("Core.Goodbye").await;
        browser.expect_end().await;
    });
    server.assert_no_trace_of("correct-horse");
    server.assert_sound();
}

/// Protocols 9 and 14.15: each known subprotocol, no subprotocol, and only unknown ones.
#[test]
fn known_subprotocols_are_accepted_and_others_refused() {
    let server = start(&[]);
    run(async {
        for (offer, chosen) in [
            ("telnet.mudstandards.org", Some("telnet.mudstandards.org")),
            ("telnet", Some("telnet")),
            ("binary", Some("binary")),
            ("binary, gmcp.mudstandards.org", Some(WEB)),
            ("", None),
        ] {
            let mut client = open(server.http(), offer, None).await.unwrap();
            assert_eq!(client.subprotocol.as_deref(), chosen, "{offer}");
            let telnet = chosen != Some(WEB);
            if telnet {
                // Negotiation starts with DO TERMINAL-TYPE.
                assert!(client.take().await && client.text.starts_with(b"\xff\xfd\x18"), "{:?}", client.text);
            }
            client.expect("name: ").await;
            client.send(if telnet { "who\r\n" } else { "who\n" }).await;
            client.expect("name: ").await;
        }
        assert_eq!(open(server.http(), "json.mudstandards.org", None).await.err(), Some(400));
    });
    server.assert_sound();
}

/// Protocols 9: a WebSocket is accepted only from the server's own origin and the configured ones.
#[test]
fn websocket_from_another_origin_is_refused() {
    let server = start(&["http.origins=https://play.example"]);
    run(async {
        let own = format!("http://{}", server.http());
        assert!(open(server.http(), WEB, Some(&own)).await.is_ok());
        assert!(open(server.http(), WEB, Some("https://play.example")).await.is_ok());
        for origin in ["https://evil.example", "null", "http://127.0.0.1"] {
            assert_eq!(open(server.http(), WEB, Some(origin)).await.err(), Some(403), "{origin}");
        }
    });
    server.assert_sound();
}

/// Protocols 9: a message of 1 MiB closes the connection, whether whole or fragmented; other clients are unaffected.
#[test]
fn message_of_one_mebibyte_closes_the_connection() {
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let server = start(&[]);
    run(async {
        let mut honest = open(server.http(), WEB, None).await.unwrap();
        honest.expect("name: ").await;
        let mut whole = open(server.http(), WEB, None).await.unwrap();
        // The server may close the connection before it has read everything.
        let _ = whole.socket.send(Message::binary(vec![b'x'; 1 << 20])).await;
        whole.expect_end().await;
        let mut parts = open(server.http(), WEB, None).await.unwrap();
        for nth in 0..64 {
            let kind = if nth == 0 { Data::Binary } else { Data::Continue };
            let part = Frame::message(vec![b'x'; 16 << 10], OpCode::Data(kind), nth == 63);
            if parts.socket.send(Message::Frame(part)).await.is_err() {
                break;
            }
        }
        parts.expect_end().await;
        honest.send("who\n").await;
        honest.expect("name: ").await;
    });
    server.assert_sound();
}

/// N1: connection limits apply to web clients, with a reason in the close frame.
#[test]
fn n1_connection_over_the_limit_gets_a_reason() {
    let server = start(&["limits.connections=1"]);
    run(async {
        let mut first = open(server.http(), WEB, None).await.unwrap();
        first.expect("name: ").await;
        let mut second = open(server.http(), WEB, None).await.unwrap();
        let Some(Ok(Message::Close(Some(farewell)))) = second.socket.next().await else { panic!("let in") };
        assert_eq!(farewell.code, CloseCode::Again);
        assert!(farewell.reason.as_str().starts_with("Every place in the well is taken"));
    });
    server.assert_sound();
}

/// Sends one request on a new connection; returns the whole response.
pub(crate) fn request(address: SocketAddr, head: &str) -> String {
    request_with(address, head, "")
}

/// Like [`request`], with additional headers.
fn request_with(address: SocketAddr, head: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The web client's page, its headers, caching, and error statuses.
#[test]
fn page_has_security_headers_and_errors_have_statuses() {
    let server = start(&[]);
    let page = request(server.http(), "GET /");
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && body.starts_with("<!DOCTYPE html>"), "{page}");
    let head = head.to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cache-control: no-cache",
    ] {
        assert!(head.contains(header), "{header} is not in\n{head}");
    }
    let etag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let known = request_with(server.http(), "GET /", &format!("If-None-Match: {etag}\r\n"));
    assert!(known.starts_with("HTTP/1.1 304") && known.ends_with("\r\n\r\n"), "{known}");
    let bare = request(server.http(), "HEAD /");
    assert!(bare.starts_with("HTTP/1.1 200") && bare.ends_with("\r\n\r\n"), "{bare}");
    assert!(request(server.http(), "GET /nowhere").starts_with("HTTP/1.1 404"));
    assert!(request(server.http(), "POST /").starts_with("HTTP/1.1 405"));
    assert!(request(server.http(), "GET /../Cargo.toml").starts_with("HTTP/1.1 404"));
    server.assert_sound();
}

/// The public status page and its JSON form.
#[test]
fn status_is_public() {
    let server = start(&["world.name=The Old Well"]);
    let _olad = server.create("Olad");
    let answer = request(server.http(), "GET /status.json");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let status: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&status["name"], &status["players"]), (&"The Old Well".into(), &1.into()));
    assert_eq!(status["telnet"], server.address().port());
    assert!(
        status["rooms"].as_u64() > Some(1) && status["started_at"].as_i64() > Some(1_600_000_000),
        "{status}"
    );
    assert!(body.len() < 400 && !body.contains("Olad"), "{body}");
    let page = request(server.http(), "GET /status");
    assert!(page.contains("<h1>The Old Well</h1>") && page.contains("One person plays just now."), "{page}");
    server.assert_sound();
}

/// N2: silent connections in every slot delay the page only briefly.
#[test]
fn n2_silent_connections_do_not_block_the_web_client() {
    let server = start(&["limits.http_connections=8"]);
    try_again(|| {
        let _silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(server.http()).unwrap()).collect();
        let took =
            timed(
                || {
                    while !try_request(server.http()).is_some_and(|page| page.starts_with("HTTP/1.1 200")) {}
                },
            );
        within(LET_IN_WITHIN, took, "getting the page")
    });
}

/// Requests the page; `None` if the connection is refused or closed.
fn try_request(address: SocketAddr) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(LET_IN_WITHIN)).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// N13, O8: with any number of connections, operators get answers, a backup works, and players continue.
#[test]
fn n13_descriptors_are_reserved_for_operators_and_database() {
    let settings = ["http.listen=127.0.0.1:0", "ops.listen=127.0.0.1:0"];
    let server = Server::start_with_few_files(256, &settings);
    let mut olad = server.create("Olad");
    let crowd: Vec<TcpStream> = (0..600)
        .filter_map(|n| TcpStream::connect(if n % 3 == 0 { server.http() } else { server.address() }).ok())
        .collect();
    assert!(crowd.len() > 300, "{} have connected", crowd.len());
    for _ in 0..5 {
        for page in ["GET /health", "GET /metrics", "GET /ready"] {
            let answer = request(server.port("ops"), page);
            assert!(answer.starts_with("HTTP/1.1 200"), "{page}: {answer}");
        }
        assert_eq!(server.control(&["status"])["playing"], 1);
        assert!(olad.ask("config brief on").contains("brief: on"));
    }
    let copy = server.state().join("copy.db");
    server.control(&["backup", &copy.to_string_lossy()]);
    assert!(copy.exists());
    let log = server.log();
    assert!(log.contains("connection limits lowered") && !log.contains("cannot accept"), "{log}");
}

//! Web client that reconnects with tokens: an acknowledged token is accepted, a used or revoked one never is, and of
//! two unacknowledged ones exactly one is accepted.

use super::known::account;
use super::{Scene, Worker};
use crate::PATIENCE;
use crate::client::Gone;
use crate::server::{Server, password};
use crate::web::WEB;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use tokio_tungstenite::tungstenite::client::{IntoClientRequest as _, client};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Message, WebSocket};

const NAME: &str = "Solveig";
/// Maximum number of other workers' changes between two actions.
const PAUSE: u32 = 40;
const REFUSED: &str = "Deepwell.Seat.Refused";

pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    vec![Box::new(Page { cookie: None, token: Token::None, dead: Vec::new(), next: 0 })]
}

/// Knowledge about the valid token.
enum Token {
    None,
    /// This token is acknowledged.
    Kept(String),
    /// One of these is valid, or possibly none if `or_none` is set.
    Unclear {
        may: Vec<String>,
        or_none: bool,
    },
}

struct Page {
    /// Cookie that identifies the browser.
    cookie: Option<String>,
    token: Token,
    /// Used and revoked tokens.
    dead: Vec<String>,
    /// Number of the next token.
    next: u32,
}

impl Worker for Page {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut socket = self.come_back(scene, dice)?;
        loop {
            scene.pause(dice.up_to(PAUSE));
            match std::mem::replace(&mut self.token, Token::None) {
                Token::Kept(token) if dice.percent(70) => {
                    drop(socket);
                    socket = self.try_token(scene, token)?.expect("what was told to be kept lets in");
                }
                Token::Kept(token) => {
                    self.token = Token::Unclear { may: vec![token.clone()], or_none: true };
                    scene.begin("revoke");
                    socket.type_line("log out everywhere")?;
                    socket.hear(&["Core.Goodbye"])?;
                    self.token = Token::None;
                    self.dead.push(token);
                    scene.note("revoke");
                    socket = self.log_in(scene)?;
                }
                Token::None | Token::Unclear { .. } => self.keep(scene, &mut socket)?,
            }
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let there = account(stored, NAME).seat_tokens.len();
        let as_told = match &self.token {
            Token::None => there == 0,
            Token::Kept(_) => there == 1,
            Token::Unclear { or_none, .. } => there == 1 || there == 0 && *or_none,
        };
        if !as_told {
            mismatches.push(format!("{NAME} has {there} tokens, and was told otherwise"));
        }
        if let Token::Unclear { may, or_none } = &mut self.token {
            *or_none = there == 0;
            if there == 0 {
                self.dead.append(may);
            }
        }
    }
}

impl Page {
    /// Reconnects after a start: tries an invalid token, then the possibly valid ones.
    fn come_back(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<Socket, Gone> {
        if self.cookie.is_none() {
            self.cookie = Some(cookie(scene.http)?);
        }
        if let Some(dead) = dice.pick(&self.dead).cloned() {
            let mut socket = Socket::open(scene.http, self.cookie.as_deref())?;
            let next = self.new_token();
            assert!(!socket.show(&dead, &next)?, "a token that was spent or revoked lets in");
        }
        let may = match std::mem::replace(&mut self.token, Token::None) {
            Token::None | Token::Unclear { or_none: true, .. } => return self.log_in(scene),
            Token::Kept(token) => vec![token],
            Token::Unclear { may, .. } => may,
        };
        for (n, token) in may.iter().enumerate() {
            if let Some(socket) = self.try_possible_token(scene, token.clone(), &may)? {
                let others = may.iter().enumerate().filter(|(other, _)| *other != n);
                self.dead.extend(others.map(|(_, token)| token.clone()));
                return Ok(socket);
            }
        }
        panic!("none of {} tokens of which one is kept lets in", may.len());
    }

    fn try_token(&mut self, scene: &Scene<'_>, token: String) -> Result<Option<Socket>, Gone> {
        let may = vec![token.clone()];
        self.try_possible_token(scene, token, &may)
    }

    /// Tries one of the possibly valid tokens; returns `None` if it is refused.
    fn try_possible_token(
        &mut self,
        scene: &Scene<'_>,
        token: String,
        may: &[String],
    ) -> Result<Option<Socket>, Gone> {
        let next = self.new_token();
        let all = may.iter().cloned().chain([next.clone()]).collect();
        self.token = Token::Unclear { may: all, or_none: false };
        let mut socket = Socket::open(scene.http, self.cookie.as_deref())?;
        scene.begin("seat");
        if !socket.show(&token, &next)? {
            self.token = Token::Unclear { may: may.to_vec(), or_none: false };
            return Ok(None);
        }
        socket.hear(&["Deepwell.Seat.Kept"])?;
        self.token = Token::Kept(next);
        self.dead.push(token);
        scene.note("seat");
        Ok(Some(socket))
    }

    fn log_in(&mut self, scene: &Scene<'_>) -> Result<Socket, Gone> {
        let mut socket = Socket::open(scene.http, self.cookie.as_deref())?;
        socket.type_line(&format!("connect {NAME} {}", password(NAME)))?;
        socket.hear(&["Deepwell.Seat.Offer"])?;
        Ok(socket)
    }

    fn keep(&mut self, scene: &Scene<'_>, socket: &mut Socket) -> Result<(), Gone> {
        let token = self.new_token();
        self.token = Token::Unclear { may: vec![token.clone()], or_none: true };
        scene.begin("seat");
        socket.tell(&format!("Deepwell.Seat.Keep {}", json!({ "token": token })))?;
        socket.hear(&["Deepwell.Seat.Kept"])?;
        self.token = Token::Kept(token);
        scene.note("seat");
        Ok(())
    }

    fn new_token(&mut self) -> String {
        self.next += 1;
        format!("{:064x}", self.next)
    }
}

/// WebSocket to a server that may be down.
struct Socket(WebSocket<TcpStream>);

fn gone<E>(_: E) -> Gone {
    Gone(String::new())
}

fn connect(address: SocketAddr) -> Result<TcpStream, Gone> {
    let stream = TcpStream::connect(address).map_err(gone)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(gone)?;
    Ok(stream)
}

/// Fetches the cookie set with the web client's page.
fn cookie(address: SocketAddr) -> Result<String, Gone> {
    let mut stream = connect(address)?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: well\r\nconnection: close\r\n\r\n").map_err(gone)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(gone)?;
    let line =
        answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).ok_or(Gone(String::new()))?;
    Ok(line.split(';').next().unwrap().to_owned())
}

impl Socket {
    fn open(address: SocketAddr, cookie: Option<&str>) -> Result<Self, Gone> {
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("sec-websocket-protocol", HeaderValue::from_static(WEB));
        headers.insert("cookie", HeaderValue::from_str(cookie.unwrap_or_default()).unwrap());
        let (socket, _) = client(request, connect(address)?).map_err(gone)?;
        let (mut socket, mut text) = (Self(socket), Vec::new());
        while !String::from_utf8_lossy(&text).contains("name: ") {
            if let Message::Binary(bytes) = socket.0.read().map_err(gone)? {
                text.extend_from_slice(&bytes);
            }
        }
        Ok(socket)
    }

    fn type_line(&mut self, line: &str) -> Result<(), Gone> {
        self.0.send(Message::binary(format!("{line}\n").into_bytes())).map_err(gone)
    }

    fn tell(&mut self, message: &str) -> Result<(), Gone> {
        self.0.send(Message::text(message)).map_err(gone)
    }

    /// Waits for a message of one of these packages; returns the package.
    fn hear<'a>(&mut self, packages: &[&'a str]) -> Result<&'a str, Gone> {
        loop {
            let Message::Text(message) = self.0.read().map_err(gone)? else { continue };
            let package = message.as_str().split(' ').next().unwrap_or_default();
            if let Some(heard) = packages.iter().find(|meant| **meant == package) {
                return Ok(heard);
            }
        }
    }

    /// Shows a token; returns `true` if it is accepted.
    fn show(&mut self, token: &str, next: &str) -> Result<bool, Gone> {
        let body = json!({ "name": NAME, "token": token, "next": next });
        self.tell(&format!("Deepwell.Seat.Take {body}"))?;
        Ok(self.hear(&["Deepwell.Seat.Taken", REFUSED])? != REFUSED)
    }
}

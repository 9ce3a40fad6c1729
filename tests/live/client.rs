//! Telnet client for tests: refuses every option but GMCP, separates text from GMCP, and waits for expected text.

use crate::PATIENCE;
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WONT: u8 = 252;
const WILL: u8 = 251;
const SB: u8 = 250;
const SE: u8 = 240;
const MCCP2: u8 = 86;
const GMCP: u8 = 201;

/// Reaction of a client to the server's option negotiation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientKind {
    /// Refuses every option.
    Plain,
    /// Refuses every option but GMCP, and subscribes to the packages for a map and gauges.
    Mapper,
    /// Refuses every option but compression; its carrier must inflate.
    Compressed,
    /// Answers nothing, as netcat does.
    Silent,
}

/// Error: the server closed the connection before the expected text arrived.
#[derive(Debug)]
pub(crate) struct Gone(
    /// Text received since the last wait.
    pub(crate) String,
);

/// Transport for a client's bytes.
pub(crate) trait Carrier: Send + Read + Write {
    /// Underlying TCP socket.
    fn socket(&self) -> &TcpStream;
}

impl Carrier for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

/// Test client on one connection.
pub(crate) struct Client {
    stream: Box<dyn Carrier>,
    manners: ClientKind,
    /// Bytes of an incomplete telnet command.
    unread: Vec<u8>,
    /// Text received, without colours and carriage returns.
    text: String,
    /// Number of colour changes received.
    colours: usize,
    /// Number of bytes of `text` already consumed by a wait.
    seen: usize,
    /// GMCP messages in order of arrival: package and body.
    data: Vec<(String, Value)>,
    fences: u32,
    /// Error with which the connection ended, if it did.
    ended: Option<ErrorKind>,
    said_goodbye: bool,
}

impl Client {
    /// Connects a plain client and waits for the name prompt.
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let mut client = Self::open(address, ClientKind::Plain);
        client.expect("name: ");
        client
    }

    /// Connects a client without waiting for any text.
    pub(crate) fn open(address: SocketAddr, manners: ClientKind) -> Self {
        Self::try_open(address, manners).unwrap()
    }

    /// Fallible variant for a server that may be down.
    pub(crate) fn try_open(address: SocketAddr, manners: ClientKind) -> Result<Self, Gone> {
        let stream = TcpStream::connect(address).map_err(|_| Gone(String::new()))?;
        Ok(Self::over(stream, manners))
    }

    /// Creates a client on an existing connection.
    pub(crate) fn over(stream: impl Carrier + 'static, manners: ClientKind) -> Self {
        stream.socket().set_nodelay(true).unwrap();
        Self {
            stream: Box::new(stream),
            manners,
            unread: Vec::new(),
            text: String::new(),
            colours: 0,
            seen: 0,
            data: Vec::new(),
            fences: 0,
            ended: None,
            said_goodbye: false,
        }
    }

    /// Sends `create` or `connect` and waits for the first prompt.
    pub(crate) fn enter(&mut self, word: &str, name: &str, password: &str) {
        self.send(&format!("{word} {name} {password}"));
        self.expect("> ");
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Sends bytes in one write. A closed connection is reported by the next wait, not here.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        if let Err(error) = self.stream.write_all(bytes).and_then(|()| self.stream.flush()) {
            self.ended = Some(error.kind());
        }
    }

    /// Sends a line and returns all text, without prompts, that arrives until the server has executed it.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.try_ask(line).unwrap_or_else(|_| panic!("the server hung up on {line:?}:\n{}", self.recent()))
    }

    /// Fallible variant for a server that may be down.
    pub(crate) fn try_ask(&mut self, line: &str) -> Result<String, Gone> {
        self.try_ask_until(line, &[])
    }

    /// Like [`Client::try_ask`], but stops early at any of `phrases`.
    pub(crate) fn try_ask_until(&mut self, line: &str, phrases: &[&str]) -> Result<String, Gone> {
        self.fences += 1;
        let fence = format!("fence{}", self.fences);
        self.send_bytes(format!("{line}\r\npath {fence}\r\n").as_bytes());
        let clean = |answer: &str| {
            let lines = answer.lines().map(without_prompt);
            lines.filter(|line| !line.is_empty() && !line.contains(&fence)).collect::<Vec<_>>().join("\n")
        };
        let end = format!("You know no way to \"{fence}\".");
        let ends = [&[end.as_str()], phrases].concat();
        let answer = self.try_expect_any(&ends);
        answer.map(|answer| clean(&answer)).map_err(|Gone(answer)| Gone(clean(&answer)))
    }

    /// Returns the output of `look`, without earlier text.
    pub(crate) fn look(&mut self) -> String {
        self.ask("");
        self.ask("look")
    }

    /// Waits for `phrase`; returns all text since the last wait, up to its end.
    pub(crate) fn expect(&mut self, phrase: &str) -> String {
        self.try_expect(phrase)
            .unwrap_or_else(|_| panic!("hung up ({:?}) before {phrase:?}:\n{}", self.ended, self.recent()))
    }

    /// Waits for the first of several texts.
    pub(crate) fn expect_any(&mut self, phrases: &[&str]) -> String {
        self.try_expect_any(phrases).unwrap_or_else(|_| {
            panic!("hung up ({:?}) before any of {phrases:?}:\n{}", self.ended, self.recent())
        })
    }

    /// Reads to the end; returns `true` if the server closed the connection properly, over TLS with a close
    /// notification.
    pub(crate) fn is_closed_properly(&mut self) -> bool {
        while self.ended.is_none() {
            self.read_once();
        }
        self.said_goodbye
    }

    /// Reads to the end; returns the remaining text without prompts.
    pub(crate) fn last_words(&mut self) -> String {
        while self.ended.is_none() {
            self.read_once();
        }
        self.rest().lines().map(without_prompt).collect::<Vec<_>>().join("\n")
    }

    /// Like [`Client::expect`], for a server that may be down.
    pub(crate) fn try_expect(&mut self, phrase: &str) -> Result<String, Gone> {
        self.try_expect_any(&[phrase])
    }

    /// Like [`Client::try_expect`], for any of several texts.
    pub(crate) fn try_expect_any(&mut self, phrases: &[&str]) -> Result<String, Gone> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let new = &self.text[self.seen..];
            let found = phrases.iter().filter_map(|phrase| Some((new.find(phrase)?, phrase.len()))).min();
            if let Some((at, length)) = found {
                let end = self.seen + at + length;
                let heard = self.text[self.seen..end].to_owned();
                self.seen = end;
                return Ok(heard);
            }
            if self.ended.is_some() {
                return Err(Gone(self.rest()));
            }
            assert!(Instant::now() < deadline, "{phrases:?} did not come:\n{}", self.recent());
            self.read_some(deadline);
        }
    }

    fn rest(&mut self) -> String {
        let rest = self.text[self.seen..].to_owned();
        self.seen = self.text.len();
        rest
    }

    /// Returns all text received so far.
    pub(crate) fn all_text(&self) -> String {
        self.text.clone()
    }

    /// Returns the end of the received text, for failure messages.
    fn recent(&self) -> &str {
        let start = self.text.len().saturating_sub(1_500);
        &self.text[self.text.ceil_char_boundary(start)..]
    }

    /// Returns the local port of the connection.
    pub(crate) fn port(&self) -> u16 {
        self.stream.socket().local_addr().unwrap().port()
    }

    /// Returns the number of lines sent by [`Client::ask`] and its variants.
    pub(crate) fn fences(&self) -> u32 {
        self.fences
    }

    /// Returns the number of colour changes received.
    pub(crate) fn colours(&self) -> usize {
        self.colours
    }

    /// Returns the last `Room.Info` sent to a [`ClientKind::Mapper`].
    pub(crate) fn room(&self) -> Option<&Value> {
        self.data.iter().rev().find(|(package, _)| package == "Room.Info").map(|(_, body)| body)
    }

    /// Returns all GMCP messages sent to a [`ClientKind::Mapper`], with their packages.
    pub(crate) fn data(&self) -> &[(String, Value)] {
        &self.data
    }

    /// Reads the available bytes, or waits for the first.
    pub(crate) fn read_once(&mut self) {
        self.read_some(Instant::now() + PATIENCE);
    }

    /// Reads the bytes that arrive within the given time, if any.
    pub(crate) fn read_for(&mut self, time: Duration) {
        self.read_some(Instant::now() + time);
    }

    /// Reads everything that arrives within the given time.
    pub(crate) fn listen(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && self.ended.is_none() {
            self.read_some(end);
        }
    }

    fn read_some(&mut self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        self.stream.socket().set_read_timeout(Some(left)).unwrap();
        let mut buffer = [0; 16_384];
        match self.stream.read(&mut buffer) {
            Ok(0) => (self.ended, self.said_goodbye) = (Some(ErrorKind::UnexpectedEof), true),
            Ok(count) => self.take(&buffer[..count]),
            Err(error) => match error.kind() {
                // A read with a timeout is interrupted when a child process of another test ends.
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                kind => self.ended = Some(kind),
            },
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.unread.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.unread);
        let mut text = Vec::new();
        let mut rest = bytes.as_slice();
        while let Some((&first, tail)) = rest.split_first() {
            let used = match first {
                IAC => self.command(rest),
                0x1b => {
                    self.colours += 1;
                    colour(rest)
                }
                b'\r' | 0 => Some(1),
                _ => {
                    text.push(first);
                    rest = tail;
                    continue;
                }
            };
            let Some(used) = used else { break };
            rest = &rest[used..];
        }
        self.unread = rest.to_vec();
        self.text.push_str(std::str::from_utf8(&text).expect("the server writes UTF-8"));
    }

    /// Handles a telnet command; returns its length, or `None` if it is incomplete.
    fn command(&mut self, bytes: &[u8]) -> Option<usize> {
        let answer = match (*bytes.get(1)?, bytes.get(2).copied()) {
            (SB, _) => {
                let end = bytes.windows(2).position(|pair| pair == [IAC, SE])?;
                self.subnegotiation(&bytes[2..end]);
                return Some(end + 2);
            }
            (WILL, Some(GMCP)) if self.manners == ClientKind::Mapper => [IAC, DO, GMCP],
            (WILL, Some(MCCP2)) if self.manners == ClientKind::Compressed => [IAC, DO, MCCP2],
            (WILL, Some(option)) => [IAC, DONT, option],
            (DO, Some(option)) => [IAC, WONT, option],
            (WILL | DO | WONT | DONT, None) => return None,
            (WONT | DONT, Some(_)) => return Some(3),
            _ => return Some(2),
        };
        if self.manners != ClientKind::Silent {
            self.send_bytes(&answer);
        }
        if answer == [IAC, DO, GMCP] {
            let mut wish = vec![IAC, SB, GMCP];
            wish.extend_from_slice(
                b"Core.Supports.Set [\"Room 1\",\"Room.Map 1\",\"Char 1\",\"Party 1\",\"Char.Items 1\",\"Comm.Channel 1\"]",
            );
            wish.extend_from_slice(&[IAC, SE]);
            self.send_bytes(&wish);
        }
        Some(3)
    }

    fn subnegotiation(&mut self, payload: &[u8]) {
        if let Some(message) = payload.strip_prefix(&[GMCP])
            && let Some(at) = message.iter().position(|byte| *byte == b' ')
        {
            let package = String::from_utf8(message[..at].to_vec()).expect("packages are ASCII");
            self.data.push((package, serde_json::from_slice(&message[at..]).expect("GMCP is JSON")));
        }
    }
}

/// Returns the length of a colour escape sequence; panics on any other sequence.
fn colour(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().position(|byte| *byte == b'm')?;
    let body = &bytes[1..end];
    assert!(
        body.starts_with(b"[") && body[1..].iter().all(|byte| byte.is_ascii_digit() || *byte == b';'),
        "an escape sequence that is no colour: {:?}",
        String::from_utf8_lossy(body)
    );
    Some(end + 1)
}

/// Returns the line without leading prompts.
fn without_prompt(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix("HP:") {
        let Some((_, rest)) = rest.split_once("> ") else { return "" };
        line = rest;
    }
    line
}

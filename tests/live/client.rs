//! A telnet client for tests: refuses every option but GMCP, keeps text and GMCP apart, and waits for words.

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

/// How a client meets the server's negotiation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manners {
    /// Refuses every option.
    Plain,
    /// Refuses every option but GMCP, and asks for what a map and gauges are made of.
    Mapper,
    /// Refuses every option but compression; what it connects over must inflate.
    Compressed,
    /// Answers nothing, as netcat does.
    Silent,
}

/// That the server closed the connection before what was waited for came.
#[derive(Debug)]
pub(crate) struct Gone(
    /// What had come since the last wait.
    pub(crate) String,
);

/// What carries a client's bytes.
pub(crate) trait Carrier: Send + Read + Write {
    /// The socket at the bottom.
    fn socket(&self) -> &TcpStream;
}

impl Carrier for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

/// One client.
pub(crate) struct Client {
    stream: Box<dyn Carrier>,
    manners: Manners,
    /// Bytes of a telnet command that has not come in full.
    unread: Vec<u8>,
    /// Text that came; colours and carriage returns are left out.
    text: String,
    /// How many colours came.
    colours: usize,
    /// How much of it has been looked at.
    seen: usize,
    /// Structured data in the order in which it came: package and body.
    data: Vec<(String, Value)>,
    fences: u32,
    /// How the connection ended, if it did.
    ended: Option<ErrorKind>,
    said_goodbye: bool,
}

impl Client {
    /// A plain client that stands at the name prompt.
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let mut client = Self::open(address, Manners::Plain);
        client.expect("name: ");
        client
    }

    /// A client that has connected and waited for nothing yet.
    pub(crate) fn open(address: SocketAddr, manners: Manners) -> Self {
        Self::try_open(address, manners).unwrap()
    }

    /// The same with a server that may be gone.
    pub(crate) fn try_open(address: SocketAddr, manners: Manners) -> Result<Self, Gone> {
        let stream = TcpStream::connect(address).map_err(|_| Gone(String::new()))?;
        Ok(Self::over(stream, manners))
    }

    /// A client over a connection that is there already.
    pub(crate) fn over(stream: impl Carrier + 'static, manners: Manners) -> Self {
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

    /// `create` or `connect`, and the first room.
    pub(crate) fn enter(&mut self, word: &str, name: &str, password: &str) {
        self.send(&format!("{word} {name} {password}"));
        self.expect("> ");
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Sends bytes in one write. A server that is gone shows when something is expected of it.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        if let Err(error) = self.stream.write_all(bytes).and_then(|()| self.stream.flush()) {
            self.ended = Some(error.kind());
        }
    }

    /// Sends a line and gives all that comes until the server has carried it out, without prompts.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.try_ask(line).unwrap_or_else(|_| panic!("the server hung up on {line:?}:\n{}", self.recent()))
    }

    /// The same with a server that may be gone.
    pub(crate) fn try_ask(&mut self, line: &str) -> Result<String, Gone> {
        self.try_ask_until(line, &[])
    }

    /// The same, up to other words if one of them comes first.
    pub(crate) fn try_ask_until(&mut self, line: &str, words: &[&str]) -> Result<String, Gone> {
        self.fences += 1;
        let fence = format!("fence{}", self.fences);
        self.send_bytes(format!("{line}\r\npath {fence}\r\n").as_bytes());
        let clean = |answer: &str| {
            let lines = answer.lines().map(without_prompt);
            lines.filter(|line| !line.is_empty() && !line.contains(&fence)).collect::<Vec<_>>().join("\n")
        };
        let end = format!("You know no way to \"{fence}\".");
        let ends = [&[end.as_str()], words].concat();
        let answer = self.try_expect_any(&ends);
        answer.map(|answer| clean(&answer)).map_err(|Gone(answer)| Gone(clean(&answer)))
    }

    /// What `look` shows, and nothing that came before.
    pub(crate) fn look(&mut self) -> String {
        self.ask("");
        self.ask("look")
    }

    /// Waits for words; gives everything since the last wait, to the end of the words.
    pub(crate) fn expect(&mut self, words: &str) -> String {
        self.try_expect(words)
            .unwrap_or_else(|_| panic!("hung up ({:?}) before {words:?}:\n{}", self.ended, self.recent()))
    }

    /// Waits for the first of several.
    pub(crate) fn expect_any(&mut self, words: &[&str]) -> String {
        self.try_expect_any(words).unwrap_or_else(|_| {
            panic!("hung up ({:?}) before any of {words:?}:\n{}", self.ended, self.recent())
        })
    }

    /// Reads to the end; whether the server closed the connection as it should, by TLS with a word of its own.
    pub(crate) fn is_let_go(&mut self) -> bool {
        while self.ended.is_none() {
            self.read_once();
        }
        self.said_goodbye
    }

    /// All that still came before the server was gone, without prompts.
    pub(crate) fn last_words(&mut self) -> String {
        while self.ended.is_none() {
            self.read_once();
        }
        self.rest().lines().map(without_prompt).collect::<Vec<_>>().join("\n")
    }

    /// The same as [`Client::expect`] with a server that may be gone.
    pub(crate) fn try_expect(&mut self, words: &str) -> Result<String, Gone> {
        self.try_expect_any(&[words])
    }

    /// The same for any of these words.
    pub(crate) fn try_expect_any(&mut self, words: &[&str]) -> Result<String, Gone> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let new = &self.text[self.seen..];
            let found = words.iter().filter_map(|words| Some((new.find(words)?, words.len()))).min();
            if let Some((at, length)) = found {
                let end = self.seen + at + length;
                let heard = self.text[self.seen..end].to_owned();
                self.seen = end;
                return Ok(heard);
            }
            if self.ended.is_some() {
                return Err(Gone(self.rest()));
            }
            assert!(Instant::now() < deadline, "{words:?} did not come:\n{}", self.recent());
            self.read_some(deadline);
        }
    }

    fn rest(&mut self) -> String {
        let rest = self.text[self.seen..].to_owned();
        self.seen = self.text.len();
        rest
    }

    /// The end of the text, for a message.
    fn recent(&self) -> &str {
        let start = self.text.len().saturating_sub(1_500);
        &self.text[self.text.ceil_char_boundary(start)..]
    }

    /// The port that it calls from.
    pub(crate) fn port(&self) -> u16 {
        self.stream.socket().local_addr().unwrap().port()
    }

    /// Lines of it that were carried out, or are being carried out.
    pub(crate) fn fences(&self) -> u32 {
        self.fences
    }

    /// How often the text changed its colour.
    pub(crate) fn colours(&self) -> usize {
        self.colours
    }

    /// The last `Room.Info` of a [`Manners::Mapper`].
    pub(crate) fn room(&self) -> Option<&Value> {
        self.data.iter().rev().find(|(package, _)| package == "Room.Info").map(|(_, body)| body)
    }

    /// All structured data that came to a [`Manners::Mapper`], with their packages.
    pub(crate) fn data(&self) -> &[(String, Value)] {
        &self.data
    }

    /// Reads what is there, or waits for something.
    pub(crate) fn read_once(&mut self) {
        self.read_some(Instant::now() + PATIENCE);
    }

    /// Reads what comes within a time, if anything does.
    pub(crate) fn read_for(&mut self, time: Duration) {
        self.read_some(Instant::now() + time);
    }

    fn read_some(&mut self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        self.stream.socket().set_read_timeout(Some(left)).unwrap();
        let mut buffer = [0; 16_384];
        match self.stream.read(&mut buffer) {
            Ok(0) => (self.ended, self.said_goodbye) = (Some(ErrorKind::UnexpectedEof), true),
            Ok(count) => self.take(&buffer[..count]),
            Err(error) => match error.kind() {
                // A read with a time limit is interrupted when a process of another test ends.
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

    /// Obeys a telnet command; gives its length, or nothing if it has not come in full.
    fn command(&mut self, bytes: &[u8]) -> Option<usize> {
        let answer = match (*bytes.get(1)?, bytes.get(2).copied()) {
            (SB, _) => {
                let end = bytes.windows(2).position(|pair| pair == [IAC, SE])?;
                self.subnegotiation(&bytes[2..end]);
                return Some(end + 2);
            }
            (WILL, Some(GMCP)) if self.manners == Manners::Mapper => [IAC, DO, GMCP],
            (WILL, Some(MCCP2)) if self.manners == Manners::Compressed => [IAC, DO, MCCP2],
            (WILL, Some(option)) => [IAC, DONT, option],
            (DO, Some(option)) => [IAC, WONT, option],
            (WILL | DO | WONT | DONT, None) => return None,
            (WONT | DONT, Some(_)) => return Some(3),
            _ => return Some(2),
        };
        if self.manners != Manners::Silent {
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

/// The length of an escape sequence that changes the colour: no other may come.
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

/// A line without the prompts in front of it.
fn without_prompt(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix("HP:") {
        let Some((_, rest)) = rest.split_once("> ") else { return "" };
        line = rest;
    }
    line
}

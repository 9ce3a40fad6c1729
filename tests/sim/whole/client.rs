//! A telnet client on a link of memory: a plain one, or one that speaks GMCP.

use super::fuse::Fuse;
use super::mirror::{GMCP, Mirror, WANTED};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::timeout;

/// The link is gone; with what was read until then.
#[derive(Debug)]
pub(super) struct Gone(pub(super) String);

pub(super) struct Client {
    stream: DuplexStream,
    fuse: Fuse,
    at: At,
    /// What has been read, without colours and the bytes of telnet.
    text: String,
    /// How much of it has been looked at.
    seen: usize,
    fences: u32,
    /// What it knows by structured data, if it asks for any.
    pub(super) mirror: Option<Mirror>,
    /// The subnegotiation that is being read.
    inside: Vec<u8>,
    /// What it answers to offers.
    answers: Vec<u8>,
}

/// Where the last byte was: in the text, or in a command of telnet, or in a change of colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Text,
    Command,
    Option(u8),
    Inside,
    InsideCommand,
    Colour,
}

const ESCAPE: u8 = 27;
const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
const WILL: u8 = 251;
const DO: u8 = 253;

impl Client {
    pub(super) const fn new(stream: DuplexStream, fuse: Fuse) -> Self {
        Self {
            stream,
            fuse,
            at: At::Text,
            text: String::new(),
            seen: 0,
            fences: 0,
            mirror: None,
            inside: Vec::new(),
            answers: Vec::new(),
        }
    }

    pub(super) async fn send(&mut self, line: &str) {
        // A link that is gone shows when something is expected of it.
        let _ = self.stream.write_all(format!("{line}\r\n").as_bytes()).await;
    }

    /// Types a line, and gives all that comes until the server has answered it, or says that it never will.
    pub(super) async fn ask(&mut self, line: &str) -> Result<String, Gone> {
        self.fences += 1;
        let fence = format!("fence{}", self.fences);
        self.send(&format!("{line}\r\npath {fence}")).await;
        self.expect(&[&fence]).await
    }

    /// Reads until one of these words has come.
    pub(super) async fn expect(&mut self, words: &[&str]) -> Result<String, Gone> {
        loop {
            let new = &self.text[self.seen..];
            if let Some(end) = words.iter().filter_map(|words| Some(new.find(words)? + words.len())).min() {
                let heard = new[..end].to_owned();
                self.seen += end;
                return Ok(heard);
            }
            self.fuse.burn().await;
            let mut bytes = [0; 4_096];
            match self.stream.read(&mut bytes).await {
                Ok(count) if count > 0 => {
                    self.take_in(&bytes[..count]);
                    // A link that is gone shows at the next read.
                    let _ = self.stream.write_all(&std::mem::take(&mut self.answers)).await;
                }
                _ => {
                    let rest = self.text[self.seen..].to_owned();
                    self.seen = self.text.len();
                    return Err(Gone(rest));
                }
            }
        }
    }

    /// Whether the server still holds its end, which it need not read.
    pub(super) async fn is_connected(&mut self) -> bool {
        !matches!(timeout(Duration::from_secs(1), self.stream.write(b"\r\n")).await, Ok(Err(_)))
    }

    /// How many bytes were still on the link when it was cut.
    pub(super) async fn left_over(mut self) -> usize {
        let mut bytes = Vec::new();
        let _ = self.stream.read_to_end(&mut bytes).await;
        bytes.len()
    }

    /// Keeps the text of what was read. It is ASCII: the client has not said that it takes more.
    fn take_in(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.at = match (self.at, *byte) {
                (At::Text, IAC) => At::Command,
                (At::Text, ESCAPE) => At::Colour,
                (At::Colour, byte) if byte != b'm' => At::Colour,
                (At::Text, byte) => {
                    self.text.push(char::from(byte));
                    At::Text
                }
                (At::Command, SB) => {
                    self.inside.clear();
                    At::Inside
                }
                (At::Command, verb @ 251..=254) => At::Option(verb),
                (At::Option(WILL), GMCP) => {
                    self.accept();
                    At::Text
                }
                (At::InsideCommand, SE) => {
                    self.note();
                    At::Text
                }
                (At::Command | At::Option(_) | At::Colour, _) => At::Text,
                (At::Inside, IAC) => At::InsideCommand,
                (At::Inside | At::InsideCommand, byte) => {
                    self.inside.push(byte);
                    At::Inside
                }
            };
        }
    }

    /// Takes the offer of structured data, if it wants any.
    fn accept(&mut self) {
        if self.mirror.is_some() {
            self.answers.extend([IAC, DO, GMCP, IAC, SB, GMCP]);
            self.answers.extend(WANTED.as_bytes());
            self.answers.extend([IAC, SE]);
        }
    }

    /// A subnegotiation has been read.
    fn note(&mut self) {
        if let (Some(mirror), [GMCP, message @ ..]) = (&mut self.mirror, &self.inside[..]) {
            mirror.take_in(std::str::from_utf8(message).expect("a message is UTF-8"));
        }
    }
}

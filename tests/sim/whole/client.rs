//! Telnet client on an in-memory link, with or without GMCP.

use super::fuse::Fuse;
use super::mirror::{GMCP, Mirror, WANTED};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::timeout;

/// Error: the link is closed. Holds the text read until then.
#[derive(Debug)]
pub(super) struct Gone(pub(super) String);

pub(super) struct Client {
    stream: DuplexStream,
    fuse: Fuse,
    at: At,
    /// Text read, without colours and telnet bytes.
    text: String,
    /// Number of bytes of `text` already consumed by a wait.
    seen: usize,
    fences: u32,
    /// State known from GMCP, if enabled.
    pub(super) mirror: Option<Mirror>,
    /// Bytes of the current subnegotiation.
    inside: Vec<u8>,
    /// Pending replies to offers.
    answers: Vec<u8>,
}

/// State of the parser: in text, in a telnet command, or in a colour sequence.
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

/// Maximum number of waits, of a second each, until a disk that does not respond has answered or failed.
const WAITS: u32 = 300;

/// Returns the text as one line with single spaces.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

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
        // A closed link is reported by the next wait.
        let _ = self.stream.write_all(format!("{line}\r\n").as_bytes()).await;
    }

    /// Sends a line; returns all text until the server has answered it, or has reported that it will not.
    pub(super) async fn ask(&mut self, line: &str) -> Result<String, Gone> {
        self.fences += 1;
        let fence = format!("fence{}", self.fences);
        self.send(&format!("{line}\r\npath {fence}")).await;
        self.expect(&[&fence]).await
    }

    /// Reads until one of these texts has arrived.
    pub(super) async fn expect(&mut self, phrases: &[&str]) -> Result<String, Gone> {
        loop {
            let new = &self.text[self.seen..];
            if let Some(end) =
                phrases.iter().filter_map(|phrase| Some(new.find(phrase)? + phrase.len())).min()
            {
                let heard = new[..end].to_owned();
                self.seen += end;
                return Ok(heard);
            }
            self.fuse.burn().await;
            let mut bytes = [0; 4_096];
            match self.stream.read(&mut bytes).await {
                Ok(count) if count > 0 => {
                    self.take_in(&bytes[..count]);
                    // A closed link is reported by the next read.
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

    /// Asks, and reads on until an answer has arrived: while the disk does not respond, the end of [`Self::ask`] overtakes
    /// the answers to changes. Lines may be wrapped at any space, so the text is compared with single spaces.
    pub(super) async fn ask_for(
        &mut self,
        line: &str,
        is_answer: impl Fn(&str) -> bool,
    ) -> Result<String, Gone> {
        let mut text = unwrapped(&self.ask(line).await.map_err(|Gone(text)| Gone(unwrapped(&text)))?);
        // The clock may jump, so the waits are counted.
        for _ in 0..WAITS {
            if is_answer(&text) {
                break;
            }
            match timeout(Duration::from_secs(1), self.expect(&["\n"])).await {
                Ok(Ok(more)) => text = format!("{text} {}", unwrapped(&more)),
                Ok(Err(Gone(rest))) => return Err(Gone(format!("{text} {}", unwrapped(&rest)))),
                Err(_) => {}
            }
        }
        Ok(text)
    }

    /// Returns `true` if the server has not closed its end; the server need not read.
    pub(super) async fn is_connected(&mut self) -> bool {
        !matches!(timeout(Duration::from_secs(1), self.stream.write(b"\r\n")).await, Ok(Err(_)))
    }

    /// Returns the number of bytes left on the closed link.
    pub(super) async fn left_over(mut self) -> usize {
        let mut bytes = Vec::new();
        let _ = self.stream.read_to_end(&mut bytes).await;
        bytes.len()
    }

    /// Appends the text of the bytes read. It is ASCII: the client has not declared any other charset.
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

    /// Accepts the offer of GMCP, if enabled.
    fn accept(&mut self) {
        if self.mirror.is_some() {
            self.answers.extend([IAC, DO, GMCP, IAC, SB, GMCP]);
            self.answers.extend(WANTED.as_bytes());
            self.answers.extend([IAC, SE]);
        }
    }

    /// Processes a complete subnegotiation.
    fn note(&mut self) {
        if let (Some(mirror), [GMCP, message @ ..]) = (&mut self.mirror, &self.inside[..]) {
            mirror.take_in(std::str::from_utf8(message).expect("a message is UTF-8"));
        }
    }
}

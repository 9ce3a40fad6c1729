//! A plain telnet client on a link of memory.

use super::fuse::Fuse;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

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
}

/// Where the last byte was: in the text, or in a command of telnet, or in a change of colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Text,
    Command,
    Option,
    Inside,
    InsideCommand,
    Colour,
}

const ESCAPE: u8 = 27;
const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;

impl Client {
    pub(super) const fn new(stream: DuplexStream, fuse: Fuse) -> Self {
        Self { stream, fuse, at: At::Text, text: String::new(), seen: 0, fences: 0 }
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
                Ok(count) if count > 0 => self.take_in(&bytes[..count]),
                _ => {
                    let rest = self.text[self.seen..].to_owned();
                    self.seen = self.text.len();
                    return Err(Gone(rest));
                }
            }
        }
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
                (At::Command, SB) | (At::InsideCommand, IAC) => At::Inside,
                (At::Command, 251..=254) => At::Option,
                (At::Command | At::Option | At::Colour, _) | (At::InsideCommand, SE) => At::Text,
                (At::Inside, IAC) => At::InsideCommand,
                (At::Inside | At::InsideCommand, _) => At::Inside,
            };
        }
    }
}

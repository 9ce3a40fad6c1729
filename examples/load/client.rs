//! A client: one connection that types lines and reads answers.

use crate::hostile::letters;
use crate::profile::Profile;
use crate::wire::{Trust, Wire};
use anyhow::{Context as _, ensure};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Number of loopback addresses used by clients; a single address would run out of ports.
const SOURCES: u32 = 50;
/// Timeout for an answer; the run is then aborted.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum number of players that log in concurrently.
const CONCURRENT_LOGINS: usize = 32;

/// Telnet command bytes.
const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WONT: u8 = 252;
const WILL: u8 = 251;
/// Marks the end of a prompt.
const GO_AHEAD: &[u8] = b"\xff\xf9";
/// MCCP2.
pub(crate) const COMPRESS: u8 = 86;

/// End of an answer.
#[derive(Clone)]
pub(crate) enum End {
    /// The answer ends with this text, and perhaps GO AHEAD.
    Prompt(Vec<u8>),
    /// The answer contains this text.
    Text(Vec<u8>),
}

impl End {
    fn is_reached(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Prompt(prompt) => bytes.strip_suffix(GO_AHEAD).unwrap_or(bytes).ends_with(prompt),
            Self::Text(text) => contains(bytes, text),
        }
    }
}

/// Returns `true` if `bytes` contains `text`.
pub(crate) fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// Returns the name of a player: its number in letters.
pub(crate) fn name(n: u32) -> String {
    format!("Load{}", letters(n))
}

/// A connection of a player.
pub(crate) struct Player {
    pub(crate) stream: Wire,
    pub(crate) number: u32,
    /// Bytes of the last answer.
    pub(crate) buffer: Vec<u8>,
    end: Arc<End>,
    /// Telnet option that is accepted; every other is refused.
    accepted: Option<u8>,
}

impl Player {
    pub(crate) fn new(stream: TcpStream, end: Arc<End>) -> anyhow::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { stream: Wire::Plain(stream), number: 0, buffer: Vec::new(), end, accepted: None })
    }

    /// Connects from a loopback address that few clients share.
    pub(crate) async fn connect(address: SocketAddr, n: u32, end: Arc<End>) -> anyhow::Result<Self> {
        let player = Self::new(Self::open(address, n).await?, end)?;
        Ok(Self { number: n, ..player })
    }

    /// The same over TLS.
    async fn connect_encrypted(
        address: SocketAddr,
        n: u32,
        end: Arc<End>,
        trust: &Trust,
    ) -> anyhow::Result<Self> {
        let stream = Self::open(address, n).await?;
        stream.set_nodelay(true)?;
        let stream = trust.encrypt(stream).await?;
        Ok(Self { stream, number: n, buffer: Vec::new(), end, accepted: None })
    }

    async fn open(address: SocketAddr, n: u32) -> anyhow::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        if address.ip().is_loopback() {
            let source = Ipv4Addr::from(Ipv4Addr::LOCALHOST.to_bits() + 1 + n % SOURCES);
            socket.bind(SocketAddr::from((source, 0)))?;
        }
        Ok(socket.connect(address).await?)
    }

    /// Accepts compression from now on.
    pub(crate) fn accept_compression(&mut self) {
        self.accepted = Some(COMPRESS);
    }

    /// Reads until `is_end` holds for the bytes read. Telnet options are refused if `negotiates` is set.
    async fn read_until(&mut self, negotiates: bool, is_end: impl Fn(&[u8]) -> bool) -> anyhow::Result<()> {
        self.buffer.clear();
        let mut seen = 0;
        let read = async {
            loop {
                let count = self.stream.read_buf(&mut self.buffer).await?;
                ensure!(count > 0, "the server hung up: {}", String::from_utf8_lossy(&self.buffer));
                if negotiates {
                    let replies = self.replies(&mut seen);
                    self.stream.write_all(&replies).await?;
                }
                if is_end(&self.buffer) {
                    return Ok(());
                }
            }
        };
        tokio::time::timeout(ANSWER_TIMEOUT, read).await.context("no answer")?
    }

    /// Returns the replies to the telnet options in the buffer from `seen` on, and advances `seen`.
    fn replies(&self, seen: &mut usize) -> Vec<u8> {
        let mut replies = Vec::new();
        while let Some(at) = self.buffer[*seen..].iter().position(|byte| *byte == IAC) {
            let Some([verb, option]) = self.buffer.get(*seen + at + 1..*seen + at + 3) else { break };
            *seen += at + 3;
            let is_accepted = self.accepted == Some(*option);
            match *verb {
                DO => replies.extend([IAC, WONT, *option]),
                WILL => replies.extend([IAC, if is_accepted { DO } else { DONT }, *option]),
                // Commands of two bytes, such as GO AHEAD.
                _ => *seen -= 1,
            }
        }
        replies
    }

    /// Sends a line and reads the answer.
    pub(crate) async fn ask(&mut self, line: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(line).await?;
        self.read_answer().await
    }

    async fn read_answer(&mut self) -> anyhow::Result<()> {
        let end = Arc::clone(&self.end);
        self.read_until(false, |bytes| end.is_reached(bytes)).await
    }

    /// Reads until the text arrives, and refuses telnet options.
    pub(crate) async fn expect(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.read_until(true, |bytes| contains(bytes, text)).await
    }

    /// Plays a login dialogue: pairs of expected text and line to send.
    pub(crate) async fn log_in(&mut self, dialogue: &[(Vec<u8>, Vec<u8>)]) -> anyhow::Result<()> {
        for (expected, line) in dialogue {
            self.expect(expected).await?;
            self.stream.write_all(line).await?;
        }
        let end = Arc::clone(&self.end);
        self.read_until(true, |bytes| end.is_reached(bytes)).await
    }

    /// Sends lines to Deepwell and reads everything up to the answer to the last of them, including output caused by
    /// other players.
    pub(crate) async fn settle(&mut self, lines: &str) -> anyhow::Result<()> {
        self.stream.write_all(format!("{lines}path settled\r\n").as_bytes()).await?;
        let end = Arc::clone(&self.end);
        self.read_until(false, |bytes| contains(bytes, b"\"settled\"") && end.is_reached(bytes)).await
    }

    /// Sends a line to Deepwell and reads the answer, including one that the server postpones.
    pub(crate) async fn ask_patiently(&mut self, line: &[u8]) -> anyhow::Result<()> {
        const POSTPONED: &[u8] = b"the answer comes in a moment";
        self.stream.write_all(line).await?;
        let prompts =
            |bytes: &[u8]| bytes.windows(GO_AHEAD.len()).filter(|window| *window == GO_AHEAD).count();
        let wanted = |bytes: &[u8]| if contains(bytes, POSTPONED) { 2 } else { 1 };
        self.read_until(false, |bytes| bytes.ends_with(GO_AHEAD) && prompts(bytes) >= wanted(bytes)).await
    }

    /// Leaves the game of Deepwell, and reads until the server hangs up.
    pub(crate) async fn leave(&mut self) -> anyhow::Result<()> {
        self.stream.write_all(b"quit\r\n").await?;
        let mut heard = vec![0; 16_384];
        while self.stream.read(&mut heard).await? > 0 {}
        Ok(())
    }

    /// Reads and discards everything until `stop`, or until the server hangs up.
    async fn listen(mut self, stop: CancellationToken) -> Self {
        let mut heard = vec![0; 16_384];
        loop {
            tokio::select! {
                () = stop.cancelled() => return self,
                read = self.stream.read(&mut heard) => if !read.is_ok_and(|count| count > 0) {
                    return self;
                }
            }
        }
    }
}

/// Players that do nothing but read.
#[derive(Default)]
pub(crate) struct Audience {
    stop: CancellationToken,
    players: JoinSet<Player>,
    /// Certificate that players trust, if they use TLS.
    trust: Option<Trust>,
}

impl Audience {
    /// Creates an audience that connects over TLS.
    pub(crate) fn trusting(trust: Trust) -> Self {
        Self { trust: Some(trust), ..Self::default() }
    }

    /// Creates players of Deepwell, numbered in order, which read until they are woken. Each sends `lines` of its number
    /// after its login.
    pub(crate) async fn admit(
        &mut self,
        address: SocketAddr,
        numbers: std::ops::Range<u32>,
        lines: fn(u32) -> String,
    ) -> anyhow::Result<()> {
        let profile = Arc::new(Profile::deepwell()?);
        let end = Arc::new(profile.end()?);
        let mut entering = JoinSet::new();
        for n in numbers {
            let (profile, end, trust) = (Arc::clone(&profile), Arc::clone(&end), self.trust.clone());
            entering.spawn(async move {
                let mut player = match &trust {
                    Some(trust) => Player::connect_encrypted(address, n, end, trust).await?,
                    None => Player::connect(address, n, end).await?,
                };
                player.log_in(&profile.dialogue(&name(n))).await?;
                player.settle(&lines(n)).await?;
                anyhow::Ok(player)
            });
            // Stay within the queue for password hashing.
            if entering.len() >= CONCURRENT_LOGINS
                && let Some(player) = entering.join_next().await
            {
                self.add(player??);
            }
        }
        while let Some(player) = entering.join_next().await {
            self.add(player??);
        }
        Ok(())
    }

    fn add(&mut self, player: Player) {
        self.players.spawn(player.listen(self.stop.clone()));
    }

    /// Returns the players to measure with, after the output that is under way has arrived.
    pub(crate) async fn wake(mut self) -> anyhow::Result<Vec<Player>> {
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.stop.cancel();
        let mut players = Vec::new();
        while let Some(player) = self.players.join_next().await {
            players.push(player?);
        }
        Ok(players)
    }

    /// Lets players read on.
    pub(crate) fn of(players: Vec<Player>) -> Self {
        let mut audience = Self::default();
        for player in players {
            audience.add(player);
        }
        audience
    }
}

/// Leaves a player at its place.
pub(crate) fn stay(_: u32) -> String {
    String::new()
}

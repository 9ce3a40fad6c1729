//! The yardstick: a bare tokio server that answers each line with a fixed number of bytes. Its structure is that of a
//! server without a world: per connection two tasks, a line codec and a channel between them.

use crate::client::{End, Player};
use crate::server::{Process, Watched};
use anyhow::Context as _;
use bytes::BytesMut;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::codec::{Decoder as _, LinesCodec};

/// End of each answer.
const PROMPT: &[u8] = b"> ";
/// Width of a line of an answer.
const WIDTH: usize = 78;

/// A running echo server.
pub(crate) struct Echo {
    address: SocketAddr,
    pub(crate) watched: Watched,
    _process: Process,
}

impl Echo {
    /// Starts an echo server whose answers have this size.
    pub(crate) fn start(size: u64) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--be-echo", &size.to_string()]).stdout(Stdio::piped());
        let mut process = Process(command.spawn()?);
        let mut address = String::new();
        BufReader::new(process.0.stdout.take().context("no output")?).read_line(&mut address)?;
        let watched = Watched(Some(process.0.id()));
        Ok(Self { address: address.trim().parse()?, watched, _process: process })
    }

    /// Opens connections.
    pub(crate) async fn connect(&self, count: u32) -> anyhow::Result<Vec<Player>> {
        let (mut players, end) = (Vec::new(), Arc::new(End::Prompt(PROMPT.to_vec())));
        for n in 0..count {
            players.push(Player::connect(self.address, n, Arc::clone(&end)).await?);
        }
        Ok(players)
    }
}

/// Answers each line with the line, more text up to `size` bytes, and a prompt.
pub(crate) async fn serve(size: usize) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let text: Arc<[u8]> = (0..size).map(|at| if at % WIDTH == WIDTH - 1 { b'\n' } else { b'x' }).collect();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (mut reader, mut writer) = stream.into_split();
        let (lines, mut echoes) = mpsc::channel::<String>(64);
        tokio::spawn(async move {
            let (mut codec, mut bytes) = (LinesCodec::new(), BytesMut::with_capacity(4_096));
            while reader.read_buf(&mut bytes).await.is_ok_and(|count| count > 0) {
                while let Ok(Some(line)) = codec.decode(&mut bytes) {
                    if lines.send(line).await.is_err() {
                        return;
                    }
                }
            }
        });
        let text = Arc::clone(&text);
        tokio::spawn(async move {
            let mut bytes = BytesMut::with_capacity(4_096);
            while let Some(line) = echoes.recv().await {
                bytes.clear();
                bytes.extend_from_slice(line.as_bytes());
                let rest = size.saturating_sub(line.len() + PROMPT.len());
                bytes.extend_from_slice(&text[..rest]);
                bytes.extend_from_slice(PROMPT);
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
    }
}

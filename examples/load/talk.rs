//! Speech: players of one room who speak and hear each other.

use crate::client::Player;
use crate::figures::{Figures, micros_since};
use crate::server::Watched;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Marks of a heard line and of the speaker's own line. Of equal length, so that no mark fits into the bytes that are
/// kept from one read to the next.
const HEARD: &[u8] = b" says: ";
const OWN: &[u8] = b"u say: ";

/// Result of a talk.
pub(crate) struct Talk {
    /// Lines said; the latency is the time until the speaker reads the line.
    pub(crate) said: Figures,
    /// Lines of others that all players have read.
    heard: u64,
}

impl Talk {
    /// Lines heard per second by all players.
    pub(crate) fn heard_per_second(&self) -> f64 {
        self.heard as f64 / self.said.wall.as_secs_f64()
    }
}

/// Lets all players speak, each once in an interval, or as soon as the last line has been read.
pub(crate) async fn talk(
    players: &mut Vec<Player>,
    interval: Option<Duration>,
    duration: Duration,
    watched: &Watched,
) -> anyhow::Result<Talk> {
    let cpu_before = watched.cpu()?;
    let (started, count) = (Instant::now(), u32::try_from(players.len().max(1)).unwrap_or(u32::MAX));
    let mut talking = JoinSet::new();
    for (n, player) in (0..).zip(players.drain(..)) {
        let first = started + interval.unwrap_or_default() * n / count;
        talking.spawn(speak(player, first, interval, started + duration));
    }
    let (mut latencies, mut heard) = (Vec::new(), 0);
    while let Some(talked) = talking.join_next().await {
        let (of_one, heard_by_one, player) = talked??;
        latencies.extend(of_one);
        heard += heard_by_one;
        players.push(player);
    }
    let (wall, cpu) = (started.elapsed(), watched.cpu()?.saturating_sub(cpu_before));
    Ok(Talk { said: Figures::new(latencies, 0, wall, cpu), heard })
}

async fn speak(
    mut player: Player,
    first: Instant,
    interval: Option<Duration>,
    end: Instant,
) -> anyhow::Result<(Vec<u32>, u64, Player)> {
    let (mut latencies, mut heard, mut next) = (Vec::new(), 0, first);
    let mut said: Option<std::time::Instant> = None;
    let wake = sleep_until(first);
    tokio::pin!(wake);
    player.buffer.clear();
    loop {
        tokio::select! {
            () = &mut wake => {
                if Instant::now() >= end {
                    return Ok((latencies, heard, player));
                }
                player.stream.write_all(b"say The lamp is low, mind your step.\r\n").await?;
                said = Some(std::time::Instant::now());
                wake.as_mut().reset(end);
            }
            read = player.stream.read_buf(&mut player.buffer) => {
                anyhow::ensure!(read? > 0, "the server hung up");
                let count = |mark| player.buffer.windows(mark_length()).filter(|window| *window == mark).count();
                heard += count(HEARD) as u64;
                if count(OWN) > 0
                    && let Some(said) = said.take()
                {
                    latencies.push(micros_since(said));
                    next = interval.map_or_else(Instant::now, |interval| next + interval);
                    wake.as_mut().reset(next.min(end));
                }
                let kept = player.buffer.len().saturating_sub(mark_length() - 1);
                player.buffer.drain(..kept);
            }
        }
    }
}

const fn mark_length() -> usize {
    assert!(HEARD.len() == OWN.len());
    HEARD.len()
}

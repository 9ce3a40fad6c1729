//! A load, and the figures of a run.

use crate::client::Player;
use crate::server::Watched;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::{interval_at, sleep_until};

/// Lines that each player types.
#[derive(Clone)]
pub(crate) struct Load {
    /// Lines with their line ends, typed in turn.
    pub(crate) lines: Vec<Vec<u8>>,
    pub(crate) duration: Duration,
    /// Time between two lines of a player; `None` types as soon as the answer arrives.
    pub(crate) interval: Option<Duration>,
}

impl Load {
    /// Returns a load of lines separated by `|`, typed as soon as answers arrive.
    pub(crate) fn of(lines: &str, duration: Duration) -> Self {
        let lines = lines.split('|').map(|line| format!("{line}\r\n").into_bytes()).collect();
        Self { lines, duration, interval: None }
    }

    /// Lets each player type only once in this time.
    pub(crate) fn every(self, interval: Duration) -> Self {
        Self { interval: Some(interval), ..self }
    }
}

/// Result of a run.
pub(crate) struct Figures {
    pub(crate) answers: u64,
    pub(crate) bytes: u64,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    /// Latencies in microseconds, sorted.
    latencies: Vec<u32>,
}

impl Figures {
    pub(crate) fn new(mut latencies: Vec<u32>, bytes: u64, wall: Duration, cpu: Duration) -> Self {
        latencies.sort_unstable();
        Self { answers: latencies.len() as u64, bytes, wall, cpu, latencies }
    }

    /// CPU time of an answer in microseconds.
    pub(crate) fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.answers.max(1) as f64
    }

    /// Mean size of an answer in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.bytes / self.answers.max(1)
    }

    /// Answers per second.
    pub(crate) fn rate(&self) -> f64 {
        self.answers as f64 / self.wall.as_secs_f64()
    }

    /// Number of processor cores in use.
    pub(crate) fn cores(&self) -> f64 {
        self.cpu.as_secs_f64() / self.wall.as_secs_f64()
    }

    /// Latency in milliseconds that `percent` of the answers do not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let at = (self.latencies.len().max(1) - 1) * percent / 100;
        f64::from(self.latencies.get(at).copied().unwrap_or(0)) / 1e3
    }

    pub(crate) fn print(&self, name: &str, connections: usize) {
        let (answers, seconds) = (self.answers, self.wall.as_secs_f64());
        println!("{name}: {connections} connections, {answers} lines in {seconds:.1} s");
        println!("  lines a second:  {:.0}, {} bytes each", self.rate(), self.size());
        println!("  latency:         p50 {:.2} ms, p99 {:.2} ms", self.percentile(50), self.percentile(99));
        if self.cpu > Duration::ZERO {
            println!("  processor time:  {:.1} us a line", self.cpu_us());
        }
    }
}

/// Returns the microseconds since a time.
pub(crate) fn micros_since(begun: Instant) -> u32 {
    u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX)
}

/// Lets all players type. With an interval, their first lines are spread over it.
pub(crate) async fn run(
    load: &Load,
    players: &mut Vec<Player>,
    watched: &Watched,
) -> anyhow::Result<Figures> {
    let cpu_before = watched.cpu()?;
    let started = tokio::time::Instant::now();
    let count = u32::try_from(players.len().max(1)).unwrap_or(u32::MAX);
    let mut typing = JoinSet::new();
    for (n, player) in (0..).zip(players.drain(..)) {
        let load = load.clone();
        let first = started + load.interval.unwrap_or_default() * n / count;
        typing.spawn(type_lines(player, load, first, started));
    }
    // Players are returned at the end, so that disconnects are not measured.
    let (mut latencies, mut bytes) = (Vec::new(), 0);
    while let Some(typed) = typing.join_next().await {
        let (of_one, bytes_of_one, player) = typed??;
        latencies.extend(of_one);
        bytes += bytes_of_one;
        players.push(player);
    }
    let (wall, cpu) = (started.elapsed(), watched.cpu()?.saturating_sub(cpu_before));
    Ok(Figures::new(latencies, bytes, wall, cpu))
}

async fn type_lines(
    mut player: Player,
    load: Load,
    first: tokio::time::Instant,
    started: tokio::time::Instant,
) -> anyhow::Result<(Vec<u32>, u64, Player)> {
    let (mut latencies, mut bytes, end) = (Vec::new(), 0, started + load.duration);
    let mut pause = load.interval.map(|interval| interval_at(first, interval));
    for line in load.lines.iter().cycle() {
        if let Some(pause) = &mut pause {
            tokio::select! {
                _ = pause.tick() => {}
                () = sleep_until(end) => {}
            }
        }
        let typed = Instant::now();
        if typed >= end.into_std() {
            break;
        }
        player.ask(line).await?;
        latencies.push(micros_since(typed));
        bytes += player.buffer.len() as u64;
    }
    Ok((latencies, bytes, player))
}

//! A soak: bots that walk, talk, trade places and log in again for minutes, while memory, descriptors, threads and errors
//! of the server are watched.

use crate::client::{Player, name};
use crate::profile::Profile;
use crate::report::{machine, wrapped};
use crate::server::{HIGH_LIMITS, Server, errors_logged, state_folder};
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Time between two lines of a bot.
const PACE: Duration = Duration::from_secs(2);
/// Lines that a bot types in one login.
const LINES_A_LOGIN: usize = 90;
/// Time between two samples.
const SAMPLE_EVERY: Duration = Duration::from_secs(10);
/// Maximum growth of memory in KiB, and of descriptors and threads.
const MEMORY_MAX_KIB: u64 = 5 * 1_024;
const COUNT_MAX: u64 = 5;
/// Number of players that log in at the same time.
const CONCURRENT_LOGINS: usize = 20;

/// Lines of a bot, in turn: a walk through the town and back, talk, and looks about. Each bot begins elsewhere in it.
const LINES: [&str; 24] = [
    "look",
    "north",
    "say Well met.",
    "inventory",
    "south",
    "emote nods.",
    "east",
    "score",
    "west",
    "who",
    "west",
    "list",
    "east",
    "smile",
    "exits",
    "down",
    "look",
    "map",
    "up",
    "say Mind the rope.",
    "equipment",
    "south",
    "time",
    "north",
];

/// Plan of a soak.
pub(crate) struct Soak {
    pub(crate) program: PathBuf,
    pub(crate) bots: u32,
    pub(crate) minutes: u64,
}

/// State of the server at one moment.
#[derive(Clone, Copy)]
struct Sample {
    memory_kib: u64,
    descriptors: u64,
    threads: u64,
}

impl Sample {
    fn of(server: &Server) -> anyhow::Result<Self> {
        let process = server.watched.0.context("the process is not known")?;
        let status = fs::read_to_string(format!("/proc/{process}/status"))?;
        let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")).context("no threads")?;
        Ok(Self {
            memory_kib: server.watched.memory_kib()?,
            descriptors: fs::read_dir(format!("/proc/{process}/fd"))?.count() as u64,
            threads: threads.trim().parse()?,
        })
    }
}

/// Result of a soak.
pub(crate) struct Soaked {
    bots: u32,
    minutes: u64,
    empty: Sample,
    samples: Vec<Sample>,
    lines: u64,
    cpu: Duration,
    errors: u64,
    database_kib: u64,
}

impl Soak {
    /// Runs the soak on a new server.
    pub(crate) async fn run(&self) -> anyhow::Result<Soaked> {
        let server = Server::deepwell(&self.program, tempfile::tempdir()?, &HIGH_LIMITS)?;
        let empty = Sample::of(&server)?;
        let profile = Arc::new(Profile::deepwell()?);
        let mut bots = JoinSet::new();
        let mut entered = Vec::new();
        for n in 0..self.bots {
            let (profile, address) = (Arc::clone(&profile), server.address);
            bots.spawn(async move { Bot { profile, address, n }.enter("create").await });
            if bots.len() >= CONCURRENT_LOGINS
                && let Some(bot) = bots.join_next().await
            {
                entered.push(bot??);
            }
        }
        while let Some(bot) = bots.join_next().await {
            entered.push(bot??);
        }
        let (begun, cpu) = (Instant::now(), server.watched.cpu()?);
        let end = begun + Duration::from_secs(self.minutes * 60);
        let mut playing = JoinSet::new();
        for (bot, player) in entered {
            playing.spawn(bot.play(player, end));
        }
        let mut samples = Vec::new();
        let mut next = begun + SAMPLE_EVERY;
        while next < end {
            sleep_until(next).await;
            samples.push(Sample::of(&server)?);
            next += SAMPLE_EVERY;
        }
        let mut lines = 0;
        while let Some(typed) = playing.join_next().await {
            lines += typed??;
        }
        let database = state_folder(server.folder.path()).join("deepwell.db");
        Ok(Soaked {
            bots: self.bots,
            minutes: self.minutes,
            empty,
            samples,
            lines,
            cpu: server.watched.cpu()?.saturating_sub(cpu),
            errors: errors_logged(),
            database_kib: fs::metadata(database)?.len() / 1_024,
        })
    }
}

/// One bot.
struct Bot {
    profile: Arc<Profile>,
    address: SocketAddr,
    n: u32,
}

impl Bot {
    /// Creates the character, or logs it in.
    async fn enter(self, how: &str) -> anyhow::Result<(Self, Player)> {
        let end = Arc::new(self.profile.end()?);
        let mut player = Player::connect(self.address, self.n, end).await?;
        let dialogue: Vec<(Vec<u8>, Vec<u8>)> = self.profile.dialogue(&name(self.n));
        let said = |line: &[u8]| String::from_utf8_lossy(line).replacen("create", how, 1).into_bytes();
        let dialogue: Vec<_> =
            dialogue.iter().map(|(expected, line)| (expected.clone(), said(line))).collect();
        player.log_in(&dialogue).await?;
        Ok((self, player))
    }

    /// Types lines until the end, and logs in anew from time to time. Returns the number of lines.
    async fn play(self, player: Player, end: Instant) -> anyhow::Result<u64> {
        let (mut bot, mut player, mut typed) = (self, player, 0);
        let mut next = Instant::now() + PACE.mul_f64(f64::from(bot.n % 100) / 100.0);
        let mut heard = vec![0; 16_384];
        let first = usize::try_from(bot.n)?;
        for number in 0.. {
            // Reads what others do, so that the server never waits for this bot.
            while let Ok(read) =
                timeout(next.saturating_duration_since(Instant::now()), player.stream.read(&mut heard)).await
            {
                ensure!(read? > 0, "the server hung up on {}", name(bot.n));
            }
            if Instant::now() >= end {
                return Ok(typed);
            }
            next += PACE;
            let at = number + first * 7;
            if at % LINES_A_LOGIN == LINES_A_LOGIN - 1 {
                player.leave().await?;
                sleep(PACE).await;
                (bot, player) = bot.enter("connect").await?;
                next = Instant::now() + PACE;
                continue;
            }
            player.stream.write_all(format!("{}\r\n", LINES[at % LINES.len()]).as_bytes()).await?;
            typed += 1;
        }
        Ok(typed)
    }
}

/// Returns the median of a value over some samples.
fn median(samples: &[Sample], value: fn(&Sample) -> u64) -> u64 {
    let mut values: Vec<u64> = samples.iter().map(value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

impl Soaked {
    /// Returns a value after the first quarter of the time, in which caches fill, and at the end: medians of a fifth of
    /// the samples.
    fn early_and_late(&self, value: fn(&Sample) -> u64) -> (u64, u64) {
        let (count, few) = (self.samples.len(), (self.samples.len() / 5).max(1));
        let early = &self.samples[(count / 4).min(count)..(count / 4 + few).min(count)];
        (median(early, value), median(&self.samples[count.saturating_sub(few)..], value))
    }

    /// Returns what has grown too much.
    pub(crate) fn faults(&self) -> Vec<String> {
        let growth = |value| {
            let (early, late) = self.early_and_late(value);
            late.saturating_sub(early)
        };
        let mut faults = Vec::new();
        let memory = growth(|sample| sample.memory_kib);
        if memory > MEMORY_MAX_KIB {
            faults.push(format!("memory has grown by {memory} KiB"));
        }
        if growth(|sample| sample.descriptors) > COUNT_MAX {
            faults.push("open files have grown".to_owned());
        }
        if growth(|sample| sample.threads) > COUNT_MAX {
            faults.push("threads have grown".to_owned());
        }
        if self.errors > 0 {
            faults.push(format!("{} lines of the log are errors", self.errors));
        }
        faults
    }

    /// Returns the rows of the table: name, newly started, after the first quarter, at the end.
    fn rows(&self) -> String {
        let mut rows = String::new();
        let mib = |kib: u64| format!("{:.1} MiB", kib as f64 / 1_024.0);
        let memory = self.early_and_late(|sample| sample.memory_kib);
        let files = self.early_and_late(|sample| sample.descriptors);
        let threads = self.early_and_late(|sample| sample.threads);
        // Writing to a string cannot fail.
        let _ = writeln!(
            rows,
            "| resident memory | {} | {} | {} |",
            mib(self.empty.memory_kib),
            mib(memory.0),
            mib(memory.1)
        );
        let _ = writeln!(rows, "| open files | {} | {} | {} |", self.empty.descriptors, files.0, files.1);
        let _ = writeln!(rows, "| threads | {} | {} | {} |", self.empty.threads, threads.0, threads.1);
        rows
    }

    /// Returns the summary, which is the table of the page.
    pub(crate) fn summary(&self) -> String {
        let each = self.early_and_late(|sample| sample.memory_kib).1.saturating_sub(self.empty.memory_kib);
        let seconds = (self.minutes * 60).max(1) as f64;
        format!(
            "In {} min, {} players typed {} lines, {:.0} a second.\n\n| | newly started | after a quarter of the time | at the \
             end |\n|---|---|---|---|\n{}\nA player took {:.0} KiB of memory, and all players {:.1} % of a core: {:.0} µs for \
             a line, with what others read and the logins. The database had {} KiB, and the log {} errors.\n",
            self.minutes,
            self.bots,
            self.lines,
            self.lines as f64 / seconds,
            self.rows(),
            each as f64 / f64::from(self.bots.max(1)),
            self.cpu.as_secs_f64() * 100.0 / seconds,
            self.cpu.as_secs_f64() * 1e6 / (self.lines.max(1)) as f64,
            self.database_kib,
            self.errors,
        )
    }

    /// Writes the page for operators.
    pub(crate) fn write(&self, page: &Path) -> anyhow::Result<()> {
        let text = format!(
            "# Size of a machine\n\nThis page is for operators who choose a machine. It is written by a command, which you can \
             run on yours:\n\n```sh\ncargo build --release\ncargo run --release --example load -- --soak {} --connections {} \
             --page docs/operate/sizing.md\n```\n\nThe command starts a server, lets bots walk about the town, talk, look and \
             log in again, and fails if memory grows by more than {} MiB after the first quarter of the time, if open files or \
             threads grow, or if the log has an error.\n\n{}\n\n## Measured\n\n{}\n## Rules of thumb\n\n- Memory: that of the \
             new server, and that of a player for each of the players you expect. Rooms of the dungeon take more: \
             [performance.md](../develop/performance.md) has the figures of large worlds.\n- Processor: players \
             who type a line every two seconds, as these bots do, are busier than people. [scaling.md](scaling.md) tells how \
             far one core reaches.\n- Disk: the database, as much again for its write-ahead log, and [the \
             backups](operations.md#schedule-backups) that you keep.\n",
            self.minutes,
            self.bots,
            MEMORY_MAX_KIB / 1_024,
            machine::description(),
            self.summary(),
        );
        fs::write(page, wrapped(&text)).with_context(|| page.display().to_string())
    }
}

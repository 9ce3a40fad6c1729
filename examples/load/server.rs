//! The measured process: starts it, and reads its CPU time and memory.

use crate::profile::Profile;
use anyhow::{Context as _, bail};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// Clock ticks per second in `/proc/PID/stat`; 100 on every current Linux.
const TICKS: u64 = 100;
/// Time in which a server started by a profile must open its port.
const START_TIMEOUT: Duration = Duration::from_mins(2);

/// Limits so high that no player is delayed by them.
pub(crate) const HIGH_LIMITS: [&str; 13] = [
    "game.guidance=false",
    "limits.connections=12000",
    "limits.connections_before_login=12000",
    "limits.connections_per_address=12000",
    "limits.connections_per_network=12000",
    "limits.compressed_connections=12000",
    "limits.hash_queue=6000",
    "limits.commands_per_second=100000",
    "limits.commands_burst=100000",
    "limits.speech_load=10000000",
    "limits.login_time=1h",
    "auth.accounts_per_hour=100000",
    "auth.slots=2",
];

/// A child process that is killed on drop.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Process whose CPU time and memory are read; `None` if it is not known.
#[derive(Clone, Copy)]
pub(crate) struct Watched(pub(crate) Option<u32>);

impl Watched {
    /// Returns the processor time so far, in user and system mode.
    pub(crate) fn cpu(self) -> anyhow::Result<Duration> {
        let Some(process) = self.0 else { return Ok(Duration::ZERO) };
        let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
        // The name in parentheses may contain spaces.
        let (_, fields) = stat.rsplit_once(") ").context("no such process")?;
        let ticks: u64 =
            fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum();
        Ok(Duration::from_millis(ticks * 1_000 / TICKS))
    }

    /// Returns the resident memory in KiB.
    pub(crate) fn memory_kib(self) -> anyhow::Result<u64> {
        let process = self.0.context("the process is not known")?;
        let status = fs::read_to_string(format!("/proc/{process}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }
}

/// A running server, in a temporary folder if the tool has started it.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) watched: Watched,
    /// Time from the start of the process until its port was open.
    pub(crate) start_time: Duration,
    // Dropped in this order: the process ends before its folder is removed.
    _process: Option<Process>,
    pub(crate) folder: tempfile::TempDir,
}

/// Returns the state folder of a Deepwell server, with the database of the world.
pub(crate) fn state_folder(folder: &Path) -> PathBuf {
    folder.join("var")
}

impl Server {
    /// Starts Deepwell in a folder, which may contain a world.
    pub(crate) fn deepwell(
        program: &Path,
        folder: tempfile::TempDir,
        settings: &[&str],
    ) -> anyhow::Result<Self> {
        let mut command = deepwell_command(program, folder.path(), settings)?;
        let begun = Instant::now();
        let process = start(command.arg("serve"))?;
        let address = address(folder.path())?;
        let watched = Watched(Some(process.0.id()));
        Ok(Self { address, watched, start_time: begun.elapsed(), _process: Some(process), folder })
    }

    /// Starts the server of a profile, or finds the running one.
    pub(crate) async fn of_profile(profile: &Profile) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let address = profile.address.to_socket_addrs()?.next().context("the address of the profile")?;
        let own = folder.path().display().to_string();
        let words: Vec<String> = profile.start.iter().map(|word| word.replace("{folder}", &own)).collect();
        let begun = Instant::now();
        let process = match words.split_first() {
            Some((program, arguments)) => {
                let child = Command::new(program).args(arguments).stdout(Stdio::null()).spawn();
                Some(Process(child.with_context(|| format!("{program} cannot be started"))?))
            }
            None => None,
        };
        while let Err(error) = TcpStream::connect(address).await {
            if process.is_none() || begun.elapsed() > START_TIMEOUT {
                bail!("no server at {address}: {error}");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let watched = Watched(process.as_ref().map(|process| process.0.id()));
        Ok(Self { address, watched, start_time: begun.elapsed(), _process: process, folder })
    }
}

/// Returns a command line of Deepwell for the world in a folder, without its subcommand.
pub(crate) fn deepwell_command(program: &Path, folder: &Path, settings: &[&str]) -> anyhow::Result<Command> {
    const OWN: [&str; 6] = [
        "telnet.listen=127.0.0.1:0",
        "http.listen=off",
        "ops.listen=off",
        "gateway.ops_listen=off",
        "log.level=warn",
        "log.filter=deepwell=info",
    ];
    let program = fs::canonicalize(program)
        .with_context(|| format!("{} is missing: run `cargo build --release`", program.display()))?;
    let mut command = Command::new(program);
    command.current_dir(folder);
    for setting in OWN.iter().chain(settings) {
        command.args(["--set", setting]);
    }
    command.arg("--set").arg(format!("server.state_dir={}", state_folder(folder).display()));
    Ok(command)
}

/// Errors in the logs of the started servers.
static ERRORS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of errors that the started servers have logged after they were ready.
pub(crate) fn errors_logged() -> u64 {
    ERRORS.load(Ordering::Relaxed)
}

/// Starts a process of Deepwell, and waits until it is ready.
pub(crate) fn start(command: &mut Command) -> anyhow::Result<Process> {
    let child = command.stderr(Stdio::piped()).spawn().context("the server cannot be started")?;
    let mut process = Process(child);
    let mut log = BufReader::new(process.0.stderr.take().context("no log")?).lines();
    let mut last = String::new();
    while let Some(line) = log.next().transpose()? {
        if line.contains("ready") {
            // Drain the log, or the server would block on a full pipe.
            std::thread::spawn(move || {
                let errors = log.map_while(Result::ok).filter(|line| line.contains("ERROR"));
                errors.for_each(|_| _ = ERRORS.fetch_add(1, Ordering::Relaxed));
            });
            return Ok(process);
        }
        last = line;
    }
    bail!("the server ended before it was ready: {last}")
}

/// Returns the telnet address of a server that is ready.
fn address(folder: &Path) -> anyhow::Result<SocketAddr> {
    let ready = fs::read_to_string(state_folder(folder).join("ready.json"))?;
    let ready: serde_json::Value = serde_json::from_str(&ready)?;
    Ok(ready["telnet"].as_str().context("no address")?.parse()?)
}

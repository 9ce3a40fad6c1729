//! Load tool: drives a server over loopback and prints its costs. See docs/develop/performance.md.
//!
//! ```text
//! cargo run --release --example load -- --connections 200 --seconds 10 [--line look] [--echo]
//! ```
//!
//! It starts the server in a temporary folder and creates a character on every connection. Each connection then types a
//! line, waits for the prompt, and repeats.
//!
//! * `--echo` puts the same load on a bare tokio line echo and compares the processor time per line.
//! * `--idle N` measures memory instead: the cost of N idle connections, with `--compress` of compressed ones (MCCP2).
//! * `--hostile` measures twice with the default limits: alone, and beside one hostile client of each kind.

#![expect(clippy::print_stdout, reason = "its purpose is to print")]
#![expect(clippy::disallowed_methods, reason = "its purpose is to measure time")]
#![expect(clippy::cast_precision_loss, reason = "figures for people have few digits")]

mod hostile;

use anyhow::{Context as _, bail, ensure};
use bytes::BytesMut;
use clap::Parser;
use std::fs;
use std::io::{BufRead as _, BufReader as Lines};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::codec::{Decoder as _, LinesCodec};

/// Maximum number of connections; descriptors and loopback ports are limited.
const CONNECTIONS_MAX: u32 = 5_000;
/// Maximum number of idle connections.
const IDLE_MAX: u32 = 10_000;
/// Number of loopback addresses used by idle connections; a single address would run out of ports.
const SOURCES: u32 = 50;
/// Time without load before the memory of the server is read.
const SETTLE_TIME: Duration = Duration::from_secs(2);
/// Maximum duration, in seconds.
const SECONDS_MAX: u64 = 600;
/// Timeout for an answer; the run is then aborted.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// Clock ticks per second in `/proc/PID/stat`; 100 on every current Linux.
const TICKS: u64 = 100;

/// Measures a server under load.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct Arguments {
    /// Path of the server's binary
    #[arg(long, default_value = "target/release/deepwell")]
    server: PathBuf,
    /// Number of connections that play at the same time
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=i64::from(CONNECTIONS_MAX)))]
    connections: u32,
    /// Duration in seconds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=SECONDS_MAX))]
    seconds: u64,
    /// Line to type; several lines, separated by `|`, are typed in turn
    #[arg(long, default_value = "look")]
    line: String,
    /// Lines per second and connection; 0 types as soon as the answer arrives
    #[arg(long, default_value_t = 0)]
    pace: u32,
    /// Puts the same load on a bare line echo and compares
    #[arg(long)]
    echo: bool,
    /// Leaves all players in the square instead of spreading them over the town and the first branches
    #[arg(long)]
    crowd: bool,
    /// Opens this many idle connections, prints the memory per connection, and exits
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(IDLE_MAX)))]
    idle: Option<u32>,
    /// Compresses the idle connections
    #[arg(long, requires = "idle")]
    compress: bool,
    /// Measures again beside hostile clients, including the time of an honest login
    #[arg(long, conflicts_with_all = ["echo", "idle"])]
    hostile: bool,
    /// Runs the echo server on a port that it prints
    #[arg(long, hide = true)]
    be_echo: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let threads = if arguments.be_echo { 2 } else { 1 };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(async {
        if arguments.be_echo {
            return be_echo().await;
        }
        if let Some(connections) = arguments.idle {
            return measure_idle(&arguments, connections).await;
        }
        if arguments.hostile {
            return measure_beside_hostile(&arguments).await;
        }
        let played = measure_server(&arguments).await?;
        played.print("deepwell", arguments.connections);
        if arguments.echo {
            let echoed = measure_echo(&arguments).await?;
            echoed.print("bare echo", arguments.connections);
            println!(
                "processor time of a line: {:.2} times that of the echo",
                played.cpu_us() / echoed.cpu_us()
            );
        }
        Ok(())
    })
}

/// Result of a run.
struct Figures {
    answers: u64,
    wall: Duration,
    /// Latencies in microseconds, sorted.
    latencies: Vec<u32>,
    cpu: Duration,
    memory_before_kib: u64,
    memory_after_kib: u64,
}

impl Figures {
    fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.answers.max(1) as f64
    }

    fn percentile(&self, percent: usize) -> f64 {
        let at = (self.latencies.len().max(1) - 1) * percent / 100;
        f64::from(self.latencies.get(at).copied().unwrap_or(0)) / 1e3
    }

    fn print(&self, name: &str, connections: u32) {
        let a_second = self.answers as f64 / self.wall.as_secs_f64();
        let memory =
            self.memory_after_kib.saturating_sub(self.memory_before_kib) as f64 / f64::from(connections);
        println!(
            "{name}: {connections} connections, {} lines in {:.1} s",
            self.answers,
            self.wall.as_secs_f64()
        );
        println!("  lines a second:  {a_second:.0}");
        println!("  latency:         p50 {:.2} ms, p99 {:.2} ms", self.percentile(50), self.percentile(99));
        println!("  processor time:  {:.1} us a line", self.cpu_us());
        println!("  memory:          {} KiB, {memory:.1} KiB a connection", self.memory_after_kib);
    }
}

/// Maximum number of players that log in concurrently.
const CONCURRENT_LOGINS: usize = 32;

/// Measures the same players twice with the default limits: alone, and beside hostile clients.
async fn measure_beside_hostile(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let settings = ["telnet.proxy=on", "telnet.proxy_from=127.0.0.1"];
    let mut server = start_server(&arguments.server, folder.path(), &settings)?;
    let address = ready(server.0.stderr.take().context("no log")?, folder.path())?;
    let process = server.0.id();
    let before = memory_kib(process)?;
    let (mut players, mut entering) = (Vec::new(), JoinSet::new());
    for n in 0..arguments.connections {
        let spread = !arguments.crowd;
        entering.spawn(async move { enter(hostile::call(address, home(n)).await?, n, spread).await });
        // Stay within the queue for password hashing.
        if entering.len() >= CONCURRENT_LOGINS {
            players.extend(entering.join_next().await.transpose()?.transpose()?);
        }
    }
    while let Some(player) = entering.join_next().await {
        players.push(player??);
    }
    let logins = |count| log_in_again(address, arguments.connections, count);
    // Create the player that only logs in again and again.
    drop(
        enter(hostile::call(address, home(arguments.connections)).await?, arguments.connections, false)
            .await?,
    );
    let count = u32::try_from(arguments.seconds).unwrap_or(u32::MAX);
    for player in &mut players {
        player.settle().await?;
    }
    let (played, slowest) = tokio::try_join!(run(arguments, &mut players, process, before), logins(count))?;
    played.print("alone", arguments.connections);
    println!("  slowest log-in:  {:.2} s", slowest.as_secs_f64());
    let attack = hostile::Attack::begin(address, &name(0));
    // Let the attackers use up their limits first.
    tokio::time::sleep(Duration::from_secs(10)).await;
    let (beside, slowest) = tokio::try_join!(run(arguments, &mut players, process, before), logins(count))?;
    attack.end()?;
    beside.print("beside hostile clients", arguments.connections);
    println!("  slowest log-in:  {:.2} s", slowest.as_secs_f64());
    println!("p99 rises by {:.2} ms", beside.percentile(99) - played.percentile(99));
    Ok(())
}

/// Logs an honest player in once a second. Returns the longest time from the first byte to the prompt.
async fn log_in_again(address: SocketAddr, n: u32, count: u32) -> anyhow::Result<Duration> {
    let mut longest = Duration::ZERO;
    for _ in 0..count {
        let begun = Instant::now();
        let mut player = Player { stream: hostile::call(address, home(n)).await?, buffer: Vec::new() };
        player.until(b"name: ").await?;
        player.ask(format!("connect {} {PASSWORD}\r\n", name(n)).as_bytes(), PROMPT).await?;
        longest = longest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_secs(1).saturating_sub(begun.elapsed())).await;
    }
    Ok(longest)
}

/// Returns the source address of an honest player; few players share a network.
fn home(n: u32) -> Ipv4Addr {
    Ipv4Addr::from(Ipv4Addr::new(100, 64, 0, 1).to_bits() + n * 128)
}

/// Opens connections that stay at the name prompt.
async fn measure_idle(arguments: &Arguments, connections: u32) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = start_server(&arguments.server, folder.path(), &HIGH_LIMITS)?;
    let address = ready(server.0.stderr.take().context("no log")?, folder.path())?;
    let process = server.0.id();
    let before = memory_kib(process)?;
    let mut idle = Vec::new();
    for n in 0..connections {
        idle.push(connect_to_name_prompt(address, n, arguments.compress).await?);
    }
    tokio::time::sleep(SETTLE_TIME).await;
    let after = memory_kib(process)?;
    let each = after.saturating_sub(before) as f64 / f64::from(connections);
    let how = if arguments.compress { "compressed" } else { "plain" };
    println!("{connections} idle connections, {how}");
    println!("  memory:          {before} KiB before, {after} KiB with them, {each:.1} KiB a connection");
    Ok(())
}

/// Connects a telnet client that refuses every option, except compression if `compress` is set, and reads the name
/// prompt.
async fn connect_to_name_prompt(address: SocketAddr, n: u32, compress: bool) -> anyhow::Result<Player> {
    /// WONT TTYPE, NAWS, NEW-ENVIRON; DONT EOR, CHARSET, GMCP, MSSP.
    const REFUSALS: &[u8] =
        b"\xff\xfc\x18\xff\xfc\x1f\xff\xfc\x27\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfe\x46";
    const TIMING_MARK: &[u8] = b"\xff\xfc\x06";
    const GO_AHEAD: &[u8] = b"\xff\xf9";
    let socket = TcpSocket::new_v4()?;
    let source = Ipv4Addr::from(Ipv4Addr::LOCALHOST.to_bits() + 1 + n % SOURCES);
    socket.bind(SocketAddr::from((source, 0)))?;
    let stream = socket.connect(address).await?;
    let mut player = Player { stream, buffer: Vec::new() };
    let (answer, start): (&[u8], &[u8]) =
        if compress { (b"\xff\xfd\x56", b"\xff\xfa\x56\xff\xf0") } else { (b"\xff\xfe\x56", GO_AHEAD) };
    player.ask(&[REFUSALS, answer, TIMING_MARK].concat(), start).await?;
    if compress {
        // An empty line repeats the prompt, so that the compressor is used.
        player.ask(b"\r\n", b"").await?;
    }
    Ok(player)
}

async fn measure_server(arguments: &Arguments) -> anyhow::Result<Figures> {
    let folder = tempfile::tempdir()?;
    let mut server = start_server(&arguments.server, folder.path(), &HIGH_LIMITS)?;
    let address = ready(server.0.stderr.take().context("no log")?, folder.path())?;
    let process = server.0.id();
    let before = memory_kib(process)?;
    let mut players = Vec::new();
    let mut entering = JoinSet::new();
    for n in 0..arguments.connections {
        let spread = !arguments.crowd;
        entering.spawn(async move { enter(TcpStream::connect(address).await?, n, spread).await });
    }
    while let Some(player) = entering.join_next().await {
        players.push(player??);
    }
    for player in &mut players {
        player.settle().await?;
    }
    run(arguments, &mut players, process, before).await
}

/// A child process that is killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Limits so high that no player is delayed by them.
const HIGH_LIMITS: [&str; 8] = [
    "limits.connections=12000",
    "limits.connections_before_login=12000",
    "limits.compressed_connections=12000",
    "limits.hash_queue=6000",
    "limits.commands_per_second=100000",
    "limits.commands_burst=100000",
    "limits.login_time=1h",
    "auth.slots=2",
];

fn start_server(program: &Path, folder: &Path, settings: &[&str]) -> anyhow::Result<Process> {
    let program = fs::canonicalize(program).with_context(|| {
        format!("{} is not there: build it with `cargo build --release`", program.display())
    })?;
    let mut command = Command::new(program);
    command.arg("serve").current_dir(folder).stderr(Stdio::piped());
    for setting in [
        "telnet.listen=127.0.0.1:0",
        "http.listen=off",
        "ops.listen=off",
        "log.level=warn",
        "log.filter=deepwell=info",
    ]
    .iter()
    .chain(settings)
    {
        command.args(["--set", setting]);
    }
    command.arg("--set").arg(format!("server.state_dir={}", folder.join("var").display()));
    command.spawn().map(Process).context("the server cannot be started")
}

fn ready(log: ChildStderr, folder: &Path) -> anyhow::Result<SocketAddr> {
    let mut log = Lines::new(log).lines();
    while let Some(line) = log.next().transpose()? {
        if line.contains("ready") {
            // Drain the log, or the server would block on a full pipe.
            std::thread::spawn(move || log.map_while(Result::ok).for_each(drop));
            let ready = fs::read_to_string(folder.join("var/ready.json"))?;
            let ready: serde_json::Value = serde_json::from_str(&ready)?;
            return Ok(ready["telnet"].as_str().context("no address")?.parse()?);
        }
    }
    bail!("the server ended before it was ready")
}

/// A connection of a player.
struct Player {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Player {
    /// Reads until the input ends with `end`.
    async fn until(&mut self, end: &[u8]) -> anyhow::Result<()> {
        self.buffer.clear();
        let read = async {
            loop {
                let count = self.stream.read_buf(&mut self.buffer).await?;
                ensure!(count > 0, "the server hung up: {}", String::from_utf8_lossy(&self.buffer));
                if self.buffer.ends_with(end) {
                    return Ok(());
                }
            }
        };
        tokio::time::timeout(ANSWER_TIMEOUT, read).await.context("no answer")?
    }

    /// Reads the pending output caused by other players.
    async fn settle(&mut self) -> anyhow::Result<()> {
        let mut heard = Vec::new();
        self.stream.write_all(b"path settled\r\n").await?;
        while !heard.windows(9).any(|words| words == b"\"settled\"") {
            self.until(PROMPT).await?;
            heard.extend_from_slice(&self.buffer);
        }
        Ok(())
    }

    async fn ask(&mut self, line: &[u8], end: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(line).await?;
        self.until(end).await
    }
}

/// End of each prompt for a client without telnet negotiation.
const PROMPT: &[u8] = b"> ";

const PASSWORD: &str = "a-long-password";

/// Returns the name of a player: its number in letters.
fn name(n: u32) -> String {
    format!("Load{}", hostile::letters(n))
}

/// Creates a character and, if `spread` is set, walks it to one of eight places.
async fn enter(stream: TcpStream, n: u32, spread: bool) -> anyhow::Result<Player> {
    stream.set_nodelay(true)?;
    let mut player = Player { stream, buffer: Vec::new() };
    player.until(b"name: ").await?;
    player.ask(format!("create {} {PASSWORD}\r\n", name(n)).as_bytes(), PROMPT).await?;
    let steps: &[&str] = match n % 8 {
        _ if !spread => &[],
        0 => &[],
        1 => &["north"],
        2 => &["east"],
        3 => &["down"],
        4 => &["down", "north"],
        5 => &["down", "east"],
        6 => &["down", "south"],
        _ => &["down", "west"],
    };
    for step in steps {
        player.ask(format!("{step}\r\n").as_bytes(), PROMPT).await?;
    }
    Ok(player)
}

/// Lets all players type for the given time.
async fn run(
    arguments: &Arguments,
    players: &mut Vec<Player>,
    process: u32,
    memory_before_kib: u64,
) -> anyhow::Result<Figures> {
    let lines: Vec<Vec<u8>> =
        arguments.line.split('|').map(|line| format!("{line}\r\n").into_bytes()).collect();
    let cpu_before = cpu(process)?;
    let started = Instant::now();
    let end = started + Duration::from_secs(arguments.seconds);
    let pause = (arguments.pace > 0).then(|| Duration::from_secs(1) / arguments.pace);
    let mut typing = JoinSet::new();
    for mut player in players.drain(..) {
        let lines = lines.clone();
        typing.spawn(async move {
            let mut latencies = Vec::new();
            let mut pause = pause.map(tokio::time::interval);
            for line in lines.iter().cycle() {
                if let Some(pause) = &mut pause {
                    pause.tick().await;
                }
                let typed = Instant::now();
                if typed >= end {
                    break;
                }
                player.ask(line, PROMPT).await?;
                latencies.push(u32::try_from(typed.elapsed().as_micros()).unwrap_or(u32::MAX));
            }
            anyhow::Ok((latencies, player))
        });
    }
    // Players are returned at the end, so that disconnects are not measured.
    let mut latencies = Vec::new();
    while let Some(player) = typing.join_next().await {
        let (of_one, player) = player??;
        latencies.extend(of_one);
        players.push(player);
    }
    let (wall, cpu_after) = (started.elapsed(), cpu(process)?);
    latencies.sort_unstable();
    Ok(Figures {
        answers: latencies.len() as u64,
        wall,
        latencies,
        cpu: cpu_after.saturating_sub(cpu_before),
        memory_before_kib,
        memory_after_kib: memory_kib(process)?,
    })
}

async fn measure_echo(arguments: &Arguments) -> anyhow::Result<Figures> {
    let echo = Command::new(std::env::current_exe()?).arg("--be-echo").stdout(Stdio::piped()).spawn()?;
    let mut echo = Process(echo);
    let process = echo.0.id();
    let mut address = String::new();
    Lines::new(echo.0.stdout.take().context("no output")?).read_line(&mut address)?;
    let before = memory_kib(process)?;
    let mut players = Vec::new();
    for _ in 0..arguments.connections {
        let stream = TcpStream::connect(address.trim()).await?;
        stream.set_nodelay(true)?;
        players.push(Player { stream, buffer: Vec::new() });
    }
    run(arguments, &mut players, process, before).await
}

/// Echoes each line with a prompt. The structure is that of a server without a world: per connection two tasks, a line
/// codec and a channel between them.
async fn be_echo() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
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
        tokio::spawn(async move {
            let mut bytes = BytesMut::with_capacity(4_096);
            while let Some(line) = echoes.recv().await {
                bytes.clear();
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(b"\r\n");
                bytes.extend_from_slice(PROMPT);
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
    }
}

/// Returns the processor time of a process so far, in user and system mode.
fn cpu(process: u32) -> anyhow::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name in parentheses may contain spaces.
    let (_, fields) = stat.rsplit_once(") ").context("no such process")?;
    let ticks: u64 = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum();
    Ok(Duration::from_millis(ticks * 1_000 / TICKS))
}

/// Returns the resident memory of a process.
fn memory_kib(process: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

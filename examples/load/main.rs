//! Load tool: drives a server over loopback and prints its costs. See docs/develop/performance.md.
//!
//! ```text
//! cargo run --release --example load -- --connections 200 --seconds 10 [--line look] [--echo]
//! ```
//!
//! It starts the server in a temporary folder and creates a character on every connection. Each connection then types a
//! line, waits for the answer, and repeats.
//!
//! * `--echo` puts the same load on a bare tokio echo that answers with as many bytes, and compares.
//! * `--idle N` measures memory instead: the cost of N idle connections, with `--compress` of compressed ones (MCCP2).
//! * `--hostile` measures twice with the default limits: alone, and beside one hostile client of each kind.
//! * `--profile FILE` drives another line-based server, such as those in `examples/load/profiles`.
//! * `--soak MINUTES` lets bots play, and fails if memory, descriptors or threads grow; `--page FILE` writes a page.
//! * `--part roles` starts the server as `deepwell gateway` and `deepwell host`, and compares.
//! * `--report FILE` measures everything and writes the page of the documentation.

#![expect(clippy::print_stdout, reason = "its purpose is to print")]
#![expect(clippy::disallowed_methods, reason = "its purpose is to measure time")]
#![expect(clippy::cast_precision_loss, reason = "figures for people have few digits")]

mod apart;
mod attack;
mod client;
mod echo;
mod explored;
mod figures;
mod hostile;
mod idle;
mod profile;
mod report;
mod server;
mod soak;
mod talk;
mod wire;
mod worlds;

use clap::Parser;
use client::{Audience, Player, name, stay};
use echo::Echo;
use figures::{Figures, Load, run};
use profile::Profile;
use report::{Part, Plan};
use server::{HIGH_LIMITS, Server};
use soak::Soak;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of connections; descriptors and loopback ports are limited.
const CONNECTIONS_MAX: u32 = 9_000;
/// Maximum number of idle connections.
const IDLE_MAX: u32 = 10_000;
/// Maximum duration, in seconds.
const SECONDS_MAX: u64 = 600;

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
    /// Line to type; several lines, separated by `|`, are typed in turn [default: look, or the lines of the profile]
    #[arg(long)]
    line: Option<String>,
    /// Lines per second and connection; 0 types as soon as the answer arrives
    #[arg(long, default_value_t = 0)]
    pace: u32,
    /// Puts the same load on a bare echo that answers with as many bytes, and compares
    #[arg(long)]
    echo: bool,
    /// Leaves all players in the square instead of moving each into a separate room
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
    /// Drives the server that this profile describes (TOML)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["idle", "hostile", "crowd"])]
    profile: Option<PathBuf>,
    /// Measures everything and writes the page FILE, and its drawings to the folder `../pictures`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["idle", "hostile", "profile", "echo"])]
    report: Option<PathBuf>,
    /// Lets the connections play for this many minutes, and fails if the server grows or logs an error
    #[arg(long, value_name = "MINUTES", conflicts_with_all = ["idle", "hostile", "profile", "echo", "report"])]
    soak: Option<u64>,
    /// Writes the result of --soak as a page of the documentation
    #[arg(long, value_name = "FILE", requires = "soak")]
    page: Option<PathBuf>,
    /// Measures one part of that page and prints it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["idle", "hostile", "profile", "echo", "report"])]
    part: Option<Part>,
    /// With --report or --part: short phases and small worlds
    #[arg(long)]
    quick: bool,
    /// With --report or --part: number of rooms of the large stored world [default: 100000, with --quick 10000]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1_000..=1_000_000))]
    rooms: Option<u32>,
    /// Runs the echo server, whose answers have this size, on a port that it prints
    #[arg(long, hide = true)]
    be_echo: Option<usize>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let threads = if arguments.be_echo.is_some() { 2 } else { 1 };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(dispatch(&arguments))
}

async fn dispatch(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(size) = arguments.be_echo {
        return echo::serve(size).await;
    }
    let (quick, program) = (arguments.quick, arguments.server.clone());
    let rooms = arguments.rooms.unwrap_or(if quick { 10_000 } else { 100_000 });
    let plan = Plan { program, quick, rooms: rooms as usize };
    if let Some(page) = &arguments.report {
        return report::write(&plan, page).await;
    }
    if let Some(part) = arguments.part {
        return report::print(&plan, part).await;
    }
    if let Some(minutes) = arguments.soak {
        return soak(arguments, minutes).await;
    }
    if let Some(connections) = arguments.idle {
        let idle = idle::measure(&arguments.server, connections, arguments.compress).await?;
        println!(
            "{connections} idle connections, {}",
            if arguments.compress { "compressed" } else { "plain" }
        );
        println!("  memory:          {} KiB before, {} KiB with them", idle.before_kib, idle.after_kib);
        println!("  per connection:  {:.1} KiB", idle.each_kib());
        return Ok(());
    }
    if arguments.hostile {
        let load = load(arguments, "look");
        let [alone, beside] = attack::measure(&arguments.server, arguments.connections, &load).await?;
        alone.print("alone", arguments.connections as usize);
        beside.print("beside hostile clients", arguments.connections as usize);
        println!("p99 rises by {:.2} ms", beside.figures.percentile(99) - alone.figures.percentile(99));
        return Ok(());
    }
    let played = match &arguments.profile {
        Some(file) => measure_profile(arguments, file).await?,
        None => measure_deepwell(arguments).await?,
    };
    played.print("server", arguments.connections as usize);
    if arguments.echo { compare_with_echo(arguments, &played).await } else { Ok(()) }
}

/// Lets bots play, and fails if the server has grown.
async fn soak(arguments: &Arguments, minutes: u64) -> anyhow::Result<()> {
    let plan = Soak { program: arguments.server.clone(), bots: arguments.connections, minutes };
    let soaked = plan.run().await?;
    println!("{}", soaked.summary());
    if let Some(page) = &arguments.page {
        soaked.write(page)?;
    }
    let faults = soaked.faults();
    anyhow::ensure!(faults.is_empty(), "{}", faults.join("; "));
    Ok(())
}

/// Returns the load of the command line.
fn load(arguments: &Arguments, lines: &str) -> Load {
    let duration = Duration::from_secs(arguments.seconds);
    let load = Load::of(arguments.line.as_deref().unwrap_or(lines), duration);
    match arguments.pace {
        0 => load,
        pace => load.every(Duration::from_secs(1) / pace),
    }
}

async fn measure_deepwell(arguments: &Arguments) -> anyhow::Result<Figures> {
    let count = arguments.connections;
    let server = Server::deepwell(&arguments.server, worlds::stored_cells(count).await?, &HIGH_LIMITS)?;
    let before = server.watched.memory_kib()?;
    let mut audience = Audience::default();
    let way = if arguments.crowd { stay } else { worlds::way_to_cell };
    audience.admit(server.address, 0..count, way).await?;
    let mut players = audience.wake().await?;
    let figures = run(&load(arguments, "look"), &mut players, &server.watched).await?;
    let after = server.watched.memory_kib()?;
    let each = after.saturating_sub(before) as f64 / f64::from(count);
    println!("memory: {after} KiB, {each:.1} KiB a connection more than at the start");
    Ok(figures)
}

async fn measure_profile(arguments: &Arguments, file: &Path) -> anyhow::Result<Figures> {
    let profile = Profile::read(file)?;
    let (server, end) = (Server::of_profile(&profile).await?, Arc::new(profile.end()?));
    let mut players = Vec::new();
    for n in 0..arguments.connections {
        let mut player = Player::connect(server.address, n, Arc::clone(&end)).await?;
        player.log_in(&profile.dialogue(&name(n))).await?;
        players.push(player);
    }
    // Discard the output that the logins of others have caused.
    let mut players = Audience::of(players).wake().await?;
    run(&load(arguments, &profile.lines.join("|")), &mut players, &server.watched).await
}

async fn compare_with_echo(arguments: &Arguments, played: &Figures) -> anyhow::Result<()> {
    let echo = Echo::start(played.size())?;
    let mut players = echo.connect(arguments.connections).await?;
    let echoed = run(&load(arguments, "look"), &mut players, &echo.watched).await?;
    echoed.print("bare echo", arguments.connections as usize);
    println!("rate: {:.2} of that of the echo", played.rate() / echoed.rate());
    if played.cpu > Duration::ZERO {
        println!("processor time of a line: {:.2} times that of the echo", played.cpu_us() / echoed.cpu_us());
    }
    Ok(())
}

//! The report: measures everything in a fixed order, and writes docs/develop/performance.md with its drawings.

mod accounts;
mod attack;
mod builder;
mod crowd;
mod deeds;
pub(crate) mod machine;
mod many;
mod memory;
mod plot;
mod ratio;
mod roles;
mod stored;

use anyhow::Context as _;
use clap::ValueEnum;
use plot::Plot;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Extent of the run.
pub(crate) struct Plan {
    /// Binary of the server.
    pub(crate) program: PathBuf,
    /// Measures with short phases and small worlds.
    pub(crate) quick: bool,
    /// Number of rooms of the large stored world.
    pub(crate) rooms: usize,
}

impl Plan {
    /// Returns the duration of a phase.
    fn time(&self, seconds: f64) -> Duration {
        Duration::from_secs_f64(self.pick(seconds, (seconds / 4.0).max(0.5)))
    }

    fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

/// A measured part of the page.
trait Section {
    /// Heading, text and tables.
    fn text(&self) -> String;

    /// Drawing with the last part of its file name.
    fn plot(&self) -> Option<(&'static str, Plot)> {
        None
    }
}

/// Parts of the page, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// `look` beside an echo
    Echo,
    /// Gateway and host as two processes
    Roles,
    /// Many players in one room
    Crowd,
    /// Changes that are stored first
    Changes,
    /// Many players in many rooms
    Many,
    /// Memory of players and idle connections
    Memory,
    /// Start with a stored world
    Stored,
    /// Start with many accounts
    Accounts,
    /// Commands over all built rooms
    Builder,
    /// Load during an attack
    Attack,
}

impl Part {
    async fn measure(self, plan: &Plan) -> anyhow::Result<Box<dyn Section>> {
        Ok(match self {
            Self::Echo => Box::new(ratio::Ratios::measure(plan).await?),
            Self::Roles => Box::new(roles::Roles::measure(plan).await?),
            Self::Crowd => Box::new(crowd::Crowd::measure(plan).await?),
            Self::Changes => Box::new(deeds::Deeds::measure(plan).await?),
            Self::Many => Box::new(many::Many::measure(plan).await?),
            Self::Memory => Box::new(memory::Memory::measure(plan).await?),
            Self::Stored => Box::new(Box::pin(stored::Stored::measure(plan)).await?),
            Self::Accounts => Box::new(accounts::Accounts::measure(plan).await?),
            Self::Builder => Box::new(builder::Builder::measure(plan).await?),
            Self::Attack => Box::new(attack::Attack::measure(plan).await?),
        })
    }
}

/// Measures one part and prints it.
pub(crate) async fn print(plan: &Plan, part: Part) -> anyhow::Result<()> {
    println!("{}", wrapped(&part.measure(plan).await?.text()));
    Ok(())
}

/// Measures everything and writes the page. Drawings are written to the folder `pictures` beside that of the page.
pub(crate) async fn write(plan: &Plan, page: &Path) -> anyhow::Result<()> {
    let folder = page.parent().context("the report needs a folder")?;
    let pictures = folder.parent().unwrap_or(folder).join("pictures");
    fs::create_dir_all(folder)?;
    fs::create_dir_all(&pictures)?;
    let (begun, mut text) = (Instant::now(), head(plan)?);
    let progress = |what: &str| println!("{:4} s: {what}", begun.elapsed().as_secs());
    for part in Part::value_variants() {
        if plan.quick && *part == Part::Attack {
            continue;
        }
        progress(&format!("{part:?}"));
        let section = part.measure(plan).await?;
        text += "\n";
        text += &section.text();
        if let Some((name, plot)) = section.plot() {
            fs::write(pictures.join(format!("performance-{name}.svg")), plot.svg())?;
        }
    }
    text += TAIL;
    fs::write(page, wrapped(&text)).with_context(|| page.display().to_string())?;
    progress("written");
    Ok(())
}

fn head(plan: &Plan) -> anyhow::Result<String> {
    let size = fs::metadata(&plan.program)?.len() as f64 / 1_048_576.0;
    let quick = if plan.quick { " This was a short run for a test (`--quick`)." } else { "" };
    Ok(format!(
        "# Performance\n\nThis page is for operators who plan hardware, and for developers who compare figures before \
         and after a change. It is written by this command, which takes up to twelve minutes; no figure is written by \
         hand:\n\n```sh\njust bench\n```\n\n{}{quick}\n\nServer, load tool and echo share these cores over the \
         loopback interface. The load average before the run was {}; the work of other processes lowers all rates, so \
         compare ratios rather than rates. CPU times are those of the server process, from `/proc`. p50 and p99 are \
         latencies that half and 99 percent of the answers do not exceed. Except during the attack, the limits are so \
         high that they delay no player.\n\nThe program has {} MiB.\n",
        machine::description(),
        fixed(machine::load_average(), 1),
        fixed(size, 1),
    ))
}

/// Text behind the measured sections.
const TAIL: &str = "
## Measure a part or another server

The load tool, `examples/load`, needs Linux. Without `--report` it measures a single load and prints it:

```sh
cargo build --release
cargo run --release --example load -- --connections 100 --seconds 5 --echo
cargo run --release --example load -- --profile examples/load/profiles/wolfmud.toml --echo
```

| option | effect |
|---|---|
| `--pace N` | each connection sends N lines a second, instead of each line as soon as the last one is answered |
| `--line \"look\\|inventory\"` | sends other lines |
| `--crowd` | leaves all players in one room |
| `--echo` | compares with an echo that answers with as many bytes |
| `--idle N` | prints the memory of idle connections, with `--compress` of compressed ones |
| `--hostile` | measures beside hostile clients |
| `--profile FILE` | drives any line-based server: FILE has its address or the command that starts it, the login dialogue, and the end of an answer |
| `--part NAME` | measures one section of this page and prints it: `echo`, `roles`, `crowd`, `changes`, `many`, `memory`, `stored`, `accounts`, `builder` or `attack` |
| `--report FILE` | writes this page |
| `--quick` | with `--report` or `--part`: short phases and small worlds, without the attack, in three minutes |
| `--rooms N` | with `--report` or `--part`: size of the stored world, up to a million rooms |

## In-process benchmarks

`cargo bench --bench game` measures the path from input bytes to output bytes, through session, game and rendering,
without sockets and before the commit. It also measures steps into new rooms, combat rounds, calls of scripts, the
generation of floors, and the deletion of branches. These are its targets:

| benchmark | target for the median |
|---|---|
| `look`, `move_to_a_known_room` | 20 us |
| `move_to_a_new_room` | 200 us |
| `call_a_script`, for a script that is stopped at its limit | 1 ms |
| `start_with_100_000_stored_rooms` | 3 s |

## Instructions of a command

Processor times differ between runs; numbers of instructions hardly do. `cargo test --test cost instructions`
counts those of a `look` and of a stored change by stage, in the debug build, and fails if a stage costs 5 % more than
`tests/data/instructions.txt` says: see [testing.md](testing.md#instruction-counts).
";

/// Returns a number with a few decimals.
fn fixed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// Returns a rounded number with commas.
fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a table of Markdown.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut text = line(&head) + "|" + &"---|".repeat(head.len()) + "\n";
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

/// Wraps the paragraphs of a page to lines of 120 characters.
pub(crate) fn wrapped(page: &str) -> String {
    const WIDTH: usize = 120;
    let (mut text, mut in_block) = (String::new(), false);
    for line in page.lines() {
        in_block ^= line.starts_with("```");
        let mut length = 0;
        let is_fixed = in_block || line.starts_with(['|', '#', '!', '`']);
        for word in line.split(' ') {
            let width = word.chars().count();
            if length > 0 && length + 1 + width > WIDTH && !is_fixed {
                text.push('\n');
                length = 0;
            } else if length > 0 {
                text.push(' ');
                length += 1;
            }
            text.push_str(word);
            length += width;
        }
        text.push('\n');
    }
    text
}

//! Instructions of a command by stage, from the bytes of the client to those of the answer, compared with
//! `tests/data/instructions.txt`. Callgrind counts them in the whole server.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::generated;
use crate::profile::Profile;
use crate::watched_server::WatchedServer;

/// File with the expected instructions.
const INSTRUCTIONS: &str = "tests/data/instructions.txt";

/// Head of the file, before the line of the compiler.
const HEAD: &str = "\
# Instructions of a command in the debug build, counted by callgrind: medians of 5 series of 20 commands.
# A `deed` is a change that is stored: dropping a coin and taking it, in turn.
# A stage, and the sum of the stages, may differ by 5 %, or by 0.5 % of the sum if that is more: timers change small stages
# by as much. `wait and wake` is the rest of the process and may differ by 50 %: how often tasks are woken depends on the
# load of the machine.
";

/// Series of each kind, after one that is not counted. Timers of the world run in a few, which a median leaves out.
const SERIES: usize = 5;

/// Commands of a series.
const COMMANDS: usize = 20;

/// Kinds of commands: column of the table, and lines with a text of their answer.
const KINDS: [(&str, &[(&str, &str)]); 2] = [
    ("look", &[("look", "Exits: ")]),
    ("deed", &[("drop 1 silver", "You lay down "), ("get silver", "You pocket ")]),
];

const RECEIVE: &str = "deepwell::session::Session::receive";
const CARRY_OUT: &str = "deepwell::net::connection::Connection<S>::carry_out::{{closure}}";
const DRIVER_PLAY: &str = "deepwell::server::game_loop::driver::GameDriver::play::{{closure}}";
const PIPELINE_PLAY: &str = "deepwell::server::game_loop::pipeline::recovery::\
    <impl deepwell::server::game_loop::pipeline::Pipeline>::play::{{closure}}";
const PIPELINE_HANDLE: &str = "deepwell::server::game_loop::pipeline::Pipeline::handle::{{closure}}";
const PIPELINE_SPEAK: &str = "deepwell::server::game_loop::pipeline::Pipeline::speak";
const STEP: &str = "deepwell_game::Game::step";
const CUT: &str = "deepwell_game::Game::cut_if_changed";
const DELIVERIES: &str = "deepwell::net::connection::Connection<S>::take_deliveries";
const FLUSH: &str = "deepwell::session::Session::flush";
const ENCODE: &str = "deepwell::protocol::terminal::Terminal::write";
const BATCH: &str = "deepwell::store::commit::Batch::of";
const COMMIT: &str = "deepwell::store::commit::<impl deepwell::store::Store>::commit::{{closure}}";
const PREPARE: &str = "sqlx_sqlite::connection::execute::iter";
const EXECUTE: &str =
    "<sqlx_sqlite::connection::execute::ExecuteIter as core::iter::traits::iterator::Iterator>::next";
const WRITE: &str = "deepwell::net::wire::Wire<S>::write::{{closure}}";

/// Stages: name, functions, and functions called by these that belong to other stages.
const STAGES: &[(&str, &[&str], &[&str])] = &[
    ("receive and parse", &[RECEIVE], &[]),
    ("queue", &[CARRY_OUT, DRIVER_PLAY], &[PIPELINE_PLAY]),
    ("step", &[STEP, CUT], &[]),
    ("hold", &[PIPELINE_PLAY, PIPELINE_HANDLE], &[STEP, CUT, PIPELINE_SPEAK]),
    ("serialise", &[BATCH], &[]),
    ("store", &[COMMIT, PREPARE, EXECUTE], &[BATCH]),
    ("route", &[PIPELINE_SPEAK], &[]),
    ("render", &[DELIVERIES, FLUSH], &[ENCODE]),
    ("encode", &[ENCODE], &[]),
    ("write", &[WRITE], &[]),
];

/// Line of the sum of the stages.
const SUM: &str = "sum";

/// Line of the functions that belong to no stage: wake-ups, timers and the runtime.
const REST: &str = "wait and wake";

/// Instructions of a command of each kind.
type Row = [u64; KINDS.len()];

#[test]
fn instructions_of_a_command_are_what_the_table_says() {
    let compiler = compiler();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(INSTRUCTIONS);
    let kept = fs::read_to_string(path).unwrap_or_default();
    let is_comparable = kept.lines().any(|line| line == compiler);
    if !is_comparable && env::var_os("WRITE_GENERATED").is_none() {
        eprintln!("skipped: {INSTRUCTIONS} is of another compiler. This is: {compiler}");
        return;
    }
    if let Some(obstacle) = WatchedServer::obstacle() {
        eprintln!("skipped: {obstacle}");
        return;
    }
    let mut server = WatchedServer::start();
    if let Err(error) = server.count() {
        eprintln!("skipped: vgdb cannot control callgrind: {error}");
        return;
    }
    let mut measured = measure(&mut server);
    if is_comparable && !differences(&kept, &measured).is_empty() {
        // What else runs on the machine may have been the reason: a change of the code is measured twice.
        measured = measure(&mut server);
    }
    let page = page(&compiler, &measured);
    eprintln!("{page}");
    let differences = differences(&kept, &measured);
    if is_comparable && differences.is_empty() {
        return;
    }
    assert!(
        generated::is_up_to_date(INSTRUCTIONS, &page),
        "{INSTRUCTIONS} differs:\n{differences}{}",
        generated::HOW
    );
}

/// Returns the line of the table that names the compiler and the processor.
fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("# {}, {}", version.unwrap_or_default(), env::consts::ARCH)
}

/// Returns the table: the stages, their sum and the rest.
fn measure(server: &mut WatchedServer) -> Vec<(&'static str, Row)> {
    let profiles = KINDS.map(|(_, lines)| {
        let series = (0..=SERIES).map(|_| series(server, lines));
        series.skip(1).collect::<Vec<_>>()
    });
    for function in STAGES.iter().flat_map(|(_, own, _)| *own) {
        let is_called = profiles.iter().flatten().any(|profile| profile.of(function).is_some());
        assert!(is_called, "the program calls no {function}: give its new name to a stage of {}", file!());
    }
    let parts = profiles.map(|profiles| profiles.iter().map(split).collect::<Vec<_>>());
    let names = STAGES.iter().map(|(name, ..)| *name).chain([SUM, REST]);
    let rows = names.enumerate().map(|(at, name)| {
        (name, parts.each_ref().map(|series| median(series.iter().map(|parts| parts[at]).collect())))
    });
    rows.collect()
}

fn series(server: &mut WatchedServer, lines: &[(&str, &str)]) -> Profile {
    for (line, answer) in lines.iter().cycle().take(COMMANDS) {
        server.type_line(line, answer);
    }
    server.profile()
}

/// Returns the instructions of a command in each stage, their sum, and the rest.
fn split(profile: &Profile) -> Vec<u64> {
    let count =
        |functions: &[&str]| functions.iter().filter_map(|function| profile.of(function)).sum::<u64>();
    let mut parts: Vec<_> =
        STAGES.iter().map(|(_, own, others)| count(own).saturating_sub(count(others))).collect();
    let sum = parts.iter().sum();
    parts.extend([sum, profile.total.saturating_sub(sum)]);
    parts.into_iter().map(|part| part / COMMANDS as u64).collect()
}

fn median(mut counts: Vec<u64>) -> u64 {
    counts.sort_unstable();
    counts[counts.len() / 2]
}

fn page(compiler: &str, table: &[(&str, Row)]) -> String {
    let columns = KINDS.map(|(name, _)| name).join(" | ");
    let mut page = format!("{HEAD}{compiler}\n# stage | {columns}\n");
    for (stage, row) in table {
        let _ = writeln!(page, "{stage} | {}", row.map(|count| count.to_string()).join(" | "));
    }
    page
}

/// Returns a line for each cell that differs by more than the tolerance from that of the page.
fn differences(page: &str, table: &[(&str, Row)]) -> String {
    let kept = |stage: &str| -> Option<Vec<u64>> {
        let line = page.lines().find_map(|line| line.strip_prefix(stage)?.strip_prefix(" | "))?;
        line.split(" | ").map(|count| count.parse().ok()).collect()
    };
    let sums = kept(SUM).unwrap_or_default();
    let mut lines = String::new();
    for (stage, row) in table {
        let kept = kept(stage).unwrap_or_default();
        for (at, count) in row.iter().enumerate() {
            let before = kept.get(at).copied().unwrap_or_default();
            let sum = sums.get(at).copied().unwrap_or_default();
            let tolerance = if *stage == REST { before / 2 } else { (before / 20).max(sum / 200) };
            if count.abs_diff(before) > tolerance {
                let _ = writeln!(lines, "{}, {stage}: {count} instead of {before} instructions", KINDS[at].0);
            }
        }
    }
    lines
}

#[test]
fn differences_within_the_tolerance_are_accepted() {
    let page = "# stage | look | deed\nstep | 1000 | 10\nsum | 2000 | 2000\n";
    let table = |step, sum| differences(page, &[("step", step), ("sum", sum)]);
    assert_eq!(table([1050, 20], [1900, 2100]), "");
    assert_eq!(table([1051, 0], [2000, 2000]), "look, step: 1051 instead of 1000 instructions\n");
    assert_eq!(table([1000, 21], [2000, 1899]).lines().count(), 2);
}

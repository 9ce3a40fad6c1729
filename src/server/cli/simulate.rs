//! `deepwell simulate`: runs bots in virtual time, and replays recordings. Bots and invariants are in
//! `deepwell_tools::simulate`.

use super::{CliFailure, SettingArguments, show, wait_for};
use crate::server::content;
use crate::store;
use clap::Args;
use deepwell_core::base::Seed;
use deepwell_core::catalog::Catalog;
use deepwell_core::world::Snapshot;
use deepwell_game::input::recording::{Beginning, Recording};
use deepwell_tools::simulate::{self, Faithful, RunViolation, SimulationPlan, balance};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, panic};

/// Simulation to run
#[derive(Args, Clone, Debug)]
pub struct SimulateArguments {
    /// Number of bots [default: 50]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    players: Option<u32>,
    /// Hours of game time [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with = "minutes")]
    hours: Option<u32>,
    /// Minutes of game time, instead of hours
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=6_000_000))]
    minutes: Option<u32>,
    /// Random seed; the same seed gives the same run
    #[arg(long, required_unless_present = "replay")]
    seed: Option<u64>,
    /// Number of simulated crashes, each followed by a restart from storage
    #[arg(long, default_value_t = 0)]
    crashes: u32,
    /// Play scripted parties of one to PLAYERS members instead, and print statistics of their fights [players: 4,
    /// hours: 6]
    #[arg(long, conflicts_with_all = ["minutes", "crashes"])]
    report: bool,
    /// With --report: number of careers for each party size
    #[arg(long, default_value_t = 8, requires = "report", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    careers: u32,
    /// File for the minimised recording of a failed run [default: simulation-SEED.json]
    #[arg(long, value_name = "FILE", conflicts_with = "report")]
    replay_to: Option<PathBuf>,
    /// Replay a failed run, or a crash of the server (crash-*.json), and show where it fails
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["players", "hours", "minutes", "seed", "crashes", "report", "careers", "replay_to"])]
    replay: Option<PathBuf>,
    /// With --replay of a crash: the world it happened in, a .world.json or a backup [default: the .world.json beside
    /// FILE]
    #[arg(long, value_name = "WORLD", requires = "replay")]
    world: Option<PathBuf>,
}

/// Runs the simulation, and prints figures or the first violation.
pub(super) fn simulate(
    settings: &SettingArguments,
    arguments: &SimulateArguments,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let SimulateArguments { players, hours, minutes, seed, crashes, report, careers, .. } = *arguments;
    let seed = seed.unwrap_or_default();
    if let Some(file) = &arguments.replay {
        return replay(settings, file, arguments.world.as_deref(), out);
    }
    if report {
        let (largest, hours) = (players.unwrap_or(4).min(balance::LARGEST), hours.unwrap_or(6));
        let plan = balance::BalancePlan { seed: Seed(seed), largest, careers, hours };
        return balance_report(settings, &plan, out);
    }
    let players = players.unwrap_or(50);
    let minutes = minutes.unwrap_or_else(|| hours.unwrap_or(1) * 60);
    let plan = SimulationPlan::new(players, minutes, seed, crashes);
    show(out, &format!("{}\n", plan.command_line()))?;
    match simulate::run(&plan) {
        Ok(report) => show(out, &format!("{report}\n")),
        Err(violation) => {
            let file = arguments.replay_to.clone();
            let file = file.unwrap_or_else(|| format!("simulation-{seed}.json").into());
            show(out, &format!("step {}: {}\nminimising the run ...\n", violation.step, violation.breach))?;
            keep(&plan, &violation, &file, out)?;
            Err(CliFailure::Violation(violation))
        }
    }
}

/// Minimises a failed run and writes its recording.
fn keep(
    plan: &SimulationPlan,
    violation: &RunViolation,
    file: &Path,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    // Suppress panic messages, since a panicking rule panics in every replay.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let recording = simulate::shrink_on(&mut Faithful, plan, violation);
    panic::set_hook(hook);
    let text = recording.text().map_err(|error| CliFailure::Io(file.display().to_string(), error.into()))?;
    fs::write(file, text).map_err(|error| CliFailure::Io(file.display().to_string(), error))?;
    let (kept, all, name) = (recording.moves.len(), violation.moves.len(), file.display());
    show(out, &format!("{kept} of {all} moves are in {name}: deepwell simulate --replay {name}\n"))
}

/// Replays a recording and reports success or the first violation.
fn replay(
    settings: &SettingArguments,
    file: &Path,
    world: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| CliFailure::Io(name.to_string(), error))?;
    let recording =
        Recording::read(&text).map_err(|mistake| CliFailure::Usage(format!("{name}: {mistake}")))?;
    show(out, &format!("{name}: {} moves, ending with: {}\n", recording.moves.len(), recording.header.ends))?;
    let (catalog, stored) = match recording.header.begins {
        Beginning::Fresh { .. } => (Catalog::builtin(), Snapshot::default()),
        Beginning::Stored { .. } => {
            let beside = file.with_extension("world.json");
            let stored = read_world(world.unwrap_or(&beside), &recording)?;
            (content::load(&settings.effective()?.config.server)?, stored)
        }
    };
    for difference in recording.header.differences(&catalog) {
        show(out, &format!("{name}: {difference}; the result may differ\n"))?;
    }
    match simulate::replay_on(&mut Faithful, &Arc::new(catalog), &recording, stored) {
        Ok(steps) => show(out, &format!("{name}: no violation in {steps} steps\n")),
        Err(violation) => {
            let again = format!("deepwell simulate --replay {name}");
            Err(CliFailure::Violation(Box::new(RunViolation { again, ..*violation })))
        }
    }
}

/// Reads the world in which a crash happened: the file written beside the recording, or a database.
fn read_world(file: &Path, recording: &Recording) -> Result<Snapshot, CliFailure> {
    let name = file.display();
    let usage_error = |what: &str| {
        CliFailure::Usage(format!("{name}: {what}; pass a backup from before the crash with --world"))
    };
    let bytes = fs::read(file).map_err(|error| usage_error(&format!("cannot read the world: {error}")))?;
    let stored: Snapshot = if bytes.starts_with(b"SQLite format 3\0") {
        wait_for(store::read(file))??
    } else {
        let text = String::from_utf8(bytes)
            .map_err(|_| usage_error("the file contains no world: it is not UTF-8"))?;
        serde_json::from_str(&text)
            .map_err(|error| usage_error(&format!("the file contains no world: {error}")))?
    };
    let lived = stored.meta.as_ref().ok_or_else(|| usage_error("the file contains no world"))?.time;
    match recording.moves.last() {
        Some(last) if last.at < lived => Err(usage_error("this world is newer than the crash")),
        _ => Ok(stored),
    }
}

/// Plays the careers with the content and settings of the server, so that their authors see what a change does.
fn balance_report(
    settings: &SettingArguments,
    plan: &balance::BalancePlan,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let config = settings.effective()?.config;
    let catalog = Arc::new(content::load(&config.server)?);
    show(out, &format!("{}\n\n", plan.command_line()))?;
    let table = balance::play(plan, &catalog, &config.game).map_err(CliFailure::Violation)?;
    show(out, &table.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::cli::tests::typed;
    use deepwell_core::base::{GameTime, SessionId};
    use deepwell_game::Input;
    use deepwell_game::input::recording::{Recorded, RecordedMove, RecordingHeader};

    #[test]
    fn run_prints_its_command_line() {
        let line = ["simulate", "--players", "3", "--minutes", "2", "--seed", "5", "--crashes", "1"];
        let (shown, result) = typed(&line);
        result.unwrap();
        assert!(shown.starts_with(&format!("deepwell {}\nsteps: ", line.join(" "))), "{shown}");
        assert_eq!(typed(&line).0, shown);
    }

    #[test]
    fn report_plays_the_content_of_the_server() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rules.toml"), "[party]\ncreature_attack_percent = []\n").unwrap();
        let setting = format!("server.content_dir={}", folder.path().display());
        let failure = typed(&["--set", &setting, "simulate", "--report", "--seed", "1"]).1.unwrap_err();
        assert!(failure.to_string().contains("rules.toml"), "{failure}");
    }

    /// Writes the recording of a run in which a player creates an account; `knocks` transforms that input.
    fn file(folder: &Path, content: &str, begins: Beginning, knocks: impl Fn(Input) -> Input) -> String {
        let config = deepwell_game::GameConfig::default();
        let header = RecordingHeader::new(&Catalog::builtin(), &config, begins, "it ended".into());
        let (session, name, pre_login) = (SessionId(1), "Annika".to_owned(), Box::default());
        let create = Input::Create { session, name, credential: String::new(), pre_login };
        let moves = [RecordedMove::Input(knocks(create).into()), RecordedMove::Commit]
            .map(|what| Recorded { at: GameTime(1_900_000_000_000), what });
        let header = RecordingHeader { content: content.into(), ..header };
        let path = folder.join("run.json");
        fs::write(&path, Recording { header, moves: moves.into() }.text().unwrap()).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn replay_reports_success_or_violation() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = Beginning::Fresh { ferocity: 1 };
        let path =
            file(folder.path(), &Catalog::builtin().digest().to_string(), fresh.clone(), |input| input);
        let (shown, result) = typed(&["simulate", "--replay", &path]);
        result.unwrap();
        assert!(
            shown.ends_with(&format!("{path}: no violation in 1 steps\n")) && !shown.contains("may differ"),
            "{shown}"
        );

        // The simulation's checks reject guests, since no bot is one.
        let visit = |create: Input| {
            let (session, pre_login) = (create.session().unwrap(), Box::default());
            Input::Visit { session, pre_login }
        };
        let path = file(folder.path(), "another", fresh, visit);
        let (shown, result) = typed(&["simulate", "--replay", &path]);
        let failure = result.unwrap_err();
        let message = failure.to_string();
        assert_eq!(failure.exit_code(), 1);
        assert!(
            message.contains("out of order") && message.ends_with(&format!("--replay {path}")),
            "{message}"
        );
        assert!(
            shown.contains("its content was another") && shown.contains("the result may differ"),
            "{shown}"
        );
    }

    #[test]
    fn unreadable_replay_is_refused_with_a_fix() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "", Beginning::Stored { seated: Vec::new() }, |input| input);
        let world = folder.path().join("run.world.json");
        for (text, reason) in [(None, "cannot read the world"), (Some("{"), "the file contains no world")] {
            if let Some(text) = text {
                fs::write(&world, text).unwrap();
            }
            let failure = typed(&["simulate", "--replay", &path]).1.unwrap_err();
            let (message, code) = (failure.to_string(), failure.exit_code());
            assert!(
                message.contains("run.world.json: ")
                    && message.contains(reason)
                    && message.contains("--world"),
                "{message}"
            );
            assert_eq!(code, 2);
        }
        let failure = typed(&["simulate", "--replay", world.to_str().unwrap()]).1.unwrap_err();
        assert!(failure.to_string().contains("line 1 is not of a recording"), "{failure}");
    }
}

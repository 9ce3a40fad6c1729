//! `deepwell dungeon`: generates branches without a server and shows them as data, maps, statistics and proofs.
//! Generation is in `deepwell_core::dungeon`, output in `deepwell_tools`.

mod prove;
mod puzzle;
mod repetition;

use super::{CliFailure, show};
use crate::server::config::Config;
use crate::server::content;
use clap::{Args, Subcommand};
use deepwell_core::base::Seed;
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::BranchSpec;
use deepwell_core::dungeon::map::{MapRoom, legend};
use deepwell_core::puzzle::draw as draw_puzzle;
use deepwell_core::text::nearest;
use deepwell_game::DungeonConfig;
use deepwell_tools::branch::PlannedBranch;
use deepwell_tools::page::marks;
use deepwell_tools::stats::BranchStats;
use deepwell_tools::{puzzle_map, svg};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Output to produce from generated branches
#[derive(Subcommand, Clone, Debug)]
pub enum DungeonCommand {
    /// Print each branch as one line of JSON
    Dump(BranchSelection),
    /// Draw each branch and list its rooms, or draw a puzzle with its solution
    Map {
        /// Branches to draw.
        #[command(flatten)]
        branches: BranchSelection,
        /// Draw this puzzle instead, with the theme's parameters
        #[arg(long, value_name = "NAME")]
        puzzle: Option<String>,
        /// Set a parameter of the puzzle; may be given several times
        #[arg(long, value_name = "NAME=VALUE", requires = "puzzle")]
        param: Vec<String>,
        /// Also draw the branch into an SVG file
        #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
        svg: Option<PathBuf>,
    },
    /// Print statistics over all branches
    Stats {
        /// Branches to count.
        #[command(flatten)]
        branches: BranchSelection,
        /// Print the statistics as JSON
        #[arg(long)]
        json: bool,
        /// Count texts that repeat too soon instead; `--theme all` counts every level type; exit code 1 if a figure is
        /// out of bounds
        #[arg(long)]
        words: bool,
    },
    /// Prove for each seed that everything is reachable and within its budget; exit code 1 if a rule is violated
    ///
    /// `--theme all` proves every level type and every puzzle that the themes list.
    Verify {
        /// Branches to prove.
        #[command(flatten)]
        branches: BranchSelection,
        /// Also solve the puzzles: those behind gates of the branches, and each that the theme lists
        #[arg(long)]
        puzzles: bool,
    },
}

/// Branches to generate
#[derive(Args, Clone, Debug)]
pub struct BranchSelection {
    /// Name of a level type, or key of a theme
    #[arg(long, default_value = "well")]
    theme: String,
    /// Seed of the first branch
    #[arg(long)]
    seed: u64,
    /// Number of rooms on each floor, opened by a random walk
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rooms: u32,
    /// Number of floors; above the last one, the walk continues until it finds and takes the stairs
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    floors: u32,
    /// Number of branches, with consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// Generate the branch by these moves instead of a random walk: "e n n d s", or the list in the dump of an existing
    /// branch
    #[arg(long, conflicts_with_all = ["rooms", "floors", "seeds"])]
    moves: Option<String>,
    /// Layout of the first floor, instead of the level type's own
    #[arg(long)]
    generator: Option<String>,
}

/// Generates branches and shows them.
pub(super) fn dungeon(
    config: &Config,
    command: &DungeonCommand,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let catalog = content::load(&config.server)?;
    let planned = |branches| planned(&catalog, &config.game.dungeon, branches);
    match command {
        DungeonCommand::Dump(branches) => {
            for branch in planned(branches)? {
                show(out, &(json(&branch.dump())? + "\n"))?;
            }
            Ok(())
        }
        DungeonCommand::Map { branches, puzzle: Some(name), param, svg } => {
            let entry = puzzle::entry(&catalog, &branches.theme, name, param)?;
            for number in 0..branches.seeds {
                let seed = Seed(branches.seed.wrapping_add(number));
                show(out, &puzzle_map::page(&entry, seed))?;
                if let Some(file) = svg {
                    let rooms = puzzle_map::map_rooms(&draw_puzzle(&entry, seed).board);
                    write_drawing(&rooms, &format!("{name} {seed}"), puzzle_map::MARKS, file)?;
                }
            }
            Ok(())
        }
        DungeonCommand::Map { branches, puzzle: None, svg, .. } => {
            for branch in planned(branches)? {
                show(out, &branch.page())?;
                if let Some(file) = svg {
                    draw(&branch, file)?;
                }
            }
            Ok(())
        }
        DungeonCommand::Stats { branches, json: as_json, words: true } => {
            repetition::count(&catalog, &config.game.dungeon, branches, *as_json, out)
        }
        DungeonCommand::Stats { branches, json: as_json, words: false } => {
            let mut stats = BranchStats::default();
            planned(branches)?.for_each(|branch| stats.add(&branch));
            show(out, &if *as_json { json(&stats)? + "\n" } else { stats.to_string() })
        }
        DungeonCommand::Verify { branches, puzzles } => {
            prove::prove(&catalog, &config.game.dungeon, branches, *puzzles, out)
        }
    }
}

/// Returns the requested branches: one replayed from its moves, or several from random walks.
fn planned<'a>(
    catalog: &'a Catalog,
    config: &DungeonConfig,
    branches: &'a BranchSelection,
) -> Result<impl Iterator<Item = PlannedBranch> + 'a, CliFailure> {
    let mut first = BranchSpec { seed: Seed(branches.seed), ..first_spec(catalog, config, &branches.theme)? };
    if let Some(generator) = &branches.generator {
        if catalog.layout(generator).is_none() {
            let known: Vec<&str> = catalog.layouts.keys().map(String::as_str).collect();
            let known = known.join(", ");
            return Err(CliFailure::Usage(format!("unknown generator {generator}, expected one of {known}")));
        }
        first.generator.clone_from(generator);
    }
    let replayed = branches.moves.as_ref();
    let replayed = replayed.map(|moves| PlannedBranch::replay(first.clone(), catalog, moves));
    let replayed = replayed.transpose().map_err(|error| CliFailure::Usage(error.to_string()))?;
    let walks = if replayed.is_some() { 0 } else { branches.seeds };
    let walked = (0..walks).map(move |number| {
        let spec = BranchSpec { seed: Seed(branches.seed.wrapping_add(number)), ..first.clone() };
        PlannedBranch::walk(spec, catalog, branches.rooms, branches.floors)
    });
    Ok(replayed.into_iter().chain(walked))
}

/// Returns the specification of branches of a level type or theme, without their seed.
fn first_spec(catalog: &Catalog, config: &DungeonConfig, name: &str) -> Result<BranchSpec, CliFailure> {
    let themes = catalog.level_types.values().map(|level_type| level_type.theme.as_str());
    let known: BTreeSet<&str> = catalog.level_types.keys().map(String::as_str).chain(themes).collect();
    if !known.contains(name) {
        let hint = nearest(name, known.iter().copied()).map(|key| format!(", did you mean `{key}`?"));
        let expected = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(CliFailure::Usage(format!(
            "unknown theme or level type {name}, expected one of {expected}{}",
            hint.unwrap_or_default()
        )));
    }
    let mut first = BranchSpec::of(catalog, name, Seed(0));
    let settings = &mut first.settings;
    settings.max_unexplored_exits = config.max_unexplored_exits.unwrap_or(settings.max_unexplored_exits);
    settings.max_new_exits_per_room =
        config.max_new_exits_per_room.unwrap_or(settings.max_new_exits_per_room);
    settings.finishable = config.finishable.unwrap_or(settings.finishable);
    Ok(first)
}

fn json(value: &impl Serialize) -> Result<String, CliFailure> {
    serde_json::to_string(value).map_err(|error| CliFailure::Io("the dump".into(), io::Error::from(error)))
}

fn draw(branch: &PlannedBranch, file: &Path) -> Result<(), CliFailure> {
    let title = format!("{} {}", branch.spec.level_type, branch.spec.seed);
    write_drawing(&branch.all_map_rooms(), &title, &marks(), file)
}

fn write_drawing(
    rooms: &[MapRoom],
    title: &str,
    marks: &[(char, &str)],
    file: &Path,
) -> Result<(), CliFailure> {
    fs::write(file, svg::drawing(rooms, title, &legend(rooms, marks)))
        .map_err(|error| CliFailure::Io(file.display().to_string(), error))
}

#[cfg(test)]
mod tests {
    use crate::server::cli::tests::typed;
    use std::fs;

    fn shown(line: &[&str]) -> String {
        let (shown, result) = typed(&[&["dungeon"], line].concat());
        result.unwrap();
        shown
    }

    #[test]
    fn same_seed_gives_same_bytes() {
        let one = shown(&["dump", "--seed", "7", "--rooms", "12"]);
        assert_eq!(one, shown(&["dump", "--theme", "well", "--seed", "7", "--rooms", "12"]));
        assert!(one.starts_with("{\"branch\":0,") && one.ends_with("}\n"), "{one}");
        let two = shown(&["dump", "--seed", "6", "--seeds", "2", "--rooms", "12"]);
        assert_eq!(two.lines().nth(1), one.lines().next(), "the second seed from 6 on is 7");
    }

    #[test]
    fn settings_override_the_theme() {
        let dump = shown(&["dump", "--seed", "7", "--set", "dungeon.max_unexplored_exits=5"]);
        assert!(dump.contains("\"max_unexplored_exits\":5,"), "{dump}");
        let dump = shown(&["dump", "--seed", "7"]);
        assert!(dump.contains("\"max_unexplored_exits\":2,"), "{dump}");
    }

    #[test]
    fn map_stats_and_verify_print_a_branch() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("branch.svg");
        let page = shown(&["map", "--seed", "7", "--rooms", "9", "--svg", &file.display().to_string()]);
        assert!(
            page.starts_with("level type well, theme well, generator frontier, seed 7, 9 rooms; "),
            "{page}"
        );
        assert!(fs::read_to_string(file).unwrap().starts_with("<svg "));
        assert!(shown(&["stats", "--seed", "7", "--rooms", "9", "--seeds", "3"]).starts_with("rooms: 27 "));
        let json = shown(&["stats", "--seed", "7", "--rooms", "9", "--seeds", "3", "--json"]);
        assert!(json.contains("\"rooms\":27,") && json.contains("\"loops\":0,"), "{json}");
        assert_eq!(
            shown(&["verify", "--seed", "1", "--seeds", "3", "--rooms", "40"]),
            "level type well: 3 seeds from 1, 120 rooms on 3 floors, 0 regenerated, 0 fallbacks: all rules hold\n"
        );
    }

    /// H6, H17: a puzzle is drawn with its solution, with the theme's parameters or others.
    #[test]
    fn map_prints_puzzle_with_solution() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("puzzle.svg");
        let svg = file.display().to_string();
        let page = shown(&[
            "map", "--puzzle", "vault", "--seed", "7", "--param", "rooms=10", "--param", "doors=3", "--svg",
            &svg,
        ]);
        assert!(page.starts_with("puzzle vault, seed 7, ") && page.contains("\nSolution:\n"), "{page}");
        assert_eq!(page.matches("    Gate: ").count(), 3, "{page}");
        assert!(fs::read_to_string(file).unwrap().starts_with("<svg "));
        for (line, message) in [
            (&["--puzzle", "vualt"][..], "unknown puzzle vualt, expected one of bellfounder, "),
            (&["--puzzle", "vault", "--param", "doors=9"], "doors=9: doors takes 1 to 3"),
            (&["--puzzle", "vault", "--param", "dors=2"], "dors=2: vault has no parameter dors"),
        ] {
            let line = [&["dungeon", "map", "--seed", "7"], line].concat();
            let failure = typed(&line).1.unwrap_err();
            assert_eq!(failure.exit_code(), 2);
            assert!(failure.to_string().starts_with(message), "{failure}");
        }
    }

    /// T1, T4: further floors are generated by taking the stairs down.
    #[test]
    fn floors_option_generates_deeper_floors() {
        let page = shown(&["map", "--seed", "7", "--rooms", "6", "--floors", "3"]);
        assert!(page.contains("Dungeon level 3, well:\n") && !page.contains("Dungeon level 4"), "{page}");
        assert_eq!(page.matches(": stairs down").count(), 2, "{page}");
        let dump = shown(&["dump", "--seed", "7", "--rooms", "6", "--floors", "3"]);
        assert_eq!(dump.matches("\"stairs\"").count(), 2, "{dump}");
        assert!(dump.contains("{\"floor\":3,"), "{dump}");
        assert!(shown(&["stats", "--seed", "7", "--floors", "3"]).contains("\nfloors: 3\nstairs down: "));
        let proved = shown(&["verify", "--seed", "1", "--seeds", "3", "--rooms", "9", "--floors", "20"]);
        assert!(proved.contains(" rooms on 60 floors, ") && proved.ends_with("all rules hold\n"), "{proved}");
    }

    /// P1: a level type is selected by name; for an unknown name the valid ones are listed.
    #[test]
    fn unknown_theme_is_wrong_usage() {
        let found = typed(&["dungeon", "map", "--theme", "upper crypt", "--seed", "1"]).1;
        assert!(found.is_ok(), "{found:?}");
        let failure = typed(&["dungeon", "map", "--theme", "wel", "--seed", "1"]).1.unwrap_err();
        assert_eq!(failure.exit_code(), 2);
        assert!(
            failure.to_string().starts_with("unknown theme or level type wel, expected one of "),
            "{failure}"
        );
        assert!(failure.to_string().contains(", upper catacombs, upper crypt, "), "{failure}");
        assert!(failure.to_string().ends_with(", did you mean `well`?"), "{failure}");
    }
}

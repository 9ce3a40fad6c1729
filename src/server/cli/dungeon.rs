//! `deepwell dungeon`: branches made without a server, as data, pictures, figures and proofs.
//! How branches grow is the business of `crate::dungeon`.

use super::{Failure, show};
use crate::base::Seed;
use crate::catalog::Catalog;
use crate::dungeon::stats::Stats;
use crate::dungeon::verify::verify;
use crate::dungeon::{BranchSpec, PlannedBranch, svg};
use crate::game::DungeonConfig;
use crate::server::config::{Config, nearest};
use crate::server::content;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What to show of branches.
#[derive(Subcommand, Clone, Debug)]
pub enum DungeonCommand {
    /// Prints each branch as JSON on a line of its own
    Dump(Branches),
    /// Draws each branch and lists its rooms
    Map {
        /// Which branch to draw.
        #[command(flatten)]
        branches: Branches,
        /// Draws the branch into an SVG file, too
        #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
        svg: Option<PathBuf>,
    },
    /// Prints figures of all branches together
    Stats {
        /// Which branches to count.
        #[command(flatten)]
        branches: Branches,
        /// Prints them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Proves the rules of growth for each branch; code 1 if one is broken
    Verify(Branches),
}

/// Which branches to make.
#[derive(Args, Clone, Debug)]
pub struct Branches {
    /// Name of a level type, or key of a theme
    #[arg(long, default_value = "well")]
    theme: String,
    /// Seed of the first branch
    #[arg(long)]
    seed: u64,
    /// How many rooms a random walk over the open exits makes, on each floor
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rooms: u32,
    /// How many floors: where there is one more, the walk goes on until it finds the stairs, and takes them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    floors: u32,
    /// How many branches: the seeds from the first one on
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// Makes the branch by these moves instead of a random walk: "e n n d s", or the list in the dump of a living branch
    #[arg(long, conflicts_with_all = ["rooms", "floors", "seeds"])]
    moves: Option<String>,
    /// Name of the layout of the first floor, if it is not the level type's own
    #[arg(long)]
    generator: Option<String>,
}

/// Makes the branches and shows them.
pub(super) fn dungeon(config: &Config, command: &DungeonCommand, out: &mut dyn Write) -> Result<(), Failure> {
    let catalog = content::load(&config.server)?;
    let maker = |branches| Maker::new(&catalog, &config.game.dungeon, branches);
    match command {
        DungeonCommand::Dump(branches) => {
            for branch in maker(branches)?.planned()? {
                show(out, &(json(&branch.dump())? + "\n"))?;
            }
            Ok(())
        }
        DungeonCommand::Map { branches, svg } => {
            for branch in maker(branches)?.planned()? {
                show(out, &branch.page())?;
                if let Some(file) = svg {
                    draw(&branch, file)?;
                }
            }
            Ok(())
        }
        DungeonCommand::Stats { branches, json: as_json } => {
            let mut stats = Stats::default();
            maker(branches)?.planned()?.for_each(|branch| stats.add(&branch));
            show(out, &if *as_json { json(&stats)? + "\n" } else { stats.to_string() })
        }
        DungeonCommand::Verify(branches) => prove(&maker(branches)?, out),
    }
}

/// Makes the branches that were asked for.
struct Maker<'a> {
    catalog: &'a Catalog,
    branches: &'a Branches,
    first: BranchSpec,
}

impl<'a> Maker<'a> {
    fn new(catalog: &'a Catalog, config: &DungeonConfig, branches: &'a Branches) -> Result<Self, Failure> {
        let name = branches.theme.as_str();
        let themes = catalog.levels.values().map(|level| level.theme.as_str());
        let known: BTreeSet<&str> = catalog.levels.keys().map(String::as_str).chain(themes).collect();
        if !known.contains(name) {
            let hint = nearest(name, known.iter().copied()).map(|key| format!(", did you mean `{key}`?"));
            let expected = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Failure::Usage(format!(
                "unknown theme or level type {name}, expected one of {expected}{}",
                hint.unwrap_or_default()
            )));
        }
        let mut first = BranchSpec::of(catalog, name, Seed(branches.seed));
        let settings = &mut first.settings;
        settings.max_unexplored_exits = config.max_unexplored_exits.unwrap_or(settings.max_unexplored_exits);
        settings.max_new_exits_per_room =
            config.max_new_exits_per_room.unwrap_or(settings.max_new_exits_per_room);
        settings.finishable = config.finishable.unwrap_or(settings.finishable);
        if let Some(generator) = &branches.generator {
            if catalog.layout(generator).is_none() {
                let known: Vec<&str> = catalog.layouts.keys().map(String::as_str).collect();
                let known = known.join(", ");
                return Err(Failure::Usage(format!(
                    "unknown generator {generator}, expected one of {known}"
                )));
            }
            first.generator.clone_from(generator);
        }
        Ok(Self { catalog, branches, first })
    }

    fn specs(&self) -> impl Iterator<Item = BranchSpec> {
        let spec =
            |number| BranchSpec { seed: Seed(self.branches.seed.wrapping_add(number)), ..self.first.clone() };
        (0..self.branches.seeds).map(spec)
    }

    fn planned(&self) -> Result<impl Iterator<Item = PlannedBranch>, Failure> {
        let Branches { moves, rooms, floors, .. } = self.branches;
        let replayed =
            moves.as_ref().map(|moves| PlannedBranch::replay(self.first.clone(), self.catalog, moves));
        let replayed = replayed.transpose().map_err(Failure::Usage)?;
        let walked = if replayed.is_some() { 0 } else { usize::MAX };
        let specs = self.specs().take(walked);
        let walk = |spec| PlannedBranch::walk_down(spec, self.catalog, *rooms, *floors);
        Ok(replayed.into_iter().chain(specs.map(walk)))
    }
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Io("the dump".into(), io::Error::from(error)))
}

fn draw(branch: &PlannedBranch, file: &Path) -> Result<(), Failure> {
    let title = format!("{} {}", branch.spec.theme, branch.spec.seed);
    let drawing = svg::drawing(&branch.all_map_rooms(), &title);
    fs::write(file, drawing).map_err(|error| Failure::Io(file.display().to_string(), error))
}

fn prove(maker: &Maker<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let mut broken = 0;
    for spec in maker.specs() {
        for violation in verify(&spec, maker.catalog, maker.branches.rooms, maker.branches.floors) {
            broken += 1;
            show(out, &format!("{violation}\n"))?;
        }
    }
    if broken > 0 {
        return Err(Failure::Found(broken));
    }
    let Branches { theme, seed, rooms, seeds, floors, .. } = maker.branches;
    let floors = if *floors == 1 { String::new() } else { format!(" on {floors} floors") };
    show(
        out,
        &format!(
            "theme {theme}, {seeds} seeds from {seed}, up to {rooms} rooms each{floors}: every rule holds\n"
        ),
    )
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
    fn the_same_seed_gives_the_same_bytes() {
        let one = shown(&["dump", "--seed", "7", "--rooms", "12"]);
        assert_eq!(one, shown(&["dump", "--theme", "well", "--seed", "7", "--rooms", "12"]));
        assert!(one.starts_with("{\"branch\":0,") && one.ends_with("}\n"), "{one}");
        let two = shown(&["dump", "--seed", "6", "--seeds", "2", "--rooms", "12"]);
        assert_eq!(two.lines().nth(1), one.lines().next(), "the second seed from 6 on is 7");
    }

    #[test]
    fn settings_win_over_the_theme() {
        let dump = shown(&["dump", "--seed", "7", "--set", "dungeon.max_unexplored_exits=5"]);
        assert!(dump.contains("\"max_unexplored_exits\":5,"), "{dump}");
        let dump = shown(&["dump", "--seed", "7"]);
        assert!(dump.contains("\"max_unexplored_exits\":2,"), "{dump}");
    }

    #[test]
    fn a_branch_is_drawn_counted_and_proved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("branch.svg");
        let page = shown(&["map", "--seed", "7", "--rooms", "9", "--svg", &file.display().to_string()]);
        assert!(page.starts_with("theme well, generator frontier, seed 7, 9 rooms; "), "{page}");
        assert!(fs::read_to_string(file).unwrap().starts_with("<svg "));
        assert!(shown(&["stats", "--seed", "7", "--rooms", "9", "--seeds", "3"]).starts_with("rooms: 27 "));
        let json = shown(&["stats", "--seed", "7", "--rooms", "9", "--seeds", "3", "--json"]);
        assert!(json.contains("\"rooms\":27,") && json.contains("\"loops\":0,"), "{json}");
        assert_eq!(
            shown(&["verify", "--seed", "1", "--seeds", "3", "--rooms", "40"]),
            "theme well, 3 seeds from 1, up to 40 rooms each: every rule holds\n"
        );
    }

    /// T1, T4: floors are grown by walking down the stairs.
    #[test]
    fn floors_are_grown_below_each_other() {
        let page = shown(&["map", "--seed", "7", "--rooms", "6", "--floors", "3"]);
        assert!(page.contains("Dungeon level 3:\n") && !page.contains("Dungeon level 4"), "{page}");
        assert_eq!(page.matches(": stairs down").count(), 2, "{page}");
        let dump = shown(&["dump", "--seed", "7", "--rooms", "6", "--floors", "3"]);
        assert_eq!(dump.matches("\"stairs\"").count(), 2, "{dump}");
        assert!(dump.contains("{\"floor\":3,"), "{dump}");
        assert!(shown(&["stats", "--seed", "7", "--floors", "3"]).contains("\nfloors: 3\nstairs down: "));
        assert_eq!(
            shown(&["verify", "--seed", "1", "--seeds", "3", "--rooms", "9", "--floors", "20"]),
            "theme well, 3 seeds from 1, up to 9 rooms each on 20 floors: every rule holds\n"
        );
    }

    #[test]
    fn a_theme_that_does_not_exist_is_wrong_usage() {
        let failure = typed(&["dungeon", "map", "--theme", "wel", "--seed", "1"]).1.unwrap_err();
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().starts_with("unknown theme wel, expected one of "), "{failure}");
        assert!(failure.to_string().ends_with(", did you mean `well`?"), "{failure}");
    }
}

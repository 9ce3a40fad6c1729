//! The seed catalogue: pictures of branches that a person can check, the same in every release.
//!
//! With `UPDATE_SEEDS=1` in the environment the files of `tests/data/seeds` are rewritten with what the generator makes
//! now. Read the difference before you keep it: every seed that somebody plays or wrote down changes with it.

use crate::table::CATALOG;
use deepwell::base::Seed;
use deepwell::dungeon::{BranchSpec, GrowSettings, PlannedBranch};
use std::path::Path;

/// One file of the catalogue.
struct Case {
    file: &'static str,
    seed: u64,
    generator: &'static str,
    settings: GrowSettings,
    rooms: u32,
    floors: u32,
}

fn cases() -> Vec<Case> {
    let narrow = GrowSettings::default();
    let sprawl = GrowSettings { max_unexplored_exits: 8, max_new_exits_per_room: 3, finishable: false };
    let case =
        |file, seed, generator, settings| Case { file, seed, generator, settings, rooms: 40, floors: 1 };
    vec![
        case("well-1.txt", 1, "frontier", narrow),
        case("well-2.txt", 2, "frontier", narrow),
        case("well-3-corridor.txt", 3, "corridor", narrow),
        case("well-4-sprawl.txt", 4, "frontier", sprawl),
        Case { rooms: 12, floors: 3, ..case("well-5-floors.txt", 5, "frontier", narrow) },
    ]
}

/// C3, E11 to E21, T1: what the generator makes of a seed stands written, room by room.
#[test]
fn the_seed_catalogue_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seeds");
    let mut changed = Vec::new();
    for case in cases() {
        let spec = BranchSpec::of(&CATALOG, "well", Seed(case.seed));
        let spec = BranchSpec { generator: case.generator.to_owned(), settings: case.settings, ..spec };
        let page = PlannedBranch::walk_down(spec, &CATALOG, case.rooms, case.floors).page();
        let file = folder.join(case.file);
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        if written != page {
            if std::env::var_os("UPDATE_SEEDS").is_some() {
                std::fs::write(&file, &page).expect("a writable file");
            }
            changed.push(format!("{} gives\n{page}", case.file));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

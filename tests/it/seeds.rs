//! The seed catalogue: maps of branches and puzzles for review, stable across releases, and the drawings of
//! docs/play/gallery.md.
//!
//! A change of a file in `tests/data/seeds` changes every seed in use, including those that players have noted.

use crate::generated;
use crate::table::CATALOG;
use deepwell::base::Seed;
use deepwell::dungeon::map::{MapRoom, legend};
use deepwell::dungeon::{BranchSpec, GrowSettings};
use deepwell::puzzle;
use deepwell::tools::branch::PlannedBranch;
use deepwell::tools::page::marks;
use deepwell::tools::{puzzle_map, svg};
use std::path::Path;

/// File of the catalogue.
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
    let sprawl = GrowSettings {
        max_unexplored_exits: 8,
        max_new_exits_per_room: 3,
        finishable: false,
        diagonals: false,
    };
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

/// Generator output for each seed, room by room.
#[test]
fn c3_e11_e21_t1_seed_catalogue_is_unchanged() {
    let mut files = Vec::new();
    for case in cases() {
        let spec = BranchSpec::of(&CATALOG, "well", Seed(case.seed));
        let spec = BranchSpec { generator: case.generator.to_owned(), settings: case.settings, ..spec };
        let page = PlannedBranch::walk(spec, &CATALOG, case.rooms, case.floors).page();
        files.push((case.file.to_owned(), page));
    }
    compare("tests/data/seeds", &files);
}

/// Two floors of each level type, whole floors to their last room.
#[test]
fn c3_p3_r14_level_type_catalogue_is_unchanged() {
    let files: Vec<_> = CATALOG
        .level_types
        .values()
        .map(|level| (format!("level-{}.txt", plain(&level.name)), sample(&level.name, 2).page()))
        .collect();
    compare("tests/data/seeds", &files);
}

/// A layout of each puzzle with its solution.
#[test]
fn h5_h6_puzzle_catalogue_is_unchanged() {
    let files: Vec<_> = puzzles()
        .into_iter()
        .map(|entry| (format!("puzzle-{}.txt", entry.puzzle.name()), puzzle_map::page(entry, PUZZLE_SEED)))
        .collect();
    compare("tests/data/seeds", &files);
}

/// The drawings match the generator, and docs/play/gallery.md links each.
#[test]
fn gallery_matches_generator_output() {
    let mut files = Vec::new();
    for level in CATALOG.level_types.values() {
        let title = format!("{}, seed {}", level.name, LEVEL_SEED);
        let drawing = drawing(&sample(&level.name, 1).all_map_rooms(), &title, &marks());
        files.push((format!("level-{}.svg", plain(&level.name)), drawing));
    }
    for entry in puzzles() {
        let title = format!("{}, seed {}", entry.puzzle.name(), PUZZLE_SEED);
        let board = puzzle::draw(entry, PUZZLE_SEED).board;
        let drawing = drawing(&puzzle_map::map_rooms(&board), &title, puzzle_map::MARKS);
        files.push((format!("puzzle-{}.svg", entry.puzzle.name()), drawing));
    }
    compare("docs/pictures/gallery", &files);
    let page = std::fs::read_to_string(root().join("docs/play/gallery.md")).unwrap_or_default();
    for (file, _) in &files {
        assert!(
            page.contains(&format!("(../pictures/gallery/{file})")),
            "docs/play/gallery.md does not show {file}"
        );
    }
}

const LEVEL_SEED: Seed = Seed(7);
const PUZZLE_SEED: Seed = Seed(7);

/// Plans a branch of a level type: whole floors completely, growing ones up to 40 rooms.
fn sample(level: &str, floors: u32) -> PlannedBranch {
    let whole = CATALOG.level_types[level].layout.is_none();
    let spec = BranchSpec::of(&CATALOG, level, LEVEL_SEED);
    PlannedBranch::walk(spec, &CATALOG, if whole { 200 } else { 40 }, floors)
}

/// Returns each puzzle with its settings in the first theme, alphabetically, that lists it.
fn puzzles() -> Vec<&'static puzzle::PuzzleEntry> {
    let listed = |name| {
        let mut entries = CATALOG.themes.values().flat_map(|theme| &theme.puzzles);
        entries.find(|entry| entry.puzzle.name() == name).expect("some theme lists each puzzle")
    };
    CATALOG.puzzles.names().map(listed).collect()
}

fn drawing(rooms: &[MapRoom], title: &str, marks: &[(char, &str)]) -> String {
    svg::drawing(rooms, title, &legend(rooms, marks))
}

fn plain(name: &str) -> String {
    name.replace(' ', "-")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares files with their expected text.
fn compare(folder: &str, files: &[(String, String)]) {
    let changed =
        files.iter().filter(|(name, text)| !generated::is_up_to_date(&format!("{folder}/{name}"), text));
    let changed: Vec<String> = changed.map(|(name, text)| format!("{name} gives\n{text}")).collect();
    assert!(changed.is_empty(), "{}:\n{}", generated::HOW, changed.join("\n"));
}

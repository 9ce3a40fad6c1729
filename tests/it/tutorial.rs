//! Follows docs/build/puzzles.md: its puzzle is compiled here, its theme entry is parsed, and the result is played. The
//! reference of the page must be complete.

use crate::lamps::Lamps;
use deepwell::base::{Direction, Seed};
use deepwell::catalog::{BUILTIN, Catalog, Registries};
use deepwell::data::Reader;
use deepwell::puzzle::{
    Event, Feature, Goal, Mechanism, ParamValue, PuzzleConfig, PuzzleEntry, Registry, draw, enter, passable,
    proves, start, take,
};
use std::sync::Arc;

const PAGE: &str = include_str!("../../docs/build/puzzles.md");

/// Returns the code blocks of a language in the page.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}");
    let blocks = PAGE.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    // The info string also names the file.
    blocks.filter_map(|block| Some(block.split_once('\n')?.1.to_owned())).collect()
}

fn with_lamps() -> Registry {
    let mut registry = Registry::builtin();
    registry.register(Arc::new(Lamps));
    registry
}

/// The code in the page equals the file compiled here.
#[test]
fn h1_page_code_equals_compiled_file() {
    let code = include_str!("lamps.rs");
    assert!(
        blocks("rust").iter().any(|block| block == code),
        "docs/build/puzzles.md does not have tests/it/lamps.rs"
    );
}

/// The theme entry in the page parses with the page's puzzle registered.
#[test]
fn h1_h2_h19_page_theme_entry_is_parsed() {
    let line =
        blocks("toml").into_iter().find(|block| block.contains("\"lamps\"")).expect("a line for a theme");
    let mut mistakes = Vec::new();
    let mut reader = Reader::parse("themes/example.toml", &line, &mut mistakes).expect("toml");
    let entries = reader.tables("puzzles", |table| PuzzleEntry::read(table, &with_lamps()));
    reader.finish();
    assert_eq!(mistakes, []);
    let entry = entries.into_iter().flatten().next().expect("an entry");
    assert_eq!((entry.puzzle.name(), entry.config.number("lamps")), ("lamps", 4));
    assert_eq!(draw(&entry, Seed(7)).plain, None);
}

/// Returns the shipped files with one changed.
fn files(path: &str, change: impl Fn(&str) -> String) -> Vec<(&'static str, String)> {
    let text = |own: &str, text: &str| if own == path { change(text) } else { text.to_owned() };
    BUILTIN.iter().map(|(own, shipped)| (*own, text(own, shipped))).collect()
}

/// A theme with the page's puzzle loads if the puzzle is registered; otherwise the error names the nearest puzzle.
#[test]
fn h1_h19_theme_with_page_puzzle_loads_if_registered() {
    let line =
        blocks("toml").into_iter().find(|block| block.contains("\"lamps\"")).expect("a line for a theme");
    let listed = files("themes/well.toml", |well| format!("{well}\n{line}"));
    let registries = Registries { puzzles: with_lamps(), ..Registries::builtin() };
    let catalog = Catalog::load_with(&listed, &registries).expect("no mistakes");
    let is_lamps = |entry: &&PuzzleEntry| entry.puzzle.name() == "lamps";
    let well = &catalog.themes["well"];
    assert_eq!(well.puzzles.iter().find(is_lamps).expect("it is listed").config.number("lamps"), 4);
    let mistakes = Catalog::load_with(&listed, &Registries::builtin()).expect_err("nobody knows lamps");
    let message = mistakes[0].to_string();
    assert!(
        message.starts_with("themes/well.toml:") && message.contains("unknown puzzle `lamps`"),
        "{message}"
    );
    let slip = files("themes/well.toml", |well| format!("{well}\n{}", line.replace("lamps\"", "lamp\"")));
    let message = Catalog::load_with(&slip, &registries).expect_err("a slip")[0].to_string();
    assert!(message.ends_with("did you mean `lamps`?"), "{message}");
}

/// Riddles are content: they can be replaced, and errors have a place.
#[test]
fn riddles_are_loaded_from_content() {
    let one = "[[riddles]]\nasks = \"Who is it?\"\nanswers = [\"nobody\"]\nclues = [\"One.\", \"Two.\", \"Three.\"]\n";
    let catalog = Catalog::load(&files("puzzles/riddles.toml", |_| one.to_owned())).expect("no mistakes");
    let riddle = catalog.puzzles.find("riddle").expect("it ships");
    let board = draw(&PuzzleEntry::new(Arc::clone(&riddle), PuzzleConfig::of(&*riddle)), Seed(1)).board;
    let mut asked = board.cells.iter().flat_map(|cell| &cell.mechanisms);
    assert!(asked.any(|one| matches!(one, Mechanism::Riddle { asks, .. } if asks == "Who is it?")));
    let broken_files = files("puzzles/riddles.toml", |_| one.replace("asks", "ask"));
    let message = Catalog::load(&broken_files).expect_err("a mistake")[0].to_string();
    assert!(message.starts_with("puzzles/riddles.toml:"), "{message}");
}

/// The registered puzzle is generated, solvable, and the same for the same seed.
#[test]
fn h1_h5_h17_page_puzzle_is_solvable_and_deterministic() {
    let puzzle = with_lamps().find("lamps").expect("it is registered");
    for lamps in 2..=5 {
        let config = PuzzleConfig::of(&*puzzle).with("lamps", ParamValue::Number(lamps));
        let entry = PuzzleEntry::new(Arc::clone(&puzzle), config);
        for seed in 0..250 {
            let drawn = draw(&entry, Seed(seed));
            assert_eq!(drawn.plain, None, "seed {seed}");
            assert!(drawn.solution.len() >= 4 && proves(&drawn.board, 1, &drawn.solution), "seed {seed}");
            assert!(seed > 20 || draw(&entry, Seed(seed)) == drawn);
        }
    }
}

/// Played step by step, the door is shut until all lamps burn; behind it the puzzle ends.
#[test]
fn h4_h16_page_puzzle_is_played_to_its_end() {
    let entry = PuzzleEntry::new(Arc::new(Lamps), PuzzleConfig::of(&Lamps));
    let drawn = draw(&entry, Seed(3));
    let board = &drawn.board;
    let mut state = start(board);
    enter(board, &mut state, board.entrance);
    let last =
        board.ids().find(|(_, cell)| cell.exits.values().any(|p| p.to.0 == 3)).expect("the last room").0;
    let door = Direction::East;
    let refusal = passable(board, &state, last, door).expect_err("it is dark").sentence(board);
    assert_eq!(refusal, "The glass door is shut. It will not open in the dark.");
    let mut events = Vec::new();
    for step in &drawn.solution {
        events.extend(take(board, &mut state, step).expect("each step can be done"));
    }
    let position = |wanted: &Event| events.iter().position(|event| event == wanted);
    assert!(position(&Event::GoalMet) < position(&Event::Finished) && state.finished, "{events:?}");
    assert!(passable(board, &state, last, door).is_ok());
}

/// The page names every shipped puzzle with its parameters, every feature, goal and mechanism, and the commands.
#[test]
fn h3_h4_h20_page_reference_is_complete() {
    let mut missing: Vec<String> = Vec::new();
    let mut wants = |what: String| {
        if !PAGE.contains(&what) {
            missing.push(what);
        }
    };
    for puzzle in Catalog::builtin().puzzles.all() {
        wants(format!("### `{}`", puzzle.name()));
        let params = puzzle.description().params.iter();
        params.for_each(|param| wants(format!("| `{}` |", param.name)));
    }
    for (_, feature) in Feature::NAMES {
        wants(format!("| {} |", feature.name()));
    }
    for goal in [Goal::KillAll, Goal::Solve, Goal::ReachFinish] {
        wants(format!("`{}`", goal.name()));
    }
    let mechanisms = [
        "Enemy", "PowerUp", "Portal", "Finish", "Lever", "Chest", "Guard", "Hidden", "Riddle", "Plate",
        "Weight", "Device",
    ];
    for name in mechanisms {
        wants(format!("| `{name}` |"));
    }
    for command in ["puzzle list", "puzzle info", "puzzle test"] {
        wants(command.to_owned());
    }
    assert!(missing.is_empty(), "docs/build/puzzles.md does not name {missing:?}");
}

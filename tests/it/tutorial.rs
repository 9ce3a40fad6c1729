//! Follows docs/puzzles.md: the puzzle that it teaches is the one compiled here, its line of a theme is read, and what comes
//! of it is played. The reference of the page names whatever can be named.

use crate::lamps::Lamps;
use deepwell::base::Seed;
use deepwell::data::Reader;
use deepwell::puzzle::{
    Entry, Event, Feature, Goal, Registry, Value, draw, enter, passable, proves, start, take,
};
use std::sync::Arc;

const PAGE: &str = include_str!("../../docs/puzzles.md");

/// The blocks of a language in the page.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    PAGE.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

fn with_lamps() -> Registry {
    let mut registry = Registry::builtin();
    registry.register(Arc::new(Lamps));
    registry
}

/// H1: the code in the page is the very file that is compiled here.
#[test]
fn the_code_of_the_page_is_compiled() {
    let code = include_str!("lamps.rs");
    assert!(
        blocks("rust").iter().any(|block| block == code),
        "docs/puzzles.md does not have tests/it/lamps.rs"
    );
}

/// H1, H2, H19: the line of a theme in the page is read, with the puzzle that the page made.
#[test]
fn the_line_of_the_page_is_read() {
    let line =
        blocks("toml").into_iter().find(|block| block.contains("\"lamps\"")).expect("a line for a theme");
    let mut mistakes = Vec::new();
    let mut reader = Reader::parse("themes/example.toml", &line, &mut mistakes).expect("toml");
    let entries = reader.tables("puzzles", |table| Entry::read(table, &with_lamps()));
    reader.finish();
    assert_eq!(mistakes, []);
    let entry = entries.into_iter().flatten().next().expect("an entry");
    assert_eq!((entry.puzzle.name(), entry.config.number("lamps")), ("lamps", 4));
    assert_eq!(draw(&entry, Seed(7)).plain, None);
}

/// H1, H5, H17: registered, it is generated, solvable and the same for the same seed.
#[test]
fn the_puzzle_of_the_page_is_proved() {
    let puzzle = with_lamps().find("lamps").expect("it is registered");
    for lamps in 2..=5 {
        let config = deepwell::puzzle::Config::of(&*puzzle).with("lamps", Value::Number(lamps));
        let entry = Entry::new(Arc::clone(&puzzle), config);
        for seed in 0..250 {
            let drawn = draw(&entry, Seed(seed));
            assert_eq!(drawn.plain, None, "seed {seed}");
            assert!(drawn.solution.len() >= 4 && proves(&drawn.layout, 1, &drawn.solution), "seed {seed}");
            assert!(seed > 20 || draw(&entry, Seed(seed)) == drawn);
        }
    }
}

/// H4, H16: played step by step, the door is shut until all lamps burn, and behind it the puzzle ends.
#[test]
fn the_puzzle_of_the_page_is_played() {
    let entry = Entry::new(Arc::new(Lamps), deepwell::puzzle::Config::of(&Lamps));
    let drawn = draw(&entry, Seed(3));
    let layout = &drawn.layout;
    let mut state = start(layout);
    enter(layout, &mut state, layout.entrance);
    let last =
        layout.ids().find(|(_, cell)| cell.exits.values().any(|p| p.to.0 == 3)).expect("the last room").0;
    let door = deepwell::base::Direction::East;
    let refusal = passable(layout, &state, last, door).expect_err("it is dark").sentence(layout);
    assert_eq!(refusal, "The glass door is shut. It will not open in the dark.");
    let mut events = Vec::new();
    for step in &drawn.solution {
        events.extend(take(layout, &mut state, step).expect("each step can be done"));
    }
    let told = |wanted: &Event| events.iter().position(|event| event == wanted);
    assert!(told(&Event::GoalMet) < told(&Event::Finished) && state.finished, "{events:?}");
    assert!(passable(layout, &state, last, door).is_ok());
}

/// H3, H4, H20: the page names every puzzle that ships with all that can be set, every feature, goal and mechanism, and the
/// commands.
#[test]
fn the_reference_names_everything() {
    let mut missing: Vec<String> = Vec::new();
    let mut wants = |what: String| {
        if !PAGE.contains(&what) {
            missing.push(what);
        }
    };
    for puzzle in Registry::builtin().all() {
        wants(format!("### `{}`", puzzle.name()));
        let params = puzzle.params().iter();
        params.for_each(|param| wants(format!("| `{}` |", param.name)));
    }
    Feature::ALL.iter().for_each(|feature| wants(format!("| {} |", feature.name())));
    [Goal::KillAll, Goal::Solve, Goal::ReachFinish]
        .iter()
        .for_each(|goal| wants(format!("`{}`", goal.name())));
    let mechanisms = [
        "Enemy", "PowerUp", "Portal", "Finish", "Lever", "Chest", "Guard", "Hidden", "Riddle", "Plate",
        "Weight",
    ];
    mechanisms.into_iter().for_each(|name| wants(format!("| `{name}` |")));
    ["puzzle list", "puzzle info", "puzzle test"].into_iter().for_each(|command| wants(command.to_owned()));
    assert!(missing.is_empty(), "docs/puzzles.md does not name {missing:?}");
}

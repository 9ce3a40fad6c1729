//! Data-defined puzzles: the folder of docs/build/puzzles.md loads and plays, errors have a place and the nearest name, and
//! shipped ones are met in play.

use crate::explorer::opens_another_room;
use crate::table::{Table, changed_content, seeded};
use deepwell::base::Seed;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::game::Package;
use deepwell::puzzle::verify;

const PAGE: &str = include_str!("../../docs/build/puzzles.md");

const PATH: &str = "puzzles/sluice/puzzle.toml";

/// Returns the puzzle file in the page.
fn sluice() -> &'static str {
    let (_, rest) = PAGE.split_once("```toml content/puzzles/sluice/puzzle.toml\n").expect("the file");
    rest.split_once("```").expect("its end").0
}

/// Returns the first error of the content with one replacement in the page's file.
fn mistake(from: &str, to: &str) -> String {
    assert!(sluice().contains(from), "`{from}` is not in the page");
    let text = sluice().replacen(from, to, 1);
    let files: Vec<(&str, &str)> = BUILTIN.iter().copied().chain([(PATH, text.as_str())]).collect();
    Catalog::load(&files).expect_err("a mistake")[0].to_string()
}

/// The folder of the page is sufficient: the caves list the puzzle, and every seed is solvable.
#[test]
fn h1_h6_h17_puzzle_folder_is_sufficient() {
    let catalog = changed_content(&[(PATH, sluice())]);
    let entry = catalog.themes["caves"].puzzles.iter().find(|entry| entry.puzzle.name() == "sluice");
    let entry = entry.expect("nothing else has to name it");
    assert_eq!((entry.weight, entry.difficulty.0, entry.config.sound.is_some()), (2, 1, true), "H19");
    for seed in 0..20 {
        let proof = verify(entry, Seed(seed));
        assert_eq!((proof.defects, proof.plain), (Vec::new(), None), "seed {seed}");
    }
}

/// Errors in the page's file have a place and a suggestion.
#[test]
fn h1_puzzle_errors_have_place_and_suggestion() {
    let messages = [
        mistake("go = \"east\"\nto = \"bed\"", "go = \"east\"\nto = \"bad\""),
        mistake("verb = \"pull\"", "verb = \"pul\""),
        mistake("when = { rod = \"out\" }", "when = { rood = \"out\" }"),
        mistake("then = { rod = \"out\" }", "then = { rod = \"aut\" }"),
        mistake("\"pull iron rod\"", "\"pull iron rot\""),
        mistake("theme = \"caves\"", "theme = \"cave\""),
        mistake("idle =", "idel ="),
    ];
    let ends = ["`bed`?", "`pull`?", "`rod`?", "`out`?", "`pull iron rod`?", "`caves`?", "`idle`?"];
    for (message, end) in messages.iter().zip(ends) {
        assert!(message.starts_with(PATH) && message.ends_with(&format!("did you mean {end}")), "{message}");
    }
    assert!(
        messages[4].contains("the solution does not work: `pull iron rot` cannot be done then"),
        "{}",
        messages[4]
    );
    let shut = mistake("\"turn iron wheel to drain\", ", "");
    assert!(shut.contains("`east` cannot be done then"), "{shut}");
    let long = mistake("The rod comes out with a scrape.", &"ho ".repeat(300));
    assert!(long.contains("a text of 900 characters, expected at most 800"), "{long}");
}

/// The page's puzzle plays: premature actions, messages, counted mistakes, hints and sounds.
#[test]
fn h19_page_puzzle_is_played() {
    let mut table = Table::with_content(seeded(3), &changed_content(&[(PATH, sluice())]));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "puzzle test sluice");
    let read = table.types("Olad", "in");
    assert!(read.contains("An iron rod is stuck through the spokes"), "{read}");
    assert!(table.types("Olad", "east").contains("full of brown water"));
    assert!(table.types("Olad", "turn wheel").contains("Say it in full: turn iron wheel to drain or flood."));
    assert!(table.types("Olad", "turn the wheel to drain").contains("the rod in its spokes holds it"));
    assert!(table.types("Olad", "hint").contains("something through their spokes"));
    assert!(table.types("Olad", "hint").contains("two words"));
    assert!(table.types("Olad", "look wheel").contains("What one can do to it: turn."));
    assert!(table.types("Olad", "ring wheel").contains("nothing like that here"));
    let read = table.types("Olad", "turn wheel to flood");
    assert!(read.contains("Two more mistakes, and all is lost."), "{read}");
    let read = table.types("Olad", "pull rod");
    assert!(read.contains("You pull the iron rod.") && read.contains("with a scrape"), "{read}");
    assert!(table.types("Olad", "look").contains("An iron rod lies on the bricks."));
    table.types_all("Olad", &["out", "in"]);
    assert!(table.types("Olad", "look").contains("stuck through the spokes"), "left, it begins again");
    table.types("Olad", "config sound on");
    table.wants("Olad", [Package::Media]);
    table.types_all("Olad", &["pull rod", "turn wheel to drain"]);
    let played = table.news("Olad", "Client.Media.Play");
    assert_eq!(played[0]["name"], "puzzles/sluice/02_a_wheel_turns.ogg");
    assert!(table.types("Olad", "east").contains("The puzzle is solved."));
}

#[test]
fn h18_too_many_counted_mistakes_are_a_loss() {
    let mut table = Table::with_content(seeded(3), &changed_content(&[(PATH, sluice())]));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["puzzle test sluice", "in", "pull rod"]);
    table.types_all("Olad", &["turn wheel to flood", "turn wheel to flood"]);
    let read = table.types("Olad", "turn wheel to flood");
    assert!(read.contains("one mistake too many") && read.contains("at the entrance"), "{read}");
    assert!(table.types("Olad", "look").contains("stuck through the spokes"));
    assert!(table.types("Olad", "goal").contains("lost once"));
}

/// A player at the gate of the orrery puzzle in the shipped woods, below the cistern.
fn before_the_orrery() -> Table {
    let catalog = changed_content(&[]);
    for seed in 0..200 {
        let mut table = Table::new(seeded(seed));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["south", "down", "north"]);
        for _ in 0..40 {
            let number = table.room("Olad").challenge.puzzle();
            let theme = &catalog.themes["forest"];
            let entry = number.and_then(|number| theme.puzzles.get(number as usize));
            if entry.is_some_and(|entry| entry.puzzle.name() == "orrery") {
                return table;
            }
            if !opens_another_room(&mut table, "Olad") {
                break;
            }
        }
    }
    panic!("no wood has an orrery");
}

/// Returns the text between two others.
fn between<'a>(text: &'a str, before: &str, behind: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{text}"));
    rest.split_once(behind).expect("its end").0
}

/// A player finds the orrery puzzle in a branch, makes a mistake, then solves it.
#[test]
fn h1_h19_shipped_orrery_is_solved_in_a_branch() {
    let mut table = before_the_orrery();
    let gate = table.body("Olad").room;
    table.begins_quest("Olad", "a_bolt_slides");
    let read = table.types("Olad", "in");
    assert!(read.contains("Set the orrery") && read.contains("You hear something: clockwork."), "{read}");
    let seen = table.types("Olad", "look fresco");
    let sky = between(&seen, "Over her stands the ", ",").to_owned();
    let name = between(&seen, "signed: '", ",").to_owned();
    assert!(table.types("Olad", "north").contains("outermost hoop"));
    assert!(table.types("Olad", "press stud").contains("springs back"));
    let other_sign = ["sun", "moon"].into_iter().find(|sign| *sign != sky).expect("another sign");
    table.types_all("Olad", &[&format!("turn dial to {other_sign}"), "east", "open case", "west"]);
    assert!(table.types("Olad", "use lens on the dial").contains("drops into the empty ring"));
    assert!(table.types("Olad", "push stud").contains("Everything in here is as it was at first."));
    table.types_all(
        "Olad",
        &[&format!("turn dial to {sky}"), "east", "open case", "west", "use lens on dial"],
    );
    let read = table.types("Olad", "press stud");
    assert!(read.contains("You hear something: the hoops turn."), "{read}");
    table.types("Olad", "north");
    assert!(table.types("Olad", "answer Bob").contains("That is not the answer."));
    assert!(table.types("Olad", &format!("say {name}")).contains("folds up like a fan"));
    let read = table.types("Olad", "north");
    assert!(
        read.contains("The puzzle is solved.") && read.contains("The quest A bolt slides is done."),
        "{read}"
    );
    assert!(table.world().rooms[gate].clear);
}

//! Verbs of commands that a room answers where the command finds nothing to act on.

use crate::workshop::Workshop;
use deepwell::game::command::{free_verbs, names};

/// Each free verb, alone and with words behind it, runs the trigger of a bare room.
#[test]
fn each_free_verb_runs_the_trigger_of_a_bare_room() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["dig Bare Cell = hatch, out", "hatch"]);
    let mut silent = Vec::new();
    for verb in free_verbs() {
        let answer = table.types("Olad", &format!("trigger command {verb} = tell The rope gives."));
        assert!(answer.contains("It is set: "), "{verb}: {answer}");
        for line in [verb.to_owned(), format!("{verb} the bell rope")] {
            let answer = table.types("Olad", &line);
            if !answer.contains("The rope gives.") {
                silent.push(format!("{line}: {answer}"));
            }
        }
        table.types("Olad", &format!("trigger command {verb} = none"));
    }
    assert_eq!(silent, Vec::<String>::new());
}

/// A word that is a command of another kind is refused, with the list of free verbs.
#[test]
fn other_commands_are_no_commands_of_a_room() {
    let mut shop = Workshop::open();
    let free: Vec<&str> = free_verbs().collect();
    for word in names().filter(|word| !free.contains(word) && word.chars().all(char::is_alphabetic)) {
        let answer = shop.table.types("Olad", &format!("trigger command {word} = tell No."));
        assert!(answer.contains("means something everywhere") && answer.contains("pull"), "{word}: {answer}");
    }
}

/// The command acts on what it finds, and refuses what it finds and cannot act on.
#[test]
fn command_that_finds_something_keeps_its_meaning() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &[
            "dig Bare Cell = hatch, out",
            "hatch",
            "trigger command drink;eat;use = tell The well answers.",
            "trigger command enter;climb = tell The wall is smooth.",
            "trigger command light = tell The wick is wet.",
            "spawn rye_loaf",
            "get loaf",
            "spawn club",
            "get club",
            "spawn clay_lamp",
            "get lamp",
        ],
    );
    for (line, is_answered) in [
        ("drink water", true),
        ("eat loaf", false),
        ("use club", false),
        ("climb wall", true),
        ("light candle", true),
        ("light lamp", false),
        ("light lamp", false),
        ("climb out", false),
    ] {
        let reply = table.types("Olad", line);
        let answers = ["The well answers.", "The wall is smooth.", "The wick is wet."];
        assert_eq!(answers.iter().any(|answer| reply.contains(answer)), is_answered, "{line}: {reply}");
    }
    assert!(!table.types("Olad", "drink water").contains("answers"), "the trigger is of the cell");
}

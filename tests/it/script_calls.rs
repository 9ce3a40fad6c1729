//! Scripts called by triggers: a talking door, a trap with state, a shopkeeper's secret; failing scripts do no harm.

use crate::table::{Table, changed_content, seeded};
use deepwell::base::Span;
use deepwell::script::Value;

/// Message to the player when a script fails.
const STUCK: &str = "Something here begins to move, catches, and stays as it was.";

/// Olad (owner) in a cellar with a door in the north.
fn cellar(scripts: &[(&str, &str)]) -> Table {
    let mut table = Table::with_content(seeded(5), &changed_content(scripts));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all(
        "Olad",
        &["north", "dig cellar = down,up", "down", "dig vault = north,south", "set north door = oak door"],
    );
    table.hears("Olad");
    table
}

/// State of a script is stored in the room, in the same batch as the messages it caused.
#[test]
fn r21_script_state_is_stored_in_the_room() {
    let mut table = cellar(&[]);
    let set = table.types("Olad", "trigger leave = call dart_trap walk");
    assert!(set.contains("It is set: trigger leave, one line."), "{set}");
    table.types("Olad", "open north");
    assert!(table.types("Olad", "north").contains("A dart flies out of the wall behind you."));
    table.types("Olad", "south");
    table.restart();
    assert!(table.types("Olad", "north").contains("2 darts fly out of the wall behind you."));
    table.types("Olad", "south");
    table.crash();
    table.comes_back("Olad");
    assert!(table.types("Olad", "north").contains("3 darts fly"), "what was told is known after a crash");
    table.types("Olad", "south");
    assert!(table.types("Olad", "north").contains("clicks behind you, dry and empty"));
    let hurt = table.body("Olad").max_hp - table.body("Olad").hp;
    assert!((1..=6).contains(&hurt), "{hurt}");
}

/// A script returns script lines as builders write them: a door opens, and an item changes hands.
#[test]
fn r21_script_lines_open_a_door_and_give_an_item() {
    let mut table = cellar(&[]);
    table.types(
        "Olad",
        "trigger say one;two;three;four;five;six;seven;eight;nine;ten = call talking_door answer",
    );
    table.types("Olad", "trigger say well;rope;weather;secret = call shopkeeper talk");
    let asked = table.types("Olad", "say one");
    let numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let (_, row) = asked.split_once("The door mumbles: \"").expect("it asks");
    let positions: Vec<usize> = row
        .split(", ")
        .take(2)
        .map(|word| numbers.iter().position(|number| *number == word).expect("a number"))
        .collect();
    let next = numbers[2 * positions[1] - positions[0]];
    table.restart();
    let passed = table.types("Olad", &format!("say {next}"));
    assert!(passed.contains("\"Then you may pass.\""), "{asked} {next} {passed}");
    assert!(table.types("Olad", "north").contains("vault"));
    table.types("Olad", "south");
    for phrase in ["the well", "a rope", "weather", "a secret"] {
        table.types("Olad", &format!("say {phrase}"));
    }
    let carried = table.types("Olad", "inventory");
    assert!(carried.contains("brass ring"), "{carried}");
    assert!(table.room("Olad").script_states.is_empty(), "{:?}", table.room("Olad").script_states);
}

const BROKEN: &str = "local M = {}
function M.loops() while true do end end
function M.lies() return { \"tell You see a light.\", \"grow wings\" } end
function M.calls() return { \"call broken loops\" } end
function M.hoards() return { state = { a = string.rep(\"x\", 790), b = string.rep(\"y\", 790), c = string.rep(\"z\", 790) } } end
function M.helps(event) return { lines = { `tell You hear {event.words}.` }, state = { words = event.words } } end
return M
";

/// A script that fails or exceeds a limit changes nothing. The rest of the trigger runs, the player reads a message,
/// and the log has file and line, at most once a minute.
#[test]
fn a8_d5_failing_script_changes_nothing_and_is_logged() {
    let mut table = cellar(&[("scripts/broken.luau", BROKEN)]);
    let failures = [
        ("loops", "scripts/broken.luau:2:1: the script takes more steps than it may"),
        (
            "lies",
            "scripts/broken.luau:3:1: what the script gives back cannot be used: line 2, column 1: unknown verb `grow`",
        ),
        (
            "calls",
            "scripts/broken.luau:4:1: what the script gives back cannot be used: neither `call` nor `once`",
        ),
        ("hoards", "scripts/broken.luau:5:1: what the script gives back cannot be used: a state of "),
    ];
    for (function, wanted) in failures {
        table
            .types("Olad", &format!("trigger say now as say = call broken {function}; tell And on it goes."));
        let before = table.warnings().len();
        for _ in 0..3 {
            let read = table.types("Olad", "say now");
            assert!(
                read.contains(STUCK) && read.contains("And on it goes.") && !read.contains("a light"),
                "{read}"
            );
        }
        let warnings = &table.warnings()[before..];
        assert_eq!(warnings.len(), 1, "{function}: {warnings:?}");
        assert!(warnings[0].starts_with(wanted), "{}", warnings[0]);
        assert!(table.room("Olad").script_states.is_empty(), "{function}");
        table.waits(Span::secs(61));
    }
    table.types("Olad", "trigger say now = call broken helps");
    assert!(table.types("Olad", "say now, then").contains("You hear now, then."));
    let state = Value::table([("words", Value::text("now, then"))]);
    assert_eq!(table.room("Olad").script_states.get("broken"), Some(&state));
}

/// The player reads a general message; builders in the room or of its zone read file and line.
#[test]
fn script_failure_place_is_shown_to_builders_only() {
    let mut table = cellar(&[("scripts/broken.luau", BROKEN)]);
    for name in ["Bera", "Gesa", "Dara"] {
        table.sit(name);
    }
    for name in ["bera", "gesa"] {
        table.types("Olad", &format!("promote {name} builder"));
    }
    table.types_all("Olad", &["zone set works", "trigger say now = call broken loops"]);
    table.types_all("Dara", &["north", "down"]);
    table.types_all("Gesa", &["north", "down"]);
    for name in ["Olad", "Bera", "Gesa"] {
        table.hears(name);
    }
    let fault = "scripts/broken.luau:2:1: the script takes more steps than it may";
    let read = table.types("Dara", "say now");
    assert!(read.contains(STUCK) && !read.contains("broken.luau"), "{read}");
    for (name, is_shown) in [("Olad", true), ("Gesa", true), ("Bera", false)] {
        let heard = table.hears(name);
        assert_eq!(heard.contains(fault), is_shown, "{name}: {heard}");
        assert!(!is_shown || heard.contains("A script failed in cellar, room "), "{heard}");
    }
    table.types("Dara", "say now");
    assert!(!table.hears("Gesa").contains(fault), "once a minute for those who did not set it off");
    let read = table.types("Gesa", "say now");
    assert!(read.contains(STUCK) && read.contains(fault), "{read}");
}

/// A function that fails repeatedly is suspended for the rest of the minute, to bound its cost. The suspension is
/// logged, and other functions of the script are still called.
#[test]
fn d5_repeatedly_failing_function_is_suspended() {
    let script = "local M = {}
function M.fussy(event) if event.words == \"break now\" then error(\"broken\") end return { \"tell It hums.\" } end
function M.steady() return { \"tell It ticks.\" } end
return M
";
    let mut table = cellar(&[("scripts/clock.luau", script)]);
    table.types("Olad", "trigger say now = call clock fussy");
    table.types("Olad", "trigger say then = call clock steady");
    let before = table.warnings().len();
    for _ in 0..9 {
        assert!(table.types("Olad", "say break now").contains(STUCK));
        assert!(table.types("Olad", "say now").contains("It hums."));
    }
    table.types("Olad", "say break now");
    let set_aside = table.types("Olad", "say now");
    assert!(set_aside.contains(STUCK) && !set_aside.contains("It hums."), "{set_aside}");
    assert!(table.types("Olad", "say then").contains("It ticks."));
    let warnings = &table.warnings()[before..];
    assert!(
        warnings.len() == 2 && warnings[1].contains("not called for the rest of the minute"),
        "{warnings:?}"
    );
    table.waits(Span::secs(61));
    assert!(table.types("Olad", "say now").contains("It hums."));
}

#[test]
fn r21_call_of_unknown_script_suggests_nearest_name() {
    let mut table = cellar(&[]);
    let script = table.types("Olad", "trigger leave = call dart_trip walk");
    assert!(script.contains("There is no script \"dart_trip\", did you mean `dart_trap`?"), "{script}");
    let function = table.types("Olad", "trigger leave = call dart_trap wlak");
    assert!(function.contains("There is no function \"wlak\", did you mean `walk`?"), "{function}");
    assert!(
        table.types("Olad", "trigger leave = call dart_trap").contains("`call` needs the key of a script")
    );
    assert!(table.room("Olad").triggers.is_empty());
}

const BELL: &str = "local M = {}
function M.ring(event) return { `room The bell tolls {event.words} for {event.who}.` } end
return M
";

/// A room may define commands with arguments, from words that are not game commands. A player who cannot act cannot use
/// them.
#[test]
fn r21_room_commands_take_arguments_and_free_words_only() {
    let mut table = cellar(&[("scripts/bell.luau", BELL)]);
    let set = table.types("Olad", "trigger command toll;strike = call bell ring");
    assert!(set.contains("It is set: trigger command toll;strike, one line."), "{set}");
    for line in ["toll twice", "Strike  twice"] {
        assert!(table.types("Olad", line).contains("The bell tolls twice for Olad."), "{line}");
    }
    table.restart();
    assert!(table.types("Olad", "toll once").contains("tolls once for Olad."));
    for (list, taken) in [("look", "look"), ("gong;n", "n"), ("gong; inventory", "inventory")] {
        let refused = table.types("Olad", &format!("trigger command {list} = tell You see."));
        assert!(refused.contains(&format!("The word {taken} means something everywhere.")), "{refused}");
    }
    assert!(
        table.types("Olad", "trigger command = tell You see.").contains("command needs a word behind it")
    );
    table.types_all("Olad", &["open north", "north"]);
    assert!(table.types("Olad", "toll twice").contains("\"toll\""), "there is no bell in the vault");
}

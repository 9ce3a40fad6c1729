//! Builders' scripts: malicious scripts hit their limits and reach nothing outside; calls are deterministic; errors
//! have file and line.

use crate::explorer::{guarded, walks_on};
use crate::table::{CATALOG, Table, changed_content, seeded};
use deepwell::base::{Seed, Span};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::puzzle::answer::typed;
use deepwell::puzzle::{search, verify};
use deepwell::script::{FaultKind, Program, ScriptLimits, Value};
use std::fmt::Write as _;

const HOSTILE: &str = include_str!("../data/scripts/hostile.txt");

const FILE: &str = "scripts/hostile.luau";

/// Compiles a program with one function.
fn program(body: &str) -> Result<Program, String> {
    let source = format!("local M = {{}}\nfunction M.run(event)\n{body}\nend\nreturn M\n");
    Program::compile(FILE, &source).map_err(|mistake| mistake.to_string())
}

fn call(program: &Program, seed: u64) -> (&'static str, String) {
    let event = Value::table([("words", Value::text("hello")), ("who", Value::text("Olad"))]);
    match program.call("run", &[event], Seed(seed), &ScriptLimits::default()) {
        Ok(value) => ("harmless", format!("{value:?}")),
        Err(fault) => match fault.kind {
            FaultKind::TooManySteps | FaultKind::TooMuchMemory => ("stops", fault.to_string()),
            FaultKind::Unfit(_) => ("unfit", fault.to_string()),
            FaultKind::Failed(_) | FaultKind::NoFunction(_) => ("fails", fault.to_string()),
        },
    }
}

/// Every malicious script is refused, hits a limit, fails or has no effect, as stated beside it. Its error has file and
/// line and no terminal controls, and a second call ends the same way.
#[test]
fn a8_a9_malicious_scripts_stop_and_reach_nothing() {
    let mut complaints = String::new();
    let lines = HOSTILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        count += 1;
        let (expected, body) = line.split_once(": ").expect("what becomes of it");
        let (came, message) = match program(body) {
            Err(message) => ("refused", message),
            Ok(program) => {
                let came = call(&program, 1);
                let again = call(&program, 1);
                assert_eq!(came, again, "{body}");
                came
            }
        };
        let has_place = message.strip_prefix(FILE).and_then(|rest| rest.strip_prefix(':'));
        let line_of = has_place.and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
        let is_told = came == "harmless" || line_of.is_some_and(|line| (1..=6).contains(&line));
        let is_clean =
            !message.chars().any(char::is_control) && !message.contains("0x") && message.len() < 800;
        if came != expected || !is_told || !is_clean {
            let _ = writeln!(complaints, "{expected}, but {came}: {message}\n    {body}");
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
    assert!(count >= 200, "{count} are too few");
}

/// A call keeps no state for the next one, and random numbers depend on the given seed.
#[test]
fn c3_script_call_depends_only_on_arguments_and_seed() {
    let source = "local M = {}\nlocal calls = 0\nfunction M.run(event)\ncalls += 1\nlocal t = {}\n\
                  for i = 1, 5 do t[i] = math.random(1000) end\nreturn { calls = calls, dice = t, who = event.who }\nend\n\
                  return M";
    let program = Program::compile(FILE, source).expect("a program");
    let first = call(&program, 7);
    assert!(first.1.contains("\"calls\": Number(1)") && first.1.contains("Olad"), "{first:?}");
    let hostile = self::program("while true do local t = {} end").expect("a program");
    for _ in 0..20 {
        call(&hostile, 3);
        assert_eq!(call(&program, 7), first);
    }
    assert_ne!(call(&program, 8), first, "other dice");
}

/// Iteration over a table is in key order, however it was filled.
#[test]
fn c3_tables_are_iterated_in_key_order() {
    let walked = |fill: &str| {
        let body =
            format!("{fill} local keys = {{}} for k in pairs(t) do table.insert(keys, k) end return keys");
        call(&program(&body).expect("a program"), 1).1
    };
    let one = walked("local t = {b = 1, a = 2, [3] = 1, [10] = 1, [2] = 1}");
    let other = walked("local t = {} t[10] = 1 t.a = 2 t.x = 1 t[2] = 1 t.b = 1 t[3] = 1 t.x = nil");
    assert_eq!(one, other);
    assert_eq!(one, "List([Number(2), Number(3), Number(10), Text(\"a\"), Text(\"b\")])");
}

/// Plain values pass through a script unchanged, and are stored as JSON.
#[test]
fn r14_plain_values_pass_through_a_script_unchanged() {
    let program = program("return event").expect("a program");
    let value = Value::table([
        ("list", Value::List(vec![Value::Number(-7), Value::text("a\u{301}b 日本"), Value::Truth(false)])),
        ("much", Value::Number(Value::NUMBER_MAX)),
        ("deep", Value::table([("er", Value::table([("still", Value::Number(0))]))])),
    ]);
    let came = program.call("run", std::slice::from_ref(&value), Seed(0), &ScriptLimits::default());
    assert_eq!(came.as_ref(), Ok(&value));
    let json = serde_json::to_string(&value).expect("JSON");
    assert_eq!(serde_json::from_str::<Value>(&json).expect("the value"), value);
}

#[test]
fn a8_script_limits_are_set_by_the_caller() {
    let program = program("for i = 1, 300 do local t = i end return 1").expect("a program");
    let with = |steps| {
        let limits = ScriptLimits { steps, ..ScriptLimits::default() };
        program.call("run", &[], Seed(0), &limits).map_err(|fault| fault.kind)
    };
    assert_eq!(with(500), Err(FaultKind::TooManySteps));
    assert_eq!(with(2_000), Ok(Value::Number(1)));
}

const MEASURES: &str = "puzzles/measures/puzzle.luau";

/// Returns the source of the shipped scripted puzzle.
fn measures() -> &'static str {
    BUILTIN.iter().find(|(path, _)| *path == MEASURES).expect("it ships").1
}

/// The theme lists the shipped scripted puzzle; every seed is verified solvable, and solutions differ in length.
#[test]
fn h6_every_seed_of_the_scripted_puzzle_is_solvable() {
    let catalog = Catalog::builtin();
    let entries = &catalog.themes["sunken_house"].puzzles;
    let entry = entries.iter().find(|entry| entry.puzzle.name() == "measures").expect("the house lists it");
    let mut steps = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let proof = verify(entry, Seed(seed));
        assert_eq!((proof.defects, proof.plain), (Vec::new(), None), "seed {seed}");
        steps.insert(deepwell::puzzle::draw(entry, Seed(seed)).solution.len());
    }
    assert!(steps.len() > 2 && steps.iter().all(|steps| *steps >= 5), "{steps:?}");
}

/// Returns the first error of the content with one replacement in the puzzle.
fn mistake(from: &str, to: &str) -> String {
    assert!(measures().contains(from), "`{from}` is not in the file");
    let text = measures().replacen(from, to, 1);
    let files =
        BUILTIN.iter().map(|(path, other)| (*path, if *path == MEASURES { text.as_str() } else { *other }));
    Catalog::load(&files.collect::<Vec<_>>()).err().unwrap_or_else(|| panic!("`{to}` is no mistake"))[0]
        .to_string()
}

/// Errors of a scripted puzzle have file and line; errors in its returned data have their path as well.
#[test]
fn h1_scripted_puzzle_errors_have_line_and_path() {
    let line = |phrase: &str| {
        let found = (1..).zip(measures().lines()).find(|(_, line)| line.contains(phrase));
        found.expect("a line").0.to_string()
    };
    let generate = line("function M.generate");
    let assert_mistake = |from: &str, to: &str, place: &str, message: &str| {
        let text = mistake(from, to);
        assert!(text.starts_with(&format!("{MEASURES}:{place}:1: ")) && text.contains(message), "{text}");
    };
    assert_mistake(
        "local function heights(most)",
        "local function heights(most))",
        &line("local function heights"),
        "Expected",
    );
    assert_mistake("#JARS)", "#JRAS)", &line("#JARS)"), "nil");
    assert_mistake(
        "theme = \"sunken_house\"",
        "theme = \"sunken_hous\"",
        &line("theme = \"sunken_house\""),
        "did you mean `sunken_house`?",
    );
    assert_mistake("about =", "abut =", &line("about ="), "`about` is missing");
    assert_mistake(
        "first_difficulty",
        "frist_difficulty",
        &line("first_difficulty"),
        "did you mean `first_difficulty`?",
    );
    assert_mistake("finish = \"cellar\"", "finish = \"cellr\"", &generate, "at `finish`");
    assert_mistake("gate = \"door\"", "gate = \"dor\"", &generate, "unknown gate `dor`");
    assert_mistake("gate = \"door\"", "gate = \"dor\"", &generate, "at `ways[2].gate`");
    assert_mistake("verb = \"turn\"", "verb = \"trun\"", &generate, "did you mean `turn`?");
    assert_mistake(
        "opens = { green = tostring(wanted) }",
        "opens = { green = \"9\" }",
        &generate,
        "unknown value of `green` `9`",
    );
    assert_mistake(
        "table.insert(values, tostring(level))",
        "table.insert(values, level)",
        &generate,
        "texts that are not empty",
    );
    assert_mistake("stays = true,", "stays = 1.5,", &generate, "a number that is not whole");
    assert_mistake("return M", "return nil", "1", "returns a table");
    assert_mistake("function M.generate", "function M.generat", "1", "the function `generate` is missing");
    assert_mistake(
        "local jars = JARS",
        "while true do end local jars = JARS",
        &line("local jars"),
        "more steps",
    );
    assert_mistake(
        "opens = { green = tostring(wanted) }",
        "opens = { amber = \"1\", green = \"1\" }",
        &generate,
        "no solution was found",
    );
}

/// A misnamed file in a puzzle folder, and a puzzle defined by both data and script, are errors.
#[test]
fn h1_puzzle_folder_has_one_puzzle_file() {
    let with = |path: &str, text: &str| {
        let files: Vec<(&str, &str)> = BUILTIN.iter().copied().chain([(path, text)]).collect();
        Catalog::load(&files).expect_err("a mistake")[0].to_string()
    };
    assert!(with("puzzles/measures/helper.luau", "return {}").contains("did you mean `puzzle.luau`?"));
    assert!(with("puzzles/orrery/puzzle.luau", measures()).contains("there is a puzzle `orrery` already"));
    let dropped = changed_content(&[("puzzles/jars/puzzle.luau", measures())]);
    assert!(dropped.puzzles.find("jars").is_some());
}

/// A player at the gate of the jar puzzle in the caves, below the cistern.
fn before_the_jars() -> Table {
    for seed in 0..200 {
        let mut table = Table::new(seeded(seed));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["south", "down", "east"]);
        for _ in 0..40 {
            while table.body("Olad").target.is_some() || guarded(table.world(), table.room("Olad")) {
                table.types("Olad", "kill");
                table.waits(Span::secs(3));
            }
            let number = table.room("Olad").challenge.puzzle();
            let entry = number.and_then(|number| CATALOG.themes["caves"].puzzles.get(number as usize));
            if entry.is_some_and(|entry| entry.puzzle.name() == "measures") {
                return table;
            }
            if !walks_on(&mut table, "Olad") {
                break;
            }
        }
    }
    panic!("no cave has the jars");
}

/// A player finds the scripted jar puzzle in a branch, continues after a crash in the middle, and opens the door.
#[test]
fn h1_d2_scripted_puzzle_is_solved_across_a_restart() {
    let mut table = before_the_jars();
    let gate = table.body("Olad").room;
    let read = table.types("Olad", "in");
    assert!(read.contains("Weigh out exactly what the door wants"), "{read}");
    assert!(read.contains("A brass plate on the wall says: 'The door opens to"), "{read}");
    let (_, run, _) = table.world().puzzle_at(table.body("Olad").room).expect("a puzzle");
    let steps = search(&run.board, 1, 50_000).solution.expect("a solution");
    let lines: Vec<String> = steps.iter().map(|step| typed(&run.board, step)).collect();
    assert!(table.types("Olad", &lines[0]).contains("has room for"));
    assert!(table.types("Olad", "north").contains("no more and no less"));
    assert!(table.types("Olad", "open green valve").contains("Not a drop moves"));
    assert!(table.types("Olad", "hint").contains("The plate on the stair says how much"));
    let (mut text, middle) = (String::new(), lines.len() / 2);
    for (at, line) in lines.iter().enumerate().skip(1) {
        if at == middle {
            table.crash();
            table.comes_back("Olad");
        }
        text += &table.types("Olad", line);
    }
    assert!(text.contains("draws taut") && text.contains("The puzzle is solved."), "{lines:?}: {text}");
    assert!(table.world().rooms[gate].clear);
}

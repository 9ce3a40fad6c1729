//! Scripts of builders: what means harm stops at its limit and reaches nothing, the same call brings the same, and mistakes are
//! told by file and line.

use crate::explorer::{guarded, opens_another_room};
use crate::table::{CATALOG, Table, changed_content, seeded};
use deepwell::base::{Seed, Span};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::puzzle::words::typed;
use deepwell::puzzle::{search, verify};
use deepwell::script::{FaultKind, Program, ScriptLimits, Value};
use std::fmt::Write as _;

const HOSTILE: &str = include_str!("../data/scripts/hostile.txt");

const FILE: &str = "scripts/hostile.luau";

/// A program with one function.
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

/// A8, A9, T1: every script that means harm is refused, stops at its limit, fails or comes to nothing, as stands beside it; what
/// is told of it has a file and a line and nothing that a terminal would obey; and the same call ends the same way again.
#[test]
fn a8_a9_hostile_scripts_stop_and_reach_nothing() {
    let mut complaints = String::new();
    let lines = HOSTILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        count += 1;
        let (expected, body) = line.split_once(": ").expect("what becomes of it");
        let (came, told) = match program(body) {
            Err(told) => ("refused", told),
            Ok(program) => {
                let came = call(&program, 1);
                let again = call(&program, 1);
                assert_eq!(came, again, "{body}");
                came
            }
        };
        let has_place = told.strip_prefix(FILE).and_then(|rest| rest.strip_prefix(':'));
        let line_of = has_place.and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
        let is_told = came == "harmless" || line_of.is_some_and(|line| (1..=6).contains(&line));
        let is_clean = !told.chars().any(char::is_control) && !told.contains("0x") && told.len() < 800;
        if came != expected || !is_told || !is_clean {
            let _ = writeln!(complaints, "{expected}, but {came}: {told}\n    {body}");
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
    assert!(count >= 200, "{count} are too few");
}

/// C3: what one call did is not there in the next one, and dice are those handed in.
#[test]
fn c3_a_call_depends_on_its_arguments_and_its_seed_alone() {
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

/// C3: a table is walked in the order of its keys, however it was filled.
#[test]
fn c3_tables_are_walked_in_the_order_of_their_keys() {
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

/// R14: plain values come back as they went in, and are JSON in storage.
#[test]
fn plain_values_cross_the_border_unchanged() {
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

/// A8: each limit is what the caller says.
#[test]
fn a8_limits_are_those_of_the_caller() {
    let program = program("for i = 1, 300 do local t = i end return 1").expect("a program");
    let with = |steps| {
        let limits = ScriptLimits { steps, ..ScriptLimits::default() };
        program.call("run", &[], Seed(0), &limits).map_err(|fault| fault.kind)
    };
    assert_eq!(with(500), Err(FaultKind::TooManySteps));
    assert_eq!(with(2_000), Ok(Value::Number(1)));
}

const MEASURES: &str = "puzzles/measures/puzzle.luau";

/// The program of the puzzle that ships.
fn measures() -> &'static str {
    BUILTIN.iter().find(|(path, _)| *path == MEASURES).expect("it ships").1
}

/// H1, H6, H17: the scripted puzzle that ships comes up where it says, each seed of it is proved, and they are not all alike.
#[test]
fn h6_every_seed_of_the_scripted_puzzle_is_proved() {
    let catalog = Catalog::builtin();
    let entries = &catalog.themes["sunken_house"].puzzles;
    let entry = entries.iter().find(|entry| entry.puzzle.name() == "measures").expect("the house lists it");
    let mut steps = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let proof = verify(entry, Seed(seed));
        assert_eq!((proof.wrong, proof.plain), (Vec::new(), None), "seed {seed}");
        steps.insert(deepwell::puzzle::draw(entry, Seed(seed)).solution.len());
    }
    assert!(steps.len() > 2 && steps.iter().all(|steps| *steps >= 5), "{steps:?}");
}

/// What is wrong with the content when the puzzle has something else in it.
fn mistake(from: &str, to: &str) -> String {
    assert!(measures().contains(from), "`{from}` is not in the file");
    let text = measures().replacen(from, to, 1);
    let files =
        BUILTIN.iter().map(|(path, other)| (*path, if *path == MEASURES { text.as_str() } else { *other }));
    Catalog::load(&files.collect::<Vec<_>>()).expect_err("a mistake")[0].to_string()
}

/// H1: mistakes of a scripted puzzle are told by file and line, those in what it gives back with the path to them.
#[test]
fn h1_mistakes_of_a_scripted_puzzle_are_told_by_line_and_path() {
    let line = |words: &str| {
        let found = (1..).zip(measures().lines()).find(|(_, line)| line.contains(words));
        found.expect("a line").0.to_string()
    };
    let generate = line("function M.generate");
    let told = |from: &str, to: &str, place: &str, words: &str| {
        let told = mistake(from, to);
        assert!(told.starts_with(&format!("{MEASURES}:{place}:1: ")) && told.contains(words), "{told}");
    };
    told(
        "local function heights(most)",
        "local function heights(most))",
        &line("local function heights"),
        "Expected",
    );
    told("#JARS)", "#JRAS)", &line("#JARS)"), "nil");
    told(
        "theme = \"sunken_house\"",
        "theme = \"sunken_hous\"",
        &line("theme ="),
        "did you mean `sunken_house`?",
    );
    told("about =", "abut =", "1", "`about` is missing");
    told(
        "first_difficulty",
        "frist_difficulty",
        &line("first_difficulty"),
        "did you mean `first_difficulty`?",
    );
    told("finish = \"cellar\"", "finish = \"cellr\"", &generate, "at `finish`");
    told("gate = \"door\"", "gate = \"dor\"", &generate, "unknown gate `dor`");
    told("gate = \"door\"", "gate = \"dor\"", &generate, "at `ways[2].gate`");
    told("verb = \"turn\"", "verb = \"trun\"", &generate, "did you mean `turn`?");
    told(
        "opens = { green = tostring(wanted) }",
        "opens = { green = \"9\" }",
        &generate,
        "unknown value of `green` `9`",
    );
    told(
        "table.insert(values, tostring(level))",
        "table.insert(values, level)",
        &generate,
        "texts that are not empty",
    );
    told("stays = true,", "stays = 1.5,", &generate, "a number that is not whole");
    told("return M", "return nil", "1", "returns a table");
    told("function M.generate", "function M.generat", "1", "the function `generate` is missing");
    told("local jars = JARS", "while true do end local jars = JARS", &line("local jars"), "more steps");
    told(
        "opens = { green = tostring(wanted) }",
        "opens = { amber = tostring(amber), green = tostring(amber + 1) }",
        &generate,
        "no solution was found",
    );
}

/// H1: a file beside it that is no puzzle is told, and so is a puzzle that is written and scripted at once.
#[test]
fn h1_a_folder_of_a_puzzle_has_one_file() {
    let with = |path: &str, text: &str| {
        let files: Vec<(&str, &str)> = BUILTIN.iter().copied().chain([(path, text)]).collect();
        Catalog::load(&files).expect_err("a mistake")[0].to_string()
    };
    assert!(with("puzzles/measures/helper.luau", "return {}").contains("did you mean `puzzle.luau`?"));
    assert!(with("puzzles/orrery/puzzle.luau", measures()).contains("there is a puzzle `orrery` already"));
    let dropped = changed_content(&[("puzzles/jars/puzzle.luau", measures())]);
    assert!(dropped.puzzles.find("jars").is_some());
}

/// A player before the gate of the jars in the sunken house, which lies behind the western exit of the well.
fn before_the_jars() -> Table {
    for seed in 0..200 {
        let mut table = Table::new(seeded(seed));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", "west"]);
        for _ in 0..40 {
            while table.body("Olad").target.is_some() || guarded(table.world(), table.room("Olad")) {
                table.types("Olad", "kill");
                table.waits(Span::secs(3));
            }
            let number = table.room("Olad").challenge.puzzle();
            let entry = number.and_then(|number| CATALOG.themes["sunken_house"].puzzles.get(number as usize));
            if entry.is_some_and(|entry| entry.puzzle.name() == "measures") {
                return table;
            }
            if !opens_another_room(&mut table, "Olad") {
                break;
            }
        }
    }
    panic!("no house has the jars");
}

/// H1, D2: somebody in a branch comes to a gate, meets the jars that a script has drawn, is cut off in the middle, goes on where
/// they were, and opens the door.
#[test]
fn h1_somebody_in_the_sunken_house_meets_the_jars_of_a_script() {
    let mut table = before_the_jars();
    let gate = table.body("Olad").room;
    let read = table.types("Olad", "in");
    assert!(read.contains("Weigh out exactly what the door wants"), "{read}");
    assert!(read.contains("A brass plate on the wall says: 'The door opens to"), "{read}");
    let (_, run, _) = table.world().puzzle_at(table.body("Olad").room).expect("a puzzle");
    let steps = search(&run.layout, 1, 50_000).solution.expect("a solution");
    let lines: Vec<String> = steps.iter().map(|step| typed(&run.layout, step)).collect();
    assert!(table.types("Olad", &lines[0]).contains("has room for"));
    assert!(table.types("Olad", "north").contains("no more and no less"));
    assert!(table.types("Olad", "open green valve").contains("Not a drop moves"));
    assert!(table.types("Olad", "hint").contains("The plate on the stair says how much"));
    let (mut told, middle) = (String::new(), lines.len() / 2);
    for (at, line) in lines.iter().enumerate().skip(1) {
        if at == middle {
            table.crash();
        }
        told += &table.types("Olad", line);
    }
    assert!(told.contains("draws taut") && told.contains("The puzzle is solved."), "{lines:?}: {told}");
    assert!(table.world().rooms[gate].clear);
}

//! Runs every file of `tests/data/transcripts`; to add a case, add a file.
//!
//! ```text
//! # a remark
//! = seed 7                  settings, before any player: seed, guidance, window, reset_chance, ...
//! = behind east well        puts a level type behind an exit of the well
//! + Olad                    creates or logs in a player; the output follows, as after a typed line
//! > Olad: east              types a line
//! Clay with stones          expected output of Olad: whole lines, in order; `*` matches any text in a line,
//! ...                       `...` matches any number of lines
//! < Bera                    output of Bera since then follows
//! - Olad                    breaks the link
//! ~ 300s                    advances time
//! ! restart                 restarts the server; connected players log in again
//! ! crown Olad              makes Olad the owner
//! ! weaken Olad             reduces Olad to one hit point
//! ! teach Olad 349          gives Olad experience
//! ! edit mill: rye -> oats  replaces text in the zone file on disk
//! ```
//!
//! Empty lines are ignored.
//!
//! With the switch of `generated`, lines that do not match are replaced by the actual output; other lines stay.

use crate::generated;
use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{Seed, Span};
use deepwell::game::{GameConfig, Output};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn transcripts_match_expected_output() {
    let mut complaints = String::new();
    for (file, script) in scripts() {
        let performance = play(&script);
        if let Some(complaint) = performance.complaint
            && !generated::is_up_to_date(&file.display().to_string(), &performance.read)
        {
            let _ = writeln!(complaints, "{}:{complaint}", file.display());
        }
    }
    assert!(complaints.is_empty(), "{}:\n{complaints}", generated::HOW);
}

/// Returns all output sent to sessions in these transcripts.
pub(crate) fn tape() -> Vec<Output> {
    let tables = scripts().into_iter().filter_map(|(_, script)| play(&script).table);
    tables.flat_map(|table| table.tape().to_vec()).collect()
}

/// Returns every transcript with its file.
fn scripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of transcripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "transcripts are missing");
    let read = |file: PathBuf| {
        let script = std::fs::read_to_string(&file).expect("a readable file");
        (file, script)
    };
    files.into_iter().map(read).collect()
}

/// Action with the lines expected after it.
struct Cue<'a> {
    line: usize,
    remarks: Vec<&'a str>,
    action: &'a str,
    expected: Vec<&'a str>,
}

fn cues(script: &str) -> Vec<Cue<'_>> {
    let mut cues: Vec<Cue<'_>> = Vec::new();
    let mut remarks = Vec::new();
    for (number, line) in script.lines().enumerate() {
        let line = line.trim_end();
        if is_action(line) {
            let remarks = std::mem::take(&mut remarks);
            cues.push(Cue { line: number + 1, remarks, action: line, expected: Vec::new() });
        } else if line.is_empty() || line.starts_with('#') {
            remarks.push(line);
        } else {
            cues.last_mut().expect("words belong to a cue").expected.push(line);
        }
    }
    cues
}

/// Returns `true` if a line is an action, not expected output: maps have lines that begin with `>` too, and help pages
/// lines that begin with `-`.
fn is_action(line: &str) -> bool {
    let Some((sign, argument)) = line.split_once(' ') else { return false };
    let typed = || argument.split_once(':').is_some_and(|(name, _)| !name.contains(' '));
    match sign {
        ">" => typed(),
        "+" | "-" => !argument.contains(' '),
        "=" | "<" | "~" | "!" => true,
        _ => false,
    }
}

/// Result of a transcript.
struct Performance {
    /// First difference, if any.
    complaint: Option<String>,
    /// Transcript with the actual output.
    read: String,
    table: Option<Table>,
}

fn play(script: &str) -> Performance {
    let mut config = seeded(0);
    let mut shop: Option<Workshop> = None;
    let mut behind = Vec::new();
    let mut performance = String::new();
    let mut complaint = None;
    for cue in cues(script) {
        for line in cue.remarks.iter().chain([&cue.action]) {
            let _ = writeln!(performance, "{line}");
        }
        let (sign, argument) = cue.action.split_at(2);
        if sign == "= " {
            assert!(shop.is_none(), "settings come first");
            match argument.trim().strip_prefix("behind ") {
                Some(exit) => behind.push(exit.split_once(' ').expect("= behind EXIT LEVEL")),
                None => configure(&mut config, argument.trim()),
            }
            continue;
        }
        let shop = shop.get_or_insert_with(|| {
            let mut table = Table::new(config.clone());
            for (exit, level) in &behind {
                table.puts_behind(exit, level);
            }
            Workshop::beside(table)
        });
        let read = perform(shop, sign, argument.trim());
        let lines: Vec<&str> = read.lines().filter(|line| !line.trim().is_empty()).collect();
        let fits = lines_match(&cue.expected, &lines);
        for line in amend(&cue.expected, &lines).1 {
            let _ = writeln!(performance, "{line}");
        }
        if complaint.is_none() && !fits {
            let expected = cue.expected.join("\n");
            complaint =
                Some(format!("{}: {} should give\n{expected}\nbut gave\n{read}\n", cue.line, cue.action));
        }
    }
    Performance { complaint, read: performance, table: shop.map(|shop| shop.table) }
}

/// Runs an action; returns its output.
fn perform(shop: &mut Workshop, sign: &str, argument: &str) -> String {
    let table = &mut shop.table;
    match sign {
        "+ " if table.world().accounts.named(argument).is_some() => table.comes_back(argument),
        "+ " => table.sit(argument),
        "> " => {
            let (name, line) = argument.split_once(':').expect("> NAME: LINE");
            shop.types(name, line.trim())
        }
        "< " => table.hears(argument),
        "! " if argument.starts_with("edit ") => {
            let (zone, change) = argument["edit ".len()..].split_once(": ").expect("! edit ZONE: FROM -> TO");
            let (from, to) = change.split_once(" -> ").expect("! edit ZONE: FROM -> TO");
            shop.edit(zone, from, to);
            String::new()
        }
        _ => {
            change_world(table, sign, argument);
            String::new()
        }
    }
}

fn configure(config: &mut GameConfig, argument: &str) {
    let (setting, value) = argument.split_once(' ').expect("= SETTING VALUE");
    let number = || value.parse().expect("a number");
    match setting {
        "guidance" => config.guidance = value == "on",
        "diagonals" => config.diagonals = value == "on",
        "seed" => config.seed = Seed(value.parse().expect("a number")),
        "window" => config.dungeon.window = span(value),
        "reset_interval" => config.dungeon.reset_interval = span(value),
        "reset_chance" => config.dungeon.reset_chance_permille = number(),
        "check_interval" => config.dungeon.check_interval = span(value),
        "max_life" => config.dungeon.max_life = span(value),
        other => panic!("no setting {other}"),
    }
}

fn change_world(table: &mut Table, sign: &str, argument: &str) {
    match (sign, argument.split_once(' ')) {
        ("- ", _) => table.break_link(argument),
        ("~ ", _) => table.waits(span(argument)),
        ("! ", None) if argument == "restart" => table.restart(),
        ("! ", Some(("crown", name))) => table.make_owner(name),
        ("! ", Some(("weaken", name))) => {
            let (id, now) = (table.body(name).id, table.now());
            table.edit_stored(|stored| {
                let body = stored.characters.get_mut(&id).expect("a stored body");
                (body.hp, body.hp_at, body.attack) = (1, now, 1);
            });
        }
        ("! ", Some(("teach", lesson))) => {
            let (name, xp) = lesson.split_once(' ').expect("teach NAME EXPERIENCE");
            let id = table.body(name).id;
            let xp: i64 = xp.parse().expect("a number");
            table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a stored body").xp += xp);
        }
        _ => panic!("no such cue: {sign}{argument}"),
    }
}

fn span(text: &str) -> Span {
    let at = text.find(|c: char| !c.is_ascii_digit()).expect("a unit");
    let number: i64 = text[..at].parse().expect("a number");
    match &text[at..] {
        "ms" => Span::millis(number),
        "s" => Span::secs(number),
        "m" => Span::mins(number),
        "h" => Span::mins(60 * number),
        "d" => Span::mins(24 * 60 * number),
        unit => panic!("no unit {unit}"),
    }
}

/// Returns `true` if the lines match, where `...` matches any number of lines. Without expected lines, there must be no
/// output.
fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|from| lines_match(rest, &lines[from..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| fits(first, line) && lines_match(rest, lines))
        }
    }
}

/// Returns the expected lines with the fewest changes that match the output, and the number of changes.
fn amend<'a>(expected: &[&'a str], lines: &[&'a str]) -> (usize, Vec<&'a str>) {
    // Best result for each remaining length of the output; after the last expected line only additions are left.
    let mut best: Vec<(usize, Vec<&str>)> =
        (0..=lines.len()).map(|from| (lines.len() - from, lines[from..].to_vec())).collect();
    for &pattern in expected.iter().rev() {
        let behind = std::mem::take(&mut best);
        for from in (0..=lines.len()).rev() {
            // The pattern is removed, or matches this line, or this line is added.
            let mut ways = vec![(behind[from].0 + 1, None, &behind[from].1)];
            if pattern == "..." {
                ways.push((behind[from].0, Some(pattern), &behind[from].1));
            }
            if from < lines.len() {
                let after: &(usize, Vec<&str>) = best.last().expect("longer ones come first");
                match pattern {
                    // A `...` already begun covers this line as well.
                    "..." if after.1.first() == Some(&"...") => ways.push((after.0, None, &after.1)),
                    "..." => {}
                    _ if fits(pattern, lines[from]) => {
                        ways.push((behind[from + 1].0, Some(pattern), &behind[from + 1].1));
                    }
                    _ => {}
                }
                ways.push((after.0 + 1, Some(lines[from]), &after.1));
            }
            let (cost, first, rest) = ways.into_iter().min_by_key(|(cost, ..)| *cost).expect("a way");
            best.push((cost, first.into_iter().chain(rest.iter().copied()).collect()));
        }
        best.reverse();
    }
    best.swap_remove(0)
}

/// Returns `true` if a line matches a pattern, where `*` matches any text.
fn fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line.trim_end(),
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|tail| {
            tail.char_indices().map(|(at, _)| at).chain([tail.len()]).any(|at| fits(rest, &tail[at..]))
        }),
    }
}

#[test]
fn patterns_match_as_documented() {
    assert!(fits("a * lies here.", "a clay lamp lies here.") && !fits("a * lies here.", "a lamp lies"));
    assert!(lines_match(&["one", "...", "four"], &["one", "two", "three", "four"]));
    assert!(
        !lines_match(&["one", "four"], &["one", "two", "four"]),
        "lines between have to be left out openly"
    );
    assert!(!lines_match(&[], &["one"]) && lines_match(&["..."], &[]));
    let amended = |expected: &[&str], lines: &[&str]| amend(expected, lines).1.join(" ");
    assert_eq!(amended(&["a*", "...", "d", "e"], &["ab", "b", "c", "d", "f"]), "a* ... d f", "patterns stay");
    assert_eq!(amended(&["...", "d"], &["b", "e", "d", "g"]), "... d g");
    assert_eq!(amended(&["a", "b"], &[]), "");
    assert_eq!([span("3s"), span("2m"), span("7d")], [Span::secs(3), Span::mins(2), Span::secs(604_800)]);
}

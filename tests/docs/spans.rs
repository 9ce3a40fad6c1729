//! Code spans in the documentation refer to existing things: commands of the program, settings, numbers of the rules,
//! and paths into the repository.

use std::fmt::Write as _;
use std::fs;

use deepwell::game::command::reference;
use deepwell::server::config::Config;
use deepwell::world::Role;
use toml::{Table, Value};

use crate::commands::{check, words};
use crate::fences::{all_fences, root, spans};

/// Files that a page tells its readers to create.
const READER_FILES: [&str; 1] = ["crates/core/src/puzzle/lamps.rs"];

/// Returns `true` if a word is a placeholder: in capitals.
fn is_placeholder(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-'))
}

/// Checks a command of the program, with values for its placeholders.
fn check_program(span: &str) -> Result<(), String> {
    let mut words = words(span);
    words.retain(|word| !matches!(word.as_str(), "…" | "..."));
    let number = |word: &mut String| {
        if matches!(word.as_str(), "ID" | "SEED" | "N") {
            "7".clone_into(word);
        }
    };
    words.iter_mut().for_each(number);
    // Subcommands that do not belong to this repository.
    if matches!(words.get(1).map(String::as_str), Some("install" | "deny")) {
        return Ok(());
    }
    let choices = words.iter().position(|word| word.contains('|'));
    let lines = choices.map_or_else(
        || vec![words.clone()],
        |at| {
            let chosen = |one: &str| [&words[..at], &[one.to_owned()], &words[at + 1..]].concat();
            words[at].split('|').map(chosen).collect()
        },
    );
    for line in lines {
        match check(&line) {
            // A sentence may name a command or an option without its arguments.
            Err(flaw)
                if ["required argument", "<COMMAND>", "value is required"]
                    .iter()
                    .any(|rest| flaw.contains(rest)) => {}
            other => other?,
        }
    }
    Ok(())
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Returns the value at a dotted path of keys, such as `levels.base`.
fn value<'a>(table: &'a Table, keys: &str) -> Option<&'a Value> {
    let mut keys = keys.split('.');
    let first = table.get(keys.next()?)?;
    keys.try_fold(first, |value, key| value.get(key))
}

#[test]
fn code_spans_refer_to_existing_things() {
    let settings: Table = Config::shipped().parse().expect("the shipped settings");
    let rules: Table =
        fs::read_to_string(root().join("content/rules.toml")).expect("the rules").parse().expect("toml");
    let shown: Vec<String> = all_fences().into_iter().map(|fence| fence.hint).collect();
    let (mut complaints, mut checked) = (String::new(), [0; 4]);
    for (place, span) in spans() {
        let mut complain = |what: &str| _ = writeln!(complaints, "{place}: `{span}`: {what}");
        let key = span.split(" = ").next().unwrap_or_default();
        let mut keys = key.rsplit('.');
        let is_keys = keys.next().is_some_and(|last| is_key(last) && last != "rs")
            && keys.next().is_some()
            && key.split('.').all(is_key);
        if span.starts_with("deepwell ") || span.starts_with("cargo ") {
            checked[0] += 1;
            check_program(&span).unwrap_or_else(|flaw| complain(&flaw));
        } else if let Some(rule) = key.strip_prefix("rules.").filter(|_| is_keys && key != "rules.toml") {
            checked[1] += 1;
            if value(&rules, rule).is_none() {
                complain("content/rules.toml has no such number");
            }
        } else if let Some((section, _)) = key.split_once('.')
            && is_keys
            && key.matches('.').count() == 1
            && settings.contains_key(section)
        {
            checked[2] += 1;
            if value(&settings, key).is_none() {
                complain("there is no such setting");
            }
        } else if is_path(&span) {
            checked[3] += 1;
            let path = span.split(':').next().unwrap_or_default();
            let is_shown = READER_FILES.contains(&path) || shown.iter().any(|hint| hint.contains(path));
            if !root().join(path).exists() && !is_shown {
                complain("there is no such file");
            }
        }
    }
    assert!(checked.iter().all(|found| *found >= 2), "not found: {checked:?}");
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// Returns `true` for a path into the repository without a placeholder.
fn is_path(span: &str) -> bool {
    let folders = [
        "src/", "tests/", "content/", "docs/", "web/", "clients/", "migrations/", "examples/", "benches/",
        "deploy/",
    ];
    let is_there = |part: &str| !is_placeholder(part.split('.').next().unwrap_or_default());
    folders.iter().any(|folder| span.starts_with(folder))
        && !span.contains([' ', '*', '…', '{'])
        && (span.ends_with("README.md") || span.split('/').all(is_there))
        && !span.contains("NNNN")
}

/// Syntax blocks and tables of commands begin with existing commands.
#[test]
fn syntax_blocks_begin_with_existing_commands() {
    let known: Vec<&str> = reference(Role::Owner).map(|[name, ..]| name).collect();
    let (mut complaints, mut checked) = (String::new(), 0);
    let mut check = |place: &str, line: &str| {
        checked += 1;
        let word = line.trim().split([' ', '[']).next().unwrap_or_default();
        if !known.contains(&word) && word != "!" {
            let _ = writeln!(complaints, "{place}: no command is called {word}");
        }
    };
    for fence in all_fences().iter().filter(|fence| fence.language == "text" && fence.hint == "syntax") {
        for line in fence.text.lines().filter(|line| !line.starts_with(' ')) {
            // A line may contain several commands, separated by spaces.
            line.split("    ")
                .filter(|part| !part.trim().is_empty())
                .take(1)
                .for_each(|line| check(&fence.place, line));
        }
    }
    for page in ["docs/operate/moderation.md", "docs/build/puzzles.md", "docs/play/screen-reader.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let mut in_table = false;
        for line in text.lines() {
            in_table = line.starts_with("| command |")
                || line.starts_with("| type |")
                || in_table && line.starts_with('|');
            let cell = line.split(" | ").next().unwrap_or_default();
            if in_table {
                cell.split('`').skip(1).step_by(2).for_each(|span| check(page, span));
            }
        }
    }
    assert!(checked > 20, "the commands were not found");
    assert!(complaints.is_empty(), "\n{complaints}");
}

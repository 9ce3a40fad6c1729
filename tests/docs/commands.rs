//! Commands in the documentation are valid. Lines for `deepwell` are parsed by the program, including settings; targets
//! of `cargo` and `just` lines and paths into the repository must exist.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use deepwell::server::cli::CliArguments;
use deepwell::server::config::ConfigSources;

use crate::fences::{fences, root};

/// Splits a line into words like a shell; `#` starts a comment.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if open == c => quote = None,
            (None, '#') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A command: the variables before it, and its words.
struct Command {
    variables: Vec<(String, String)>,
    words: Vec<String>,
}

fn command(words: &[String]) -> Command {
    let is_variable =
        |word: &&String| word.split_once('=').is_some_and(|(name, _)| !name.contains(['-', '.', ' ', '/']));
    let variables: Vec<_> = words
        .iter()
        .take_while(is_variable)
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let words = words[variables.len()..].to_vec();
    Command { variables, words }
}

/// Checks a `deepwell` line: its arguments, and the settings in its options and variables.
fn check_deepwell(command: &Command) -> Result<(), String> {
    let line = command.words.iter().map(OsString::from);
    CliArguments::read(line).map_err(|error| error.to_string())?;
    let pairs = command.words.windows(2).filter(|pair| pair[0] == "--set");
    let overrides = pairs.map(|pair| pair[1].clone()).collect();
    let environment = command.variables.clone();
    let mistakes = ConfigSources { environment, overrides, ..ConfigSources::default() }
        .check()
        .err()
        .unwrap_or_default();
    if mistakes.is_empty() { Ok(()) } else { Err(format!("{mistakes:#?}")) }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// Returns the files of a target: one file or a folder.
fn target(folder: &str, name: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    files_below(&root().join(folder).join(name), &mut found);
    let file = root().join(folder).join(format!("{name}.rs"));
    found.extend(file.exists().then_some(file));
    if found.is_empty() { Err(format!("{folder} has no {name}")) } else { Ok(found) }
}

/// Checks a `cargo` line: its target exists, and a test filter matches a test.
fn check_cargo(words: &[String]) -> Result<(), String> {
    let (own, program) = match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let value = |name: &str| own.iter().position(|word| word == name).and_then(|at| own.get(at + 1));
    let named = [("--test", "tests"), ("--example", "examples"), ("--bench", "benches")];
    let named = named.iter().find_map(|(option, folder)| Some((*folder, value(option)?)));
    let mut files = match named {
        Some((folder, name)) => target(folder, name)?,
        None => [target("src", "")?, target("crates", "")?].concat(),
    };
    if own.get(1).is_some_and(|word| word == "run") && named.is_none() {
        let line = ["deepwell".to_owned()].into_iter().chain(program.iter().cloned());
        CliArguments::read(line.map(OsString::from)).map_err(|error| error.to_string())?;
    }
    let takes_value = |word: &str| matches!(word, "--test" | "--example" | "--bench");
    let filter = (2..own.len()).find(|at| !own[*at].starts_with("--") && !takes_value(&own[at - 1]));
    let Some(filter) = filter.map(|at| own[at].trim_matches(':')) else { return Ok(()) };
    let fits = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a source");
        let functions = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
        let module = file.file_stem().unwrap_or_default().to_string_lossy();
        module.contains(filter) || functions.into_iter().any(|name| name.contains(filter))
    };
    files.retain(fits);
    if files.is_empty() { Err(format!("no test is called {filter}")) } else { Ok(()) }
}

pub(crate) fn check(words: &[String]) -> Result<(), String> {
    if let Some(lost) = words.iter().find(|word| word.starts_with("tests/") && !root().join(word).exists()) {
        return Err(format!("there is no {lost}"));
    }
    let command = command(words);
    match command.words.first().map(String::as_str) {
        Some("deepwell") => check_deepwell(&command),
        Some("cargo") => check_cargo(&command.words),
        Some("just") => {
            let tasks = fs::read_to_string(root().join("justfile")).expect("a justfile");
            let task = command.words.get(1).map(|word| format!("\n{word}")).unwrap_or_default();
            if tasks.contains(&task) { Ok(()) } else { Err(format!("no task is called {task}")) }
        }
        // The rest of the line runs in a container.
        Some("docker") if command.words.get(1).is_some_and(|word| word == "exec") => {
            check(&command.words[3..])
        }
        _ => Ok(()),
    }
}

/// Every command in a `sh` block of a page is valid.
#[test]
fn commands_in_pages_are_valid() {
    let (mut complaints, mut checked) = (String::new(), 0);
    for fence in fences("sh") {
        for line in fence.text.lines() {
            let words = words(line);
            for words in words.split(|word| word == "&&" || word == "|").filter(|words| !words.is_empty()) {
                checked += 1;
                if let Err(mistake) = check(words) {
                    let _ = writeln!(complaints, "{}: {line}: {mistake}", fence.place);
                }
            }
        }
    }
    assert!(checked > 30, "the commands were not found");
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn lines_are_split_like_by_a_shell() {
    assert_eq!(
        words(r#"A=1 deepwell --moves "1:e;1:(1,0)n" # a walk"#),
        ["A=1", "deepwell", "--moves", "1:e;1:(1,0)n"]
    );
    assert!(check(&words("deepwell dungeon map --theme well --sede 5")).is_err());
    assert!(check(&words("DEEPWELL_GAME__RUOND=3 deepwell")).is_err());
    assert!(check(&words("deepwell --set game.ruond=3")).is_err());
    assert!(check(&words("cargo test --test lvie")).is_err());
    assert!(check(&words("cargo test --test live kyll")).is_err());
    assert!(check(&words("cargo run --release -- simulate --sede 1")).is_err());
    assert!(check(&words("just simm 7")).is_err() && check(&words("just sim 7")).is_ok());
}

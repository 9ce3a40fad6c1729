//! Content files with a mistake, each with the expected error messages: `tests/data/broken`. The first line of a
//! fixture is the path of the content file; its text follows, then `=== mistakes` and the error messages.
//! `WRITE_GENERATED` rewrites the messages.

use crate::generated::{HOW, is_up_to_date};
use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::game::Input;
use deepwell::world::Snapshot;
use std::fs;
use std::path::Path;

/// Separator between the file and its error messages.
const MARK: &str = "=== mistakes\n";

/// Fixture with one broken file.
struct Broken {
    /// Path from the root of the repository.
    fixture: String,
    /// Path below `content/`, or below the state folder for a zone file.
    path: String,
    text: String,
}

fn fixtures() -> Vec<Broken> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(root.join("tests/data/broken")).expect("the fixtures");
    let mut names: Vec<String> =
        folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let read = |name: String| {
        let fixture = format!("tests/data/broken/{name}");
        let whole = fs::read_to_string(root.join(&fixture)).expect("a text");
        let (file, _) = whole.split_once(MARK).unwrap_or_else(|| panic!("{fixture} has no line {MARK}"));
        let (path, text) = file.split_once('\n').expect("a path");
        Broken { fixture, path: path.to_owned(), text: text.to_owned() }
    };
    names.into_iter().map(read).collect()
}

/// Returns the mistakes of the shipped content with this file added.
fn mistakes(broken: &Broken) -> Vec<String> {
    let kept = BUILTIN.iter().filter(|(path, _)| *path != broken.path);
    let files: Vec<(&str, &str)> = kept.copied().chain([(&*broken.path, &*broken.text)]).collect();
    let mistakes = Catalog::load(&files).err().unwrap_or_default();
    mistakes.iter().map(ToString::to_string).collect()
}

/// Returns the rows of the world, without the log of commands.
fn rows(table: &Table) -> impl PartialEq + use<> {
    let Snapshot { rooms, exits, items, characters, start_tasks, .. } = table.world().snapshot();
    (rooms, exits, items, characters, start_tasks)
}

/// Each mistake is reported with its position and a fix; a reload or import with a mistake changes nothing.
#[test]
fn content_errors_name_file_position_and_fix() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 40, "only {} fixtures", fixtures.len());
    let mut shop = Workshop::open();
    let looks = |shop: &mut Workshop| {
        let lines = ["look", "help fighting", "examine here", "check town", "find kind shop"];
        lines.map(|line| shop.types("Olad", line))
    };
    let looked = looks(&mut shop);
    let mut stale = Vec::new();
    for broken in &fixtures {
        let before = rows(&shop.table);
        let lines = if let Some(file) = broken.path.strip_prefix("zones/") {
            let zone = file.trim_end_matches(".toml");
            shop.files.insert(zone.to_owned(), broken.text.clone());
            let answer = shop.types("Olad", &format!("zone import {zone}"));
            answer.lines().skip(1).map(str::to_owned).collect()
        } else {
            let mistakes = mistakes(broken);
            let askers = vec![shop.table.session("Olad")];
            shop.table.step(Input::ContentRefused { askers, mistakes: mistakes.clone() });
            let reply = shop.table.hears("Olad");
            let shown = mistakes.first().is_none_or(|first| reply.contains(first));
            assert!(shown, "{}: {reply}", broken.fixture);
            mistakes
        };
        assert!(rows(&shop.table) == before, "{}: something has changed", broken.fixture);
        if !lines.iter().any(|line| line.starts_with(&format!("{}:", broken.path))) {
            stale.push(format!("{}: nothing is said of it: {lines:?}", broken.fixture));
            continue;
        }
        for line in &lines {
            let mut parts = line.splitn(4, ':').skip(1);
            let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
            assert!(is_number(parts.next()) && is_number(parts.next()), "{}: {line}", broken.fixture);
        }
        let Broken { fixture, path, text } = broken;
        let list = lines.join("\n");
        if !is_up_to_date(fixture, &format!("{path}\n{text}{MARK}{list}\n")) {
            stale.push(format!("{fixture}:\n{list}"));
        }
    }
    assert_eq!(looks(&mut shop), looked, "what is in force stays so word by word");
    assert!(stale.is_empty(), "{HOW}\n{}", stale.join("\n"));
}

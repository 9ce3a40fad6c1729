//! Rules of the codebase that the compiler and clippy do not check: the order of the layers, APIs banned from pure
//! layers, headers, file sizes, dependencies, and the list of folders in ARCHITECTURE.md.

mod circles;
mod code;
mod dependencies;
mod game_order;
mod language;
mod paths;
mod refusals;
mod size;
mod names;

use paths::Paths;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Layers that take time, random numbers and bytes as values and never wait.
const PURE: [&str; 13] = [
    "base", "protocol", "text", "data", "script", "level", "puzzle", "catalog", "dungeon", "world", "game",
    "session", "tools",
];

/// Names banned from pure layers.
const BANNED: [&str; 12] = [
    "tokio", "sqlx", "std::fs", "std::net", "std::thread", "std::process", "std::env", "Instant",
    "SystemTime", "async", "await", "OsRng",
];

/// Layers without floating point, whose results must be the same on every machine.
const WITHOUT_FLOATS: [&str; 7] = ["script", "level", "puzzle", "dungeon", "world", "game", "tools"];

/// Folders of the sources of the product, each with its crate and the first step of its paths. A crate uses only those
/// before it.
const ROOTS: [(&str, &str, &str); 4] = [
    ("crates/core/src/", "deepwell_core", ""),
    ("crates/game/src/", "deepwell_game", "game"),
    ("crates/tools/src/", "deepwell_tools", "tools"),
    ("src/", "deepwell", ""),
];

struct Source {
    /// Path from the root, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// Returns the layer of a file of the product.
    fn layer(&self) -> &str {
        paths::module(&self.path).and_then(|steps| steps.first().copied()).unwrap_or_default()
    }

    /// Returns the lines without comments and without the text of literals, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, String)> {
        let lines: Vec<String> = code::bare(&self.text).lines().map(str::to_owned).collect();
        (1..).zip(lines)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the sources of the product.
fn product() -> Vec<Source> {
    let found: Vec<Source> = ROOTS.into_iter().flat_map(|(folder, ..)| sources(folder)).collect();
    assert!(ROOTS.iter().all(|(root, ..)| found.iter().any(|source| source.path.starts_with(root))));
    let crates = fs::read_dir(root().join("crates")).expect("a folder").count();
    assert_eq!(crates + 1, ROOTS.len(), "a crate is not checked");
    found
}

fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).expect("a path below the root").display().to_string();
                found.push(Source { path: name.replace('\\', "/"), text: read(&path) });
            }
        }
    }
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Fails with all complaints.
fn assert_no_complaints(complaints: &str) {
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// Returns the identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Returns the layers in order: the modules of each crate, the tools being one.
fn layers() -> Vec<String> {
    let declared = |(folder, _, first): (&str, &str, &str)| {
        let text = read(&root().join(folder).join("lib.rs"));
        let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        let modules: Vec<String> = modules.map(str::to_owned).collect();
        if first.is_empty() { modules } else { vec![first.to_owned()] }
    };
    ROOTS.into_iter().flat_map(declared).collect()
}

/// Returns the names that follow the root of the crate in the paths of a file.
fn uses(source: &Source) -> BTreeSet<String> {
    let paths = Paths::of(&source.text);
    paths.absolute(&source.path).filter_map(|path| Some((*path.first()?).to_owned())).collect()
}

#[test]
fn layer_uses_only_earlier_layers() {
    let layers = layers();
    assert!(PURE.iter().all(|layer| layers.iter().any(|known| known == layer)), "{layers:?}");
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let mut complaints = String::new();
    for source in product() {
        let Some(own) = rank(source.layer()) else { continue };
        for used in uses(&source).iter().filter(|used| rank(used).is_some_and(|used| used > own)) {
            let _ = writeln!(complaints, "{}: {} may not use {used}", source.path, source.layer());
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn used_layers_are_found_in_every_form() {
    let text = "use crate::{self as root, game::Game};\nuse crate::{\n    base, net::listener,\n};\n// crate::no\n\
                use deepwell_core::data;\nuse deepwell_tools::verify;\n\
                let x = (crate::store::open(\"crate::no\"), root::world::y, super::super::text::z);\n";
    let source = Source { path: "crates/core/src/base/id.rs".into(), text: text.into() };
    let seen = uses(&source);
    let wanted = ["base", "data", "game", "net", "store", "text", "tools", "world"];
    assert!(wanted.iter().all(|layer| seen.contains(*layer)) && !seen.contains("no"), "{seen:?}");
    assert_eq!(source.layer(), "base");
    let tool = Source { path: "crates/tools/src/verify.rs".into(), text: "use crate::stats;".into() };
    assert_eq!((tool.layer(), uses(&tool)), ("tools", ["tools".to_owned()].into()));
}

/// Returns the banned names in a file of a pure layer.
fn banned_names(source: &Source) -> BTreeSet<&'static str> {
    let code = code::bare(&source.text);
    let named: BTreeSet<&str> = words(&code).collect();
    let imports = paths::imports(&code);
    let is_used = |path: &str| code.contains(path) || imports.iter().any(|import| import.starts_with(path));
    let has = |banned: &str| if banned.contains("::") { is_used(banned) } else { named.contains(banned) };
    BANNED.into_iter().filter(|banned| has(banned)).collect()
}

#[test]
fn pure_layers_use_no_banned_names() {
    let mut complaints = String::new();
    for source in product().iter().filter(|source| PURE.contains(&source.layer())) {
        for banned in banned_names(source) {
            let _ = writeln!(complaints, "{}: {banned}", source.path);
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn banned_names_are_found_beside_literals_and_in_lists() {
    let text = "/// Not async.\nuse std::{fmt, net::{IpAddr}};\nlet a = \"await\"; // tokio\n\
                std::fs::write(\"a\", b);\nlet c = (\"d\", Instant::now());\n";
    let source = Source { path: "crates/game/src/a.rs".into(), text: text.into() };
    assert_eq!(banned_names(&source), ["Instant", "std::fs", "std::net"].into());
}

#[test]
fn deterministic_layers_use_no_floats() {
    let mut complaints = String::new();
    for source in product().iter().filter(|source| WITHOUT_FLOATS.contains(&source.layer())) {
        // Tests may compare with floating-point references.
        let rules = source.code().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (number, line) in rules {
            if words(&line).any(|word| word == "f32" || word == "f64") {
                let _ = writeln!(complaints, "{}:{number}: a float", source.path);
            }
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn every_file_has_a_header() {
    let mut complaints = String::new();
    for source in product().into_iter().chain(sources("tests")) {
        if !source.text.starts_with("//! ") {
            let _ = writeln!(complaints, "{}: no header", source.path);
        }
    }
    assert_no_complaints(&complaints);
}

/// No markers of unfinished work, and no paths of a developer's machine. The markers are written in parts, because this
/// file is checked too.
#[test]
fn no_todo_markers_or_local_paths() {
    let marks = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"], ["/ho", "me/"], ["/Us", "ers/"], ["/wo", "rk/"]];
    let marks = marks.map(|pieces| pieces.concat());
    let mut complaints = String::new();
    for source in product().into_iter().chain(["tests", "benches"].into_iter().flat_map(sources)) {
        for (number, line) in source.text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| line.contains(mark.as_str())) {
                let _ = writeln!(complaints, "{}:{}: {mark}", source.path, number + 1);
            }
        }
    }
    assert_no_complaints(&complaints);
}

/// SQL is static text with bound values. Two files compose statements from table and column names in the source; no
/// other file may use `AssertSqlSafe`.
#[test]
fn a9_sql_is_composed_in_two_files_without_data() {
    let places: Vec<String> = product()
        .into_iter()
        .filter(|source| !source.path.contains("/tests"))
        .filter(|source| source.code().any(|(_, line)| line.contains("AssertSqlSafe(")))
        .map(|source| source.path)
        .collect();
    assert_eq!(places, ["src/store/commit.rs", "src/store/load.rs"]);
}

/// The drawing in ARCHITECTURE.md shows every module of the game, in the order of `lib.rs`.
#[test]
fn architecture_drawing_shows_all_game_modules() {
    const WIDTH: usize = 66;
    let Ok(map) = fs::read_to_string(root().join("ARCHITECTURE.md")) else { return };
    let modules = game_order::modules();
    let drawing = map.split("```").find(|block| block.contains("+ GameEvent")).expect("a drawing");
    let left = drawing.lines().map(|line| line.get(..WIDTH).unwrap_or(line));
    let drawn: Vec<&str> =
        left.flat_map(str::split_whitespace).filter(|word| modules.iter().any(|name| name == word)).collect();
    assert_eq!(drawn, modules);
}

#[test]
fn architecture_names_every_folder() {
    let Ok(map) = fs::read_to_string(root().join("ARCHITECTURE.md")) else { return };
    let mut complaints = String::new();
    let mut folders: Vec<String> = product()
        .iter()
        .filter_map(|source| Some(source.path.rsplit_once('/')?.0.to_owned()))
        .filter(|folder| folder != "src")
        .collect();
    folders.dedup();
    for folder in folders {
        if !map.contains(&folder) {
            let _ = writeln!(complaints, "ARCHITECTURE.md does not name {folder}");
        }
    }
    assert_no_complaints(&complaints);
}

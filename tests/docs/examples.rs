//! TOML examples in the documentation can be loaded. The text behind the language names the file:
//!
//! - `toml config.toml`: settings;
//! - `toml content/mobs/rat.toml`: that file; several blocks with the same path are parts of one file;
//! - `toml in content/rules.toml`: keys of that file; the rest of the file is as shipped;
//! - `toml in content/areas/town.toml rooms`: keys of the first table of a list in that file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use deepwell::catalog::{BUILTIN, Catalog, Registries};
use deepwell::server::config::ConfigSources;
use toml::{Table, Value};

use crate::fences::{Fence, fences};
use crate::lamps::Lamps;
use crate::moss;

/// Inserts keys into a table. An existing key is replaced if `replace` is set, or else an error.
fn put(into: &mut Table, keys: Table, replace: bool) -> Result<(), String> {
    for (key, value) in keys {
        if into.insert(key.clone(), value).is_some() && !replace {
            return Err(format!("`{key}` stands in another part of the file, too"));
        }
    }
    Ok(())
}

fn shipped(path: &str) -> Result<Table, String> {
    let found = BUILTIN.iter().find(|(own, _)| *own == path);
    let (_, text) = found.ok_or_else(|| format!("content/{path} does not ship"))?;
    text.parse().map_err(|error| format!("content/{path}: {error}"))
}

/// Returns the shipped file with the keys of a block inserted, at top level or in the first table of a list.
fn changed(path: &str, list: Option<&str>, keys: Table) -> Result<Table, String> {
    let mut file = shipped(path)?;
    let into = match list {
        None => &mut file,
        Some(list) => file
            .get_mut(list)
            .and_then(Value::as_array_mut)
            .and_then(|tables| tables.first_mut())
            .and_then(Value::as_table_mut)
            .ok_or_else(|| format!("content/{path} has no tables `{list}`"))?,
    };
    put(into, keys, true)?;
    Ok(file)
}

/// Loads the shipped content with additional or replaced files.
pub(crate) fn load(files: &BTreeMap<String, Table>) -> Result<(), String> {
    let others = BUILTIN.iter().filter(|(path, _)| !files.contains_key(*path));
    let others = others.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let own = files.iter().map(|(path, file)| (path.clone(), file.to_string()));
    let files: Vec<(String, String)> = others.chain(own).collect();
    let mut registries = Registries::builtin();
    // The puzzle of docs/build/puzzles.md, and the part of docs/build/levels.md.
    registries.puzzles.register(Arc::new(Lamps));
    moss::register(&mut registries.parts);
    let lines = |mistakes: Vec<_>| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Catalog::load_with(&files, &registries).map(drop).map_err(lines)
}

fn read_settings(text: &str) -> Result<(), String> {
    let file = Some(("config.toml".to_owned(), text.to_owned()));
    let mistakes = ConfigSources { file, ..ConfigSources::default() }.check().err().unwrap_or_default();
    if mistakes.is_empty() { Ok(()) } else { Err(format!("{mistakes:#?}")) }
}

/// Loads a self-contained block immediately; a block that is a file, or a part of one, is added to `files`.
fn read(fence: &Fence, files: &mut BTreeMap<String, Table>) -> Result<(), String> {
    let words: Vec<&str> = fence.hint.split_whitespace().collect();
    let keys: Table = fence.text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let below = |path: &str| {
        path.strip_prefix("content/").map(str::to_owned).ok_or_else(|| format!("{path} is not content"))
    };
    match *words.as_slice() {
        ["config.toml"] => read_settings(&fence.text),
        ["in", path, ref list @ ..] if list.len() < 2 => {
            let path = below(path)?;
            let file = changed(&path, list.first().copied(), keys)?;
            load(&BTreeMap::from([(path, file)]))
        }
        [path] => put(files.entry(below(path)?).or_default(), keys, false),
        _ => Err("what file is it? say so behind `toml`".to_owned()),
    }
}

/// Every TOML example in a page can be loaded.
#[test]
fn toml_examples_load() {
    let (mut complaints, mut files) = (String::new(), BTreeMap::new());
    for fence in fences("toml") {
        if let Err(mistake) = read(&fence, &mut files) {
            let _ = writeln!(complaints, "{}: {mistake}", fence.place);
        }
    }
    assert!(files.len() >= 8, "the examples were not found");
    if let Err(mistake) = load(&files) {
        let _ = writeln!(complaints, "{mistake}");
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

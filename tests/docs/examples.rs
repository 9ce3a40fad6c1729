//! The TOML of the pages is what the program reads. What file a block is stands behind its language:
//!
//! - `toml config.toml`: settings;
//! - `toml content/mobs/rat.toml`: that file; several blocks with one path are parts of one file;
//! - `toml in content/rules.toml`: these keys of that file, the rest of which is as shipped;
//! - `toml in content/areas/town.toml rooms`: these keys of the first table of a list in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use deepwell::catalog::{BUILTIN, Catalog, Registries};
use deepwell::server::config::Sources;
use toml::{Table, Value};

use crate::fences::{Fence, fences};
use crate::lamps::Lamps;
use crate::moss;

/// Puts keys into a table; those of the same name are replaced, or complained about.
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

/// The shipped file with the keys of a block in it, or in the first table of one of its lists.
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

/// Loads what ships with some more files, or others in their places.
pub(crate) fn load(files: &BTreeMap<String, Table>) -> Result<(), String> {
    let others = BUILTIN.iter().filter(|(path, _)| !files.contains_key(*path));
    let others = others.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let own = files.iter().map(|(path, file)| (path.clone(), file.to_string()));
    let files: Vec<(String, String)> = others.chain(own).collect();
    let mut registries = Registries::builtin();
    // The puzzle that docs/puzzles.md makes, and the part of docs/levels.md.
    registries.puzzles.register(Arc::new(Lamps));
    moss::register(&mut registries.parts);
    let lines = |wrong: Vec<_>| wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Catalog::load_with(&files, &registries).map(drop).map_err(lines)
}

fn read_settings(text: &str) -> Result<(), String> {
    let file = Some(("config.toml".to_owned(), text.to_owned()));
    let wrong = Sources { file, ..Sources::default() }.check().err().unwrap_or_default();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong:#?}")) }
}

/// Reads a block that stands for itself; one that is a file, or a part of it, is put beside the others.
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

/// Whoever copies an example from a page gets something that loads.
#[test]
fn every_example_in_toml_is_read() {
    let (mut complaints, mut files) = (String::new(), BTreeMap::new());
    for fence in fences("toml") {
        if let Err(wrong) = read(&fence, &mut files) {
            let _ = writeln!(complaints, "{}: {wrong}", fence.place);
        }
    }
    assert!(files.len() >= 8, "the examples were not found");
    if let Err(wrong) = load(&files) {
        let _ = writeln!(complaints, "{wrong}");
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

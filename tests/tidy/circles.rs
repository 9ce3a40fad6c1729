//! Import cycles: files that import each other, directly or indirectly. Such files cannot be read, tested or moved
//! separately.
//!
//! Imports and paths in the code count, if they begin with `crate`, `super` or `self`. A name imported from a folder counts for the file of the folder that defines it, so
//! that a `mod.rs` may re-export names of its files. Imports from the `mod.rs` of an enclosing folder do not count.

use crate::code::bare;
use crate::{Source, assert_no_complaints, sources, words};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Returns the sources of the product, without tests.
pub(crate) fn product() -> Vec<Source> {
    let mut found = sources("src");
    let tests = ["/tests.rs", "_tests.rs", "/harness.rs", "/tests/", "/acceptance"];
    found.retain(|source| !tests.iter().any(|part| source.path.contains(part)));
    for source in &mut found {
        let tests = ["#[cfg(test)]\nmod tests {", "#[cfg(test)]\npub(super) mod tests {"];
        let end = tests.iter().filter_map(|start| source.text.find(start)).min();
        source.text.truncate(end.unwrap_or(source.text.len()));
    }
    found
}

/// Returns the paths that a text imports from this crate: `use super::{a, b::C};` gives two.
pub(crate) fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        let path = text[at + 4..].split(';').next().unwrap_or_default();
        let is_ours = ["crate::", "super::", "self::"].iter().any(|root| path.starts_with(root));
        if is_ours && ["", "pub", "pub(super)", "pub(crate)"].contains(&before) {
            expand(path, &mut found);
        }
    }
    found
}

/// Returns the paths of this crate that a text names in its code, outside of imports.
pub(crate) fn inline_paths(text: &str) -> Vec<String> {
    let code = bare(text);
    let is_import = |statement: &&str| {
        let statement = statement.trim_start().trim_start_matches("pub").trim_start();
        statement.starts_with("use ") || statement.starts_with('(') && statement.contains(") use ")
    };
    let mut found = Vec::new();
    let mut skips = false;
    for statement in code.split_inclusive([';', '{', '}']) {
        skips |= is_import(&statement);
        let paths = statement.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
        let ours =
            paths.filter(|path| ["crate::", "super::", "self::"].iter().any(|root| path.starts_with(root)));
        found.extend(ours.filter(|_| !skips).map(|path| path.trim_end_matches(':').to_owned()));
        skips &= !statement.ends_with(';');
    }
    found
}

/// Expands the braces of a path.
fn expand(path: &str, found: &mut Vec<String>) {
    let Some((head, list)) = path.split_once('{') else {
        return found.extend(path.split(" as ").next().map(|path| path.trim().to_owned()));
    };
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    };
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    for item in list.split(is_end).map(str::trim).filter(|item| !item.is_empty()) {
        expand(&format!("{head}{item}"), found);
    }
}

/// Returns the name that a line defines for other files, if any.
fn defined(line: &str) -> Option<&str> {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    let line = line.trim_start().strip_prefix("pub")?;
    let mut rest = words(line).skip_while(|word| ["super", "crate"].contains(word));
    kinds.contains(&rest.next()?).then(|| rest.find(|word| !kinds.contains(word)))?
}

/// Names defined by each file, by path.
type Names<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns the steps from the root of the crate of a path that a file names.
pub(crate) fn absolute<'a>(from: &'a str, path: &'a str) -> Option<Vec<&'a str>> {
    let mut module: Vec<&str> = from.strip_prefix("src/")?.strip_suffix(".rs")?.split('/').collect();
    module.pop_if(|last| *last == "mod");
    for step in path.split("::") {
        match step {
            "crate" => module.clear(),
            "super" => _ = module.pop(),
            "self" => {}
            name => module.push(name),
        }
    }
    Some(module)
}

/// Returns the file that a path refers to.
fn target(from: &str, path: &str, files: &Names<'_>) -> Option<String> {
    let module = absolute(from, path)?;
    (1..=module.len()).rev().find_map(|length| {
        let path = format!("src/{}", module[..length].join("/"));
        let face = [format!("{path}.rs"), format!("{path}/mod.rs")];
        let face = face.into_iter().find(|file| files.contains_key(file.as_str()))?;
        let name = module[length..].last().filter(|_| face.ends_with("/mod.rs"));
        let folder = format!("{path}/");
        let owns = |(file, names): &(&&str, &BTreeSet<&str>)| {
            file.starts_with(&folder) && name.is_some_and(|name| names.contains(name))
        };
        let mut owners = files.iter().filter(owns).map(|(file, _)| (*file).to_owned());
        let owner = owners.next().filter(|_| owners.next().is_none());
        Some(owner.unwrap_or(face))
    })
}

/// Returns the files that each file uses, by path.
fn graph(sources: &[Source]) -> BTreeMap<&str, BTreeSet<String>> {
    let mut files = Names::new();
    for source in sources {
        files.insert(&source.path, source.text.lines().filter_map(defined).collect());
    }
    let edges = |source: &Source| {
        let from = &source.path;
        let is_around = |to: &str| to.strip_suffix("mod.rs").is_some_and(|folder| from.starts_with(folder));
        let paths = imports(&source.text).into_iter().chain(inline_paths(&source.text));
        let targets = paths.filter_map(|path| target(from, &path, &files));
        targets.filter(|to| to != from && !is_around(to)).collect()
    };
    sources.iter().map(|source| (source.path.as_str(), edges(source))).collect()
}

/// Returns the sets of files that import each other, each set once.
fn circles(sources: &[Source]) -> BTreeSet<BTreeSet<String>> {
    let graph = graph(sources);
    let reached = |from: &str| {
        let (mut found, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(files) = next.pop().and_then(|file| graph.get(file)) {
            next.extend(files.iter().filter(|file| found.insert((*file).clone())).map(String::as_str));
        }
        found
    };
    let reached: BTreeMap<&str, BTreeSet<String>> = graph.keys().map(|file| (*file, reached(file))).collect();
    let circle = |(file, others): (&&str, &BTreeSet<String>)| {
        let back = |other: &&String| reached.get(other.as_str()).is_some_and(|files| files.contains(*file));
        others.iter().filter(back).cloned().collect()
    };
    reached.iter().map(circle).filter(|files: &BTreeSet<String>| !files.is_empty()).collect()
}

#[test]
fn no_import_cycles() {
    let mut complaints = String::new();
    for files in circles(&product()) {
        let names = files.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let _ = writeln!(complaints, "a circle of {} files: {names}", files.len());
    }
    assert_no_complaints(&complaints);
}

#[test]
fn import_cycles_are_found_in_every_form() {
    let text = "use std::fmt;\nuse crate::level::{self, Cell as Place, layout::{Layout, grow}};\n pub use super::x;\n";
    let paths = ["level::self", "level::Cell", "level::layout::Layout", "level::layout::grow"];
    assert_eq!(
        imports(text),
        [&paths.map(|path| format!("crate::{path}"))[..], &["super::x".into()]].concat()
    );
    let text = "pub(crate) use super::{a, b};\nfn c() {\n    self::d::e(\"crate::f\") // super::g\n}\n";
    assert_eq!(inline_paths(text), ["self::d::e"]);
    assert_eq!(defined("    pub(super) const fn one() {}"), Some("one"));
    assert_eq!(defined("    pub(super) code: u8,"), None);
    let source = |(path, text): (&str, &str)| Source { path: format!("src/level/{path}"), text: text.into() };
    let files = [
        ("mod.rs", "pub use self::cell::Cell;\npub use self::layout::Layout;\n"),
        ("cell.rs", "use super::Layout;\npub struct Cell;\n"),
        ("layout.rs", "pub trait Layout {\n    fn of(name: &str, cell: super::cell::Cell);\n}\n"),
        ("stage.rs", "use super::{Cell, Layout};\n"),
    ];
    let found = circles(&files.map(source));
    assert_eq!(found.iter().flatten().collect::<Vec<_>>(), ["src/level/cell.rs", "src/level/layout.rs"]);
}

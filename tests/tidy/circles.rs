//! Import cycles: files that use each other, directly or indirectly. Such files cannot be read, tested or moved
//! separately.
//!
//! Imports count, and so do paths in the code. A name imported from a folder counts for the file of the folder that
//! defines it, so that a `mod.rs` may re-export names of its files. Paths to the file of an
//! enclosing module, `a/mod.rs` or `a.rs` for a file in `a/`, do not count.

use crate::paths::{Files, Paths, product, target};
use crate::{Source, assert_no_complaints};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Returns the files that each file uses, by path.
fn graph(sources: &[Source]) -> BTreeMap<&str, BTreeSet<String>> {
    let files: Files<'_> =
        sources.iter().map(|source| (source.path.as_str(), Paths::of(&source.text))).collect();
    let edges = |from: &str| {
        let is_around = |to: &str| {
            let module = to.strip_suffix("/mod.rs").or(to.strip_suffix(".rs")).unwrap_or(to);
            from.strip_prefix(module).is_some_and(|inner| inner.starts_with('/'))
        };
        let targets = files[from].absolute(from).filter_map(|path| target(&path, &files));
        targets.filter(|to| to != from && !is_around(to)).collect()
    };
    files.keys().map(|from| (*from, edges(from))).collect()
}

/// Returns the sets of files that use each other, each set once.
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
    let uses_of_layout = [
        "use super::Layout;\n",
        "use crate::level::{layout::Layout as Plan};\n",
        "fn of(layout: super::layout::Layout) {}\n",
        "fn of() { crate::level::Layout::new(\"\") }\n",
        "use crate::level;\nfn of() { level::Layout::new(\"\") }\n",
        "use super::super::level as plans;\nfn of() { plans::layout::new() }\n",
        "fn of() {\n    use super::layout;\n    layout::new();\n}\n",
    ];
    for text in uses_of_layout {
        let source = |(path, text): (&str, &str)| Source {
            path: format!("crates/core/src/level/{path}"),
            text: text.into(),
        };
        let files = [
            ("mod.rs", "mod cell;\nmod layout;\npub use cell::Cell;\npub use self::layout::{Layout, new};\n"),
            ("cell.rs", text),
            ("layout.rs", "fn of(cell: super::Cell) {}\n"),
            ("other.rs", "use super::{Cell, Layout};\npub struct Layout;\n"),
        ];
        let found = circles(&files.map(source));
        let circle = ["crates/core/src/level/cell.rs", "crates/core/src/level/layout.rs"];
        assert_eq!(found.iter().flatten().collect::<Vec<_>>(), circle, "{text}");
    }
}

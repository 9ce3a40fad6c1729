//! Sizes: lines of a file, entries of a folder, and the ledger of the code lines of each crate.

use crate::{ROOTS, Source, assert_no_complaints, paths, product, read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Maximum length of a file of the product, in lines.
const LINES_MAX: usize = 600;

/// Maximum number of entries of a folder, so that its list reads like a table of contents. The modules in the folder of a
/// crate are layers, which `lib.rs` lists in order.
const ENTRIES_MAX: usize = 25;

/// Number of lines by which a crate may be smaller than its line in the ledger.
const SLACK: usize = 400;

#[test]
fn files_are_below_the_line_limit() {
    let mut complaints = String::new();
    for source in product() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            let _ = writeln!(complaints, "{}: {lines} lines, at most {LINES_MAX}", source.path);
        }
    }
    assert_no_complaints(&complaints);
}

/// Returns the entries of each folder, from the paths of its files.
fn entries<'a>(files: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mut path in files {
        while let Some((folder, entry)) = path.rsplit_once('/') {
            folders.entry(folder).or_default().insert(entry);
            path = folder;
        }
    }
    folders
}

#[test]
fn folders_have_few_entries() {
    let product = product();
    let mut complaints = String::new();
    for (folder, entries) in entries(product.iter().map(|source| source.path.as_str())) {
        let is_crate = ROOTS.iter().any(|(root, ..)| root.trim_end_matches('/') == folder);
        if entries.len() > ENTRIES_MAX && !is_crate {
            let _ = writeln!(complaints, "{folder}: {} entries, at most {ENTRIES_MAX}", entries.len());
        }
    }
    assert_no_complaints(&complaints);
    let files = ["a/b/c.rs", "a/b/d.rs", "a/e.rs"];
    assert_eq!(entries(files.into_iter())["a"], ["b", "e.rs"].into());
}

/// Each module that has files of its own is a folder with a `mod.rs`.
#[test]
fn modules_have_one_style() {
    let product = product();
    let folders = entries(product.iter().map(|source| source.path.as_str()));
    let beside = product.iter().filter(|source| folders.contains_key(source.path.trim_end_matches(".rs")));
    let complaints: Vec<String> =
        beside.map(|source| format!("{}: move it to mod.rs", source.path)).collect();
    assert_no_complaints(&complaints.join("\n"));
}

/// Returns the number of lines with code.
fn code_lines(source: &Source) -> usize {
    source.code().filter(|(_, line)| !line.trim().is_empty()).count()
}

/// The ledger has a line for each crate: its folder, its code lines without tests, and what they are for. Code lines are
/// a cost: who adds them changes the number and says for what.
#[test]
fn crates_have_the_size_of_the_ledger() {
    let mut sizes: BTreeMap<&str, usize> = ROOTS.iter().map(|(root, ..)| (*root, 0)).collect();
    for source in paths::product() {
        let root = ROOTS.iter().find(|(root, ..)| source.path.starts_with(root)).expect("a crate");
        *sizes.entry(root.0).or_default() += code_lines(&source);
    }
    let ledger = read(&root().join("tests/tidy/ledger.txt"));
    let entries = ledger.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut complaints = String::new();
    for entry in entries {
        let mut fields = entry.splitn(3, ' ');
        let (folder, number) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let most: usize = number.parse().unwrap_or_else(|_| panic!("no number in the ledger: {entry}"));
        assert!(
            fields.next().is_some_and(|reason| reason.ends_with('.')),
            "no sentence in the ledger: {entry}"
        );
        let lines = sizes.remove(folder).unwrap_or_else(|| panic!("no crate of the ledger: {entry}"));
        if lines > most || lines + SLACK < most {
            let _ =
                writeln!(complaints, "{folder} has {lines} code lines, tests/tidy/ledger.txt says {most}");
        }
    }
    let missing = sizes.keys().map(|folder| format!("{folder} is not in tests/tidy/ledger.txt\n"));
    complaints.extend(missing);
    assert_no_complaints(&complaints);
}

#[test]
fn code_lines_have_no_comments() {
    let text = "//! Header.\n\nuse a::b;\n/// Doc.\nfn c() {\n    // Reason.\n    d();\n}\n";
    assert_eq!(code_lines(&Source { path: "src/a.rs".into(), text: text.into() }), 4);
}

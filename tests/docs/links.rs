//! Links between pages, and paths of pages in comments, messages, scripts and settings, lead to existing files and
//! headings.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fences::{name, pages, root};

/// Folders that hold no files of the repository.
const SKIPPED: [&str; 4] = [".git", "target", "var", "node_modules"];

/// Returns every text file of the repository, with its text.
fn texts() -> Vec<(PathBuf, String)> {
    let (mut folders, mut found) = (vec![root().to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let skipped = SKIPPED.iter().any(|skipped| path.ends_with(skipped));
            if path.is_dir() && !skipped {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
    found
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns `true` if a page has a heading with this anchor, outside of fenced blocks.
fn has_heading(page: &str, name: &str) -> bool {
    let outside = page.split("\n```").step_by(2);
    let mut lines = outside.flat_map(str::lines);
    lines.any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == name)
}

/// Returns the file that a target such as `page.md#heading` names, or `None` if the file or the heading is missing.
fn resolve(page: &Path, base: &Path, target: &str) -> Option<PathBuf> {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { base.join(file).canonicalize().ok()? };
    let found = heading.is_empty() || has_heading(&fs::read_to_string(&path).ok()?, heading);
    found.then_some(path)
}

/// Every page is linked from another page, and no link between pages is dead.
#[test]
fn links_between_pages_are_valid() {
    let (mut linked, mut complaints) = (Vec::new(), String::new());
    let content = root().join("content");
    let markdown =
        |path: &Path| path.extension().is_some_and(|end| end == "md") && !path.starts_with(&content);
    for (page, text) in texts().into_iter().filter(|(path, _)| markdown(path)) {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            match resolve(&page, page.parent().expect("a folder"), target) {
                Some(path) => linked.extend((path != page).then_some(path)),
                None => _ = writeln!(complaints, "{}: the link to {target} is dead", name(&page)),
            }
        }
    }
    for page in &pages()[1..] {
        if !linked.contains(page) {
            let _ = writeln!(complaints, "{}: no page links to it", name(page));
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// Returns the paths below `docs` that a text names, each with its leading `../` and its heading.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    text.match_indices("docs/").filter_map(move |(at, _)| {
        let mut start = at;
        while text[..start].ends_with("../") {
            start -= "../".len();
        }
        let end = text[at..].find(|c| !is_part(c) && c != '#').map_or(text.len(), |length| at + length);
        // A longer path, such as that of these tests, or a word that ends with "docs".
        (!text[..start].ends_with(is_part)).then(|| text[start..end].trim_end_matches(['.', '#']))
    })
}

/// Every path below `docs` that a file of the repository names exists.
#[test]
fn named_pages_exist() {
    let (mut complaints, mut checked) = (String::new(), 0);
    for (file, text) in texts() {
        for target in named(&text) {
            checked += 1;
            let folder = file.parent().expect("a folder");
            let base = if target.starts_with("../") { folder } else { root() };
            if resolve(&file, base, target).is_none() {
                let _ = writeln!(complaints, "{}: {target} does not exist", name(&file));
            }
        }
    }
    assert!(checked > 100, "the paths were not found");
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn paths_are_found_in_a_text() {
    // The names must not be found in this file.
    let text = "See D/play/a.md. Or \"../../D/b.md#c-d\", not tests/D/x.rs, x-D/y.".replace('D', "docs");
    let found = named(&text).map(|path| path.replace("docs", "D"));
    assert_eq!(found.collect::<Vec<_>>(), ["D/play/a.md", "../../D/b.md#c-d"]);
}

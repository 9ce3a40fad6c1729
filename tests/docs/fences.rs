//! The fenced blocks of the pages, each with its place, so that a test can take them at their word.

use std::fs;
use std::path::{Path, PathBuf};

/// A block between two lines of three backticks.
pub(crate) struct Fence {
    /// The page and the line in it: "docs/building.md:80".
    pub(crate) place: String,
    /// The word behind the backticks: the language.
    pub(crate) language: String,
    /// What else stands there.
    pub(crate) hint: String,
    pub(crate) text: String,
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for people: those beside the program, and those of `docs`.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<_> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .into_iter()
        .map(|name| root().join(name))
        .collect();
    for folder in ["docs", "docs/decisions"] {
        let entries =
            fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut found: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
        found.sort();
        pages.extend(found);
    }
    pages
}

/// Every block of a language in every page.
pub(crate) fn fences(language: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    for path in pages() {
        let page = path.strip_prefix(root()).expect("a page below the root").display().to_string();
        let text = fs::read_to_string(&path).expect("a page");
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let Some(info) = line.strip_prefix("```") else { continue };
            let body: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let (kind, hint) = info.split_once(' ').unwrap_or((info, ""));
            found.push(Fence {
                place: format!("{page}:{number}"),
                language: kind.to_owned(),
                hint: hint.trim().to_owned(),
                text: body.join("\n") + "\n",
            });
        }
    }
    found.retain(|fence| fence.language == language);
    found
}

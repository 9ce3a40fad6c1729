//! Fenced blocks and code spans of the documentation, with their locations, for other tests to check.

use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block.
pub(crate) struct Fence {
    /// Page and line, such as "docs/build/building.md:80".
    pub(crate) place: String,
    /// Language: the word behind the backticks.
    pub(crate) language: String,
    /// Rest of the opening line.
    pub(crate) hint: String,
    pub(crate) text: String,
}

/// A checkable part of a page.
pub(crate) enum Checkable {
    Block(Fence),
    /// A code span: location and text.
    Span(String, String),
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages for readers: those in the root of the repository, and those below `docs`.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<_> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .into_iter()
        .map(|name| root().join(name))
        .collect();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let (inner, mut files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        folders.sort();
        files.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
        files.sort();
        pages.extend(files);
    }
    pages
}

/// Returns the path of a page from the root of the repository.
pub(crate) fn name(page: &Path) -> String {
    page.strip_prefix(root()).expect("a page below the root").display().to_string()
}

/// Returns the blocks and code spans of a page, in order.
pub(crate) fn passages(page: &str) -> Vec<Checkable> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    let (mut found, mut paragraph, mut begins) = (Vec::new(), String::new(), 1);
    let mut lines = (1..).zip(text.lines().chain([""]));
    while let Some((number, line)) = lines.next() {
        let info = line.strip_prefix("```");
        // Each table row is a paragraph; `\|` in a row is an escaped bar.
        if info.is_some() || line.trim().is_empty() || line.starts_with('|') {
            let spans = paragraph.split('`').skip(1).step_by(2).map(|span| span.replace("\\|", "|"));
            found.extend(spans.map(|span| Checkable::Span(format!("{page}:{begins}"), span)));
            (paragraph, begins) = (String::new(), number);
        }
        let Some(info) = info else {
            paragraph += line.trim();
            paragraph.push(' ');
            continue;
        };
        let body: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let (kind, hint) = info.split_once(' ').unwrap_or((info, ""));
        found.push(Checkable::Block(Fence {
            place: format!("{page}:{number}"),
            language: kind.to_owned(),
            hint: hint.trim().to_owned(),
            text: body.join("\n") + "\n",
        }));
    }
    found
}

fn everything() -> impl Iterator<Item = Checkable> {
    pages().into_iter().flat_map(|page| passages(&name(&page)))
}

/// Returns every block of every page.
pub(crate) fn all_fences() -> Vec<Fence> {
    let fence = |passage| match passage {
        Checkable::Block(fence) => Some(fence),
        Checkable::Span(..) => None,
    };
    everything().filter_map(fence).collect()
}

/// Returns every block of a language in every page.
pub(crate) fn fences(language: &str) -> Vec<Fence> {
    let mut found = all_fences();
    found.retain(|fence| fence.language == language);
    found
}

/// Returns every code span of every page, with its location.
pub(crate) fn spans() -> Vec<(String, String)> {
    let span = |passage| match passage {
        Checkable::Span(place, span) => Some((place, span)),
        Checkable::Block(_) => None,
    };
    everything().filter_map(span).collect()
}

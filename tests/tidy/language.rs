//! Limits on the language of comments, function names and pages. The words that count are in `vague-words.txt`.

use crate::{Source, assert_no_complaints, read, root, sources};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum share of doc comments that begin with a question word, in percent.
const QUESTIONS_PERCENT_MAX: usize = 4;

/// Maximum number of vague words in 10,000 words of comments or pages.
const VAGUE_PER_TEN_THOUSAND_MAX: usize = 5;

/// The word list in `vague-words.txt`.
struct WordList {
    /// Words and phrases, each as its words in lower case.
    vague: Vec<Vec<String>>,
    question: Vec<String>,
}

impl WordList {
    fn load() -> Self {
        let text = read(&root().join("tests/tidy/vague-words.txt"));
        let (vague, question) = text.split_once("\n[question]\n").expect("a second section");
        let (_, vague) = vague.split_once("\n[vague]\n").expect("a first section");
        Self {
            vague: vague.lines().map(plain_words).filter(|phrase| !phrase.is_empty()).collect(),
            question: plain_words(question),
        }
    }

    /// Returns the vague words and phrases of a text, each as often as it occurs.
    fn vague_in(&self, text: &str) -> Vec<String> {
        let words = plain_words(text);
        let suffixes = (0..words.len()).map(|start| &words[start..]);
        suffixes
            .flat_map(|suffix| self.vague.iter().filter(|phrase| suffix.starts_with(phrase)))
            .map(|phrase| phrase.join(" "))
            .collect()
    }

    fn begins_with_question(&self, text: &str) -> bool {
        plain_words(text).first().is_some_and(|word| self.question.contains(word))
    }
}

/// Returns the words of a text in lower case.
fn plain_words(text: &str) -> Vec<String> {
    let is_separator = |c: char| !(c.is_alphabetic() || c == '\'');
    text.split(is_separator).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// A comment that fills whole lines: the line of its start, its marker (`///`, `//!` or `//`) and its text.
struct Comment {
    line: usize,
    marker: &'static str,
    text: String,
}

impl Comment {
    fn is_doc(&self) -> bool {
        self.marker != "//"
    }
}

fn comments(source: &Source) -> Vec<Comment> {
    let mut found: Vec<Comment> = Vec::new();
    let mut previous = None;
    for (number, line) in (1..).zip(source.text.lines()) {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker));
        match (marker, found.last_mut()) {
            (Some(marker), Some(last)) if previous == Some(marker) => {
                last.text.push('\n');
                last.text.push_str(&line[marker.len()..]);
            }
            (Some(marker), _) => {
                found.push(Comment { line: number, marker, text: line[marker.len()..].to_owned() });
            }
            (None, _) => {}
        }
        previous = marker;
    }
    found
}

/// Returns the sources of the product and of its tests, apart from each other.
fn parts() -> [(&'static str, Vec<Source>); 2] {
    let product = ["src", "crates", "benches", "examples"].into_iter().flat_map(sources).collect();
    [("the product", product), ("the tests", sources("tests"))]
}

/// Returns the pages in the root folder and below `docs`.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).expect("a folder");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.starts_with(root().join("docs")) && path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns a page without its code blocks.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Compares a count with a limit; the complaint lists the first places.
fn compare(complaints: &mut String, what: &str, places: &[String], limit: usize) {
    if places.len() > limit {
        let _ = writeln!(complaints, "{what}: {} places, at most {limit}:", places.len());
        for place in places.iter().take(50) {
            let _ = writeln!(complaints, "    {place}");
        }
    }
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let list = WordList::load();
    let mut complaints = String::new();
    for (part, sources) in parts() {
        let (mut all, mut places) = (0, Vec::new());
        for source in &sources {
            for comment in comments(source).iter().filter(|comment| comment.is_doc()) {
                all += 1;
                if list.begins_with_question(&comment.text) {
                    places.push(format!("{}:{}", source.path, comment.line));
                }
            }
        }
        compare(&mut complaints, part, &places, all * QUESTIONS_PERCENT_MAX / 100);
    }
    assert_no_complaints(&complaints);
}

#[test]
fn comments_use_precise_words() {
    let list = WordList::load();
    let mut complaints = String::new();
    for (part, sources) in parts() {
        let (mut all, mut places) = (0, Vec::new());
        for source in &sources {
            for comment in comments(source) {
                all += plain_words(&comment.text).len();
                for word in list.vague_in(&comment.text) {
                    places.push(format!("{}:{}: {word}", source.path, comment.line));
                }
            }
        }
        compare(&mut complaints, part, &places, all * VAGUE_PER_TEN_THOUSAND_MAX / 10_000);
    }
    assert_no_complaints(&complaints);
}

#[test]
fn function_names_use_precise_words() {
    let list = WordList::load();
    let mut complaints = String::new();
    for (_, sources) in parts() {
        for source in &sources {
            for (number, line) in source.code() {
                let Some((_, tail)) = line.split_once("fn ") else { continue };
                let name = tail.split(['(', '<']).next().unwrap_or_default();
                for word in list.vague_in(&name.replace('_', " ")) {
                    let _ = writeln!(complaints, "{}:{number}: {name}: {word}", source.path);
                }
            }
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn pages_use_precise_words() {
    let list = WordList::load();
    let (mut all, mut places) = (0, Vec::new());
    for page in pages(root()) {
        let text = prose(&read(&page));
        all += plain_words(&text).len();
        let name = page.strip_prefix(root()).expect("a path below the root").display().to_string();
        places.extend(list.vague_in(&text).into_iter().map(|word| format!("{name}: {word}")));
    }
    let mut complaints = String::new();
    compare(&mut complaints, "the pages", &places, all * VAGUE_PER_TEN_THOUSAND_MAX / 10_000);
    assert_no_complaints(&complaints);
}

#[test]
fn vague_words_and_questions_are_found() {
    let list = WordList::load();
    assert_eq!(
        list.vague_in("Somebody stands there, whoever comes of it."),
        ["somebody", "stands", "whoever", "comes of", "of it"]
    );
    assert!(
        list.begins_with_question("Whether the exit is open.") && !list.begins_with_question("Returns what")
    );
    let text = "//! First.\n\n/// What one\n/// gets.\nfn f() {}\n// Plain.\n";
    let source = Source { path: "src/a.rs".into(), text: text.into() };
    let found: Vec<(usize, bool)> =
        comments(&source).iter().map(|comment| (comment.line, comment.is_doc())).collect();
    assert_eq!(found, [(1, true), (3, true), (6, false)]);
    assert_eq!(prose("a\n```\nwhoever\n```\nb"), "a\n\nb");
}

//! Every error that an operator may read is caused by a test: a part of each sentence is in one.

use std::fs;
use std::path::Path;

use crate::fences::root;

/// Files with errors for operators.
const FILES: [&str; 12] = [
    "src/store/error.rs",
    "src/store/batches/chain.rs",
    "src/net/tls/mod.rs",
    "src/server/files/child.rs",
    "src/server/cli/mod.rs",
    "src/server/content/mod.rs",
    "src/server/control/error.rs",
    "src/server/backups/mod.rs",
    "src/server/start/lifecycle.rs",
    "src/server/start/next_start.rs",
    "src/server/content/reload.rs",
    "src/server/config/in_force.rs",
];
/// Sentences that no test can cause, with the reason.
const NEVER: [(&str, &str); 2] = [
    ("may lose committed data; this server needs 3.51.3", "SQLite is part of the program"),
    ("the host is stopping", "the restart and the stop would have to meet within microseconds"),
];
/// Number of words in a row by which a sentence is recognised in a test.
const WORDS: usize = 3;

/// Returns the code of a file, and of its module of tests.
fn halves(text: &str) -> (&str, &str) {
    text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((text, ""))
}

/// Adds the code of all tests below a folder.
fn read_tests(folder: &Path, tests: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            read_tests(&entry, tests);
        } else if entry.extension().is_some_and(|end| end == "rs") && name != "sentences.rs" {
            let text = fs::read_to_string(&entry).expect("a text");
            let is_test = name == "tests.rs" || entry.components().any(|part| part.as_os_str() == "tests");
            tests.push_str(if is_test { &text } else { halves(&text).1 });
        }
    }
}

/// Returns the sentences of the errors in a file, each split at the values that are filled in.
fn sentences(code: &str) -> Vec<Vec<String>> {
    let found = code.split("#[error(").skip(1).filter_map(|rest| {
        let text = rest.trim_start().strip_prefix('"')?;
        let end = text.match_indices('"').find(|(at, _)| !text[..*at].ends_with('\\'))?.0;
        Some(text[..end].replace("\\n", " ").replace('\\', ""))
    });
    let parts = |text: String| {
        let mut parts = vec![String::new()];
        let mut depth = 0;
        for letter in text.chars() {
            match letter {
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    parts.push(String::new());
                }
                _ if depth == 0 => parts.last_mut().expect("a part").push(letter),
                _ => {}
            }
        }
        parts
    };
    found.map(parts).collect()
}

/// Returns `true` if a test has enough words of a sentence.
fn is_tested(parts: &[String], tests: &str) -> bool {
    parts.iter().any(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        words.windows(WORDS).any(|some| tests.contains(&some.join(" ")))
    })
}

#[test]
fn every_error_for_operators_is_caused_by_a_test() {
    let mut tests = String::new();
    for folder in ["tests", "src", "crates"] {
        read_tests(&root().join(folder), &mut tests);
    }
    // Lines that end with a backslash continue a text.
    let tests = tests.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut seen, mut missing) = (0, Vec::new());
    for file in FILES {
        let text = fs::read_to_string(root().join(file)).expect("a source file");
        for parts in sentences(halves(&text).0) {
            let longest = parts.iter().max_by_key(|part| part.len()).expect("a part");
            let is_never = NEVER.iter().any(|(fragment, _)| longest.contains(fragment));
            if longest.split_whitespace().count() < WORDS || is_never {
                continue;
            }
            seen += 1;
            if !is_tested(&parts, &tests) {
                missing.push(format!("{file}: {}", parts.join("…")));
            }
        }
    }
    assert!(seen > 60, "the sentences were not found: {seen}");
    assert!(missing.is_empty(), "no test causes\n{}", missing.join("\n"));
}

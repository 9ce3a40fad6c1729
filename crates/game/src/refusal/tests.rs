//! Tests of the form of all refusals.

use super::*;
use std::fs;
use std::path::{Path, PathBuf};

/// Texts completed by another layer, and parts of sentences.
const PARTS: &[&str] = &[
    "{}",
    "{0}",
    "settings look like size_x=5",
    "that is no number",
    "{kind} has {known}",
    "it takes {0}",
    "it {0}",
    "There is no {what} \"{key}\"{nearest}{}",
];

/// Adds all source files below a folder.
fn find_sources(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            find_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

/// Extracts the literal after every occurrence of a macro or attribute that is followed by one.
fn literals(source: &str, opening: &str) -> Vec<String> {
    let texts = source.split(opening).skip(1).filter_map(|rest| {
        let mut letters = rest.trim_start().strip_prefix('"')?.chars();
        let mut sentence = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => break,
                '\\' => match letters.next() {
                    Some('\n') => letters = letters.as_str().trim_start().chars(),
                    escaped => sentence.extend(escaped),
                },
                letter => sentence.push(letter),
            }
        }
        Some(sentence)
    });
    texts.collect()
}

fn is_sentence(text: &str) -> bool {
    let first = text.chars().next();
    text.ends_with('.')
        && !text.ends_with("..")
        && !text.contains("  ")
        && text.trim() == text
        && first.is_some_and(|first| !first.is_whitespace())
}

/// Checks the literals of `refuse!` in all sources, and those of the remaining enums.
#[test]
fn written_refusals_are_whole_sentences() {
    let mut sources = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    find_sources(&folder, &mut sources);
    let (mut written, mut of_enums) = (0, 0);
    for path in sources.iter().filter(|path| !path.ends_with("refusal/tests.rs")) {
        let source = fs::read_to_string(path).expect("a source in UTF-8");
        let mut sentences = literals(&source, "refuse!(");
        written += sentences.len();
        if path.starts_with(folder.join("refusal")) {
            let more = literals(&source, "#[error(");
            of_enums += more.len();
            sentences.extend(more);
        }
        for text in sentences {
            assert!(is_sentence(&text) || PARTS.contains(&text.as_str()), "{}: {text}", path.display());
        }
    }
    assert!(written >= 1 && of_enums >= 1, "{written} literals of refuse!, {of_enums} of enums");
}

#[test]
fn general_refusals_are_whole_sentences() {
    let word = || "lamp".to_owned();
    let all = [
        Refusal::NoWay,
        Refusal::NoStairs,
        Refusal::NothingFound,
        Refusal::Blocked("A rat bars the way.".into()),
        Refusal::InCombat,
        Refusal::NotFighting,
        Refusal::NowhereToFlee,
        Refusal::NoFighting,
        Refusal::NotPlayers,
        Refusal::Yourself,
        Refusal::AlreadyFighting(word()),
        Refusal::NotHere(word()),
        Refusal::Missing("look"),
        Refusal::NotListening(word()),
        Refusal::NobodyToReplyTo,
        Refusal::NotCarried(word()),
        Refusal::HandsFull,
        Refusal::Unknown(word(), None),
        Refusal::Down,
        Refusal::Held,
        Refusal::TooPoor(5),
        Refusal::NotAllowed,
        Refusal::ReadOnly,
        Refusal::WorldLocked,
        Refusal::BranchFull,
        Refusal::TooManyBranches,
        Refusal::Amount(AmountError::Zero),
        Refusal::Amount(AmountError::Negative),
        Refusal::Amount(AmountError::TooMuch),
        Refusal::Amount(AmountError::NotANumber),
    ];
    for refusal in all {
        assert!(is_sentence(refusal.markup().text()), "{refusal:?}: {}", refusal.markup().text());
    }
    // The two questions.
    for asking in [Refusal::NothingToSay, Refusal::Unknown(word(), Some(word()))] {
        let text = asking.markup().text().to_owned();
        assert!(text.ends_with('?') && !text.contains("  "), "{text}");
    }
}

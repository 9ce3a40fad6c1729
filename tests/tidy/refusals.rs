//! Form of the refusals that rules write with `refuse!`: whole sentences.

#[path = "../../crates/game/src/refusal/sentence_form.rs"]
mod sentence_form;

use crate::{assert_no_complaints, product};
use sentence_form::is_sentence;
use std::fmt::Write as _;

/// Literals that are no statement, or that an argument completes.
const OTHERS: &[&str] = &[
    "What do you want to say?",
    "{count} of what?",
    "There is no {what} \"{key}\"{nearest}{}",
    "No draft of it can be made: {mistake}",
    "The script {key} is not in force: {why}",
];

/// Number of literals that the test must find at least, so that it notices when it reads the wrong files.
const LITERALS_MIN: usize = 400;

/// Extracts the literal of every `refuse!` in a source.
fn literals(source: &str) -> impl Iterator<Item = String> {
    source.split("refuse!(").skip(1).map(|rest| {
        let mut letters = rest.trim_start().strip_prefix('"').expect("a literal in quotes").chars();
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
        sentence
    })
}

#[test]
fn written_refusals_are_whole_sentences() {
    let (mut count, mut complaints) = (0, String::new());
    for source in product().iter().filter(|source| source.layer() == "game") {
        for text in literals(&source.text) {
            // An argument at the end adds a sentence.
            let sentence = text.strip_suffix("{}").map_or(&*text, str::trim_end);
            if !is_sentence(sentence) && !OTHERS.contains(&&*text) {
                let _ = writeln!(complaints, "{}: {text}", source.path);
            }
            count += 1;
        }
    }
    assert_no_complaints(&complaints);
    assert!(count >= LITERALS_MIN, "{count} literals of refuse!");
}

//! Marking of phrases that a player has chosen, in the texts that this player reads.

use super::{Markup, Style};
use std::collections::BTreeSet;

/// Word before a marked line where its style is not seen.
const LABEL: &str = "Marked: ";

/// Returns a text without capitals. Each byte keeps its position: a letter whose lower case has another length stays.
pub fn fold(text: &str) -> String {
    let lower = |letter: char| {
        let mut lower = letter.to_lowercase();
        lower.next().filter(|one| lower.len() == 0 && one.len_utf8() == letter.len_utf8()).unwrap_or(letter)
    };
    text.chars().map(lower).collect()
}

/// Returns the text with the style of each phrase changed, and with a word before each line that has one if they are
/// `labelled`; `None` if it has none. Phrases are folded, and match whole words.
pub fn mark(text: &Markup, phrases: &BTreeSet<String>, labelled: bool) -> Option<Markup> {
    let folded = fold(text.text());
    let is_marked = marked_bytes(&folded, phrases)?;
    let mut marked = Markup::with_capacity(folded.len());
    let mut from = 0;
    let mut begins = true;
    for (style, run) in text.runs() {
        for (at, letter) in run.char_indices() {
            let at = from + at;
            if begins && labelled {
                let line = folded[at..].find('\n').map_or(folded.len(), |end| at + end);
                if is_marked[at..line].contains(&true) {
                    marked.push(Style::Highlight, LABEL);
                }
            }
            begins = letter == '\n';
            let style = if is_marked[at] { Style::Highlight } else { style };
            marked.push(style, letter.encode_utf8(&mut [0; 4]));
        }
        from += run.len();
    }
    Some(marked)
}

/// Returns which bytes belong to a phrase; `None` if no byte does.
fn marked_bytes(folded: &str, phrases: &BTreeSet<String>) -> Option<Vec<bool>> {
    let mut is_marked = Vec::new();
    for phrase in phrases.iter().filter(|phrase| !phrase.is_empty()) {
        for (at, _) in folded.match_indices(phrase.as_str()) {
            let end = at + phrase.len();
            let (before, after) = (folded[..at].chars().next_back(), folded[end..].chars().next());
            if [before, after].into_iter().flatten().any(char::is_alphanumeric) {
                continue;
            }
            is_marked.resize(folded.len(), false);
            is_marked[at..end].fill(true);
        }
    }
    Some(is_marked).filter(|bytes| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phrases(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|word| fold(word)).collect()
    }

    fn runs(markup: &Markup) -> Vec<(Style, &str)> {
        markup.runs().collect()
    }

    #[test]
    fn whole_words_are_marked_in_any_case_across_styles() {
        let text = Markup::plain("A rat, a RAT").with(Style::Creature, " trap and a separate Ёж.");
        let marked = mark(&text, &phrases(&["rat", "rat trap", "ёж"]), false).unwrap();
        assert_eq!(
            runs(&marked),
            [
                (Style::Plain, "A "),
                (Style::Highlight, "rat"),
                (Style::Plain, ", a "),
                (Style::Highlight, "RAT trap"),
                (Style::Creature, " and a separate "),
                (Style::Highlight, "Ёж"),
                (Style::Creature, "."),
            ]
        );
        assert_eq!(mark(&text, &phrases(&["ra", "cat", ""]), true), None);
    }

    #[test]
    fn label_precedes_each_line_with_a_phrase() {
        let marked =
            mark(&Markup::plain("One.\nTwo rats.\n\nA rat."), &phrases(&["rat", "two"]), true).unwrap();
        assert_eq!(marked.text(), "One.\nMarked: Two rats.\n\nMarked: A rat.");
    }

    proptest! {
        /// Any text keeps its words with any phrases.
        #[test]
        fn text_is_kept(text in ".{0,80}", phrase in ".{0,3}") {
            prop_assert_eq!(fold(&text).len(), text.len());
            let markup = Markup::plain(&text);
            if let Some(marked) = mark(&markup, &phrases(&[&phrase]), false) {
                prop_assert_eq!(marked.text(), text);
            }
        }
    }
}

//! Sanitising of text written by players, from any source. Words are kept; their content is not judged here.

use unicode_segmentation::UnicodeSegmentation;

use crate::base::unicode;

/// Returns one clean line of at most `max_chars` characters, trimmed, and cut at a grapheme boundary.
pub fn clean_line(text: &str, max_chars: usize) -> String {
    let clean = unicode::clean(text);
    cut(clean.trim_matches(' '), max_chars).trim_end_matches(' ').to_owned()
}

/// Paragraph separator for text typed on one line. One blank behind it is part of the separator.
pub const PARAGRAPH: &str = "\\n";

/// Returns a text in the form in which every text of several lines is kept: clean lines without blanks at their ends,
/// and no empty ones. Blanks at the start of a line stay, because maps and signs need them.
///
/// Files, commands and imports pass their texts through this function, so that each reads what another has written.
pub fn text_form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    for line in text.split('\n') {
        let line = unicode::clean(line);
        let line = line.trim_end_matches(' ');
        if !line.is_empty() {
            form.extend([if form.is_empty() { "" } else { "\n" }, line]);
        }
    }
    form
}

/// Returns a typed text in its [`text_form`], with at most `max_chars` characters. Lines are separated in the input by
/// line ends or [`PARAGRAPH`].
pub fn clean_text(typed: &str, max_chars: usize) -> String {
    let mut lines = String::with_capacity(typed.len());
    for line in typed.split('\n') {
        let line = unicode::clean(line);
        for (at, part) in line.split(PARAGRAPH).enumerate() {
            let part = if at > 0 { part.strip_prefix(' ').unwrap_or(part) } else { part };
            lines.extend([part, "\n"]);
        }
    }
    let form = text_form(&lines);
    text_form(cut(&form, max_chars))
}

/// Returns the line that [`clean_text`] reads as this text.
pub fn typed_text(text: &str) -> String {
    let typed = text.replace('\n', &format!(" {PARAGRAPH} "));
    // A command drops the blanks before its text.
    if typed.starts_with(' ') { format!("{PARAGRAPH} {typed}") } else { typed }
}

/// Returns the longest prefix of at most `max_chars` characters that ends at a grapheme boundary.
fn cut(text: &str, max_chars: usize) -> &str {
    if text.len() <= max_chars {
        return text;
    }
    let mut chars = 0;
    let over = text.grapheme_indices(true).find(|(_, grapheme)| {
        chars += grapheme.chars().count();
        chars > max_chars
    });
    over.map_or(text, |(at, _)| &text[..at])
}

/// Returns the words of a text in small letters, without punctuation, separated by single spaces.
pub fn plain_words(text: &str) -> String {
    let letters = text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Escape codes are disarmed, and a line stays one line.
    #[test]
    fn t1_line_stays_one_clean_line() {
        assert_eq!(
            clean_line("  hi\x1b[31m\tthere\r\nOlad dies.\u{9b}2J ", 99),
            "hi[31m there  Olad dies.2J"
        );
        assert_eq!(clean_line("a\u{202E}b\u{200B}c\u{E0041}", 99), "abc");
    }

    #[test]
    fn paragraphs_stay_separate() {
        assert_eq!(clean_text("one\x1b \n\\n two\tthree\n", 99), "one\ntwo three");
        assert_eq!(clean_text("one\ntwo\nthree", 6), "one\ntw");
        assert_eq!(clean_text("one\ntwo", 4), "one");
    }

    #[test]
    fn blanks_at_line_starts_stay() {
        assert_eq!(text_form("  +--+ \n\n  |\tN|\r\n \n+\u{7}"), "  +--+\n  | N|\n+");
        assert_eq!(clean_text("\\n   +--+ \\n   | N|", 99), "  +--+\n  | N|");
    }

    #[test]
    fn truncation_keeps_graphemes_whole() {
        assert_eq!(clean_line("one two three", 8), "one two");
        assert_eq!(clean_line("ab q\u{301}\u{302}", 4), "ab");
        assert_eq!(clean_line("abc", 0), "");
    }

    proptest! {
        #[test]
        fn cleaning_respects_the_length_limit(text in any::<String>(), max in 0_usize..40) {
            let line = clean_line(&text, max);
            prop_assert!(line.chars().count() <= max && !line.contains('\n'));
            prop_assert_eq!(clean_line(&line, max), line.as_str());
            let cleaned = clean_text(&text, max);
            prop_assert!(cleaned.chars().count() <= max);
            prop_assert_eq!(text_form(&cleaned), cleaned.as_str());
        }

        /// A text in its form is the same after it has been typed as one line.
        #[test]
        fn typed_text_is_read_as_the_text(text in r"(?s)[ a-z.+|~\t\u{301}\u{200d}\n]{0,40}") {
            let form = text_form(&text);
            prop_assert_eq!(text_form(&form), form.as_str());
            let typed = typed_text(&form);
            prop_assert!(!typed.contains('\n'));
            prop_assert_eq!(clean_text(typed.trim(), usize::MAX), form);
        }
    }
}

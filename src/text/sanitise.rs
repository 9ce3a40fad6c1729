//! Sanitising of text written by players, from any source. Words are kept; their content is not judged here.

use unicode_segmentation::UnicodeSegmentation;

use crate::base::unicode;

/// Returns one clean line of at most `max_chars` characters, trimmed, and cut at a grapheme boundary.
pub fn clean_line(text: &str, max_chars: usize) -> String {
    let clean = unicode::clean(text);
    cut(clean.trim_matches(' '), max_chars).trim_end_matches(' ').to_owned()
}

/// Paragraph separator for text typed on one line.
pub const PARAGRAPH: &str = "\\n";

/// Returns clean paragraphs, separated in the input by line ends or [`PARAGRAPH`], with at most `max_chars` characters
/// in all.
pub fn clean_text(text: &str, max_chars: usize) -> String {
    let mut clean = String::new();
    let mut left = max_chars;
    for paragraph in text.split('\n').flat_map(|line| line.split(PARAGRAPH)) {
        let line = clean_line(paragraph, left.saturating_sub(usize::from(!clean.is_empty())));
        if line.is_empty() {
            continue;
        }
        if !clean.is_empty() {
            clean.push('\n');
            left -= 1;
        }
        left -= line.chars().count();
        clean.push_str(&line);
    }
    clean
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
        assert_eq!(clean_text(" one\x1b \n\\n two\tthree\n", 99), "one\ntwo three");
        assert_eq!(clean_text("one\ntwo\nthree", 6), "one\ntw");
        assert_eq!(clean_text("one\ntwo", 4), "one");
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
            let paragraphs = clean_text(&text, max);
            prop_assert!(paragraphs.chars().count() <= max && !paragraphs.contains("\n\n"));
            prop_assert_eq!(clean_text(&paragraphs, max), paragraphs.as_str());
        }
    }
}

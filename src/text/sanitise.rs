//! Text that players write, made fit to be shown to others, by whatever door it came.
//! Keeps words; which of them may be said is not its business.

use unicode_segmentation::UnicodeSegmentation;

use crate::base::unicode;

/// One line of at most `max_chars` characters: cleaned, without spaces around it, cut between graphemes.
pub fn clean_line(text: &str, max_chars: usize) -> String {
    let clean = unicode::clean(text);
    cut(clean.trim_matches(' '), max_chars).trim_end_matches(' ').to_owned()
}

/// The longest front part of at most `max_chars` characters that ends between graphemes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// T1: escape codes lose what makes them work; a line stays one line.
    #[test]
    fn a_line_is_one_clean_line() {
        assert_eq!(
            clean_line("  hi\x1b[31m\tthere\r\nOlad dies.\u{9b}2J ", 99),
            "hi[31m there  Olad dies.2J"
        );
        assert_eq!(clean_line("a\u{202E}b\u{200B}c\u{E0041}", 99), "abc");
    }

    #[test]
    fn a_cut_keeps_graphemes_whole() {
        assert_eq!(clean_line("one two three", 8), "one two");
        assert_eq!(clean_line("ab q\u{301}\u{302}", 4), "ab");
        assert_eq!(clean_line("abc", 0), "");
    }

    proptest! {
        #[test]
        fn cleaning_keeps_its_bounds(text in any::<String>(), max in 0_usize..40) {
            let line = clean_line(&text, max);
            prop_assert!(line.chars().count() <= max && !line.contains('\n'));
            prop_assert_eq!(clean_line(&line, max), line.as_str());
        }
    }
}

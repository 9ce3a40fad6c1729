//! Rendering of markup to linear text for screen readers: words in order, without visual elements. Drawings are removed
//! here; their content must also be given in words.

use super::{Markup, wrap};
use crate::base::unicode;

/// Appends a text for a screen reader: no colour, no wrapping, no layout.
///
/// Rulers and drawings (lines without a letter or digit, unless the text has only one line, such as a prompt) are left
/// out, as are box-drawing characters. Runs of spaces become one space, and runs of empty lines one. Continuation lines
/// of speech get a spoken prefix, because their indent cannot be heard. Lines are separated by `\n`, without one at the
/// end.
pub fn render(markup: &Markup, out: &mut String) {
    let mut gap = false;
    let mut first = true;
    let one_line = !markup.text().contains('\n');
    wrap::lines(markup, None, |line| {
        let text = &markup.text()[line.range];
        if text.trim().is_empty() {
            gap = !first;
        } else if one_line || text.chars().any(char::is_alphanumeric) {
            if !first {
                out.push_str(if gap { "\n\n" } else { "\n" });
            }
            (first, gap) = (false, false);
            if line.indent > 0 {
                out.push_str(STILL_SPEAKING);
            }
            push_words(out, text.trim_start());
        }
    });
}

/// Prefix of continuation lines of speech.
const STILL_SPEAKING: &str = "still speaking: ";

/// Drawing characters: lines, boxes, blocks and shades.
const DRAWN: std::ops::RangeInclusive<char> = '\u{2500}'..='\u{25ff}';

/// Appends a line with runs of spaces collapsed; a trailing space is kept, for prompts.
fn push_words(out: &mut String, line: &str) {
    let mut before = ' ';
    out.extend(line.chars().filter(|c| {
        let left_out = *c == ' ' && before == ' ' || DRAWN.contains(c) || !unicode::is_printable(*c);
        if !left_out {
            before = *c;
        }
        !left_out
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Style;
    use proptest::prelude::*;

    fn linear(markup: &Markup) -> String {
        let mut out = String::new();
        render(markup, &mut out);
        out
    }

    #[test]
    fn drawings_and_layout_are_removed() {
        let screen = Markup::styled(Style::RoomName, "The Well")
            .and("\n==========\n\n\n  HP:   12 / 30\n   #--@\n   |\n\n- a lamp\n");
        assert_eq!(linear(&screen), "The Well\n\nHP: 12 / 30\n\n- a lamp");
        assert_eq!(linear(&"name: ".into()), "name: ");
        assert_eq!(linear(&"> ".into()), "> ");
        assert_eq!(linear(&"│ hp   ██▒▒ 12 │".into()), "hp 12 ");
    }

    /// Speech stays attributed to its speaker without layout, too.
    #[test]
    fn t4_continued_speech_stays_attributed() {
        let speech = Markup::plain("Mallory: ").with(Style::Speech, "hm\nOlad dies.");
        assert_eq!(linear(&speech), "Mallory: hm\nstill speaking: Olad dies.");
    }

    proptest! {
        #[test]
        fn every_word_is_preserved(words in prop::collection::vec("[a-z]{1,9}[.,]?|\n| ", 0..60)) {
            let screen = words.join(" ");
            let heard = linear(&screen.as_str().into());
            prop_assert!(heard.split_whitespace().eq(screen.split_whitespace()));
            prop_assert!(!heard.contains("  ") && !heard.contains("\n\n\n"));
        }
    }
}

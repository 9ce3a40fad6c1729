//! Markup as linear text for screen readers: words in order, nothing that only the eye understands.
//! What a picture means must be said in words by whoever drew it; this takes the picture away (protocols 10).

use super::{Markup, wrap};
use crate::base::unicode;

/// Appends a text for somebody who listens to it: no colour, no wrapping, no layout.
///
/// Rulers and drawings (lines of three characters or more without a letter or digit) are left out, rows of spaces
/// become one space, several empty lines one. Lines are parted by `\n`, with none at the end.
pub fn render(markup: &Markup, out: &mut String) {
    let mut gap = false;
    let mut first = true;
    wrap::lines(markup, None, |line| {
        let text = &markup.text()[line.range];
        if text.trim().is_empty() {
            gap = !first;
        } else if !is_drawing(text) {
            if !first {
                out.push_str(if gap { "\n\n" } else { "\n" });
            }
            (first, gap) = (false, false);
            out.extend(std::iter::repeat_n(' ', line.indent));
            push_words(out, text.trim_start());
        }
    });
}

fn is_drawing(line: &str) -> bool {
    !line.chars().any(char::is_alphanumeric) && line.trim().chars().nth(2).is_some()
}

/// Adds a line with each row of spaces as one; a space at the end stays, for prompts.
fn push_words(out: &mut String, line: &str) {
    let mut before = '\0';
    out.extend(line.chars().filter(|c| {
        let repeated = *c == ' ' && before == ' ';
        before = *c;
        !repeated && unicode::is_printable(*c)
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
    fn drawings_and_layout_go_and_words_stay() {
        let screen = Markup::styled(Style::RoomName, "The Well")
            .and("\n==========\n\n\n  HP:   12 / 30\n   #--@\n   |\n\n- a lamp\n");
        assert_eq!(linear(&screen), "The Well\n\nHP: 12 / 30\n|\n\n- a lamp");
        assert_eq!(linear(&"name: ".into()), "name: ");
        assert_eq!(linear(&"> ".into()), "> ");
    }

    /// T4 holds without layout too.
    #[test]
    fn what_a_speaker_puts_on_a_new_line_stays_theirs() {
        let speech = Markup::plain("Mallory: ").with(Style::Speech, "hm\nOlad dies.");
        assert_eq!(linear(&speech), "Mallory: hm\n    Olad dies.");
    }

    proptest! {
        #[test]
        fn every_word_is_kept(words in prop::collection::vec("[a-z]{1,9}[.,]?|\n| ", 0..60)) {
            let screen = words.join(" ");
            let heard = linear(&screen.as_str().into());
            prop_assert!(heard.split_whitespace().eq(screen.split_whitespace()));
            prop_assert!(!heard.contains("  ") && !heard.contains("\n\n\n"));
        }
    }
}

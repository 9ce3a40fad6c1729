//! Which characters are text (T1, T3, protocols 7.1). One predicate serves both directions: what a client types
//! is cleaned with it before anybody sees it, and what leaves for a client passes it again at the very end.
//! Markup and colours are not its business.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Combining marks one base character may carry; more only serve to paint over other lines.
const MARKS_MAX: usize = 2;

/// Whether a character may be shown as itself: not a control, not invisible, not turning the writing direction.
///
/// Newline and tab are not printable; those who allow them say so themselves.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let invisible = matches!(c,
        '\u{80}'..='\u{9f}' // C1 controls; U+009B alone begins a terminal command
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' // zero width, direction marks
        | '\u{2028}'..='\u{202e}' // line separators, direction embedding
        | '\u{2060}'..='\u{206f}' // invisible operators, direction isolates
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' // private use, noncharacters
        | '\u{e0000}'..='\u{e0fff}' // tags and variation selectors
        | '\u{f0000}'..='\u{10ffff}');
    let noncharacter = u32::from(c) & 0xfffe == 0xfffe;
    !invisible && !noncharacter
}

/// Makes one line of text out of whatever was sent: tabs become spaces, everything unprintable goes, the rest
/// is composed (NFC) with at most two combining marks a base and none without a base.
pub fn clean(text: &str) -> String {
    let kept = text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| is_printable(*c));
    // A mark at the start would join whatever the server writes before the text.
    let mut room_for_marks = 0;
    kept.nfc()
        .filter(|c| {
            if !is_combining_mark(*c) {
                room_for_marks = MARKS_MAX;
                return true;
            }
            let fits = room_for_marks > 0;
            room_for_marks = room_for_marks.saturating_sub(1);
            fits
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn t1_controls_go_and_tabs_become_spaces() {
        assert_eq!(clean("a\tb\r\nc\u{1b}[2J\u{7}d\u{7f}\u{9b}31m"), "a bc[2Jd31m");
    }

    #[test]
    fn t1_invisible_and_direction_characters_go() {
        for c in "\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{61c}\u{e0041}\u{e000}\u{fffe}\u{1fffe}\u{2028}"
            .chars()
        {
            assert!(!is_printable(c), "{c:?}");
            assert_eq!(clean(&format!("a{c}b")), "ab");
        }
        assert_eq!(clean("caf\u{e9} Ж 中 🙂 \u{fffd}"), "caf\u{e9} Ж 中 🙂 \u{fffd}");
    }

    #[test]
    fn t1_text_is_composed_and_marks_are_capped() {
        assert_eq!(clean("e\u{301}"), "\u{e9}");
        assert_eq!(clean("x\u{301}\u{302}\u{303}\u{304}y"), "x\u{301}\u{302}y");
        assert_eq!(clean("\u{301}\u{302}a"), "a");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn t1_cleaning_twice_changes_nothing(text in any::<String>()) {
            let once = clean(&text);
            prop_assert!(once.chars().all(is_printable));
            prop_assert_eq!(clean(&once), once);
        }
    }
}

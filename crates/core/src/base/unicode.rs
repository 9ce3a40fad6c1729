//! Cleaning of untrusted text, line by line: defines the characters allowed through. All text from clients, builders
//! and the network passes through here first. Length limits and line structure are up to the caller.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum number of combining marks on a base character; more could paint over other lines.
const MARKS_MAX: u8 = 2;

/// Zero-width joiner, which joins two emoji into one. Removed everywhere else, as it is invisible.
pub const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// Returns `true` if a character is allowed in text shown to others.
///
/// Control codes, bidirectional controls, zero-width characters, tags, private use, noncharacters and other invisible
/// characters are not. Context is ignored: [`clean`] also keeps joiners inside emoji.
pub fn is_allowed(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let invisible = matches!(
        c,
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul and Khmer fillers.
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}'
        // Mongolian selectors; zero width and direction marks; separators and bidi; invisible operators.
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        // Variation selectors except the emoji selector; byte order mark; interlinear marks.
        | '\u{FE00}'..='\u{FE0E}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFC}'
        // Controls of shorthand and music; tags and further selectors, with the rest of their plane.
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{EFFFF}'
    );
    let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}');
    let noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    !(c.is_control() || invisible || private || noncharacter)
}

/// Returns `true` if a character may be sent to a terminal: allowed text, and the joiners that [`clean`] keeps inside
/// emoji.
pub fn is_printable(c: char) -> bool {
    is_allowed(c) || c == ZERO_WIDTH_JOINER
}

/// Returns text for a terminal or a log, with each character that [`is_printable`] refuses as an escape such as `\u001b`,
/// which JSON and TOML read as well. Line ends and tabs stay.
pub fn escape_unprintable(text: &str) -> Cow<'_, str> {
    let stays = |c: char| is_printable(c) || matches!(c, '\n' | '\t');
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if stays(c) {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    Cow::Owned(escaped)
}

/// Returns the number of bytes of printable ASCII at the start of a text.
///
/// Most text is plain, and all of it is checked before it is sent: blocks of bytes are checked without a branch for
/// each byte.
pub fn plain_len(text: &str) -> usize {
    const BLOCK: usize = 16;
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte);
    let is_plain_block = |block: &&[u8]| block.iter().fold(true, |plain, byte| plain & is_plain(byte));
    let bytes = text.as_bytes();
    let checked = bytes.chunks_exact(BLOCK).take_while(is_plain_block).count() * BLOCK;
    checked + bytes.iter().skip(checked).take_while(|byte| is_plain(byte)).count()
}

/// Converts to lower case. Most words that players type are in lower case already and are not copied.
pub fn lowercase(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.to_lowercase())
}

/// Returns one line with all characters removed that [`is_allowed`] refuses.
///
/// Tabs, line ends and every other kind of space become a space. The rest is normalised to NFC, with at most two
/// combining marks per character and none without a base. Cleaning is idempotent.
pub fn clean(line: &str) -> Cow<'_, str> {
    if plain_len(line) == line.len() {
        return Cow::Borrowed(line);
    }
    let mut kept = String::with_capacity(line.len());
    let mut before = ' ';
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let c = if is_space(c) { ' ' } else { c };
        let joins = c == ZERO_WIDTH_JOINER
            && is_pictograph(before)
            && characters.peek().is_some_and(|after| is_pictograph(*after));
        if joins || is_allowed(c) {
            kept.push(c);
            before = c;
        }
    }
    Cow::Owned(with_few_marks(kept.nfc()).nfc().collect())
}

/// Removes marks without a base and marks beyond [`MARKS_MAX`] in a row.
fn with_few_marks(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut marks = MARKS_MAX;
    text.filter(move |c| {
        // The joiner is not a base: marks must not follow it.
        marks = match *c {
            c if is_combining_mark(c) => marks.saturating_add(1),
            ZERO_WIDTH_JOINER => marks,
            ' ' => MARKS_MAX,
            _ => 0,
        };
        marks <= MARKS_MAX
    })
}

/// Returns `true` for spaces of any width and for control characters that separate words.
fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r')
        || (c.is_whitespace() && !c.is_control() && !matches!(c, '\u{2028}'..='\u{2029}'))
}

/// Returns `true` for emoji and for characters between an emoji and a joiner: skin tones and the emoji selector.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Forbidden characters are removed, the text around them stays.
    #[test]
    fn t1_forbidden_characters_are_removed() {
        for forbidden in [
            '\0', '\u{7}', '\u{1B}', '\u{7F}', '\u{80}', '\u{9B}', '\u{9D}', '\u{AD}', '\u{34F}', '\u{61C}',
            '\u{115F}', '\u{200B}', '\u{200D}', '\u{200E}', '\u{202A}', '\u{202E}', '\u{2028}', '\u{2029}',
            '\u{2060}', '\u{2066}', '\u{2069}', '\u{3164}', '\u{E000}', '\u{F8FF}', '\u{FDD0}', '\u{FEFF}',
            '\u{FFF9}', '\u{FFFE}', '\u{1FFFF}', '\u{E0001}', '\u{E007F}', '\u{F0000}', '\u{10FFFF}',
        ] {
            assert!(!is_allowed(forbidden), "{forbidden:?}");
            assert_eq!(clean(&format!("a{forbidden}b")), "ab", "{forbidden:?}");
        }
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in
            ["Look out!", "naïve café", "Žižka", "Привет", "日本語", "שלום", "สวัสดี", "€ 5 — “fine”…", "😀 ❤️"]
        {
            assert_eq!(clean(text), text);
        }
        assert!(matches!(clean("plain ASCII"), Cow::Borrowed(_)));
    }

    #[test]
    fn plain_text_ends_before_the_first_other_character() {
        for len in 0..100 {
            let plain = "x".repeat(len);
            assert_eq!(plain_len(&plain), len);
            for other in ["\n", "\u{7f}", "\u{1f}", "é"] {
                assert_eq!(plain_len(&format!("{plain}{other}{plain}")), len, "{len} {other:?}");
            }
        }
    }

    #[test]
    fn t3_unprintable_characters_are_escaped() {
        assert_eq!(escape_unprintable("a\n\tb \u{e9}"), "a\n\tb \u{e9}");
        assert_eq!(
            escape_unprintable("\u{1b}[2J\r\u{9b}\u{202e}\u{10ffff}"),
            r"\u001b[2J\u000d\u009b\u202e\udbff\udfff"
        );
    }

    #[test]
    fn spaces_of_any_kind_become_a_space() {
        assert_eq!(clean("a\tb\nc\rd\u{A0}e\u{3000}f"), "a b c d e f");
    }

    #[test]
    fn marks_are_composed_and_limited() {
        assert_eq!(clean("e\u{301}"), "é");
        assert_eq!(clean("q\u{301}\u{302}\u{303}\u{304}!"), "q\u{301}\u{302}!");
        assert_eq!(clean("\u{301}\u{302}x \u{301}"), "x ");
    }

    #[test]
    fn joiner_is_kept_only_between_emoji() {
        assert_eq!(clean("👩\u{200D}🚒"), "👩\u{200D}🚒");
        assert_eq!(clean("👩\u{200D}a\u{200D}🚒\u{200D}"), "👩a🚒");
    }

    proptest! {
        #[test]
        fn cleaning_is_idempotent(text in any::<String>()) {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
            prop_assert!(once.chars().all(|c| is_allowed(c) || c == ZERO_WIDTH_JOINER));
        }
    }
}

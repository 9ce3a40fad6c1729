//! Character sets of a connection: decoding of input lines, and encoding of text for the client. `telnet::capabilities`
//! chooses the character set.

use encoding_rs::{WINDOWS_1251, WINDOWS_1252};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A character set of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Unicode.
    #[default]
    Utf8,
    /// ISO 8859-1; other characters are folded.
    Latin1,
    /// Windows-1251 (Cyrillic); other characters are folded.
    Cp1251,
    /// ASCII; other characters are folded.
    Ascii,
}

impl Encoding {
    /// Returns the character set with this name, ignoring case; `None` if it is not supported.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Some(Self::Utf8),
            "iso-8859-1" | "iso8859-1" | "latin-1" | "latin1" => Some(Self::Latin1),
            "windows-1251" | "cp1251" | "cp-1251" | "win1251" => Some(Self::Cp1251),
            "us-ascii" | "ascii" => Some(Self::Ascii),
            _ => None,
        }
    }

    /// Decodes one received line. Never fails.
    ///
    /// Valid UTF-8 is decoded as UTF-8 in every character set. Otherwise invalid bytes become U+FFFD in UTF-8; in the
    /// other sets the whole line is decoded as Windows-1251 if that was chosen, else as Windows-1252, the superset of
    /// Latin-1 that terminals usually mean. Undefined bytes become U+FFFD too. Since lines that differ only in such
    /// bytes become equal, passwords must not contain U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        match (str::from_utf8(bytes), self) {
            (Ok(text), _) => text.to_owned(),
            (Err(_), Self::Utf8) => String::from_utf8_lossy(bytes).into_owned(),
            (Err(_), Self::Cp1251) => decoded(WINDOWS_1251, bytes),
            (Err(_), Self::Latin1 | Self::Ascii) => decoded(WINDOWS_1252, bytes),
        }
    }

    /// Appends the bytes for a character, or for its nearest equivalent in this set.
    pub fn encode(self, c: char, into: &mut Vec<u8>) {
        match (self, u8::try_from(c)) {
            (_, Ok(byte)) if byte.is_ascii() => into.push(byte),
            (Self::Utf8, _) => into.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            (Self::Latin1, Ok(byte)) => into.push(byte),
            (Self::Cp1251, _) => match WINDOWS_1251.encode(c.encode_utf8(&mut [0; 4])) {
                (bytes, _, false) if !c.is_control() => into.extend_from_slice(&bytes),
                _ => fold(c, into),
            },
            (Self::Latin1 | Self::Ascii, _) => fold(c, into),
        }
    }
}

/// Replacement for bytes that are undefined in a character set.
const UNDEFINED: char = '\u{fffd}';

/// Decodes bytes of a character set in which each byte is a character.
fn decoded(set: &'static encoding_rs::Encoding, bytes: &[u8]) -> String {
    // The decoder turns undefined bytes into control characters.
    let text = set.decode_without_bom_handling(bytes).0;
    text.chars().map(|c| if matches!(c, '\u{80}'..='\u{9f}') { UNDEFINED } else { c }).collect()
}

/// Appends the ASCII spelling of a character: from the table, else its base letters without marks, else a question
/// mark.
fn fold(c: char, into: &mut Vec<u8>) {
    if let Some(spelling) = spelling(c) {
        into.extend_from_slice(spelling.as_bytes());
        return;
    }
    for part in std::iter::once(c).nfkd() {
        match (u8::try_from(part), spelling(part)) {
            (Ok(byte), _) if byte.is_ascii() => into.push(byte),
            (_, Some(spelling)) => into.extend_from_slice(spelling.as_bytes()),
            _ if is_combining_mark(part) => {}
            _ => into.push(b'?'),
        }
    }
}

/// Returns the ASCII spelling of a character for which decomposition does not provide one.
#[expect(clippy::match_same_arms, reason = "grouped by what the characters are; ranges catch what is left")]
fn spelling(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' => "-",
        '—' | '―' => "--",
        '‘' | '’' | '‚' | '‛' | '′' | '‹' | '›' => "'",
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => "\"",
        '…' => "...",
        '•' | '·' | '◦' | '∙' => "*",
        '×' => "x",
        '÷' | '\u{2044}' => "/",
        '→' => "->",
        '←' => "<-",
        '↑' => "^",
        '↓' => "v",
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '═' | '╴' | '╶' | '╸' | '╺' | '╼' | '╾' => {
            "-"
        }
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '╵' | '╷' | '╹' | '╻' | '╽' | '╿' => {
            "|"
        }
        '╱' => "/",
        '╲' => "\\",
        '╳' => "X",
        '\u{2500}'..='\u{257f}' => "+",
        '▓' => "=",
        '▒' => ":",
        '░' => ".",
        '\u{2580}'..='\u{259f}' => "#",
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' => "th",
        'Þ' => "Th",
        'ı' => "i",
        '€' => "EUR",
        '£' => "GBP",
        '©' => "(c)",
        '®' => "(R)",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(encoding: Encoding, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        text.chars().for_each(|c| encoding.encode(c, &mut bytes));
        bytes
    }

    #[test]
    fn protocols_7_2_folds_to_ascii() {
        let cases = [
            ("café Ångström", "cafe Angstrom"),
            ("— – ‘a’ “b” …", "-- - 'a' \"b\" ..."),
            ("• × →", "* x ->"),
            ("┌─┐│█▓▒░", "+-+|#=:."),
            ("Straße æ ø ł € ½ ﬁ", "Strasse ae o l EUR 1/2 fi"),
            ("Ж 🙂", "? ?"),
        ];
        for (text, folded) in cases {
            assert_eq!(encoded(Encoding::Ascii, text), folded.as_bytes(), "{text}");
        }
        assert_eq!(encoded(Encoding::Latin1, "é—"), b"\xe9--");
        assert_eq!(encoded(Encoding::Utf8, "é"), "é".as_bytes());
    }

    #[test]
    fn n11_decoding_never_fails() {
        assert_eq!(Encoding::Utf8.decode(b"a\xe9b"), "a\u{fffd}b");
        assert_eq!(Encoding::Ascii.decode(b"a\xe9b\x93"), "aéb“");
        assert_eq!(Encoding::Ascii.decode("é".as_bytes()), "é");
        for byte in 0..=255 {
            for encoding in [Encoding::Utf8, Encoding::Latin1, Encoding::Cp1251, Encoding::Ascii] {
                assert_eq!(encoding.decode(&[byte]).chars().count(), 1);
            }
        }
    }

    #[test]
    fn character_set_names_ignore_case() {
        assert_eq!(Encoding::named("utf-8"), Some(Encoding::Utf8));
        assert_eq!(Encoding::named("US-ASCII"), Some(Encoding::Ascii));
        assert_eq!(Encoding::named("Latin1"), Some(Encoding::Latin1));
        assert_eq!(Encoding::named("KOI8-R"), None);
    }

    #[test]
    fn windows_1251_round_trips_cyrillic() {
        let bytes = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xb8\xe6!";
        assert_eq!(Encoding::Cp1251.decode(bytes), "Привет, ёж!");
        assert_eq!(encoded(Encoding::Cp1251, "Привет, ёж!"), bytes);
        assert_eq!(encoded(Encoding::Cp1251, "é中"), b"e?");
        for name in ["windows-1251", "CP1251"] {
            assert_eq!(Encoding::named(name), Some(Encoding::Cp1251), "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn protocols_14_8_ascii_output_is_ascii(text in any::<String>()) {
            prop_assert!(encoded(Encoding::Ascii, &text).is_ascii());
        }
    }
}

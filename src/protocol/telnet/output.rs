//! Encoding of text for a client. Only printable text, line ends, and the server's colour and link sequences are sent;
//! all other characters are removed.

use super::codec::IAC;
use crate::protocol::encoding::Encoding;
use deepwell_core::base::unicode::{is_printable, plain_len};

const ESCAPE: char = '\u{1b}';

/// Maximum length of a colour sequence in bytes; foreground and background in true colour need 38.
const COLOUR_BYTES_MAX: usize = 48;

/// Maximum length of a link in bytes: a command of eighty bytes, each percent-encoded.
const LINK_BYTES_MAX: usize = 256;

/// Appends the bytes for text: `\n` as `line_end`, tabs as spaces, IAC doubled. Links (OSC 8) are removed unless
/// `links` is set. Returns `true` if any text was visible.
pub(in crate::protocol) fn encode(
    text: &str,
    encoding: Encoding,
    line_end: &[u8],
    links: bool,
    into: &mut Vec<u8>,
) -> bool {
    let mut visible = false;
    let mut rest = text;
    loop {
        // Fast path: most text is plain ASCII, which is the same in every character set.
        if let Some((run, after)) = rest.split_at_checked(plain_len(rest)).filter(|(run, _)| !run.is_empty())
        {
            into.extend_from_slice(run.as_bytes());
            visible = true;
            rest = after;
        }
        let Some(c) = rest.chars().next() else { return visible };
        if c == ESCAPE
            && let Some(len) = colour_len(rest).or_else(|| link_len(rest).filter(|_| links))
        {
            let (colour, after) = rest.split_at(len);
            into.extend_from_slice(colour.as_bytes());
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\n' => into.extend_from_slice(line_end),
            '\t' => into.push(b' '),
            _ if is_printable(c) => {
                visible = true;
                let start = into.len();
                encoding.encode(c, into);
                // Only in Latin-1 and Windows-1251 is a character encoded as the single byte `FF`.
                if into.get(start) == Some(&IAC) {
                    into.push(IAC);
                }
            }
            _ => {}
        }
    }
}

/// Returns the length of a colour sequence `ESC [ numbers m` at the start of the text. The numbers are separated by
/// semicolons, because some clients show colons as garbage.
fn colour_len(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end =
        numbers.bytes().take(COLOUR_BYTES_MAX).position(|byte| !byte.is_ascii_digit() && byte != b';')?;
    (numbers.as_bytes().get(end) == Some(&b'm')).then_some("\u{1b}[".len() + end + 1)
}

/// Returns the length of a link start `ESC ] 8 ; ; send: command ESC \` or a link end at the start of the text. The
/// command consists of letters, digits, `.`, `_`, `~`, `-` and percent codes, and sends only input that a player could
/// type.
fn link_len(text: &str) -> Option<usize> {
    const START: &str = "\u{1b}]8;;";
    const END: &str = "\u{1b}\\";
    let target = text.strip_prefix(START)?;
    let command = target.strip_prefix("send:").unwrap_or_default();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._~-%".contains(&byte);
    let len = command.bytes().take(LINK_BYTES_MAX).take_while(|byte| allowed(*byte)).count();
    let target_len = if len == 0 { 0 } else { "send:".len() + len };
    target.get(target_len..)?.starts_with(END).then_some(START.len() + target_len + END.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(text, encoding, b"\r\n", false, &mut bytes);
        bytes
    }

    #[test]
    fn t3_text_newlines_and_colours_are_sent() {
        assert_eq!(encoded("a\tb\nc", Encoding::Utf8), b"a b\r\nc");
        assert_eq!(
            encoded("\u{1b}[1;31mred\u{1b}[0m\u{1b}[m", Encoding::Utf8),
            b"\x1b[1;31mred\x1b[0m\x1b[m"
        );
        assert_eq!(encoded("y\u{ff}", Encoding::Latin1), b"y\xff\xff");
    }

    #[test]
    fn t3_other_characters_are_removed() {
        let cases = [
            ("\u{1b}[2J", "[2J"),
            ("\u{1b}[1z", "[1z"),
            ("\u{1b}[38:2:1:2:3m", "[38:2:1:2:3m"),
            ("\u{1b}]8;;send:look\u{1b}\\", "]8;;send:look\\"),
            ("\u{1b}", ""),
            ("\u{1b}[31", "[31"),
            ("\u{1b}\u{1b}[c\u{9b}31m\u{7}\r\u{8}\u{202e}\0", "[c31m"),
        ];
        for (text, left) in cases {
            assert_eq!(encoded(text, Encoding::Utf8), left.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn protocols_5_18_only_send_links_pass_and_only_if_shown() {
        let linked = |text: &str| {
            let mut bytes = Vec::new();
            encode(text, Encoding::Utf8, b"\r\n", true, &mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        let link = "\u{1b}]8;;send:go%20gate\u{1b}\\gate\u{1b}]8;;\u{1b}\\";
        assert_eq!(linked(link), link);
        let longest = format!("\u{1b}]8;;send:{}\u{1b}\\", "%C3".repeat(80));
        assert_eq!(linked(&longest), longest);
        assert_eq!(encoded(link, Encoding::Utf8), b"]8;;send:go%20gate\\gate]8;;\\");
        for other in [
            "\u{1b}]8;;http://x.example/\u{1b}\\",
            "\u{1b}]8;;send:\u{1b}\\",
            "\u{1b}]8;;send:a b\u{1b}\\",
            "\u{1b}]8;id=1;send:a\u{1b}\\",
            "\u{1b}]8;;send:a\u{7}",
            "\u{1b}]0;title\u{1b}\\",
            "\u{1b}]8;;send:a",
        ] {
            assert!(!linked(other).contains('\u{1b}'), "{other:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn t3_no_control_except_colours_is_sent(
            text in "([\\x00-\\x1f\\x7f-\\u{9f}\\u{ff}\u{200b}\u{202e}\\[;0-9mzJ]|\u{1b}\\[|.){0,40}", which in 0usize..3,
        ) {
            let encoding = [Encoding::Utf8, Encoding::Latin1, Encoding::Ascii][which];
            let bytes = encoded(&text, encoding);
            let mut at = 0;
            while let Some(byte) = bytes.get(at) {
                at += match byte {
                    0x1b => {
                        let sequence = bytes[at..].iter().position(|byte| *byte == b'm').unwrap();
                        prop_assert_eq!(bytes[at + 1], b'[');
                        prop_assert!(bytes[at + 2..at + sequence].iter().all(|b| b.is_ascii_digit() || *b == b';'));
                        sequence + 1
                    }
                    b'\r' => { prop_assert_eq!(bytes.get(at + 1), Some(&b'\n')); 2 }
                    0xff => { prop_assert_eq!(bytes.get(at + 1), Some(&0xff)); 2 }
                    byte => { prop_assert!((0x20..0x7f).contains(byte) || *byte >= 0x80); 1 }
                };
            }
            if encoding == Encoding::Utf8 {
                let text = String::from_utf8(bytes).unwrap();
                let all_allowed = text.chars().all(|c| is_printable(c) || ['\u{1b}', '\r', '\n'].contains(&c));
                prop_assert!(all_allowed);
            }
        }
    }
}

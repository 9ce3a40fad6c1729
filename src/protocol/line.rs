//! Assembly of input lines: line ends of every kind, erase keys, control sequences of terminals, and a length limit.
//! Telnet commands are removed before, and characters are decoded afterwards: only complete lines are decoded, so no
//! character is split.

use super::escape::{C1_LEAD, EscapeFilter};
use unicode_segmentation::UnicodeSegmentation;

const NUL: u8 = 0x00;
const BACKSPACE: u8 = 0x08;
const LINE_FEED: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;
const DELETE: u8 = 0x7f;

/// Number of bytes in which an erase searches for the start of a grapheme. Bounds the work per key.
const GRAPHEME_WINDOW: usize = 64;

/// Result of a byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedByte {
    /// A complete line, without its line end.
    Line(Vec<u8>),
    /// The line has exceeded its limit; the excess is discarded. Reported once per line.
    TooLong,
}

/// Collects one line at a time.
///
/// CR LF, CR NUL, lone CR and lone LF end a line, however the input is split into reads: a CR ends the line
/// immediately, and one LF or NUL directly after it is ignored. `08` and `7F` erase a character; other NULs and the bytes
/// of control sequences are ignored.
#[derive(Clone, Debug)]
pub struct LineEditor {
    bytes: Vec<u8>,
    bytes_max: usize,
    after_return: bool,
    overlong: bool,
    escapes: EscapeFilter,
}

impl LineEditor {
    /// Creates an editor for lines of up to `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            bytes: Vec::new(),
            bytes_max,
            after_return: false,
            overlong: false,
            escapes: EscapeFilter::default(),
        }
    }

    /// Processes the next data byte.
    pub fn push(&mut self, byte: u8) -> Option<TypedByte> {
        let after_return = std::mem::replace(&mut self.after_return, byte == CARRIAGE_RETURN);
        if !self.escapes.is_text(byte) {
            return None;
        }
        match byte {
            NUL => None,
            LINE_FEED if after_return => None,
            LINE_FEED | CARRIAGE_RETURN => {
                self.overlong = false;
                Some(TypedByte::Line(std::mem::take(&mut self.bytes)))
            }
            BACKSPACE | DELETE => {
                self.erase_character();
                None
            }
            _ if self.overlong => None,
            _ if self.bytes.last() == Some(&C1_LEAD) && self.escapes.begin_sequence(byte) => {
                self.bytes.pop();
                None
            }
            _ if self.bytes.len() >= self.bytes_max => {
                self.overlong = true;
                self.remove_split_character();
                Some(TypedByte::TooLong)
            }
            _ => {
                self.bytes.push(byte);
                None
            }
        }
    }

    /// Erases the last grapheme. Does nothing in a line whose excess has been discarded, because its last character is
    /// unknown.
    pub fn erase_character(&mut self) {
        if !self.overlong {
            self.bytes.truncate(self.bytes.len() - last_character_len(&self.bytes));
        }
    }

    /// Erases the whole line.
    pub fn erase_line(&mut self) {
        self.bytes.clear();
        self.overlong = false;
        self.escapes = EscapeFilter::default();
    }

    /// Removes the first bytes of a character that the limit split.
    fn remove_split_character(&mut self) {
        let start = self.bytes.len().saturating_sub(3);
        let tail = self.bytes.get(start..).unwrap_or_default();
        // Only an incomplete character at the very end has no error length.
        for skip in 0..tail.len() {
            if let Err(error) = str::from_utf8(tail.get(skip..).unwrap_or_default())
                && error.error_len().is_none()
            {
                self.bytes.truncate(start + skip + error.valid_up_to());
                return;
            }
        }
    }
}

/// Returns the length in bytes of the last grapheme; in invalid UTF-8, of the last character or byte.
fn last_character_len(bytes: &[u8]) -> usize {
    let tail = bytes.get(bytes.len().saturating_sub(GRAPHEME_WINDOW)..).unwrap_or_default();
    // The window may begin inside a character, with up to three of its continuation bytes.
    let cut = tail.iter().take(3).take_while(|byte| (0x80..0xc0).contains(*byte)).count();
    let whole =
        tail.get(cut..).filter(|whole| !whole.is_empty()).and_then(|whole| str::from_utf8(whole).ok());
    if let Some(text) = whole {
        return text.graphemes(true).next_back().map_or(0, str::len);
    }
    let character = (1..=4).find(|len| {
        let last = bytes.len().checked_sub(*len).and_then(|at| bytes.get(at..));
        last.is_some_and(|last| str::from_utf8(last).is_ok())
    });
    character.unwrap_or(1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(bytes: &[u8]) -> Vec<TypedByte> {
        let mut editor = LineEditor::new(16);
        bytes.iter().filter_map(|byte| editor.push(*byte)).collect()
    }

    fn lines(bytes: &[u8]) -> Vec<String> {
        typed(bytes)
            .into_iter()
            .map(|typed| match typed {
                TypedByte::Line(bytes) => String::from_utf8(bytes).unwrap(),
                TypedByte::TooLong => "too long".into(),
            })
            .collect()
    }

    #[test]
    fn protocols_14_4_every_line_end_is_recognised() {
        for end in [b"\r\n".as_slice(), b"\r\0", b"\r", b"\n"] {
            let mut bytes = b"look".to_vec();
            bytes.extend_from_slice(end);
            bytes.extend_from_slice(b"say hi");
            bytes.extend_from_slice(end);
            assert_eq!(lines(&bytes), ["look", "say hi"], "{end:?}");
        }
        assert_eq!(lines(b"\r\r\n\n\r\0\n"), ["", "", "", "", ""]);
        assert_eq!(lines(b"lo\0ok\n"), ["look"]);
    }

    #[test]
    fn protocols_14_4_erase_removes_whole_graphemes() {
        assert_eq!(lines(b"lookk\x08\n"), ["look"]);
        assert_eq!(lines(b"\x7f\x7flook\n"), ["look"]);
        assert_eq!(lines("ab\u{e9}\u{7f}\n".as_bytes()), ["ab"]);
        assert_eq!(lines("\u{e9}\u{7f}\u{7f}a\n".as_bytes()), ["a"]);
        assert_eq!(lines("abe\u{301}\u{8}c\n".as_bytes()), ["abc"]);
        assert_eq!(typed(b"a\xe9\x7fb\n"), [TypedByte::Line(b"ab".to_vec())]);
        assert_eq!(typed(b"\xc3\xa9\xff\x7f\n"), [TypedByte::Line("\u{e9}".into())]);
        assert_eq!(typed(b"\xff\xc3\xa9\x7f\n"), [TypedByte::Line(vec![0xff])]);
    }

    #[test]
    fn n1_overlong_line_is_cut_and_reported_once() {
        assert_eq!(lines(b"0123456789abcdefghi\x7fjk\nnext\n"), ["too long", "0123456789abcdef", "next"]);
        assert_eq!(lines("0123456789abcd\u{4e2d}x\n".as_bytes()), ["too long", "0123456789abcd"]);
        assert_eq!(lines("0123456789abc\u{4e2d}x\n".as_bytes()), ["too long", "0123456789abc\u{4e2d}"]);
    }

    #[test]
    fn erased_line_starts_empty() {
        let mut editor = LineEditor::new(4);
        b"toolong".iter().for_each(|byte| drop(editor.push(*byte)));
        editor.erase_line();
        b"ok".iter().for_each(|byte| assert_eq!(editor.push(*byte), None));
        assert_eq!(editor.push(b'\n'), Some(TypedByte::Line(b"ok".to_vec())));
    }
}

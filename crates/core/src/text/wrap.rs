//! Line breaking: at word boundaries, by display cells, never beyond the width. Returns ranges of the text with an
//! indent each; the renderer writes them.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{Markup, Style};

/// Indent in cells of continuation lines of speech, so that they cannot be mistaken for lines of the game, which start
/// further left.
pub const SPEECH_INDENT: usize = 4;

/// Minimum width; below it there is no room for an indent and a word.
pub const WIDTH_MIN: u16 = 12;

/// Output line: an indent in cells, then a byte range of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputLine {
    /// Number of spaces before the text.
    pub indent: usize,
    /// Byte range in [`Markup::text`], without a line end.
    pub range: Range<usize>,
}

/// Breaks a text into lines of at most `width` cells and passes them to `emit` in order.
///
/// Without a width, lines break only at line ends in the text. Spaces at a break are dropped and all others kept, so a
/// line that fits keeps its layout. A word wider than a line is split at grapheme boundaries. Continuation lines of a
/// list item (`- `) are aligned with its text. Those of speech are indented by [`SPEECH_INDENT`], also after a line end
/// in the speech.
pub fn lines(markup: &Markup, width: Option<u16>, mut emit: impl FnMut(OutputLine)) {
    let text = markup.text();
    let width = width.map_or(usize::MAX, |cells| usize::from(cells.max(WIDTH_MIN)));
    let mut speech = SpeechCursor::of(markup.runs());
    let mut start = 0;
    for paragraph in text.split('\n') {
        let end = start + paragraph.len();
        // After a line end inside speech, the text still belongs to the speaker.
        let mut indent = if start > 0 && speech.is_within(start - 1, start) { SPEECH_INDENT } else { 0 };
        let further =
            if speech.is_within(start, end) { SPEECH_INDENT } else { hanging(paragraph).min(width / 2) };
        let mut from = start;
        while let Some(cut) = cut(&text[from..end], width - indent) {
            emit(OutputLine { indent, range: from..from + cut.end });
            from += cut.next;
            indent = further;
        }
        // If only spaces were left over, the previous line was the last.
        if from < end || from == start {
            emit(OutputLine { indent, range: from..end });
        }
        start = end + 1;
    }
}

/// Returns the indent of continuation lines of a paragraph: the column of its first letter, past the dash of a list
/// item.
fn hanging(paragraph: &str) -> usize {
    let body = paragraph.trim_start_matches(' ');
    let lead = paragraph.len() - body.len();
    if body.starts_with("- ") { lead + 2 } else { lead }
}

/// Position of a cut: end of one line and start of the next, as byte offsets.
struct Cut {
    end: usize,
    next: usize,
}

/// Cuts what fits into `room` cells off the front of a text; `None` if the whole text fits.
fn cut(text: &str, room: usize) -> Option<Cut> {
    // Fast path: no character has more cells than bytes, and each ASCII character has one cell.
    let fits = match text.as_bytes().get(..=room) {
        None => return None,
        Some(front) if front.is_ascii() => room,
        Some(_) => fitting(text, room)?,
    };
    let lead = text.len() - text.trim_start_matches(' ').len();
    if lead >= fits {
        return Some(Cut { end: 0, next: lead });
    }
    let space = if text.as_bytes()[fits] == b' ' { Some(fits) } else { text[..fits].rfind(' ') };
    match space {
        Some(space) if space > lead => Some(Cut {
            end: text[..space].trim_end_matches(' ').len(),
            next: text.len() - text[space..].trim_start_matches(' ').len(),
        }),
        _ => Some(Cut { end: fits, next: fits }),
    }
}

/// Returns the number of bytes that fit into `room` cells, at least one character; `None` if all fit.
fn fitting(text: &str, room: usize) -> Option<usize> {
    let mut cells = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        cells += grapheme.width();
        if cells > room {
            return Some(if at > 0 { at } else { fitting_of_grapheme(grapheme, room) });
        }
    }
    None
}

/// Like [`fitting`], within one grapheme: some scripts allow graphemes of unlimited length, which are split between
/// characters.
fn fitting_of_grapheme(grapheme: &str, room: usize) -> usize {
    let ends = grapheme.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut fits = 0;
    for end in ends {
        if fits > 0 && grapheme[..end].width() > room {
            break;
        }
        fits = end;
    }
    fits
}

/// Cursor over the speech parts of a text, queried front to back.
struct SpeechCursor<R> {
    runs: R,
    /// Current stretch of speech.
    current: Range<usize>,
    /// Start of the next run.
    at: usize,
}

impl<'a, R: Iterator<Item = (Style, &'a str)>> SpeechCursor<R> {
    fn of(runs: R) -> Self {
        Self { runs, current: 0..0, at: 0 }
    }

    /// Returns `true` if any byte of `from..to` is speech. Queries must not go backwards.
    fn is_within(&mut self, from: usize, to: usize) -> bool {
        while self.current.end <= from && self.at < to {
            let Some((style, text)) = self.runs.next() else { return false };
            let begins = self.at;
            self.at += text.len();
            if style == Style::Speech {
                self.current = begins..self.at;
            }
        }
        self.current.start < to && from < self.current.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(markup: &Markup, width: u16) -> Vec<String> {
        let mut out = Vec::new();
        lines(markup, Some(width), |line| {
            out.push(format!("{:indent$}{}", "", &markup.text()[line.range], indent = line.indent));
        });
        out
    }

    #[test]
    fn lines_break_at_word_ends() {
        let text = Markup::plain("A lamp burns here, low and blue.");
        assert_eq!(wrapped(&text, 12), ["A lamp burns", "here, low", "and blue."]);
        assert_eq!(wrapped(&text, 80), [text.text()]);
    }

    #[test]
    fn fitting_lines_keep_their_layout() {
        let map = Markup::plain("  #--#\n     |\n\n  @--#  ");
        assert_eq!(wrapped(&map, 20), ["  #--#", "     |", "", "  @--#  "]);
    }

    #[test]
    fn spaces_at_a_break_are_dropped() {
        assert_eq!(wrapped(&"twelve cells     then".into(), 12), ["twelve cells", "then"]);
        assert_eq!(wrapped(&"twelve cells            ".into(), 12), ["twelve cells"]);
        assert_eq!(wrapped(&"                    ".into(), 12), [""]);
    }

    #[test]
    fn long_words_are_split() {
        assert_eq!(wrapped(&"abcdefghijklmnopqrstuvwxyz".into(), 12), ["abcdefghijkl", "mnopqrstuvwx", "yz"]);
        assert_eq!(wrapped(&"ab 日本語日本語日本語".into(), 12), ["ab", "日本語日本語", "日本語"]);
    }

    #[test]
    fn list_items_have_a_hanging_indent() {
        let list = Markup::plain("- a lamp of blue glass\n- a rope");
        assert_eq!(wrapped(&list, 14), ["- a lamp of", "  blue glass", "- a rope"]);
    }

    /// No padding or line end lets a speaker write a line that starts at the left margin.
    #[test]
    fn t4_speech_is_indented_after_its_first_line() {
        let spoof =
            Markup::plain("Mallory says, \"").with(Style::Speech, "Hm.            Olad dies. Run!").and("\"");
        assert_eq!(wrapped(&spoof, 20), ["Mallory says, \"Hm.", "    Olad dies. Run!\""]);
        let spoof = Markup::plain("Mallory: ").with(Style::Speech, "hm\nOlad dies.").and("\nA lamp.");
        assert_eq!(wrapped(&spoof, 80), ["Mallory: hm", "    Olad dies.", "A lamp."]);
        let mut unwrapped = Vec::new();
        lines(&spoof, None, |line| unwrapped.push(line.indent));
        assert_eq!(unwrapped, [0, SPEECH_INDENT, 0]);
    }

    #[test]
    fn no_character_has_more_cells_than_bytes() {
        for c in '\0'..=char::MAX {
            for text in [c.to_string(), format!("{c}\u{FE0F}")] {
                assert!(text.width() <= text.len(), "{c:?}");
            }
        }
    }

    fn styled() -> impl Strategy<Value = Markup> {
        let piece = ("[a-zé日 \n]{0,40}|\\PC{0,20}", prop_oneof![Just(Style::Plain), Just(Style::Speech)]);
        prop::collection::vec(piece, 0..12).prop_map(|pieces| {
            pieces.iter().fold(Markup::new(), |markup, (text, style)| markup.with(*style, text))
        })
    }

    proptest! {
        #[test]
        fn no_line_exceeds_the_width(markup in styled(), width in 20_u16..200) {
            for line in wrapped(&markup, width) {
                prop_assert!(line.width() <= usize::from(width), "{line:?}");
            }
        }

        #[test]
        fn only_spaces_are_dropped(markup in styled(), width in 20_u16..200) {
            let letters = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\n')).collect::<String>();
            prop_assert_eq!(letters(&wrapped(&markup, width).concat()), letters(markup.text()));
        }

        #[test]
        fn short_words_are_not_split(words in prop::collection::vec("[a-z]{1,15}", 0..60), width in 20_u16..200) {
            let markup = Markup::plain(&words.join(" "));
            let lines = wrapped(&markup, width);
            let found: Vec<_> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            prop_assert_eq!(found, words);
        }
    }
}

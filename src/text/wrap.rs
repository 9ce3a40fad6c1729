//! Where the lines of a text break: at word ends, by display cells, never over the width.
//! Gives ranges of the text and the indent before each; what is done with them is the renderer's.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{Markup, Style};

/// Cells before each further line of a text in which somebody speaks, so that it cannot pass for a line of the
/// game, which begins further left.
pub const SPEECH_INDENT: usize = 4;

/// The narrowest width that is kept; below it there is no room for an indent and a word.
pub const WIDTH_MIN: u16 = 12;

/// One line of output: an indent in cells, then a range of bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Spaces before the text.
    pub indent: usize,
    /// Which bytes of [`Markup::text`]; they hold no line end.
    pub range: Range<usize>,
}

/// Breaks a text into lines of at most `width` cells and hands them to `emit` in order.
///
/// Without a width only the text's own line ends count. Spaces at a break vanish, all others stay, so a line that
/// fits keeps its layout. A word wider than a line is split between graphemes. Further lines of a list item
/// (`- `) stand under its text; those of speech are indented by [`SPEECH_INDENT`], also after a line end that the
/// speaker wrote.
pub fn lines(markup: &Markup, width: Option<u16>, mut emit: impl FnMut(Line)) {
    let text = markup.text();
    let width = width.map_or(usize::MAX, |cells| usize::from(cells.max(WIDTH_MIN)));
    let mut speech = Speech::of(markup.runs());
    let mut start = 0;
    for paragraph in text.split('\n') {
        let end = start + paragraph.len();
        // A line end inside speech is the speaker's: what follows it is still theirs.
        let mut indent = if start > 0 && speech.is_within(start - 1, start) { SPEECH_INDENT } else { 0 };
        let further =
            if speech.is_within(start, end) { SPEECH_INDENT } else { hanging(paragraph).min(width / 2) };
        let mut from = start;
        while let Some(cut) = cut(&text[from..end], width - indent) {
            emit(Line { indent, range: from..from + cut.end });
            from += cut.next;
            indent = further;
        }
        // Where nothing but spaces was over, the line before was the last.
        if from < end || from == start {
            emit(Line { indent, range: from..end });
        }
        start = end + 1;
    }
}

/// Where the further lines of a paragraph begin: under its own first letter, past the dash of a list item.
fn hanging(paragraph: &str) -> usize {
    let body = paragraph.trim_start_matches(' ');
    let lead = paragraph.len() - body.len();
    if body.starts_with("- ") { lead + 2 } else { lead }
}

/// Where a line is cut: it ends at one byte, the next begins at another.
struct Cut {
    end: usize,
    next: usize,
}

/// Cuts what fits into `room` cells off the front of a text; `None` if all of it fits.
fn cut(text: &str, room: usize) -> Option<Cut> {
    // No character has more cells than bytes, and each ASCII one has a cell: most text needs no closer look.
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

/// How many bytes of a text fit into `room` cells, at least one character; `None` if all do.
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

/// Some scripts let one grapheme grow without end; such a one is split between characters.
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

/// Which parts of a text are speech, asked for from front to back.
struct Speech<R> {
    runs: R,
    /// The stretch of speech that has been reached and has not been passed.
    current: Range<usize>,
    /// Where the next run begins.
    at: usize,
}

impl<'a, R: Iterator<Item = (Style, &'a str)>> Speech<R> {
    fn of(runs: R) -> Self {
        Self { runs, current: 0..0, at: 0 }
    }

    /// Whether any byte of `from..to` is speech. Asks must not go back.
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
    fn what_fits_keeps_its_layout() {
        let map = Markup::plain("  #--#\n     |\n\n  @--#  ");
        assert_eq!(wrapped(&map, 20), ["  #--#", "     |", "", "  @--#  "]);
    }

    #[test]
    fn spaces_at_a_break_vanish() {
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
    fn items_of_a_list_hang() {
        let list = Markup::plain("- a lamp of blue glass\n- a rope");
        assert_eq!(wrapped(&list, 14), ["- a lamp of", "  blue glass", "- a rope"]);
    }

    /// T4: no padding and no line end lets a speaker write a line that begins where the game's lines begin.
    #[test]
    fn speech_is_indented_after_its_first_line() {
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
        fn no_line_is_over_the_width(markup in styled(), width in 20_u16..200) {
            for line in wrapped(&markup, width) {
                prop_assert!(line.width() <= usize::from(width), "{line:?}");
            }
        }

        #[test]
        fn nothing_but_space_is_lost(markup in styled(), width in 20_u16..200) {
            let letters = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\n')).collect::<String>();
            prop_assert_eq!(letters(&wrapped(&markup, width).concat()), letters(markup.text()));
        }

        #[test]
        fn short_words_stay_whole(words in prop::collection::vec("[a-z]{1,15}", 0..60), width in 20_u16..200) {
            let markup = Markup::plain(&words.join(" "));
            let lines = wrapped(&markup, width);
            let found: Vec<_> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            prop_assert_eq!(found, words);
        }
    }
}

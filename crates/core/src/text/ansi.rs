//! Rendering of markup to ANSI text for one client: wrapped, and coloured by a palette. Only this module writes escape
//! codes, and it drops all other control characters. Line ends are `\n`; conversion to network line ends, folding to
//! ASCII and doubling of IAC happen in the session and the protocol.

use super::palette::{self, Colours};
use super::{Markup, Style, links, wrap};
use crate::base::unicode;

const RESET: &str = "\x1b[0m";

/// Appends a text for a client with these colours and this width.
///
/// Lines are separated by `\n`, without one at the end. A coloured line is reset before its end, so that no colour
/// bleeds into the next line or the prompt. Without a width nothing is wrapped.
pub fn render(markup: &Markup, colours: impl Into<Colours>, width: Option<u16>, out: &mut String) {
    draw(markup, colours.into(), width, false, out);
}

/// Like [`render`], with links on exits and commands for clients that support them. A wrapped link is closed at the end
/// of the line and reopened on the next.
pub fn render_with_links(markup: &Markup, colours: impl Into<Colours>, width: Option<u16>, out: &mut String) {
    draw(markup, colours.into(), width, true, out);
}

fn draw(markup: &Markup, colours: Colours, width: Option<u16>, linked: bool, out: &mut String) {
    out.reserve(markup.text().len() + 64);
    let (text, runs) = (markup.text(), markup.runs());
    let mut pen = Pen { out, text, colours, linked, runs, style: Style::Plain, run: "", run_end: 0 };
    let mut first = true;
    wrap::lines(markup, width, |line| {
        if !first {
            pen.out.push('\n');
        }
        first = false;
        pen.indent(line.indent);
        pen.write(line.range.start, line.range.end);
    });
}

/// Writer of text ranges, front to back, in the colours of their runs.
struct Pen<'a, R> {
    out: &'a mut String,
    text: &'a str,
    colours: Colours,
    /// Set if exits and commands are written as links.
    linked: bool,
    runs: R,
    /// Style, text and end of the current run.
    style: Style,
    run: &'a str,
    run_end: usize,
}

impl<'a, R: Iterator<Item = (Style, &'a str)>> Pen<'a, R> {
    fn indent(&mut self, cells: usize) {
        self.out.extend(std::iter::repeat_n(' ', cells));
    }

    fn write(&mut self, from: usize, to: usize) {
        let mut at = from;
        let mut colour_now = "";
        while at < to {
            while self.run_end <= at {
                let Some((style, text)) = self.runs.next() else { return };
                (self.style, self.run) = (style, text);
                self.run_end += text.len();
            }
            let end = to.min(self.run_end);
            colour_now = self.change(colour_now);
            let part = &self.text[at..end];
            match self.linked.then(|| links::command(self.style, self.run)).flatten() {
                Some(command) if !part.trim().is_empty() => {
                    links::open(self.out, command);
                    push_printable(self.out, part);
                    links::close(self.out);
                }
                _ => push_printable(self.out, part),
            }
            at = end;
        }
        if !colour_now.is_empty() {
            self.out.push_str(RESET);
        }
    }

    /// Switches to the colour of the current run.
    fn change(&mut self, from: &'static str) -> &'static str {
        let to = palette::sgr(self.style, self.colours);
        // Fast path: most text has no colour before and after.
        let same = if from.is_empty() { to.is_empty() } else { from == to };
        if !same {
            if !from.is_empty() {
                self.out.push_str(RESET);
            }
            if !to.is_empty() {
                self.out.push_str("\x1b[");
                self.out.push_str(to);
                self.out.push('m');
            }
        }
        to
    }
}

/// Appends printable characters only. Input is already cleaned; this guards against a missed entry point.
fn push_printable(out: &mut String, text: &str) {
    if unicode::plain_len(text) == text.len() {
        out.push_str(text);
    } else {
        out.extend(text.chars().filter(|c| unicode::is_printable(*c)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ColourLevel, Palette};
    use proptest::prelude::*;

    const LEVELS: &[ColourLevel] =
        &[ColourLevel::None, ColourLevel::Sixteen, ColourLevel::TwoFiftySix, ColourLevel::True];

    fn rendered(markup: &Markup, colours: impl Into<Colours>, width: Option<u16>) -> String {
        let mut out = String::new();
        render(markup, colours, width, &mut out);
        out
    }

    /// Returns the text without colours; panics on any escape code that is not a plain SGR.
    fn bare(coloured: &str) -> String {
        let mut pieces = coloured.split('\x1b');
        let mut text = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let (code, rest) = piece.split_once('m').unwrap();
            let numbers = code.strip_prefix('[').unwrap();
            assert!(numbers.split(';').all(|number| number.parse::<u8>().is_ok()), "{code:?}");
            text.push_str(rest);
        }
        text
    }

    #[test]
    fn colour_is_reset_before_a_line_ends() {
        let text =
            Markup::styled(Style::RoomName, "The Well").and("\nA ").with(Style::Item, "blue lamp").and(".");
        assert_eq!(rendered(&text, ColourLevel::None, None), "The Well\nA blue lamp.");
        assert_eq!(
            rendered(&text, ColourLevel::Sixteen, None),
            "\x1b[1;36mThe Well\x1b[0m\nA \x1b[33mblue lamp\x1b[0m."
        );
        assert_eq!(
            rendered(&Markup::styled(Style::Item, "a lamp of blue glass"), ColourLevel::Sixteen, Some(12)),
            "\x1b[33ma lamp of\x1b[0m\n\x1b[33mblue glass\x1b[0m"
        );
    }

    #[test]
    fn protocols_5_18_links_end_before_the_line_does() {
        let text = Markup::plain("Exits: ")
            .with(Style::Exit, "north")
            .and(". Type ")
            .with(Style::Command, "party accept")
            .and(".");
        let mut out = String::new();
        render_with_links(&text, ColourLevel::None, Some(26), &mut out);
        let (open, close) = ("\x1b]8;;send:", "\x1b]8;;\x1b\\");
        assert_eq!(
            out,
            format!(
                "Exits: {open}north\x1b\\north{close}. Type {open}party%20accept\x1b\\party{close}\n\
                 {open}party%20accept\x1b\\accept{close}."
            )
        );
        let coloured = Markup::styled(Style::Exit, "up");
        out.clear();
        render_with_links(&coloured, ColourLevel::Sixteen, None, &mut out);
        assert_eq!(out, format!("\x1b[36m{open}up\x1b\\up{close}\x1b[0m"));
    }

    /// Control codes that slipped past input cleaning are not sent.
    #[test]
    fn t3_control_codes_are_not_sent() {
        let text = Markup::styled(Style::Speech, "a\x1b[2Jb\u{9b}31mc\u{202E}d\re\x07");
        assert_eq!(rendered(&text, ColourLevel::None, None), "a[2Jb31mcde");
    }

    fn any_markup() -> impl Strategy<Value = Markup> {
        let piece = (any::<String>(), prop::sample::select(Style::ALL.to_vec()));
        prop::collection::vec(piece, 0..10).prop_map(|pieces| {
            pieces.iter().fold(Markup::new(), |markup, (text, style)| markup.with(*style, text))
        })
    }

    proptest! {
        /// Control codes in a text are dropped; only the renderer's own are sent.
        #[test]
        fn t3_only_renderer_codes_are_sent(markup in any_markup(), width in prop::option::of(20_u16..200)) {
            let plain = rendered(&markup, ColourLevel::None, width);
            prop_assert!(plain.chars().all(|c| c == '\n' || !c.is_control()));
            let seen = LEVELS.iter().flat_map(|&colour| Palette::ALL.map(|palette| Colours { colour, palette }));
            for colours in seen {
                let coloured = rendered(&markup, colours, width);
                prop_assert_eq!(bare(&coloured), plain.as_str());
                for line in coloured.split('\n').filter(|line| line.contains('\x1b')) {
                    prop_assert!(line.matches(RESET).count() * 2 == line.matches('\x1b').count(), "{:?}", line);
                }
            }
        }

        #[test]
        fn text_without_colour_and_width_is_unchanged(text in "[ -~é日\n]{0,200}", item in "[a-z]{0,9}") {
            let markup = Markup::plain(&text).with(Style::Item, &item);
            prop_assert_eq!(rendered(&markup, ColourLevel::None, None), markup.text());
        }
    }
}

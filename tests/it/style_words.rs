//! Meaning of styles without colour: each style must be recognisable from the text. The palette is in `ansi`; that the
//! words are present is tested over all command output.

use deepwell::game::{Class, Output};
use deepwell::text::{Markup, Style};

/// Carrier of a style's meaning when colours are off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StyleWords {
    /// The styled words themselves: names, running text, speech. The colour is only an aid.
    Itself,
    /// The position at the start of a line, or after the cue word there.
    LineStart,
    /// The line is a sentence of three words or more.
    Sentence,
    /// The line contains one of these words, case-insensitive.
    OneOf(&'static [&'static str]),
}

/// Returns the carrier of a style's meaning.
const fn words(style: Style) -> StyleWords {
    match style {
        // Names are recognisable: players by a capital and no article, items and creatures by an article or number.
        // Speech follows the name of the speaker. A highlight is a phrase that the player has chosen; without styles, the
        // session puts a word before it.
        Style::Plain
        | Style::Faint
        | Style::Exit
        | Style::Player
        | Style::Creature
        | Style::Item
        | Style::Command
        | Style::Speech
        | Style::Highlight => StyleWords::Itself,
        Style::RoomName | Style::Heading => StyleWords::LineStart,
        Style::Harm | Style::Kill | Style::Boon | Style::Hint => StyleWords::Sentence,
        Style::Blocked => StyleWords::OneOf(&["blocked", "cannot", "can't"]),
        Style::System => StyleWords::OneOf(&["server", "connected"]),
    }
}

/// Returns the style of the first text with these words, of all texts that were sent.
pub(crate) fn style_of(tape: &[Output], phrase: &str) -> Option<Style> {
    let found = tape.iter().find_map(|output| match output {
        Output::Text(_, text) => text.text().find(phrase).map(|at| (text, at)),
        _ => None,
    });
    let (text, at) = found?;
    let ends = text.runs().scan(0, |end, (style, run)| {
        *end += run.len();
        Some((style, *end))
    });
    ends.skip_while(|(_, end)| *end <= at).map(|(style, _)| style).next()
}

/// Returns the first style whose meaning the text does not carry.
pub(crate) fn missing_words(markup: &Markup) -> Option<Style> {
    let mut at = 0;
    for (style, run) in markup.runs() {
        let from = at;
        at += run.len();
        if !run.trim().is_empty() && !carries_meaning(style, markup.text(), from) {
            return Some(style);
        }
    }
    None
}

/// Returns `true` if the line around a byte offset carries the meaning of the style.
fn carries_meaning(style: Style, text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at(at);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = at + behind.find('\n').unwrap_or(behind.len());
    let line = &text[start..end];
    match words(style) {
        StyleWords::Itself => true,
        StyleWords::LineStart => start == at || is_cue(&text[start..at]),
        StyleWords::Sentence => {
            line.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).nth(2).is_some()
        }
        StyleWords::OneOf(words) => {
            let line = line.to_lowercase();
            words.iter().any(|word| line.contains(word))
        }
    }
}

/// Returns `true` for the cue word of a message class at the start of a line, with its colon.
fn is_cue(beginning: &str) -> bool {
    let cue = beginning.strip_suffix(": ").unwrap_or_default();
    Class::ALL.into_iter().any(|class| class.screen_reader_form().cue == cue)
}

#[test]
fn style_without_words_is_detected() {
    let room = Markup::styled(Style::RoomName, "The Well").and("\nStone.");
    assert_eq!(missing_words(&room.clone().and("\n").with(Style::Blocked, "The way is blocked.")), None);
    assert_eq!(missing_words(&room.and("\n").with(Style::Blocked, "North")), Some(Style::Blocked));
    assert_eq!(missing_words(&Markup::styled(Style::Harm, "3/30")), Some(Style::Harm));
    assert_eq!(missing_words(&Markup::plain("The rat").with(Style::Harm, " bites you.")), None);
    assert_eq!(
        missing_words(&Markup::plain("You are in ").with(Style::RoomName, "The Well")),
        Some(Style::RoomName)
    );
}

/// Styles with a colour of their own, other than names, need words.
#[test]
fn protocols_7_3_alarm_styles_need_words() {
    for style in [Style::Blocked, Style::Harm, Style::Boon, Style::Hint, Style::System] {
        assert!(!matches!(words(style), StyleWords::Itself), "{style:?}");
    }
}

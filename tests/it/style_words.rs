//! What carries the meaning of a style for those who see no colours: every style has to say it.
//! How a style looks is `ansi`'s palette; that the words are there is tested over everything that can be typed.

use deepwell::game::Class;
use deepwell::text::{Markup, Style};

/// Where the meaning of a style is found without its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StyleWords {
    /// In the styled words themselves: names, running text, what somebody says. The colour only helps to find them.
    Itself,
    /// It begins a line, or follows the cue word that does.
    LineStart,
    /// The line is a whole sentence, of three words or more, that tells it.
    Sentence,
    /// One of these stands in the line, in any case of letters.
    OneOf(&'static [&'static str]),
}

/// What says in words what the colour of a style says.
const fn words(style: Style) -> StyleWords {
    match style {
        // A name has its own shape: climbers a capital and no article, things and creatures an article or a number.
        // Before speech stands who speaks.
        Style::Plain
        | Style::Faint
        | Style::Exit
        | Style::Player
        | Style::Mob
        | Style::Item
        | Style::Command
        | Style::Speech => StyleWords::Itself,
        Style::RoomName | Style::Heading => StyleWords::LineStart,
        Style::Harm | Style::Kill | Style::Boon | Style::Hint => StyleWords::Sentence,
        Style::Blocked => StyleWords::OneOf(&["blocked", "cannot", "can't"]),
        Style::System => StyleWords::OneOf(&["server", "connected"]),
    }
}

/// The first style of a text whose meaning its words do not carry.
pub(crate) fn unsaid(markup: &Markup) -> Option<Style> {
    let mut at = 0;
    for (style, words) in markup.runs() {
        let from = at;
        at += words.len();
        if !words.trim().is_empty() && !is_said(style, markup.text(), from) {
            return Some(style);
        }
    }
    None
}

/// Whether the line around a byte carries what this style means.
fn is_said(style: Style, text: &str, at: usize) -> bool {
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

/// Returns `true` for the word of a kind of message that begins a line, with its colon.
fn is_cue(beginning: &str) -> bool {
    let cue = beginning.strip_suffix(": ").unwrap_or_default();
    Class::ALL.into_iter().any(|class| class.screen_reader_form().cue == cue)
}

#[test]
fn a_colour_that_says_more_than_its_words_is_found() {
    let room = Markup::styled(Style::RoomName, "The Well").and("\nStone.");
    assert_eq!(unsaid(&room.clone().and("\n").with(Style::Blocked, "The way is blocked.")), None);
    assert_eq!(unsaid(&room.and("\n").with(Style::Blocked, "North")), Some(Style::Blocked));
    assert_eq!(unsaid(&Markup::styled(Style::Harm, "3/30")), Some(Style::Harm));
    assert_eq!(unsaid(&Markup::plain("The rat").with(Style::Harm, " bites you.")), None);
    assert_eq!(
        unsaid(&Markup::plain("You are in ").with(Style::RoomName, "The Well")),
        Some(Style::RoomName)
    );
}

/// Protocols 7.3: what has a colour of its own, but is no name, needs words.
#[test]
fn alarms_are_never_left_to_colour() {
    for style in [Style::Blocked, Style::Harm, Style::Boon, Style::Hint, Style::System] {
        assert!(!matches!(words(style), StyleWords::Itself), "{style:?}");
    }
}

//! Settings before login: screen reader mode, character set, colours. The account takes them over at its first login;
//! afterwards the game's `config` changes them.

use deepwell_core::base::ColourLevel;

use crate::protocol::encoding::Encoding;
use crate::session::client::render::Screen;
use deepwell_core::world::account::Charset;

/// Returns the hint about screen reader mode in the welcome, because most screen reader clients do not announce
/// themselves.
pub(in crate::session) const fn offer(is_on: bool) -> &'static str {
    if is_on {
        "Screen reader mode is on, because your program asked for it. To leave it, type screenreader off."
    } else {
        "For plain sentences, to be read aloud or in braille, type screenreader."
    }
}

/// Carries out `screenreader`, `encoding` or `colour`; returns `false` for any other command.
pub(in crate::session) fn obey(word: &str, argument: &str, screen: &mut Screen) -> bool {
    let argument = argument.trim().to_ascii_lowercase();
    match word {
        "screenreader" => set_screen_reader(&argument, screen),
        "encoding" => encoding(&argument, screen),
        "colour" | "color" => colour(&argument, screen),
        _ => return false,
    }
    true
}

fn set_screen_reader(argument: &str, screen: &mut Screen) {
    let on = match argument {
        "" => !screen.uses_screen_reader(),
        "on" | "yes" => true,
        "off" | "no" => false,
        _ => return screen.say("Type screenreader, screenreader on, or screenreader off."),
    };
    let mut settings = screen.settings().clone();
    settings.screen_reader = Some(on);
    screen.set(settings);
    screen.say(if on {
        "Screen reader mode is on: plain sentences, no drawings, no colours. Type screenreader again to leave it."
    } else {
        "Screen reader mode is off."
    });
}

fn encoding(argument: &str, screen: &mut Screen) {
    let charset = match Encoding::named(argument) {
        _ if argument.is_empty() => None,
        Some(Encoding::Utf8) => Some(Charset::Utf8),
        Some(Encoding::Latin1) => Some(Charset::Latin1),
        Some(Encoding::Cp1251) => Some(Charset::Cp1251),
        Some(Encoding::Ascii) => Some(Charset::Ascii),
        None => {
            return screen.say("Type encoding utf-8, encoding latin1, encoding cp1251, or encoding ascii.");
        }
    };
    if charset.is_some() {
        let mut settings = screen.settings().clone();
        settings.encoding = charset;
        screen.set(settings);
    }
    screen.say(match screen.capabilities().encoding {
        Encoding::Utf8 => "Letters are sent as UTF-8. If they look wrong, type encoding ascii.",
        Encoding::Latin1 => {
            "Letters are sent and read as Latin-1. Type encoding utf-8 to get all others too."
        }
        Encoding::Cp1251 => {
            "Letters are sent and read as Windows-1251. Type encoding utf-8 to get all others too."
        }
        Encoding::Ascii => "Letters are sent as plain ASCII. Type encoding utf-8 to get all others too.",
    });
}

fn colour(argument: &str, screen: &mut Screen) {
    let colour = match argument {
        "" => None,
        "off" | "none" | "no" => Some(ColourLevel::None),
        "16" | "on" | "yes" => Some(ColourLevel::Sixteen),
        "256" => Some(ColourLevel::TwoFiftySix),
        "true" => Some(ColourLevel::True),
        _ => return screen.say("Type colour off, colour 16, colour 256, or colour true."),
    };
    let mut settings = screen.settings().clone();
    settings.colour = colour.or(settings.colour);
    let colour = settings.colour.unwrap_or(screen.capabilities().colour);
    screen.set(settings);
    screen.say(match colour {
        ColourLevel::None => "Colours are off.",
        ColourLevel::Sixteen => "You get sixteen colours.",
        ColourLevel::TwoFiftySix => "You get 256 colours.",
        ColourLevel::True => "You get true colours.",
    });
}

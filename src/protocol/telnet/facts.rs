//! What is known of a client, and what follows from it: which characters, which colours, a screen reader or
//! not. Everything here came from outside: names are for showing to staff, and decide nothing but display (N8).

use crate::base::ColourLevel;
use crate::protocol::encoding::Encoding;

/// Letters of a terminal name that are kept.
pub(super) const NAME_CHARS: usize = 40;

const MTTS_ANSI: u32 = 1;
const MTTS_UTF8: u32 = 4;
const MTTS_256_COLOURS: u32 = 8;
const MTTS_SCREEN_READER: u32 = 64;
const MTTS_TRUE_COLOUR: u32 = 256;

/// Clients of which it is known that they show 256 colours.
const CLIENTS_256: [&str; 9] =
    ["ATLANTIS", "CMUD", "KILDCLIENT", "MUDLET", "MUSHCLIENT", "PUTTY", "BEIP", "POTATO", "TINYFUGUE"];

/// Clients that garble everything above `7E` (rule 12).
const CLIENTS_ASCII: [&str; 2] = ["TINYFUGUE", "ZMUD"];

/// What is known of a client so far. The last four fields are decided from the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, not a hidden state machine")]
pub struct ClientFacts {
    /// An IAC byte has come: it is no raw script or netcat.
    pub telnet: bool,
    /// Columns of its window, 20 to 250; `None` is unknown.
    pub width: Option<u16>,
    /// Rows of its window, 5 to 200; `None` is unknown.
    pub height: Option<u16>,
    /// What it calls itself and its terminal, in its order: printable ASCII, 40 letters at most. Untrusted.
    pub terminal_names: Vec<String>,
    /// The bits of the Mud Terminal Type Standard, if it sent any.
    pub mtts: Option<u32>,
    /// The character set agreed by CHARSET.
    pub charset: Option<Encoding>,
    /// It takes GMCP.
    pub gmcp: bool,
    /// It takes END-OF-RECORD after prompts.
    pub eor: bool,
    /// The player's own choice of character set.
    pub forced_encoding: Option<Encoding>,
    /// The character set in force (protocols 5.10).
    pub encoding: Encoding,
    /// The colours it shows (protocols 5.8); the player may choose otherwise.
    pub colour: ColourLevel,
    /// It says that it reads the text aloud.
    pub screen_reader: bool,
}

impl ClientFacts {
    /// Adds bits of the Mud Terminal Type Standard; several sources may differ, and are joined.
    pub(super) fn add_mtts(&mut self, bits: u32) {
        self.mtts = Some(self.mtts.unwrap_or(0) | bits);
    }

    /// Draws the conclusions anew.
    pub(super) fn decide(&mut self) {
        self.encoding = self.decided_encoding();
        self.colour = self.decided_colour();
        self.screen_reader |= self.mtts_has(MTTS_SCREEN_READER);
    }

    fn mtts_has(&self, bit: u32) -> bool {
        self.mtts.is_some_and(|bits| bits & bit != 0)
    }

    fn is_one_of(&self, clients: &[&str]) -> bool {
        self.terminal_names.iter().any(|name| clients.iter().any(|client| name.eq_ignore_ascii_case(client)))
    }

    fn decided_encoding(&self) -> Encoding {
        if let Some(encoding) = self.forced_encoding.or(self.charset) {
            return encoding;
        }
        match self.mtts {
            Some(bits) if bits & MTTS_UTF8 != 0 => Encoding::Utf8,
            Some(_) => Encoding::Ascii,
            None if self.is_one_of(&CLIENTS_ASCII) => Encoding::Ascii,
            None => Encoding::Utf8,
        }
    }

    fn decided_colour(&self) -> ColourLevel {
        if self.mtts_has(MTTS_TRUE_COLOUR) {
            return ColourLevel::True;
        }
        if self.mtts_has(MTTS_256_COLOURS) {
            return ColourLevel::TwoFiftySix;
        }
        match self.mtts {
            Some(bits) if bits & MTTS_ANSI != 0 => ColourLevel::Sixteen,
            Some(_) => ColourLevel::None,
            None => self.colour_by_name(),
        }
    }

    fn colour_by_name(&self) -> ColourLevel {
        let upper: Vec<_> = self.terminal_names.iter().map(|name| name.to_ascii_uppercase()).collect();
        if upper.iter().any(|name| name.ends_with("-TRUECOLOR")) {
            return ColourLevel::True;
        }
        let many = |name: &String| name.ends_with("-256COLOR") || name.starts_with("XTERM");
        if upper.iter().any(many) || self.is_one_of(&CLIENTS_256) {
            return ColourLevel::TwoFiftySix;
        }
        let dumb = |name: &String| name == "DUMB" || name == "UNKNOWN";
        if !upper.is_empty() && upper.iter().all(dumb) { ColourLevel::None } else { ColourLevel::Sixteen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(names: &[&str], mtts: Option<u32>) -> ClientFacts {
        let terminal_names = names.iter().map(ToString::to_string).collect();
        let mut facts = ClientFacts { terminal_names, mtts, ..ClientFacts::default() };
        facts.decide();
        facts
    }

    #[test]
    fn protocols_5_8_colours() {
        use ColourLevel::{None as Colourless, Sixteen, True, TwoFiftySix};
        let cases: [(&[&str], Option<u32>, ColourLevel); 12] = [
            (&[], None, Sixteen),
            (&["MUDLET", "ANSI-TRUECOLOR"], Some(2349), True),
            (&["TINTIN++", "tmux-256color"], Some(9), TwoFiftySix),
            (&["BlowTorch", "ANSI"], Some(1), Sixteen),
            (&["X", "XTERM"], Some(4), Colourless),
            (&["ANSI-TRUECOLOR"], None, True),
            (&["TMUX-256COLOR"], None, TwoFiftySix),
            (&["XTERM"], None, TwoFiftySix),
            (&["mushclient"], None, TwoFiftySix),
            (&["KBtin", "hardcopy", "unknown"], None, Sixteen),
            (&["dumb"], None, Colourless),
            (&["UNKNOWN"], None, Colourless),
        ];
        for (names, mtts, colour) in cases {
            assert_eq!(decided(names, mtts).colour, colour, "{names:?} {mtts:?}");
        }
    }

    #[test]
    fn protocols_5_10_first_match_decides_the_character_set() {
        assert_eq!(decided(&[], None).encoding, Encoding::Utf8);
        assert_eq!(decided(&["TINYFUGUE"], None).encoding, Encoding::Ascii);
        assert_eq!(decided(&["TINYFUGUE"], Some(4)).encoding, Encoding::Utf8);
        assert_eq!(decided(&["KBtin"], Some(9)).encoding, Encoding::Ascii);
        let mut facts = decided(&["KBtin"], Some(9));
        facts.charset = Some(Encoding::Utf8);
        facts.decide();
        assert_eq!(facts.encoding, Encoding::Utf8);
        facts.forced_encoding = Some(Encoding::Latin1);
        facts.decide();
        assert_eq!(facts.encoding, Encoding::Latin1);
    }

    #[test]
    fn a_screen_reader_stays_on() {
        let mut facts = decided(&[], Some(335));
        assert!(facts.screen_reader);
        facts.mtts = None;
        facts.decide();
        assert!(facts.screen_reader);
    }
}

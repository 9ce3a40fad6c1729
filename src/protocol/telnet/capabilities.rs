//! What is known of a client, and what follows from it: which characters, which colours, a screen reader or
//! not. Everything here came from outside: names are for showing to staff, and decide nothing but display.

use crate::base::ColourLevel;
use crate::protocol::encoding::Encoding;

/// Letters of a terminal name that are kept.
const NAME_CHARS: usize = 40;

/// The narrowest and the widest window that is believed.
pub(super) const COLUMNS_MIN: u16 = 20;
pub(super) const COLUMNS_MAX: u16 = 250;

const MTTS_ANSI: u32 = 1;
const MTTS_UTF8: u32 = 4;
const MTTS_256_COLOURS: u32 = 8;
const MTTS_SCREEN_READER: u32 = 64;
const MTTS_TRUE_COLOUR: u32 = 256;
const MTTS_TLS: u32 = 2_048;

/// Clients of which it is known that they show 256 colours.
const CLIENTS_256: &[&str] =
    &["ATLANTIS", "CMUD", "KILDCLIENT", "MUDLET", "MUSHCLIENT", "PUTTY", "BEIP", "POTATO", "TINYFUGUE"];

/// Clients that garble everything above `7E`.
const CLIENTS_ASCII: &[&str] = &["TINYFUGUE", "ZMUD"];

/// What a client told of itself by NEW-ENVIRON, besides its name; none where it said nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environ {
    /// What it calls its terminal: printable ASCII, 40 letters at most. Untrusted.
    pub terminal: Option<String>,
    /// The character set it says it shows.
    pub charset: Option<Encoding>,
    /// Whether it shows UTF-8.
    pub utf8: Option<bool>,
    /// Whether it shows 256 colours.
    pub colours_256: Option<bool>,
    /// Whether it shows true colours.
    pub true_colour: Option<bool>,
    /// Whether it knows links (OSC 8).
    pub links: Option<bool>,
    /// Whether it knows links that send a command.
    pub links_send: Option<bool>,
    /// The column at which it wraps lines by itself, 20 to 250.
    pub columns: Option<u16>,
}

/// What is known of a client so far. The last three fields are decided from the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent capabilities, not a hidden state machine")]
pub struct ClientCapabilities {
    /// An IAC byte has come: it is no raw script or netcat.
    pub telnet: bool,
    /// Columns of its window, 20 to 250; `None` is unknown.
    pub width: Option<u16>,
    /// It breaks lines at its edge by itself, between words: text comes to it in whole paragraphs.
    pub wraps_itself: bool,
    /// Rows of its window, 5 to 200; `None` is unknown.
    pub height: Option<u16>,
    /// What it calls itself and its terminal, in its order: printable ASCII, 40 letters at most. Untrusted.
    pub terminal_names: Vec<String>,
    /// The bits of the Mud Terminal Type Standard, if it sent any.
    pub mtts: Option<u32>,
    /// What the client program calls itself, by NEW-ENVIRON or by `Core.Hello`: printable ASCII, 40 letters at most.
    /// Untrusted.
    pub client_name: Option<String>,
    /// Its version, likewise.
    pub client_version: Option<String>,
    /// What else it told by NEW-ENVIRON.
    pub environ: Environ,
    /// It says that it reads the text aloud.
    pub screen_reader: bool,
    /// The character set agreed by CHARSET.
    pub charset: Option<Encoding>,
    /// It takes GMCP.
    pub gmcp: bool,
    /// It takes END-OF-RECORD after prompts.
    pub eor: bool,
    /// The player's own choice of character set.
    pub forced_encoding: Option<Encoding>,
    /// The character set in force.
    pub encoding: Encoding,
    /// The colours it shows; the player may choose otherwise.
    pub colour: ColourLevel,
    /// It shows links that send a command; the player may choose otherwise.
    pub links: bool,
}

impl ClientCapabilities {
    /// What the client program calls itself; what it said first stays.
    pub(in crate::protocol) fn name_client(&mut self, name: &str, version: &str) {
        for (known, said) in [(&mut self.client_name, name), (&mut self.client_version, version)] {
            let said = shown(said.as_bytes());
            if known.is_none() && !said.is_empty() {
                *known = Some(said);
            }
        }
    }

    /// Adds bits of the Mud Terminal Type Standard; several sources may differ, and are joined.
    pub(super) fn add_mtts(&mut self, bits: u32) {
        self.mtts = Some(self.mtts.unwrap_or(0) | bits);
        self.screen_reader |= bits & MTTS_SCREEN_READER != 0;
    }

    /// The client has changed its mind about all of the bits.
    pub(super) fn replace_mtts(&mut self, bits: u32) {
        let before = self.mtts.replace(bits).unwrap_or(0);
        if (before ^ bits) & MTTS_SCREEN_READER != 0 {
            self.screen_reader = bits & MTTS_SCREEN_READER != 0;
        }
    }

    /// Whether it says that it can encrypt its connections.
    pub fn can_encrypt(&self) -> bool {
        self.mtts_has(MTTS_TLS)
    }

    /// Draws the conclusions anew.
    pub(super) fn decide(&mut self) {
        self.encoding = self.decided_encoding();
        self.colour = self.decided_colour();
        let environ = &self.environ;
        self.links = environ.links == Some(true) && environ.links_send != Some(false);
    }

    /// The same capabilities with the conclusions drawn.
    #[cfg(test)]
    pub(super) fn decided(mut self) -> Self {
        self.decide();
        self
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
        let Environ { utf8, charset, .. } = self.environ;
        if self.mtts_has(MTTS_UTF8) || utf8 == Some(true) || charset == Some(Encoding::Utf8) {
            return Encoding::Utf8;
        }
        let said_otherwise = self.mtts.is_some() || utf8 == Some(false);
        match charset {
            Some(encoding) => encoding,
            None if said_otherwise || self.is_one_of(CLIENTS_ASCII) => Encoding::Ascii,
            None => Encoding::Utf8,
        }
    }

    fn decided_colour(&self) -> ColourLevel {
        if self.mtts_has(MTTS_TRUE_COLOUR) || self.environ.true_colour == Some(true) {
            return ColourLevel::True;
        }
        if self.mtts_has(MTTS_256_COLOURS) || self.environ.colours_256 == Some(true) {
            return ColourLevel::TwoFiftySix;
        }
        match self.mtts {
            Some(bits) if bits & MTTS_ANSI != 0 => ColourLevel::Sixteen,
            Some(_) => ColourLevel::None,
            None => self.colour_by_name(),
        }
    }

    fn colour_by_name(&self) -> ColourLevel {
        let names = self.terminal_names.iter().chain(&self.environ.terminal);
        let upper: Vec<_> = names.map(|name| name.to_ascii_uppercase()).collect();
        if upper.iter().any(|name| name.ends_with("-TRUECOLOR")) {
            return ColourLevel::True;
        }
        let many = |name: &String| name.ends_with("-256COLOR") || name.starts_with("XTERM");
        if upper.iter().any(many) || self.is_one_of(CLIENTS_256) {
            return ColourLevel::TwoFiftySix;
        }
        let dumb = |name: &String| name == "DUMB" || name == "UNKNOWN";
        if !upper.is_empty() && upper.iter().all(dumb) { ColourLevel::None } else { ColourLevel::Sixteen }
    }
}

/// A name from a client as it may be shown: printable ASCII, 40 letters at most.
pub(super) fn shown(name: &[u8]) -> String {
    let printable = name.iter().filter(|byte| (0x20..0x7f).contains(*byte));
    let name: String = printable.map(|byte| char::from(*byte)).take(NAME_CHARS).collect();
    name.trim().to_owned()
}

/// The column at which a client wraps; none if it cannot be meant (0 is off, and 1 would be a switch).
pub(super) fn columns(said: u16) -> Option<u16> {
    (said >= COLUMNS_MIN).then_some(said.min(COLUMNS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(names: &[&str], mtts: Option<u32>) -> ClientCapabilities {
        let terminal_names = names.iter().map(ToString::to_string).collect();
        let mut capabilities = ClientCapabilities { terminal_names, ..ClientCapabilities::default() };
        if let Some(bits) = mtts {
            capabilities.add_mtts(bits);
        }
        capabilities.decided()
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
        let mut capabilities = decided(&["KBtin"], Some(9));
        capabilities.charset = Some(Encoding::Utf8);
        capabilities.decide();
        assert_eq!(capabilities.encoding, Encoding::Utf8);
        capabilities.forced_encoding = Some(Encoding::Latin1);
        capabilities.decide();
        assert_eq!(capabilities.encoding, Encoding::Latin1);
    }

    #[test]
    fn protocols_5_10_the_environment_counts_after_charset() {
        let told = |mtts, environ| {
            let capabilities = ClientCapabilities { mtts, environ, ..decided(&[], None) };
            capabilities.decided().encoding
        };
        let utf8 = |utf8| Environ { utf8: Some(utf8), ..Environ::default() };
        let charset = |set| Environ { charset: Some(set), ..Environ::default() };
        assert_eq!(told(Some(9), utf8(true)), Encoding::Utf8);
        assert_eq!(told(Some(9), charset(Encoding::Utf8)), Encoding::Utf8);
        assert_eq!(told(Some(13), utf8(false)), Encoding::Utf8);
        assert_eq!(told(None, utf8(false)), Encoding::Ascii);
        assert_eq!(told(None, charset(Encoding::Latin1)), Encoding::Latin1);
    }

    #[test]
    fn a_screen_reader_stays_on() {
        let mut capabilities = decided(&[], Some(335));
        assert!(capabilities.screen_reader);
        capabilities.add_mtts(9);
        capabilities.decide();
        assert!(capabilities.screen_reader);
    }
}

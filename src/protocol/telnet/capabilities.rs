//! Capabilities of a client, and the settings derived from them: character set, colours and screen reader. All values
//! come from the client: names are shown to staff only, and nothing but display depends on them.

use crate::protocol::encoding::Encoding;
use deepwell_core::base::ColourLevel;

/// Maximum length of a stored terminal name, in characters.
const NAME_CHARS: usize = 40;

/// Minimum and maximum plausible window width.
pub(super) const COLUMNS_MIN: u16 = 20;
pub(super) const COLUMNS_MAX: u16 = 250;

const MTTS_ANSI: u32 = 1;
const MTTS_UTF8: u32 = 4;
const MTTS_256_COLOURS: u32 = 8;
const MTTS_SCREEN_READER: u32 = 64;
const MTTS_TRUE_COLOUR: u32 = 256;
const MTTS_TLS: u32 = 2_048;

/// Clients known to support 256 colours.
const CLIENTS_256: &[&str] =
    &["ATLANTIS", "CMUD", "KILDCLIENT", "MUDLET", "MUSHCLIENT", "PUTTY", "BEIP", "POTATO", "TINYFUGUE"];

/// Clients that garble characters above `7E`.
const CLIENTS_ASCII: &[&str] = &["TINYFUGUE", "ZMUD"];

/// Values that a client sent by NEW-ENVIRON, except its name; `None` if a value was not sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environ {
    /// Terminal type: printable ASCII, at most 40 characters. Untrusted.
    pub terminal: Option<String>,
    /// Character set.
    pub charset: Option<Encoding>,
    /// Support for UTF-8.
    pub utf8: Option<bool>,
    /// Support for 256 colours.
    pub colours_256: Option<bool>,
    /// Support for true colour.
    pub true_colour: Option<bool>,
    /// Support for hyperlinks (OSC 8).
    pub links: Option<bool>,
    /// Support for hyperlinks that send a command.
    pub links_send: Option<bool>,
    /// Column at which the client wraps lines, 20 to 250.
    pub columns: Option<u16>,
}

/// Capabilities negotiated so far. The last three fields are derived from the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent capabilities, not a hidden state machine")]
pub struct ClientCapabilities {
    /// Set once an IAC byte was received: the client speaks telnet, unlike a raw script or netcat.
    pub telnet: bool,
    /// Columns of its window, 20 to 250; `None` if unknown.
    pub width: Option<u16>,
    /// Set if the client wraps lines between words, so that it gets whole paragraphs.
    pub wraps_itself: bool,
    /// Rows of its window, 5 to 200; `None` if unknown.
    pub height: Option<u16>,
    /// Client and terminal names, in the client's order: printable ASCII, at most 40 characters. Untrusted.
    pub terminal_names: Vec<String>,
    /// Mud Terminal Type Standard (MTTS) bits, if sent.
    pub mtts: Option<u32>,
    /// Name of the client program, from NEW-ENVIRON or `Core.Hello`: printable ASCII, at most 40 characters. Untrusted.
    pub client_name: Option<String>,
    /// Version of the client program; restrictions as for the name.
    pub client_version: Option<String>,
    /// Other values sent by NEW-ENVIRON.
    pub environ: Environ,
    /// Set if the client reports a screen reader.
    pub screen_reader: bool,
    /// Character set agreed by CHARSET.
    pub charset: Option<Encoding>,
    /// Set if GMCP is agreed.
    pub gmcp: bool,
    /// Set if END-OF-RECORD after prompts is agreed.
    pub eor: bool,
    /// Character set chosen by the player.
    pub forced_encoding: Option<Encoding>,
    /// Effective character set.
    pub encoding: Encoding,
    /// Colours supported by the client; the player may override them.
    pub colour: ColourLevel,
    /// Support for links that send a command; the player may override it.
    pub links: bool,
}

impl ClientCapabilities {
    /// Sets the name and version of the client program; values set earlier are kept.
    pub(in crate::protocol) fn name_client(&mut self, name: &str, version: &str) {
        for (known, answered) in [(&mut self.client_name, name), (&mut self.client_version, version)] {
            let answered = shown(answered.as_bytes());
            if known.is_none() && !answered.is_empty() {
                *known = Some(answered);
            }
        }
    }

    /// Adds MTTS bits; bits from several sources are combined.
    pub(super) fn add_mtts(&mut self, bits: u32) {
        self.mtts = Some(self.mtts.unwrap_or(0) | bits);
        self.screen_reader |= bits & MTTS_SCREEN_READER != 0;
    }

    /// Replaces all MTTS bits.
    pub(super) fn replace_mtts(&mut self, bits: u32) {
        let before = self.mtts.replace(bits).unwrap_or(0);
        if (before ^ bits) & MTTS_SCREEN_READER != 0 {
            self.screen_reader = bits & MTTS_SCREEN_READER != 0;
        }
    }

    /// Returns `true` if the client reports support for TLS.
    pub fn can_encrypt(&self) -> bool {
        self.mtts_has(MTTS_TLS)
    }

    /// Recomputes the derived fields.
    pub(super) fn decide(&mut self) {
        self.encoding = self.decided_encoding();
        self.colour = self.decided_colour();
        let environ = &self.environ;
        self.links = environ.links == Some(true) && environ.links_send != Some(false);
    }

    /// Returns the capabilities with the derived fields computed.
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

/// Cleans a name from a client for display: printable ASCII, at most 40 characters.
pub(super) fn shown(name: &[u8]) -> String {
    let printable = name.iter().filter(|byte| (0x20..0x7f).contains(*byte));
    let name: String = printable.map(|byte| char::from(*byte)).take(NAME_CHARS).collect();
    name.trim().to_owned()
}

/// Returns the column at which a client wraps, or `None` for implausible values (0 means off, and 1 would be a flag).
pub(super) fn columns(claimed: u16) -> Option<u16> {
    (claimed >= COLUMNS_MIN).then_some(claimed.min(COLUMNS_MAX))
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
    fn protocols_5_10_first_match_sets_character_set() {
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
    fn protocols_5_10_charset_takes_precedence_over_environ() {
        let encoding = |mtts, environ| {
            let capabilities = ClientCapabilities { mtts, environ, ..decided(&[], None) };
            capabilities.decided().encoding
        };
        let utf8 = |utf8| Environ { utf8: Some(utf8), ..Environ::default() };
        let charset = |set| Environ { charset: Some(set), ..Environ::default() };
        assert_eq!(encoding(Some(9), utf8(true)), Encoding::Utf8);
        assert_eq!(encoding(Some(9), charset(Encoding::Utf8)), Encoding::Utf8);
        assert_eq!(encoding(Some(13), utf8(false)), Encoding::Utf8);
        assert_eq!(encoding(None, utf8(false)), Encoding::Ascii);
        assert_eq!(encoding(None, charset(Encoding::Latin1)), Encoding::Latin1);
    }

    #[test]
    fn screen_reader_stays_set_when_bits_are_added() {
        let mut capabilities = decided(&[], Some(335));
        assert!(capabilities.screen_reader);
        capabilities.add_mtts(9);
        capabilities.decide();
        assert!(capabilities.screen_reader);
    }
}

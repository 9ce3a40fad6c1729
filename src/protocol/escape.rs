//! Recognition of terminal control sequences (ECMA-48) in the input, such as arrow keys and paste marks, so that none
//! of their bytes becomes part of a line.
//!
//! ```text
//! ESC [ …    CSI: parameters 30–3F, intermediates 20–2F, a final 40–7E. Linux consoles send ESC [ [ and A–E for F1–F5
//! ESC O …    SS3: digits and semicolons, a final 40–7E
//! ESC P … ESC \    a string; also after ESC ], ESC X, ESC ^ and ESC _. BEL ends it, too
//! ESC … x    any other: intermediates 20–2F, a final 30–7E
//! ```
//!
//! The C1 controls U+0080 to U+009F in UTF-8 (`C2 80` to `C2 9F`) start the same sequences. Single bytes 80 to 9F do not,
//! because they are letters in other character sets. A line end, CAN and SUB end every sequence, so that one without an end
//! costs its own line only.

const BELL: u8 = 0x07;
const LINE_FEED: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const ESCAPE: u8 = 0x1b;
/// First byte of a C1 control in UTF-8.
pub(super) const C1_LEAD: u8 = 0xc2;
/// Second byte of the C1 control that ends a string.
const C1_END: u8 = 0x9c;

/// Position in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum EscapeState {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// After ESC and an intermediate.
    Intermediate,
    /// After the start of a control sequence.
    Csi,
    /// In the parameters or intermediates of a control sequence.
    CsiParameters,
    /// After `ESC [ [`.
    LinuxKey,
    /// After `ESC O`.
    Ss3,
    /// In a control string.
    ControlString,
    /// After ESC in a control string.
    StringEscape,
    /// After the first byte of a C1 control in a control string.
    StringC1,
}

/// Tells the bytes of control sequences from text. Has no limit, since it stores nothing and every line end ends a
/// sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EscapeFilter {
    state: EscapeState,
}

impl EscapeFilter {
    /// Processes the next byte. Returns `true` if it is text, and `false` if it belongs to a control sequence.
    #[expect(clippy::match_same_arms, reason = "the order of the arms matters")]
    pub(super) fn is_text(&mut self, byte: u8) -> bool {
        self.state = match (self.state, byte) {
            (_, LINE_FEED | CARRIAGE_RETURN) | (EscapeState::Text, _) if byte != ESCAPE => {
                self.state = EscapeState::Text;
                return true;
            }
            (EscapeState::ControlString | EscapeState::StringC1, ESCAPE) => EscapeState::StringEscape,
            (_, ESCAPE) => EscapeState::Escape,
            (_, CANCEL | SUBSTITUTE)
            | (EscapeState::ControlString | EscapeState::StringC1, BELL)
            | (EscapeState::StringEscape, b'\\')
            | (EscapeState::StringC1, C1_END) => EscapeState::Text,
            (EscapeState::ControlString | EscapeState::StringC1, C1_LEAD) => EscapeState::StringC1,
            (EscapeState::ControlString | EscapeState::StringC1, _) => EscapeState::ControlString,
            (EscapeState::Escape | EscapeState::StringEscape, b'[') => EscapeState::Csi,
            (EscapeState::Escape | EscapeState::StringEscape, b'O') => EscapeState::Ss3,
            (EscapeState::Escape | EscapeState::StringEscape, b'P' | b'X' | b']' | b'^' | b'_') => {
                EscapeState::ControlString
            }
            (EscapeState::Csi, b'[') => EscapeState::LinuxKey,
            (EscapeState::LinuxKey, b'A'..=b'E') => EscapeState::Text,
            // Above ASCII is always text; after `ESC [ [`, anything but a key is.
            (EscapeState::LinuxKey, _) | (_, 0x80..) => {
                self.state = EscapeState::Text;
                return true;
            }
            (EscapeState::Csi | EscapeState::CsiParameters, b' '..=b'?') => EscapeState::CsiParameters,
            (EscapeState::Ss3, b'0'..=b'9' | b';') => EscapeState::Ss3,
            (EscapeState::Escape | EscapeState::StringEscape | EscapeState::Intermediate, b' '..=b'/') => {
                EscapeState::Intermediate
            }
            // Alt with a letter, or with the backspace key.
            (EscapeState::Escape | EscapeState::StringEscape, _) | (_, b' '..=b'~') => EscapeState::Text,
            // Other control characters have no place in a sequence.
            (state, _) => state,
        };
        false
    }

    /// Processes a byte of text after [`C1_LEAD`]. Returns `true` if the two bytes begin a sequence.
    pub(super) fn begin_sequence(&mut self, byte: u8) -> bool {
        let begun = match byte {
            0x8f => EscapeState::Ss3,
            0x9b => EscapeState::Csi,
            0x90 | 0x98 | 0x9d | 0x9e | 0x9f => EscapeState::ControlString,
            _ => return false,
        };
        self.state = begun;
        true
    }
}

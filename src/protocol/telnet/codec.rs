//! The telnet byte format (RFC 854, 855): each byte yields at most one element. The codec knows the framing and the
//! command codes; the options are in `negotiate` and the option files.

/// Interpret as command.
pub(super) const IAC: u8 = 0xff;
/// End of a subnegotiation.
pub(super) const SE: u8 = 0xf0;
/// Start of a subnegotiation.
pub(super) const SB: u8 = 0xfa;
/// No operation.
pub(super) const NOP: u8 = 0xf1;
/// Break key.
pub(super) const BREAK: u8 = 0xf3;
/// Are You There.
pub(super) const INTERRUPT: u8 = 0xf4;
/// Are you there?
pub(super) const ARE_YOU_THERE: u8 = 0xf6;
/// Erase character.
pub(super) const ERASE_CHARACTER: u8 = 0xf7;
/// Erase line.
pub(super) const ERASE_LINE: u8 = 0xf8;
/// Go ahead: the prompt is complete.
pub(super) const GO_AHEAD: u8 = 0xf9;
/// End of record (RFC 885): replaces GO-AHEAD where agreed.
pub(super) const END_OF_RECORD: u8 = 0xef;

/// NAWS, the only option with a fixed payload length.
const WINDOW_SIZE: u8 = 31;
/// Length of the NAWS payload: columns and rows, high byte first.
const WINDOW_SIZE_BYTES: usize = 4;

const NUL: u8 = 0x00;
const LINE_FEED: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;

/// The four verbs of negotiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NegotiationVerb {
    /// The sender enables the option, or offers to.
    Will,
    /// The sender disables or refuses the option.
    Wont,
    /// The sender asks the receiver to enable the option.
    Do,
    /// The sender asks the receiver to disable the option.
    Dont,
}

impl NegotiationVerb {
    /// Returns the byte on the wire.
    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::Will => 0xfb,
            Self::Wont => 0xfc,
            Self::Do => 0xfd,
            Self::Dont => 0xfe,
        }
    }

    const fn of(byte: u8) -> Option<Self> {
        match byte {
            0xfb => Some(Self::Will),
            0xfc => Some(Self::Wont),
            0xfd => Some(Self::Do),
            0xfe => Some(Self::Dont),
            _ => None,
        }
    }
}

/// An element of the byte stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Element {
    /// A data byte.
    Data(u8),
    /// `IAC x` for any x that is not a verb, SB or IAC.
    Command(u8),
    /// `IAC verb option`.
    Negotiation(NegotiationVerb, u8),
    /// A complete subnegotiation, with `IAC IAC` already unescaped.
    Subnegotiation(u8, Vec<u8>),
    /// A subnegotiation that was too long, contains another command, or was abandoned without an end.
    Fault,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CodecState {
    Data,
    /// After IAC.
    Command,
    /// After IAC and a verb.
    Option(NegotiationVerb),
    /// After IAC SB.
    SubnegotiationOption,
    Subnegotiation,
    /// After IAC inside a subnegotiation.
    SubnegotiationCommand,
    /// After IAC and a verb inside a subnegotiation.
    SubnegotiationVerb(NegotiationVerb),
    /// After the carriage return that ended an abandoned subnegotiation.
    Abandoned,
}

/// The parser. Its memory is bounded by the largest value of `payload_max`.
#[derive(Debug)]
pub(super) struct Codec {
    state: CodecState,
    option: u8,
    payload: Vec<u8>,
    payload_max: usize,
}

impl Codec {
    /// Creates a parser for the start of a stream.
    pub(super) const fn new() -> Self {
        Self { state: CodecState::Data, option: 0, payload: Vec::new(), payload_max: 0 }
    }

    /// Processes the next byte. `payload_max` returns the maximum payload length of an option. A longer payload is
    /// discarded up to its end or a line end, so that a client that never ends it is not ignored forever.
    ///
    /// A negotiation inside a payload takes effect, because some clients write both at the same time. Other commands inside
    /// are ignored: neither ends the payload, so that the rest of the payload does not become text.
    ///
    /// Some clients do not double a 255 in a window size. Since the payload length is fixed and the high byte of a size
    /// is small, such payloads are recognised and accepted.
    #[expect(clippy::match_same_arms, reason = "one row for each state, in the order of the stream")]
    pub(super) fn push(&mut self, byte: u8, payload_max: impl Fn(u8) -> usize) -> Option<Element> {
        match (self.state, byte) {
            (CodecState::Abandoned, LINE_FEED | NUL) => self.go(CodecState::Data),
            (CodecState::Data | CodecState::Abandoned, IAC) => self.go(CodecState::Command),
            (CodecState::Data | CodecState::Abandoned, _) => {
                self.state = CodecState::Data;
                Some(Element::Data(byte))
            }
            // A byte that is not doubled, at the end of a line.
            (CodecState::Command, LINE_FEED | CARRIAGE_RETURN) => {
                self.state = CodecState::Data;
                Some(Element::Data(byte))
            }
            (CodecState::Command, _) => self.command(byte),
            (CodecState::Option(verb), _) => {
                self.state = CodecState::Data;
                Some(Element::Negotiation(verb, byte))
            }
            (CodecState::SubnegotiationOption, IAC) => self.go(CodecState::SubnegotiationCommand),
            (CodecState::SubnegotiationOption, _) => {
                self.option = byte;
                self.payload_max = payload_max(byte);
                self.go(CodecState::Subnegotiation)
            }
            (CodecState::Subnegotiation, IAC) => self.go(CodecState::SubnegotiationCommand),
            (CodecState::Subnegotiation, SE) if self.ends_with_single_255() => {
                Some(self.end_subnegotiation())
            }
            (CodecState::Subnegotiation, LINE_FEED | CARRIAGE_RETURN) if self.is_oversized() => {
                Some(self.abandon(byte))
            }
            (CodecState::Subnegotiation, _) => self.keep(byte),
            (CodecState::SubnegotiationCommand, IAC) => self.keep(IAC),
            (CodecState::SubnegotiationCommand, SE) => Some(self.end_subnegotiation()),
            (CodecState::SubnegotiationCommand, _) if self.has_single_255(byte) => {
                self.payload.push(IAC);
                self.keep(byte)
            }
            (CodecState::SubnegotiationCommand, SB) => {
                self.begin_subnegotiation();
                Some(Element::Fault)
            }
            (CodecState::SubnegotiationCommand, _) => {
                if let Some(verb) = NegotiationVerb::of(byte) {
                    return self.go(CodecState::SubnegotiationVerb(verb));
                }
                self.state = CodecState::Subnegotiation;
                Some(Element::Fault)
            }
            (CodecState::SubnegotiationVerb(_), IAC) => self.go(CodecState::SubnegotiationCommand),
            (CodecState::SubnegotiationVerb(verb), _) => {
                self.state = CodecState::Subnegotiation;
                Some(Element::Negotiation(verb, byte))
            }
        }
    }

    fn go(&mut self, state: CodecState) -> Option<Element> {
        self.state = state;
        None
    }

    fn command(&mut self, byte: u8) -> Option<Element> {
        self.state = CodecState::Data;
        match (byte, NegotiationVerb::of(byte)) {
            (_, Some(verb)) => self.go(CodecState::Option(verb)),
            (IAC, _) => Some(Element::Data(IAC)),
            (SB, _) => {
                self.begin_subnegotiation();
                None
            }
            _ => Some(Element::Command(byte)),
        }
    }

    fn begin_subnegotiation(&mut self) {
        self.payload = Vec::new();
        self.payload_max = 0;
        self.option = 0;
        self.state = CodecState::SubnegotiationOption;
    }

    fn keep(&mut self, byte: u8) -> Option<Element> {
        // One byte beyond the limit is stored, to mark the payload as too long.
        if self.payload.len() <= self.payload_max {
            self.payload.push(byte);
        }
        self.go(CodecState::Subnegotiation)
    }

    fn end_subnegotiation(&mut self) -> Element {
        self.state = CodecState::Data;
        let payload = std::mem::take(&mut self.payload);
        if payload.is_empty() || payload.len() > self.payload_max {
            return Element::Fault;
        }
        Element::Subnegotiation(self.option, payload)
    }

    const fn is_oversized(&self) -> bool {
        self.payload.len() > self.payload_max
    }

    /// Returns `true` if the 255 before this byte is the low byte of the columns, sent without doubling it.
    fn has_single_255(&self, next: u8) -> bool {
        self.option == WINDOW_SIZE && self.payload.len() == 1 && next < END_OF_RECORD
    }

    /// Returns `true` if the two bytes before were 255 rows and the IAC of the end, and not a doubled 255.
    fn ends_with_single_255(&self) -> bool {
        self.option == WINDOW_SIZE
            && self.payload.len() == WINDOW_SIZE_BYTES
            && self.payload.last() == Some(&IAC)
    }

    /// Returns to data after an unterminated payload; the line end is part of the discarded payload.
    fn abandon(&mut self, line_end: u8) -> Element {
        self.payload = Vec::new();
        self.state = if line_end == CARRIAGE_RETURN { CodecState::Abandoned } else { CodecState::Data };
        Element::Fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn elements(bytes: &[u8]) -> Vec<Element> {
        let mut codec = Codec::new();
        bytes.iter().filter_map(|byte| codec.push(*byte, |_| 4)).collect()
    }

    #[test]
    fn n6_escaped_iac_is_data_inside_subnegotiations_too() {
        assert_eq!(elements(b"a\xff\xff\xf0"), [Element::Data(b'a'), Element::Data(IAC), Element::Data(SE)]);
        assert_eq!(
            elements(b"\xff\xfa\x1f\x00\xff\xff\xf0\x18\xff\xf0"),
            [Element::Subnegotiation(0x1f, vec![0, 0xff, 0xf0, 0x18])]
        );
    }

    #[test]
    fn commands_and_verbs() {
        assert_eq!(
            elements(b"\xff\xf4\xff\xfd\x06\xff\xf0\xff\x00x"),
            [
                Element::Command(INTERRUPT),
                Element::Negotiation(NegotiationVerb::Do, 6),
                Element::Command(SE),
                Element::Command(0),
                Element::Data(b'x')
            ]
        );
    }

    #[test]
    fn n6_overlong_subnegotiation_is_discarded_up_to_its_end() {
        assert_eq!(elements(b"\xff\xfa\x1f12345678\xff\xf0x"), [Element::Fault, Element::Data(b'x')]);
        assert_eq!(elements(b"\xff\xfa\x1f1234\xff\xf0"), [Element::Subnegotiation(0x1f, b"1234".to_vec())]);
        assert_eq!(
            elements(b"\xff\xfa\xff\xf0\xff\xfa\x1f\xff\xf0x"),
            [Element::Fault, Element::Fault, Element::Data(b'x')]
        );
    }

    #[test]
    fn window_size_with_undoubled_255_is_accepted() {
        let size = |wide: u8, high: u8| Element::Subnegotiation(WINDOW_SIZE, vec![0, wide, 0, high]);
        assert_eq!(elements(b"\xff\xfa\x1f\x00\xff\x00\x32\xff\xf0x"), [size(255, 50), Element::Data(b'x')]);
        assert_eq!(elements(b"\xff\xfa\x1f\x00\x64\x00\xff\xff\xf0x"), [size(100, 255), Element::Data(b'x')]);
        assert_eq!(elements(b"\xff\xfa\x1f\x00\xff\x00\xff\xff\xf0x"), [size(255, 255), Element::Data(b'x')]);
        assert_eq!(
            elements(b"\xff\xfa\x1f\x00\xff\xff\x00\xff\xff\xff\xf0x"),
            [size(255, 255), Element::Data(b'x')],
            "doubled, as the standard says"
        );
    }

    #[test]
    fn oversized_subnegotiation_is_abandoned_at_line_end() {
        for line_end in [b"\r\n".as_slice(), b"\n", b"\r\0", b"\r"] {
            let bytes = [b"\xff\xfa\xc912345678", line_end, b"x"].concat();
            assert_eq!(elements(&bytes), [Element::Fault, Element::Data(b'x')], "{line_end:?}");
        }
        let short = Element::Subnegotiation(0xc9, b"{\r\n}".to_vec());
        assert_eq!(elements(b"\xff\xfa\xc9{\r\n}\xff\xf0"), [short], "within the limit a line may end");
    }

    #[test]
    fn command_inside_subnegotiation_does_not_end_it() {
        let whole = Element::Subnegotiation(0x1f, b"1234".to_vec());
        let negotiation = Element::Negotiation(NegotiationVerb::Do, 6);
        assert_eq!(
            elements(b"\xff\xfa\x1f12\xff\xfd\x0634\xff\xf0x"),
            [negotiation.clone(), whole.clone(), Element::Data(b'x')]
        );
        assert_eq!(
            elements(b"\xff\xfa\x1f12\xff\xf434\xff\xf0x"),
            [Element::Fault, whole.clone(), Element::Data(b'x')]
        );
        assert_eq!(elements(b"\xff\xfa\x1f1234\xff\xfd\xff\xf0x"), [whole, Element::Data(b'x')]);
        assert_eq!(elements(b"a\xff\nb"), b"a\nb".map(Element::Data));
        assert_eq!(
            elements(b"\xff\xfa\x1f12\xff\xfa\x1f34\xff\xf0"),
            [Element::Fault, Element::Subnegotiation(0x1f, b"34".to_vec())]
        );
    }

    #[test]
    fn n6_endless_subnegotiation_uses_bounded_memory() {
        let mut codec = Codec::new();
        for byte in *b"\xff\xfa\xc9" {
            codec.push(byte, |_| 4096);
        }
        for _ in 0..1_000_000 {
            assert_eq!(codec.push(b'x', |_| 4096), None);
        }
        assert!(codec.payload.capacity() <= 8192 + 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn n6_arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0xefu8..], 0..200)) {
            let found = elements(&bytes);
            prop_assert!(found.len() <= bytes.len());
            for element in found {
                if let Element::Subnegotiation(_, payload) = element {
                    prop_assert!((1..=4).contains(&payload.len()));
                }
            }
        }
    }
}

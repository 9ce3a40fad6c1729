//! What every option has in common, and the table of those we know. An option is one file that implements
//! [`TelnetOption`] and one line in the table; what is not in the table is refused.

use super::Event;
use super::charset::CharsetOption;
use super::codec::{IAC, SB, SE, Verb};
use super::echo::Echo;
use super::eor::EndOfRecord;
use super::facts::ClientFacts;
use super::gmcp::Gmcp;
use super::mccp::Compression;
use super::mssp::ServerStatus;
use super::naws::WindowSize;
use super::negotiate::{Sides, Stance};
use super::new_environ::NewEnviron;
use super::suppress_go_ahead::SuppressGoAhead;
use super::timing_mark::TimingMark;
use super::ttype::TerminalType;

/// What an option is, apart from its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    /// Its number.
    pub(super) code: u8,
    /// Whether we do it.
    pub(super) ours: Stance,
    /// Whether the peer may.
    pub(super) theirs: Stance,
    /// Bytes of the longest payload that is read; the setting `limits.subnegotiation_bytes` is above it.
    pub(super) payload_max: usize,
}

/// One option with its state. Everything it does goes through the [`Link`].
pub(super) trait TelnetOption {
    /// What it is.
    fn spec(&self) -> Spec;

    /// Takes a verb past the state machine of RFC 1143; true if that was all. For options that have no lasting
    /// agreement.
    fn intercept(&mut self, _verb: Verb, _link: &mut Link) -> bool {
        false
    }

    /// The peer has agreed that we do it, or has refused or ended it.
    fn ours_settled(&mut self, _on: bool, _link: &mut Link) {}

    /// The peer does it from here on, or has refused or ended it.
    fn theirs_settled(&mut self, _on: bool, _link: &mut Link) {}

    /// A payload came while either side was in force.
    fn payload(&mut self, _payload: &[u8], link: &mut Link) {
        link.fault();
    }
}

/// What the options work on: the facts found so far, and the way out.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) facts: ClientFacts,
    pub(super) output: Vec<u8>,
    pub(super) events: Vec<Event>,
    /// Malformed or oversized payloads so far.
    pub(super) faults: u32,
    /// The TIMING-MARK that ends the opening burst has been answered.
    pub(super) barrier_passed: bool,
    /// No more terminal names will come.
    pub(super) terminal_known: bool,
}

impl Link {
    /// Counts something malformed, oversized or unasked.
    pub(super) fn fault(&mut self) {
        self.faults = self.faults.saturating_add(1);
    }

    /// Sends `IAC verb option`.
    pub(super) fn send_verb(&mut self, verb: Verb, code: u8) {
        self.output.extend_from_slice(&[IAC, verb.byte(), code]);
    }

    /// Sends a subnegotiation, `FF` doubled.
    pub(super) fn send_payload(&mut self, code: u8, payload: &[u8]) {
        self.output.extend_from_slice(&[IAC, SB, code]);
        for byte in payload {
            if *byte == IAC {
                self.output.push(IAC);
            }
            self.output.push(*byte);
        }
        self.output.extend_from_slice(&[IAC, SE]);
    }
}

/// How far one option has been agreed, for people who look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Its number.
    pub code: u8,
    /// Its name, words parted by `_`.
    pub name: &'static str,
    /// We do it.
    pub ours: bool,
    /// The client does it.
    pub theirs: bool,
}

/// An option and how far it has been agreed.
#[derive(Debug, Default)]
pub(super) struct Entry<T> {
    pub(super) sides: Sides,
    pub(super) option: T,
}

macro_rules! options {
    ($($name:ident: $option:ty,)*) => {
        /// All options we know.
        #[derive(Debug, Default)]
        pub(super) struct Options {$(pub(super) $name: Entry<$option>,)*}

        impl Options {
            /// The option of that number.
            pub(super) fn find(&mut self, code: u8) -> Option<(&mut Sides, &mut dyn TelnetOption)> {
                $(if self.$name.option.spec().code == code {
                    return Some((&mut self.$name.sides, &mut self.$name.option));
                })*
                None
            }

            /// The longest payload of an option that is read; 0 for one we do not know.
            pub(super) fn payload_max(&self, code: u8) -> usize {
                $(if self.$name.option.spec().code == code {
                    return self.$name.option.spec().payload_max;
                })*
                0
            }

            /// How far each of them has been agreed.
            pub(super) fn agreements(&self) -> Vec<Agreement> {
                vec![$(Agreement {
                    code: self.$name.option.spec().code,
                    name: stringify!($name),
                    ours: self.$name.sides.ours.is_on(),
                    theirs: self.$name.sides.theirs.is_on(),
                },)*]
            }

            /// Sends the opening burst: every option that we offer, in the order of the table.
            pub(super) fn open(&mut self, link: &mut Link) {
                $({
                    let (spec, sides) = (self.$name.option.spec(), &mut self.$name.sides);
                    if spec.theirs == Stance::Offer && sides.theirs.ask(true).is_some() {
                        link.send_verb(Verb::Do, spec.code);
                    }
                    if spec.ours == Stance::Offer && sides.ours.ask(true).is_some() {
                        link.send_verb(Verb::Will, spec.code);
                    }
                })*
            }
        }
    };
}

// TIMING-MARK ends the burst: its answer proves that everything before it has been read. Never
// arrange a burst as 24, 31, 42, 69, 70, 200, 90, 91: Mudlet would take us for another server.
options! {
    terminal_type: TerminalType,
    window_size: WindowSize,
    new_environ: NewEnviron,
    end_of_record: EndOfRecord,
    charset: CharsetOption,
    gmcp: Gmcp,
    server_status: ServerStatus,
    compression: Compression,
    echo: Echo,
    suppress_go_ahead: SuppressGoAhead,
    timing_mark: TimingMark,
}

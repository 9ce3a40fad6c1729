//! Table of the known options. A new option is one file that implements [`TelnetOption`] and one line here; unknown
//! options are refused.

use super::charset::CharsetOption;
use super::codec::NegotiationVerb;
use super::echo::PasswordEcho;
use super::eor::EndOfRecord;
use super::gmcp::Gmcp;
use super::mccp::Mccp2State;
use super::mssp::ServerStatus;
use super::naws::WindowSize;
use super::negotiate::{OptionPolicy, OptionSides};
use super::new_environ::NewEnviron;
use super::option::{Peer, TelnetOption};
use super::suppress_go_ahead::SuppressGoAhead;
use super::timing_mark::TimingMark;
use super::ttype::TerminalType;

/// Negotiation state of one option, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Number of the option.
    pub code: u8,
    /// Name, with words separated by `_`.
    pub name: &'static str,
    /// Set if the server's side is in effect.
    pub ours: bool,
    /// Set if the client's side is in effect.
    pub theirs: bool,
}

/// An option and its negotiation state.
#[derive(Debug, Default)]
pub(super) struct OptionEntry<T> {
    pub(super) sides: OptionSides,
    pub(super) option: T,
}

macro_rules! options {
    ($($name:ident: $option:ty,)*) => {
        /// All known options.
        #[derive(Debug, Default)]
        pub(super) struct Options {$(pub(super) $name: OptionEntry<$option>,)*}

        impl Options {
            /// Returns the option with this number.
            pub(super) fn find(&mut self, code: u8) -> Option<(&mut OptionSides, &mut dyn TelnetOption)> {
                $(if self.$name.option.spec().code == code {
                    return Some((&mut self.$name.sides, &mut self.$name.option));
                })*
                None
            }

            /// Returns the maximum payload length of an option; 0 for an unknown one.
            pub(super) fn payload_max(&self, code: u8) -> usize {
                $(if self.$name.option.spec().code == code {
                    return self.$name.option.spec().payload_max;
                })*
                0
            }

            /// Returns the negotiation state of each option.
            pub(super) fn agreements(&self) -> Vec<Agreement> {
                vec![$(Agreement {
                    code: self.$name.option.spec().code,
                    name: stringify!($name),
                    ours: self.$name.sides.ours.is_on(),
                    theirs: self.$name.sides.theirs.is_on(),
                },)*]
            }

            /// Returns `true` if the peer has agreed to all our offers except compression, but uses none of the
            /// requested options: it refused all, or it has sent no payload for those that it agreed to, not even a
            /// window size. Clients that can decompress do not behave like this; libraries that agree to everything
            /// do.
            pub(super) fn accepts_every_offer(&self, any_payload: bool) -> bool {
                let (mut agreed, mut does) = (true, false);
                $({
                    let (spec, sides) = (self.$name.option.spec(), &self.$name.sides);
                    if spec.ours == OptionPolicy::Offer && spec.code != super::mccp::CODE {
                        agreed &= sides.ours.is_on();
                    }
                    if spec.theirs == OptionPolicy::Offer {
                        does |= sides.theirs.is_on();
                    }
                })*
                agreed && !(does && any_payload)
            }

            /// Sends the opening burst: all offers and requests, in the order of the table.
            pub(super) fn open(&mut self, peer: &mut Peer) {
                $({
                    let (spec, sides) = (self.$name.option.spec(), &mut self.$name.sides);
                    if spec.theirs == OptionPolicy::Offer && sides.theirs.ask(true).is_some() {
                        peer.send_verb(NegotiationVerb::Do, spec.code);
                    }
                    if spec.ours == OptionPolicy::Offer && sides.ours.ask(true).is_some() {
                        peer.send_verb(NegotiationVerb::Will, spec.code);
                    }
                })*
            }
        }
    };
}

// TIMING-MARK ends the burst: its answer proves that the client has read all offers. Never arrange a burst as 24, 31,
// 42, 69, 70, 200, 90, 91: Mudlet would mistake us for another server.
options! {
    terminal_type: TerminalType,
    window_size: WindowSize,
    new_environ: NewEnviron,
    end_of_record: EndOfRecord,
    charset: CharsetOption,
    gmcp: Gmcp,
    server_status: ServerStatus,
    compression: Mccp2State,
    echo: PasswordEcho,
    suppress_go_ahead: SuppressGoAhead,
    timing_mark: TimingMark,
}

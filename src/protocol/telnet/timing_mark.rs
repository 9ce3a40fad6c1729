//! TIMING-MARK (RFC 860): "tell me when you have read this far". Not a state but a question each time, so it
//! stays outside RFC 1143.

use super::codec::Verb;
use super::negotiate::Stance;
use super::option::{Peer, Spec, TelnetOption};

/// The number of the option; its question is answered even where other negotiation is no longer heard.
pub(super) const CODE: u8 = 6;

/// Nothing to remember: our own question is asked once, at the end of the opening burst.
#[derive(Debug, Default)]
pub(super) struct TimingMark;

impl TelnetOption for TimingMark {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: Stance::Accept, theirs: Stance::Offer, payload_max: 0 }
    }

    fn intercept(&mut self, verb: Verb, peer: &mut Peer) -> bool {
        match verb {
            // Without it, Ctrl-C in GNU telnet throws away all further output.
            Verb::Do => peer.send_verb(Verb::Will, CODE),
            Verb::Dont => {}
            // Either word proves that everything before our question has been read.
            Verb::Will | Verb::Wont => peer.barrier_passed = true,
        }
        true
    }
}

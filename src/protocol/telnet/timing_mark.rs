//! TIMING-MARK (RFC 860): a request for confirmation that all data so far has been read. Each request is independent,
//! so RFC 1143 does not apply.

use super::codec::NegotiationVerb;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

/// Number of the option; its requests are answered even when other negotiation is ignored.
pub(super) const CODE: u8 = 6;

/// The TIMING-MARK option. It has no state: the server's request is sent once, at the end of the opening burst.
#[derive(Debug, Default)]
pub(super) struct TimingMark;

impl TelnetOption for TimingMark {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Accept, theirs: OptionPolicy::Offer, payload_max: 0 }
    }

    fn intercept(&mut self, verb: NegotiationVerb, peer: &mut Peer) -> bool {
        match verb {
            // Without the reply, GNU telnet discards all further output after Ctrl-C.
            NegotiationVerb::Do => peer.send_verb(NegotiationVerb::Will, CODE),
            NegotiationVerb::Dont => {}
            // Either reply proves that everything before our request has been read.
            NegotiationVerb::Will | NegotiationVerb::Wont => peer.barrier_passed = true,
        }
        true
    }
}

//! MCCP2: compression of the server's output. Only the negotiation is here; the connection compresses its output from
//! the first byte after the payload that announces compression.

use super::event::TelnetEvent;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

/// Number of the option.
pub(super) const CODE: u8 = 86;

/// State of MCCP2; `possible` is `false` on encrypted connections, for example.
#[derive(Debug, Default)]
pub(super) struct Mccp2State {
    pub(super) possible: bool,
}

impl TelnetOption for Mccp2State {
    fn spec(&self) -> Spec {
        let ours = if self.possible { OptionPolicy::Offer } else { OptionPolicy::Refuse };
        Spec { code: CODE, ours, theirs: OptionPolicy::Refuse, payload_max: 0 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        peer.events.push(TelnetEvent::Compression(on));
    }
}

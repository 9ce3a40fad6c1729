//! MCCP2: "may I compress what I send?". Only agreed here; the compressing is done where bytes leave for
//! the wire, and begins with the byte after the payload that announces it.

use super::event::Event;
use super::negotiate::Stance;
use super::option::{Peer, Spec, TelnetOption};

/// The number of the option.
pub(super) const CODE: u8 = 86;

/// Whether it may be agreed at all: not where everything is encrypted, for one.
#[derive(Debug, Default)]
pub(super) struct Compression {
    pub(super) possible: bool,
}

impl TelnetOption for Compression {
    fn spec(&self) -> Spec {
        let ours = if self.possible { Stance::Offer } else { Stance::Refuse };
        Spec { code: CODE, ours, theirs: Stance::Refuse, payload_max: 0 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        peer.events.push(Event::Compression(on));
    }
}

//! END-OF-RECORD (RFC 885): marks the end of a prompt, where the client agrees to it.

use super::negotiate::Stance;
use super::option::{Peer, Spec, TelnetOption};

/// Nothing to remember beyond the capabilities.
#[derive(Debug, Default)]
pub(super) struct EndOfRecord;

impl TelnetOption for EndOfRecord {
    fn spec(&self) -> Spec {
        Spec { code: 25, ours: Stance::Offer, theirs: Stance::Refuse, payload_max: 0 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        peer.capabilities.eor = on;
    }
}

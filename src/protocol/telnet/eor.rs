//! END-OF-RECORD (RFC 885): marks the end of a prompt, if the client agrees.

use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

/// The END-OF-RECORD option; its only state is in the capabilities.
#[derive(Debug, Default)]
pub(super) struct EndOfRecord;

impl TelnetOption for EndOfRecord {
    fn spec(&self) -> Spec {
        Spec { code: 25, ours: OptionPolicy::Offer, theirs: OptionPolicy::Refuse, payload_max: 0 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        peer.capabilities.eor = on;
    }
}

//! NAWS (RFC 1073): size of the client's window. 0 means unknown; other values are clamped here.

use super::capabilities::{COLUMNS_MAX, COLUMNS_MIN};
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

const WIDTHS: (u16, u16) = (COLUMNS_MIN, COLUMNS_MAX);
const HEIGHTS: (u16, u16) = (5, 200);

/// The NAWS option; its only state is in the capabilities.
#[derive(Debug, Default)]
pub(super) struct WindowSize;

impl TelnetOption for WindowSize {
    fn spec(&self) -> Spec {
        Spec { code: 31, ours: OptionPolicy::Refuse, theirs: OptionPolicy::Offer, payload_max: 4 }
    }

    fn settle_theirs(&mut self, on: bool, peer: &mut Peer) {
        if !on {
            (peer.capabilities.width, peer.capabilities.height) = (None, None);
        }
    }

    fn payload(&mut self, payload: &[u8], peer: &mut Peer) {
        let &[wide, width, high, height] = payload else {
            peer.fault();
            return;
        };
        peer.capabilities.width = clamped(u16::from_be_bytes([wide, width]), WIDTHS);
        peer.capabilities.height = clamped(u16::from_be_bytes([high, height]), HEIGHTS);
    }
}

fn clamped(size: u16, (min, max): (u16, u16)) -> Option<u16> {
    (size != 0).then(|| size.clamp(min, max))
}

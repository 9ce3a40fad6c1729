//! CHARSET (RFC 2066): negotiation of UTF-8, or of a fallback for clients without it.

use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};
use crate::protocol::encoding::Encoding;

const CODE: u8 = 42;
const REQUEST: u8 = 1;
const ACCEPTED: u8 = 2;
const REJECTED: u8 = 3;
const TABLE_IS: u8 = 4;
const TABLE_REJECTED: u8 = 5;

/// The server's proposal. It contains only common character sets, because Mudlet stores the set that it accepts.
const PROPOSAL: &[u8] = b"\x01;UTF-8;US-ASCII";

/// State of CHARSET; the proposal is sent only once.
#[derive(Debug, Default)]
pub(super) struct CharsetOption {
    proposed: bool,
}

impl TelnetOption for CharsetOption {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Offer, theirs: OptionPolicy::Accept, payload_max: 256 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        if on && !std::mem::replace(&mut self.proposed, true) {
            peer.send_payload(CODE, PROPOSAL);
        }
    }

    fn payload(&mut self, payload: &[u8], peer: &mut Peer) {
        match payload.split_first() {
            Some((&ACCEPTED, []) | (&REJECTED, _)) => {}
            Some((&ACCEPTED, name)) => match str::from_utf8(name).ok().and_then(Encoding::named) {
                Some(encoding) => peer.capabilities.charset = Some(encoding),
                None => peer.fault(),
            },
            Some((&REQUEST, list)) => answer(list, peer),
            Some((&TABLE_IS, _)) => peer.send_payload(CODE, &[TABLE_REJECTED]),
            _ => peer.fault(),
        }
    }
}

/// Answers a proposal of the client: a separator, then names separated by it. The reply repeats the client's spelling.
fn answer(list: &[u8], peer: &mut Peer) {
    let Some((separator, names)) = list.split_first() else {
        peer.fault();
        return peer.send_payload(CODE, &[REJECTED]);
    };
    let known = |name: &[u8]| str::from_utf8(name).ok().and_then(Encoding::named);
    let offered = || names.split(|byte| byte == separator).filter_map(|name| Some((name, known(name)?)));
    let found = offered().find(|(_, encoding)| *encoding == Encoding::Utf8).or_else(|| offered().next());
    match found {
        Some((name, encoding)) => {
            peer.capabilities.charset = Some(encoding);
            peer.send_payload(CODE, &[&[ACCEPTED], name].concat());
        }
        None => peer.send_payload(CODE, &[REJECTED]),
    }
}

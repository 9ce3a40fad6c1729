//! CHARSET (RFC 2066): agreeing on UTF-8, or learning that the client cannot show it.

use super::negotiate::Stance;
use super::option::{Link, Spec, TelnetOption};
use crate::protocol::encoding::Encoding;

const CODE: u8 = 42;
const REQUEST: u8 = 1;
const ACCEPTED: u8 = 2;
const REJECTED: u8 = 3;
const TABLE_IS: u8 = 4;
const TABLE_REJECTED: u8 = 5;

/// What we propose; never anything exotic, because Mudlet saves what it accepts.
const PROPOSAL: &[u8] = b"\x01;UTF-8;US-ASCII";

/// Whether we have made our proposal; it is made once.
#[derive(Debug, Default)]
pub(super) struct CharsetOption {
    proposed: bool,
}

impl TelnetOption for CharsetOption {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: Stance::Offer, theirs: Stance::Accept, payload_max: 256 }
    }

    fn settle_ours(&mut self, on: bool, link: &mut Link) {
        if on && !std::mem::replace(&mut self.proposed, true) {
            link.send_payload(CODE, PROPOSAL);
        }
    }

    fn payload(&mut self, payload: &[u8], link: &mut Link) {
        match payload.split_first() {
            Some((&ACCEPTED, []) | (&REJECTED, _)) => {}
            Some((&ACCEPTED, name)) => match str::from_utf8(name).ok().and_then(Encoding::named) {
                Some(encoding) => link.capabilities.charset = Some(encoding),
                None => link.fault(),
            },
            Some((&REQUEST, list)) => answer(list, link),
            Some((&TABLE_IS, _)) => link.send_payload(CODE, &[TABLE_REJECTED]),
            _ => link.fault(),
        }
    }
}

/// The client proposes: a separator, then names parted by it. Its own spelling goes back.
fn answer(list: &[u8], link: &mut Link) {
    let Some((separator, names)) = list.split_first() else {
        link.fault();
        return link.send_payload(CODE, &[REJECTED]);
    };
    let known = |name: &&[u8]| str::from_utf8(name).ok().and_then(Encoding::named) == Some(Encoding::Utf8);
    match names.split(|byte| byte == separator).find(known) {
        Some(name) => {
            link.capabilities.charset = Some(Encoding::Utf8);
            link.send_payload(CODE, &[&[ACCEPTED], name].concat());
        }
        None => link.send_payload(CODE, &[REJECTED]),
    }
}

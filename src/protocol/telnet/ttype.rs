//! TTYPE (RFC 1091) and MTTS: name and capabilities of the client's terminal, requested until a reply repeats.

use super::capabilities::shown;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

const CODE: u8 = 24;
const IS: u8 = 0;
const SEND: u8 = 1;

/// Maximum number of requests; real clients repeat a reply earlier.
const QUESTIONS_MAX: u8 = 6;

/// State of TTYPE.
#[derive(Debug, Default)]
pub(super) struct TerminalType {
    questions: u8,
    waiting: bool,
}

impl TerminalType {
    fn ask(&mut self, peer: &mut Peer) {
        self.waiting = self.questions < QUESTIONS_MAX;
        if self.waiting {
            self.questions += 1;
            peer.send_payload(CODE, &[SEND]);
        } else {
            peer.terminal_known = true;
        }
    }

    fn finish(&mut self, peer: &mut Peer) {
        self.waiting = false;
        peer.terminal_known = true;
    }
}

impl TelnetOption for TerminalType {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Refuse, theirs: OptionPolicy::Offer, payload_max: 256 }
    }

    fn settle_theirs(&mut self, on: bool, peer: &mut Peer) {
        if on {
            self.ask(peer);
        } else {
            self.finish(peer);
        }
    }

    fn payload(&mut self, payload: &[u8], peer: &mut Peer) {
        let (Some((&IS, name)), true) = (payload.split_first(), self.waiting) else {
            peer.fault();
            return;
        };
        let name = shown(name);
        if let Some(bits) = terminal_standard(&name) {
            peer.capabilities.add_mtts(bits);
            self.finish(peer);
        } else if peer.capabilities.terminal_names.contains(&name) {
            self.finish(peer);
        } else {
            if !name.is_empty() {
                peer.capabilities.terminal_names.push(name);
            }
            self.ask(peer);
        }
    }
}

/// Parses a reply such as `MTTS 2349`.
fn terminal_standard(name: &str) -> Option<u32> {
    name.strip_prefix("MTTS ")?.trim().parse().ok()
}

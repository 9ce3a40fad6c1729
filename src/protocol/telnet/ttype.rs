//! TTYPE (RFC 1091) and MTTS: who the client is and what its terminal can do, asked until it repeats itself.

use super::capabilities::shown;
use super::negotiate::Stance;
use super::option::{Link, Spec, TelnetOption};

const CODE: u8 = 24;
const IS: u8 = 0;
const SEND: u8 = 1;

/// Questions asked at most; real clients repeat themselves before that.
const QUESTIONS_MAX: u8 = 6;

/// How far the questions have come.
#[derive(Debug, Default)]
pub(super) struct TerminalType {
    questions: u8,
    waiting: bool,
}

impl TerminalType {
    fn ask(&mut self, link: &mut Link) {
        self.waiting = self.questions < QUESTIONS_MAX;
        if self.waiting {
            self.questions += 1;
            link.send_payload(CODE, &[SEND]);
        } else {
            link.terminal_known = true;
        }
    }

    fn finish(&mut self, link: &mut Link) {
        self.waiting = false;
        link.terminal_known = true;
    }
}

impl TelnetOption for TerminalType {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: Stance::Refuse, theirs: Stance::Offer, payload_max: 256 }
    }

    fn settle_theirs(&mut self, on: bool, link: &mut Link) {
        if on {
            self.ask(link);
        } else {
            self.finish(link);
        }
    }

    fn payload(&mut self, payload: &[u8], link: &mut Link) {
        let (Some((&IS, name)), true) = (payload.split_first(), self.waiting) else {
            link.fault();
            return;
        };
        let name = shown(name);
        if let Some(bits) = terminal_standard(&name) {
            link.capabilities.add_mtts(bits);
            self.finish(link);
        } else if link.capabilities.terminal_names.contains(&name) {
            self.finish(link);
        } else {
            if !name.is_empty() {
                link.capabilities.terminal_names.push(name);
            }
            self.ask(link);
        }
    }
}

/// The bits of `MTTS 2349`.
fn terminal_standard(name: &str) -> Option<u32> {
    name.strip_prefix("MTTS ")?.trim().parse().ok()
}

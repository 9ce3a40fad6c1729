//! MSSP (option 70): server status for game listing crawlers. Only the framing is here; the session supplies the
//! values.

use super::codec::IAC;
use super::event::TelnetEvent;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

const CODE: u8 = 70;
const VARIABLE: u8 = 1;
const VALUE: u8 = 2;

/// State of MSSP.
#[derive(Debug, Default)]
pub(super) struct ServerStatus {
    agreed: bool,
}

impl ServerStatus {
    /// Sends variables with their values. Several values form an array, the preferred value last.
    pub(super) fn send<'a>(&self, variables: impl Iterator<Item = (&'a str, &'a [String])>, peer: &mut Peer) {
        if !self.agreed {
            return;
        }
        let mut payload = Vec::new();
        for (name, values) in variables {
            payload.push(VARIABLE);
            payload.extend(fit(name));
            for value in values {
                payload.push(VALUE);
                payload.extend(fit(value));
            }
        }
        peer.send_payload(CODE, &payload);
    }
}

/// Removes IAC and control bytes, which include the separators.
fn fit(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|byte| *byte >= b' ' && *byte != IAC)
}

impl TelnetOption for ServerStatus {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Offer, theirs: OptionPolicy::Refuse, payload_max: 0 }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        self.agreed = on;
        if on {
            peer.events.push(TelnetEvent::StatusAsked);
        }
    }
}

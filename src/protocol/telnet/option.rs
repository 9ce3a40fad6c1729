//! What every telnet option has in common: what it is, what it hears, and the peer that it answers.

use super::capabilities::ClientCapabilities;
use super::codec::{IAC, SB, SE, Verb};
use super::event::Event;
use super::negotiate::Stance;

/// What an option is, apart from its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    /// Its number.
    pub(super) code: u8,
    /// Whether we do it.
    pub(super) ours: Stance,
    /// Whether the peer may.
    pub(super) theirs: Stance,
    /// Bytes of the longest payload that is read; the setting `limits.subnegotiation_bytes` is above it.
    pub(super) payload_max: usize,
}

/// One option with its state. Everything it does goes through the [`Peer`].
pub(super) trait TelnetOption {
    /// What it is.
    fn spec(&self) -> Spec;

    /// Takes a verb past the state machine of RFC 1143; true if that was all. For options that have no lasting
    /// agreement.
    fn intercept(&mut self, _verb: Verb, _link: &mut Peer) -> bool {
        false
    }

    /// The peer has agreed that we do it, or has refused or ended it.
    fn settle_ours(&mut self, _on: bool, _link: &mut Peer) {}

    /// The peer does it from here on, or has refused or ended it.
    fn settle_theirs(&mut self, _on: bool, _link: &mut Peer) {}

    /// A payload came while either side was in force.
    fn payload(&mut self, _payload: &[u8], peer: &mut Peer) {
        peer.fault();
    }
}

/// What the options work on: the capabilities found so far, and the way out.
#[derive(Debug, Default)]
pub(super) struct Peer {
    pub(super) capabilities: ClientCapabilities,
    pub(super) output: Vec<u8>,
    pub(super) events: Vec<Event>,
    /// Malformed or oversized payloads so far.
    pub(super) faults: u32,
    /// The TIMING-MARK that ends the opening burst has been answered.
    pub(super) barrier_passed: bool,
    /// No more terminal names will come.
    pub(super) terminal_known: bool,
}

impl Peer {
    /// Counts something malformed, oversized or unasked.
    pub(super) fn fault(&mut self) {
        self.faults = self.faults.saturating_add(1);
    }

    /// Sends `IAC verb option`.
    pub(super) fn send_verb(&mut self, verb: Verb, code: u8) {
        self.output.extend_from_slice(&[IAC, verb.byte(), code]);
    }

    /// Sends a subnegotiation, `FF` doubled.
    pub(super) fn send_payload(&mut self, code: u8, payload: &[u8]) {
        self.output.extend_from_slice(&[IAC, SB, code]);
        for byte in payload {
            if *byte == IAC {
                self.output.push(IAC);
            }
            self.output.push(*byte);
        }
        self.output.extend_from_slice(&[IAC, SE]);
    }
}

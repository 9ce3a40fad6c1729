//! Common parts of all telnet options: their description, their callbacks, and the peer.

use super::capabilities::ClientCapabilities;
use super::codec::{IAC, NegotiationVerb, SB, SE};
use super::event::TelnetEvent;
use super::negotiate::OptionPolicy;

/// Constant properties of an option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    /// Number of the option.
    pub(super) code: u8,
    /// Policy for the server's side.
    pub(super) ours: OptionPolicy,
    /// Policy for the peer's side.
    pub(super) theirs: OptionPolicy,
    /// Maximum payload length in bytes; `limits.subnegotiation_bytes` may lower it further.
    pub(super) payload_max: usize,
}

/// An option with its state. All its effects go through the [`Peer`].
pub(super) trait TelnetOption {
    /// Returns the constant properties.
    fn spec(&self) -> Spec;

    /// Handles a verb outside the state machine of RFC 1143, for options without a lasting agreement. Returns `true` if
    /// it was handled.
    fn intercept(&mut self, _verb: NegotiationVerb, _link: &mut Peer) -> bool {
        false
    }

    /// Called when the peer accepts, refuses or ends the server's side.
    fn settle_ours(&mut self, _on: bool, _link: &mut Peer) {}

    /// Called when the peer enables, refuses or ends its own side.
    fn settle_theirs(&mut self, _on: bool, _link: &mut Peer) {}

    /// Called for a payload received while either side is in effect.
    fn payload(&mut self, _payload: &[u8], peer: &mut Peer) {
        peer.fault();
    }
}

/// State shared by the options: the capabilities negotiated so far, the output and the events.
#[derive(Debug, Default)]
pub(super) struct Peer {
    pub(super) capabilities: ClientCapabilities,
    pub(super) output: Vec<u8>,
    pub(super) events: Vec<TelnetEvent>,
    /// Number of malformed, oversized or unsolicited payloads.
    pub(super) faults: u32,
    /// Set once the TIMING-MARK that ends the opening burst has been answered.
    pub(super) barrier_passed: bool,
    /// Set once no more terminal names are expected.
    pub(super) terminal_known: bool,
}

impl Peer {
    /// Counts a malformed, oversized or unsolicited payload.
    pub(super) fn fault(&mut self) {
        self.faults = self.faults.saturating_add(1);
    }

    /// Sends `IAC verb option`.
    pub(super) fn send_verb(&mut self, verb: NegotiationVerb, code: u8) {
        self.output.extend_from_slice(&[IAC, verb.byte(), code]);
    }

    /// Sends a subnegotiation; `FF` bytes are doubled.
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

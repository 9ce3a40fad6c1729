//! ECHO (RFC 857): the server offers to echo, so that the client does not display input. The server never echoes; the
//! offer only hides passwords.

use super::codec::NegotiationVerb;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};

const CODE: u8 = 1;

/// Password masking by the ECHO option.
///
/// It does not follow RFC 1143, because masking must change immediately: some clients never answer WONT ECHO (tt++),
/// some answer late (Mudlet Web), scripts do not answer at all, and the next password must be hidden nevertheless.
/// Replies to the server's own commands are counted and not answered, so no loop is possible.
#[derive(Debug, Default)]
pub(super) struct PasswordEcho {
    wanted: bool,
    hidden: bool,
    unanswered: u8,
}

impl PasswordEcho {
    /// Hides or shows input. Sends nothing if the state does not change: after too many changes Mudlet refuses the
    /// option permanently.
    pub(super) fn set_hidden(&mut self, hidden: bool, peer: &mut Peer) {
        let new_wish = std::mem::replace(&mut self.wanted, hidden) != hidden;
        // A client that cancelled masking is not asked again until the next password.
        if new_wish && self.hidden != hidden {
            self.hidden = hidden;
            self.unanswered = self.unanswered.saturating_add(1);
            peer.send_verb(if hidden { NegotiationVerb::Will } else { NegotiationVerb::Wont }, CODE);
        }
    }
}

impl TelnetOption for PasswordEcho {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Accept, theirs: OptionPolicy::Refuse, payload_max: 0 }
    }

    fn intercept(&mut self, verb: NegotiationVerb, peer: &mut Peer) -> bool {
        match verb {
            NegotiationVerb::Will | NegotiationVerb::Wont => return false,
            // Refusing the DO that answers our WILL would make BusyBox telnet show the password.
            NegotiationVerb::Do | NegotiationVerb::Dont if self.unanswered > 0 => self.unanswered -= 1,
            NegotiationVerb::Do if !self.hidden => peer.send_verb(NegotiationVerb::Wont, CODE),
            NegotiationVerb::Dont if self.hidden => {
                self.hidden = false;
                peer.send_verb(NegotiationVerb::Wont, CODE);
            }
            NegotiationVerb::Do | NegotiationVerb::Dont => {}
        }
        true
    }
}

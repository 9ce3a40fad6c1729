//! ECHO (RFC 857): "we echo", so that the client does not show what is typed. We never do echo; the offer is
//! only a curtain before a password.

use super::codec::Verb;
use super::negotiate::Stance;
use super::option::{Peer, Spec, TelnetOption};

const CODE: u8 = 1;

/// The curtain.
///
/// It does not follow RFC 1143, because it must go up and down at once: some clients never answer WONT ECHO
/// (tt++), some answer late (Mudlet Web), a script not at all, and the next password must be hidden all the
/// same. Answers to our own verbs are counted off and get no reply, so it cannot loop either.
#[derive(Debug, Default)]
pub(super) struct Echo {
    wanted: bool,
    hidden: bool,
    unanswered: u8,
}

impl Echo {
    /// Hides or shows what is typed. Says nothing if that is so already: too many changes make Mudlet refuse
    /// the option for good.
    pub(super) fn set_hidden(&mut self, hidden: bool, peer: &mut Peer) {
        let new_wish = std::mem::replace(&mut self.wanted, hidden) != hidden;
        // A client that took the curtain down is not asked again until the next password.
        if new_wish && self.hidden != hidden {
            self.hidden = hidden;
            self.unanswered = self.unanswered.saturating_add(1);
            peer.send_verb(if hidden { Verb::Will } else { Verb::Wont }, CODE);
        }
    }
}

impl TelnetOption for Echo {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: Stance::Accept, theirs: Stance::Refuse, payload_max: 0 }
    }

    fn intercept(&mut self, verb: Verb, peer: &mut Peer) -> bool {
        match verb {
            Verb::Will | Verb::Wont => return false,
            // Refusing the DO that answers our WILL would unmask BusyBox.
            Verb::Do | Verb::Dont if self.unanswered > 0 => self.unanswered -= 1,
            Verb::Do if !self.hidden => peer.send_verb(Verb::Wont, CODE),
            Verb::Dont if self.hidden => {
                self.hidden = false;
                peer.send_verb(Verb::Wont, CODE);
            }
            Verb::Do | Verb::Dont => {}
        }
        true
    }
}

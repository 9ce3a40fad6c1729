//! Origin of a command, passed to every handler.

use crate::access::permissions;
use crate::effect::Class;
use crate::message::tell;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, Rights, SessionId};
use deepwell_core::text::Markup;

/// Origin of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// Session that sent it.
    pub(crate) session: SessionId,
    /// Account whose rights apply.
    pub(crate) account: AccountId,
    /// Character that acts.
    pub(crate) who: CharacterId,
}

impl Actor {
    /// Returns the effective rights; none while the account has quelled its own.
    pub(crate) fn rights(self, turn: &Turn) -> Rights {
        if is_quelled(turn, self.who) { Rights::NONE } else { permissions::of(turn, self.account) }
    }

    /// Returns an error unless the actor has the right and has not quelled it.
    pub(crate) fn require(self, turn: &Turn, right: Right) -> Result<(), Refusal> {
        if self.rights(turn).has(right) { Ok(()) } else { Err(permissions::right_missing(right.name())) }
    }

    /// Sends the result to the actor. Usually the last expression of a handler.
    pub(crate) fn answer(self, turn: &mut Turn, text: impl Into<Markup>) -> Result<(), Refusal> {
        tell::tell(turn, self.who, Class::Reply, text);
        Ok(())
    }
}

/// Returns `true` if a privileged account has temporarily given up its rights.
pub(crate) fn is_quelled(turn: &Turn, who: CharacterId) -> bool {
    turn.awake.get(who).is_some_and(|body| body.quelled)
}

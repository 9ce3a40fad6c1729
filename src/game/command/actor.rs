//! Who typed a line: what every command is told.

use crate::base::{AccountId, CharacterId, Right, Rights, SessionId};
use crate::game::effect::Class;
use crate::game::refusal::{AccountRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{rights, tell};
use crate::text::Markup;

/// Who typed a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The client.
    pub(crate) session: SessionId,
    /// The account whose rights count.
    pub(crate) account: AccountId,
    /// The body that acts.
    pub(crate) who: CharacterId,
}

impl Actor {
    /// The rights that count: none of whoever has laid theirs down for a while.
    pub(crate) fn rights(self, turn: &Turn) -> Rights {
        if is_quelled(turn, self.who) { Rights::NONE } else { rights::of(turn, self.account) }
    }

    /// Refuses whoever has a right not, or has laid it down.
    pub(crate) fn require(self, turn: &Turn, right: Right) -> Result<(), Refusal> {
        if self.rights(turn).has(right) { Ok(()) } else { Err(AccountRefusal::NoRight(right.name()).into()) }
    }

    /// Tells who typed the line what came of it, which ends a command.
    pub(crate) fn answer(self, turn: &mut Turn, text: impl Into<Markup>) -> Result<(), Refusal> {
        tell::tell(turn, self.who, Class::Reply, text);
        Ok(())
    }
}

/// Whether somebody of rank acts as a player for a while.
pub(crate) fn is_quelled(turn: &Turn, who: CharacterId) -> bool {
    turn.awake.get(who).is_some_and(|body| body.quelled)
}

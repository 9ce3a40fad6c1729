//! Who typed a line: what every command is told.

use crate::base::{AccountId, CharacterId, SessionId};
use crate::game::effect::Class;
use crate::game::refusal::Refusal;
use crate::game::tell;
use crate::game::turn::Turn;
use crate::text::Markup;
use crate::world::Role;

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
    /// The rank that counts: a player's for whoever has laid theirs down for a while.
    pub(crate) fn role(self, turn: &Turn) -> Role {
        if is_quelled(turn, self.who) { Role::Player } else { turn.world.accounts[self.account].role }
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

//! Who typed a line: what every command is told.

use crate::base::{AccountId, CharacterId, SessionId};
use crate::game::effect::Class;
use crate::game::refusal::Refusal;
use crate::game::tell;
use crate::game::turn::Turn;
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
    /// Tells who typed the line what came of it, which ends a command.
    pub(crate) fn answer(self, turn: &mut Turn, text: impl Into<Markup>) -> Result<(), Refusal> {
        tell::tell(turn, self.who, Class::Reply, text);
        Ok(())
    }
}

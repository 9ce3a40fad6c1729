//! Commands sent from the staff page. They are limited to the commands of staff that need no client, and have the same
//! effect as when typed.

use crate::base::unicode;
use crate::game::command::build::at_desk::desk_command;
use crate::game::command::dispatch::carry_out;
use crate::game::command::parse::Actor;
use crate::game::command::spec::AtDesk;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;

/// Runs a command of the staff page.
pub(crate) fn staff_at_desk(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = desk_command(turn, actor, &clean, AtDesk::Staff)?;
    carry_out(turn, actor, spec, rest)
}

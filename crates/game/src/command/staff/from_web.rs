//! Commands sent from the staff page. They are limited to the commands of staff that need no client, and have the same
//! effect as when typed.

use crate::command::build::from_web::web_command;
use crate::command::dispatch::carry_out;
use crate::command::parse::Actor;
use crate::command::spec::FromWeb;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::unicode;

/// Runs a command of the staff page.
pub(crate) fn staff_from_web(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = web_command(turn, actor, &clean, FromWeb::Staff)?;
    carry_out(turn, actor, spec, rest)
}

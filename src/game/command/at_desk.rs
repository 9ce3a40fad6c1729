//! Lines of a builder at the desk, on the page for builders: those of the words that build, and what they do is the same as
//! when they are typed in the room that is worked on.

use super::dispatch::{carry_out, may};
use super::{find, rework, split, stock};
use crate::base::unicode;
use crate::game::command::actor::Actor;
use crate::game::command::spec::{AtDesk, Before, CommandSpec};
use crate::game::command::words::Words;
use crate::game::refusal::Refusal;
use crate::game::restraint;
use crate::game::turn::Turn;
use crate::world::Restraint;

/// Carries out a line of a builder at the desk: the same as when it is typed in the room that is worked on.
pub(crate) fn build_at_desk(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = desk_command(turn, actor, &clean)?;
    carry_out(turn, actor, spec, rest)
}

/// Does what such a line does, for a trial: nothing of it is written down anywhere.
pub(crate) fn try_at_desk(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = desk_command(turn, actor, &clean)?;
    may(turn, actor, spec.needs)?;
    if spec.name == stock::SPAWN {
        // Creatures have more than rows, which no trial gives back.
        return stock::check_spawn(turn, actor, rest);
    }
    (spec.run.call)(turn, actor, Words::new(rest, spec.missing))
}

/// The command of a line at the desk. A text stands behind it: nobody waits there for the next line.
fn desk_command<'l>(
    turn: &Turn,
    actor: Actor,
    line: &'l str,
) -> Result<(&'static CommandSpec, &'l str), Refusal> {
    restraint::require_free(turn, actor.account, Restraint::Freeze)?;
    let (word, rest) = split(line.trim());
    let word = word.trim_start_matches('@').to_lowercase();
    let known = find(&word, actor.rights(turn));
    let spec = known.filter(|spec| spec.at_desk == AtDesk::Done && spec.right.is_some());
    let spec = spec.ok_or(Refusal::Unknown(word, None))?;
    let has_text = rest.split_once('=').is_some_and(|(_, text)| !text.trim().is_empty());
    // A script is taken away by nothing behind the sign: `set on_enter =`.
    let is_whole = has_text || (spec.name == rework::SET && rest.contains('='));
    if spec.before == Before::Text && !is_whole {
        return Err(Refusal::Missing(spec.missing));
    }
    Ok((spec, rest))
}

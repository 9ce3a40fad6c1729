//! Hidden exits, which each player finds by a search.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::message::tell;
use crate::refusal::Refusal;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Exit;

/// Returns `true` if a character knows that an exit is there.
pub(crate) fn is_seen(turn: &Turn, who: CharacterId, exit: &Exit) -> bool {
    !exit.hidden || turn.world.characters[who].found_exits.contains(&exit.id)
}

/// Returns the exits of a character's room that it knows.
pub(crate) fn exits_seen(turn: &Turn, who: CharacterId) -> impl Iterator<Item = &Exit> {
    turn.world.exits.of(turn.world.characters[who].room).filter(move |exit| is_seen(turn, who, exit))
}

/// Returns the exit of a character's room that it knows by a name or alias, ignoring case.
pub(crate) fn seen_named<'a>(turn: &'a Turn, who: CharacterId, word: &str) -> Option<&'a Exit> {
    let room = turn.world.characters[who].room;
    pathfinding::exit_named(turn, room, word).filter(|exit| is_seen(turn, who, exit))
}

/// Searches a character's room, and finds all of its hidden exits.
pub(crate) fn search(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    stats::get_up(turn, who);
    let room = turn.world.characters[who].room;
    let hidden = turn.world.exits.of(room).filter(|exit| !is_seen(turn, who, exit));
    let (found, names): (Vec<ExitId>, Vec<String>) = hidden.map(|exit| (exit.id, exit.name.clone())).unzip();
    if found.is_empty() {
        return Err(Refusal::NothingFound);
    }
    let most = turn.config.limits.found_exits as usize;
    if let Some(body) = turn.world.characters.edit(who) {
        body.found_exits.extend(found);
        while body.found_exits.len() > most {
            // The lowest numbers are those of the oldest exits.
            body.found_exits.pop_first();
        }
    }
    tell::tell_others(turn, who, Class::Notice, " searches the place.");
    let message = format!("You search the place, and find a way: {}.", grammar::list(&names));
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &message));
    turn.emit_event(GameEvent::SawRoom { who });
    Ok(())
}

//! Scripts of hand-built rooms, with those of the creatures and items in them.

use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::Script;
use deepwell_core::world::{OwnTrigger, Room};

/// Returns the scripts of a room, and those of single creatures and items in it, each with its event; `None` for a
/// script that does not parse.
pub(crate) fn scripts<'t>(
    turn: &'t Turn,
    room: &'t Room,
) -> impl Iterator<Item = (String, Option<Script>)> + 't {
    scripts_with(turn, room, "")
}

/// Returns those scripts that have a line with these words; the others are not parsed.
pub(super) fn scripts_with<'t>(
    turn: &'t Turn,
    room: &'t Room,
    phrase: &'t str,
) -> impl Iterator<Item = (String, Option<Script>)> + 't {
    let read = |lines: &[String]| Script::parse(lines.iter().map(String::as_str)).ok();
    let has_words = move |lines: &[String]| lines.iter().any(|line| line.contains(phrase));
    let triggers = room.triggers.iter().filter(move |trigger| has_words(&trigger.lines));
    let own = own_triggers(turn, room.id).filter(move |(_, own)| has_words(&own.lines));
    let own = own.map(|(name, own)| (format!("{} of {name}", own.on), own.script()));
    triggers.map(move |trigger| (trigger.on.to_string(), read(&trigger.lines))).chain(own)
}

/// Returns the own triggers of the creatures and items in a room, each with the name of its object.
pub(crate) fn own_triggers(turn: &Turn, room: RoomId) -> impl Iterator<Item = (String, &OwnTrigger)> {
    let creatures = turn.world.occupants(room).iter().flat_map(move |who| {
        let own = turn.world.characters[*who].triggers.iter();
        own.map(move |own| (naming::the(turn, *who), own))
    });
    let items = turn.world.ground(room).iter().flat_map(move |item| {
        let own = turn.world.items[*item].triggers.iter();
        own.map(move |own| (naming::the_item(turn, *item), own))
    });
    creatures.chain(items)
}

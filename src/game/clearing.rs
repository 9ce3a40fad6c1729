//! What keeps a room from being clear, and the moment it is.

use crate::base::{CharacterId, RoomId};
use crate::catalog::MobPrototype;
use crate::catalog::guide::Lesson;
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::party::roll;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::{naming, portcullis, prototypes, puzzle_state, spawn, stacks, tell};
use crate::text::{Markup, Style, grammar};
use crate::world::{ExitState, Place, RoomFeature};

/// What keeps a room from being clear, as a sentence; empty if nothing does.
pub(crate) fn what_blocks(turn: &Turn, room: RoomId) -> String {
    let guards = guards(turn, room);
    if !guards.is_empty() {
        let names: Vec<String> = naming::alike(turn, &guards)
            .into_iter()
            .map(
                |(one, count)| {
                    if count == 1 { naming::the(turn, one) } else { naming::several(turn, one, count) }
                },
            )
            .collect();
        let bar = if guards.len() == 1 { "bars" } else { "bar" };
        return format!("{} {bar} the way.", grammar::capitalise(&grammar::list(&names)));
    }
    match turn.world.rooms[room].challenge.feature {
        Some(RoomFeature::Portcullis { .. }) => portcullis::portcullis_words(turn, room),
        Some(RoomFeature::Gate { .. }) => puzzle_state::gate_words(),
        Some(
            RoomFeature::Shrine { .. }
            | RoomFeature::Captive { .. }
            | RoomFeature::Riddle { .. }
            | RoomFeature::Landmark { .. }
            | RoomFeature::Grave { .. }
            | RoomFeature::Coffer { .. },
        )
        | None => String::new(),
    }
}

/// Creatures that have to be overcome: those that belong to the room. Roamers never count.
pub(crate) fn guards(turn: &Turn, room: RoomId) -> Vec<CharacterId> {
    let guards = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.home == room
            && body.mob.is_some()
            && prototypes::mob_prototype(turn, *id).is_none_or(MobPrototype::guards)
    };
    turn.world.occupants(room).iter().copied().filter(guards).collect()
}

/// Clears a room once nothing blocks it.
pub(crate) fn check_clear(turn: &mut Turn, room: RoomId) {
    turn.happen(Happening::Thinned { room });
    // Its branch may have ended with the last of its members.
    let Some(row) = turn.world.rooms.get(room) else { return };
    if row.clear || row.challenge.bars() || !guards(turn, room).is_empty() {
        return;
    }
    turn.world.rooms.change(room, |row| row.clear = true);
    let onward = turn.world.exits_of(room).filter(|exit| exit.state == ExitState::Unexplored).count();
    let words = match onward {
        0 => "The room is clear: nothing stands against you here.",
        1 => "The room is clear: the way ahead stands open.",
        _ => "The room is clear: the ways ahead stand open.",
    };
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, words));
    for who in turn.world.occupants(room).to_vec() {
        turn.happen(Happening::Learned { who, lesson: Lesson::RoomCleared });
    }
    give_rewards(turn, room);
    turn.happen(Happening::Cleared { room });
    turn.happen(Happening::RoomChanged { room });
}

/// Whatever the room held back comes to light.
pub(crate) fn give_rewards(turn: &mut Turn, room: RoomId) {
    let Some(row) = turn.world.rooms.edit(room) else { return };
    for key in std::mem::take(&mut row.challenge.reward) {
        let Some(item) = turn.catalog.items.get(&key) else { continue };
        let words =
            Markup::plain("Among the stones you find ").with(Style::Item, &item.with_article).and(".");
        let found = spawn::spawn_item(turn, &key, Place::Room(room), "reward");
        tell::tell_room(turn, room, &[], Class::Notice, words);
        if let Some(found) = found {
            roll::award_found(turn, found, room);
            stacks::tread_if_there(turn, room, found);
        }
    }
}

/// Unexplored exits are closed while the room is not clear.
pub(crate) fn may_explore(turn: &Turn, room: RoomId) -> Result<(), Refusal> {
    if turn.world.rooms[room].clear { Ok(()) } else { Err(Refusal::Blocked(what_blocks(turn, room))) }
}

//! Clearing of rooms: what blocks it, and the rewards.

use crate::character::spawn;
use crate::effect::Class;
use crate::exit::{portcullis, puzzle_exits};
use crate::item::stacks;
use crate::message::{naming, tell};
use crate::party::roll;
use crate::refusal::Refusal;
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, Direction, ItemId, RoomId, Seed};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{CreaturePrototype, Theme};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, ExitKind, ExitState, Place, RoomFeature};

/// Describes in a sentence what keeps the room from being clear; empty if nothing does.
pub(crate) fn describe_obstacle(turn: &Turn, room: RoomId) -> String {
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
        let (bar, stand) = if guards.len() == 1 { ("bars", "stands") } else { ("bar", "stand") };
        let does =
            if has_way_onward(turn, room) { format!("{bar} the way") } else { format!("{stand} guard here") };
        return format!("{} {does}.", grammar::capitalise(&grammar::list(&names)));
    }
    match turn.world.rooms[room].challenge.feature {
        Some(RoomFeature::Portcullis { .. }) => {
            portcullis::portcullis_words(turn, room, has_way_onward(turn, room))
        }
        Some(RoomFeature::Gate { .. }) => puzzle_exits::gate_words(),
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

/// Returns `true` if the room has an unexplored exit or stairs down.
pub(crate) fn has_way_onward(turn: &Turn, room: RoomId) -> bool {
    let down = |exit: &Exit| exit.kind == ExitKind::Stairs && exit.direction == Some(Direction::Down);
    turn.world.exits.of(room).any(|exit| exit.state == ExitState::Unexplored || down(exit))
}

/// Returns the creatures that must be overcome: those whose home is the room. Roamers never count.
pub(crate) fn guards(turn: &Turn, room: RoomId) -> Vec<CharacterId> {
    let guards = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.home == room
            && body.prototype.is_some()
            && prototypes::creature_prototype(turn, *id).is_none_or(CreaturePrototype::guards)
    };
    turn.world.occupants(room).iter().copied().filter(guards).collect()
}

/// Marks the room clear and gives its rewards if nothing blocks it.
pub(crate) fn check_clear(turn: &mut Turn, room: RoomId) {
    turn.emit_event(GameEvent::Thinned { room });
    // The branch may have been deleted with its last member.
    let Some(row) = turn.world.rooms.get(room) else { return };
    if row.clear || row.challenge.bars() || !guards(turn, room).is_empty() {
        return;
    }
    turn.world.rooms.change(room, |row| row.clear = true);
    let onward = turn.world.exits.of(room).filter(|exit| exit.state == ExitState::Unexplored).count();
    let message = match onward {
        0 => "The room is clear: nothing stands against you here.",
        1 => "The room is clear: the way ahead stands open.",
        _ => "The room is clear: the ways ahead stand open.",
    };
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, message));
    for who in turn.world.occupants(room).to_vec() {
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::RoomCleared });
    }
    give_rewards(turn, room);
    turn.emit_event(GameEvent::Cleared { room });
    turn.emit_event(GameEvent::RoomChanged { room });
}

/// Spawns the rewards held back until the room is clear.
pub(crate) fn give_rewards(turn: &mut Turn, room: RoomId) {
    let Some(row) = turn.world.rooms.edit(room) else { return };
    let keys = std::mem::take(&mut row.challenge.reward);
    let found: Vec<ItemId> =
        keys.iter().filter_map(|key| spawn::spawn_item(turn, key, Place::Room(room), "reward")).collect();
    if found.is_empty() {
        return;
    }
    let names = naming::grouped(turn, &found).into_iter().map(|(name, _)| name);
    let message = Markup::plain(&format!("{} you find ", hiding_place(turn, room)));
    let message = message.with(Style::Item, &grammar::list(names)).and(".");
    tell::tell_room(turn, room, &[], Class::Notice, message);
    for item in &found {
        roll::award_found(turn, *item, room);
        stacks::trim_ground_if_present(turn, room, *item);
    }
    let is_left = |item: &&ItemId| {
        let row = turn.world.items.get(**item);
        row.is_some_and(|row| row.place == Place::Room(room))
            && turn.world.parties.rolled_for(**item).is_none()
    };
    let message = match found.iter().filter(is_left).count() {
        0 => return,
        1 => "It lies there for you to take.",
        _ => "They lie there for you to take.",
    };
    tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(message));
}

/// Returns the hiding place of the rewards in the room's theme: "Among the stones". It is fixed for each room.
pub(crate) fn hiding_place(turn: &Turn, room: RoomId) -> String {
    let row = &turn.world.rooms[room];
    let theme = turn.catalog.themes.get(&row.area);
    let places = theme.map_or(&[][..], |theme| theme.words_for(row.depth, Theme::HIDING_PLACES));
    let place = Seed(u64::from(room.0)).named("hiding place").rng().pick(places);
    grammar::capitalise(place.map_or("on the ground", String::as_str)).into_owned()
}

/// Refuses to enter unexplored exits while the room is not clear.
pub(crate) fn may_explore(turn: &Turn, room: RoomId) -> Result<(), Refusal> {
    if turn.world.rooms[room].clear { Ok(()) } else { Err(Refusal::Blocked(describe_obstacle(turn, room))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::features;
    use crate::table::{Table, seeded};
    use deepwell_core::world::RoomKind;

    /// Returns a table with Olad in the first room of a branch, guarded by a toll goblin.
    fn guarded() -> Table {
        let mut play = Table::new(seeded(11));
        play.sit("Olad");
        play.types_all("Olad", &["down", "north"]);
        let (room, branch) = (play.room("Olad").id, play.room("Olad").branch);
        let turn = &mut play.game.turn;
        for other in turn.world.occupants(room).to_vec() {
            if !turn.world.characters[other].is_player() {
                turn.world.remove_character(other);
            }
        }
        spawn::spawn_creature(turn, "toll_goblin", room, branch).expect("a goblin");
        turn.world.rooms.change(room, |row| row.clear = false);
        play
    }

    /// Closes all unexplored exits of the room.
    fn close_unexplored_exits(play: &mut Table) {
        let room = play.room("Olad").id;
        let turn = &mut play.game.turn;
        let unexplored = turn.world.exits.of(room).filter(|exit| exit.state == ExitState::Unexplored);
        for exit in unexplored.map(|exit| exit.id).collect::<Vec<_>>() {
            turn.world.exits.change(exit, |row| row.state = ExitState::OneWay);
        }
    }

    /// E32: the footer mentions the way onward only in rooms that have one; a dead end is blocked as well.
    #[test]
    fn e32_dead_end_does_not_mention_way_onward() {
        let mut play = guarded();
        let before = play.types("Olad", "look");
        assert!(
            before.contains("A toll goblin is here and bars the way.\nThe way onward is blocked."),
            "{before}"
        );
        close_unexplored_exits(&mut play);
        let after = view_of(&play);
        assert!(after.ends_with("A toll goblin is here, on guard.\nThis dead end is blocked."), "{after}");
        assert!(!after.contains("onward") && !after.contains("bars the way"), "{after}");
        let room = play.room("Olad").id;
        let sentence = |leads_on| portcullis::portcullis_words(&play.game.turn, room, leads_on);
        assert!(sentence(true).starts_with("A portcullis bars the way;"), "{}", sentence(true));
        assert!(
            sentence(false).starts_with("A portcullis is down, with no way on behind it;"),
            "{}",
            sentence(false)
        );
    }

    fn view_of(play: &Table) -> String {
        crate::room::look::view(&play.game.turn, play.id("Olad"), true).text().to_owned()
    }

    /// The contents of a hoard take at most two lines and a hiding place of the room's theme.
    #[test]
    fn hoard_message_takes_two_lines() {
        let mut play = guarded();
        let (who, room) = (play.id("Olad"), play.room("Olad").id);
        let turn = &mut play.game.turn;
        let row = turn.world.rooms.edit(room).expect("the room");
        (row.sheet.kind, row.challenge.coins) = (RoomKind::Treasure, 15);
        row.challenge.reward = vec!["clay_lamp".into(), "old_key".into(), "clay_lamp".into()];
        row.depth = 4;
        turn.world.rooms.change(room, |row| row.clear = true);
        give_rewards(turn, room);
        features::visit(turn, who, room);
        let read = play.types("Olad", "wait for it");
        let found: Vec<&str> = read.lines().filter(|line| line.contains("you find ")).collect();
        assert_eq!(found.len(), 2, "{read}");
        assert!(
            found.iter().all(|line| line.starts_with("Among the stones") || line.starts_with("Between clay")),
            "{read}"
        );
        assert!(
            found[0].contains("two clay lamps") && found[1].contains("one silver and five copper"),
            "{read}"
        );
        let turn = &mut play.game.turn;
        turn.world.rooms.edit(room).expect("the room").area = "forest".into();
        assert!(!hiding_place(turn, room).contains("stones"), "{}", hiding_place(turn, room));
    }
}

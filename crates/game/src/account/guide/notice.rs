//! Lessons that follow from the present situation of a character.

use crate::character::stats;
use crate::combat::rounds::deeds;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ItemId};
use deepwell_core::catalog::ItemClass;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::world::{ExitKind, ExitState, Room};
use std::collections::BTreeSet;

/// Free item slots at or below which the lesson about full hands applies.
const HANDS_LEFT: usize = 3;

/// Maximum number of occupants examined, so that the cost per player does not grow with a crowd.
const CROWD: usize = 50;

/// Adds the lessons that follow from the present situation of a character.
pub(super) fn notice(turn: &Turn, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let mut when = |true_now: bool, lesson: Lesson| {
        if true_now {
            moments.insert(lesson);
        }
    };
    when(stats::is_incapacitated(turn, who), Lesson::WentDown);
    when(body.target.is_some() && stats::hp(turn, who) * 2 < stats::max_hp_of(turn, who), Lesson::Hurt);
    when(body.target.is_some(), Lesson::Fought);
    when(stats::is_held(turn, who), Lesson::Caught);
    when(!body.affects.is_empty(), Lesson::GotAffect);
    when(turn.world.parties.of(who).is_some(), Lesson::Joined);
    when(body.trainings > 0, Lesson::Levelled);
    when(body.money.run > 0, Lesson::GotMoney);
    when(room.branch.is_some(), Lesson::EnteredBranch);
    when(room.web, Lesson::SawWeb);
    let is_over = room.sheet.kind.is_guarded() && room.clear;
    moments.extend(room.sheet.kind.spec().lesson.filter(|_| !is_over));
    notice_exits(turn, room, moments);
    notice_beings(turn, who, room, moments);
    notice_items(turn, who, moments);
}

fn notice_exits(turn: &Turn, room: &Room, moments: &mut BTreeSet<Lesson>) {
    for exit in turn.world.exits.of(room.id) {
        if exit.omen.is_some() && exit.state == ExitState::Unexplored {
            moments.insert(Lesson::SawOmen);
        }
        if exit.kind == ExitKind::Stairs && exit.direction == Some(Direction::Down) {
            moments.insert(Lesson::SawStairs);
        }
        if exit.state == ExitState::OneWay {
            moments.insert(Lesson::SawOneWay);
        }
    }
}

fn notice_beings(turn: &Turn, who: CharacterId, room: &Room, moments: &mut BTreeSet<Lesson>) {
    let creature = creature_here(turn, who);
    if creature.is_some() {
        moments.insert(Lesson::MetCreature);
    }
    if !room.clear {
        moments.insert(match (creature, room.challenge.puzzle()) {
            (Some(_), _) => Lesson::RoomBlocked,
            (None, Some(_)) => Lesson::SawGate,
            (None, None) => Lesson::SawLever,
        });
    }
    let mut others = turn.world.occupants(room.id).iter().take(CROWD).filter(|other| **other != who);
    if others.any(|other| turn.world.characters[*other].is_player() && stats::is_incapacitated(turn, *other))
    {
        moments.insert(Lesson::SawFallen);
    }
}

fn notice_items(turn: &Turn, who: CharacterId, moments: &mut BTreeSet<Lesson>) {
    let carried = turn.world.carried(who);
    let class = |id: &ItemId| {
        let item = &turn.world.items[*id];
        let prototype = turn.catalog.items.get(&item.prototype).filter(|_| item.worn.is_none());
        prototype.map(|prototype| (prototype.class, prototype.slot.is_some()))
    };
    for (class, wearable) in carried.iter().filter_map(class) {
        if wearable {
            moments.insert(Lesson::FoundGear);
        }
        if matches!(class, ItemClass::Potion | ItemClass::Food) {
            moments.insert(Lesson::FoundPotion);
        }
    }
    if carried.len() + HANDS_LEFT >= turn.config.limits.items_carried as usize {
        moments.insert(Lesson::HandsFull);
    }
    let ground = turn.world.ground(turn.world.characters[who].room);
    if ground.iter().filter_map(class).any(|(class, _)| class == ItemClass::Corpse) {
        moments.insert(Lesson::SawCorpse);
    }
}

/// Returns the creature that a character fights, or another in the room that it may attack.
pub(super) fn creature_here(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let target = turn.world.characters[who].target;
    let fights = target.filter(|target| !turn.world.characters[*target].is_player());
    fights.or_else(|| foes_here(turn, who).next())
}

/// Returns the creatures in the room that a character may attack: none in rooms without combat, and no companion.
pub(super) fn foes_here(turn: &Turn, who: CharacterId) -> impl Iterator<Item = CharacterId> {
    let here = turn.world.occupants(turn.world.characters[who].room).iter().take(CROWD).copied();
    here.filter(move |other| deeds::may_strike(turn, who, *other).is_ok())
}

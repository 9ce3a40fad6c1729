//! Hand-built rooms by the clock: what builders want to be there comes again a while after it is missed, and triggers run
//! that wait for nothing but time. Only worlds that have any of it are looked after.

use crate::base::{CharacterId, ItemId, RoomId, Span};
use crate::game::creatures::hooks;
use crate::game::effect::Class;
use crate::game::state::tending::Tended;
use crate::game::timers::Timer;
use crate::game::turn::Turn;
use crate::game::{naming, spawn, tell};
use crate::text::grammar;
use crate::world::{Place, Room, SpawnRule, Spawned, TriggerEvent};
use std::collections::{BTreeMap, BTreeSet};

/// How long rooms are left alone.
const PAUSE: Span = Span::secs(5);

/// Creatures by the room that they belong to and their prototype.
type Living = BTreeMap<(RoomId, String), u32>;

/// Looks after rooms from now on, if any needs it and nothing is planned yet.
pub(crate) fn begin(turn: &mut Turn) {
    if turn.tending.next.is_none()
        && turn.world.built_rooms().any(|room| needs_tending(&turn.world.rooms[room]))
    {
        let at = turn.now + PAUSE;
        turn.tending.next = Some(at);
        turn.timers.schedule(at, Timer::Tend);
    }
}

fn needs_tending(room: &Room) -> bool {
    let by_the_clock = room.triggers.iter().any(|trigger| matches!(trigger.on, TriggerEvent::Timer(_)));
    by_the_clock || !room.spawns.is_empty()
}

/// Looks after all rooms that need it.
pub(crate) fn tend(turn: &mut Turn) {
    turn.tending.next = None;
    let rooms: BTreeSet<RoomId> =
        turn.world.built_rooms().filter(|room| needs_tending(&turn.world.rooms[*room])).collect();
    turn.tending.due.retain(|(room, _), _| rooms.contains(room));
    let living = count_creatures(turn);
    for room in rooms {
        for (place, rule) in turn.world.rooms[room].spawns.clone().into_iter().enumerate() {
            let there = count_of(turn, room, &rule.what, &living);
            tend_spawn(turn, room, place, &rule, there);
        }
        run_due_triggers(turn, room);
    }
    begin(turn);
}

fn tend_spawn(turn: &mut Turn, room: RoomId, place: usize, rule: &SpawnRule, there: u32) {
    let slot = (room, Tended::Spawn(place));
    if there >= rule.count {
        turn.tending.due.remove(&slot);
        return;
    }
    let at = turn.now + Span::secs(rule.every_secs.into());
    if *turn.tending.due.entry(slot).or_insert(at) <= turn.now {
        turn.tending.due.remove(&slot);
        add_missing(turn, room, rule, there);
    }
}

/// How many creatures of a kind belong to a room that spawns any, wherever they are. All are counted in one walk, so that what
/// it costs does not grow with the number of rules.
fn count_creatures(turn: &Turn) -> Living {
    let mut living = Living::new();
    for (_, body) in turn.world.characters.iter() {
        let spawns = turn.world.rooms.get(body.home).is_some_and(|home| !home.spawns.is_empty());
        if let Some(key) = body.mob.as_ref().filter(|_| spawns && body.master.is_none()) {
            *living.entry((body.home, key.clone())).or_default() += 1;
        }
    }
    living
}

/// How many there are of what a room should have: creatures that belong there, and things on its ground.
fn count_of(turn: &Turn, room: RoomId, what: &Spawned, living: &Living) -> u32 {
    match what {
        Spawned::Creature(key) => living.get(&(room, key.clone())).copied().unwrap_or_default(),
        Spawned::Item(key) => {
            let lies = |item: &&ItemId| turn.world.items[**item].prototype == *key;
            u32::try_from(turn.world.ground(room).iter().filter(lies).count()).unwrap_or(u32::MAX)
        }
    }
}

/// Makes what is missing of a rule at once.
pub(crate) fn restock(turn: &mut Turn, room: RoomId, rule: &SpawnRule) {
    let there = count_of(turn, room, &rule.what, &count_creatures(turn));
    add_missing(turn, room, rule, there);
}

fn add_missing(turn: &mut Turn, room: RoomId, rule: &SpawnRule, there: u32) {
    for _ in there..rule.count {
        if !make(turn, room, &rule.what) {
            break;
        }
    }
}

/// Makes one of something in a room, and tells whoever is there; not if there is no space for it.
pub(crate) fn make(turn: &mut Turn, room: RoomId, what: &Spawned) -> bool {
    let words = match what {
        Spawned::Creature(key) => {
            let is_creature = |who: &&CharacterId| !turn.world.characters[**who].is_player();
            let there = turn.world.occupants(room).iter().filter(is_creature).count();
            if there >= turn.catalog.rules.roaming.creatures_in_room as usize {
                return false;
            }
            let Some(mob) = spawn::spawn_mob(turn, key, room, None) else { return false };
            format!("{} comes in.", naming::mob_with_article(turn, mob))
        }
        Spawned::Item(key) => {
            if turn.world.ground(room).len() >= turn.config.limits.items_in_room as usize {
                return false;
            }
            let Some(item) = spawn::spawn_item(turn, key, Place::Room(room), "spawn") else { return false };
            format!("{} lies here.", naming::thing(turn, item))
        }
    };
    tell::tell_room(turn, room, &[], Class::Notice, grammar::capitalise(&words).as_ref());
    true
}

/// Runs the triggers of a room that wait for time alone, if anybody is there to see it.
fn run_due_triggers(turn: &mut Turn, room: RoomId) {
    let by_the_clock = |(place, on): (usize, &TriggerEvent)| match on {
        TriggerEvent::Timer(secs) => Some((place, *secs)),
        _ => None,
    };
    let events = turn.world.rooms[room].triggers.iter().map(|trigger| &trigger.on).enumerate();
    let timed: Vec<(usize, u32)> = events.filter_map(by_the_clock).collect();
    for (place, secs) in timed {
        let slot = (room, Tended::Trigger(place));
        let at = turn.now + Span::secs(secs.into());
        if *turn.tending.due.entry(slot).or_insert(at) > turn.now {
            continue;
        }
        turn.tending.due.insert(slot, at);
        let players = |who: &CharacterId| turn.world.characters[*who].is_player();
        let whom = turn.world.occupants(room).iter().copied().find(players);
        if whom.is_some() {
            hooks::spring(turn, room, (whom, ""), |on| *on == TriggerEvent::Timer(secs));
        }
    }
}

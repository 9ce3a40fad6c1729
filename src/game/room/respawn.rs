//! Respawning of creatures and items in hand-built rooms, and triggers on a timer. The timer runs only in worlds that
//! have either.

use crate::base::{CharacterId, RoomId, Span};
use crate::catalog::SpawnCondition;
use crate::catalog::script::Expected;
use crate::catalog::spawn_bounds::When;
use crate::game::character::spawn;
use crate::game::creature::hooks;
use crate::game::effect::Class;
use crate::game::message::{naming, tell};
use crate::game::room::time_of_day;
use crate::game::state::respawn::RespawnSlot;
use crate::game::state::timers::Timer;
use crate::game::turn::Turn;
use crate::text::grammar;
use crate::world::{Place, Room, SpawnRule, Spawned, TriggerEvent};
use std::collections::{BTreeMap, BTreeSet};

/// Interval between two respawn checks.
const PAUSE: Span = Span::secs(5);

/// Number of creatures and items that spawn rules name: by room, by zone, and in all hand-built rooms. Creatures count
/// at their home, items where they are. Keys and zones are numbered, so that a census copies no text for each creature
/// or item.
#[derive(Debug, Default)]
struct Census {
    creatures: BTreeMap<String, usize>,
    things: BTreeMap<String, usize>,
    areas: BTreeMap<String, usize>,
    rooms: BTreeMap<(RoomId, usize), u32>,
    zones: BTreeMap<(usize, usize), u32>,
    world: Vec<u32>,
    /// Zones with an awake player.
    visited: BTreeSet<String>,
}

impl Census {
    /// Counts the creatures of the world, and the items if any rule names one. One pass counts all, so that the cost
    /// does not grow with the number of rules.
    fn take(turn: &Turn) -> Self {
        let mut census = Self::default();
        let rooms = || turn.world.built_rooms().map(|id| &turn.world.rooms[id]);
        for rule in rooms().flat_map(|room| &room.spawns) {
            census.number(&rule.what);
        }
        for (_, body) in turn.world.characters.iter() {
            let kind = body.mob.as_ref().filter(|_| body.master.is_none());
            if let Some(kind) = kind.and_then(|key| census.creatures.get(key).copied())
                && let Some(home) = turn.world.rooms.get(body.home).filter(|home| home.branch.is_none())
            {
                census.count(home, kind);
            }
            let here = turn.world.rooms.get(body.room).filter(|_| body.is_player() && body.awake);
            census.visited.extend(here.filter(|here| here.branch.is_none()).map(|here| here.area.clone()));
        }
        let counts_things = !census.things.is_empty();
        for room in rooms().filter(|_| counts_things) {
            for item in turn.world.ground(room.id) {
                if let Some(kind) = census.things.get(&turn.world.items[*item].prototype).copied() {
                    census.count(room, kind);
                }
            }
        }
        census
    }

    /// Returns the number of a key, assigned at first use.
    fn number(&mut self, what: &Spawned) -> usize {
        let (keys, key) = match what {
            Spawned::Creature(key) => (&mut self.creatures, key),
            Spawned::Item(key) => (&mut self.things, key),
        };
        if let Some(kind) = keys.get(key) {
            return *kind;
        }
        let kind = self.world.len();
        keys.insert(key.clone(), kind);
        self.world.push(0);
        kind
    }

    /// Returns the number of a key, or `None` if no rule has named it.
    fn known(&self, what: &Spawned) -> Option<usize> {
        match what {
            Spawned::Creature(key) => self.creatures.get(key).copied(),
            Spawned::Item(key) => self.things.get(key).copied(),
        }
    }

    /// Adds one creature or item with this number in a room.
    fn count(&mut self, room: &Room, kind: usize) {
        let area = self.areas.get(&room.area).copied().unwrap_or_else(|| {
            let area = self.areas.len();
            self.areas.insert(room.area.clone(), area);
            area
        });
        *self.rooms.entry((room.id, kind)).or_default() += 1;
        *self.zones.entry((area, kind)).or_default() += 1;
        self.world[kind] += 1;
    }

    /// Adds one creature or item in a room.
    fn note(&mut self, room: &Room, what: &Spawned) {
        let kind = self.number(what);
        self.count(room, kind);
    }

    fn here(&self, room: RoomId, what: &Spawned) -> u32 {
        let counted = self.known(what).and_then(|kind| self.rooms.get(&(room, kind)));
        counted.copied().unwrap_or_default()
    }

    fn in_zone(&self, area: &str, what: &Spawned) -> u32 {
        let counted = || self.zones.get(&(*self.areas.get(area)?, self.known(what)?)).copied();
        counted().unwrap_or_default()
    }

    fn in_world(&self, what: &Spawned) -> u32 {
        self.known(what).map_or(0, |kind| self.world[kind])
    }

    /// Returns the remaining spawn capacity of a room for a rule.
    fn missing(&self, turn: &Turn, room: &Room, rule: &SpawnRule) -> u32 {
        let SpawnRule { what, count, bounds, .. } = rule;
        if bounds.only_if.as_ref().is_some_and(|condition| !self.holds(turn, room, condition)) {
            return 0;
        }
        let of_zone = bounds.zone_most.map(|most| most.saturating_sub(self.in_zone(&room.area, what)));
        let of_world = bounds.world_most.map(|most| most.saturating_sub(self.in_world(what)));
        let of_room = count.saturating_sub(self.here(room.id, what));
        of_zone.into_iter().chain(of_world).fold(of_room, u32::min)
    }

    fn holds(&self, turn: &Turn, room: &Room, SpawnCondition { when, wanted }: &SpawnCondition) -> bool {
        let is_player = |who: &CharacterId| turn.world.characters[*who].is_player();
        let is_so = match when {
            When::Players => self.visited.contains(&room.area),
            When::Seen => turn.world.occupants(room.id).iter().any(is_player),
            When::Night => time_of_day::is_night(turn.now),
            When::Count(word, number) => room.counters.get(word).copied().unwrap_or_default() >= *number,
        };
        is_so == (*wanted == Expected::Yes)
    }
}

/// Schedules respawning if a changed room needs it and no timer is pending.
pub(crate) fn begin(turn: &mut Turn) {
    let needs = |room| turn.world.rooms.get(room).is_some_and(needs_respawning);
    if turn.tending.next.is_none() && turn.world.rooms.touched().any(needs) {
        plan(turn);
    }
}

/// Schedules respawning after a start, if any room needs it.
pub(crate) fn resume(turn: &mut Turn) {
    if turn.world.built_rooms().any(|room| needs_respawning(&turn.world.rooms[room])) {
        plan(turn);
    }
}

fn plan(turn: &mut Turn) {
    let at = turn.now + PAUSE;
    turn.tending.next = Some(at);
    turn.timers.schedule(at, Timer::Tend);
}

fn needs_respawning(room: &Room) -> bool {
    let by_the_clock = room.triggers.iter().any(|trigger| matches!(trigger.on, TriggerEvent::Timer(_)));
    by_the_clock || !room.spawns.is_empty()
}

/// Respawns creatures and items in all rooms that need it, and runs their due triggers.
pub(crate) fn respawn_all(turn: &mut Turn) {
    turn.tending.next = None;
    let rooms: BTreeSet<RoomId> =
        turn.world.built_rooms().filter(|room| needs_respawning(&turn.world.rooms[*room])).collect();
    turn.tending.due.retain(|(room, _), _| rooms.contains(room));
    if !rooms.is_empty() {
        plan(turn);
    }
    let mut census = Census::take(turn);
    for room in rooms {
        let mut lacking = Vec::new();
        for (place, rule) in turn.world.rooms[room].spawns.iter().enumerate() {
            if census.here(room, &rule.what) < rule.count {
                lacking.push((place, rule.clone()));
            } else {
                turn.tending.due.remove(&(room, RespawnSlot::Spawn(place)));
            }
        }
        for (place, rule) in lacking {
            respawn_by_rule(turn, &mut census, room, place, &rule);
        }
        run_due_triggers(turn, room);
    }
}

fn respawn_by_rule(turn: &mut Turn, census: &mut Census, room: RoomId, place: usize, rule: &SpawnRule) {
    let slot = (room, RespawnSlot::Spawn(place));
    if census.here(room, &rule.what) >= rule.count {
        turn.tending.due.remove(&slot);
        return;
    }
    let at = turn.now + Span::secs(rule.every_secs.into());
    if *turn.tending.due.entry(slot).or_insert(at) > turn.now {
        return;
    }
    // A respawn that is held back by its limits or condition happens as soon as they permit it.
    if census.missing(turn, &turn.world.rooms[room], rule) > 0 {
        turn.tending.due.remove(&slot);
        add_missing(turn, census, room, rule);
    }
}

/// Spawns the missing creatures and items of spawn rules immediately. The census is taken once for all rules.
pub(crate) fn restock(turn: &mut Turn, wanted: &[(RoomId, SpawnRule)]) {
    if wanted.is_empty() {
        return;
    }
    let mut census = Census::take(turn);
    for (room, rule) in wanted {
        add_missing(turn, &mut census, *room, rule);
    }
}

fn add_missing(turn: &mut Turn, census: &mut Census, room: RoomId, rule: &SpawnRule) {
    for _ in 0..census.missing(turn, &turn.world.rooms[room], rule) {
        if !spawn_one(turn, room, &rule.what) {
            break;
        }
        census.note(&turn.world.rooms[room], &rule.what);
    }
}

/// Spawns one creature or item in a room and notifies its occupants. Returns `false` if there is no space for it.
pub(crate) fn spawn_one(turn: &mut Turn, room: RoomId, what: &Spawned) -> bool {
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

/// Runs the due timer triggers of a room, if a player is there.
fn run_due_triggers(turn: &mut Turn, room: RoomId) {
    let by_the_clock = |(place, on): (usize, &TriggerEvent)| match on {
        TriggerEvent::Timer(secs) => Some((place, *secs)),
        _ => None,
    };
    let events = turn.world.rooms[room].triggers.iter().map(|trigger| &trigger.on).enumerate();
    let timed: Vec<(usize, u32)> = events.filter_map(by_the_clock).collect();
    for (place, secs) in timed {
        let slot = (room, RespawnSlot::Trigger(place));
        let at = turn.now + Span::secs(secs.into());
        if *turn.tending.due.entry(slot).or_insert(at) > turn.now {
            continue;
        }
        turn.tending.due.insert(slot, at);
        let players = |who: &CharacterId| turn.world.characters[*who].is_player();
        let whom = turn.world.occupants(room).iter().copied().find(players);
        if whom.is_some() {
            hooks::run_triggers(turn, room, whom, "", |on| *on == TriggerEvent::Timer(secs));
        }
    }
}

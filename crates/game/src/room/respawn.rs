//! Respawning of creatures and items in hand-built rooms, and triggers on a timer. The timer runs only in worlds that
//! have either.

use crate::character::spawn;
use crate::creature::route;
use crate::creature::script::{conditions, hooks};
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::state::event::GameEvent;
use crate::state::respawn::{Census, RespawnCheck, RespawnSlot, RespawnStage};
use crate::state::slices::{self, WAIT};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId, Span};
use deepwell_core::catalog::SpawnCondition;
use deepwell_core::text::grammar;
use deepwell_core::world::{Place, Room, SpawnRule, Spawned, TriggerEvent};
use std::ops::Bound;

/// Interval between two respawn checks.
const PAUSE: Span = Span::secs(5);

/// Returns the remaining spawn capacity of a room for a rule.
fn missing(census: &Census, turn: &Turn, room: &Room, rule: &SpawnRule) -> u32 {
    let SpawnRule { what, count, bounds, .. } = rule;
    let holds = |condition: &SpawnCondition| {
        conditions::holds_for_spawn(turn, &condition.0, room.id, &census.visited)
    };
    if !bounds.only_if.as_ref().is_none_or(holds) {
        return 0;
    }
    let of_zone = bounds.zone_most.map(|most| most.saturating_sub(census.in_zone(&room.area, what)));
    let of_world = bounds.world_most.map(|most| most.saturating_sub(census.in_world(what)));
    let of_room = count.saturating_sub(census.here(room.id, what));
    of_zone.into_iter().chain(of_world).fold(of_room, u32::min)
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
    if turn.world.rooms.built().any(|room| needs_respawning(&turn.world.rooms[room])) {
        plan(turn);
    }
}

fn plan(turn: &mut Turn) {
    let at = turn.now + PAUSE;
    turn.tending.next = Some(at);
    turn.timers.schedule(at, Timer::Respawn);
}

fn needs_respawning(room: &Room) -> bool {
    let by_the_clock = room.triggers.iter().any(|trigger| matches!(trigger.on, TriggerEvent::Timer(_)));
    by_the_clock || !room.spawns.is_empty()
}

/// Continues the respawn check, or begins a new one, in all rooms that need it: respawns creatures and items, and runs
/// due triggers. A check that exceeds the work of a slice is continued in a later step.
pub(crate) fn respawn_due(turn: &mut Turn) {
    if !turn.slices.take(turn.now) {
        turn.timers.schedule(turn.now + WAIT, Timer::Respawn);
        return;
    }
    let mut check = turn.tending.check.take().unwrap_or_else(|| {
        turn.tending.next = None;
        RespawnCheck::default()
    });
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    while check.stage != RespawnStage::Done && turn.world.work() < end {
        go_one_step(turn, &mut check);
    }
    if check.stage != RespawnStage::Done {
        turn.tending.check = Some(check);
        turn.timers.schedule(turn.now + slices::PAUSE, Timer::Respawn);
    } else if turn.tending.next.is_some_and(|next| next <= turn.now) {
        // The timer of the next check ran while this one was in progress.
        plan(turn);
    }
}

/// Examines one room or creature.
fn go_one_step(turn: &mut Turn, check: &mut RespawnCheck) {
    turn.world.note_work(1);
    match check.stage {
        RespawnStage::Rooms => note_rules(turn, check),
        RespawnStage::Bodies => {
            count_body(turn, check);
            begin_route(turn, check);
        }
        RespawnStage::Ground => count_ground(turn, check),
        RespawnStage::Respawn => respawn_next_room(turn, check),
        RespawnStage::Done => {}
    }
}

/// Notes the next hand-built room if it needs respawning.
fn note_rules(turn: &mut Turn, check: &mut RespawnCheck) {
    check.room = turn.world.rooms.built_after(check.room).next();
    if let Some(id) = check.room {
        let room = &turn.world.rooms[id];
        if needs_respawning(room) {
            check.rooms.push(id);
        }
        for rule in &room.spawns {
            check.census.number(&rule.what);
        }
        return;
    }
    check.stage = RespawnStage::Bodies;
    if !check.rooms.is_empty() && turn.tending.next.is_none() {
        plan(turn);
    }
}

/// Counts the next creature, or notes where the next player is.
fn count_body(turn: &Turn, check: &mut RespawnCheck) {
    let (world, census) = (&turn.world, &mut check.census);
    let after = (check.body.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let Some((id, body)) = world.characters.range(after).next() else {
        check.stage = if census.items.is_empty() { RespawnStage::Respawn } else { RespawnStage::Ground };
        return;
    };
    check.body = Some(id);
    let kind = body.prototype.as_ref().filter(|_| body.master.is_none());
    if let Some(kind) = kind.and_then(|key| census.creatures.get(key).copied())
        && let Some(home) = world.rooms.get(body.home).filter(|home| home.branch.is_none())
    {
        census.count(home, kind);
    }
    if body.is_player() && body.awake {
        let here = world.rooms.get(body.room).filter(|here| here.branch.is_none());
        census.visited.extend(here.map(|here| here.area.clone()));
    }
}

/// Begins the route of the creature just counted, if its kind or its spawn rule has been given one.
fn begin_route(turn: &mut Turn, check: &RespawnCheck) {
    if let Some(creature) = check.body.filter(|creature| route::is_due_to_begin(turn, *creature)) {
        route::begin(turn, creature);
    }
}

/// Counts the items on the ground of the next hand-built room.
fn count_ground(turn: &Turn, check: &mut RespawnCheck) {
    check.room = turn.world.rooms.built_after(check.room).next();
    let Some(id) = check.room else {
        check.stage = RespawnStage::Respawn;
        return;
    };
    for item in turn.world.ground(id) {
        if let Some(kind) = check.census.items.get(&turn.world.items[*item].prototype).copied() {
            check.census.count(&turn.world.rooms[id], kind);
        }
    }
}

/// Respawns in the next room. Due times of rooms that no longer need respawning are dropped.
fn respawn_next_room(turn: &mut Turn, check: &mut RespawnCheck) {
    let next = check.rooms.get(check.done).copied();
    let passed = check.done.checked_sub(1).map(|last| check.rooms[last]);
    let after = passed.map_or(Bound::Unbounded, |room| Bound::Excluded((room, RespawnSlot::LAST)));
    let before = next.map_or(Bound::Unbounded, |room| Bound::Excluded((room, RespawnSlot::FIRST)));
    let stale = turn.tending.due.range((after, before)).next().map(|(slot, _)| *slot);
    if let Some(stale) = stale {
        turn.tending.due.remove(&stale);
        return;
    }
    let Some(room) = next else {
        check.stage = RespawnStage::Done;
        return;
    };
    check.done += 1;
    if turn.world.rooms.get(room).is_some() {
        respawn_room(turn, &mut check.census, room);
    }
}

/// Applies the spawn rules of a room and runs its due triggers.
fn respawn_room(turn: &mut Turn, census: &mut Census, room: RoomId) {
    let mut lacking = Vec::new();
    for (place, rule) in turn.world.rooms[room].spawns.iter().enumerate() {
        if census.here(room, &rule.what) < rule.count || !to_refill(turn, room, rule).is_empty() {
            lacking.push((place, rule.clone()));
        } else {
            turn.tending.due.remove(&(room, RespawnSlot::Spawn(place)));
        }
    }
    for (place, rule) in lacking {
        respawn_by_rule(turn, census, room, place, &rule);
    }
    run_due_triggers(turn, room);
}

fn respawn_by_rule(turn: &mut Turn, census: &mut Census, room: RoomId, place: usize, rule: &SpawnRule) {
    let slot = (room, RespawnSlot::Spawn(place));
    let emptied = to_refill(turn, room, rule);
    if census.here(room, &rule.what) >= rule.count && emptied.is_empty() {
        turn.tending.due.remove(&slot);
        return;
    }
    let at = turn.now + Span::secs(rule.every_secs.into());
    if *turn.tending.due.entry(slot).or_insert(at) > turn.now {
        return;
    }
    // A respawn that is held back by its limits or condition happens as soon as they permit it.
    if missing(census, turn, &turn.world.rooms[room], rule) > 0 {
        turn.tending.due.remove(&slot);
        add_missing(turn, census, room, rule);
    }
    let is_watched = turn.world.occupants(room).iter().any(|who| turn.world.characters[*who].is_player());
    if !emptied.is_empty() && !is_watched {
        turn.tending.due.remove(&slot);
        for container in emptied {
            spawn::refill(turn, container);
        }
    }
}

/// Returns the containers of a spawn rule that have been opened or emptied.
pub(super) fn to_refill(turn: &Turn, room: RoomId, rule: &SpawnRule) -> Vec<ItemId> {
    let Spawned::Item(key) = &rule.what else { return Vec::new() };
    let Some(kind) = turn.catalog.items.get(key).filter(|kind| !kind.filled_with.is_empty()) else {
        return Vec::new();
    };
    let is_used = |item: &ItemId| {
        let row = &turn.world.items[*item];
        let inside = turn.world.contents(*item).iter().map(|inside| &turn.world.items[*inside].prototype);
        row.prototype == *key && (row.shut != kind.closes || !is_filled(inside.collect(), &kind.filled_with))
    };
    turn.world.ground(room).iter().copied().filter(is_used).collect()
}

/// Returns `true` if the contents of a container include all that it is filled with.
fn is_filled(mut inside: Vec<&String>, wanted: &[String]) -> bool {
    wanted.iter().all(|key| {
        let at = inside.iter().position(|other| *other == key);
        at.map(|at| inside.swap_remove(at)).is_some()
    })
}

/// Spawns the missing creatures and items of spawn rules immediately. The census is taken once for all rules. Returns the
/// number for each rule.
pub(crate) fn restock(turn: &mut Turn, wanted: &[(RoomId, SpawnRule)]) -> Vec<u32> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut check = RespawnCheck::default();
    for (_, rule) in wanted {
        check.census.number(&rule.what);
    }
    check.stage = RespawnStage::Bodies;
    while check.stage != RespawnStage::Respawn {
        go_one_step(turn, &mut check);
    }
    let census = &mut check.census;
    wanted.iter().map(|(room, rule)| add_missing(turn, census, *room, rule)).collect()
}

/// Lets new spawn rules apply at the next check, which spawns what is missing then.
pub(crate) fn make_due(turn: &mut Turn, wanted: &[(RoomId, SpawnRule)]) {
    for (room, rule) in wanted {
        let rules = turn.world.rooms.get(*room).map(|row| &row.spawns);
        let place = rules.and_then(|rules| rules.iter().position(|other| other == rule));
        turn.tending.due.extend(place.map(|place| ((*room, RespawnSlot::Spawn(place)), turn.now)));
    }
    begin(turn);
}

/// Spawns what a rule lacks, and returns the number.
fn add_missing(turn: &mut Turn, census: &mut Census, room: RoomId, rule: &SpawnRule) -> u32 {
    let missing = missing(census, turn, &turn.world.rooms[room], rule);
    for came in 0..missing {
        if !spawn_one(turn, room, &rule.what) {
            return came;
        }
        let row = &turn.world.rooms[room];
        census.note(row, &rule.what);
        if let Some(check) = turn.tending.check.as_mut().filter(|check| check.has_counted(room, &rule.what)) {
            check.census.note(row, &rule.what);
        }
    }
    missing
}

/// Spawns one creature or item in a room and notifies its occupants. Returns `false` if there is no space for it.
pub(crate) fn spawn_one(turn: &mut Turn, room: RoomId, what: &Spawned) -> bool {
    let message = match what {
        Spawned::Creature(key) => {
            let is_creature = |who: &&CharacterId| !turn.world.characters[**who].is_player();
            let there = turn.world.occupants(room).iter().filter(is_creature).count();
            if there >= turn.catalog.rules.roaming.creatures_in_room as usize {
                return false;
            }
            let Some(creature) = spawn::spawn_creature(turn, key, room, None) else { return false };
            format!("{} comes in.", naming::creature_with_article(turn, creature))
        }
        Spawned::Item(key) => {
            if turn.world.ground(room).len() >= turn.config.limits.items_in_room as usize {
                return false;
            }
            let Some(item) = spawn::spawn_item(turn, key, Place::Room(room), "spawn") else { return false };
            format!("{} lies here.", naming::item(turn, item))
        }
    };
    tell::tell_room(turn, room, &[], Class::Notice, grammar::capitalise(&message).as_ref());
    turn.emit_event(GameEvent::Stirred { room });
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
    // Timers are counted without other triggers, so that adding or using up one of those delays none.
    for (number, (place, secs)) in timed.into_iter().enumerate() {
        let slot = (room, RespawnSlot::Trigger(number));
        let at = turn.now + Span::secs(secs.into());
        if *turn.tending.due.entry(slot).or_insert(at) > turn.now {
            continue;
        }
        turn.tending.due.insert(slot, at);
        let players = |who: &CharacterId| turn.world.characters[*who].is_player();
        let whom = turn.world.occupants(room).iter().copied().find(players);
        if whom.is_some() {
            hooks::run_trigger_at(turn, room, whom, place);
        }
    }
}

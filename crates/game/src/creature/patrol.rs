//! Patrol of a creature: it walks to rooms in turn and pauses at each. It stands still while no player is in its zone.

use crate::character::stats;
use crate::creature::route::{self, Progress};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Span};
use deepwell_core::catalog::{Behaviour, CreaturePrototype};

/// Takes the next step of a patrol. Returns the time until the step after it.
pub(super) fn walk(turn: &mut Turn, creature: CharacterId, stops: &[String]) -> Span {
    let pause = route::pause_span(turn);
    if !is_observed(turn, creature) {
        return pause;
    }
    wake_from_schedule(turn, creature);
    let number = turn.world.characters[creature].patrol_stop as usize % stops.len().max(1);
    let Some(goal) = stops.get(number).and_then(|stop| route::goal(turn, creature, stop)) else {
        head_for(turn, creature, number + 1, stops.len());
        return pause;
    };
    match route::walk_to(turn, creature, goal) {
        Progress::Arrived => {
            head_for(turn, creature, number + 1, stops.len());
            pause
        }
        Progress::Walked => route::walk_span(turn),
        Progress::Blocked => pause,
    }
}

/// Wakes a creature that a schedule has sent to sleep, unless it sleeps by nature.
fn wake_from_schedule(turn: &mut Turn, creature: CharacterId) {
    let sleeps = |prototype: &CreaturePrototype| {
        prototype.behaviours.iter().any(|part| matches!(part, Behaviour::Sleep { .. }))
    };
    if !prototypes::creature_prototype(turn, creature).is_some_and(sleeps) {
        stats::wake(turn, creature);
    }
}

/// Records the next stop.
fn head_for(turn: &mut Turn, creature: CharacterId, number: usize, stops: usize) {
    let next = u32::try_from(number % stops.max(1)).unwrap_or_default();
    if turn.world.characters[creature].patrol_stop != next {
        turn.world.characters.change(creature, |body| body.patrol_stop = next);
    }
}

/// Returns `true` if a player is in the zone where the creature is, or in that of its home. One search for players serves
/// all creatures of a zone for a while.
fn is_observed(turn: &mut Turn, creature: CharacterId) -> bool {
    let body = &turn.world.characters[creature];
    let zones = [body.room, body.home].map(|room| turn.world.rooms[room].area.clone());
    zones.iter().any(|zone| {
        turn.routes.players_seen(zone, turn.now).unwrap_or_else(|| {
            let is_there = |who: CharacterId| {
                let around = &turn.world.rooms[turn.world.characters[who].room];
                around.branch.is_none() && around.area == *zone
            };
            let seen = turn.world.awake_players().any(is_there);
            turn.routes.note_players(zone, turn.now, seen);
            seen
        })
    })
}

//! Routes of creatures in hand-built rooms: one timer for each creature, and its walk to a goal. The parts of a route are
//! behaviours with their own files, `patrol` and `schedule`.
//!
//! A path is searched once for each goal and then kept. A creature that cannot go on, because a door is closed or it is
//! held, waits and searches again.

use crate::exit::pathfinding;
use crate::movement;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, RoomId, Span};
use deepwell_core::catalog::{CreatureRoute, Rules};
use deepwell_core::world::{Character, Posture};

/// Result of a step towards a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// The creature is there.
    Arrived,
    /// It has walked through an exit.
    Walked,
    /// It cannot go on for now.
    Blocked,
}

/// Returns the route of a creature: that of the spawn rule of its home, or else of its kind.
pub(super) fn route_of(turn: &Turn, creature: CharacterId) -> Option<&CreatureRoute> {
    let body = turn.world.characters.get(creature)?;
    let key = body.prototype.as_ref().filter(|_| body.branch.is_none())?;
    let home = turn.world.rooms.get(body.home)?;
    let own = home.route_of_spawn(key);
    own.or_else(|| {
        Some(&prototypes::creature_prototype(turn, creature)?.route).filter(|route| !route.is_empty())
    })
}

/// Begins the routes of the creatures that a step has touched.
pub(crate) fn begin_touched(turn: &mut Turn) {
    let touched: Vec<CharacterId> =
        turn.world.characters.touched().filter(|creature| is_due_to_begin(turn, *creature)).collect();
    for creature in touched {
        begin(turn, creature);
    }
}

/// Returns `true` if a creature has a route and no timer.
pub(crate) fn is_due_to_begin(turn: &Turn, creature: CharacterId) -> bool {
    !turn.routes.is_pending(creature) && route_of(turn, creature).is_some()
}

/// Schedules the first step of a creature's route.
pub(crate) fn begin(turn: &mut Turn, creature: CharacterId) {
    schedule_next(turn, creature, walk_span(turn));
}

/// Schedules the next step of a creature, unless one is pending.
pub(super) fn schedule_next(turn: &mut Turn, creature: CharacterId, span: Span) {
    if turn.routes.begin(creature) {
        turn.timers.schedule(turn.now + span, Timer::Route(creature));
    }
}

/// Time between two rooms.
pub(super) fn walk_span(turn: &Turn) -> Span {
    Rules::secs(turn.catalog.rules.roaming.walk_secs)
}

/// Time at a goal, and before another try.
pub(super) fn pause_span(turn: &Turn) -> Span {
    Rules::secs(turn.catalog.rules.roaming.pause_secs)
}

/// Returns the room that a route names, relative to the zone of the creature's home.
pub(super) fn goal(turn: &Turn, creature: CharacterId, name: &str) -> Option<RoomId> {
    room_named(turn, turn.world.characters[creature].home, name)
}

/// Returns the room that the route of a creature of a home room names.
pub(crate) fn room_named(turn: &Turn, home: RoomId, name: &str) -> Option<RoomId> {
    let zone = &turn.world.rooms.get(home)?.area;
    let (zone, key) = name.split_once('/').unwrap_or((zone, name));
    turn.world.rooms.of_key(zone, key)
}

/// Walks one room towards a goal.
pub(super) fn walk_to(turn: &mut Turn, creature: CharacterId, goal: RoomId) -> Progress {
    let from = turn.world.characters[creature].room;
    if from == goal {
        return Progress::Arrived;
    }
    if turn.world.characters[creature].posture == Posture::Asleep {
        return Progress::Blocked;
    }
    let kept = turn.routes.take_path(creature, goal).filter(|path| {
        path.last().and_then(|exit| turn.world.exits.get(*exit)).is_some_and(|exit| exit.room == from)
    });
    let most = turn.catalog.rules.roaming.route_rooms;
    let doors = pathfinding::ClosedDoors::Block;
    let Some(mut path) = kept.or_else(|| pathfinding::built_path(turn, from, goal, most, doors)) else {
        return Progress::Blocked;
    };
    let Some(exit) = path.pop() else { return Progress::Blocked };
    let has_left = |body: &Character| body.room != from;
    if movement::walk(turn, creature, exit).is_err()
        || !turn.world.characters.get(creature).is_none_or(has_left)
    {
        return Progress::Blocked;
    }
    turn.routes.keep_path(creature, goal, path);
    Progress::Walked
}

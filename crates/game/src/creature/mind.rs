//! Shared helpers of behaviours: idle checks, valid targets and walking.

use crate::character::stats;
use crate::exit::pathfinding;
use crate::movement;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, ExitId, RoomId};
use deepwell_core::catalog::{Behaviour, CreatureEvent, CreaturePrototype};
use deepwell_core::world::{Character, Mood, Posture};

/// Describes a creature's state: "roaming", "idle, fast asleep".
pub(crate) fn state_words(turn: &Turn, creature: CharacterId) -> String {
    let state = stats::state_of(turn, creature).name();
    match &turn.world.characters[creature] {
        body if body.posture == Posture::Asleep => format!("{state}, fast asleep"),
        body if matches!(body.mood, Mood::Fuse(_)) => format!("{state}, about to burst"),
        _ => state.to_owned(),
    }
}

/// Returns the visible state of a creature outside combat, if players should be warned.
pub(crate) fn pose_of(turn: &Turn, creature: CharacterId) -> Option<String> {
    let body = &turn.world.characters[creature];
    match body.mood {
        _ if body.posture == Posture::Asleep => Some("fast asleep".into()),
        Mood::Fuse(_) => Some("about to burst".into()),
        Mood::Charging(direction) => Some(format!("about to charge {direction}")),
        _ if stats::is_stunned(turn, creature) => Some("stunned".into()),
        _ => None,
    }
}

/// Returns the state names of the creatures in a room, in order of arrival.
pub(crate) fn states_in(turn: &Turn, room: RoomId) -> Vec<String> {
    let creatures =
        turn.world.occupants(room).iter().filter(|id| turn.world.characters[**id].prototype.is_some());
    creatures.map(|id| stats::state_of(turn, *id).name().to_owned()).collect()
}

/// Returns `true` if the creature reacts to ticks.
pub(crate) fn is_lively(turn: &Turn, creature: CharacterId) -> bool {
    let running = matches!(turn.world.characters[creature].mood, Mood::Fleeing(_));
    running
        || ticks(turn, creature)
        || prototypes::creature_prototype(turn, creature).is_some_and(CreaturePrototype::is_lively)
}

/// Returns `true` if a creature, or its kind, has a script for its ticks.
pub(crate) fn ticks(turn: &Turn, creature: CharacterId) -> bool {
    let own = &turn.world.characters[creature].triggers;
    own.iter().any(|own| own.is_for(|on: &CreatureEvent| *on == CreatureEvent::Tick))
        || prototypes::creature_prototype(turn, creature).is_some_and(CreaturePrototype::ticks)
}

/// Returns `true` if a creature exists, is awake, has no master or target, and is neither charging nor about to
/// explode.
pub(crate) fn is_at_leisure(turn: &Turn, creature: CharacterId) -> bool {
    turn.world.characters.get(creature).is_some_and(|body| {
        !body.is_player()
            && body.target.is_none()
            && body.master.is_none()
            && body.posture != Posture::Asleep
            && !matches!(body.mood, Mood::Fuse(_) | Mood::Charging(_))
    })
}

/// Schedules a look-around next round for creatures that react to players they meet.
pub(crate) fn look_again(turn: &mut Turn, creature: CharacterId) {
    let minds = |b: &Behaviour| matches!(b, Behaviour::Attack { .. } | Behaviour::Explode { .. });
    if prototypes::creature_prototype(turn, creature)
        .is_some_and(|prototype| prototype.behaviours.iter().any(minds))
    {
        schedule_act(turn, creature);
    }
}

/// Returns `true` if a player is a valid target: in the creature's room, not incapacitated and not just revived.
pub(crate) fn is_prey(turn: &Turn, creature: CharacterId, player: CharacterId) -> bool {
    let room = turn.world.characters[creature].room;
    turn.world.characters.get(player).is_some_and(|body| body.room == room && is_vulnerable(turn, body))
}

fn is_vulnerable(turn: &Turn, body: &Character) -> bool {
    let is_safe = body.safe_until.is_some_and(|until| until > turn.now);
    body.is_player() && body.awake && body.posture != Posture::Down && !is_safe
}

/// Returns the valid targets in a creature's room, in order of arrival.
pub(crate) fn prey_of(turn: &Turn, creature: CharacterId) -> Vec<CharacterId> {
    let room = turn.world.characters[creature].room;
    if !turn.world.rooms[room].is_deadly() {
        return Vec::new();
    }
    turn.world.occupants(room).iter().copied().filter(|other| is_prey(turn, creature, *other)).collect()
}

/// Returns the players in a room who could be attacked there, in order of arrival.
pub(crate) fn prey_in(turn: &Turn, room: RoomId) -> impl Iterator<Item = CharacterId> {
    let occupants = turn.world.occupants(room).iter().copied();
    occupants.filter(|who| is_vulnerable(turn, &turn.world.characters[*who]))
}

/// Moves a creature through an exit unless it is held or fighting. Returns `true` if the creature left the room.
pub(crate) fn go(turn: &mut Turn, creature: CharacterId, exit: ExitId) -> bool {
    let body = &turn.world.characters[creature];
    if body.target.is_some() || stats::is_held(turn, creature) {
        return false;
    }
    let from = body.room;
    movement::pass(turn, creature, exit).is_ok()
        && turn.world.characters.get(creature).is_none_or(|body| body.room != from)
}

/// Moves a creature through a random usable exit.
pub(crate) fn go_anywhere(turn: &mut Turn, creature: CharacterId) -> bool {
    let ways: Vec<ExitId> =
        pathfinding::ways(turn, turn.world.characters[creature].room).map(|(exit, _)| exit).collect();
    let way = turn.dice.roam.pick(&ways).copied();
    way.is_some_and(|way| go(turn, creature, way))
}

/// Schedules the creature's next action in one round.
pub(crate) fn schedule_act(turn: &mut Turn, creature: CharacterId) {
    let due = turn.now + turn.config.round;
    if turn.minds.begin(creature, due) {
        turn.timers.schedule(due, Timer::Act(creature));
    }
}

pub(crate) fn prey_of_living(turn: &Turn, creature: CharacterId) -> Vec<CharacterId> {
    if turn.world.characters.get(creature).is_some() { prey_of(turn, creature) } else { Vec::new() }
}

//! Default moods of creatures: roaming, idle or on guard.

use crate::turn::{Turn, prototypes};
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::{Behaviour, CreaturePrototype};
use deepwell_core::world::{Mood, Posture};

/// Sets the initial mood of a new creature, asleep if it has the sleep behaviour.
pub(crate) fn begin_life(turn: &mut Turn, creature: CharacterId) {
    let sleeps = |b: &Behaviour| matches!(b, Behaviour::Sleep { .. });
    if prototypes::creature_prototype(turn, creature)
        .is_some_and(|prototype| prototype.behaviours.iter().any(sleeps))
    {
        turn.world.characters.change(creature, |body| body.posture = Posture::Asleep);
    }
    settle(turn, creature);
}

/// Resets a creature to the mood it has while undisturbed.
pub(crate) fn settle(turn: &mut Turn, creature: CharacterId) {
    let mood = if may_roam(turn, creature) { Mood::Roaming } else { Mood::Idle };
    set_mood(turn, creature, mood);
}

pub(crate) fn set_mood(turn: &mut Turn, creature: CharacterId, mood: Mood) {
    if turn.world.characters.get(creature).is_some_and(|body| body.mood != mood) {
        turn.world.characters.change(creature, |body| body.mood = mood);
    }
}

/// Returns `true` if a creature guards its home room and does not leave it.
pub(crate) fn on_guard(turn: &Turn, creature: CharacterId) -> bool {
    let Some(body) = turn.world.characters.get(creature) else { return false };
    let posted = body.home == body.room && !turn.world.rooms[body.room].clear;
    posted && prototypes::creature_prototype(turn, creature).is_some_and(CreaturePrototype::guards)
}

/// Returns `true` if a creature may move between rooms.
pub(crate) fn may_roam(turn: &Turn, creature: CharacterId) -> bool {
    let flees = |b: &Behaviour| matches!(b, Behaviour::Flee { .. });
    // A guard that flees leaves a fight and then returns home.
    let moves = |creature: &CreaturePrototype| {
        creature.roams() || (!creature.guards() && creature.behaviours.iter().any(flees))
    };
    prototypes::creature_prototype(turn, creature).is_some_and(moves) && !on_guard(turn, creature)
}

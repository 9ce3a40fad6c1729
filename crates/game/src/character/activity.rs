//! Default moods of creatures: roaming, idle or on guard.

use crate::turn::{Turn, prototypes};
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::{Behaviour, MobPrototype};
use deepwell_core::world::{Mood, Posture};

/// Sets the initial mood of a new creature, asleep if it has the sleep behaviour.
pub(crate) fn begin_life(turn: &mut Turn, mob: CharacterId) {
    let sleeps = |b: &Behaviour| matches!(b, Behaviour::Sleep { .. });
    if prototypes::mob_prototype(turn, mob).is_some_and(|prototype| prototype.behaviours.iter().any(sleeps)) {
        turn.world.characters.change(mob, |body| body.posture = Posture::Asleep);
    }
    settle(turn, mob);
}

/// Resets a creature to the mood it has while undisturbed.
pub(crate) fn settle(turn: &mut Turn, mob: CharacterId) {
    let mood = if may_roam(turn, mob) { Mood::Roaming } else { Mood::Idle };
    set_mood(turn, mob, mood);
}

pub(crate) fn set_mood(turn: &mut Turn, mob: CharacterId, mood: Mood) {
    if turn.world.characters.get(mob).is_some_and(|body| body.mood != mood) {
        turn.world.characters.change(mob, |body| body.mood = mood);
    }
}

/// Returns `true` if a creature guards its home room and does not leave it.
pub(crate) fn on_guard(turn: &Turn, mob: CharacterId) -> bool {
    let Some(body) = turn.world.characters.get(mob) else { return false };
    let posted = body.home == body.room && !turn.world.rooms[body.room].clear;
    posted && prototypes::mob_prototype(turn, mob).is_some_and(MobPrototype::guards)
}

/// Returns `true` if a creature may move between rooms.
pub(crate) fn may_roam(turn: &Turn, mob: CharacterId) -> bool {
    let flees = |b: &Behaviour| matches!(b, Behaviour::Flee { .. });
    // A guard that flees leaves a fight and then returns home.
    let moves = |mob: &MobPrototype| mob.roams() || (!mob.guards() && mob.behaviours.iter().any(flees));
    prototypes::mob_prototype(turn, mob).is_some_and(moves) && !on_guard(turn, mob)
}

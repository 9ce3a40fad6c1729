//! What a creature is about when nobody disturbs it, and whether it may leave its post.

use crate::base::CharacterId;
use crate::catalog::{Behaviour, MobPrototype};
use crate::game::prototypes;
use crate::game::turn::Turn;
use crate::world::{Mood, Posture};

/// How a new creature begins: asleep if that is its way, else as it would be if nobody disturbed it.
pub(crate) fn begin_life(turn: &mut Turn, mob: CharacterId) {
    let sleeps = |b: &Behaviour| matches!(b, Behaviour::Sleep { .. });
    if prototypes::mob_prototype(turn, mob).is_some_and(|prototype| prototype.behaviours.iter().any(sleeps)) {
        turn.world.characters.change(mob, |body| body.posture = Posture::Asleep);
    }
    settle(turn, mob);
}

/// Gives a creature the mood of one whom nobody disturbs.
pub(crate) fn settle(turn: &mut Turn, mob: CharacterId) {
    let mood = if may_roam(turn, mob) { Mood::Roaming } else { Mood::Idle };
    set_mood(turn, mob, mood);
}

pub(crate) fn set_mood(turn: &mut Turn, mob: CharacterId, mood: Mood) {
    if turn.world.characters.get(mob).is_some_and(|body| body.mood != mood) {
        turn.world.characters.change(mob, |body| body.mood = mood);
    }
}

/// Whether a creature holds a post that it does not leave.
pub(crate) fn on_guard(turn: &Turn, mob: CharacterId) -> bool {
    let Some(body) = turn.world.characters.get(mob) else { return false };
    let posted = body.home == body.room && !turn.world.rooms[body.room].clear;
    posted && prototypes::mob_prototype(turn, mob).is_some_and(MobPrototype::guards)
}

/// Whether a creature moves between rooms just now.
pub(crate) fn may_roam(turn: &Turn, mob: CharacterId) -> bool {
    let flees = |b: &Behaviour| matches!(b, Behaviour::Flee { .. });
    // A guard that flees does so out of a fight, and then goes home.
    let moves = |mob: &MobPrototype| mob.roams() || (!mob.guards() && mob.behaviours.iter().any(flees));
    prototypes::mob_prototype(turn, mob).is_some_and(moves) && !on_guard(turn, mob)
}

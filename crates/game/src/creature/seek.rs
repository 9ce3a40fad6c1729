//! Behaviour `seek`: with a given chance one step along a shortest path to the nearest player, otherwise a random exit.

use crate::character::activity;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::exit::pathfinding;
use crate::exit::pathfinding::PlayerDistances;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::Behaviour;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "seek",
    on_tick: |turn, mob, behaviour, scent| {
        let Behaviour::Seek { percent } = *behaviour else { return false };
        activity::may_roam(turn, mob) && seek(turn, mob, percent, scent)
    },
    ..PASSIVE
};

fn seek(turn: &mut Turn, mob: CharacterId, percent: u32, scent: &PlayerDistances) -> bool {
    if !turn.dice.roam.percent(percent) {
        return mind::go_anywhere(turn, mob);
    }
    match scent.steps(turn.world.characters[mob].room) {
        // A player is in the same room.
        Some(0) => false,
        Some(_) => step_nearer(turn, mob, scent).is_some_and(|exit| mind::go(turn, mob, exit)),
        None => mind::go_anywhere(turn, mob),
    }
}

/// Returns the first exit of a shortest path to a player, picked at random if there are several.
fn step_nearer(turn: &mut Turn, mob: CharacterId, scent: &PlayerDistances) -> Option<ExitId> {
    let room = turn.world.characters[mob].room;
    let here = scent.steps(room)?;
    let nearer = |to| scent.steps(to).is_some_and(|steps| steps < here);
    let ways: Vec<ExitId> =
        pathfinding::ways(turn, room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
    turn.dice.roam.pick(&ways).copied()
}

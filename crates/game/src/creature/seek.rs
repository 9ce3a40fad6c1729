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
    on_tick: |turn, creature, behaviour, scent| {
        let Behaviour::Seek { percent } = *behaviour else { return false };
        activity::may_roam(turn, creature) && seek(turn, creature, percent, scent)
    },
    ..PASSIVE
};

fn seek(turn: &mut Turn, creature: CharacterId, percent: u32, scent: &PlayerDistances) -> bool {
    if !turn.dice.roam.percent(percent) {
        return mind::go_anywhere(turn, creature);
    }
    match scent.steps(turn.world.characters[creature].room) {
        // A player is in the same room.
        Some(0) => false,
        Some(_) => step_nearer(turn, creature, scent).is_some_and(|exit| mind::go(turn, creature, exit)),
        None => mind::go_anywhere(turn, creature),
    }
}

/// Returns the first exit of a shortest path to a player, picked at random if there are several.
fn step_nearer(turn: &mut Turn, creature: CharacterId, scent: &PlayerDistances) -> Option<ExitId> {
    let room = turn.world.characters[creature].room;
    let here = scent.steps(room)?;
    let nearer = |to| scent.steps(to).is_some_and(|steps| steps < here);
    let ways: Vec<ExitId> =
        pathfinding::ways(turn, room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
    turn.dice.roam.pick(&ways).copied()
}

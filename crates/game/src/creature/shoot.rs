//! Behaviour `shoot`: sometimes shoots at a player in a room straight ahead. Also the reaction of a creature that was
//! shot at: it charges one round later.

use crate::attack::shot;
use crate::character::{activity, stats};
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::exit::pathfinding;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, Direction};
use deepwell_core::catalog::Behaviour;
use deepwell_core::world::Mood;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "shoot",
    on_tick: |turn, creature, behaviour, _| shoot(turn, creature, behaviour),
    ..PASSIVE
};

/// Looks in the four directions for a player to shoot at. Players in its own room prevent shooting.
fn shoot(turn: &mut Turn, creature: CharacterId, behaviour: &Behaviour) -> bool {
    let Behaviour::Shoot { rooms, percent, damage_percent, missile } = behaviour else { return false };
    if !stats::can_strike(turn, creature) || !mind::prey_of(turn, creature).is_empty() {
        return false;
    }
    let room = turn.world.characters[creature].room;
    let seen = Direction::PLANE.into_iter().find_map(|direction| {
        let line = pathfinding::straight(turn, room, direction, *rooms);
        line.into_iter().find_map(|at| mind::prey_in(turn, at).next()).map(|player| (direction, player))
    });
    let Some((direction, player)) = seen else { return false };
    if !turn.dice.roam.percent(*percent) {
        return false;
    }
    shot::shoot(turn, creature, player, direction, *damage_percent, missile);
    true
}

/// Makes a creature that was shot at from another room charge along the line of the shot, if it can.
pub(crate) fn answer_shot(turn: &mut Turn, creature: CharacterId, direction: Direction) {
    if mind::is_at_leisure(turn, creature) && !stats::is_held(turn, creature) {
        activity::set_mood(turn, creature, Mood::Charging(direction));
        mind::schedule_act(turn, creature);
    }
}

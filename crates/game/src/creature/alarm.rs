//! Behaviour `call_for_help`: a hurt creature calls its kind from adjacent rooms.

use crate::attack;
use crate::character::{activity, stats};
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::Behaviour;
use deepwell_core::text::Markup;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "call_for_help",
    on_round: |turn, creature, behaviour| raise_alarm(turn, creature, behaviour),
    ..PASSIVE
};

/// Calls for help if a free creature of the same kind is in an adjacent room. The call takes the creature's turn.
fn raise_alarm(turn: &mut Turn, creature: CharacterId, behaviour: &Behaviour) -> bool {
    let Behaviour::CallForHelp { percent, line } = behaviour else { return false };
    let Some(foe) = turn.world.characters[creature].target else { return false };
    if stats::hp(turn, creature) >= stats::max_hp_of(turn, creature) {
        return false;
    }
    let kin = kin_next_door(turn, creature);
    if kin.is_empty() || !turn.dice.roam.percent(*percent) {
        return false;
    }
    let room = turn.world.characters[creature].room;
    tell::tell_room(turn, room, &[], Class::Combat, Markup::plain(line));
    for (helper, exit) in kin {
        let came = mind::is_at_leisure(turn, helper) && mind::go(turn, helper, exit);
        let free = came && mind::is_at_leisure(turn, helper) && turn.world.characters[helper].room == room;
        if free && mind::is_prey(turn, helper, foe) {
            attack::engage(turn, helper, foe);
        }
    }
    true
}

/// Returns the creatures of the same kind in adjacent rooms that are free to help, each with the exit towards the
/// caller.
fn kin_next_door(turn: &Turn, creature: CharacterId) -> Vec<(CharacterId, ExitId)> {
    let body = &turn.world.characters[creature];
    let mut kin = Vec::new();
    for near in pathfinding::rooms_near(turn, body.room, 1) {
        let Some((exit, _)) = pathfinding::way_towards(turn, near.room, near.towards) else { continue };
        for other in turn.world.occupants(near.room) {
            let alike = turn.world.characters[*other].prototype == body.prototype;
            if alike
                && mind::is_at_leisure(turn, *other)
                && !activity::on_guard(turn, *other)
                && !stats::is_stunned(turn, *other)
            {
                kin.push((*other, exit));
            }
        }
    }
    kin
}

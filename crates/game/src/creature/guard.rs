//! Behaviour `guard`: a guard stays in its room and blocks its exits until the room is clear. A guard that fled has
//! left its post; it walks home when its flee state ends.

use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::exit::pathfinding;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::CreaturePrototype;

pub(super) const KIND: BehaviourKind =
    BehaviourKind { name: "guard", on_tick: |turn, creature, _, _| go_home(turn, creature), ..PASSIVE };

/// Takes one step towards the home room, for guards that do not roam.
fn go_home(turn: &mut Turn, creature: CharacterId) -> bool {
    let body = &turn.world.characters[creature];
    let (room, home) = (body.room, body.home);
    if room == home || prototypes::creature_prototype(turn, creature).is_none_or(CreaturePrototype::roams) {
        return false;
    }
    if turn.world.rooms.get(home).is_none_or(|row| row.branch != turn.world.rooms[room].branch) {
        return false;
    }
    let steps = pathfinding::distances_to(turn, std::iter::once(home));
    let Some(here) = steps.get(&room) else { return mind::go_anywhere(turn, creature) };
    let nearer = |to| steps.get(&to).is_some_and(|steps| steps < here);
    let ways: Vec<ExitId> =
        pathfinding::ways(turn, room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
    let way = turn.dice.roam.pick(&ways).copied();
    way.is_some_and(|way| mind::go(turn, creature, way))
}

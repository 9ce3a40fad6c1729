//! Behaviour `guard`: a guard stays in its room and blocks its exits until the room is clear. A guard that fled has
//! left its post; it walks home when its flee state ends.

use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use crate::exit::pathfinding;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, ExitId};
use deepwell_core::catalog::MobPrototype;

pub(super) const KIND: BehaviourKind =
    BehaviourKind { name: "guard", on_tick: |turn, mob, _, _| go_home(turn, mob), ..PASSIVE };

/// Takes one step towards the home room, for guards that do not roam.
fn go_home(turn: &mut Turn, mob: CharacterId) -> bool {
    let body = &turn.world.characters[mob];
    let (room, home) = (body.room, body.home);
    if room == home || prototypes::mob_prototype(turn, mob).is_none_or(MobPrototype::roams) {
        return false;
    }
    if turn.world.rooms.get(home).is_none_or(|row| row.branch != turn.world.rooms[room].branch) {
        return false;
    }
    let steps = pathfinding::distances_to(turn, std::iter::once(home));
    let Some(here) = steps.get(&room) else { return mind::go_anywhere(turn, mob) };
    let nearer = |to| steps.get(&to).is_some_and(|steps| steps < here);
    let ways: Vec<ExitId> =
        pathfinding::ways(turn, room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
    let way = turn.dice.roam.pick(&ways).copied();
    way.is_some_and(|way| mind::go(turn, mob, way))
}

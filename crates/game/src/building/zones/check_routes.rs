//! Check of the patrols and schedules of creatures: goals that do not exist, and goals that no path leads to.

use crate::creature::route;
use crate::exit::pathfinding::{self, ClosedDoors};
use crate::state::sweeps::Severity;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::CreatureRoute;
use deepwell_core::text::nearest;
use deepwell_core::world::{Room, Spawned};

/// Returns the problems of the routes of the creatures that come to a room.
pub(super) fn route_problems(turn: &Turn, room: &Room) -> Vec<(Severity, String)> {
    let mut amiss = Vec::new();
    for rule in &room.spawns {
        let Spawned::Creature(key) = &rule.what else { continue };
        let of_kind = || turn.catalog.creatures.get(key).map(|creature| &creature.route);
        let route = Some(&rule.route).filter(|route| !route.is_empty()).or_else(of_kind);
        if let Some(route) = route {
            check_route(turn, room, key, route, &mut amiss);
        }
    }
    amiss
}

fn check_route(
    turn: &Turn,
    home: &Room,
    key: &str,
    route: &CreatureRoute,
    amiss: &mut Vec<(Severity, String)>,
) {
    let mut from: RoomId = home.id;
    for name in route.rooms() {
        let Some(goal) = route::room_named(turn, home.id, name) else {
            let known = turn.world.rooms.of_zone(&home.area).map(|room| turn.world.rooms[room].zone_key());
            let known: Vec<String> = known.collect();
            let meant = nearest(name, known.iter().map(String::as_str));
            let meant = meant.map_or_else(String::new, |meant| format!(" Did you mean {meant}?"));
            amiss.push((Severity::Mistake, format!("{key} is to walk to {name}, which is no room.{meant}")));
            continue;
        };
        let most = turn.catalog.rules.roaming.route_rooms;
        if pathfinding::built_path(turn, from, goal, most, ClosedDoors::Open).is_none() {
            let start = &turn.world.rooms[from].sheet.name;
            let message = format!("{key} cannot walk from {start} to {name}: no path leads there.");
            amiss.push((Severity::Doubt, message));
        }
        from = goal;
    }
}

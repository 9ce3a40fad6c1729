//! The hand-built world as a map file for clients (`Client.Map`): permanent rooms with the numbers, coordinates and
//! names that `Room.Info` sends. Rooms of branches are left out because they are temporary.

use crate::turn::Turn;
use deepwell_core::world::{Exit, Room};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the map in the XML of the Mudlet Mapping Project: areas, environments, and rooms with their exits.
pub(crate) fn atlas(turn: &Turn) -> String {
    let rooms: Vec<&Room> =
        turn.world.rooms.iter().map(|(_, room)| room).filter(|room| room.branch.is_none()).collect();
    let areas = numbered(rooms.iter().map(|room| room.area.as_str()));
    let environments = numbered(rooms.iter().map(|room| room.sheet.environment.as_str()));
    let mut map = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map>\n  <areas>\n");
    for (name, number) in &areas {
        let _ = writeln!(map, "    <area id=\"{number}\" name=\"{}\"/>", escaped(name));
    }
    map.push_str("  </areas>\n  <rooms>\n");
    for room in rooms {
        let (area, environment) = (areas[room.area.as_str()], environments[room.sheet.environment.as_str()]);
        let _ = writeln!(
            map,
            "    <room id=\"{}\" area=\"{area}\" title=\"{}\" environment=\"{environment}\">\n      \
             <coord x=\"{}\" y=\"{}\" z=\"{}\"/>",
            room.id,
            escaped(&room.sheet.name),
            room.at.x,
            room.at.y,
            room.height()
        );
        turn.world
            .exits
            .of(room.id)
            .filter(|exit| !exit.hidden)
            .for_each(|exit| draw_exit(turn, exit, &mut map));
        map.push_str("    </room>\n");
    }
    map.push_str("  </rooms>\n  <environments>\n");
    for (name, number) in &environments {
        let _ =
            writeln!(map, "    <environment id=\"{number}\" name=\"{}\" color=\"{number}\"/>", escaped(name));
    }
    map.push_str("  </environments>\n</map>\n");
    map
}

/// Writes an exit that leads to a permanent room.
fn draw_exit(turn: &Turn, exit: &Exit, map: &mut String) {
    let Some(to) = exit.to.filter(|to| turn.world.rooms.get(*to).is_some_and(|room| room.branch.is_none()))
    else {
        return;
    };
    let name = exit.direction.map_or(exit.name.as_str(), |direction| direction.name());
    let _ = writeln!(map, "      <exit direction=\"{}\" target=\"{to}\"/>", escaped(name));
}

/// Numbers distinct names from 1, in alphabetical order.
fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut numbers: BTreeMap<&str, usize> = names.map(|name| (name, 0)).collect();
    for (number, place) in (1..).zip(numbers.values_mut()) {
        *place = number;
    }
    numbers
}

/// Escapes text for an XML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

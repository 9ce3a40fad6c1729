//! Hints in rooms about other rooms of the branch. The text is generated from the current state each time it is read,
//! so it is never out of date.

use crate::exit::pathfinding;
use crate::turn::Turn;
use deepwell_core::base::{Point, RoomId};
use deepwell_core::world::{ExitKind, Room, RoomFeature, RoomKind};

/// Returns the hint in a room about the nearest goal. `None` if there is no goal on explored ground, or the room has no
/// hint.
pub(crate) fn clue(turn: &Turn, room: RoomId) -> Option<String> {
    let here = &turn.world.rooms[room];
    if here.sheet.kind != RoomKind::Hint {
        return None;
    }
    let near = pathfinding::rooms_near(turn, room, turn.catalog.rules.places.clue_rooms);
    let (there, what) = near.iter().find_map(|near| {
        let there = &turn.world.rooms[near.room];
        Some((there, hint_for(turn, there)?))
    })?;
    let (way, depth) = (bearing(here.at, there.at), there.depth);
    Some(format!("An arrow of chalk points {way}, and beside it stands: 'Depth {depth}. {what}.'"))
}

/// Returns the hint text for a room that is still a goal, or `None`.
fn hint_for(turn: &Turn, room: &Room) -> Option<&'static str> {
    let answer = match room.challenge.feature {
        Some(RoomFeature::Gate { .. }) => Some("A gate, and a puzzle behind it that nobody has solved"),
        Some(RoomFeature::Captive { .. }) => Some("Somebody is held there. I went for help"),
        Some(RoomFeature::Coffer { .. }) => Some("A coffer, and I have no key"),
        Some(RoomFeature::Grave { .. }) => Some("A grave. I do not open graves. You might"),
        Some(RoomFeature::Riddle { .. }) => Some("A face that pays for the right answer"),
        Some(RoomFeature::Portcullis { .. }) => Some("A portcullis that is still down"),
        Some(RoomFeature::Shrine { .. } | RoomFeature::Landmark { .. }) | None => None,
    };
    let hoard = room.sheet.kind == RoomKind::Treasure && !room.clear;
    let stairs = || {
        let leads_down = |exit: &deepwell_core::world::Exit| {
            exit.kind == ExitKind::Stairs && exit.direction == Some(deepwell_core::base::Direction::Down)
        };
        turn.world.exits.of(room.id).any(leads_down)
    };
    answer.or(hoard.then_some("A hoard, and what sits on it")).or_else(|| stairs().then_some("Stairs down"))
}

/// Returns the direction from one point to another in words.
fn bearing(from: Point, to: Point) -> String {
    let (east, north) = (to.x.cmp(&from.x), to.y.cmp(&from.y));
    let part = |order: std::cmp::Ordering, more, less| match order {
        std::cmp::Ordering::Greater => more,
        std::cmp::Ordering::Less => less,
        std::cmp::Ordering::Equal => "",
    };
    let (north, east) = (part(north, "north", "south"), part(east, "east", "west"));
    match (north.is_empty(), east.is_empty()) {
        (true, true) => "at itself".into(),
        (false, false) => format!("{north} and {east}"),
        _ => format!("{north}{east}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E27: directions are as on the map: y grows to the north.
    #[test]
    fn e27_bearings_follow_the_map() {
        let from = Point::new(1, 1);
        for (to, directions) in
            [((1, 4), "north"), ((0, 1), "west"), ((3, -1), "south and east"), ((0, 2), "north and west")]
        {
            assert_eq!(bearing(from, Point::new(to.0, to.1)), directions);
        }
        assert_eq!(bearing(from, from.step(deepwell_core::base::Direction::North)), "north");
    }
}

//! Coordinates of hand-built rooms: unique, and independent of the digging method and the age of the world.

use crate::table::{Table, changed_content, seeded};
use deepwell::base::Coordinates;
use deepwell::world::{Room, World};
use std::collections::BTreeMap;

/// Returns the coordinates of hand-built rooms by name, after checking that they are unique.
fn places(world: &World) -> BTreeMap<String, Coordinates> {
    let rooms =
        world.rooms.iter().filter_map(|(_, room)| Some((room.sheet.name.clone(), room.coordinates()?)));
    let places: BTreeMap<String, Coordinates> = rooms.collect();
    let mut taken: Vec<Coordinates> = places.values().copied().collect();
    taken.sort_unstable();
    assert!(taken.windows(2).all(|two| two[0] != two[1]), "{places:?}");
    places
}

const fn at(x: i32, y: i32, z: i32) -> Coordinates {
    Coordinates { z, at: deepwell::base::Point::new(x, y) }
}

/// Olad (owner) in the square.
fn builder() -> Table {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.make_owner("Olad");
    table
}

/// The room below the town has the height below it, also in map data.
#[test]
fn town_rooms_have_heights() {
    let mut table = builder();
    let places = places(table.world());
    assert_eq!((places["Well Square"], places["Bottom of the Well"]), (at(0, 0, 0), at(0, 0, -1)));
    table.charts("Olad");
    table.types("Olad", "down");
    let room = table.charted("Olad").pop().expect("a room");
    assert_eq!((room.coords.as_str(), room.coord.z), ("0,0,0,-1", -1));
    assert!(table.types("Olad", "examine here").contains("at (0,0), height -1"));
    assert!(table.game().atlas().contains("<coord x=\"0\" y=\"0\" z=\"-1\"/>"));
}

/// A room dug in a direction gets the next free place in that direction; without a direction, a free place near by.
#[test]
fn dig_picks_nearest_free_coordinates() {
    let mut table = builder();
    table.types("Olad", "north");
    let lodge = table.room("Olad").coordinates().expect("a place");
    for line in [
        "dig Attic = up, down",
        "dig Cupboard = door, out",
        "dig Shed = hatch, out",
        "dig Yard House = east, west",
    ] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("You dig "), "{line}: {answer}");
    }
    let found = places(table.world());
    assert_eq!(found["Attic"], at(lodge.at.x, lodge.at.y, 1));
    assert_eq!(found["Yard House"].at.y, lodge.at.y);
    assert!(found["Yard House"].at.x > lodge.at.x);
    let near = |name: &str| found[name].at.x.abs_diff(lodge.at.x) + found[name].at.y.abs_diff(lodge.at.y);
    assert!(near("Cupboard") <= 4 && near("Shed") <= 4, "{found:?}");
    // An occupied place is skipped in favour of the next free one.
    table.types_all(
        "Olad",
        &["up", "dig Ridge = north, south", "north", "dig Loft = south roof, back", "north"],
    );
    places(table.world());
}

/// In a world stored before rooms had a height, rooms that share a place are moved according to their exits.
#[test]
fn older_world_with_shared_coordinates_is_repaired() {
    let mut table = builder();
    table.types_all("Olad", &["dig Nook = door, out", "dig Niche = gate, out"]);
    table.edit_stored(|stored| {
        let built = stored.rooms.values_mut().filter(|room: &&mut Room| room.branch.is_none());
        for room in built {
            room.z = 0;
            if ["Nook", "Niche"].contains(&room.sheet.name.as_str()) {
                room.at = deepwell::base::Point::ORIGIN;
            }
        }
    });
    let found = places(table.world());
    assert_eq!((found["Well Square"], found["Bottom of the Well"]), (at(0, 0, 0), at(0, 0, -1)));
    table.restart();
    assert_eq!(places(table.world()), found, "once is enough");
}

/// An area that would overlap another is moved beside it as a whole.
#[test]
fn overlapping_areas_are_moved_apart() {
    let text = "[[rooms]]\nkey = \"pier\"\nname = \"Pier\"\nenvironment = \"wood\"\ndescription = \"Planks.\"\n\
                exits = [{ name = \"north\", to = \"boat\" }, { name = \"plank\", to = \"raft\" }]\n\
                [[rooms]]\nkey = \"boat\"\nname = \"Boat\"\nenvironment = \"wood\"\ndescription = \"It rocks.\"\n\
                exits = [{ name = \"south\", to = \"pier\" }]\n\
                [[rooms]]\nkey = \"raft\"\nname = \"Raft\"\nenvironment = \"wood\"\ndescription = \"It sinks.\"\n\
                exits = [{ name = \"plank\", to = \"pier\" }]\n";
    let table = Table::with_content(seeded(1), &changed_content(&[("areas/aharbour.toml", text)]));
    let found = places(table.world());
    assert_eq!(
        found["Boat"],
        Coordinates { at: found["Pier"].at.step(deepwell::base::Direction::North), ..found["Pier"] }
    );
}

/// The town map shows room names near by; lower rooms are on another map.
#[test]
fn town_map_shows_the_level_of_the_player() {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    let drawn = table.types("Olad", "map");
    let picture: Vec<_> = drawn.lines().take_while(|line| !line.ends_with('.')).collect();
    assert_eq!(picture, ["o---o", "    |", "o---@---o", "|   |   |", "o   d   o"], "{drawn}");
    assert!(drawn.contains("@ is you.") && drawn.contains("d is a room with a way down."), "{drawn}");
    assert!(drawn.contains("One step north, Climbers' Lodge."), "{drawn}");
    assert!(!drawn.contains("Bottom of the Well"), "{drawn}");
    let overview = table.types("Olad", "map words");
    assert!(overview.starts_with("You are in Well Square.\n"), "{overview}");
    assert!(overview.contains("One step west: Chandler's Shop."), "{overview}");
    table.types("Olad", "down");
    assert!(
        table.types("Olad", "map").contains("? is a place that has not been seen yet."),
        "its openings are on the map"
    );
}

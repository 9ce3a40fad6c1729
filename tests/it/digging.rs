//! Builders who dig by walking.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Direction;
use deepwell::game::Package;
use deepwell::world::Room;

/// What is told where no exit leads.
const NO_WAY: &str = "You can't go that way.";

fn leads(table: &Table, name: &str, direction: Direction) -> Option<Room> {
    let to = table.exit(name, direction)?.to?;
    Some(table.world().rooms[to].clone())
}

/// A step where no exit leads makes a room like the one that was named, with the way back, and goes into it.
#[test]
fn steps_dig_rooms_like_another() {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "detail flour = It has a taste of iron.");
    let floor = shop.table.room("Olad").clone();
    assert!(shop.types("Olad", "dig --walk here").contains("a room like Mill Floor"));
    let told = shop.types("Olad", "west");
    assert!(
        told.contains("You dig Mill Floor, room ") && told.contains("Flour lies on everything"),
        "{told}"
    );
    let dug = shop.table.room("Olad").clone();
    assert_ne!(dug.id, floor.id);
    assert_eq!(
        (&dug.name, &dug.description, &dug.details),
        (&floor.name, &floor.description, &floor.details)
    );
    assert_eq!((dug.kind, &dug.environment, &dug.area), (floor.kind, &floor.environment, &floor.area));
    assert_ne!(dug.key, floor.key, "it has a key of its own");
    assert_eq!(leads(&shop.table, "Olad", Direction::East).map(|room| room.id), Some(floor.id));
    shop.types("Olad", "go north");
    shop.types("Olad", "e");
    let north = shop.table.body("Olad").room;
    assert!(
        shop.types("Olad", "south").contains("You open the way south to Mill Floor"),
        "round to the beginning"
    );
    assert_eq!(shop.table.body("Olad").room, floor.id);
    assert_eq!(leads(&shop.table, "Olad", Direction::North).map(|room| room.id), Some(north));
    shop.types("Olad", "north");
    assert_eq!(shop.table.body("Olad").room, north, "where an exit leads, a step is a step");
}

/// Without another room it is a bare one; the prompt, and the word alone, tell whether steps dig.
#[test]
fn one_is_told_whether_steps_dig() {
    let mut shop = Workshop::with_mill();
    assert!(!shop.table.prompt("Olad").digging);
    assert!(shop.types("Olad", "dig --walk off").contains("Your steps dig nothing."));
    assert!(shop.types("Olad", "dig --walk").contains("a bare room"));
    assert!(shop.table.prompt("Olad").digging);
    shop.types("Olad", "west");
    assert_eq!(shop.table.room("Olad").name, "Bare Room");
    shop.types("Olad", "dig --walk mill");
    assert!(shop.types("Olad", "dig --walk").contains("like Mill Floor"), "asking changes nothing");
    assert!(shop.types("Olad", "dig --walk nowhere").contains("There is no"));
    assert!(shop.types("Olad", "dig --walk off").contains("dig no longer"));
    assert!(!shop.table.prompt("Olad").digging);
    assert!(shop.types("Olad", "west").contains(NO_WAY));
}

/// Each step is in the journal by itself, and is taken back and done again, also after a restart.
#[test]
fn what_steps_dig_is_taken_back() {
    let mut shop = Workshop::with_mill();
    let rooms = |shop: &Workshop| shop.table.world().built_rooms().count();
    let before = rooms(&shop);
    for line in ["dig --walk", "west", "west"] {
        shop.types("Olad", line);
    }
    assert_eq!(rooms(&shop), before + 2);
    assert!(shop.types("Olad", "journal me").contains("dig --walk west"));
    shop.table.restart();
    for left in [1, 0] {
        shop.types("Olad", "undo");
        assert_eq!(rooms(&shop), before + left);
    }
    shop.types("Olad", "redo");
    shop.types("Olad", "redo");
    assert_eq!(rooms(&shop), before + 2);
}

/// Nobody digs below, in a zone of others, in a fight, without the rank, or after a restart.
#[test]
fn steps_dig_only_where_one_may_build() {
    let mut shop = Workshop::with_mill();
    shop.table.sit("Bera");
    shop.types("Olad", "promote bera builder");
    let rooms = |shop: &Workshop| shop.table.world().built_rooms().count();
    for line in ["dig --walk", "north"] {
        shop.types("Bera", line);
    }
    shop.types("Bera", "goto mill");
    let before = rooms(&shop);
    assert!(shop.types("Bera", "dig --walk").contains("Not here: "));
    assert!(shop.types("Bera", "west").contains(NO_WAY), "the mill is Olad's");
    shop.types("Olad", "zone add bera");
    shop.types("Bera", "west");
    assert_eq!(rooms(&shop), before + 1, "now it is hers, too");
    shop.types("Olad", "promote bera player");
    shop.types("Olad", "promote bera builder");
    assert!(shop.types("Bera", "west").contains(NO_WAY), "a change of rank ends it");
    for line in ["dig --walk", "quell", "quell"] {
        shop.types("Bera", line);
    }
    assert!(shop.types("Bera", "west").contains(NO_WAY), "so does laying it down");
    shop.types("Bera", "dig --walk");
    shop.table.restart();
    assert!(shop.types("Bera", "west").contains(NO_WAY), "and a restart");
    for line in ["dig --walk", "goto wheel pit", "north"] {
        shop.types("Olad", line);
    }
    assert!(shop.table.branch_of("Olad").is_some());
    let (before, branch_rooms) = (rooms(&shop), shop.table.world().rooms.len());
    for direction in Direction::ALL {
        if shop.table.exit("Olad", direction).is_none() {
            shop.types("Olad", direction.name());
        }
    }
    assert_eq!(
        (rooms(&shop), shop.table.world().rooms.len()),
        (before, branch_rooms),
        "below nothing is dug"
    );
}

/// The room that others are to be like may go; then nothing is dug until another is named.
#[test]
fn the_room_that_others_are_like_may_go() {
    let mut shop = Workshop::with_mill();
    for line in ["dig --walk mill loft", "destroy mill loft"] {
        shop.types("Olad", line);
    }
    assert!(shop.types("Olad", "west").contains("is gone: type dig --walk"));
    assert_eq!(shop.table.room("Olad").name, "Mill Floor");
}

/// Whoever stands in a room is told by their client's map what others build there.
#[test]
fn clients_are_told_of_what_is_built_around_them() {
    let mut table = Table::new(seeded(5));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.crown("Olad");
    table.wants("Bera", [Package::Room]);
    table.news("Bera", "Room.Info");
    for (line, exits) in
        [("dig Cellar = hatch, out", 1), ("link hatch = lodge", 1), ("destroy hatch", 0), ("undo", 1)]
    {
        table.types("Olad", line);
        let told = table.news("Bera", "Room.Info");
        let room = told.last().unwrap_or_else(|| panic!("{line}: nothing"));
        let there = room["exits"].as_object().expect("exits").keys().filter(|exit| *exit == "hatch").count();
        assert_eq!(there, exits, "{line}: {room}");
    }
}

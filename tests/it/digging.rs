//! `dig --walk`: building rooms by walking.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Direction;
use deepwell::game::{GameConfig, Package};
use deepwell::world::Room;

/// Message for a direction without an exit.
const NO_EXIT: &str = "You can't go that way.";

fn leads(table: &Table, name: &str, direction: Direction) -> Option<Room> {
    let to = table.exit(name, direction)?.to?;
    Some(table.world().rooms[to].clone())
}

/// A step in a direction without an exit creates a copy of the named room, with an exit back, and enters it.
#[test]
fn steps_dig_copies_of_the_template_room() {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "detail flour = It has a taste of iron.");
    let floor = shop.table.room("Olad").clone();
    assert!(shop.types("Olad", "dig --walk here").contains("a room like Mill Floor"));
    let answer = shop.types("Olad", "west");
    assert!(
        answer.contains("You dig Mill Floor, room ") && answer.contains("Flour lies on everything"),
        "{answer}"
    );
    let dug = shop.table.room("Olad").clone();
    assert_ne!(dug.id, floor.id);
    assert_eq!(
        (&dug.sheet.name, &dug.sheet.description, &dug.sheet.details),
        (&floor.sheet.name, &floor.sheet.description, &floor.sheet.details)
    );
    assert_eq!(
        (dug.sheet.kind, &dug.sheet.environment, &dug.area),
        (floor.sheet.kind, &floor.sheet.environment, &floor.area)
    );
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

/// Without a named room the new room is bare. The prompt, and `dig --walk` alone, show the mode.
#[test]
fn prompt_and_command_show_dig_walk_mode() {
    let mut shop = Workshop::with_mill();
    assert!(!shop.table.prompt("Olad").digging);
    assert!(shop.types("Olad", "dig --walk off").contains("Your steps dig nothing."));
    assert!(shop.types("Olad", "dig --walk").contains("a bare room"));
    assert!(shop.table.prompt("Olad").digging);
    shop.types("Olad", "west");
    assert_eq!(shop.table.room("Olad").sheet.name, "Bare Room");
    shop.types("Olad", "dig --walk mill");
    assert!(shop.types("Olad", "dig --walk").contains("like Mill Floor"), "asking changes nothing");
    assert!(shop.types("Olad", "dig --walk nowhere").contains("There is no"));
    assert!(shop.types("Olad", "dig --walk off").contains("dig no longer"));
    assert!(!shop.table.prompt("Olad").digging);
    assert!(shop.types("Olad", "west").contains(NO_EXIT));
}

/// Each step is one journal entry that can be undone and redone, also after a restart.
#[test]
fn walked_digs_can_be_undone_and_redone() {
    let mut shop = Workshop::with_mill();
    let rooms = |shop: &Workshop| shop.table.world().rooms.built().count();
    let before = rooms(&shop);
    for line in ["dig --walk", "west", "west"] {
        shop.types("Olad", line);
    }
    assert_eq!(rooms(&shop), before + 2);
    assert!(shop.types("Olad", "journal me").contains("dig -walk west"));
    shop.table.restart();
    for left in [1, 0] {
        shop.types("Olad", "undo");
        assert_eq!(rooms(&shop), before + left);
    }
    shop.types("Olad", "redo");
    shop.types("Olad", "redo");
    assert_eq!(rooms(&shop), before + 2);
}

/// `dig --walk` is refused in a branch and in zones of other builders. A change of rank, `quell` and a restart turn it
/// off.
#[test]
fn steps_dig_only_with_building_permission() {
    let mut shop = Workshop::with_mill();
    shop.table.sit("Bera");
    shop.types("Olad", "promote bera builder");
    let rooms = |shop: &Workshop| shop.table.world().rooms.built().count();
    for line in ["dig --walk", "north"] {
        shop.types("Bera", line);
    }
    shop.types("Bera", "goto mill");
    let before = rooms(&shop);
    assert!(shop.types("Bera", "dig --walk").contains("Not here: "));
    assert!(shop.types("Bera", "west").contains(NO_EXIT), "the mill is Olad's");
    shop.types("Olad", "zone add bera");
    shop.types("Bera", "west");
    assert_eq!(rooms(&shop), before + 1, "now it is hers, too");
    shop.types("Olad", "promote bera player");
    shop.types("Olad", "promote bera builder");
    assert!(shop.types("Bera", "west").contains(NO_EXIT), "a change of rank ends it");
    for line in ["dig --walk", "quell", "quell"] {
        shop.types("Bera", line);
    }
    assert!(shop.types("Bera", "west").contains(NO_EXIT), "so does laying it down");
    shop.types("Bera", "dig --walk");
    shop.table.restart();
    assert!(shop.types("Bera", "west").contains(NO_EXIT), "and a restart");
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

/// If the template room is deleted, steps create no room until another template is named.
#[test]
fn deleted_template_room_stops_digging() {
    let mut shop = Workshop::with_mill();
    for line in ["dig --walk mill loft", "destroy mill loft"] {
        shop.types("Olad", line);
    }
    assert!(shop.types("Olad", "west").contains("is gone: type dig -walk"));
    assert_eq!(shop.table.room("Olad").sheet.name, "Mill Floor");
}

/// Clients in a room are notified of exits built there by others.
#[test]
fn clients_are_notified_of_exits_built_in_their_room() {
    let mut table = Table::new(seeded(5));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.wants("Bera", [Package::Room]);
    table.news("Bera", "Room.Info");
    for (line, exits) in
        [("dig Cellar = hatch, out", 1), ("link hatch = lodge", 1), ("destroy hatch", 0), ("undo", 1)]
    {
        table.types("Olad", line);
        let news = table.news("Bera", "Room.Info");
        let room = news.last().unwrap_or_else(|| panic!("{line}: nothing"));
        let there =
            room["exitsv2"].as_object().expect("exits").keys().filter(|exit| *exit == "hatch").count();
        assert_eq!(there, exits, "{line}: {room}");
    }
}

/// Puts Olad into the lodge of a server with diagonals enabled.
fn with_diagonals() -> Workshop {
    let mut table = Table::new(GameConfig { diagonals: true, ..seeded(5) });
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    Workshop::beside(table)
}

/// With diagonals enabled they are full directions: dug, walked, shown, exported and undone.
#[test]
fn enabled_diagonals_are_full_directions() {
    let mut shop = with_diagonals();
    for line in ["zone new yard", "dig Gate = gate, out", "gate", "zone set yard", "tunnel ne = Corner"] {
        shop.types("Olad", line);
    }
    let gate = shop.table.room("Olad").clone();
    shop.table.wants("Olad", [Package::Room]);
    let answer = shop.types("Olad", "ne");
    assert!(answer.contains("Corner") && answer.contains("Exits: southwest"), "{answer}");
    let corner = shop.table.room("Olad").clone();
    assert_eq!((corner.at, corner.z), (gate.at.step(Direction::NorthEast), gate.z));
    let info = shop.table.news("Olad", "Room.Info").pop().expect("the room is told");
    assert_eq!(info["exits"]["sw"], gate.id.0, "{info}");
    assert!(shop.types("Olad", "map").contains('/'));
    assert!(shop.table.game().atlas().contains("direction=\"southwest\""));
    shop.types("Olad", "dig --walk");
    shop.types("Olad", "northwest");
    assert_eq!(shop.table.room("Olad").at, corner.at.step(Direction::NorthWest));
    assert!(shop.types("Olad", "undo").contains("dig -walk northwest"));
    shop.types("Olad", "zone export yard");
    let file = shop.files["yard"].clone();
    assert!(file.contains("name = \"northeast\"") && !file.contains("\"ne\""), "{file}");
    let mut other = with_diagonals();
    other.files = shop.files.clone();
    other.types("Olad", "zone import yard");
    other.types("Olad", "zone export yard");
    assert_eq!(other.files["yard"], file);
    other.types("Olad", "goto gate");
    other.types("Olad", "ne");
    assert_eq!(other.table.room("Olad").sheet.name, "Corner");
    for line in ["open northeast:branch", "tunnel nne = Nowhere"] {
        let rooms = other.table.world().rooms.len();
        assert!(!other.types("Olad", line).is_empty());
        assert_eq!(other.table.world().rooms.len(), rooms, "{line}");
    }
}

/// With diagonals disabled their names are ordinary exit names, and their abbreviations keep their other meanings.
#[test]
fn disabled_diagonals_are_ordinary_exit_names() {
    let mut shop = Workshop::with_mill();
    assert!(shop.types("Olad", "tunnel northeast = Corner").contains("Type tunnel"));
    shop.types("Olad", "dig Corner = northeast, southwest");
    shop.types("Olad", "northeast");
    assert_eq!(shop.table.room("Olad").sheet.name, "Corner");
    let back = shop.table.world().exits.of(shop.table.body("Olad").room).next().expect("a way back");
    assert_eq!((back.direction, back.aliases.len()), (None, 0));
    shop.types("Olad", "dig --walk");
    assert_ne!(shop.types("Olad", "nw"), "");
    assert_eq!(shop.table.room("Olad").sheet.name, "Corner");
}

#[test]
fn undo_of_a_walked_dig_moves_back_and_ends_the_mode() {
    let mut shop = Workshop::with_mill();
    let start = shop.table.body("Olad").room;
    shop.types("Olad", "dig --walk");
    shop.types("Olad", "west");
    assert_ne!(shop.table.body("Olad").room, start);
    let answer = shop.types("Olad", "undo");
    assert!(answer.contains("you are where it was dug from. Your steps dig no longer."), "{answer}");
    assert_eq!(shop.table.body("Olad").room, start);
    assert!(!shop.table.prompt("Olad").digging);
}

#[test]
fn walked_room_gets_its_key_when_named() {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "dig --walk");
    shop.types("Olad", "west");
    assert_eq!(*shop.table.room("Olad").key, "bare_room");
    shop.types("Olad", "name here = Tar Store");
    assert_eq!(*shop.table.room("Olad").key, "tar_store");
    shop.types("Olad", "name here = Old Tar Store");
    assert_eq!(*shop.table.room("Olad").key, "tar_store", "a key of its own stays");
}

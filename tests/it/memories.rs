//! Map memory: paths, map and `where` are limited to rooms the character has visited, in the current branch.

use crate::den::{DEN, den, den_in};
use crate::hoard;
use crate::table::{Table, seeded};
use deepwell::base::RoomId;
use deepwell::base::limits::Limits;
use deepwell::catalog::RoomKind;
use deepwell::game::{GameConfig, Package};
use std::collections::BTreeMap;

/// Olad is in the first of three rooms and has visited all; the last is a rest room.
fn olad_knows_a_camp() -> (Table, BTreeMap<char, RoomId>) {
    let (mut table, rooms) = den(2, &["1ar"]);
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&rooms[&'r']).expect("a room").sheet.kind = RoomKind::Rest;
    });
    table.types_all("Olad", &["east", "east", "west", "west"]);
    (table, rooms)
}

/// Bera enters the start room, and Olad's branch if `inside`.
fn bera_enters(table: &mut Table, inside: bool) {
    table.sit("Bera");
    table.types("Bera", "down");
    if inside {
        table.types("Bera", "east");
        assert_eq!(table.branch_of("Bera"), table.branch_of("Olad"));
    }
}

#[test]
fn t7_path_finds_no_room_of_a_branch_the_player_is_not_in() {
    let (mut table, _) = olad_knows_a_camp();
    assert!(table.types("Olad", "path rest").contains("The way: east, then east."));
    bera_enters(&mut table, false);
    for line in ["path rest", "path room r", "path room 1"] {
        let answer = table.types("Bera", line);
        assert!(answer.contains("You know no way"), "{line}: {answer}");
    }
    table.types("Bera", "up");
    assert!(table.types("Bera", "path rest").contains("You know no way"));
    assert!(table.types("Bera", "path start").contains("The way: down."), "the town is known to everybody");
    // In the start room a character is in no branch and remembers none.
    table.types("Olad", "west");
    assert!(table.types("Olad", "path rest").contains("You know no way"));
    table.types("Olad", "east");
    assert!(table.types("Olad", "path rest").contains("The way: east, then east."), "the branch is the same");
}

#[test]
fn t7_map_memory_is_not_shared_with_companions() {
    let (mut table, rooms) = olad_knows_a_camp();
    bera_enters(&mut table, true);
    let (knows, knows_not) = (table.types("Olad", "map words"), table.types("Bera", "map words"));
    assert!(knows.contains("Two steps east: ") && knows.contains("Remembered: a place to rest."), "{knows}");
    assert!(!knows_not.contains("step east:") && !knows_not.contains("steps east:"), "{knows_not}");
    assert!(!table.types("Bera", "map").contains("remembered"));
    assert!(table.types("Bera", "path rest").contains("You know no way"));
    assert!(!table.types("Bera", "look east").contains("emembered"));
    table.types_all("Bera", &["east", "east", "west"]);
    assert!(table.types("Bera", "path rest").contains("The way: east."));
    assert!(table.world().rooms[rooms[&'r']].memories.len() == 2);
}

#[test]
fn t7_where_gives_paths_only_through_visited_rooms() {
    let (mut table, _) = olad_knows_a_camp();
    bera_enters(&mut table, true);
    table.types_all("Bera", &["party invite olad", "west", "east"]);
    table.types("Olad", "east");
    let read = table.types("Bera", "where");
    assert!(read.contains("Olad is near, but you know no way there."), "{read}");
    table.types("Olad", "party accept bera");
    let read = table.types("Bera", "where");
    assert!(read.contains("Olad is in this branch, but you know no way there."), "{read}");
    assert!(table.types("Olad", "where").contains("Bera is in"), "Olad has come from there");
    table.types("Bera", "east");
    table.types("Olad", "west");
    let read = table.types("Bera", "where");
    assert!(read.contains("Olad is in ") && read.contains(": west."), "{read}");
}

/// A memory records the room as the character last saw it; later changes by others are not included.
#[test]
fn t7_memory_is_the_room_as_last_seen() {
    let (mut table, _) = olad_knows_a_camp();
    bera_enters(&mut table, true);
    hoard::put_on_floor(&mut table, "Olad", &[("clay_lamp", 1)]);
    table.types("Bera", "east");
    table.types_all("Olad", &["get lamp", "east"]);
    table.types("Olad", "west");
    table.types("Olad", "drop lamp");
    table.types("Olad", "east");
    assert!(table.types("Bera", "path lamp").contains("The way: west."));
    table.types_all("Olad", &["west", "get lamp", "east"]);
    assert!(table.types("Bera", "path lamp").contains("The way: west."), "she has not seen it go");
    assert!(table.types("Olad", "path lamp").contains("You know no way"), "he has it");
}

#[test]
fn t7_memories_survive_quit_and_restart() {
    let (mut table, _) = olad_knows_a_camp();
    table.types("Olad", "quit");
    table.restart();
    table.comes_back("Olad");
    assert!(table.types("Olad", "path rest").contains("The way: east, then east."));
}

/// In a branch stored before memories were per character, every member remembers every room.
#[test]
fn t7_older_branch_is_known_to_its_members() {
    let (mut table, rooms) = olad_knows_a_camp();
    table.sit("Bera");
    table.edit_stored(|stored| stored.rooms.values_mut().for_each(|room| room.memories.clear()));
    assert!(table.types("Olad", "path rest").contains("The way: east, then east."));
    assert!(table.types("Bera", "path rest").contains("You know no way"), "she was never there");
    let known: Vec<usize> = rooms.values().map(|room| table.world().rooms[*room].memories.len()).collect();
    assert_eq!(known, [1, 1, 1]);
}

/// The number of memories of a room is limited; characters outside the branch are evicted first.
#[test]
fn t7_memories_of_a_room_are_bounded() {
    let (mut table, rooms) = {
        let mut config = seeded(2);
        config.limits.room_memories = 2;
        den_in(config, &DEN, &["1a"])
    };
    for name in ["Bera", "Ebba", "Hanno"] {
        table.sit(name);
        table.types_all(name, &["down", "east", "east", "west"]);
        if name == "Bera" {
            table.types(name, "west");
        }
    }
    let known = |table: &Table| {
        let keys = table.world().rooms[rooms[&'a']].memories.keys().copied().collect::<Vec<_>>();
        keys.into_iter().map(|who| table.world().characters[who].name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(known(&table), ["Ebba", "Hanno"], "Bera had left, Olad was first");
}

/// Returns the maps sent to the player's client since the last call: area, and names of its rooms.
fn maps_sent(table: &mut Table, name: &str) -> Vec<(String, Vec<String>)> {
    let messages = table.all_news(name).into_iter().filter(|(package, _)| package == "Room.Map");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let rooms = |body: &serde_json::Value| body["rooms"].as_array().expect("rooms").clone();
    messages
        .map(|(_, body)| (text(&body["area"]), rooms(&body).iter().map(|room| text(&room["name"])).collect()))
        .collect()
}

/// A new client gets the rooms its character has seen; a connected client gets only rooms not yet sent.
#[test]
fn t7_new_client_gets_map_of_visited_rooms() {
    let (mut table, _) = olad_knows_a_camp();
    let branch = table.branch_of("Olad").expect("a branch");
    let branch = format!("{}/branch {branch}", table.room("Olad").area);
    bera_enters(&mut table, true);
    for name in ["Olad", "Bera"] {
        table.all_news(name);
        table.wants(name, [Package::Room, Package::Map]);
    }
    let (olad, bera) = (maps_sent(&mut table, "Olad"), maps_sent(&mut table, "Bera"));
    let names =
        |rooms: &[&str]| vec![(branch.clone(), rooms.iter().map(|room| (*room).to_owned()).collect())];
    assert_eq!(olad, names(&["Room 1", "Room a", "Room r"]), "the nearest first");
    assert_eq!(bera, names(&["Room 1"]), "nobody is told what another has seen");
    table.types_all("Olad", &["east", "west", "look"]);
    assert_eq!(maps_sent(&mut table, "Olad"), [], "no room is told twice");
    table.types("Olad", "west");
    let town = maps_sent(&mut table, "Olad");
    assert_eq!((town.len(), town[0].0.as_str(), town[0].1[0].as_str()), (1, "town", "Bottom of the Well"));
    assert!(town[0].1.contains(&"Counting House".to_owned()), "the town is known to everybody: {town:?}");
    table.types("Olad", "east");
    assert_eq!(maps_sent(&mut table, "Olad"), []);
    table.break_link("Olad");
    table.comes_back("Olad");
    table.wants("Olad", [Package::Map]);
    assert_eq!(maps_sent(&mut table, "Olad"), names(&["Room 1", "Room a", "Room r"]));
}

#[test]
fn a8_client_map_is_bounded_and_keeps_nearest_rooms() {
    let limits = Limits { map_rooms: 2, ..Limits::default() };
    let (mut table, _) = den_in(GameConfig { limits, ..seeded(2) }, &DEN, &["1ar"]);
    table.types_all("Olad", &["east", "east"]);
    table.wants("Olad", [Package::Map]);
    let maps = maps_sent(&mut table, "Olad");
    assert_eq!(maps.into_iter().flat_map(|(_, rooms)| rooms).collect::<Vec<_>>(), ["Room r", "Room a"]);
}

/// A web hides its room from the client's map as from `map`.
#[test]
fn web_hides_room_on_client_map() {
    let (mut table, rooms) = olad_knows_a_camp();
    table.edit_stored(|stored| stored.rooms.get_mut(&rooms[&'a']).expect("a room").web = true);
    table.all_news("Olad");
    table.wants("Olad", [Package::Map]);
    let map = table.all_news("Olad").pop().expect("a map").1;
    let webbed = map["rooms"].as_array().expect("rooms").iter().find(|room| room["name"] == "Room a");
    let webbed = webbed.expect("the way to it is known");
    assert_eq!(
        (&webbed["details"], &webbed["exitsv2"]),
        (&serde_json::json!(["web"]), &serde_json::json!({}))
    );
    assert!(!map.to_string().contains("Room r"), "{map}");
}

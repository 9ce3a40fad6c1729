//! JSON dump of a live branch for tools and scripts.

use crate::explorer::{guarded, hero_opens, olad_finds};
use crate::table::{Table, seeded};
use serde_json::Value;

fn dump(table: &Table, who: &str) -> Value {
    let branch = table.branch(who).id;
    let dump = table.game().branch_dump(branch).expect("a living branch");
    serde_json::to_value(dump).expect("a dump is JSON")
}

/// E11, E13, E35, E37, E43: a new branch has the design's fields with their defaults, one room and its exit back.
#[test]
fn new_branch_dump_has_the_default_fields() {
    let mut table = Table::new(seeded(6));
    table.sit("Olad");
    table.types_all("Olad", &["down", "north"]);
    let dump = dump(&table, "Olad");
    assert_eq!((&dump["max_unexplored_exits"], &dump["max_new_exits_per_room"]), (&2.into(), &2.into()));
    assert_eq!((&dump["generator"], &dump["theme"]), (&"frontier".into(), &"well".into()));
    assert_eq!(dump["members"], serde_json::json!(["Olad"]));
    let branch = table.branch("Olad");
    assert_eq!(dump["start_room"], branch.start_room.0);
    assert_eq!(dump["opened_at"], table.now().0);
    assert_eq!(dump["last_updated_at"], table.now().0);
    assert_eq!(dump["seed"], branch.seed.0);
    let rooms = dump["floors"][0]["rooms"].as_array().expect("rooms");
    assert_eq!(rooms.len(), 1, "E11");
    let exits = rooms[0]["exits"].as_array().expect("exits");
    let back: Vec<_> = exits.iter().filter(|exit| exit["back"] == true).collect();
    assert!(back.len() == 1 && back[0]["to"] == branch.start_room.0 && back[0]["state"] == "open", "E13");
    let open = exits.iter().filter(|exit| exit["state"] == "unexplored" && exit["to"].is_null()).count();
    assert_eq!(open, exits.len() - 1, "E37");
}

/// E25, E31: a room with guards has the tag `not_clear`, which is removed with the last guard.
#[test]
fn not_clear_tag_is_removed_with_the_last_guard() {
    let mut table = olad_finds("a guard", guarded);
    let tags = |table: &Table| {
        let here = table.body("Olad").room.0;
        let dump = dump(table, "Olad");
        let rooms = dump["floors"][0]["rooms"].as_array().expect("rooms").clone();
        rooms.into_iter().find(|room| room["num"] == here).expect("this room")["tags"].clone()
    };
    assert_eq!(tags(&table), serde_json::json!(["not_clear"]));
    table.becomes("Olad", 9_999, 999);
    let rooms = table.rooms_of(table.branch("Olad").id).len();
    while guarded(table.world(), table.room("Olad")) {
        table.types("Olad", "kill");
        table.waits(deepwell::base::Span::secs(3));
    }
    assert_eq!(tags(&table), serde_json::json!([]));
    hero_opens(&mut table, "Olad", rooms + 1);
}

/// C3: the same seed and moves give the same bytes.
#[test]
fn same_seed_and_moves_give_the_same_dump() {
    let played = || {
        let mut table = Table::new(seeded(12));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", "west"]);
        hero_opens(&mut table, "Olad", 30);
        dump(&table, "Olad").to_string()
    };
    assert_eq!(played(), played());
}

//! Patrols and daily schedules of creatures.

use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::world::Posture;

/// An hour of the town.
const HOUR: Span = Span::mins(5);

/// Creates the zone ward: a gate, a court to its east, and a tower beyond the court. Olad is in the gate.
fn ward() -> Workshop {
    let mut shop = Workshop::open();
    shop.types_all(
        "Olad",
        &[
            "zone new ward",
            "dig Gate = gate, lodge",
            "gate",
            "zone set ward",
            "describe here = Stone.",
            "dig Court = east, west",
            "dig Forge = down, up",
            "east",
            "dig Tower = east, west",
            "west",
            "make creature watchman like rat = watchman",
        ],
    );
    set_hour(&mut shop.table, 8);
    shop.table.comes_back("Olad");
    shop
}

/// Waits for an hour of the town's clock.
fn set_hour(table: &mut Table, hour: i64) {
    let day = 24 * HOUR.0;
    let now = table.now().0;
    let wanted = now - now.rem_euclid(day) + hour * HOUR.0;
    table.waits(Span::millis(if wanted < now { wanted + day } else { wanted } - now));
}

/// Returns the name of the room of the only creature of a kind.
fn place_of(table: &Table, key: &str) -> String {
    let found = table.world().characters.iter().find(|(_, body)| body.prototype.as_deref() == Some(key));
    table.world().rooms[found.expect("the creature").1.room].sheet.name.clone()
}

/// Returns the rooms in which a creature is seen, each once in a row.
fn walk_of(table: &mut Table, key: &str, span: Span) -> Vec<String> {
    let mut walk = vec![place_of(table, key)];
    for _ in 0..span.0 / 1_000 {
        table.waits(Span::secs(1));
        let now = place_of(table, key);
        if walk.last() != Some(&now) {
            walk.push(now);
        }
    }
    walk
}

#[test]
fn creature_walks_to_the_rooms_of_its_patrol_in_turn() {
    let mut shop = ward();
    let answer = shop.types("Olad", "spawn watchman = 1 every 60 patrol tower; gate; forge");
    assert!(answer.contains("It walks to tower, gate and forge."), "{answer}");
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(150));
    assert_eq!(walk, ["Gate", "Court", "Tower", "Court", "Gate", "Forge", "Gate", "Court", "Tower"]);
    let heard = shop.table.hears("Olad");
    assert!(heard.contains("A watchman goes east.") || heard.contains("watchman"), "{heard}");
}

/// The next stop survives a restart, and so does the walk.
#[test]
fn patrol_continues_after_a_restart() {
    let mut shop = ward();
    shop.types("Olad", "spawn watchman = 1 every 60 patrol tower; forge");
    while place_of(&shop.table, "watchman") != "Tower" {
        shop.table.waits(Span::secs(1));
    }
    shop.table.waits(Span::secs(10));
    shop.table.restart();
    shop.table.comes_back("Olad");
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(80));
    assert_eq!(walk[..4], ["Tower", "Court", "Gate", "Forge"]);
}

/// A closed door blocks the path: the creature waits, and continues when the door is open.
#[test]
fn closed_door_makes_a_creature_wait() {
    let mut shop = ward();
    shop.types_all("Olad", &["set east door = oak door", "spawn watchman = 1 every 60 patrol tower; gate"]);
    assert_eq!(walk_of(&mut shop.table, "watchman", Span::secs(120)), ["Gate"]);
    shop.types("Olad", "open east");
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(60));
    assert_eq!(walk[..3], ["Gate", "Court", "Tower"]);
}

#[test]
fn creature_stops_to_fight_and_continues_afterwards() {
    let mut shop = ward();
    for room in ["Gate", "Court", "Tower"] {
        shop.types("Olad", &format!("goto {room}"));
        shop.types("Olad", "set here fights = yes");
    }
    shop.types_all(
        "Olad",
        &["goto gate", "set creature watchman hp = 900", "set creature watchman attack = 0"],
    );
    shop.types("Olad", "spawn watchman = 1 every 60 patrol tower; gate");
    shop.table.becomes("Olad", 500, 1);
    shop.types("Olad", "kill watchman");
    assert_eq!(walk_of(&mut shop.table, "watchman", Span::secs(60)), ["Gate"]);
    shop.types("Olad", "stop");
    shop.types("Olad", "flee");
    shop.types("Olad", "goto forge");
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(120));
    assert!(walk.contains(&"Tower".to_owned()), "{walk:?}");
}

/// While no player is in the zone, a patrol does not move.
#[test]
fn patrol_rests_while_no_player_is_in_the_zone() {
    let mut shop = ward();
    shop.types("Olad", "spawn watchman = 1 every 60 patrol tower; gate");
    shop.types("Olad", "goto lodge");
    shop.table.waits(Span::secs(90));
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(300));
    assert_eq!(walk.len(), 1, "{walk:?}");
    shop.types("Olad", "goto gate");
    let walk = walk_of(&mut shop.table, "watchman", Span::secs(120));
    assert!(walk.len() > 2, "{walk:?}");
}

#[test]
fn schedule_of_a_kind_says_where_its_creatures_are() {
    let mut shop = ward();
    shop.types_all(
        "Olad",
        &[
            "set creature watchman schedule = 9: at forge; 20: sleep at tower; 22: patrol",
            "set creature watchman patrol = gate; court",
            "spawn watchman = 1 every 60",
        ],
    );
    shop.table.waits(Span::secs(60));
    assert_ne!(place_of(&shop.table, "watchman"), "Forge", "it is eight");
    set_hour(&mut shop.table, 9);
    shop.table.waits(Span::mins(2));
    assert_eq!(place_of(&shop.table, "watchman"), "Forge");
    shop.types("Olad", "goto lodge");
    set_hour(&mut shop.table, 20);
    shop.table.waits(Span::mins(2));
    assert_eq!(place_of(&shop.table, "watchman"), "Tower", "a schedule is kept also without players");
    shop.types("Olad", "goto tower");
    let seen = shop.types("Olad", "look");
    assert!(seen.contains("watchman is here, fast asleep"), "{seen}");
    set_hour(&mut shop.table, 22);
    shop.table.waits(Span::mins(2));
    assert_ne!(place_of(&shop.table, "watchman"), "Tower");
    let awake =
        shop.table.world().characters.iter().find(|(_, body)| body.prototype.as_deref() == Some("watchman"));
    assert_eq!(awake.expect("the watchman").1.posture, Posture::Standing);
}

#[test]
fn mistakes_of_routes_are_refused_or_checked() {
    let mut shop = ward();
    for (line, no) in [
        ("spawn watchman = 1 every 60 patrol towre", "towre"),
        ("spawn watchman = 1 every 60 schedule 25: sleep", "is no part of a schedule"),
        ("spawn watchman = 1 every 60 schedule 6: dance", "is no part of a schedule"),
        ("spawn club = 1 every 60 patrol tower", "Things do not walk"),
        ("set creature watchman schedule = 6: dance", "is no part of a schedule"),
        ("set creature watchman patrol = town/sqare", "square"),
    ] {
        let answer = shop.types("Olad", line);
        assert!(answer.contains(no), "{line}: {answer}");
    }
    shop.types_all("Olad", &["set creature watchman patrol = towre; forge", "spawn watchman = 1 every 60"]);
    let answer = shop.types("Olad", "check").replace('\n', " ");
    assert!(
        answer.contains("watchman is to walk to towre, which is no room. Did you mean tower?"),
        "{answer}"
    );
    shop.types_all("Olad", &["set creature watchman patrol = tower", "east", "destroy east", "west"]);
    let answer = shop.types("Olad", "check").replace('\n', " ");
    assert!(answer.contains("watchman cannot walk from Gate to tower: no path leads there."), "{answer}");
}

#[test]
fn routes_are_exported_imported_and_undone() {
    let mut shop = ward();
    let bare = shop.exported("ward");
    shop.types(
        "Olad",
        "spawn watchman = 1 every 60 if not night patrol tower; #1 schedule 6: patrol; 22: sleep at forge",
    );
    let text = shop.exported("ward");
    for line in
        ["patrol = [\"tower\", \"town/square\"]\n", "schedule = [\"6: patrol\", \"22: sleep at forge\"]\n"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let sheet = shop.types("Olad", "examine here").replace('\n', " ");
    let line = "spawn watchman = 1 every 60 if not night patrol tower; town/square schedule 6: patrol; 22: sleep at forge";
    assert!(sheet.contains(line), "{sheet}");
    shop.types("Olad", "undo");
    assert_eq!(shop.exported("ward"), bare);
    shop.types("Olad", line);
    assert_eq!(shop.exported("ward"), text);
    let file = text.replace("\"tower\", ", "\"towre\", ");
    shop.files.insert("ward".to_owned(), file);
    let answer = shop.types("Olad", "zone import ward");
    assert!(answer.contains("unknown room `towre`") && answer.contains("tower"), "{answer}");
    shop.files.insert("ward".to_owned(), text.clone());
    shop.types("Olad", "zone import ward");
    assert_eq!(shop.exported("ward"), text);
}

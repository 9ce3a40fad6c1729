//! Respawning: limits per zone and world, and conditions. Also the limit of hand-built rooms, and doors of parallel
//! exits.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;

/// Returns the number of creatures of a kind.
fn living(table: &Table, key: &str) -> usize {
    table.world().characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some(key)).count()
}

/// A mill with a loft; Olad is on the mill floor.
fn mill() -> Workshop {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "set on_enter =");
    shop
}

/// A spawn rule never exceeds its zone and world limits.
#[test]
fn respawning_stays_within_zone_and_world_limits() {
    let mut shop = mill();
    let answer = shop.types("Olad", "spawn rat = 2 every 60 zone 3");
    assert!(answer.contains("At most 3 in the zone."), "{answer}");
    let before = living(&shop.table, "rat");
    for line in ["up", "spawn rat = 2 every 60 zone 3"] {
        shop.types("Olad", line);
    }
    assert_eq!(living(&shop.table, "rat"), before + 1);
    shop.table.waits(Span::mins(10));
    assert_eq!(living(&shop.table, "rat"), before + 1, "and no more of them later");
    shop.types("Olad", "goto lodge");
    shop.types("Olad", &format!("spawn rat = 4 every 60 world {}", before + 3));
    assert_eq!(living(&shop.table, "rat"), before + 3, "elsewhere the world's bound counts");
    shop.types("Olad", "spawn torch_stub = 3 every 60 zone 2");
    let lie = |shop: &Workshop| {
        let here = shop.table.world().ground(shop.table.body("Olad").room);
        here.iter().filter(|item| shop.table.world().items[**item].prototype == "torch_stub").count()
    };
    assert_eq!(lie(&shop), 2, "things are bounded as creatures are");
    shop.table.restart();
    shop.table.waits(Span::mins(10));
    assert_eq!((living(&shop.table, "rat"), lie(&shop)), (before + 3, 2));
}

#[test]
fn respawning_waits_for_its_condition() {
    let mut shop = mill();
    for line in ["trigger say rats = count calls", "spawn goblin = 1 every 10 if count calls 2"] {
        shop.types("Olad", line);
    }
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "goblin"), 0);
    for _ in 0..2 {
        shop.types("Olad", "say rats");
    }
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "goblin"), 1);
    shop.types("Olad", "spawn orc = 1 every 10 if not players");
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "orc"), 0, "Olad is in the zone");
    shop.types("Olad", "goto lodge");
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "orc"), 1);
    shop.types("Olad", "goto mill");
    shop.types("Olad", "spawn troll = 1 every 10 if not seen");
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "troll"), 0, "Olad would see it come");
    shop.types("Olad", "up");
    shop.table.waits(Span::secs(60));
    assert_eq!(living(&shop.table, "troll"), 1);
    shop.types("Olad", "spawn bat = 1 every 10 if night");
    let mut came = 0;
    for _ in 0..16 {
        shop.table.waits(Span::mins(8));
        came = came.max(living(&shop.table, "bat"));
    }
    assert_eq!(came, 1, "a night has come within a day of the town");
}

/// Limits and conditions of a spawn rule are exported, imported, shown by `examine` and undone.
#[test]
fn spawn_limits_and_conditions_are_exported_and_undone() {
    let mut shop = mill();
    let line = "spawn rat = 2 every 60 zone 6 world 20 if not count bells 3";
    shop.types("Olad", line);
    assert!(shop.types("Olad", "examine here").contains(line));
    shop.types("Olad", "zone export mill");
    let file = shop.files["mill"].clone();
    for setting in ["zone_most = 6\n", "world_most = 20\n", "only_if = \"not count bells 3\"\n"] {
        assert!(file.contains(setting), "{setting}{file}");
    }
    let mut other = Workshop::open();
    other.files = shop.files.clone();
    other.types("Olad", "zone import mill");
    other.types("Olad", "zone export mill");
    assert_eq!(other.files["mill"], file);
    other.edit("mill", "not count bells 3", "not at noon");
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("`not at noon` is no condition") && answer.contains("night"), "{answer}");
    let answer = shop.types("Olad", "undo");
    assert!(
        answer.contains("spawns: was rat = 2 every 60 zone 6 world 20 if not count bells 3, is nothing"),
        "{answer}"
    );
    for line in ["spawn rat = 2 zone", "spawn rat = 2 zone 0", "spawn rat = 2 house 3"] {
        assert!(shop.types("Olad", line).contains("Say how many"), "{line}");
    }
    assert!(shop.types("Olad", "spawn rat = 2 if noon").contains("It cannot come if \"noon\""));
}

/// The number of hand-built rooms is limited for every command; deleting a room frees a place.
#[test]
fn hand_built_rooms_are_limited() {
    let mut config = seeded(5);
    config.limits.built_rooms = 100;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let mut shop = Workshop::beside(table);
    while shop.table.world().rooms.built_count() < 100 {
        shop.types("Olad", "dig Stall");
    }
    for line in ["dig Stall", "tunnel up = Attic", "zone draft town"] {
        let answer = shop.types("Olad", line);
        assert!(
            answer.contains("as many as there may be") || answer.contains("too many rooms"),
            "{line}: {answer}"
        );
        assert_eq!(shop.table.world().rooms.built_count(), 100, "{line}");
    }
    shop.types("Olad", "dig --walk");
    assert!(shop.types("Olad", "up").contains("as many as there may be"));
    shop.types("Olad", "destroy stall");
    shop.types("Olad", "tunnel up = Attic");
    assert_eq!(shop.table.world().rooms.built_count(), 100, "there was space for one");
    let journal = shop.types("Olad", "journal me");
    let line = journal.lines().find(|line| line.contains("destroy stall")).expect("it is written down");
    let number = line.split(',').next().expect("a number").to_owned();
    assert!(shop.types("Olad", &format!("undo {number}")).contains("as many as there may be"));
    assert_eq!(shop.table.world().rooms.built_count(), 100);
}

/// Each of several exits between two rooms has its own door; no exit is the other side of two.
#[test]
fn parallel_exits_have_independent_doors() {
    let mut shop = mill();
    for line in [
        "tunnel west = Yard",
        "open gate = Yard",
        "west",
        "open wicket = Mill Floor",
        "east",
        "set gate door = iron gate",
        "set west door = oak door",
        "open oak",
    ] {
        shop.types("Olad", line);
    }
    let doors = |shop: &Workshop| {
        let world = shop.table.world();
        let named = |name: &str| {
            let mut exits = world.exits.iter().filter(|(_, exit)| exit.name == name && exit.door.is_some());
            exits.find_map(|(_, exit)| Some((exit.door.to_value()?.name, exit.shut_door().is_some())))
        };
        [named("west"), named("east"), named("gate"), named("wicket")]
    };
    let open = Some(("oak door".to_owned(), false));
    let shut = Some(("iron gate".to_owned(), true));
    assert_eq!(doors(&shop), [open.clone(), open, shut.clone(), shut]);
    shop.types("Olad", "open iron");
    shop.types("Olad", "close oak");
    let (open, shut) = (Some(("iron gate".to_owned(), false)), Some(("oak door".to_owned(), true)));
    assert_eq!(doors(&shop), [shut.clone(), shut, open.clone(), open]);
    let answer = shop.types("Olad", "check mill");
    assert!(!answer.contains("is another door"), "{answer}");
}

//! Items: equipment, containers, stacks, use and loss.

use crate::explorer::olad_finds;
use crate::hoard::{grant, has, purse, put, put_on_floor};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{Dice, ItemId, Seed, Slot, Span};
use deepwell::catalog::RoomKind;
use deepwell::world::{Item, Place};

fn olad_with(things: &[(&str, u32)]) -> Table {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    grant(&mut table, "Olad", things);
    table
}

fn score(table: &mut Table, line: &str) -> i32 {
    let sheet = table.types("Olad", "equipment");
    let all = sheet.lines().last().unwrap_or_default().to_owned();
    let at = all.split(line).nth(1).map_or("0", str::trim_start).to_owned();
    at.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// R2, R3: leather 1, chain 2, plate 3, enchanted 5 defence; club 1, dagger 2, axe and longsword 3, magic sword 5
/// attack. Bonuses apply only while an item is equipped.
#[test]
fn equipment_bonuses_apply_only_while_equipped() {
    for (key, attack, defence) in [
        ("leather_armour", 0, 1),
        ("chain_mail", 0, 2),
        ("plate_armour", 0, 3),
        ("enchanted_armour", 0, 5),
        ("club", 1, 0),
        ("dagger", 2, 0),
        ("battle_axe", 3, 0),
        ("longsword", 3, 0),
        ("magic_sword", 5, 0),
    ] {
        let mut table = olad_with(&[(key, 1)]);
        let name = CATALOG.items[key].name.clone();
        assert_eq!((score(&mut table, "attack"), score(&mut table, "defence")), (0, 0));
        let verb = if attack > 0 { "wield" } else { "wear" };
        let read = table.types("Olad", &format!("{verb} {name}"));
        assert!(read.contains(&name), "{read}");
        assert_eq!((score(&mut table, "attack"), score(&mut table, "defence")), (attack, defence), "{key}");
        table.restart();
        assert_eq!((score(&mut table, "attack"), score(&mut table, "defence")), (attack, defence), "{key}");
        table.types("Olad", &format!("remove {name}"));
        assert_eq!((score(&mut table, "attack"), score(&mut table, "defence")), (0, 0), "{key}");
    }
}

/// An equipment slot holds one item; a second replaces the first. An item without a slot cannot be worn, and armour
/// cannot be wielded.
#[test]
fn slot_holds_one_item_and_accepts_only_its_kind() {
    let mut table = olad_with(&[("club", 1), ("dagger", 1), ("leather_armour", 1), ("clay_lamp", 1)]);
    table.types("Olad", "wield club");
    let read = table.types("Olad", "wield dagger");
    assert_eq!(read, "You put the club away.\nYou wield a dagger.");
    assert!(table.types("Olad", "wield dagger").contains("already"));
    assert!(table.types("Olad", "wield leather").contains("no weapon"));
    assert!(table.types("Olad", "wear lamp").contains("nothing to wear"));
    assert!(table.types("Olad", "wear all").contains("leather armour"));
    assert!(table.types("Olad", "wear all").contains("nothing that fits"));
    let list = table.types("Olad", "eq");
    assert!(list.contains("Hand: a dagger, attack 2") && list.contains("Head: nothing"), "{list}");
    assert!(list.ends_with("All of it together adds attack 2 and defence 1."), "{list}");
    let pack = table.types("Olad", "inventory");
    assert!(pack.starts_with("You wear:\na dagger in the hand\n"), "{pack}");
    assert!(pack.contains("You carry:\na club\na clay lamp\nIn your purse: "), "{pack}");
    assert_eq!(table.types("Olad", "remove all").lines().count(), 2);
    assert!(table.types("Olad", "remove cap").contains("You wear no"));
}

/// `compare` shows the difference from the equipped item in words and numbers.
#[test]
fn compare_shows_difference_from_equipped_item() {
    let mut table = olad_with(&[("club", 1), ("battle_axe", 1), ("longsword", 1), ("clay_lamp", 1)]);
    let read = table.types("Olad", "compare axe");
    assert!(read.contains("gives attack 3") && read.contains("all of it would be gained"), "{read}");
    table.types("Olad", "wield longsword");
    let read = table.types("Olad", "compare club");
    assert!(read.ends_with("It is worse than the longsword: two less attack."), "{read}");
    assert!(table.types("Olad", "compare axe").contains("just what the longsword gives"));
    table.types("Olad", "wield club");
    assert!(table.types("Olad", "compare axe").ends_with("It is better than the club: two more attack."));
    assert!(table.types("Olad", "compare lamp").contains("nothing to wear"));
    assert_eq!(table.types("Olad", "compare moon"), "There is no \"moon\" here.");
}

/// R4: a health potion restores ten hit points, up to the maximum, and is used up.
#[test]
fn health_potion_restores_ten_hit_points_and_is_used_up() {
    let mut table = olad_with(&[("health_potion", 3)]);
    let id = table.body("Olad").id;
    table.edit_stored(|stored| stored.characters.get_mut(&id).unwrap().hp = 5);
    let hp = table.types("Olad", "hp");
    assert!(hp.starts_with("5 of 30"), "{hp}");
    let read = table.types("Olad", "quaff potion");
    assert_eq!(read, "You drink a health potion.\nIt does you good: ten hit points more.");
    assert!(table.types("Olad", "hp").starts_with("15 of 30"));
    assert_eq!(has(&table, "Olad", "health_potion"), 2);
    table.types("Olad", "use potion");
    let read = table.types("Olad", "quaff potion");
    assert!(read.contains("five hit points more"), "{read}");
    assert_eq!(has(&table, "Olad", "health_potion"), 0, "used up");
    assert_eq!(table.types("Olad", "quaff potion"), "You have no \"potion\".");
    let gone = table.world().meta().stock["health_potion"];
    assert_eq!((gone.made, gone.gone), (3, 3), "D8");
}

/// Items can be taken, dropped and given by number; stacks split and merge.
#[test]
fn stacks_split_and_merge() {
    let mut table = olad_with(&[("health_potion", 5)]);
    table.sit("Bera");
    table.hears("Bera");
    assert_eq!(table.types("Olad", "drop 2 potions"), "You put down two health potions.");
    assert_eq!(has(&table, "Olad", "health_potion"), 3);
    assert!(table.types("Olad", "look").contains("Two health potions lie here."));
    assert_eq!(table.types("Olad", "give 2 potions to bera"), "You give Bera two health potions.");
    assert!(table.hears("Bera").ends_with("Olad gives you two health potions."));
    assert_eq!(table.types("Bera", "get 2 potions"), "You take two health potions.");
    assert_eq!(has(&table, "Bera", "health_potion"), 4);
    assert_eq!(table.world().carried(table.body("Bera").id).len(), 1, "one stack");
    assert_eq!(table.types("Olad", "drop 2 potions"), "There is only one of that.");
    assert_eq!(table.types("Olad", "drop potion"), "You put down a health potion.");
    assert_eq!(table.types("Olad", "get all.potion"), "You take a health potion.");
}

/// A7: invalid amounts are refused with a message and change nothing.
#[test]
fn invalid_amounts_are_refused() {
    let mut table = olad_with(&[("health_potion", 5), ("cloth_sack", 1)]);
    table.sit("Bera");
    put_on_floor(&mut table, "Olad", &[("health_potion", 5)]);
    let before = (has(&table, "Olad", "health_potion"), purse(&table, "Olad"));
    for number in [
        "0",
        "-1",
        "-99999999999999999999",
        "4294967297",
        "99999999999999999999",
        "2x",
        "1.5",
        "٣",
        "1e3",
        "0x2",
    ] {
        for line in [
            format!("get {number} potions"),
            format!("drop {number} potions"),
            format!("drop {number} gold"),
            format!("give {number} potions to bera"),
            format!("give {number} copper to bera"),
            format!("put {number} potions in sack"),
            format!("get {number} potions from sack"),
            format!("deposit {number} gold"),
            format!("buy {number} potions"),
            format!("sell {number} potions"),
        ] {
            let read = table.types("Olad", &line);
            assert!(read.len() > 10 && read.ends_with('.') && !read.starts_with("You "), "{line}: {read}");
            assert!(table.last_changes().items.is_empty() || has(&table, "Olad", "health_potion") == 5);
        }
    }
    assert_eq!((has(&table, "Olad", "health_potion"), purse(&table, "Olad")), before);
}

/// Reliability 3.1: a container has a capacity, cannot contain itself, and nests at most three deep.
#[test]
fn containers_have_capacity_and_limited_nesting() {
    let mut table =
        olad_with(&[("cloth_sack", 1), ("satchel", 1), ("cloth_sack", 1), ("satchel", 1), ("clay_lamp", 10)]);
    assert!(table.types("Olad", "put sack in sack").contains("into itself"));
    assert_eq!(table.types("Olad", "put satchel in sack"), "You put a satchel into the cloth sack.");
    assert!(table.types("Olad", "put sack in satchel").contains("satchel"), "the other satchel");
    let read = table.types("Olad", "look in sack");
    assert!(read.contains("In it: "), "{read}");
    table.types("Olad", "get all from sack");
    table.types("Olad", "get all from satchel");
    for _ in 0..10 {
        table.types("Olad", "put lamp in sack");
    }
    assert_eq!(table.types("Olad", "put lamp in sack"), "The cloth sack is full.");
    assert_eq!(has(&table, "Olad", "clay_lamp"), 2, "it holds eight");
    assert_eq!(table.types("Olad", "get 3 lamps from sack").lines().count(), 3);
    assert_eq!(table.types("Olad", "get rope from sack"), "There is no \"rope\" in the cloth sack.");
    assert!(table.types("Olad", "put lamp in lamp").contains("holds nothing"));
    assert!(table.types("Olad", "i").contains("a cloth sack with "));
    table.restart();
    table.types("Olad", "drop all");
    let read = table.types("Olad", "get all from sack");
    assert!(read.starts_with("You take "), "from the floor too: {read}");
}

/// Property: random moves of items among players, floors and nested containers keep all invariants, which the table
/// checks after each step. No item is duplicated or lost.
#[test]
fn random_item_moves_duplicate_and_lose_nothing() {
    const THINGS: [&str; 7] = ["sack", "2.sack", "satchel", "2.satchel", "lamp", "3 potions", "all.potion"];
    for seed in 0..6 {
        let mut table = olad_with(&[
            ("cloth_sack", 1),
            ("cloth_sack", 1),
            ("satchel", 1),
            ("satchel", 1),
            ("clay_lamp", 1),
            ("health_potion", 20),
            ("club", 1),
        ]);
        table.sit("Bera");
        let mut dice = Seed(seed).named("bags").rng();
        let coppers = purse(&table, "Olad") + purse(&table, "Bera");
        for _ in 0..150 {
            let thing = *dice.pick(&THINGS).unwrap();
            let container = THINGS[dice.up_to(3) as usize];
            let (who, other) = *dice.pick(&[("Olad", "bera"), ("Bera", "olad")]).unwrap();
            let line = match dice.up_to(9) {
                0..=3 => format!("put {thing} in {container}"),
                4 | 5 => format!("get {thing} from {container}"),
                6 => format!("give {thing} to {other}"),
                7 => format!("drop {thing}"),
                8 => format!("get {thing}"),
                _ => dice
                    .pick(&[
                        "drop 7 copper",
                        "get copper",
                        "give 3 copper to bera",
                        "wield club",
                        "remove club",
                        "drop club",
                        "get club",
                    ])
                    .unwrap()
                    .to_string(),
            };
            table.types(who, &line);
        }
        let stock = &table.world().meta().stock;
        for (key, count) in
            [("cloth_sack", 2), ("satchel", 2), ("clay_lamp", 1), ("health_potion", 20), ("club", 1)]
        {
            assert_eq!(stock[key].made - stock[key].gone, count, "{key}");
        }
        let piles: i64 = table.world().items.iter().map(|(_, item)| item.money()).sum();
        assert_eq!(purse(&table, "Olad") + purse(&table, "Bera") + piles, coppers);
        table.restart();
    }
}

/// A8: carried items, floors and stacks are limited; on a full floor the oldest item is destroyed, with a ledger entry.
#[test]
fn carried_items_floors_and_stacks_are_limited() {
    let mut config = seeded(3);
    config.limits.items_carried = 3;
    config.limits.items_in_room = 2;
    config.limits.stack = 4;
    let mut table = Table::new(config);
    table.sit("Olad");
    put_on_floor(&mut table, "Olad", &[("health_potion", 4), ("clay_lamp", 1)]);
    grant(&mut table, "Olad", &[("health_potion", 3), ("old_key", 1), ("tin_cup", 1)]);
    assert_eq!(table.types("Olad", "get lamp"), "You cannot carry any more.");
    assert_eq!(table.types("Olad", "get potion"), "You take a health potion.", "it goes onto the stack");
    assert_eq!(table.types("Olad", "get potion"), "You cannot carry any more.", "a stack of four is full");
    let read = table.types("Olad", "drop key");
    assert_eq!(
        read,
        "You put down an old key.\nThe heap is too high: three health potions are trodden to pieces."
    );
    let stock = table.world().meta().stock["health_potion"];
    assert_eq!((stock.made, stock.gone), (7, 3), "D8");
    let lost = table.stored().ledger.iter().find(|line| line.why == "trodden").expect("a line in the ledger");
    assert_eq!((lost.what.as_str(), lost.amount), ("health_potion", -3));
}

/// A8: items supplied to newcomers do not exceed the floor's limit.
#[test]
fn a8_newcomer_supplies_respect_the_floor_limit() {
    let mut config = seeded(3);
    config.limits.items_in_room = 2;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types_all("Olad", &["north", "get cap"]);
    grant(&mut table, "Olad", &[("old_key", 1), ("tin_cup", 1)]);
    table.types_all("Olad", &["drop key", "drop cup"]);
    table.sit("Bera");
    let read = table.types("Bera", "north");
    assert!(read.contains("patched cap"), "{read}");
    let room = table.room("Bera").id;
    assert_eq!(table.world().ground(room).len(), 2);
}

/// D7, D8: an item is in one place over a restart, and each creation and destruction is in the ledger in the same
/// batch.
#[test]
fn ledger_entries_are_in_the_batch_of_their_change() {
    let mut table = olad_with(&[("health_potion", 2)]);
    let olad = table.id("Olad");
    table.edit_stored(|stored| stored.characters.get_mut(&olad).expect("Olad").hp = 9);
    table.types("Olad", "quaff potion");
    let changes = table.last_changes();
    assert_eq!(changes.items.put.len(), 1, "one potion is left");
    let line = changes.ledger.iter().find(|line| line.what == "health_potion").expect("in the same batch");
    assert_eq!((line.amount, line.why.as_str()), (-1, "used"));
    assert_eq!(changes.meta.as_ref().expect("the sums").stock["health_potion"].gone, 1);
    table.types("Olad", "drop potion");
    assert!(table.last_changes().ledger.is_empty(), "moving is neither");
    table.restart();
    assert_eq!(table.types("Olad", "get potion"), "You take a health potion.");
}

/// `examine` shows the purpose, effect and value of an item.
#[test]
fn examine_shows_purpose_effect_and_value() {
    let mut table =
        olad_with(&[("longsword", 1), ("health_potion", 2), ("cloth_sack", 1), ("plate_armour", 1)]);
    let read = table.types("Olad", "examine longsword");
    assert!(
        read.contains("A weapon: it is wielded and gives attack 3.") && read.contains("worth about"),
        "{read}"
    );
    let read = table.types("Olad", "x plate");
    assert!(read.contains("Armour: it is worn on the body and gives defence 3."), "{read}");
    let read = table.types("Olad", "x potion");
    assert!(read.contains("gives ten hit points") && read.contains("Each is worth"), "{read}");
    assert!(table.types("Olad", "x sack").contains("holds up to eight things"));
}

/// E49: items on the floor are deleted with the room. A container brought along and a corpse that still has an owner
/// are moved to the start room.
#[test]
fn collapse_moves_own_containers_and_corpses_to_the_start() {
    let mut table = olad_finds("an empty room", |world, room| {
        room.sheet.kind == RoomKind::Dungeon && world.occupants(room.id).len() == 1
    });
    let (who, room) = (table.body("Olad").id, table.body("Olad").room);
    let now = table.now();
    table.edit_stored(|stored| {
        put(stored, "clay_lamp", 1, Place::Room(room));
        let sack = put(stored, "cloth_sack", 1, Place::Room(room));
        put(stored, "health_potion", 3, Place::Inside(sack));
        let found = put(stored, "satchel", 1, Place::Room(room));
        stored.items.get_mut(&found).unwrap().found_in = stored.rooms[&room].branch;
        for (theirs, key) in [(true, "club"), (false, "dagger")] {
            let corpse = put(stored, "corpse", 1, Place::Room(room));
            put(stored, key, 1, Place::Inside(corpse));
            let row: &mut Item = stored.items.get_mut(&corpse).unwrap();
            row.owner = Some(who);
            row.owner_until = Some(now + if theirs { Span::secs(86_400) } else { Span::secs(-1) });
            row.gone_at = Some(now + Span::secs(86_400));
        }
    });
    let start = table.branch("Olad").start_room;
    table.types("Olad", "recall");
    let branch = table.world().rooms[room].branch;
    assert!(branch.is_some(), "the window keeps it");
    while table.world().rooms.get(room).is_some() {
        table.waits(Span::mins(5));
    }
    let floor = table.world().ground(start);
    let mut kinds: Vec<&str> = floor.iter().map(|id| table.world().items[*id].prototype.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["cloth_sack", "corpse"], "the pack and the corpse");
    let all: Vec<ItemId> = floor.iter().flat_map(|id| table.world().contents(*id).to_vec()).collect();
    assert_eq!(all.len(), 2, "with what was in them");
    let stock = &table.world().meta().stock;
    assert_eq!((stock["clay_lamp"].gone, stock["satchel"].gone, stock["dagger"].gone), (1, 1, 1), "D8");
}

/// A corpse decays at its time, also after a restart, and leaves its contents.
#[test]
fn corpse_decays_and_leaves_its_contents() {
    for restarted in [false, true] {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        let (room, now) = (table.body("Olad").room, table.now());
        table.edit_stored(|stored| {
            let corpse = put(stored, "corpse", 1, Place::Room(room));
            put(stored, "club", 1, Place::Inside(corpse));
            let row = stored.items.get_mut(&corpse).unwrap();
            row.label = Some("corpse of a goblin".into());
            row.gone_at = Some(now + Span::secs(90));
        });
        let seen = table.types("Olad", "look");
        assert!(seen.contains("A corpse of a goblin lies here."), "{seen}");
        assert!(table.types("Olad", "get corpse").contains("get all from corpse"));
        assert!(table.types("Olad", "examine corpse").contains("In it: a club."));
        if restarted {
            table.restart();
        }
        table.waits(Span::secs(89));
        assert!(table.types("Olad", "look").contains("corpse"));
        table.waits(Span::secs(1));
        let heard = table.hears("Olad");
        assert!(
            heard.contains("The corpse of a goblin crumbles to dust and leaves a club on the floor."),
            "{heard}"
        );
        assert_eq!(table.types("Olad", "get club"), "You take a club.");
    }
}

/// A corpse is reserved for its owner for a while; it is removed with its last item.
#[test]
fn corpse_is_reserved_for_its_owner_for_a_while() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.sit("Bera");
    let (bera, room, now) = (table.body("Bera").id, table.body("Olad").room, table.now());
    table.edit_stored(|stored| {
        let corpse = put(stored, "corpse", 1, Place::Room(room));
        put(stored, "club", 1, Place::Inside(corpse));
        let row = stored.items.get_mut(&corpse).unwrap();
        (row.owner, row.owner_until) = (Some(bera), Some(now + Span::secs(60)));
        row.label = Some("corpse of a goblin".into());
        row.gone_at = Some(now + Span::secs(300));
    });
    assert_eq!(table.types("Olad", "get all from corpse"), "The corpse of a goblin is Bera's for now.");
    table.waits(Span::secs(61));
    assert_eq!(table.types("Olad", "get all from corpse"), "You take a club from the corpse of a goblin.");
    assert!(!table.types("Olad", "look").contains("corpse"), "nothing is left of it");
}

/// An idle world writes no rows, even with items on the floor and equipped.
#[test]
fn idle_world_writes_no_rows() {
    let mut table = olad_with(&[("club", 1), ("health_potion", 3), ("cloth_sack", 1)]);
    table.types("Olad", "wield club");
    table.types("Olad", "drop potion");
    // The errand boy has to go to sleep first.
    table.waits(Span::secs(20));
    let before = table.stored().clone();
    table.waits(Span::secs(270));
    let (now, then) = (table.stored(), &before);
    assert!(now.items == then.items && now.meta == then.meta && now.characters == then.characters);
    assert_eq!(now.ledger, then.ledger);
    assert_eq!(table.world().items.iter().filter(|(_, item)| item.worn == Some(Slot::Hand)).count(), 1);
}

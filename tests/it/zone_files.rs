//! Zone files hold everything a builder can make, and export unchanged after an import into another world.

use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::game::Input;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A mill with spawns, triggers and doors; Olad is on its floor.
fn furnished_mill() -> Workshop {
    let mut shop = Workshop::with_mill();
    for line in [
        "tag here = harbour, unfinished",
        "detail flour;dust = It has a taste of iron. \\n You sneeze.",
        "describe here = Flour lies on everything. \\n The floor shakes.",
        "set up door = hatch of planks",
        "set up key = brass_ring",
        "set down door = trapdoor",
        "open down",
        "spawn rat = 2 every 120",
        "spawn clay_lamp = 1 every 60",
        "trigger say friend;mate = room The hatch sighs, and gives way.; open up",
        "trigger leave = count steps; if count steps 3: move mill_loft",
        "trigger look painting = if not has brass_ring: give brass_ring",
        "trigger timer 90 = 30% room It creaks.",
        "trigger enter = tell A sack slides off the heap.",
        "set here fights = yes",
    ] {
        let answer = shop.types("Olad", line);
        for no in ["There is no", "Type "] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    shop
}

#[test]
fn zone_file_contains_everything_built() {
    let mut shop = furnished_mill();
    let text = shop.exported("mill");
    for lines in [
        "tags = [\"harbour\", \"unfinished\"]\nfights = true\n",
        "[[rooms.triggers]]\non = \"enter\"\nlines = [\n",
        "description = \"Flour lies on everything.\\nThe floor shakes.\"\n",
        "[[rooms.spawns]]\ncreature = \"rat\"\ncount = 2\nevery_secs = 120\n",
        "[[rooms.spawns]]\nitem = \"clay_lamp\"\ncount = 1\nevery_secs = 60\n",
        "[[rooms.triggers]]\non = \"say friend;mate\"\nlines = [\n  \"room The hatch sighs, and gives way.\",\n  \"open up\",\n]\n",
        "  \"if count steps 3: move mill_loft\",\n",
        "[[rooms.triggers]]\non = \"timer 90\"\nlines = [\n  \"30% room It creaks.\",\n]\n",
        "name = \"up\"\nto = \"mill_loft\"\ndoor = \"hatch of planks\"\ndoor_key = \"brass_ring\"\n",
        "name = \"down\"\nto = \"wheel_pit\"\ndoor = \"trapdoor\"\ndoor_open = true\n",
    ] {
        assert!(text.contains(lines), "{lines}\n{text}");
    }
}

/// In another world the import works the same: doors are locked, creatures spawn, triggers run.
#[test]
fn zone_file_works_in_another_world() {
    let text = furnished_mill().exported("mill");
    let mut other = Workshop::open();
    other.table.types("Olad", "dig Shed = up, down");
    other.files.insert("mill".into(), text.clone());
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("four rooms made"), "{answer}");
    assert!(!answer.contains("What may not be meant so"), "{answer}");
    assert_eq!(other.exported("mill"), text);
    let answer = other.types("Olad", "find harbour");
    assert!(answer.contains("Mill Floor"), "{answer}");
    let view = other.types("Olad", "goto mill");
    assert!(view.contains("rat") && view.contains("clay lamp"), "{view}");
    let answer = other.types("Olad", "up");
    assert!(answer.contains("hatch of planks"), "{answer}");
    assert_eq!(other.table.room("Olad").sheet.name, "Mill Floor");
    assert!(other.types("Olad", "look dust").contains("taste of iron"));
    other.types("Olad", "say Hello, mate.");
    other.types("Olad", "up");
    assert_eq!(other.table.room("Olad").sheet.name, "Mill Loft", "the trigger has opened the hatch");
    other.table.restart();
    assert_eq!(
        other.exported("mill").replace("door_open = true\n", ""),
        text.replace("door_open = true\n", "")
    );
}

/// Rooms named by scripts are resolved by key, independent of room ids.
#[test]
fn imported_scripts_resolve_rooms_by_key() {
    let text = furnished_mill().exported("mill");
    let mut other = Workshop::open();
    for line in ["dig Shed = up, down", "dig Barn = hatch, hatch", "dig Sty = gate, gate"] {
        other.table.types("Olad", line);
    }
    other.files.insert("mill".into(), text.replace("if count steps 3: move mill_loft", "move town/square"));
    other.types("Olad", "zone import mill");
    let square = other
        .table
        .world()
        .rooms
        .iter()
        .find(|(_, room)| room.sheet.name == "Well Square")
        .expect("a square")
        .0;
    let floor = other
        .table
        .world()
        .rooms
        .iter()
        .find(|(_, room)| room.sheet.name == "Mill Floor")
        .expect("a floor")
        .1;
    let lines: Vec<&String> = floor.triggers.iter().flat_map(|trigger| &trigger.lines).collect();
    assert!(lines.contains(&&format!("move {square}")), "{lines:?}");
}

/// A reference to a deleted room stays unresolved; an id never refers to another room.
#[test]
fn script_reference_to_deleted_room_stays_unresolved() {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "trigger leave = move mill_loft");
    shop.types("Olad", "destroy mill loft");
    let text = shop.exported("mill");
    assert!(text.contains("  \"move 0\",\n"), "{text}");
    let mut other = Workshop::open();
    other.files.insert("mill".into(), text.clone());
    other.types("Olad", "zone import mill");
    assert_eq!(other.exported("mill"), text);
    other.edit("mill", "move 0", "move 7");
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("unknown room `7`, expected the key of a room of this zone"), "{answer}");
}

/// An edit of a spawn, trigger or door changes one line of the file, and gives one difference.
#[test]
fn edit_of_spawn_trigger_or_door_changes_one_line() {
    for (command, gone, new) in [
        ("spawn rat = 3 every 120", "count = 2", "count = 3"),
        ("set up door = old hatch", "door = \"hatch of planks\"", "door = \"old hatch\""),
        ("tag here = harbour", "tags = [\"harbour\", \"unfinished\"]", "tags = [\"harbour\"]"),
        (
            "trigger timer 90 as timer = 31% room It creaks.",
            "  \"30% room It creaks.\",",
            "  \"31% room It creaks.\",",
        ),
    ] {
        let mut shop = furnished_mill();
        let before = shop.exported("mill");
        shop.types("Olad", command);
        let answer = shop.types("Olad", "zone diff mill");
        let after = shop.exported("mill");
        let changed: Vec<(&str, &str)> =
            before.lines().zip(after.lines()).filter(|(one, other)| one != other).collect();
        let doors = if command.contains("door") { 2 } else { 1 };
        assert_eq!(before.lines().count(), after.lines().count());
        assert_eq!(changed, vec![(gone, new); doors], "{command}");
        assert_eq!(answer.matches(": the world says").count(), doors, "{answer}");
    }
}

/// Zones with exits into each other are imported together; importing one alone is refused, with a suggestion.
#[test]
fn zones_linked_to_each_other_are_imported_together() {
    let mut shop = Workshop::with_mill();
    for line in [
        "zone new forge",
        "dig Forge = door, door",
        "door",
        "zone set FORGE",
        "trigger leave = if count steps 9: move mill/mill_loft",
    ] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("There is no"), "{line}: {answer}");
    }
    let (mill, forge) = (shop.exported("mill"), shop.exported("forge"));
    let mut other = Workshop::open();
    other.files.extend([("mill".into(), mill.clone()), ("forge".into(), forge.clone())]);
    let before = other.table.world().snapshot();
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("zones/mill.toml:") && answer.contains("`zone import mill forge`"), "{answer}");
    assert!(other.table.world().snapshot().rooms == before.rooms, "something changed");
    let answer = other.types("Olad", "zone import mill forge");
    assert!(answer.contains("The zone forge is as its file says: one room made"), "{answer}");
    assert!(answer.contains("The zone mill is as its file says: four rooms made"), "{answer}");
    assert_eq!((other.exported("mill"), other.exported("forge")), (mill, forge));
    let answer = other.types("Olad", "zone diff mill forge");
    assert!(answer.contains("The zone forge and its file say the same."), "{answer}");

    // An error in one zone rejects both.
    other.edit("mill", "name = \"Mill Floor\"", "name = \"Milling Floor\"");
    other.edit("forge", "to = \"mill/mill_floor\"", "to = \"mill/mill_flor\"");
    let before = other.table.world().snapshot();
    let answer = other.types("Olad", "zone import forge mill");
    assert!(answer.contains("The zones stay as they are"), "{answer}");
    assert!(
        answer.contains("zones/forge.toml:") && answer.contains("did you mean `mill/mill_floor`?"),
        "{answer}"
    );
    assert!(other.table.world().snapshot().rooms == before.rooms, "something changed");
}

/// Rooms of two files at the same coordinates are reported before anything is moved.
#[test]
fn import_refuses_rooms_at_same_coordinates() {
    let mut shop = Workshop::with_mill();
    for line in ["zone new forge", "dig Forge = door, door", "door", "zone set forge"] {
        shop.types("Olad", line);
    }
    shop.exported("mill");
    shop.exported("forge");
    let place = |text: &str, key: &str| {
        let (_, room) = text.split_once(&format!("key = \"{key}\"\n")).expect("the room");
        room.lines().find(|line| line.starts_with("at = ")).expect("a place").to_owned()
    };
    let (forge, loft) = (place(&shop.files["forge"], "forge"), place(&shop.files["mill"], "mill_loft"));
    shop.edit("forge", &forge, "at = [44, 44, 0]");
    shop.edit("mill", &loft, "at = [44, 44, 0]");
    let answer = shop.types("Olad", "zone import mill forge");
    assert!(answer.contains("lies where Forge of the zone forge lies"), "{answer}");
}

/// All errors in spawns, triggers and doors are reported together, with line and suggestion.
#[test]
fn zone_file_errors_have_line_and_suggestion() {
    let mut shop = furnished_mill();
    shop.exported("mill");
    shop.edit_all(
        "mill",
        &[
            ("creature = \"rat\"", "creature = \"rta\""),
            ("item = \"clay_lamp\"", "item = \"clay_lmap\""),
            ("door_key = \"brass_ring\"", "door_key = \"bras_ring\""),
            ("if not has brass_ring: give brass_ring", "if not has brass_rng: give brass_rin"),
            ("move mill_loft", "move mill_lofd"),
            ("count = 2", "count = 900"),
            ("\"harbour\", ", "\"har\\u0007bour\", "),
        ],
    );
    let before = shop.table.world().snapshot();
    let answer = shop.types("Olad", "zone import mill");
    shop.assert_errors(
        "mill",
        &answer,
        &[
            ("\"rta\"", "did you mean `rat`?"),
            ("clay_lmap", "did you mean `clay_lamp`?"),
            ("bras_ring", "did you mean `brass_ring`?"),
            ("brass_rng", "unknown item `brass_rng`"),
            ("brass_rng", "unknown item `brass_rin`"),
            ("mill_lofd", "did you mean `mill_loft`?"),
        ],
    );
    for message in ["`count` is 900, expected at most", "`harbour` has characters that no name has"] {
        assert!(answer.contains(message), "{message}\n{answer}");
    }
    assert!(shop.table.world().snapshot().rooms == before.rooms, "something changed");

    // Parse errors are reported before semantic errors.
    shop.edit_all(
        "mill",
        &[
            ("on = \"leave\"", "on = \"laeve\""),
            ("on = \"timer 90\"", "on = \"timer 9\""),
            ("item = \"clay_lmap\"", "item = \"clay_lamp\"\ncreature = \"rat\""),
            ("door = \"hatch of planks\"\n", ""),
        ],
    );
    let answer = shop.types("Olad", "zone import mill");
    for cure in [
        "unknown event `laeve`, expected enter, leave, say WORDS",
        "did you mean `leave`?",
        "`timer` needs 10 to 86400 seconds",
        "`creature` or `item` has to be said, and not both",
        "`door` is missing, whose key or state is said",
    ] {
        assert!(answer.contains(cure), "{cure}\n{answer}");
    }
}

/// Warnings are reported and do not block the import.
#[test]
fn warnings_do_not_block_an_import() {
    let mut shop = furnished_mill();
    shop.exported("mill");
    shop.edit("mill", "\"open up\"", "\"open upp\"");
    let answer = shop.types("Olad", "zone import mill");
    assert!(answer.contains("zero rooms gone") && answer.contains("What may not be meant so:"), "{answer}");
    assert!(answer.contains("no exit `upp` of room `mill_floor` has a door"), "{answer}");
    assert!(answer.contains("did you mean `up`?"), "{answer}");
}

/// Spawns of a file appear immediately, and again after removal.
#[test]
fn imported_spawns_appear_and_respawn() {
    let mut shop = Workshop::with_mill();
    shop.exported("mill");
    shop.edit(
        "mill",
        "\n[[rooms.exits]]\n",
        "\n[[rooms.spawns]]\nitem = \"clay_lamp\"\ncount = 1\nevery_secs = 10\n\n[[rooms.exits]]\n",
    );
    shop.types("Olad", "zone import mill");
    let lamps = |shop: &mut Workshop| {
        let world = shop.table.world();
        world.items.iter().filter(|(_, item)| item.prototype == "clay_lamp").count()
    };
    let before = lamps(&mut shop);
    let room = shop
        .table
        .world()
        .rooms
        .iter()
        .find(|(_, room)| room.area == "mill" && !room.spawns.is_empty())
        .expect("a room")
        .0;
    assert_eq!(shop.table.world().ground(room).len(), 1);
    shop.types("Olad", &format!("goto #{room}"));
    shop.types("Olad", "get lamp");
    for _ in 0..6 {
        shop.table.waits(Span::secs(5));
        shop.table.step(Input::Wake);
    }
    assert_eq!(lamps(&mut shop), before + 1);
}

fn words() -> impl Strategy<Value = String> {
    let plain =
        select(vec!["Mill Floor", "12", "Old \"Cistern\"", "Süd \\ Tor", "a # b", "Nook", "nook", "hatch;x"]);
    prop_oneof![plain.prop_map(str::to_owned), "[A-Za-z0-9 '\\[\\]{}]{1,12}[a-z]"]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        words(),
        Just("One. \\n Two; three.".to_owned()),
        Just(" \u{200b}".to_owned()),
        Just(String::new())
    ]
}

fn exit() -> impl Strategy<Value = &'static str> {
    select(vec!["north", "east", "up", "down", "hatch", "gate;g", "n", "in", "out"])
}

fn script() -> impl Strategy<Value = String> {
    let lines = vec![
        "tell You \"hear\" it.",
        "room It creaks.",
        "10% bruise 1",
        "open north",
        "shut hatch",
        "move square",
        "move #12",
        "move #17",
        "move mill_floor",
        "if not has clay_lamp: give clay_lamp",
        "count steps",
        "if count steps 2: reset steps",
        "spawn rat",
    ];
    vec(select(lines), 1..4).prop_map(|lines| lines.join("; "))
}

/// Returns a strategy of builder commands, valid and invalid.
fn command() -> impl Strategy<Value = String> {
    let event = select(vec![
        "enter", "leave", "say friend;mate", "use bell", "look Door", "timer 60", "clear", "death",
    ]);
    let walk = exit().prop_map(str::to_owned);
    let number = (8..24_u32).prop_map(|number| format!("goto #{number}"));
    let key = select(vec!["brass_ring", "none", "no_key"]);
    let theme = select(vec![
        "theme = well",
        "window = 60",
        "reset_interval = 60",
        "finishable = yes",
        "max_life = 9",
    ]);
    prop_oneof![
        4 => (words(), exit(), exit()).prop_map(|(name, out, back)| format!("dig {name} = {out}, {back}")),
        1 => (words(), exit()).prop_map(|(name, out)| format!("dig {name}:start = {out}, back")),
        2 => (exit(), words()).prop_map(|(way, name)| format!("tunnel {way} = {name}")),
        6 => walk,
        1 => number,
        1 => Just("zone set mill".to_owned()),
        1 => Just("zone set forge".to_owned()),
        2 => words().prop_map(|name| format!("name here = {name};{name};alias")),
        1 => (exit(), words()).prop_map(|(way, name)| format!("name {way} = {name}")),
        1 => text().prop_map(|text| format!("describe here = {text}")),
        1 => (exit(), text()).prop_map(|(way, text)| format!("describe {way} = {text}")),
        2 => (words(), words(), text()).prop_map(|(one, two, text)| format!("detail {one};{two} = {text}")),
        1 => words().prop_map(|word| format!("undetail {word}")),
        1 => (words(), words()).prop_map(|(one, two)| format!("tag here = {one}, {two}")),
        1 => words().prop_map(|word| format!("set here environment = {word}")),
        1 => Just("set here fights = yes".to_owned()),
        1 => Just("shop here = clay_lamp, patched_cap, clay_lamp".to_owned()),
        1 => Just("shop here = none".to_owned()),
        2 => (select(vec!["rat", "clay_lamp", "bat"]), 0..4_u32, 10..99_u32)
            .prop_map(|(what, count, every)| format!("spawn {what} = {count} every {every}")),
        3 => (event, script()).prop_map(|(event, script)| format!("trigger {event} = {script}")),
        3 => (exit(), words()).prop_map(|(way, name)| format!("set {way} door = {name}")),
        1 => (exit(), key).prop_map(|(way, key)| format!("set {way} key = {key}")),
        1 => exit().prop_map(|way| format!("open {way}")),
        1 => (exit(), 8..24_u32).prop_map(|(way, to)| format!("link {way} = #{to}")),
        1 => (exit(), 8..24_u32).prop_map(|(way, to)| format!("open {way} = #{to}")),
        1 => exit().prop_map(|way| format!("open {way}:branch")),
        1 => exit().prop_map(|way| format!("destroy {way}")),
        1 => (8..24_u32).prop_map(|room| format!("destroy #{room}")),
        1 => theme.clone().prop_map(|setting| format!("set here {setting}")),
        1 => theme.prop_map(|setting| format!("set north {setting}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// After any commands, all zones export, import into a new world and export the same bytes; importing into the
    /// original world changes nothing.
    #[test]
    fn exported_zones_import_to_the_same_bytes(commands in vec(command(), 0..40)) {
        let mut shop = Workshop::open();
        for line in ["zone new mill", "zone new forge", "dig Mill Floor = in, out", "in", "zone set mill"] {
            shop.types("Olad", line);
        }
        for line in &commands {
            // An import cannot change the start room of new characters.
            if !line.starts_with("zone set") || *shop.table.room("Olad").key != "square" {
                shop.types("Olad", line);
            }
        }
        // Discards an unfinished text.
        shop.types("Olad", "~");
        let zones = ["forge", "mill", "town"];
        let texts = zones.map(|zone| shop.exported(zone));
        for world in [&mut Workshop::open(), &mut shop] {
            world.files = zones.iter().map(|zone| (*zone).to_owned()).zip(texts.clone()).collect();
            let answer = world.types("Olad", "zone import forge mill town");
            prop_assert!(answer.contains("The zone mill is as its file says"), "{}", answer);
            for (zone, text) in zones.iter().zip(&texts) {
                let again = world.exported(zone);
                prop_assert_eq!(&again, text);
            }
        }
    }
}

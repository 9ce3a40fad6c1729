//! The first minutes: guide, tips, town, and correctness of the help.

use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{RoomId, Span};
use deepwell::game::GameConfig;
use deepwell::game::command::{can_be_typed, dead_words};
use deepwell::world::RoomKind;
use std::collections::BTreeSet;

/// Configures a game with guide and tips, as shipped.
fn guided(seed: u64) -> GameConfig {
    GameConfig { guidance: true, ..seeded(seed) }
}

/// A step is shown once the previous one is completed; steps completed early count.
#[test]
fn guide_steps_advance_when_completed() {
    let mut table = Table::new(guided(1));
    table.sit("Olad");
    assert!(!table.types("Olad", "look").contains("Guide"), "nobody has asked for it");
    assert!(table.types("Olad", "guide").contains("Guide, step 2 of "), "looking has counted");
    assert!(!table.types("Olad", "exits").contains("Guide"), "the current step is another");
    let read = table.types("Olad", "north");
    assert!(read.contains("Guide, step 4 of ") && read.contains("Type: get cap"), "{read}");
    assert!(!table.types("Olad", "look").contains("Guide"), "each step is said once");
    assert!(table.types("Olad", "guide").contains("Guide, step 4 of "));
}

/// Entering the well skips the remaining steps in the town.
#[test]
fn entering_the_well_skips_town_steps() {
    let mut table = Table::new(guided(1));
    table.sit("Olad");
    table.types("Olad", "guide on");
    let read = table.types("Olad", "down");
    assert!(read.contains("Behind each opening a branch grows"), "{read}");
    let read = table.types("Olad", "north");
    let met = read.contains("Guide, step 11 of ") && read.contains("is here");
    assert!(met || read.contains("Unexplored exits lead where nobody has been"), "{read}");
}

/// A new player answers the offer of the guide with yes or no; no other player starts or ends it by a nod.
#[test]
fn offer_of_guide_is_answered_with_yes_or_no() {
    for (answer, expected) in
        [("yes", "Guide, step 1 of "), ("Yes", "Guide, step 1 of "), ("no", "The guide is off.")]
    {
        let mut table = Table::new(guided(1));
        assert!(table.sit("Olad").contains("Type yes or no."));
        assert!(table.types("Olad", answer).contains(expected), "{answer}");
        assert!(table.types("Olad", "yes").contains("You nod"), "after {answer}");
    }
    let mut table = Table::new(guided(1));
    table.sit("Olad");
    let olad = table.id("Olad");
    table.edit_stored(|stored| stored.characters.get_mut(&olad).expect("a stored body").level = 2);
    assert!(table.types("Olad", "yes").contains("You nod"));
}

/// A look into the well before the guide begins passes over no step.
#[test]
fn guide_begins_at_its_first_steps_after_a_look_below() {
    let mut table = Table::new(guided(1));
    table.sit("Olad");
    table.types_all("Olad", &["down", "up"]);
    assert!(table.types("Olad", "guide").contains("Guide, step 1 of "));
}

/// The guide can be turned off, resumed and restarted, persists over restarts, and blocks no command.
#[test]
fn guide_can_be_turned_off_resumed_and_restarted() {
    let mut table = Table::new(guided(1));
    table.sit("Olad");
    assert!(table.types("Olad", "guide off").contains("The guide is off."));
    assert!(!table.types("Olad", "look").contains("Guide"));
    table.types("Olad", "guide on");
    table.types_all("Olad", &["look", "north"]);
    table.restart();
    let read = table.types("Olad", "exits");
    assert!(read.contains("Guide, step 4 of "), "{read}");
    table.types("Olad", "guide off");
    assert!(!table.types("Olad", "down").contains("Guide"));
    assert!(table.types("Olad", "guide on").contains("Guide, step 4 of "));
    assert!(table.types("Olad", "guide again").contains("Guide, step 1 of "));
    assert!(table.types("Olad", "guide sideways").contains("Type guide"));
    table.crash();
    table.comes_back("Olad");
    assert!(table.types("Olad", "guide").contains("Guide, step 1 of "));
}

fn tips(read: &str) -> Vec<&str> {
    read.lines().filter(|line| line.starts_with("Tip: ")).collect()
}

/// Each tip is shown once per character, at most one at a time, also after a restart.
#[test]
fn tips_are_shown_once_and_one_at_a_time() {
    let mut table = Table::new(guided(3));
    table.sit("Olad");
    let read = table.types_all("Olad", &["down", "east"]);
    let mut shown_tips: BTreeSet<String> = tips(&read).into_iter().map(str::to_owned).collect();
    assert_eq!(shown_tips.len(), 1, "{read}");
    let read = table.types("Olad", "look");
    assert_eq!(tips(&read).len(), 0, "the last one is too fresh: {read}");
    for round in 0..200 {
        table.waits(Span::secs(11));
        if round == 100 {
            table.restart();
        }
        let ways = ["north", "east", "south", "west"];
        for line in ["kill rat", "kill goblin", "pull lever", "get all", ways[(round * 7 + round / 5) % 4]] {
            let read = [table.hears("Olad"), table.types("Olad", line)].concat();
            let tips = tips(&read);
            assert!(tips.len() <= 1, "{read}");
            if tips.iter().any(|tip| tip.starts_with("Tip: The room is clear")) {
                let body = &table.world().characters[table.id("Olad")];
                assert!(
                    body.target.is_none() && table.world().rooms[body.room].clear,
                    "not the moment: {read}"
                );
            }
            for tip in tips {
                assert!(shown_tips.insert(tip.to_owned()), "said twice: {tip}");
            }
        }
    }
    assert!(shown_tips.len() >= 3, "{shown_tips:?}");
}

/// The tip about `consider` is shown before a fight, and only to a player who has not used it.
#[test]
fn consider_tip_is_shown_only_before_a_fight() {
    const TIP: &str = "Tip: consider and its name";
    for (types, comes) in [("look", true), ("consider", false), ("kill", false)] {
        let mut table = Table::new(guided(3));
        table.sit("Olad");
        table.becomes("Olad", 500, 0);
        table.types_all("Olad", &["down", "east"]);
        let room = table.body("Olad").room;
        let creature =
            table.world().occupants(room).iter().find(|id| !table.world().characters[**id].is_player());
        let name = table.world().characters[*creature.expect("a guard")].name.clone();
        let line = if types == "look" { types.to_owned() } else { format!("{types} {name}") };
        let mut read = table.types("Olad", &line);
        for _ in 0..12 {
            table.waits(Span::secs(4));
            read.push_str(&table.hears("Olad"));
            read.push_str(&table.types("Olad", "exits"));
        }
        assert_eq!(read.contains(TIP), comes, "{line}: {read}");
    }
}

/// In combat at most one tip is shown per round.
#[test]
fn at_most_one_tip_is_shown_per_round() {
    for seed in 1..=4 {
        let mut table = Table::new(guided(seed));
        table.sit("Olad");
        table.types_all("Olad", &["down", "east"]);
        for _ in 0..60 {
            table.hears("Olad");
            table.waits(Span::secs(3));
            let read =
                [table.types("Olad", "kill rat"), table.types("Olad", "score"), table.hears("Olad")].concat();
            assert!(tips(&read).len() <= 1, "{read}");
            table.types("Olad", "west");
        }
    }
}

/// Tips are not shown if the player turned them off or has reached the level limit.
#[test]
fn tips_end_by_setting_or_at_the_level_limit() {
    let mut table = Table::new(guided(1));
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
    }
    table.types("Olad", "config tips off");
    let bera = table.body("Bera").id;
    table.edit_stored(|stored| {
        stored.characters.get_mut(&bera).expect("a stored body").level = CATALOG.rules.tips.until_level;
    });
    for name in ["Olad", "Bera"] {
        let read = table.types_all(name, &["down", "north"]);
        assert!(tips(&read).is_empty(), "{name}: {read}");
    }
    let read = table.types_all("Cato", &["down", "north"]);
    assert_eq!(tips(&read).len(), 1, "{read}");
    let read = table.types("Olad", "config tips on");
    assert!(read.contains("tips: on"), "{read}");
    assert_eq!(tips(&read).len(), 1, "{read}");
}

/// Guide and tips can be disabled for the server.
#[test]
fn guidance_can_be_disabled_for_the_server() {
    let mut table = Table::new(seeded(1));
    let read = [table.sit("Olad"), table.types("Olad", "down")].concat();
    assert!(!read.contains("guide") && tips(&read).is_empty(), "{read}");
    assert!(table.types("Olad", "guide").contains("Guide, step 9 of "), "a player who asks is answered");
}

/// Every command shown in help, guide and tips is valid.
#[test]
fn guide_and_help_show_only_valid_commands() {
    let mut mistakes: Vec<String> = dead_words(&CATALOG).iter().map(ToString::to_string).collect();
    let can_be_typed = |command: &str| can_be_typed(&CATALOG, command);
    let others = CATALOG.guide.words_to_type().filter(|command| !can_be_typed(command));
    mistakes.extend(others.map(|command| format!("guide or tips: `{command}`")));
    let others = CATALOG.hints.words_to_type().filter(|command| !can_be_typed(command));
    mistakes.extend(others.map(|command| format!("hints: `{command}`")));
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// Help, guide and tips have no unfilled placeholders.
#[test]
fn newcomer_texts_have_no_unfilled_placeholders() {
    let mut mistakes = Vec::new();
    for topic in CATALOG.help.topics() {
        let open = topic.page().text().contains(['{', '}']);
        if open {
            mistakes.push(format!("help {}: a figure is left open", topic.key));
        }
    }
    for text in CATALOG.guide.tips.values().chain(CATALOG.guide.steps.iter().map(|step| &step.words)) {
        if text.text().contains(['{', '}']) {
            mistakes.push(format!("guide or tips: a figure is left open in {}", text.text()));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// Help shows the current numbers of the rules.
#[test]
fn help_shows_the_current_rules() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let rules = &CATALOG.rules;
    let read = table.types("Olad", "help health");
    assert!(read.contains(&format!("a new climber has {}", rules.beginner.hp)), "{read}");
    let read = table.types("Olad", "help resting");
    assert!(read.contains(&format!("at {} percent", rules.healing.rest_percent)), "{read}");
}

/// Returns the town's rooms of one kind.
fn of_kind(table: &Table, kind: RoomKind) -> Vec<RoomId> {
    table.world().rooms.iter().filter(|(_, room)| room.sheet.kind == kind).map(|(id, _)| id).collect()
}

/// Shop, healer and bank can be reached and left on foot, and the shop has stock.
#[test]
fn town_services_can_be_reached_on_foot() {
    for (kind, place) in [(RoomKind::Shop, "shop"), (RoomKind::Healer, "healer"), (RoomKind::Bank, "bank")] {
        let mut table = Table::new(seeded(1));
        table.sit("Olad");
        let rooms = of_kind(&table, kind);
        assert_eq!(rooms.len(), 1, "{place}");
        let way = table.types("Olad", &format!("path {place}"));
        let way =
            way.strip_prefix("The way: ").unwrap_or_else(|| panic!("{place}: {way}")).trim_end_matches('.');
        for step in way.split(", then ") {
            table.types("Olad", step);
        }
        assert_eq!(table.body("Olad").room, rooms[0], "{place}");
        assert!(table.types("Olad", "path square").starts_with("The way: "));
        let room = table.room("Olad");
        assert_eq!(kind == RoomKind::Shop, !room.stock.is_empty());
        assert!(room.stock.iter().all(|key| CATALOG.items.contains_key(key)));
    }
}

/// Details of hand-built rooms can be looked at by any of their nouns.
#[test]
fn room_details_can_be_looked_at() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    assert!(table.types("Olad", "look well").contains("polished by a century of hands"));
    assert_eq!(table.types("Olad", "examine the ring"), table.types("Olad", "look at well"));
    table.types("Olad", "north");
    assert!(table.types("Olad", "look board").contains("It is no shame to come up early."));
    assert!(table.types("Olad", "look dragon").contains("There is no \"dragon\" here."));
    for (area, room) in
        CATALOG.areas.values().flat_map(|area| area.rooms.iter().map(move |room| (area, room)))
    {
        assert!(room.sheet.details.len() >= 3, "{}/{}: little to look at", area.key, room.key);
    }
}

/// A stored world that lacks rooms of the shipped areas gets them at the next start; changes by builders are kept.
#[test]
fn missing_town_rooms_are_added_once_at_start() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let square = table.body("Olad").room;
    let old = ["Well Square", "Climbers' Lodge", "Ropemaker's Yard", "Bottom of the Well"];
    table.edit_stored(|stored| {
        stored.rooms.retain(|_, room| old.contains(&room.sheet.name.as_str()));
        let rooms = &stored.rooms;
        stored.exits.retain(|_, exit| {
            rooms.contains_key(&exit.room) && exit.to.is_none_or(|to| rooms.contains_key(&to))
        });
        stored.start_tasks.retain(|room, _| rooms.contains_key(room));
        stored.characters.retain(|_, body| rooms.contains_key(&body.room));
        for room in stored.rooms.values_mut() {
            room.sheet.details.clear();
            room.supplies.clear();
        }
        stored.rooms.get_mut(&square).expect("the square").sheet.description =
            "Somebody has built a bench.".into();
        stored.meta.as_mut().expect("a stored world").founded.clear();
    });
    let read = table.types("Olad", "look");
    assert!(
        read.contains("built a bench") && read.contains("Exits: north, east, south, west, down"),
        "{read}"
    );
    assert!(table.types("Olad", "look well").contains("polished"));
    assert!(table.types("Olad", "path bank").contains("west, then south"));
    assert_eq!(
        table.types_all("Olad", &["west", "south", "north", "east", "north", "west"]).lines().next(),
        Some("Bonesetter's Room")
    );
    let before = table.world().rooms.len();
    table.make_owner("Olad");
    table.types_all("Olad", &["recall", "destroy Practice Ground"]);
    assert_eq!(table.world().rooms.len(), before - 1);
    table.restart();
    assert_eq!(table.world().rooms.len(), before - 1, "what a builder has destroyed stays so");
}

/// The lodge supplies one cap per character.
#[test]
fn lodge_supplies_one_cap_per_character() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera"] {
        table.sit(name);
        let read = table.types(name, "north");
        assert_eq!(read.matches("patched cap").count(), 1, "{read}");
        assert!(table.types(name, "get cap").contains("patched cap"));
        let read = table.types_all(name, &["south", "north"]);
        assert!(!read.contains("patched cap"), "{read}");
    }
}

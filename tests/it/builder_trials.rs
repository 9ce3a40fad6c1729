//! Builders try what they made: at another hour, after a reset, at a step of a quest, and in a dialogue without effects.

use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

/// Returns all rows but those about time, the audit log, and the last commands of builders.
fn rows(table: &Table) -> Snapshot {
    let snapshot = table.world().snapshot();
    Snapshot { meta: None, audit: BTreeMap::default(), ..snapshot }
}

/// Olad (owner) and Bera in a yard with a shop that opens by day, and a watchman who sleeps there at night.
fn yard() -> Workshop {
    let mut shop = Workshop::open();
    shop.types_all(
        "Olad",
        &[
            "zone new yard",
            "dig Ward = gate, lodge",
            "gate",
            "zone set yard",
            "describe here = Stone.",
            "dig Gate House = up, down",
            "make creature watchman like rat = watchman",
            "set creature watchman behaviours = []",
            "set creature watchman schedule = 0: sleep at yard/ward; 12: at yard/gate_house",
            "up",
            "spawn watchman",
            "down",
            "trigger command sky = if night: tell Stars.; else tell The sun.",
        ],
    );
    shop.table.sit("Bera");
    shop.table.types("Bera", "north");
    shop.table.types("Bera", "gate");
    shop
}

#[test]
fn tried_hour_is_seen_by_the_builder_alone() {
    let mut shop = yard();
    let table = &mut shop.table;
    let before = rows(table);
    for (hour, sky, clock) in
        [("night", "Stars.", "midnight"), ("12", "The sun.", "noon"), ("0", "Stars.", "midnight")]
    {
        assert!(table.types("Olad", &format!("try {hour}")).contains(clock));
        assert!(table.types("Olad", "time").contains(&format!("The last hour that struck was {clock}.")));
        assert!(table.types("Olad", "sky").contains(sky), "{hour}");
    }
    let view = table.types("Olad", "look");
    assert!(view.contains("At midnight, the watchman sleeps here."), "{view}");
    assert!(!table.types("Bera", "look").contains("watchman"));
    table.types("Olad", "try day");
    let sky = table.types("Bera", "sky");
    table.types("Olad", "try night");
    assert_eq!(table.types("Bera", "sky"), sky, "another player has the hour of the town");
    assert!(table.types("Olad", "try off").contains("the hour of the town"));
    assert!(!table.types("Olad", "look").contains("watchman"));
    for no in ["try 24", "try noon"] {
        assert!(table.types("Olad", no).contains("Type try"), "{no}");
    }
    assert!(!table.types("Bera", "try night").contains("For you alone"));
    assert_eq!(rows(table).rooms, before.rooms);
}

#[test]
fn tried_hour_opens_a_shop_for_the_builder_alone() {
    let mut shop = yard();
    let table = &mut shop.table;
    table.types_all("Olad", &["shop here = rye_loaf", "set here open = 11-13"]);
    for (hour, is_open) in [("day", true), ("night", false)] {
        table.types("Olad", &format!("try {hour}"));
        assert_eq!(table.types("Olad", "list").contains("rye loaf"), is_open, "{hour}");
    }
}

#[test]
fn respawn_brings_what_is_missing_at_once() {
    let mut shop = yard();
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &[
            "make item chest = chest",
            "set item chest holds = 2",
            "set item chest class = container",
            "set item chest closes = true",
            "set item chest filled_with = rye_loaf",
            "set up door = hatch",
            "spawn rat = 2 every 3600",
            "spawn chest = 1 every 3600",
            "shop here = clay_lamp 1 copper x1",
            "open hatch",
            "open chest",
        ],
    );
    table.types("Olad", "get loaf from chest");
    table.types("Olad", "destroy rat");
    table.types("Olad", "destroy rat");
    let answer = table.types("Olad", "respawn here now");
    for sentence in
        ["There came two rats.", "One chest is full and shut again.", "One door is as built again."]
    {
        assert!(answer.contains(sentence), "{sentence}: {answer}");
    }
    let answer = table.types("Olad", "respawn yard now");
    assert!(answer.contains("There came nothing, as nothing was missing."), "{answer}");
    for no in ["respawn here", "respawn now", "respawn"] {
        assert!(table.types("Olad", no).contains("Type respawn"), "{no}");
    }
    assert!(table.types("Olad", "respawn nowhere now").contains("There is no room called"));
    assert!(!table.types("Bera", "respawn here now").contains("It is reset."));
}

#[test]
fn quest_is_reset_and_set_to_each_step() {
    let mut shop = yard();
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &[
            "make quest tails = Tails",
            "set quest tails text = The cook counts tails.",
            "set quest tails steps = one kill = \"rat\", text = \"One.\"; two reach = \"yard/ward\", text = \"Two.\"; \
             three script = true, text = \"Three.\"",
            "set quest tails copper = 30",
        ],
    );
    for (step, now) in [
        ("1", "Step 1, one: 0 of 1, now."),
        ("3", "Step 3, three: 0 of 1, now."),
        ("two", "Step 2, two: 0 of 1, now."),
    ] {
        let answer = table.types("Olad", &format!("quest tails step {step}"));
        assert!(answer.contains(now) && answer.matches(", now.").count() == 1, "{step}: {answer}");
    }
    assert!(table.types("Olad", "quest tails step 4").contains("has 3 steps"));
    assert!(table.types("Bera", "quest tails step 1").contains("You know no quest"));
    let answer = table.types("Olad", "quest tails of Bera");
    assert!(answer.contains("Tails of Bera, quest tails") && answer.contains("Not begun."), "{answer}");
    table.types("Olad", "trigger say hunt = start tails");
    table.types("Bera", "say hunt");
    assert!(table.types("Olad", "quest tails of Bera").contains("Begun "));
    assert!(table.types("Olad", "quest tails reset").contains("is forgotten."));
    assert!(table.types("Olad", "quest tails reset").contains("nothing in the quest"));
    assert!(table.types("Bera", "quest tails").contains("Now, 0 of 1: One."), "another player's quest stays");
}

#[test]
fn dialogue_test_tells_lines_and_stores_nothing() {
    let mut shop = yard();
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &[
            "variable new met = flag",
            "make quest talk = Talk",
            "set quest talk text = Talk.",
            "set quest talk steps = one talk = \"keeper\", text = \"Talk.\"",
            "make dialogue keeper = the keeper's talk",
            "dialogue say keeper hello = Well met.",
            "dialogue do keeper hello = set yard/met = yes; give silver_coin",
            "dialogue answer keeper hello = What is below? leads to below",
            "dialogue do keeper hello 1 = start talk; harm 3",
            "dialogue say keeper below = Stairs.",
        ],
    );
    table.types("Olad", "quest talk step 1");
    let before = rows(table).characters;
    let answer = table.types("Olad", "dialogue test keeper");
    for line in
        ["Somebody says: Well met.", "These lines would run", "\nset yard/met = yes\ngive silver_coin"]
    {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    let answer = table.types("Olad", "1");
    assert!(answer.contains("start talk\nharm 3") && answer.contains("Somebody says: Stairs."), "{answer}");
    assert_eq!(rows(table).characters, before);
}

#[test]
fn definitions_of_a_draft_are_listed_with_their_other_uses() {
    let mut shop = yard();
    let table = &mut shop.table;
    table.types_all("Olad", &["make item bell = hand bell", "spawn bell = 1", "trigger enter = item bell"]);
    let answer = table.types("Olad", "zone used by yard");
    assert!(answer.contains("The item bell. Uses elsewhere: none."), "{answer}");
    table.types_all("Olad", &["lodge", "trigger search = item bell", "gate"]);
    let answer = table.types("Olad", "zone used by yard");
    assert!(
        answer.contains("The item bell. Uses elsewhere: ") && !answer.contains("elsewhere: none."),
        "{answer}"
    );
    assert!(table.types("Olad", "zone used yard").contains("Type zone"));
}

//! Achievements: counted from the first deed, told and kept once, with titles to choose.

use crate::explorer::{hero_opens, opens_another_room, unblocks_the_room};
use crate::quests::kill_rat;
use crate::table::{CATALOG, Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::catalog::quest::QuestGoal;
use std::collections::BTreeSet;

fn count(table: &Table, name: &str, key: &str) -> u32 {
    table.body(name).achievements.get(key).map_or(0, |row| row.count)
}

fn is_earned(table: &Table, name: &str, key: &str) -> bool {
    table.body(name).achievements.get(key).is_some_and(|row| row.at.is_some())
}

#[test]
fn deed_is_counted_told_once_and_listed() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["set here fights = yes", "set creature rat attack = 0"]);
    table.sit("Bera");
    table.types("Bera", "north");
    table.becomes("Bera", 500, 90);
    let before = table.types("Bera", "achievements");
    assert!(before.starts_with("Achievements: 0 of 5"), "{before}");
    assert!(!table.types("Olad", "whois bera").contains("Achievements"));
    let message = "You have earned an achievement: First blow.";
    assert!(kill_rat(table, "Bera").contains(message));
    let now = table.now();
    assert!(!kill_rat(table, "Bera").contains(message), "told once");
    table.restart();
    assert_eq!((count(table, "Bera", "hundred"), count(table, "Bera", "first_blood")), (2, 1));
    let list = table.types("Bera", "achievements");
    assert!(list.contains("First blow: Kill a creature. Earned "), "{list}");
    assert!(
        list.contains(&now.utc()[..10]) && list.contains("Kill a hundred creatures. 2 of 100."),
        "{list}"
    );
    assert!(list.len() < table.types("Bera", "achievements all").len());
    let all = CATALOG.achievements.len();
    assert!(table.types("Olad", "whois bera").contains(&format!("Achievements: 1 of {all}.")));
    let export: String = (1..9).map(|page| table.types("Bera", &format!("export {page}"))).collect();
    assert!(export.contains("chievements, first blood, at: "), "{export}");
    assert_eq!(count(table, "Olad", "hundred"), 0, "who stands by has killed nothing");
}

#[test]
fn title_can_be_chosen() {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    let id = table.id("Olad");
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a body");
        (body.level, body.title) = (20, "with wet boots".to_owned());
    });
    // Conditions are looked at with the next deed.
    let answer = table.types("Olad", "north");
    assert!(
        answer
            .contains("You have earned an achievement: Level twenty. You may call yourself the climber now"),
        "{answer}"
    );
    assert_eq!(table.body("Olad").title, "with wet boots", "nobody has to bear it");
    assert!(table.types("Olad", "titles").contains("1. the climber."));
    assert!(table.types("Olad", "title 1").contains("Olad, the climber"));
    for key in ["level_5", "level_10", "level_20"] {
        assert!(is_earned(&table, "Olad", key), "{key}");
    }
}

/// Each room counts once for each player, also with a companion behind.
#[test]
fn rooms_are_counted_at_the_first_visit() {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    crate::explorer::frees_a_captive(&mut table, "Olad");
    let branch = table.branch("Olad").id;
    let rooms = table.rooms_of(branch).len();
    hero_opens(&mut table, "Olad", rooms + 3);
    let seen = table.rooms_of(branch).len();
    assert_eq!(count(&table, "Olad", "rooms_500") as usize, seen);
    assert!(is_earned(&table, "Olad", "rooms_10") == (seen >= 10));
    assert!(is_earned(&table, "Olad", "clear_1"));
}

#[test]
fn house_is_walked_out() {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "west"]);
    let mut last = String::new();
    for _ in 0..300 {
        assert!(!is_earned(&table, "Olad", "house"), "not before the end: {last}");
        unblocks_the_room(&mut table, "Olad");
        while table.body("Olad").target.is_some()
            || crate::explorer::guarded(table.world(), table.room("Olad"))
        {
            table.types("Olad", "kill");
            table.waits(Span::secs(3));
        }
        if !opens_another_room(&mut table, "Olad") || is_earned(&table, "Olad", "house") {
            break;
        }
        last = table.room("Olad").sheet.name.clone();
    }
    assert!(is_earned(&table, "Olad", "house"), "in {last}");
}

/// At least forty are shipped, with different names, and each can be met in the shipped content.
#[test]
fn shipped_achievements_differ_and_can_be_earned() {
    let all = &CATALOG.achievements;
    assert!(all.len() >= 40);
    let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    let titles: Vec<&str> = all.iter().filter_map(|one| one.title.as_deref()).collect();
    assert_eq!(titles.iter().collect::<BTreeSet<_>>().len(), titles.len());
    let met: BTreeSet<&String> = CATALOG.themes.values().flat_map(|theme| &theme.creatures).collect();
    for one in all.iter() {
        match one.goal.as_ref().expect("a goal") {
            QuestGoal::Kill(kinds) => {
                assert!(kinds.iter().all(|kind| kind == "any" || met.contains(kind)), "{}", one.key);
            }
            QuestGoal::Carry(items, _) => {
                assert!(items.iter().all(|item| CATALOG.items.contains_key(item)), "{}", one.key);
            }
            _ => {}
        }
    }
}

//! The village of the tutorial: built by typing the lines of the page, and then visited by a player.

use crate::fences::{Checkable, passages};
use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::game::{Class, Input};

/// Olad (owner) builds the village line by line, as the page says.
pub(crate) fn village() -> Workshop {
    let mut shop = Workshop::open();
    let mut typed = 0;
    for passage in passages("docs/build/village.md") {
        let Checkable::Block(fence) = passage else { continue };
        for line in fence.text.lines().filter(|_| fence.hint == "typed") {
            let session = shop.table.session("Olad");
            for effect in shop.table.results_of(Input::Command { session, line: line.into() }) {
                let answer = shop.carry_out(&effect);
                shop.table.deliver(effect);
                if let Some(answer) = answer {
                    shop.table.step(answer);
                }
            }
            shop.table.read_parts();
            let heard = shop.table.hears_messages("Olad");
            let refused = heard.iter().find(|heard| heard.class == Class::Refusal);
            assert!(refused.is_none(), "{line}: {refused:?}");
            let is_changed = heard.iter().all(|heard| !heard.text.contains("Nothing is changed"));
            assert!(is_changed, "{line}: {heard:?}");
            typed += 1;
        }
    }
    assert!(typed > 150, "{typed}");
    shop
}

/// A player walks to a room of the village.
pub(crate) fn walks(table: &mut Table, who: &str, steps: &[&str]) -> String {
    let mut view = String::new();
    for step in steps {
        view = table.types(who, step);
        assert!(view.contains("Exits: "), "{step}: {view}");
    }
    view
}

#[test]
fn village_of_the_tutorial_has_no_mistakes() {
    let mut shop = village();
    let rooms = shop.table.world().rooms.of_zone("brook").count();
    assert!(rooms >= 27, "{rooms}");
    let answer = shop.table.types("Olad", "check brook");
    assert!(answer.contains("There is nothing to say against the zone brook."), "{answer}");
    let answer = shop.table.types("Olad", "find unused");
    for (line, key) in
        answer.lines().flat_map(|line| ["apple", "tune", "pie", "hostess", "watchman"].map(|key| (line, key)))
    {
        assert!(!line.contains(&format!(", {key}, ")), "{line}");
    }
}

/// The errand, the shop, the tune, the dark crypt, the hidden niche and the chest, from the first word to the reward.
#[test]
fn player_earns_the_key_and_opens_the_chest() {
    let mut shop = village();
    shop.table.sit("Bera");
    walks(&mut shop.table, "Bera", &["north", "mill path"]);
    earns_the_reward(&mut shop.table);
}

/// Bera does the errand of a village and opens the chest, from the green of the village on.
pub(crate) fn earns_the_reward(table: &mut Table) {
    walks(table, "Bera", &["west"]);
    assert!(table.types("Bera", "talk hostess").contains("Sit anywhere. What is it to be?"));
    let answer = table.types("Bera", "1");
    assert!(
        answer.contains("Three apples for a pie") && answer.contains("Quest: A Pie for the Inn."),
        "{answer}"
    );
    walks(table, "Bera", &["east", "south", "south", "south", "west"]);
    let answer = table.types("Bera", "get all.apple");
    assert!(answer.contains("A Pie for the Inn: Find three red apples. Done."), "{answer}");
    let text = walks(table, "Bera", &["east", "north", "north", "north", "west"]);
    assert!(text.contains("The quest A Pie for the Inn is done."), "{text}");
    assert!(table.types("Bera", "inventory").contains("green key"));
    assert!(table.types("Bera", "talk hostess").contains("You again, Bera."));
    buys_a_lamp(table);
    walks(table, "Bera", &["west", "north", "north", "north"]);
    assert!(table.types("Bera", "open hatch").contains("locked"));
    for (rope, answer) in [
        ("long", "answers"),
        ("long", "answers"),
        ("long", "answers"),
        ("short", "answers"),
        ("long", "swings up"),
    ] {
        let reply = table.types("Bera", &format!("tug {rope}"));
        assert!(reply.contains(answer), "{rope}: {reply}");
    }
    let text = walks(table, "Bera", &["down"]);
    assert!(text.contains("It is too dark") && !text.contains("north"), "{text}");
    assert!(table.types("Bera", "recall").contains("recall does not work"));
    let answer = table.types_all("Bera", &["light lamp", "look", "search"]);
    assert!(
        answer.contains("Stone shelves line the walls") && answer.contains("find a way: north"),
        "{answer}"
    );
    walks(table, "Bera", &["north"]);
    let answer = table.types("Bera", "open chest");
    assert!(answer.contains("You open the oak chest with the green key."), "{answer}");
    let answer = table.types("Bera", "get all from chest");
    assert!(answer.contains("coil of rope") && answer.contains("clay lamp"), "{answer}");
}

/// Bera walks from the inn to the chandler, waits until it opens, and buys a lamp.
fn buys_a_lamp(table: &mut Table) {
    walks(table, "Bera", &["east", "south", "east"]);
    let mut hours = 0;
    while table.types("Bera", "list").contains("open again at seven") {
        table.waits(Span::secs(60));
        hours += 1;
        assert!(hours < 1_000, "the shop never opens");
    }
    let answer = table.types("Bera", "list");
    assert!(answer.contains("clay lamp") && answer.contains("three copper"), "{answer}");
    assert!(table.types("Bera", "buy lamp").contains("clay lamp"));
}

#[test]
fn footpad_steps_out_once_and_the_watchman_walks_his_round() {
    let mut shop = village();
    let table = &mut shop.table;
    table.sit("Bera");
    let text = walks(table, "Bera", &["north", "mill path", "south", "south", "east"]);
    assert!(text.contains("somebody steps out with a club"), "{text}");
    assert!(table.types("Bera", "look").contains("toll goblin is here"));
    table.types_all("Bera", &["west", "flee"]);
    let watchman = |table: &Table| {
        let mut bodies = table.world().characters.iter();
        let (_, body) =
            bodies.find(|(_, body)| body.prototype.as_deref() == Some("watchman")).expect("a watchman");
        table.world().rooms[body.room].sheet.name.clone()
    };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        seen.insert(watchman(table));
        table.waits(Span::secs(20));
        if seen.len() > 2 {
            break;
        }
    }
    assert!(seen.len() > 2, "{seen:?}");
}

#[test]
fn galleries_of_the_quarry_lead_into_its_dungeon() {
    let mut shop = village();
    let table = &mut shop.table;
    table.sit("Bera");
    let steps = ["north", "mill path", "south", "south", "south", "west", "west", "gap"];
    walks(table, "Bera", &steps);
    walks(table, "Bera", &["north"]);
    let branch = table.branch("Bera");
    assert!(branch.theme == "quarry", "{}", branch.theme);
    assert!(table.types("Olad", "vault show shed").contains("quarry"));
}

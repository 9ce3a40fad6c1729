//! Dialogues: players choose answers by number or by words, each at a node of their own; builders write them in the game.

use crate::table::{CATALOG, Table};
use crate::workshop::Workshop;
use deepwell::game::Package;
use std::collections::BTreeSet;

/// Olad (owner) in the lodge with a keeper who talks, and Bera in the same room.
fn gatehouse() -> Workshop {
    let mut shop = Workshop::open();
    for line in [
        "variable new met = flag",
        "variable new paid = flag",
        "make dialogue keeper = the keeper's talk",
        "dialogue say keeper hello = What brings you here, {player}?",
        "dialogue do keeper hello = set town/met = yes",
        "dialogue answer keeper hello = What is below? leads to below",
        "dialogue answer keeper hello = I will pay you. leads to thanks",
        "dialogue if keeper hello 2 = has 90 silver_coin and not var town/paid",
        "dialogue do keeper hello 2 = take 90 silver_coin; set town/paid = yes",
        "dialogue answer keeper hello = Nothing.",
        "dialogue say keeper below = Stairs, and worse.",
        "dialogue answer keeper below = Tell me more. leads to hello",
        "dialogue say keeper again = You again.",
        "dialogue say keeper thanks = Much obliged.",
        "dialogue answer keeper again = What is below? leads to below",
        "dialogue start keeper = var town/met leads to again",
        "dialogue topic keeper = well;stairs leads to below",
        "make creature keeper = keeper",
        "set creature keeper dialogue = keeper",
        "set creature keeper hp = 500",
        "spawn keeper",
    ] {
        let answer = shop.table.types("Olad", line);
        for no in ["There is no ", "Type dialogue", "expected"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    shop.table.sit("Bera");
    shop.table.types("Bera", "north");
    shop
}

#[test]
fn answers_are_chosen_by_number_or_by_words() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    table.hears("Olad");
    let begun = table.types("Bera", "talk to keeper");
    let expected =
        "The keeper says: What brings you here, Bera?\n1. What is below?\n2. Nothing.\nType the number";
    assert!(begun.contains(expected), "{begun}");
    assert!(table.hears("Olad").contains("Bera talks with the keeper."));
    let below = table.types("Bera", "what is below");
    assert!(
        below.contains("You say: What is below?\nThe keeper says: Stairs, and worse.\n1. Tell me more."),
        "{below}"
    );
    assert!(table.types("Bera", "1").contains("What brings you here"));
    for no_answer in ["7", "0", "-1", "+1", "1 1", "1-2", "#1", "1st"] {
        let answer = table.types("Bera", no_answer);
        assert!(!answer.contains("You say"), "{no_answer}: {answer}");
    }
    let over = table.types("Bera", "2");
    assert!(over.contains("You say: Nothing."), "{over}");
    assert!(table.types("Bera", "1").contains("There is no command"), "the talk is over");
    // The keeper remembers.
    table.restart();
    assert!(table.types("Bera", "talk").contains("The keeper says: You again."));
    assert!(table.types("Bera", "ask keeper about the stairs").contains("Stairs, and worse."));
    assert!(table.types("Bera", "ask keeper about soup").contains("The keeper knows nothing about soup."));
}

/// An answer whose condition does not hold is not offered, and its lines run once.
#[test]
fn answer_with_a_condition_is_offered_only_then() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    table.types("Olad", "trigger say alms = give 90 silver_coin");
    table.types("Bera", "say alms");
    let purse = table.body("Bera").money.purse;
    let offered = table.types("Bera", "talk keeper");
    assert!(offered.contains("2. I will pay you.\n3. Nothing."), "{offered}");
    let paid = table.types("Bera", "2");
    assert!(paid.contains("The keeper says: Much obliged.") && !paid.contains("1."), "{paid}");
    assert_eq!(purse - table.body("Bera").money.purse, 900);
    table.types("Bera", "talk keeper");
    table.types("Bera", "1");
    assert!(!table.types("Bera", "1").contains("I will pay you."));
}

/// An answer that waits comes before exits, commands and socials of the same words.
#[test]
fn answer_in_words_wins_over_every_other_meaning() {
    let phrases =
        ["North", "s", "Down!", "in", "look", "Smile", "lodge door", "quit", "say yes", "South, then."];
    let mut shop = gatehouse();
    let table = &mut shop.table;
    for answer in phrases {
        table.types("Olad", &format!("dialogue answer keeper hello = {answer} leads to below"));
    }
    table.types("Olad", "dialogue start keeper = none");
    let room = table.body("Bera").room;
    for answer in phrases {
        table.types("Bera", "talk keeper");
        let typed = answer.to_lowercase();
        let reply = table.types("Bera", &typed);
        assert!(reply.contains(&format!("You say: {answer}")), "{typed}: {reply}");
        assert_eq!(table.body("Bera").room, room, "{typed}");
    }
    // Without a waiting answer the words mean what they always mean.
    table.types_all("Bera", &["talk keeper", "nothing"]);
    table.types("Bera", "s");
    assert_ne!(table.body("Bera").room, room);
}

/// Two players talk with one creature, each at a node of their own.
#[test]
fn players_talk_with_one_creature_each_at_their_own_node() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    table.types_all("Bera", &["talk keeper", "1"]);
    assert!(table.types("Olad", "talk keeper").contains("What brings you here, Olad?"));
    assert!(table.types("Bera", "1").contains("What brings you here, Bera?"));
    assert!(table.types("Olad", "1").contains("Stairs, and worse."));
}

#[test]
fn conversation_ends_with_leaving_a_fight_a_lost_link_and_the_creature() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    let is_over = |table: &mut Table| table.types("Bera", "1").contains("There is no command");
    table.types_all("Bera", &["talk keeper", "south", "north"]);
    assert!(is_over(table));
    assert!(table.types("Bera", "talk keeper").contains("The keeper says"));
    table.break_link("Bera");
    table.comes_back("Bera");
    assert!(is_over(table));
    table.types("Bera", "talk keeper");
    table.types("Olad", "destroy keeper");
    assert!(table.types("Bera", "1").contains("have nothing more to say to each other"));
    table.types_all("Olad", &["spawn keeper", "set here fights = yes"]);
    table.types_all("Bera", &["talk keeper", "kill keeper"]);
    assert!(is_over(table));
    assert!(table.types("Bera", "talk keeper").contains("You are fighting."));
}

/// Clients get the node and its answers as data.
#[test]
fn conversation_is_sent_as_data() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    table.wants("Bera", [Package::Character]);
    table.types("Bera", "talk keeper");
    let news = table.news("Bera", "Char.Dialogue");
    let expected = serde_json::json!({
        "name": "The keeper",
        "text": "What brings you here, Bera?",
        "choices": [
            { "number": 1, "text": "What is below?", "command": "1" },
            { "number": 2, "text": "Nothing.", "command": "2" },
        ],
    });
    assert_eq!(news, [expected]);
    table.types("Bera", "2");
    let over = serde_json::json!({ "name": "", "text": "", "choices": [] });
    assert_eq!(table.news("Bera", "Char.Dialogue"), [over]);
}

#[test]
fn dialogue_is_shown_tested_undone_and_checked() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    let sheet = table.types("Olad", "dialogue keeper");
    for line in [
        "The dialogue keeper, the keeper's talk",
        "It begins at again, if var town/met.",
        "hello says: What brings you here, {player}?",
        "hello does: set town/met = yes",
        "hello, answer 1: What is below? It leads to below.",
        "hello, answer 2: I will pay you. It leads to thanks, if has 90 silver_coin and not var town/paid, and does take",
        "hello, answer 3: Nothing. It ends the talk.",
        "Asked about well;stairs: below",
    ] {
        assert!(sheet.contains(line), "{line}: {sheet}");
    }
    assert!(
        table.types("Olad", "dialogue test keeper").contains("Somebody says: What brings you here, Olad?")
    );
    assert!(table.types("Olad", "1").contains("Stairs, and worse."));
    for (line, message) in [
        ("dialogue answer keeper nowhere = Hm.", "the dialogue keeper has no node `nowhere`"),
        ("dialogue if keeper hello 9 = clear", "the node hello of keeper has no answer 9"),
        ("dialogue if keeper hello 1 = rich", "`rich` is no condition"),
        ("dialogue do keeper hello = grant 3", "unknown verb `grant`"),
        ("dialogue do keeper hello = set met = yes", "the variable `met` is of no zone"),
        ("dialogue kept", "There is no dialogue kept."),
        ("dialogue say keeper below = none", "unknown node `below`"),
        ("set creature keeper dialogue = kept", "unknown dialogue `kept`"),
        ("destroy dialogue keeper", "the creature keeper"),
    ] {
        let heard = table.types("Olad", line);
        assert!(heard.contains(message), "{line}: {heard}");
    }
    table.types("Olad", "dialogue say keeper lonely = Nobody hears this.");
    assert!(table.types("Olad", "dialogue keeper").contains("Nothing leads to lonely, which is never said."));
    table.types("Olad", "dialogue answer keeper hello 3 = none");
    assert!(!table.types("Olad", "dialogue keeper").contains("Nothing. It ends"));
    table.types("Olad", "undo");
    assert!(table.types("Olad", "dialogue keeper").contains("Nothing. It ends"));
    let made = shop.types("Olad", "zone export made");
    assert!(made.contains("dialogues/keeper.toml"), "{made}");
    let text = shop.made["dialogues/keeper.toml"].clone();
    assert!(text.contains("[[nodes.choices]]") && text.contains("[[topics]]"), "{text}");
}

/// While nothing can be stored, nobody begins a conversation whose lines could change the world.
#[test]
fn read_only_world_has_no_conversations() {
    let mut shop = gatehouse();
    let table = &mut shop.table;
    table.step(deepwell::game::Input::StorageReadOnly(true));
    table.types("Bera", "talk keeper");
    assert!(!table.world().is_changed());
    table.step(deepwell::game::Input::StorageReadOnly(false));
    assert!(table.types("Bera", "talk keeper").contains("What brings you here"));
}

/// Freed captives answer when they are talked to.
#[test]
fn shipped_captives_answer() {
    let mut shop = gatehouse();
    shop.table.types("Olad", "spawn captive_cook");
    assert!(shop.table.types("Bera", "talk cook").contains("Soup? There is none."));
    let answer = shop.table.types("Bera", "can you fight");
    assert!(answer.contains("With the ladle."), "{answer}");
}

/// No two creatures that talk say the same.
#[test]
fn shipped_creatures_have_words_of_their_own() {
    let mut texts = BTreeSet::new();
    let mut dialogues = BTreeSet::new();
    for creature in CATALOG.creatures.values() {
        let Some(key) = &creature.dialogue else { continue };
        assert!(dialogues.insert(key.clone()), "{}: another creature has the dialogue {key}", creature.key);
        for node in &CATALOG.dialogues[key].nodes {
            assert!(texts.insert(node.text.clone()), "{}: {}", creature.key, node.text);
        }
    }
    assert!(dialogues.len() >= 15);
}

//! Goals that name kinds: which deeds count, what a player is told about those that do not, and what steps pay.

use crate::arena::{arena, changes, enemy};
use crate::quests::{build, kill_rat};
use crate::table::{CATALOG, Table};
use crate::workshop::Workshop;
use deepwell::base::{CharacterId, Span};
use deepwell::catalog::RoomFlag;
use deepwell::catalog::quest::QuestGoal;
use deepwell::world::{Place, QuestStatus};
use std::collections::BTreeSet;

/// Olad (owner) and Bera in the lodge, where fights are allowed and creatures do not fight back.
fn lodge(lines: &[&str]) -> Workshop {
    let mut shop = Workshop::open();
    let mut all = vec![
        "set here fights = yes",
        "set creature rat attack = 0",
        "set creature brood_rat attack = 0",
        "set creature wax_grub attack = 0",
        "make quest tails = Tails",
        "trigger say hunt = start tails",
    ];
    all.extend(lines);
    build(&mut shop.table, &all);
    shop.table.sit("Bera");
    shop.table.types("Bera", "north");
    shop.table.becomes("Bera", 500, 90);
    shop
}

/// Lets Olad create a creature and Bera kill it. Returns what Bera is told.
fn kill(table: &mut Table, key: &str, word: &str) -> String {
    table.types("Olad", &format!("spawn {key}"));
    let mut heard = table.types("Bera", &format!("kill {word}"));
    for _ in 0..20 {
        if table.body("Bera").target.is_none() {
            break;
        }
        table.waits(Span::secs(3));
        heard += &table.hears("Bera");
    }
    heard
}

/// Each goal by key takes a list of kinds, any of which counts.
#[test]
fn goals_name_one_kind_or_several() {
    let mut shop = lodge(&[
        "make creature cook = cook",
        "make creature baker = baker",
        "make item ladle = ladle",
        "make item whisk = whisk",
        "trigger creature baker receive whisk = say A whisk!",
        "trigger item whisk use = tell It is a whisk.",
        "make dialogue flour = flour",
        "make dialogue water = water",
        "set creature baker dialogue = water",
        "trigger say come as come = if here baker: tell Come.",
        "set quest tails steps = kill kill = [\"rat\", \"brood_rat\"], count = 2, text = \"Kill rats.\"; \
         get fetch = [\"ladle\", \"whisk\"], count = 2, text = \"Get tools.\"; \
         use use = [\"ladle\", \"whisk\"], text = \"Use one.\"; \
         give give = [\"ladle\", \"whisk\"], to = [\"cook\", \"baker\"], text = \"Give one.\"; \
         talk talk = [\"flour\", \"water\"], text = \"Talk.\"",
    ]);
    let table = &mut shop.table;
    table.types("Bera", "say hunt");
    assert!(kill(table, "rat", "rat").contains("Kill rats. 1 of 2."));
    assert!(kill(table, "brood_rat", "rat").contains("Kill rats. Done."));
    table.types_all("Olad", &["spawn ladle", "spawn whisk", "spawn baker"]);
    for (line, done) in [
        ("get ladle", "Get tools. 1 of 2."),
        ("get whisk", "Get tools. Done."),
        ("use whisk", "Use one. Done."),
        ("give whisk to baker", "Give one. Done."),
        ("talk baker", "The quest Tails is done."),
    ] {
        let answer = table.types("Bera", line);
        assert!(answer.contains(done), "{line}: {answer}");
    }
}

/// Kills for steps that say "in the dungeon", of each shipped quest: they count in a branch, and in a hand-built room with
/// fights they are explained.
#[test]
fn dungeon_steps_count_no_hand_built_rooms() {
    let mut seen = 0;
    for quest in CATALOG.quests.values() {
        let (name, step) = (&quest.name, &quest.steps[0]);
        let Some(QuestGoal::Kill(kinds)) = step.goal.as_ref().filter(|_| step.dungeon) else { continue };
        seen += 1;
        let counted = format!("{name}: {}", step.text);
        for is_below in [true, false] {
            let mut table = arena();
            let prey = enemy(&table);
            changes(&mut table, prey, |body| {
                (body.prototype, body.name) = (Some(kinds[0].clone()), "prey".into());
                (body.hp, body.attack) = (1, 0);
            });
            table.becomes("Olad", 500, 500);
            table.begins_quest("Olad", &quest.key);
            if !is_below {
                move_to_town(&mut table, prey);
            }
            let mut heard = table.types("Olad", "kill prey");
            for _ in 0..20 {
                table.waits(Span::secs(3));
                heard += &table.hears("Olad");
            }
            assert!(heard.contains("prey is dead"), "{heard}");
            assert_eq!(heard.contains(&counted), is_below, "{heard}");
            let explained = format!("{name}: That does not count here, only in the dungeon.");
            assert_eq!(heard.contains(&explained), !is_below, "{heard}");
        }
    }
    assert!(seen > 0, "no shipped quest has such a step");
}

/// Puts Olad and a creature into the town, where fights are allowed now.
fn move_to_town(table: &mut Table, creature: CharacterId) {
    let (town, olad) = (table.body("Olad").home, table.id("Olad"));
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&town).expect("a room").sheet.flags = BTreeSet::from([RoomFlag::Fights]).into();
        for who in [olad, creature] {
            let body = stored.characters.get_mut(&who).expect("a body");
            (body.room, body.branch) = (town, None);
        }
    });
}

/// A step can be bound to the dungeon only if its goal can be met there.
#[test]
fn dungeon_steps_need_a_goal_of_branches() {
    let mut shop = lodge(&[]);
    for (goal, is_possible) in
        [("kill = \"rat\"", true), ("solve = \"any\"", true), ("reach = \"town/lodge\"", false)]
    {
        let line = format!("set quest tails steps = a {goal}, dungeon = true, text = \"Go.\"");
        let answer = shop.table.types("Olad", &line);
        assert_eq!(answer.contains("never in the dungeon"), !is_possible, "{answer}");
    }
}

/// A deed that looks like a step and does not count is explained.
#[test]
fn deeds_that_do_not_count_are_explained() {
    let mut shop = lodge(&[
        "make creature cook = cook",
        "make creature head_cook = head cook",
        "make item ladle = ladle",
        "make item soup_ladle = soup ladle",
        "make item spoon = spoon",
        "trigger creature head_cook receive spoon = say A spoon!",
        "trigger creature cook receive soup_ladle = say A ladle!",
        "trigger item soup_ladle use = tell It is a ladle.",
        "set quest tails repeat = always",
        "set quest tails steps = rats kill = \"rat\", count = 2, text = \"Kill two rats.\"",
    ]);
    let table = &mut shop.table;
    table.types("Bera", "say hunt");
    let text = kill(table, "brood_rat", "rat");
    assert!(text.contains("Tails: A brood rat does not count, only rats do."), "{text}");
    assert!(kill(table, "rat", "rat").contains("Tails: Kill two rats. 1 of 2."));
    assert!(!kill(table, "wax_grub", "grub").contains("Tails"));

    build(table, &["set quest tails shared = false"]);
    table.sit("Cole");
    table.types("Cole", "north");
    table.types("Cole", "party invite Bera");
    table.types("Bera", "party accept");
    table.becomes("Cole", 500, 90);
    table.types("Cole", "say hunt");
    table.hears("Cole");
    kill(table, "rat", "rat");
    let text = table.hears("Cole");
    assert!(text.contains("Tails: Only what you kill yourself counts."), "{text}");
    table.types("Bera", "party leave");

    for (steps, line, message) in [
        (
            "a use = \"ladle\", text = \"Use a ladle.\"",
            "use soup",
            "A soup ladle does not count, only ladles do.",
        ),
        (
            "a give = \"ladle\", to = \"cook\", text = \"Give the cook a ladle.\"",
            "give soup to cook",
            "A soup ladle does not count, only ladles do.",
        ),
        (
            "a give = \"spoon\", to = \"cook\", text = \"Give the cook a spoon.\"",
            "give spoon to head",
            "A head cook does not count, only cooks do.",
        ),
        (
            "a kill = \"rat\", text = \"Kill a rat.\"; b use = \"soup_ladle\", text = \"Use a ladle.\"",
            "use soup",
            "That does not count yet. First: Kill a rat.",
        ),
        ("a use = \"ladle\", text = \"Stir.\"", "use soup", ""),
    ] {
        build(table, &[&format!("set quest tails steps = {steps}")]);
        table.types_all("Olad", &["spawn soup_ladle", "spawn spoon", "spawn cook", "spawn head_cook"]);
        table.types_all("Bera", &["quest abandon tails", "say hunt", "get all"]);
        let heard = table.types("Bera", line);
        assert_eq!(heard.contains("Tails: "), !message.is_empty(), "{line}: {heard}");
        assert!(heard.contains(message), "{line}: {heard}");
        table.types_all("Bera", &["drop all", "quest abandon tails"]);
    }
}

/// Money, experience and items of a player, and items on the ground around.
fn wealth(table: &Table) -> (i64, i64, usize) {
    let body = table.body("Bera");
    let is_near = |place: Place| place == Place::Holder(body.id) || place == Place::Room(body.room);
    let items = table.world().items.iter().filter(|(_, item)| is_near(item.place));
    (body.money.purse, body.xp, items.map(|(_, item)| item.count as usize).sum())
}

/// Payments of the lines of a step are made once until the quest is done: for each kind of payment, each form of the line, and
/// each way to end the quest early.
#[test]
fn steps_pay_once_until_the_quest_is_completed() {
    const PAYMENTS: [&str; 4] = ["give 50 copper_coin", "give honey_cake", "experience 5", "item honey_cake"];
    const FORMS: [&str; 5] = [
        "PAY",
        "100% PAY",
        "if quest tails active: PAY",
        "tell Wait.; wait 1s; PAY",
        "if not quest tails active: stop; else PAY",
    ];
    const STEPS: &str = "b kill = \"rat\", text = \"Kill a rat.\"";
    let mut shop = lodge(&[
        "set quest tails repeat = always",
        "set quest tails steps = a script = true, text = \"Go on.\"",
        "trigger say on = advance tails a",
    ]);
    let table = &mut shop.table;
    for payment in PAYMENTS {
        for form in FORMS {
            let lines: Vec<String> =
                form.replace("PAY", payment).split("; ").map(|line| format!("{line:?}")).collect();
            let lines = lines.join(", ");
            let steps = format!("a script = true, text = \"Go on.\", lines = [{lines}]; {STEPS}");
            for limit in ["none", "10"] {
                build(
                    table,
                    &[
                        &format!("set quest tails limit_secs = {limit}"),
                        &format!("set quest tails steps = {steps}"),
                    ],
                );
                let round = |table: &mut Table| {
                    table.types("Bera", "say hunt");
                    let answer = table.types("Bera", "say on");
                    assert!(answer.contains("Tails: Go on. Done."), "{answer}");
                    table.waits(Span::secs(2));
                    if limit == "none" {
                        table.types("Bera", "quest abandon tails");
                    } else {
                        table.waits(Span::secs(10));
                    }
                };
                let before = wealth(table);
                round(table);
                let paid = wealth(table);
                assert_ne!(paid, before, "{payment}, {form}");
                table.restart();
                round(table);
                round(table);
                assert_eq!(wealth(table), paid, "{payment}, {form}, {limit}");
                table.types_all("Bera", &["say hunt", "say on"]);
                assert!(kill_rat(table, "Bera").contains("The quest Tails is done."));
                assert_eq!(table.body("Bera").quests["tails"].status, QuestStatus::Done);
                let done = wealth(table);
                round(table);
                assert_ne!(wealth(table), done, "a completed quest pays anew: {payment}, {form}");
                // The next form begins with a quest that has not paid.
                table.types_all("Bera", &["say hunt", "say on"]);
                kill_rat(table, "Bera");
                table.types_all("Bera", &["get all", "drop all"]);
            }
        }
    }
}

/// A tool that the quest itself asks for is given again to a player who has lost it, so that no attempt gets stuck.
#[test]
fn lost_tool_of_a_quest_is_given_again() {
    let mut shop = lodge(&[
        "make item letter = letter",
        "set quest tails steps = a script = true, text = \"Go on.\", lines = [\"give letter\"]; \
         b use = \"letter\", text = \"Read it.\"",
        "trigger say on = advance tails a",
    ]);
    let table = &mut shop.table;
    let letters = |table: &mut Table| table.types("Bera", "inventory").matches("letter").count();
    table.types_all("Bera", &["say hunt", "say on", "quest abandon tails", "say hunt", "say on"]);
    assert_eq!(letters(table), 1, "one is carried already");
    table.types_all("Bera", &["drop letter", "quest abandon tails", "say hunt"]);
    let answer = table.types("Bera", "say on");
    assert!(answer.contains("You had what there is for this step"), "{answer}");
    assert_eq!(letters(table), 1);
}

/// `check` doubts a step whose words fit kinds that do not count, and says nothing once they are named.
#[test]
fn check_doubts_words_that_fit_other_kinds() {
    let mut shop = lodge(&["set quest tails steps = rats kill = \"rat\", text = \"Kill a rat.\""]);
    let answer = shop.table.types("Olad", "check all");
    assert!(
        answer.contains(
            "Doubt: the quest Tails, tails: the step rats says \"Kill a rat.\", \
             which fits what does not count: brood rat and pack rat."
        ),
        "{answer}"
    );
    build(
        &mut shop.table,
        &[
            "set quest tails steps = rats kill = [\"rat\", \"brood_rat\", \"pack_rat\"], text = \"Kill a rat.\"",
        ],
    );
    let answer = shop.table.types("Olad", "check all");
    assert!(!answer.contains("quest"), "{answer}");
}

//! Quests: builders write them in the game; deeds of players complete their steps; the reward is stored with the last deed.

use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::game::Package;
use deepwell::world::QuestStatus;
use serde_json::json;

/// Types lines of a builder, none of which may be refused.
pub(crate) fn build(table: &mut Table, lines: &[&str]) {
    for line in lines {
        let answer = table.types("Olad", line);
        for no in ["There is no ", "Type ", "expected", "Nothing is changed", "unknown"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
}

/// Olad (owner) in the lodge, where fights are allowed, with a quest about rats; Bera in the same room.
pub(crate) fn rat_hunt() -> Workshop {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    build(
        table,
        &[
            "variable new hunts = number",
            "make quest tails = Tails",
            "set quest tails text = The cook counts tails.",
            "set quest tails steps = rats kill = \"rat\", count = 2, text = \"Kill two rats.\"; \
             back reach = \"town/square\", text = \"Go to the square.\"; \
             club fetch = \"club\", text = \"Find a club.\", optional = true",
            "set quest tails experience = 40",
            "set quest tails copper = 30",
            "set quest tails items = honey_cake",
            "set quest tails affect = fed",
            "set quest tails lines = add town/hunts 1",
            "trigger say hunt = if quest tails open: start tails; else tell Not now.",
            "trigger say hunts = tell You have hunted {var:hunts} times.",
            "set here fights = yes",
            "set creature rat attack = 0",
        ],
    );
    table.sit("Bera");
    table.types("Bera", "north");
    table.becomes("Bera", 500, 90);
    shop
}

/// Puts a rat in front of a player, who kills it. Returns what the player is told.
pub(crate) fn kill_rat(table: &mut Table, name: &str) -> String {
    table.types("Olad", "spawn rat");
    let mut heard = table.types(name, "kill rat");
    for _ in 0..20 {
        if heard.contains("is dead") || heard.contains("dies") {
            break;
        }
        table.waits(Span::secs(3));
        heard += &table.hears(name);
    }
    heard
}

#[test]
fn quest_goes_from_step_to_step_and_is_rewarded_once() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    assert!(table.types("Bera", "quests").contains("You have none."));
    let begun = table.types("Bera", "say hunt");
    assert!(begun.contains("Quest: Tails. The cook counts tails."), "{begun}");
    assert!(begun.contains("Tails: Kill two rats. 0 of 2."), "{begun}");
    assert!(table.types("Bera", "say hunt").contains("Not now."));
    table.types("Bera", "south");
    table.types("Bera", "north");
    let killed = kill_rat(table, "Bera");
    assert!(killed.contains("Tails: Kill two rats. 1 of 2."), "{killed}");
    table.restart();
    assert!(table.types("Bera", "quests").contains("Tails: Kill two rats. 1 of 2."));
    let killed = kill_rat(table, "Bera");
    assert!(killed.contains("Tails: Kill two rats. Done."), "{killed}");
    let sheet = table.types("Bera", "quest tails");
    for line in [
        "The cook counts tails.",
        "Done: Kill two rats.",
        "Now, 0 of 1: Go to the square.",
        "If you like, 0 of 1: Find a club.",
    ] {
        assert!(sheet.contains(line), "{line}: {sheet}");
    }
    let (purse, xp) = (table.body("Bera").money.purse, table.body("Bera").xp);
    let done = table.types("Bera", "south");
    assert!(done.contains("The quest Tails is done."), "{done}");
    assert_eq!((table.body("Bera").money.purse - purse, table.body("Bera").xp - xp), (30, 40));
    assert!(table.types("Bera", "inventory").contains("honey cake"));
    assert!(table.body("Bera").affects.iter().any(|affect| affect.key == "fed"));
    table.types("Bera", "north");
    assert!(table.types("Bera", "say hunts").contains("You have hunted 1 times."));
    assert!(table.types("Bera", "say hunt").contains("Not now."));
    assert!(table.types("Bera", "quests").contains("You have completed one quest."));
    assert!(table.types("Bera", "quest tails").contains("You have done it once."));
}

/// A repeated quest opens on the next day; a failed or abandoned one at once.
#[test]
fn quest_is_repeated_abandoned_and_fails_after_its_time() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    build(table, &["set quest tails repeat = daily", "set quest tails limit_secs = 600"]);
    table.types("Bera", "say hunt");
    assert!(table.types("Bera", "quest abandon tails").contains("You give up the quest Tails."));
    assert!(table.types("Bera", "quest abandon tails").contains("You are not on the quest"));
    assert!(table.types("Bera", "quest nonsense").contains("You know no quest \"nonsense\"."));
    table.types("Bera", "say hunt");
    kill_rat(table, "Bera");
    table.waits(Span::secs(700));
    let late = kill_rat(table, "Bera");
    assert!(late.contains("Your time for the quest Tails is over."), "{late}");
    assert_eq!(table.body("Bera").quests["tails"].status, QuestStatus::Failed);
    for _ in 0..2 {
        let begun = table.types("Bera", "say hunt");
        assert!(begun.contains("Quest: Tails."), "{begun}");
        kill_rat(table, "Bera");
        kill_rat(table, "Bera");
        assert!(table.types("Bera", "south").contains("The quest Tails is done."));
        table.types("Bera", "north");
        assert!(table.types("Bera", "say hunt").contains("Not now."));
        table.sleeps(Span::secs(86_400));
        table.restart();
    }
    assert_eq!(table.body("Bera").quests["tails"].times, 2);
}

/// Companions count a kill in a shared quest; otherwise only the slayer counts it.
#[test]
fn kills_of_a_party_count_for_all_in_shared_quests() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    table.sit("Cole");
    table.types("Cole", "north");
    table.types("Bera", "party invite Cole");
    table.types("Cole", "party accept");
    table.types("Bera", "say hunt");
    table.types("Cole", "say hunt");
    table.hears("Cole");
    kill_rat(table, "Bera");
    assert!(table.hears("Cole").contains("Tails: Kill two rats. 1 of 2."));
    build(table, &["set quest tails shared = false"]);
    kill_rat(table, "Bera");
    assert!(table.hears("Cole").contains("Tails: Only what you kill yourself counts."));
    assert!(table.types("Cole", "quest tails").contains("Now, 1 of 2: Kill two rats."));
    assert!(table.types("Bera", "quest tails").contains("Done: Kill two rats."));
}

/// Each kind of goal.
#[test]
fn goals_are_met_by_what_players_do() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    build(
        table,
        &[
            "variable new bells = number",
            "make dialogue cook = the cook's talk",
            "dialogue say cook hello = What now?",
            "make creature cook = cook",
            "set creature cook dialogue = cook",
            "make item ladle = ladle",
            "trigger creature cook receive ladle = say My ladle!",
            "trigger item ladle use = tell It is a ladle.",
            "make quest chores = Chores",
            "set quest chores steps = find fetch = \"ladle\", text = \"Find the ladle.\"; \
             try use = \"ladle\", text = \"Use it.\"; ask talk = \"cook\", text = \"Talk.\"; \
             give give = \"ladle\", to = \"cook\", text = \"Give it back.\"; \
             ring condition = \"var town/bells >= 2\", text = \"Ring twice.\"; \
             last script = true, text = \"Say the word.\"",
            "set quest chores title = the Useful",
            "trigger say chores = start chores",
            "trigger say ring = add bells 1",
            "trigger say please = advance chores last",
            "spawn cook",
        ],
    );
    table.sit("Bera");
    table.types("Bera", "north");
    table.types("Bera", "say chores");
    table.types("Bera", "say please");
    table.types("Olad", "spawn ladle");
    for (line, done) in [
        ("get ladle", "Chores: Find the ladle. Done."),
        ("use ladle", "Chores: Use it. Done."),
        ("talk cook", "Chores: Talk. Done."),
        ("give ladle to cook", "Chores: Give it back. Done."),
        ("say ring", ""),
        ("say ring", "Chores: Ring twice. Done."),
        ("say please", "You may call yourself the Useful now."),
    ] {
        let answer = table.types("Bera", line);
        assert!(answer.contains(done), "{line}: {answer}");
    }
    assert_eq!(table.body("Bera").quests["chores"].status, QuestStatus::Done);
    assert_eq!(table.body("Bera").title, "the Useful");
}

/// A quest that is always open is begun again at once, and a script can end it before its steps are done.
#[test]
fn quest_is_always_open_or_finished_by_a_script() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    build(
        table,
        &[
            "make quest round = Round",
            "set quest round repeat = always",
            "set quest round copper = 10",
            "trigger say round = start round; advance round first",
            "trigger say early = start round; finish round",
        ],
    );
    let purse = table.body("Olad").money.purse;
    for line in ["say round", "say round", "say early"] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("The quest Round is done."), "{line}: {answer}");
    }
    assert_eq!((table.body("Olad").money.purse - purse, table.body("Olad").quests["round"].times), (30, 3));
}

/// A8: a quest that starts itself many times over ends at the limit of lines, and the builder is told.
#[test]
fn a8_quest_that_starts_itself_ends_at_a_limit() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    let lines = ["start loop; advance loop first"; 14].join("; ");
    build(
        table,
        &[
            "make quest loop = Loop",
            "set quest loop repeat = always",
            "trigger say loop = start loop; advance loop first",
            &format!("set quest loop lines = {lines}"),
        ],
    );
    let answer = table.types("Olad", "say loop");
    let reason = "scripts here do more at once, or in a second, than limits.";
    assert_eq!(answer.matches(reason).count(), 1, "{answer}");
    assert!(table.body("Olad").quests["loop"].times < 300);
    assert!(table.types("Olad", "look").contains("Lodge"));
}

/// A8: scripts that begin and end a quest again and again, the next run after the one before, end at the limit of depth.
#[test]
fn a8_quest_that_ends_after_each_script_stops_at_the_depth_limit() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    build(
        table,
        &[
            "variable new due = flag",
            "make quest loop = Loop",
            "set quest loop repeat = always",
            "set quest loop steps = due condition = \"var town/due\", text = \"Wait.\"",
            "set quest loop lines = clear town/due; start loop; set town/due = yes",
            "trigger say loop = clear town/due; start loop; set due = yes",
        ],
    );
    let answer = table.types("Olad", "say loop");
    assert!(answer.contains("scripts set each other off more than 4 deep"), "{answer}");
    assert!(table.body("Olad").quests["loop"].times <= 5);
}

/// Buttons give a quest up by its key, also if the name of another begins with it.
#[test]
fn key_of_a_quest_means_that_quest() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    build(table, &["make quest a_list = Tails of old", "trigger say list = start a_list"]);
    table.types_all("Bera", &["say list", "say hunt"]);
    assert!(table.types("Bera", "quest abandon tails").contains("You give up the quest Tails."));
}

/// The old climber of the shipped town gives a quest to those who ask about rats.
#[test]
fn shipped_quest_is_begun_by_talking() {
    let mut table = Workshop::open().table;
    table.sit("Bera");
    table.types("Bera", "north");
    for line in ["talk climber", "what is it like down there", "and what lives there"] {
        table.types("Bera", line);
    }
    let begun = table.types("Bera", "i could see to three of them");
    assert!(begun.contains("Quest: Fewer rats."), "{begun}");
    assert!(table.types("Bera", "quests").contains("Fewer rats: Kill three rats"));
    let offered = table.types("Bera", "ask climber about rats");
    assert!(!offered.contains("I could see to three"), "{offered}");
}

#[test]
fn active_quests_are_sent_as_data() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    table.wants("Bera", [Package::Quests]);
    assert_eq!(table.news("Bera", "Char.Quests.List"), [json!([])]);
    table.types("Bera", "say hunt");
    let steps = json!([
        { "text": "Kill two rats.", "count": 0, "of": 2, "optional": false },
        { "text": "Find a club.", "count": 0, "of": 1, "optional": true },
    ]);
    let expected = json!([{
        "name": "Tails", "text": "The cook counts tails.", "steps": steps,
        "about": "quest tails", "abandon": "quest abandon tails",
    }]);
    assert_eq!(table.news("Bera", "Char.Quests.List"), [expected]);
    table.types("Bera", "quest abandon tails");
    assert_eq!(table.news("Bera", "Char.Quests.List"), [json!([])]);
}

#[test]
fn builders_are_told_mistakes_and_may_not_remove_a_quest_in_use() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    for (line, message) in [
        ("set quest tails steps = rats kill = \"rta\"", "unknown creature `rta`"),
        ("set quest tails items = clubb", "unknown item `clubb`"),
        ("trigger say x = start tials", "There is no quest \"tials\", did you mean `tails`?"),
        ("trigger say x = advance tails rat", "There is no step \"rat\""),
        ("trigger say x = if quest tails ract: stop", "There is no step \"ract\""),
        ("destroy quest tails", "Lodge"),
    ] {
        let heard = table.types("Olad", line);
        assert!(heard.contains(message), "{line}: {heard}");
    }
    assert!(table.types("Olad", "find quest tail").contains("Tails, tails: used in one room"));
    assert!(!table.types("Olad", "find unused").contains("The quest Tails"));
    build(table, &["trigger say hunt = none"]);
    assert!(table.types("Olad", "find unused").contains("The quest Tails, tails, comes nowhere"));
    table.types_all("Olad", &["destroy quest tails", "undo"]);
    assert!(table.types("Olad", "examine quest tails").contains("set quest tails experience = 40"));
}

/// A creature that joins by a script follows its player; the step is done where the quest wants it, and the creature leaves.
#[test]
fn escorted_creature_is_brought_to_a_room() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    for line in [
        "make creature pilgrim = pilgrim",
        "make quest lost = A Pilgrim in the Lodge",
        "set quest lost text = Bring the pilgrim to the square.",
        "set quest lost steps = way escort = \"pilgrim\", to = \"town/square\", text = \"Bring the pilgrim to the square.\"",
        "set quest lost lines = part pilgrim; tell The pilgrim thanks you.",
        "set quest lost experience = 5",
        "trigger creature pilgrim say come = start lost; join",
        "spawn pilgrim = 1 every 60",
    ] {
        let answer = table.types("Olad", line);
        assert!(!answer.contains("Nothing is") && !answer.contains("There is no"), "{line}: {answer}");
    }
    table.sit("Bera");
    table.types("Bera", "north");
    let answer = table.types("Bera", "say come");
    assert!(
        answer.contains("Quest: A Pilgrim in the Lodge.") && answer.contains("The pilgrim joins you."),
        "{answer}"
    );
    assert!(!table.types("Bera", "say come").contains("joins you"), "a companion does not join again");
    let answer = table.types("Bera", "south");
    assert!(
        answer.contains("The pilgrim thanks you.")
            && answer.contains("The quest A Pilgrim in the Lodge is done."),
        "{answer}"
    );
    assert!(table.types("Bera", "companion").contains("Nobody has joined you."));
    table.waits(Span::secs(90));
    assert!(table.types("Bera", "north").contains("A pilgrim is here."), "another has come");
}

/// `find unused` lists what a quest asks for and no player can come by.
#[test]
fn impossible_steps_are_found() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    for line in [
        "make creature hermit = hermit",
        "make item letter = letter",
        "make quest post = Post",
        "set quest post lines = give letter",
        "set quest post steps = kill kill = \"hermit\", text = \"Kill.\"; read use = \"letter\", text = \"Read.\"; go reach = \"mill/attic\", text = \"Go.\"",
    ] {
        let answer = table.types("Olad", line);
        assert!(!answer.contains("Nothing is"), "{line}: {answer}");
    }
    let answer = table.types("Olad", "find unused");
    assert!(
        answer.contains("The quest Post, post, asks for the creature hermit, which appears nowhere"),
        "{answer}"
    );
    assert!(
        answer.contains("The quest Post, post, asks for the room mill/attic, which appears nowhere"),
        "{answer}"
    );
    assert!(!answer.contains("asks for the thing letter"), "{answer}");
    table.types("Olad", "spawn hermit = 1 every 60");
    let answer = table.types("Olad", "find unused");
    assert!(!answer.contains("asks for the creature hermit"), "{answer}");
}

#[test]
fn one_of_two_alternative_steps_suffices() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    for line in [
        "make quest toll = Toll",
        "set quest toll text = Get past the keeper.",
        "set quest toll steps = fight kill = \"toll_goblin\", text = \"Kill him.\"; pay fetch = \"brass_ring\", alternative = true, text = \"Bring a ring.\"; back reach = \"town/square\", text = \"Go back.\"",
        "trigger say toll = start toll",
        "spawn brass_ring",
    ] {
        let answer = table.types("Olad", line);
        assert!(!answer.contains("Nothing is"), "{line}: {answer}");
    }
    table.sit("Bera");
    let answer = table.types_all("Bera", &["north", "say toll"]);
    assert!(answer.contains("Toll: Kill him.") && answer.contains("Toll: Bring a ring."), "{answer}");
    assert!(table.types("Bera", "quests").contains("Toll: Kill him. Or: Bring a ring."));
    let sheet = table.types("Bera", "quest toll");
    assert!(sheet.contains("Now, 0 of 1: Kill him.\nOr, 0 of 1: Bring a ring.\nLater: Go back."), "{sheet}");
    table.types("Bera", "get ring");
    let sheet = table.types("Bera", "quest toll");
    assert!(sheet.contains("Not needed: Kill him.\nDone: Bring a ring.\nNow, 0 of 1: Go back."), "{sheet}");
    assert!(table.types("Bera", "south").contains("The quest Toll is done."));
}

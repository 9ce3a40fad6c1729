//! Triggers of creatures and items: what players do to one sets off the scripts of its prototype.

use crate::table::{Table, changed_content, seeded};
use crate::workshop::Workshop;

/// Olad (owner) in the lodge with a cook who reacts to everything, and Bera in the same room.
fn kitchen() -> Workshop {
    let mut shop = Workshop::open();
    for line in [
        "variable new fed = number",
        "make creature cook = cook",
        "set creature cook hp = 20",
        "make item ladle = ladle",
        "trigger creature cook greet = say Sit down, {player}.",
        "trigger creature cook leave = tell {Creature} calls after you.",
        "trigger creature cook say hungry;food = emote points at the pot.",
        "trigger creature cook ask soup = say It is thin.",
        "trigger creature cook receive ladle = add town/fed 1; say My ladle! You fed {var:town/fed} of us.; give 2 silver_coin",
        "trigger creature cook receive coins = say {words} coppers, {player}? Thanks.",
        "trigger creature cook attacked = say Out of my kitchen!",
        "trigger creature cook hurt 50 = emote reaches for the cleaver.",
        "trigger creature cook killed = say The soup ...; give ladle",
        "spawn cook",
    ] {
        let answer = shop.table.types("Olad", line);
        for no in ["There is no", "Type ", "expected"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    shop.table.sit("Bera");
    shop
}

#[test]
fn creature_greets_hears_answers_and_calls_after() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    assert!(table.types("Bera", "north").contains("The cook says, \"Sit down, Bera.\""));
    assert!(table.types("Bera", "say I am so hungry!").contains("The cook points at the pot."));
    assert!(table.types("Bera", "ask cook about the soup").contains("\"It is thin.\""));
    let knows_not = table.types("Bera", "ask cook about stairs");
    assert!(knows_not.contains("The cook knows nothing about stairs."), "{knows_not}");
    assert!(table.types("Bera", "talk to cook").contains("only answers questions"));
    assert!(table.types("Bera", "south").contains("The cook calls after you."));
}

/// A creature takes what it has a use for, and rewards each gift once.
#[test]
fn creature_reacts_to_gifts() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types("Bera", "north");
    table.types("Olad", "spawn ladle");
    table.types("Olad", "spawn clay_lamp");
    table.types_all("Bera", &["get ladle", "get lamp"]);
    assert!(table.types("Bera", "give lamp to cook").contains("no use for"));
    let purse = table.body("Bera").money.purse;
    let given = table.types("Bera", "give ladle to cook");
    assert!(given.contains("You give") && given.contains("My ladle! You fed 1 of us."), "{given}");
    assert_eq!(table.body("Bera").money.purse - purse, 20);
    assert!(!table.types("Bera", "give ladle to cook").contains("My ladle!"));
    let paid = table.types("Bera", "give 50 copper to cook");
    assert!(paid.contains("50 coppers, Bera? Thanks."), "{paid}");
    assert_eq!(table.body("Bera").money.purse - purse, -30);
    table.restart();
    table.types("Olad", "spawn ladle");
    table.types("Bera", "get ladle");
    assert!(table.types("Bera", "give ladle cook").contains("You fed 2 of us."));
}

#[test]
fn creature_reacts_to_a_fight_until_it_dies() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types_all("Olad", &["set here fights = yes", "set creature cook attack = 0"]);
    table.types("Bera", "north");
    table.becomes("Bera", 500, 9);
    let mut heard = table.types("Bera", "kill cook");
    for _ in 0..20 {
        table.waits(deepwell::base::Span::secs(5));
        heard += &table.hears("Bera");
    }
    let at = |phrase: &str| heard.find(phrase).unwrap_or_else(|| panic!("{phrase}: {heard}"));
    assert!(at("Out of my kitchen!") < at("reaches for the cleaver"), "{heard}");
    assert!(at("reaches for the cleaver") < at("The soup ..."), "{heard}");
    assert_eq!(heard.matches("reaches for the cleaver").count(), 1);
    assert!(table.types("Bera", "inventory").contains("ladle"));
}

/// Each event of an item, on the ground, in the pack, worn and used; and values of single items.
#[test]
fn item_reacts_to_what_players_do_with_it() {
    let mut shop = Workshop::open();
    for line in [
        "variable new rung = number of item",
        "make item bell = hand bell",
        "set item bell slot = head",
        "set item bell class = armour",
        "trigger item bell get = tell It hums.",
        "trigger item bell drop = room {Creature} clanks.",
        "trigger item bell put = tell It is muffled.",
        "trigger item bell wear = tell It sits badly.",
        "trigger item bell use = add town/rung 1; say Ding {var:town/rung}.",
        "trigger item bell look = if var town/rung > 1: tell It has been rung.",
        "spawn bell",
        "spawn cloth_sack",
    ] {
        let answer = shop.table.types("Olad", line);
        assert!(!answer.contains("There is no") && !answer.contains("expected"), "{line}: {answer}");
    }
    let table = &mut shop.table;
    assert!(table.types("Olad", "get bell").contains("It hums."));
    assert!(table.types("Olad", "use bell").contains("The hand bell says, \"Ding 1.\""));
    assert!(!table.types("Olad", "look bell").contains("It has been rung."));
    assert!(table.types("Olad", "use bell").contains("Ding 2."));
    assert!(table.types("Olad", "examine bell").contains("It has been rung."));
    assert!(table.types("Olad", "wear bell").contains("It sits badly."));
    table.types("Olad", "remove bell");
    assert!(table.types("Olad", "drop bell").contains("The hand bell clanks."));
    table.types_all("Olad", &["get sack", "get bell"]);
    assert!(table.types("Olad", "put bell in sack").contains("It is muffled."));
    table.restart();
    table.types("Olad", "get bell from sack");
    assert!(table.types("Olad", "use bell").contains("Ding 3."), "a value of an item moves with it");
    let shown = table.types("Olad", "variable show rung of bell");
    assert!(shown.contains("town/rung of the hand bell is 3."), "{shown}");
    table.types_all("Olad", &["drop bell", "spawn bell", "get bell"]);
    table.types_all("Olad", &["destroy bell"]);
    assert!(table.world().variables.len() <= 1);
}

/// Prototypes made like another inherit its triggers until they have their own; undo brings the old ones back.
#[test]
fn triggers_of_prototypes_are_inherited_and_undone() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types("Olad", "make creature baker like cook = baker");
    let second = table.types("Olad", "trigger creature baker greet = say And wipe your feet.");
    assert!(
        second.contains("It is set: trigger greet of the creature baker, one line. It runs after the one"),
        "{second}"
    );
    table.types("Olad", "destroy cook");
    table.types("Olad", "spawn baker");
    let heard = table.types("Bera", "north");
    assert!(heard.contains("Sit down, Bera.") && heard.contains("And wipe your feet."), "{heard}");
    table.types("Bera", "south");
    assert!(
        table
            .types("Olad", "trigger creature baker greet = none")
            .contains("Nothing happens any more at greet")
    );
    assert!(!table.types("Bera", "north").contains("Sit down"));
    table.types("Bera", "south");
    table.types_all("Olad", &["undo"]);
    assert!(table.types("Bera", "north").contains("Sit down"));
    let sheet = table.types("Olad", "examine creature baker");
    assert!(sheet.contains("greet"), "{sheet}");
}

#[test]
fn wrong_triggers_of_prototypes_are_refused() {
    let mut shop = kitchen();
    for (line, message) in [
        ("trigger creature cok greet = say Hi.", "There is no creature cok. Did you mean cook?"),
        ("trigger creature cook grete = say Hi.", "There is no event \"grete\""),
        ("trigger creature cook hurt 0 = say Hi.", "There is no event \"hurt 0\""),
        ("trigger item ladle greet = say Hi.", "get, drop, put, wear, use, look, open and close"),
        ("trigger creature cook greet = add fed 1", "the variable `fed` is of no zone, expected `ZONE/fed`"),
        ("trigger creature cook greet = spawn cok", "unknown creature `cok`"),
        ("trigger creature cook greet = once", "`once` is for scripts of rooms"),
        ("trigger creature cook kill = none", "Nothing happens here at kill."),
    ] {
        let heard = shop.table.types("Olad", line);
        assert!(heard.to_lowercase().contains(&message.to_lowercase()), "{line}: {heard}");
    }
}

/// Two creatures that answer each other stop at the depth limit.
#[test]
fn creatures_that_set_each_other_off_stop_at_a_limit() {
    let rat = "inherits = \"rat\"\nname = \"parrot\"\nbehaviours = []\n[[triggers]]\non = \"say again\"\nlines = [\"say Again!\", \"spawn parrot\"]\n";
    let mut table = Table::with_content(seeded(5), &changed_content(&[("mobs/parrot.toml", rat)]));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["north", "spawn parrot", "spawn parrot"]);
    let heard = table.types("Olad", "say again");
    assert!(heard.matches("Again!").count() <= 4, "{heard}");
}

/// One creature keeps its triggers beside those of its kind, and undo takes them back.
#[test]
fn one_creature_has_own_triggers() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types("Olad", "spawn cook");
    let set = table.types("Olad", "trigger this cook greet = say A first for you.; once");
    assert!(set.contains("trigger greet of the cook, two lines"), "{set}");
    let sheet = table.types("Olad", "examine here");
    assert!(sheet.contains("trigger this cook greet = say A first for you.; once"), "{sheet}");
    table.restart();
    let heard = table.types("Bera", "north");
    assert_eq!(
        (heard.matches("Sit down").count(), heard.matches("A first for you").count()),
        (2, 1),
        "{heard}"
    );
    table.types("Bera", "south");
    assert!(!table.types("Bera", "north").contains("A first for you"), "it was once");

    let no = table.types("Olad", "trigger this cook use = say Ding.");
    assert!(no.contains("greet, leave, say WORDS"), "{no}");
    assert!(table.types("Olad", "trigger this ghost greet = say Ding.").contains("ghost"));
    table.types("Olad", "trigger this cook leave = tell The cook waves.");
    assert!(table.types("Bera", "south").contains("The cook waves."));
    assert!(table.types("Olad", "undo").contains("trigger"), "the journal names what was taken back");
    table.types("Bera", "north");
    assert!(!table.types("Bera", "south").contains("The cook waves."));
}

#[test]
fn one_item_has_own_triggers() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["spawn clay_lamp", "spawn clay_lamp"]);
    let unknown = table.types("Olad", "trigger this lamp get = give nothing_such");
    assert!(unknown.contains("nothing_such"), "{unknown}");
    let set = table.types("Olad", "trigger this lamp get = tell It is warm.");
    assert!(set.contains("It is set: trigger get of the clay lamp, one line."), "{set}");
    let heard = table.types("Olad", "get all");
    assert_eq!(heard.matches("It is warm.").count(), 1, "{heard}");
}

/// A creature in a hand-built room acts on ticks while a player is there, and costs nothing otherwise.
#[test]
fn creature_acts_on_ticks_in_hand_built_rooms() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types("Olad", "set creature cook on_tick = emote stirs.");
    table.types("Olad", "trigger creature cook tick = say Soup, {player}.");
    table.waits(deepwell::base::Span::secs(60));
    let heard = table.hears("Olad");
    assert!(heard.contains("The cook stirs.") && heard.contains("\"Soup, Olad.\""), "{heard}");
    table.restart();
    table.hears("Olad");
    table.waits(deepwell::base::Span::secs(60));
    assert!(table.hears("Olad").contains("The cook stirs."), "also after a restart");
    table.types("Olad", "south");
    table.waits(deepwell::base::Span::secs(60));
    table.hears("Olad");
    table.waits(deepwell::base::Span::secs(60));
    assert!(!table.hears("Olad").contains("stirs"), "nobody is there");
    table.types("Olad", "north");
    table.waits(deepwell::base::Span::secs(60));
    assert!(table.hears("Olad").contains("The cook stirs."));
}

/// A first visit lasts until the player leaves the room, and is remembered for each player.
#[test]
fn first_visit_is_told_apart_from_later_ones() {
    let mut shop = kitchen();
    let table = &mut shop.table;
    table.types(
        "Olad",
        "trigger creature cook greet = if first visit: say New here, {player}?; else say You again.",
    );
    table.types("Olad", "trigger say dust = if first visit: tell It is thick.; else tell It has your steps.");
    let heard = table.types("Bera", "north");
    assert!(heard.contains("New here, Bera?"), "{heard}");
    assert!(table.types("Bera", "say dust").contains("It is thick."), "the visit goes on");
    table.types("Bera", "south");
    table.restart();
    assert!(table.types("Bera", "north").contains("You again."));
    assert!(table.types("Bera", "say dust").contains("It has your steps."));
}

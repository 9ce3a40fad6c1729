//! Expeditions: a branch that belongs to its members, over evenings, restarts and crashes.

use crate::explorer::{frees_a_captive, guarded, hero_opens, leads_captive, walks_out, walks_to};
use crate::hoard::{add_money, grant, has, purse, set_money};
use crate::table::{Table, changed_content, seeded};
use deepwell::base::{BranchId, RoomId, Span};
use deepwell::catalog::{BUILTIN, RoomKind};
use deepwell::game::{GameConfig, Output};
use deepwell::world::{Aim, ExitState, Place, RumourEvent};

const DAY: Span = Span::mins(24 * 60);

/// Sits players in the lodge, each with money for supplies.
pub(crate) fn lodge_in(config: GameConfig, names: &[&str]) -> Table {
    let mut table = Table::new(config);
    for name in names {
        table.sit(name);
        table.types(name, "north");
    }
    for name in names {
        add_money(&mut table, name, 2_000);
    }
    table
}

pub(crate) fn lodge(names: &[&str]) -> Table {
    lodge_in(seeded(11), names)
}

/// Olad founds "Long Look" from the north exit of the well, and Bera and Cato join. Dora is a stranger.
pub(crate) fn three_in(config: GameConfig) -> Table {
    let mut table = lodge_in(config, &["Olad", "Bera", "Cato", "Dora"]);
    table.types("Olad", "expedition found 1 map Long Look");
    for name in ["Bera", "Cato"] {
        table.types("Olad", &format!("expedition invite {name}"));
        let answer = table.types(name, "expedition join long");
        assert!(
            answer.starts_with("You belong to Long Look now. The way in is at Bottom of the Well,"),
            "{answer}"
        );
    }
    table
}

pub(crate) fn three() -> Table {
    three_in(seeded(11))
}

/// Returns the branch of the only expedition.
pub(crate) fn the_branch(table: &Table) -> BranchId {
    let (id, _) = table.world().expeditions.iter().next().expect("an expedition");
    id
}

pub(crate) fn goes_down(table: &mut Table, name: &str) {
    walk_to_the_well(table, name);
    let answer = table.types(name, "expedition enter");
    assert!(answer.contains("You move the board with the name of"), "{answer}");
}

pub(crate) fn walk_to_the_well(table: &mut Table, name: &str) {
    table.types_all(name, &["recall", "down"]);
    assert_eq!(table.room(name).sheet.kind, RoomKind::Start);
}

#[test]
fn terms_are_told_before_anything_is_paid() {
    let mut table = lodge(&["Olad"]);
    let offers = table.types("Olad", "expedition new");
    assert!(
        offers.contains("\n1. Bottom of the Well, ")
            && offers.contains("\nrescue: to bring home two captives"),
        "{offers}"
    );
    assert!(offers.contains("Supplies for 21 days cost three gold and one silver."), "{offers}");
    let before = purse(&table, "Olad");
    let terms = table.types("Olad", "expedition new 1 reach Long Look for 7 days");
    for part in [
        "Long Look\nAn expedition to reach a room at depth 12.",
        "Supplies for seven days cost one gold and seven silver.",
        "only you and those whom you invite get in, eight in all",
        "until none of you has been in it for seven days",
        "except three things in the pocket",
        "one platinum and two gold is shared among its members",
        "type expedition found 1 reach Long Look for 7 days.",
    ] {
        assert!(terms.contains(part), "{part}: {terms}");
    }
    assert_eq!((purse(&table, "Olad"), table.world().expeditions.len()), (before, 0));
    let answer = table.types("Olad", "expedition found 1 reach Long Look for 7 days");
    assert!(answer.starts_with("You pay one gold and seven silver,"), "{answer}");
    assert_eq!(before - purse(&table, "Olad"), 170);
    let row = &table.world().expeditions[the_branch(&table)];
    assert_eq!((row.aim, row.target, row.name.as_str()), (Aim::Reach, 12, "Long Look"));
    assert_eq!(table.world().branches[row.branch].max_life, Span::mins(7 * 24 * 60));
    let list = table.types("Olad", "expedition");
    assert!(
        list.starts_with(
            "Long Look\nFor: to reach a room at depth 12; the deepest so far: none, wanted: 12."
        ),
        "{list}"
    );
}

#[test]
fn founding_is_refused_with_the_reason() {
    let mut config = seeded(11);
    config.limits.expeditions = 4;
    config.limits.expeditions_per_character = 2;
    let mut table = lodge_in(config, &["Olad", "Bera", "Cato"]);
    for (typed, refusal) in [
        ("expedition found 99 map Far", "There is no way 99."),
        ("expedition found 1 map Far for 99 days", "Supplies are sold for one day to 42."),
        ("expedition found 1 map Far for 0 days", "Supplies are sold for one day to 42."),
        ("expedition found 1 dance Far", "Type expedition new and the number of a way, a kind and a name"),
        ("expedition found 1 map", "Type expedition new and the number of a way, a kind and a name"),
        ("expedition found 1 map ...", "Give it a name with letters in it."),
        ("expedition found map Far", "That is not a number."),
        ("expedition new 0 map Far", "There is no way 0."),
        ("expedition new -1 map Far", "There is no way -1."),
        ("expedition end", "You lead no expedition."),
        ("expedition enter", "You belong to no expedition."),
        ("expedition join", "Nobody has asked you to come along on an expedition."),
        ("expedition leave", "You belong to no expedition."),
        ("lift", "You belong to no expedition."),
        ("camp", "A camp is pitched in the branch of your expedition."),
    ] {
        let answer = table.types("Olad", typed);
        assert!(answer.contains(refusal), "{typed}: {answer}");
    }
    let long = "x".repeat(61);
    assert!(table.types("Olad", &format!("expedition new 1 map {long}")).contains("60 letters at most"));
    set_money(&mut table, "Bera", 12);
    assert_eq!(
        table.types("Bera", "expedition found 1 map Poor"),
        "You have not got three gold and one silver."
    );
    table.types("Olad", "expedition found 1 map One");
    assert!(table.types("Cato", "expedition found 2 map one").contains("Another expedition is called one"));
    table.types("Olad", "expedition found 2 map Two");
    assert!(
        table.types("Olad", "expedition found 3 map Three").contains("You belong to two expeditions already")
    );
    table.types_all("Cato", &["expedition found 3 map Three", "expedition found 4 map Four"]);
    set_money(&mut table, "Bera", 1_000);
    assert!(table.types("Bera", "expedition found 5 map Five").contains("No supplies are left"));
    table.types("Bera", "south");
    assert!(
        table.types("Bera", "expedition new").contains("Expeditions are founded where supplies are sold")
    );
}

/// An expedition of three over three evenings, with restarts and crashes between: rooms, items, camps and members stay,
/// strangers do not get in, and it ends when its leader says so.
#[test]
fn expedition_lasts_three_evenings_and_ends_as_agreed() {
    let mut config = seeded(11);
    config.dungeon.sleep_after = Span::mins(5);
    let mut table = three_in(config);
    let branch = the_branch(&table);
    grant(&mut table, "Olad", &[("clay_lamp", 1)]);
    for name in ["Olad", "Bera", "Cato"] {
        table.becomes(name, 900, 500);
        goes_down(&mut table, name);
        assert_eq!(table.branch_of(name), Some(branch));
    }
    hero_opens(&mut table, "Olad", 8);
    while !table.room("Olad").clear || !table.room("Olad").sheet.kind.spec().plain {
        let next = table.rooms_of(branch).len() + 1;
        hero_opens(&mut table, "Olad", next);
        table.types("Olad", "kill");
        table.waits(Span::secs(30));
    }
    let text = table.types("Olad", "camp");
    assert!(text.starts_with("You pitch a camp.") && text.contains("You can pitch four more."), "{text}");
    let camp = table.body("Olad").room;
    table.types("Olad", "drop lamp");
    let rooms = table.rooms_of(branch);
    for name in ["Olad", "Bera", "Cato"] {
        table.types(name, "quit");
    }
    // The evening is over: the branch falls asleep, and the server is killed and started twice.
    table.waits(Span::mins(30));
    table.commit();
    assert!(table.world().asleep.has(branch));
    table.crash();
    table.waits(DAY);
    table.crash();

    // The second evening begins in the camp, and with the lamp that was left there.
    let view = table.comes_back("Olad");
    assert!(view.contains("A camp is pitched here") && view.contains("clay lamp"), "{view}");
    assert_eq!((table.body("Olad").room, table.rooms_of(branch)), (camp, rooms));
    table.comes_back("Cato");
    table.types_all("Cato", &["recall now", "quit"]);
    assert_eq!(table.branch_of("Cato"), None);
    table.types("Olad", "quit");
    table.crash();
    table.sleeps(Span::mins(13 * 24 * 60));

    // Two weeks later Cato comes by lift to the camp, Dora is turned away, and all is as it was.
    let text = table.comes_back("Cato");
    assert!(text.contains("Your way below stays open with Long Look: type expedition."), "{text}");
    assert!(!table.comes_back("Dora").contains("stays open with"));
    walk_to_the_well(&mut table, "Cato");
    let answer = table.types("Cato", "lift");
    assert!(answer.contains("the lift lets you down") && table.body("Cato").room == camp, "{answer}");
    walk_to_the_well(&mut table, "Dora");
    assert!(table.types("Dora", "lift long").contains("You belong to no expedition."));
    table.types("Dora", "north");
    assert_ne!(table.branch_of("Dora"), Some(branch));
    assert_eq!(has(&table, "Cato", "clay_lamp"), 0);
    table.types("Cato", "get lamp");
    assert_eq!(has(&table, "Cato", "clay_lamp"), 1);

    // Its leader ends it: told before, and only while no other member is below.
    table.comes_back("Olad");
    let answer = table.types("Olad", "expedition end");
    assert!(
        answer.starts_with("Long Look ends for all its members. Its branch of ")
            && answer.contains("To end it, type expedition end Long Look now."),
        "{answer}"
    );
    assert!(table.types("Olad", "expedition end now").contains("Cato is in its branch just now."));
    table.types("Cato", "recall now");
    table.types("Olad", "expedition end long now");
    assert!(table.hears("Cato").contains("The expedition Long Look is over: its branch has collapsed."));
    assert!(table.world().expeditions.is_empty() && table.world().branches.active(branch).is_none());
    assert!(table.comes_back("Bera").contains("The expedition Long Look is over"));
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Start);
    table.waits(DAY);
    assert!(table.world().branches.get(branch).is_none(), "its rows are deleted");
}

/// No way leads a stranger into the branch of an expedition: not the exit, following, the rope of a party, the words of
/// members, an exit that a builder makes, or a script.
#[test]
fn strangers_do_not_get_in() {
    let ways: &[(&str, &[&str])] = &[
        ("the start exit", &["Dora: north"]),
        ("the word", &["Dora: expedition enter", "Dora: expedition enter Long Look", "Dora: lift long look"]),
        (
            "following",
            &["Olad: party invite dora", "Dora: party accept", "Dora: follow olad", "Olad: expedition enter"],
        ),
        (
            "the rope",
            &["Olad: party invite dora", "Dora: party accept", "Olad: expedition enter", "Dora: rope"],
        ),
        (
            "the exit, with a party below",
            &["Olad: party invite dora", "Dora: party accept", "Olad: expedition enter", "Dora: north"],
        ),
        ("recall", &["Dora: recall"]),
        ("descending", &["Dora: descend", "Dora: enter long look", "Dora: path long look"]),
        ("going to a player", &["Dora: goto olad", "Dora: goto cato"]),
        (
            "a declined invitation",
            &["Olad: expedition invite dora", "Dora: expedition leave", "Dora: expedition enter"],
        ),
        (
            "an invitation that was withdrawn",
            &[
                "Olad: expedition invite dora",
                "Olad: expedition remove dora",
                "Dora: expedition join",
                "Dora: expedition enter",
            ],
        ),
        (
            "leaving",
            &[
                "Olad: expedition invite dora",
                "Dora: expedition join",
                "Dora: expedition leave",
                "Dora: expedition enter",
            ],
        ),
        (
            "being removed",
            &[
                "Olad: expedition invite dora",
                "Dora: expedition join",
                "Olad: expedition remove dora",
                "Dora: lift",
            ],
        ),
        ("an invitation alone", &["Olad: expedition invite dora", "Dora: expedition enter", "Dora: lift"]),
        ("a rescue", &["Dora: rescue cato", "Dora: assist cato"]),
    ];
    for (what, lines) in ways {
        let mut table = three();
        let branch = the_branch(&table);
        for name in ["Olad", "Dora", "Cato"] {
            walk_to_the_well(&mut table, name);
        }
        table.types("Cato", "expedition enter");
        for line in *lines {
            let (name, typed) = line.split_once(": ").expect("a name and a line");
            table.types(name, typed);
        }
        table.waits(Span::mins(2));
        assert_ne!(table.branch_of("Dora"), Some(branch), "{what}");
        assert_ne!(table.room("Dora").branch, Some(branch), "{what}");
        table.restart();
        assert_ne!(table.branch_of("Dora"), Some(branch), "{what}");
        assert_eq!(table.branch_of("Cato"), Some(branch), "{what}");
    }
}

/// A party member outside of the expedition is told why the rope does not bear it.
#[test]
fn rope_of_a_party_refuses_strangers_with_a_sentence() {
    let mut table = three();
    for name in ["Olad", "Dora"] {
        walk_to_the_well(&mut table, name);
    }
    table.types("Olad", "party invite dora");
    table.types("Dora", "party accept");
    table.types("Olad", "expedition enter");
    assert_eq!(
        table.types("Dora", "rope"),
        "This way belongs to an expedition, Long Look. Only its members go in."
    );
}

/// Staff may look into the branch of an expedition; staff views name it.
#[test]
fn staff_see_which_branches_are_expeditions() {
    let mut table = three();
    let branch = the_branch(&table);
    table.make_owner("Dora");
    let list = table.types("Dora", "branch list");
    assert!(list.contains("expedition Long Look, of Olad, Bera and Cato"), "{list}");
    let sheet = table.types("Dora", &format!("branch show {branch}"));
    assert!(sheet.contains(", on all floors together\n"), "{sheet}");
    assert!(sheet.ends_with("It belongs to the expedition Long Look, of Olad, Bera and Cato."), "{sheet}");
    let answer = table.types("Dora", &format!("branch reset {branch}"));
    assert!(answer.contains("It belongs to the expedition Long Look."), "{answer}");
    let dump = table.game().branch_dump(branch).expect("a dump");
    assert_eq!(dump.expedition.as_deref(), Some("Long Look"));
    assert_eq!(table.game().stats().expeditions, 1);
    table.types("Dora", &format!("branch collapse {branch}"));
    assert!(table.world().expeditions.is_empty());
    assert!(table.hears("Bera").contains("The expedition Long Look is over"));
}

/// Without a visit it ends after the agreed time; every visit restarts that time, and members who are away are told.
#[test]
fn expedition_ends_after_the_agreed_time_without_a_visit() {
    for renewed_by in [deepwell::game::RenewedBy::Commands, deepwell::game::RenewedBy::Rooms] {
        let mut config = seeded(11);
        config.dungeon.sleep_after = Span::mins(5);
        config.dungeon.renewed_by = renewed_by;
        let mut table = lodge_in(config, &["Olad", "Bera"]);
        table.types("Olad", "expedition found 1 map Short Look for 2 days");
        table.types("Olad", "expedition invite bera");
        table.types("Bera", "expedition join");
        let branch = the_branch(&table);
        table.types("Bera", "quit");
        table.waits(Span::mins(47 * 60));
        goes_down(&mut table, "Olad");
        table.types_all("Olad", &["look", "west", "recall now"]);
        table.waits(Span::mins(47 * 60));
        assert!(table.world().branches.active(branch).is_some(), "a visit counts: {renewed_by:?}");
        table.restart();
        table.waits(Span::mins(2 * 60));
        assert!(table.world().expeditions.is_empty() && table.world().branches.active(branch).is_none());
        assert!(table.hears("Olad").contains("The expedition Short Look is over"));
        assert!(table.comes_back("Bera").contains("The expedition Short Look is over"));
    }
}

/// A change of the server's settings does not shorten the agreed time, and does not affect ordinary branches less.
#[test]
fn server_settings_do_not_change_the_agreed_time() {
    let mut table = three();
    let branch = the_branch(&table);
    walk_to_the_well(&mut table, "Dora");
    table.types("Dora", "north");
    let ordinary = table.branch("Dora").id;
    let mut config = seeded(11);
    config.dungeon.max_life = Span::mins(30);
    table = Table::resume(config, table.stored().clone(), table.now());
    assert_eq!(table.world().branches[branch].max_life, Span::mins(21 * 24 * 60));
    assert_eq!(table.world().branches[ordinary].max_life, Span::mins(30));
}

#[test]
fn camps_are_limited_to_cleared_plain_rooms_and_rest_is_quick_there() {
    let mut config = seeded(11);
    config.limits.camps = 1;
    let mut table = lodge_in(config, &["Olad", "Bera"]);
    table.types("Olad", "expedition found 1 map Long Look");
    table.becomes("Olad", 900, 500);
    walk_to_the_well(&mut table, "Olad");
    assert!(table.types("Olad", "lift").contains("Long Look has no camp yet"));
    table.types("Olad", "expedition enter");
    let branch = the_branch(&table);
    let (mut refused, mut rooms) = (Vec::new(), 1);
    loop {
        let before = (table.room("Olad").clear, table.room("Olad").sheet.kind);
        let answer = table.types("Olad", "camp");
        if answer.starts_with("You pitch a camp.") {
            assert!(before.0 && (before.1.spec().plain || before.1 == RoomKind::Rest), "{before:?}");
            assert!(answer.contains("It was the last"), "{answer}");
            break;
        }
        refused.push(answer);
        rooms += 1;
        hero_opens(&mut table, "Olad", rooms);
    }
    let camp = table.body("Olad").room;
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Rest);
    assert!(table.types("Olad", "camp").contains("There is a camp here already."));
    let pace = |table: &mut Table| {
        table.types("Olad", "stand");
        let id = table.id("Olad");
        table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a body").hp = 1);
        table.types("Olad", "rest");
        table.waits(Span::mins(1));
        table.game().health(table.id("Olad")).0
    };
    let quick = pace(&mut table);
    hero_opens(&mut table, "Olad", rooms + 1);
    while table.body("Olad").room == camp
        || !table.room("Olad").clear
        || !table.room("Olad").sheet.kind.spec().plain
    {
        let next = table.rooms_of(branch).len() + 1;
        hero_opens(&mut table, "Olad", next);
        table.types("Olad", "kill");
        table.waits(Span::secs(30));
    }
    assert!(table.types("Olad", "camp").contains("Your expedition has canvas for one camp"));
    let slow = pace(&mut table);
    assert!(quick > slow + 5, "{quick} against {slow}");
    // Ordinary branches have no camps of players.
    walk_to_the_well(&mut table, "Bera");
    table.types("Bera", "north");
    assert!(table.types("Bera", "camp").contains("A camp is pitched in the branch of your expedition."));
}

/// Recall out of an expedition tells what it leaves behind, and leaves it there. The way home brings everything.
#[test]
fn recall_leaves_behind_what_is_not_in_the_pocket() {
    let mut table = lodge(&["Olad"]);
    table.types("Olad", "expedition found 1 map Long Look");
    grant(
        &mut table,
        "Olad",
        &[("clay_lamp", 1), ("rat_tail", 3), ("brass_ring", 1), ("goblin_spoon", 1), ("rye_loaf", 1)],
    );
    table.types("Olad", "remove all");
    goes_down(&mut table, "Olad");
    let room = table.body("Olad").room;
    for thing in ["lamp", "tail", "ring"] {
        assert!(table.types("Olad", &format!("pocket {thing}")).starts_with("You put "), "{thing}");
    }
    assert_eq!(
        table.types("Olad", "pocket spoon"),
        "Your safe pocket has room for three things, and it is full."
    );
    let listed = table.types("Olad", "pocket");
    assert!(
        listed.contains("clay lamp") && listed.contains("rat tail") && listed.contains("ring"),
        "{listed}"
    );
    let answer = table.types("Olad", "recall");
    assert!(answer.contains("spoon") && answer.contains("loaf") && !answer.contains("lamp"), "{answer}");
    assert!(answer.ends_with("To recall all the same, type recall now."), "{answer}");
    assert_eq!(table.body("Olad").room, room, "nothing has happened yet");
    table.restart();
    table.types("Olad", "recall now");
    assert_eq!(table.room("Olad").sheet.name, "Well Square");
    let carried = |table: &Table| {
        ["clay_lamp", "rat_tail", "brass_ring", "goblin_spoon", "rye_loaf"].map(|key| has(table, "Olad", key))
    };
    assert_eq!(carried(&table), [1, 3, 1, 0, 0]);
    let ground = table.world().ground(room).iter().map(|item| table.world().items[*item].prototype.clone());
    assert_eq!(ground.collect::<Vec<_>>(), ["goblin_spoon", "rye_loaf"]);
    // What was left is there, and comes home on foot, through the exit back.
    goes_down(&mut table, "Olad");
    table.types("Olad", "get all");
    let back = table.world().exits.of(room).find(|exit| exit.back).expect("a way home").name.clone();
    table.types("Olad", &back);
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Start);
    assert_eq!(carried(&table), [1, 3, 1, 1, 1]);
    // A thing that leaves the hands leaves the pocket.
    table.types_all("Olad", &["drop ring", "get ring"]);
    assert!(!table.types("Olad", "pocket").contains("ring"));
    assert_eq!(table.types("Olad", "pocket lamp"), "You take the clay lamp out of your safe pocket.");
}

/// Coins that were found on the way are left as a pile; those brought along stay in the purse.
#[test]
fn recall_leaves_behind_coins_of_the_run() {
    let mut table = lodge(&["Olad"]);
    table.types("Olad", "expedition found 1 map Long Look");
    goes_down(&mut table, "Olad");
    let (room, id, before) = (table.body("Olad").room, table.id("Olad"), purse(&table, "Olad"));
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a body");
        (body.money.purse, body.money.run) = (body.money.purse + 45, 45);
        stored.meta.as_mut().expect("a world").money.made += 45;
    });
    assert!(table.types("Olad", "recall").contains("four silver and five copper"));
    table.types("Olad", "recall now");
    assert_eq!(purse(&table, "Olad"), before);
    let pile = table.world().ground(room).iter().map(|item| table.world().items[*item].money());
    assert_eq!(pile.sum::<i64>(), 45);
}

/// A bag that is filled in the pocket does not protect what is in it.
#[test]
fn filled_bag_is_not_safe_in_the_pocket() {
    let mut table = lodge(&["Olad"]);
    table.types("Olad", "expedition found 1 map Long Look");
    grant(&mut table, "Olad", &[("satchel", 1), ("goblin_spoon", 1)]);
    table.types("Olad", "remove satchel");
    goes_down(&mut table, "Olad");
    assert!(table.types("Olad", "pocket satchel").starts_with("You put the satchel"));
    table.types("Olad", "put spoon in satchel");
    let answer = table.types("Olad", "recall");
    assert!(answer.contains("a satchel"), "{answer}");
    table.types("Olad", "recall now");
    assert_eq!((has(&table, "Olad", "satchel"), has(&table, "Olad", "goblin_spoon")), (0, 0));
}

/// Recall is refused while a freed captive is led, in every branch. Bringing captives home counts once for each.
#[test]
fn captives_are_led_home_on_foot() {
    let rules = BUILTIN.iter().find(|(path, _)| *path == "rules.toml").expect("the rules").1;
    let rules = rules.replace("rescue_captives = 2", "rescue_captives = 1");
    let content = changed_content(&[("rules.toml", &rules)]);
    for expedition in [false, true] {
        let mut table = Table::with_content(seeded(11), &content);
        table.sit("Olad");
        table.types("Olad", "north");
        add_money(&mut table, "Olad", 2_000);
        table.becomes("Olad", 9_000, 900);
        if expedition {
            table.types("Olad", "expedition found 1 rescue Long Look");
            goes_down(&mut table, "Olad");
        } else {
            table.types_all("Olad", &["recall", "down", "north"]);
        }
        let (branch, olad) = (table.branch("Olad").id, table.id("Olad"));
        frees_a_captive(&mut table, "Olad");
        for typed in ["recall", "recall now"] {
            let answer = table.types("Olad", typed);
            assert!(answer.contains("somebody whom you have freed counts on you"), "{typed}: {answer}");
        }
        assert_eq!(table.branch_of("Olad"), Some(branch));
        walks_out(&mut table, "Olad");
        assert!(!leads_captive(&table, "Olad"));
        let letters = table.world().mails.of(olad).count();
        assert_eq!(letters, usize::from(expedition));
        if expedition {
            assert!(table.world().expeditions[branch].is_accomplished);
            goes_down(&mut table, "Olad");
        }
        assert!(
            table.types("Olad", "recall now").contains("You close your eyes")
                || table.branch_of("Olad").is_none()
        );
    }
}

/// In an ordinary branch, and above, recall costs nothing and asks nothing.
#[test]
fn recall_out_of_ordinary_branches_is_unchanged() {
    let mut table = lodge(&["Olad"]);
    grant(&mut table, "Olad", &[("goblin_spoon", 1)]);
    table.types_all("Olad", &["recall", "down", "north"]);
    assert!(table.branch_of("Olad").is_some());
    assert!(table.types("Olad", "recall").contains("You close your eyes and think of daylight."));
    assert_eq!(
        (table.room("Olad").sheet.name.as_str(), has(&table, "Olad", "goblin_spoon")),
        ("Well Square", 1)
    );
}

/// Each kind of expedition is accomplished once; the reward comes by mail, also to a member whose account is asleep, and a
/// crash neither loses nor repeats it.
#[test]
fn aims_are_accomplished_and_rewarded_exactly_once() {
    let rules = BUILTIN.iter().find(|(path, _)| *path == "rules.toml").expect("the rules").1;
    let easy = ["map_rooms = 60", "reach_depth = 12", "clear_difficulty = 10", "recover_difficulty = 6"];
    let easy = easy.iter().fold(rules.to_owned(), |text, line| {
        let key = line.split(' ').next().expect("a key");
        text.replace(line, &format!("{key} = {}", if key == "map_rooms" { 4 } else { 1 }))
    });
    let content = changed_content(&[("rules.toml", &easy)]);
    for aim in ["map", "reach", "clear", "recover"] {
        let mut config = seeded(11);
        config.limits.absent_after = Span::mins(5);
        let mut table = Table::with_content(config, &content);
        for name in ["Olad", "Bera"] {
            table.sit(name);
            table.types(name, "north");
        }
        add_money(&mut table, "Olad", 2_000);
        table.types("Olad", &format!("expedition found 1 {aim} Long Look for 40 days"));
        table.types("Olad", "expedition invite bera");
        table.types_all("Bera", &["expedition join", "quit"]);
        table.becomes("Olad", 9_000, 900);
        table.waits(Span::mins(30));
        table.commit();
        let bera = table.world().character_by_name("Bera").expect("Bera");
        assert!(table.world().asleep.absent(bera).is_some(), "{aim}: Bera is asleep");
        goes_down(&mut table, "Olad");
        let branch = the_branch(&table);
        let mut rooms = 1;
        while !table.world().expeditions[branch].is_accomplished {
            rooms += 1;
            assert!(rooms < 200, "{aim}");
            hero_opens(&mut table, "Olad", rooms);
        }
        let is_told = |output: &Output| matches!(output, Output::Text(_, text) if text.text().contains("Your expedition Long Look has done"));
        assert_eq!(table.tape().iter().filter(|output| is_told(output)).count(), 1, "{aim}");
        let letters = |table: &Table, who| table.world().mails.of(who).count();
        let olad = table.id("Olad");
        assert_eq!((letters(&table, olad), letters(&table, bera)), (1, 1), "{aim}");
        table.restart();
        hero_opens(&mut table, "Olad", rooms + 3);
        assert_eq!((letters(&table, olad), letters(&table, bera)), (1, 1), "{aim}");
        let paid = table.world().attached(table.world().mails.of(bera).next().expect("a mail").id);
        assert_eq!(paid.iter().map(|item| table.world().items[*item].money()).sum::<i64>(), 600, "{aim}");
        let view = table.comes_back("Bera");
        assert!(view.contains("one unread mail"), "{aim}: {view}");
        let letter = table.types("Bera", "mail 1");
        assert!(
            letter.contains("from the Climbers' Lodge")
                && letter.contains("The lodge: Long Look has done")
                && letter.contains("With it: six gold coins."),
            "{letter}"
        );
        let before = purse(&table, "Bera");
        table.types("Bera", "mail take 1");
        assert_eq!(purse(&table, "Bera") - before, 600, "{aim}");
        let rumours = &table.world().meta().tidings;
        let is_it = |event: &RumourEvent| matches!(event, RumourEvent::Expedition { name, .. } if name == "Long Look");
        assert_eq!(rumours.iter().filter(|one| is_it(&one.event)).count(), 1, "{aim}");
    }
}

/// A deleted character leaves its expeditions: the next member leads, and the last one ends it.
#[test]
fn deleted_characters_leave_their_expeditions() {
    let mut config = seeded(11);
    config.dungeon.sleep_after = Span::mins(5);
    let mut table = three_in(config);
    let branch = the_branch(&table);
    table.types("Olad", "expedition invite dora");
    let data = table.types("Bera", "export 2");
    assert!(data.contains("Expedition 1: ") && data.contains("name: Long Look"), "{data}");
    table.make_owner("Dora");
    table.waits(Span::mins(30));
    table.commit();
    assert!(table.world().asleep.has(branch));
    for (name, leader) in [("Olad", "Bera"), ("Bera", "Cato")] {
        delete(&mut table, name);
        let row = &table.world().expeditions[branch];
        assert_eq!(table.world().name_of(row.leader), Some(leader));
    }
    delete(&mut table, "Cato");
    assert!(table.world().expeditions.is_empty());
    table.crash();
    table.waits(Span::mins(120));
    assert!(table.world().branches.active(branch).is_none(), "the branch has collapsed");
}

pub(crate) fn delete(table: &mut Table, name: &str) {
    let session = table.session(name);
    let account = table.account(name);
    table.step(deepwell::game::Input::DeleteAccount { session, account });
}

/// The start exit of an expedition cannot be destroyed, also while its branch is empty.
#[test]
fn start_exit_of_an_expedition_is_in_use() {
    let mut table = three();
    table.make_owner("Dora");
    table.types_all("Dora", &["recall", "down"]);
    let exit = table.world().branches[the_branch(&table)].start_exit;
    let name = table.world().exits[exit].name.clone();
    let answer = table.types("Dora", &format!("destroy {name}"));
    assert!(answer.contains("belongs to an expedition"), "{answer}");
    // A draft without the exit is refused in the same words, which its preview tells.
    table.allows_any_work();
    for line in ["zone draft town".to_owned(), format!("destroy {name}")] {
        table.types("Dora", &line);
    }
    let why =
        "people are in a branch of that exit, or it belongs to an expedition; collapse it first, or wait";
    let preview = table.types("Dora", "zone publish");
    assert!(preview.contains("zone publish now is refused") && preview.contains(why), "{preview}");
    assert!(!preview.contains("now does it"), "{preview}");
    let answer = table.types("Dora", "zone publish now");
    assert!(answer.contains(why) && table.world().exits.get(exit).is_some(), "{answer}");
}

/// Invitations and membership are the same for the ignored, the muted and guests as elsewhere.
#[test]
fn ignored_leader_is_not_heard_and_muted_player_names_nothing() {
    let mut table = three();
    table.types("Dora", "ignore olad");
    table.hears("Dora");
    table.types("Olad", "expedition invite dora");
    assert_eq!(table.hears("Dora"), "");
    table.make_owner("Cato");
    table.types("Cato", "mute dora 10m shouting");
    let answer = table.types("Dora", "expedition new 2 map Rude Words");
    assert!(answer.to_lowercase().contains("muted"), "{answer}");
}

/// Rooms of an expedition keep dropped items and stay clear over a restart.
#[test]
fn rooms_stay_as_they_were_left() {
    let mut table = lodge(&["Olad"]);
    table.types("Olad", "expedition found 1 map Long Look");
    let lamp = grant(&mut table, "Olad", &[("clay_lamp", 1)])[0];
    table.becomes("Olad", 900, 500);
    goes_down(&mut table, "Olad");
    let (branch, first) = (the_branch(&table), table.body("Olad").room);
    table.types("Olad", "drop lamp");
    hero_opens(&mut table, "Olad", 6);
    let clear = |table: &Table| -> Vec<(RoomId, bool)> {
        table.rooms_of(branch).into_iter().map(|room| (room, table.world().rooms[room].clear)).collect()
    };
    let before = clear(&table);
    table.types("Olad", "recall now");
    table.restart();
    table.sleeps(DAY);
    table.waits(DAY);
    assert_eq!((clear(&table), table.world().items[lamp].place), (before, Place::Room(first)));
    goes_down(&mut table, "Olad");
    walks_to(&mut table, "Olad", first);
}

/// Returns the line that walks from the town to the way of this week, and the exit of the way.
pub(crate) fn walk_to_the_weekly_way(table: &mut Table, name: &str) {
    let page = table.types(name, "expedition weekly");
    let line = if page.contains("The way: Old Cistern") { "south" } else { "down" };
    table.types_all(name, &["recall", line, "down"]);
    assert_eq!(table.room(name).sheet.kind, RoomKind::Start);
}

/// Tries the unexplored exits that a player can reach, until the rule of the day stops it, with as many rooms.
fn stops_opening(table: &mut Table, name: &str, rooms: usize) {
    let branch = the_branch(table);
    let unexplored = |table: &Table, room: RoomId| {
        let mut exits = table.world().exits.of(room);
        exits.find(|exit| exit.state == ExitState::Unexplored).map(|exit| exit.name.clone())
    };
    for _ in 0..60 {
        while table.body(name).target.is_some() || guarded(table.world(), table.room(name)) {
            table.types(name, "kill");
            table.waits(Span::secs(3));
        }
        if let Some(way) = unexplored(table, table.body(name).room)
            && table.types(name, &way).contains("You have opened three rooms of the weekly survey today.")
        {
            return assert_eq!(table.rooms_of(branch).len(), rooms);
        }
        let open = |room: &RoomId| table.world().rooms[*room].clear && unexplored(table, *room).is_some();
        let next = table.rooms_of(branch).into_iter().find(open).expect("an unexplored exit");
        walks_to(table, name, next);
    }
    panic!("{name} is not stopped");
}

/// The weekly expedition: all players join it, each opens a few rooms on a day, the map is common, its end is told in the
/// square with names, each who helped is paid once, and it ends with the week.
#[test]
fn weekly_expedition_is_uncovered_by_all_and_ends_with_the_week() {
    let rules = BUILTIN.iter().find(|(path, _)| *path == "rules.toml").expect("the rules").1;
    let rules = rules
        .replace("weekly_rooms = 300", "weekly_rooms = 8")
        .replace("weekly_rooms_per_day = 12", "weekly_rooms_per_day = 3");
    let content = changed_content(&[("rules.toml", &rules)]);
    let mut config = seeded(11);
    config.dungeon.sleep_after = Span::mins(5);
    let mut table = Table::with_content(config, &content);
    for name in ["Olad", "Bera", "Cato", "Dora"] {
        table.sit(name);
    }
    for name in ["Olad", "Bera", "Cato"] {
        table.becomes(name, 9_000, 900);
    }
    let page = table.types("Olad", "expedition weekly");
    assert!(page.contains("For everybody: to map eight rooms. Open: 0."), "{page}");
    assert!(table.types("Olad", "expedition enter weekly").contains("The way of this week is at"));
    for name in ["Olad", "Bera"] {
        walk_to_the_weekly_way(&mut table, name);
        assert!(table.types(name, "expedition enter weekly").contains("Weekly Survey"), "{name}");
    }
    let branch = the_branch(&table);
    assert_eq!(table.branch_of("Bera"), Some(branch));
    hero_opens(&mut table, "Olad", 4);
    stops_opening(&mut table, "Olad", 4);
    // Bera sees on the map what Olad has seen.
    let bera = table.types("Bera", "map");
    assert!(!bera.contains("Not seen by you"), "{bera}");
    table.restart();
    stops_opening(&mut table, "Olad", 4);
    hero_opens(&mut table, "Bera", 7);
    assert!(!table.world().expeditions[branch].is_accomplished);
    let hidden = table.types("Bera", "config fame off");
    assert!(hidden.contains("fame"), "{hidden}");
    table.waits(DAY);
    table.hears("Dora");
    hero_opens(&mut table, "Olad", 8);
    let square = table.hears("Dora");
    assert!(square.contains("Weekly Survey is done: all eight rooms are open. It was Olad."), "{square}");
    let letters = |table: &Table, name| table.world().mails.of(table.id(name)).count();
    assert_eq!(["Olad", "Bera", "Cato", "Dora"].map(|name| letters(&table, name)), [1, 1, 0, 0]);
    table.restart();
    hero_opens(&mut table, "Olad", 9);
    assert_eq!(letters(&table, "Olad"), 1);
    // The week is over: the branch collapses although players are active in it, and another way is open.
    let end = table.now().end_of_week();
    while table.now() < end {
        table.types("Olad", "look");
        table.waits(Span::mins(60));
    }
    table.waits(Span::mins(61));
    assert!(table.world().expeditions.is_empty() && table.branch_of("Olad").is_none());
    walk_to_the_weekly_way(&mut table, "Cato");
    table.types("Cato", "expedition enter weekly");
    assert_eq!(table.branch_of("Cato"), Some(the_branch(&table)));
}

/// With no members allowed there is no weekly expedition, and no other expedition can have its name.
#[test]
fn weekly_expedition_is_limited_and_its_name_reserved() {
    let mut config = seeded(11);
    config.limits.weekly_members = 1;
    let mut table = lodge_in(config, &["Olad", "Bera"]);
    assert!(
        table
            .types("Olad", "expedition new 1 map Weekly Walk")
            .contains("Only the expedition of everybody is called weekly.")
    );
    walk_to_the_weekly_way(&mut table, "Olad");
    table.types("Olad", "expedition enter weekly");
    assert!(table.branch_of("Olad").is_some());
    walk_to_the_weekly_way(&mut table, "Bera");
    assert!(
        table
            .types("Bera", "expedition enter weekly")
            .contains("The weekly survey has one member, and there is room for no more.")
    );
    assert_eq!(table.branch_of("Bera"), None);
    for typed in [
        "expedition end weekly now",
        "expedition invite bera to weekly",
        "expedition remove bera from weekly",
    ] {
        assert_eq!(table.types("Olad", typed), "You lead no expedition.", "{typed}");
    }
    let mut config = seeded(11);
    config.limits.weekly_members = 0;
    let mut table = lodge_in(config, &["Olad"]);
    assert_eq!(table.types("Olad", "expedition weekly"), "There is no weekly expedition here.");
}

//! Company on expeditions: names, invitations, followers, leaving, and what members are told.

use crate::expeditions::{goes_down, lodge, the_branch, three, three_in, walk_to_the_well};
use crate::explorer::hero_opens;
use crate::hoard::{grant, purse, set_room_kind};
use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::catalog::RoomKind;

/// Brings a member to a cleared room without attractions.
fn comes_to_a_plain_room(table: &mut Table, name: &str) {
    let branch = the_branch(table);
    while !table.room(name).clear || !table.room(name).sheet.kind.spec().plain {
        let next = table.rooms_of(branch).len() + 1;
        hero_opens(table, name, next);
        table.types(name, "kill");
        table.waits(Span::secs(30));
    }
}

/// Lets others of the expedition follow Olad.
fn follow_olad(table: &mut Table, names: &[&str]) {
    for name in names {
        table.types("Olad", &format!("party invite {name}"));
        table.types_all(name, &["party accept", "follow olad"]);
    }
}

/// A natural resting room takes a camp, once.
#[test]
fn camp_is_pitched_in_a_natural_resting_room() {
    let mut table = three();
    table.becomes("Olad", 900, 500);
    goes_down(&mut table, "Olad");
    comes_to_a_plain_room(&mut table, "Olad");
    set_room_kind(&mut table, "Olad", RoomKind::Rest, &[]);
    let answer = table.types("Olad", "camp");
    assert!(answer.starts_with("You pitch a camp."), "{answer}");
    assert_eq!(table.types("Olad", "camp"), "There is a camp here already.");
}

/// The way home of an expedition is no farewell, because its members come back.
#[test]
fn way_home_is_not_called_one_way() {
    let mut table = three();
    goes_down(&mut table, "Olad");
    let room = table.body("Olad").room;
    let back = table.world().exits.of(room).find(|exit| exit.back).expect("a way home").name.clone();
    for typed in ["exits".to_owned(), "map".to_owned(), format!("look {back}")] {
        let answer = table.types("Olad", &typed);
        assert!(!answer.contains("one-way") && !answer.contains("come back by it"), "{typed}: {answer}");
    }
    assert!(table.types("Olad", "exits").contains("the way you came"));
}

/// A leader of several says which one is meant, by a word of its name; the refusal tells the lines to type.
#[test]
fn leader_of_several_names_the_one_that_is_meant() {
    let mut table = lodge(&["Olad", "Bera"]);
    table.types_all("Olad", &["expedition found 1 map Long Look", "expedition found 2 map Maze Hunt"]);
    assert_eq!(
        table.types("Olad", "expedition invite bera"),
        "You may mean several. Type expedition invite Bera to Long Look, or expedition invite Bera to Maze Hunt."
    );
    for (typed, message) in [
        ("expedition invite bera maze hunt", "You ask Bera to come along on Maze Hunt."),
        ("expedition remove bera", "The invitation of Bera is over."),
        ("expedition invite bera hunt", "You ask Bera to come along on Maze Hunt."),
        ("expedition remove bera maze hunt", "The invitation of Bera is over."),
        ("expedition remove bera", "Nobody called \"bera\" belongs to Long Look and Maze Hunt."),
        ("expedition invite bera to look", "You ask Bera to come along on Long Look."),
        ("expedition invite bera to hunt", "You ask Bera to come along on Maze Hunt."),
        (
            "expedition remove bera",
            "You may mean several. Type expedition remove bera from Long Look, or expedition remove bera from Maze Hunt.",
        ),
        ("expedition remove bera from look", "The invitation of Bera is over."),
    ] {
        assert_eq!(table.types("Olad", typed), message, "{typed}");
    }
}

/// `expedition enter` offers those that start here, and finds one from any word of its name on.
#[test]
fn expedition_is_found_from_any_word_of_its_name() {
    let mut table = lodge(&["Olad"]);
    for line in ["1 map Long Look", "2 map Maze Hunt", "5 map Far Walk"] {
        table.types("Olad", &format!("expedition found {line}"));
    }
    walk_to_the_well(&mut table, "Olad");
    assert_eq!(
        table.types("Olad", "expedition enter"),
        "You may mean several. Type expedition enter Long Look, or expedition enter Maze Hunt."
    );
    assert!(table.types("Olad", "expedition enter walk").contains("The way in to Far Walk is at"));
    let answer = table.types("Olad", "expedition enter hunt");
    assert!(answer.contains("You move the board with the name of Maze Hunt aside"), "{answer}");
}

/// Members who follow come along by both ways in; others, and those who cannot, are told why they stay.
#[test]
fn followers_come_along_or_are_told_why_not() {
    let mut table = three();
    table.becomes("Olad", 900, 500);
    let branch = the_branch(&table);
    for name in ["Olad", "Bera", "Cato", "Dora"] {
        walk_to_the_well(&mut table, name);
    }
    follow_olad(&mut table, &["Bera", "Cato", "Dora"]);
    for typed in ["expedition enter", "lift"] {
        table.types("Cato", "rest");
        for name in ["Bera", "Cato", "Dora"] {
            table.hears(name);
        }
        let answer = table.types("Olad", typed);
        assert!(answer.contains("Dora cannot come along and stays behind."), "{typed}: {answer}");
        assert!(answer.contains("Cato sits and rests and stays behind."), "{typed}: {answer}");
        let bera = table.hears("Bera");
        assert!(bera.contains("You go with Olad."), "{typed}: {bera}");
        assert_eq!(table.body("Bera").room, table.body("Olad").room, "{typed}");
        assert!(table.hears("Cato").contains("Olad goes on without you: you sit and rest."), "{typed}");
        let dora = table.hears("Dora");
        assert!(
            dora.contains("goes on without you: This way belongs to an expedition, Long Look."),
            "{dora}"
        );
        assert!(table.branch_of("Cato").is_none() && table.branch_of("Dora").is_none(), "{typed}");
        if table.world().expeditions[branch].camps.is_empty() {
            table.types_all("Bera", &["recall now", "down"]);
            comes_to_a_plain_room(&mut table, "Olad");
            assert!(table.types("Olad", "camp").starts_with("You pitch a camp."));
            table.types_all("Olad", &["recall now", "down"]);
        }
    }
}

/// Those below see from where a member arrives, by each way in.
#[test]
fn arrival_names_the_side_of_the_way_in() {
    for way in 1..=4 {
        let mut table = lodge(&["Olad", "Bera"]);
        table.types("Olad", &format!("expedition found {way} map Long Look"));
        table.types("Olad", "expedition invite bera");
        table.types("Bera", "expedition join");
        goes_down(&mut table, "Bera");
        let room = table.body("Bera").room;
        let back = table.world().exits.of(room).find(|exit| exit.back).expect("a way home").direction;
        let back = back.expect("a direction").to_string();
        table.hears("Bera");
        goes_down(&mut table, "Olad");
        let text = table.hears("Bera");
        assert!(text.contains(&format!("Olad arrives from the {back}.")), "{way}: {text}");
    }
}

/// Refusals and notices address those who read them.
#[test]
fn leaving_is_told_in_the_right_person() {
    let mut table = three();
    goes_down(&mut table, "Bera");
    assert_eq!(
        table.types("Bera", "expedition leave"),
        "You are below, in the branch of Long Look. Come home first, then leave it."
    );
    let answer = table.types("Olad", "expedition remove bera");
    assert!(
        answer.starts_with("Bera is below, in the branch of Long Look. Wait until Bera is home"),
        "{answer}"
    );
    table.hears("Bera");
    table.hears("Cato");
    // A leader who has paid is asked before.
    let answer = table.types("Olad", "expedition leave");
    assert!(answer.ends_with("To leave, type expedition leave Long Look now."), "{answer}");
    assert_eq!(table.world().expeditions[the_branch(&table)].members.len(), 3);
    assert_eq!(table.types("Olad", "expedition leave long look now"), "You belong to Long Look no more.");
    assert!(table.hears("Bera").contains("Olad belongs to Long Look no more. You lead it now."));
    assert!(table.hears("Cato").contains("Olad belongs to Long Look no more. Bera leads it now."));
    table.types("Cato", "expedition leave");
    let text = table.hears("Bera");
    assert!(text.contains("Cato belongs to Long Look no more.") && !text.contains("lead"), "{text}");
    // An invitation that is declined is told to the leader.
    table.types("Bera", "expedition invite dora");
    assert_eq!(table.types("Dora", "expedition leave"), "You decline.");
    assert!(table.hears("Bera").contains("Dora does not come along on Long Look."));
}

/// A member who is asleep in a camp is carried home when the leader strikes the name, also out of a branch that sleeps.
#[test]
fn sleeping_member_is_carried_home_when_removed() {
    for pause in [Span::ZERO, Span::mins(30)] {
        let mut config = seeded(11);
        config.dungeon.sleep_after = Span::mins(5);
        let mut table = three_in(config);
        let branch = the_branch(&table);
        goes_down(&mut table, "Bera");
        table.types("Bera", "quit");
        table.waits(pause);
        table.commit();
        assert_eq!(table.world().asleep.has(branch), pause > Span::ZERO);
        table.types("Olad", "expedition remove bera");
        assert_eq!(table.world().expeditions[branch].members, [table.id("Olad"), table.id("Cato")]);
        let view = table.comes_back("Bera");
        assert!(view.contains("You have been carried up in your sleep."), "{view}");
        assert_eq!((table.room("Bera").sheet.kind, table.branch_of("Bera")), (RoomKind::Start, None));
    }
}

/// Coins that are laid down are those found on the run first, and are taken up as what they were.
#[test]
fn laid_down_coins_are_the_found_ones_first() {
    let mut table = lodge(&["Olad"]);
    table.types("Olad", "expedition found 1 map Long Look");
    goes_down(&mut table, "Olad");
    let (id, before) = (table.id("Olad"), purse(&table, "Olad"));
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a body");
        (body.money.purse, body.money.run) = (body.money.purse + 45, 45);
        stored.meta.as_mut().expect("a world").money.made += 45;
    });
    for (typed, run) in [
        ("drop 20 copper", 25),
        ("get all", 45),
        ("drop 100 copper", 0),
        ("get all", 45),
        ("drop 45 copper", 0),
    ] {
        table.types("Olad", typed);
        assert_eq!(table.body("Olad").money.run, run, "{typed}");
    }
    table.types("Olad", "recall now");
    assert_eq!((table.branch_of("Olad"), purse(&table, "Olad")), (None, before));
}

/// The best room so far does not read like a count.
#[test]
fn best_room_so_far_is_told_as_such() {
    for (aim, message) in [
        ("clear", "difficulty 10 or more; the hardest so far: none, wanted: 10."),
        ("recover", "difficulty 6 or more; the hardest so far: none, wanted: 6."),
        ("map", "to map 60 rooms: 0 of 60."),
        ("rescue", "to bring home two captives: 0 of 2."),
    ] {
        let mut table = lodge(&["Olad"]);
        table.types("Olad", &format!("expedition found 1 {aim} Long Look"));
        let list = table.types("Olad", "expedition");
        assert!(list.contains(message), "{list}");
    }
}

/// Days are behind the name, so a name may begin with a number.
#[test]
fn name_may_begin_with_a_number() {
    let mut table = lodge(&["Olad"]);
    for (typed, name, days) in [
        ("10 Years After", "10 Years After", "21 days"),
        ("10 Days Later", "10 Days Later", "21 days"),
        ("Wait for Me", "Wait for Me", "21 days"),
        ("10 Years After for 7 days", "10 Years After", "seven days"),
        ("The Look for one for 1 day", "The Look for one", "one day"),
    ] {
        let terms = table.types("Olad", &format!("expedition new 1 map {typed}"));
        assert!(terms.starts_with(&format!("{name}\n")), "{terms}");
        assert!(terms.contains(&format!("Supplies for {days} cost")), "{terms}");
        assert!(terms.ends_with(&format!("type expedition found 1 map {typed}.")), "{terms}");
    }
}

/// The pocket tells how many of a stack it takes, and that it takes no coins; mail below tells where things are taken.
#[test]
fn pocket_and_mail_tell_what_is_true_below() {
    let mut table = lodge(&["Olad", "Bera"]);
    grant(&mut table, "Olad", &[("rat_tail", 3)]);
    assert_eq!(table.types("Olad", "pocket tail"), "You put three rat tails into your safe pocket.");
    assert_eq!(table.types("Olad", "pocket tail"), "You take three rat tails out of your safe pocket.");
    for typed in ["coins", "gold", "5 gold", "some money"] {
        let answer = table.types("Olad", &format!("pocket {typed}"));
        assert!(answer.starts_with("Coins do not go into your safe pocket"), "{typed}: {answer}");
    }
    table.types("Bera", "mail send olad 5 silver = For you.");
    assert!(table.types("Olad", "mail 1").ends_with("With it: five silver coins. Type mail take 1."));
    table.types_all("Olad", &["recall", "down", "north"]);
    assert!(table.branch_of("Olad").is_some());
    let letter = table.types("Olad", "mail 1");
    assert!(letter.ends_with("Above, out of the dungeon, type mail take 1."), "{letter}");
    table.types("Olad", "recall now");
    assert!(table.types("Olad", "mail take 1").starts_with("You take five silver coins"));
}

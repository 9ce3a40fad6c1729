//! Command arguments: articles, argument order of `give`, and agreement of the help with the parser.

use crate::hoard::{add_money, grant, has, set_room_kind};
use crate::table::{Table, seeded};
use deepwell::catalog::RoomKind;
use deepwell::game::command::reference;
use deepwell::world::Role;

fn olad_and_bera(items: &[(&str, u32)]) -> Table {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.sit("Bera");
    grant(&mut table, "Olad", items);
    table
}

/// `give` accepts the item and the recipient in either order, with or without articles.
#[test]
fn give_accepts_item_and_recipient_in_either_order() {
    for line in [
        "give longsword to bera",
        "give the longsword to bera",
        "give longsword bera",
        "give bera longsword",
        "give Bera the longsword",
        "give bera a longsword",
        "give ber all.longsword",
        "give bera 1 longsword",
    ] {
        let mut table = olad_and_bera(&[("longsword", 1), ("clay_lamp", 1)]);
        assert_eq!(table.types("Olad", line), "You give Bera a longsword.", "{line}");
        assert_eq!((has(&table, "Bera", "longsword"), has(&table, "Olad", "clay_lamp")), (1, 1), "{line}");
    }
    let mut table = olad_and_bera(&[("clay_lamp", 2)]);
    add_money(&mut table, "Olad", 100);
    assert_eq!(table.types("Olad", "give the clay lamp to Bera"), "You give Bera a clay lamp.");
    assert_eq!(table.types("Olad", "give bera the clay lamp"), "You give Bera a clay lamp.");
    assert_eq!(table.types("Olad", "give bera 5 copper"), "You give Bera five copper.");
    assert_eq!(table.types("Olad", "give 5 copper to bera"), "You give Bera five copper.");
}

/// A refusal names the wrong item or recipient, in either order.
#[test]
fn give_refusals_are_the_same_in_both_orders() {
    let mut table = olad_and_bera(&[("longsword", 1)]);
    for (line, message) in [
        ("give the spoon to bera", "You have no \"spoon\"."),
        ("give bera the spoon", "You have no \"spoon\"."),
        ("give the longsword to the willem", "There is no \"willem\" here."),
        ("give bera 2 longswords", "There is only one of that."),
        ("give bera copper", "Say how many: 5 copper coins, for instance."),
        ("give longsword to me", "You pass it from one hand to the other."),
        ("give me longsword", "You pass it from one hand to the other."),
        ("give", "Type give, a thing, to, and a name: give lamp to bera."),
        ("give longsword", "Type give, a thing, to, and a name: give lamp to bera."),
    ] {
        assert_eq!(table.types("Olad", line), message, "{line}");
    }
    assert_eq!(has(&table, "Olad", "longsword"), 1);
}

/// An article before a name is ignored by every command.
#[test]
fn articles_are_ignored_in_all_commands() {
    let mut table = olad_and_bera(&[("clay_lamp", 2), ("iron_cap", 1), ("longsword", 1)]);
    for (line, message) in [
        ("drop a clay lamp", "You put down a clay lamp."),
        ("drop The Clay Lamp", "You put down a clay lamp."),
        ("get the 2 clay lamps", "You take a clay lamp.\nYou take a clay lamp."),
        ("wear the iron cap", "You put on an iron cap."),
        ("wield a longsword", "You wield a longsword."),
        ("remove the cap", "You take off the iron cap."),
        ("drop all the lamps", "You put down a clay lamp.\nYou put down a clay lamp."),
        ("get some lamps", "You take a clay lamp."),
    ] {
        assert_eq!(table.types("Olad", line), message, "{line}");
    }
    for (plain, with) in [
        ("look lamp", "look at the lamp"),
        ("examine lamp", "examine a lamp"),
        ("compare cap", "compare the cap"),
        ("look bera", "look at the bera"),
        ("kill bera", "kill the bera"),
        ("consider bera", "consider the bera"),
    ] {
        assert_eq!(table.types("Olad", plain), table.types("Olad", with), "{with}");
    }
}

/// Refusals for missing targets name them without the article.
#[test]
fn refusals_omit_the_article() {
    let mut table = olad_and_bera(&[]);
    set_room_kind(&mut table, "Olad", RoomKind::Shop, &["club"]);
    add_money(&mut table, "Olad", 1_000);
    for (line, message) in [
        ("get the spoon", "There is no \"spoon\" here."),
        ("drop the spoon", "You have no \"spoon\"."),
        ("look at the spoon", "There is no \"spoon\" here."),
        ("examine a spoon", "There is no \"spoon\" here."),
        ("kill the spoon", "There is no \"spoon\" here."),
        ("consider a spoon", "There is no \"spoon\" here."),
        ("buy a spoon", "There is no \"spoon\" for sale here."),
        ("sell the spoon", "You have no \"spoon\"."),
        ("value the 2 spoons", "You have no \"spoons\"."),
        ("wear the spoon", "You have no \"spoon\"."),
        ("wield a spoon", "You have no \"spoon\"."),
        ("remove the spoon", "You wear no \"spoon\"."),
        ("quaff the spoon", "You have no \"spoon\"."),
        ("put the spoon in the bag", "There is no \"bag\" here."),
        ("get the spoon from the bag", "There is no \"bag\" here."),
        ("path the spoon", "You know no way to \"spoon\"."),
    ] {
        assert_eq!(table.types("Olad", line), message, "{line}");
    }
    assert_eq!(table.types("Olad", "go the spoon"), table.types("Olad", "go spoon"));
    assert!(table.types("Olad", "buy a club").starts_with("You buy a club for "));
}

/// The example of each command parses, and a command asks for an argument exactly if its syntax requires one.
#[test]
fn help_examples_and_syntax_match_the_parser() {
    for [name, syntax, _, example] in reference(Role::Owner) {
        // `repeat` is handled by the session, and after `quit` or `logout` the player receives nothing.
        if matches!(name, "repeat" | "quit" | "logout") {
            continue;
        }
        let mut table = olad_and_bera(&[("clay_lamp", 1)]);
        table.make_owner("Olad");
        if let Some((typed, _)) = example.split_once(": ") {
            let answer = table.types("Olad", typed);
            assert!(
                !answer.starts_with("Type ") && !answer.contains("There is no command"),
                "{typed}: {answer}"
            );
        }
        let answer = table.types("Olad", name);
        assert_ne!(answer, "Type .", "{name} does not say what is missing");
        let asks = answer.starts_with(&format!("Type {name}"));
        if needs_no_argument(&syntax[name.len()..]) {
            // In combat, `kill` and `consider` default to the current target.
            assert!(!asks || matches!(name, "kill" | "consider"), "{syntax}: {answer}");
        }
    }
}

/// Returns `true` if a syntax, without the command's name, requires no argument.
fn needs_no_argument(syntax: &str) -> bool {
    let syntax = syntax.trim_start();
    match syntax.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
        Some((_, rest)) => needs_no_argument(rest),
        None => syntax.is_empty() || syntax.starts_with(','),
    }
}

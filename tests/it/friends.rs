//! Friends: a list of players whose logins and logouts a player reads.

use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::game::Input;

/// Olad in the town, Bera north of it, and Bera on Olad's list.
fn friends() -> Table {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.types("Bera", "north");
    let answer = table.types("Olad", "friends add bera");
    assert_eq!(answer, "Bera is on your list: you are told when they come and go.");
    table.hears("Olad");
    table
}

#[test]
fn friends_are_listed_and_removed() {
    let mut table = friends();
    assert!(
        table.types("Bera", "friends").starts_with("You have no friends on your list."),
        "it is not mutual"
    );
    table.restart();
    assert_eq!(table.types("Olad", "friends"), "Your friends\nBera: awake just now.");
    table.types("Bera", "quit");
    table.waits(Span::mins(2));
    assert_eq!(table.types("Olad", "friends"), "Your friends\nBera: last seen 2 minutes ago.");
    for (line, message) in [
        ("friends add bera", "Bera is on your list already."),
        ("friends add olad", "You need no list for yourself."),
        ("friends remove cato", "There is no \"cato\" on your list."),
        ("friends hug bera", "Type friends, friends add NAME, or friends remove NAME."),
    ] {
        assert_eq!(table.types("Olad", line), message, "{line}");
    }
    assert_eq!(table.types("Olad", "friends remove BERA"), "Bera is off your list.");
    table.hears("Olad");
    table.comes_back("Bera");
    assert_eq!(table.hears("Olad"), "");
}

#[test]
fn friend_reads_about_login_and_logout() {
    let mut table = friends();
    table.types("Bera", "quit");
    assert_eq!(table.hears("Olad"), "Your friend Bera has left.");
    table.comes_back("Bera");
    assert_eq!(table.hears("Olad"), "Your friend Bera has come.");
    table.break_link("Bera");
    table.comes_back("Bera");
    assert_eq!(table.hears("Olad"), "", "a lost link is no logout");
}

/// Players who do not want to be seen, and those who ignore each other, are not told about.
#[test]
fn unseen_and_ignored_players_are_not_told_about() {
    let mut table = friends();
    table.types_all("Bera", &["config seen off", "quit"]);
    assert_eq!(table.hears("Olad"), "");
    assert_eq!(table.types("Olad", "friends"), "Your friends\nBera.");
    table.comes_back("Bera");
    table.types_all("Bera", &["config seen on", "ignore olad", "quit"]);
    assert_eq!(table.hears("Olad"), "");
    table.comes_back("Bera");
    table.types("Bera", "unignore olad");
    table.types("Olad", "ignore bera");
    table.types("Bera", "quit");
    assert_eq!(table.hears("Olad"), "");
}

#[test]
fn a8_friends_are_bounded() {
    let mut config = seeded(1);
    config.limits.friends = 1;
    let mut table = Table::new(config);
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
    }
    table.types("Olad", "friends add bera");
    assert_eq!(table.types("Olad", "friends add cato"), "Your list has room for 1 and no more.");
}

/// A friend who is away and asleep in storage is added without being woken, and leaves the list with the account.
#[test]
fn absent_friend_is_added_asleep_and_removed_with_the_account() {
    let mut config = seeded(1);
    config.limits.absent_after = Span::mins(1);
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.types("Bera", "quit");
    table.waits(Span::mins(3));
    let bera = table.account("Bera");
    table.types("Olad", "friends add bera");
    assert!(table.world().is_absent(bera));
    table.restart();
    assert!(table.types("Olad", "friends").contains("Bera: last seen "));
    table.comes_back("Bera");
    table.types("Bera", "friends add olad");
    let (session, account) = (table.session("Bera"), bera);
    table.step(Input::DeleteAccount { session, account });
    assert!(table.types("Olad", "friends").starts_with("You have no friends on your list."));
    table.restart();
}

#[test]
fn friends_are_in_the_export() {
    let mut table = friends();
    assert!(table.types("Olad", "export").contains("Friends: account"));
    let (_, kept) = table.game().kept_of("bera").unwrap().unwrap();
    assert!(kept["accounts"].to_string().contains("\"friends\""), "she is on the list of another");
}

//! The operator moderates with the commands of staff, and shows, renames and deletes accounts and characters.

use crate::personal::operator_command;
use crate::table::{Table, seeded};
use deepwell::base::{SessionId, Span};
use deepwell::game::Input;
use deepwell::world::Role;

/// Olad, the owner; Ada, an admin; and the players Bera and Mika.
fn evening() -> Table {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Ada", "Bera", "Mika"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote ada admin");
    for name in ["Olad", "Ada", "Bera", "Mika"] {
        table.hears(name);
    }
    table
}

/// Runs a line as the operator; other effects reach the players.
fn operator(table: &mut Table, line: &str) -> Result<String, String> {
    let answer = operator_command(table, line);
    answer.map(|lines| lines.join("\n")).map_err(|declined| declined.to_string())
}

fn tells(table: &mut Table, line: &str) -> String {
    operator(table, line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
}

fn refuses(table: &mut Table, line: &str) -> String {
    operator(table, line).expect_err(line)
}

/// The operator outranks the owner, the player reads why, and the audit log names the operator.
#[test]
fn operator_sanctions_by_the_rules_of_staff() {
    let mut table = evening();
    assert!(tells(&mut table, "mute olad for 2h shouting").starts_with("Olad is muted until"));
    assert!(table.hears("Olad").contains("The reason: shouting."));
    assert_eq!(tells(&mut table, "unmute olad"), "Olad is muted no more.");
    assert_eq!(refuses(&mut table, "unmute olad"), "Olad is not muted.");
    assert!(tells(&mut table, "freeze bera").ends_with("until staff end it."));
    assert!(table.types("Bera", "north").starts_with("You are frozen"));
    assert_eq!(tells(&mut table, "unfreeze bera"), "Bera is frozen no more.");
    assert_eq!(tells(&mut table, "kick bera go to bed"), "Bera is out of the game.");
    assert!(table.hears("Bera").contains("The reason: go to bed."));
    assert_eq!(refuses(&mut table, "kick bera"), "Bera is not connected.");
    assert!(refuses(&mut table, "kick nobody").contains("nobody"));
    let audit = table.stored().audit.values().map(|line| (line.name.clone(), line.action.clone()));
    assert!(audit.into_iter().any(|line| line == ("the operator".into(), "kick bera go to bed".into())));
}

/// The operator gives every rank but the owner's, and never takes the rank of the last owner.
#[test]
fn operator_promotes_and_demotes() {
    let mut table = evening();
    assert_eq!(tells(&mut table, "promote bera admin"), "Bera is an admin now.");
    assert_eq!(table.hears("Bera"), "You are an admin now.");
    assert_eq!(tells(&mut table, "demote bera player"), "Bera is a player now.");
    tells(&mut table, "promote bera builder");
    for (raised, rank) in [("demote bera builder", "a builder"), ("demote bera admin", "a builder")] {
        assert!(
            refuses(&mut table, raised)
                .starts_with(&format!("Bera is {rank} already; demote gives a lower rank"))
        );
    }
    assert_eq!(table.types("Ada", "demote bera helper"), "Bera is a helper now.");
    assert_eq!(
        table.types("Ada", "demote bera"),
        "Bera is a player now.",
        "without a rank, that of a player"
    );
    assert_eq!(refuses(&mut table, "promote bera owner"), "You may not do that.");
    assert!(refuses(&mut table, "demote olad player").contains("the last owner"));
    assert_eq!(table.world().accounts[table.account("Olad")].role, Role::Owner);
}

/// The audit log has the operator's name on the machine, and finds entries by it.
#[test]
fn audit_log_names_the_operator_on_the_machine() {
    let mut table = evening();
    let mut types = |line: &str, by: Option<&str>| {
        let input = Input::Operator { asker: SessionId(900), line: line.into(), by: by.map(str::to_owned) };
        table.step(input);
    };
    types("kick bera", Some("anna"));
    types("kick mika", None);
    let names = |table: &mut Table, search: &str| -> Vec<String> {
        let page = tells(table, &format!("audit {search}"));
        let deeds = page.lines().skip(1).filter(|line| line.contains(": kick "));
        deeds.map(|line| line.split_once(" UTC, ").unwrap().1.to_owned()).collect()
    };
    let (anna, unknown) = ("the operator (anna): kick bera", "the operator: kick mika");
    assert_eq!(names(&mut table, "by operator kick"), [anna, unknown]);
    assert_eq!(names(&mut table, "by anna kick"), [anna]);
}

/// Accounts are listed by the time they were last seen, the new ones, those with a rank, and those of an address; addresses are
/// shown to those who rank above.
#[test]
fn accounts_are_listed_by_time_rank_and_address() {
    let mut table = evening();
    table.sleeps(Span::mins(26 * 60));
    table.restart();
    table.sit("Zoe");
    table.types("Mika", "quit");
    let list = |table: &mut Table, search: &str| -> Vec<String> {
        let page = tells(table, &format!("account list {search}"));
        page.lines()
            .skip(1)
            .map(|line| line.split_once(',').map_or(line, |(name, _)| name).to_owned())
            .collect()
    };
    assert_eq!(list(&mut table, "").len(), 5);
    assert_eq!(list(&mut table, "").last().map(String::as_str), Some("Mika"), "not connected");
    assert_eq!(list(&mut table, "new")[0], "Zoe");
    assert_eq!(list(&mut table, "new since 2h"), ["Zoe"]);
    assert_eq!(list(&mut table, "staff"), ["Olad", "Ada"]);
    assert_eq!(list(&mut table, "from 203.0.113.0/24"), [""; 0]);
    assert!(refuses(&mut table, "account list from here").contains("is no address and no range"));
    assert!(table.types("Olad", "account list old").contains("account list and if you like new"));
    let page = tells(&mut table, "account list");
    assert!(page.starts_with("Accounts: 5.\n") && page.contains("Mika, a player, made "), "{page}");
    // Letters that are easy to tell apart.
    let letter = |digit: usize| char::from(b"abefghkops"[digit]);
    for number in 0..25 {
        table.sit(&format!("Yor{}{}", letter(number / 10), letter(number % 10)));
    }
    let first = tells(&mut table, "account list new");
    assert!(first.lines().count() == 22 && first.ends_with("There is more: account list new 2."), "{first}");
    assert_eq!(tells(&mut table, "account list new 2").lines().count(), 11);
}

/// The operator reads every report, also about the owner, and closes it with words to its author.
#[test]
fn operator_reads_and_closes_reports() {
    let mut table = evening();
    table.types("Bera", "report olad he never sleeps");
    table.types("Mika", "idea more lamps");
    table.hears("Bera");
    let list = tells(&mut table, "reports");
    assert!(
        list.starts_with("Reports: 2 waiting\n2, idea, by Mika") && list.contains("about Olad"),
        "{list}"
    );
    assert!(tells(&mut table, "reports show 1").contains("he never sleeps"));
    assert_eq!(refuses(&mut table, "reports 7"), "There is no report 7.");
    assert_eq!(tells(&mut table, "reports close 1 he does now"), "Report 1 is settled.");
    assert!(table.hears("Bera").contains("is settled: he does now"));
    table.types("Ada", "lock world");
    assert!(tells(&mut table, "reports").starts_with("Reports: 1 waiting"), "a locked world can be read");
    assert!(refuses(&mut table, "reports close 2").starts_with("Staff have locked"));
}

/// The audit log is searched by author, words and time, alone or together.
#[test]
fn audit_log_is_searched_by_author_words_and_time() {
    let mut table = evening();
    table.types("Ada", "mute bera for 1h noise");
    table.sleeps(Span::mins(26 * 60));
    table.restart();
    table.types("Ada", "kick mika");
    table.types("Olad", "kick bera");
    let found = |table: &mut Table, search: &str| -> Vec<String> {
        let page = tells(table, &format!("audit {search}"));
        let lines = page.lines().skip(1).filter(|line| !line.contains(": audit "));
        lines.map(|line| line.split_once(" UTC, ").map_or(line, |(_, deed)| deed).to_owned()).collect()
    };
    let (mute, mika, bera) = ("Ada: mute bera for 1h noise", "Ada: kick mika", "Olad: kick bera");
    assert_eq!(found(&mut table, "by ada"), [mute, mika]);
    assert_eq!(found(&mut table, "by ada since 2h"), [mika]);
    assert_eq!(found(&mut table, "since 2h kick"), [mika, bera]);
    assert_eq!(found(&mut table, "until 2h mute"), [mute]);
    assert_eq!(found(&mut table, "since 2027-01-16 kick"), [mika, bera]);
    assert_eq!(found(&mut table, "until 2027-01-15 mute"), [mute]);
    assert_eq!(found(&mut table, "by operator kick"), Vec::<String>::new());
    assert!(refuses(&mut table, "audit since soon").contains("is no time"));
    assert_eq!(tells(&mut table, "account rename ada Zelda").lines().count(), 1);
    assert_eq!(found(&mut table, "by zelda"), [mute, mika], "also what was done under the old name");
}

/// Mail, notes, friends, ignored players and reports show the new name; the old one is free, and the log has both.
#[test]
fn new_name_of_a_player_is_shown_in_all_rows() {
    let mut table = evening();
    table.types("Bera", "mail to mika = Mind the lever.");
    table.types("Bera", "bug the rope is short");
    table.types("Mika", "friends add bera");
    table.types("Olad", "ignore bera");
    table.types("Ada", "report bera she sings");
    let answer = tells(&mut table, "account rename bera Gerda");
    assert_eq!(answer, "The account Bera is called Gerda now. Its characters keep their names.");
    assert!(table.hears("Bera").contains("Log in with that name."));
    table.hears("Mika");
    let answer = tells(&mut table, "character rename bera Gerda");
    assert_eq!(answer, "The character Bera is called Gerda now. Its account keeps its name.");
    assert_eq!(table.hears("Mika"), "Bera is called Gerda from now on.");
    table.crash();
    table.comes_back("Mika");
    assert!(table.types("Mika", "mail").contains("from Gerda"));
    assert!(
        table.types("Mika", "friends").contains("Gerda: last seen"),
        "{}",
        table.types("Mika", "friends")
    );
    table.comes_back("Olad");
    assert!(table.types("Olad", "ignore").contains("Gerda"));
    let reports = tells(&mut table, "reports");
    assert!(reports.contains("by Gerda") && reports.contains("about Gerda") && !reports.contains("Bera"));
    assert!(tells(&mut table, "audit rename").contains("the operator: account rename bera Gerda"));
    assert!(table.sit("Bera").contains("Welcome"), "the old name is free");
}

/// A name that is taken, looks like one, or is not allowed is refused with the reason, and nothing changes.
#[test]
fn unfit_or_taken_names_are_refused() {
    let mut table = evening();
    let taken = "That name is taken, or looks too much like one that is.";
    for (name, reason) in [
        ("Mika", taken),
        ("Rnika", taken),
        ("Bera", taken),
        ("Flee", "a command"),
        ("G", "letters"),
        ("Rat", ""),
    ] {
        for what in ["account", "character"] {
            let refusal = refuses(&mut table, &format!("{what} rename bera {name}"));
            assert!(refusal.contains(reason), "{what} {name}: {refusal}");
        }
    }
    assert!(refuses(&mut table, "account rename cato Gerda").contains("no account called cato"));
    assert!(table.world().accounts.named("bera").is_some());
    assert_eq!(table.body("Bera").name, "Bera");
}

/// Facts about an account and a character are told one per line, also while the player is away.
#[test]
fn account_and_character_are_shown() {
    let mut table = evening();
    table.types_all("Bera", &["character new Sofa"]);
    tells(&mut table, "mute bera for 1h noise");
    let shown = tells(&mut table, "account show bera");
    assert!(shown.starts_with("Account Bera, number 3: a player, made 2027-01-15 08:00 UTC.\n"), "{shown}");
    assert!(shown.contains("Character Bera, level 1, ") && shown.contains(": connected."), "{shown}");
    assert!(shown.contains("Character Sofa, level 1, "), "{shown}");
    assert!(shown.contains("It is muted until 2027-01-15 09:00 UTC"), "{shown}");
    assert!(shown.ends_with("Open reports about it: 0."), "{shown}");
    assert_eq!(tells(&mut table, "account show sofa"), shown, "by the name of a character");
    let shown = tells(&mut table, "character show sofa");
    assert!(shown.starts_with("Character Sofa, number ") && shown.contains("of account Bera"), "{shown}");
    assert!(table.types("Ada", "account bera").starts_with("Account Bera"));
    assert!(table.types("Ada", "account character sofa").starts_with("Character Sofa"));
    assert!(table.types("Mika", "account bera").starts_with("There is no command"));
}

/// Admins rename players below their own rank, and delete no account.
#[test]
fn a5_admins_rename_lower_ranks_only() {
    let mut table = evening();
    assert!(table.types("Ada", "account rename bera Gerda").contains("is called Gerda now"));
    assert!(table.types("Ada", "account rename olad Gerold").contains("below your own rank"));
    assert!(table.types("Ada", "account delete mika").starts_with("Only the operator"));
    assert!(table.world().accounts.named("mika").is_some());
}

/// A character is deleted with all that it had; the account and its other characters stay.
#[test]
fn character_is_deleted_without_its_account() {
    let mut table = evening();
    table.types_all("Bera", &["character new Sofa", "character play Sofa"]);
    table.types("Bera", "mail to mika = Hello.");
    assert_eq!(
        tells(&mut table, "character delete sofa"),
        "The character Sofa is deleted. Its account stays."
    );
    assert!(table.world().character_by_name("sofa").is_none());
    assert!(table.closed().iter().any(|(name, _)| name == "Bera"), "it was played");
    assert!(refuses(&mut table, "character delete bera").contains("the only character"));
    table.crash();
    assert!(!table.comes_back("Bera").is_empty());
    assert_eq!(tells(&mut table, "account delete bera").split('.').next(), Some("Bera is deleted"));
    assert!(table.world().accounts.named("bera").is_none());
    assert!(refuses(&mut table, "account delete olad").contains("the last owner"));
}

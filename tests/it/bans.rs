//! Bans and lockdown switches: refusal at login, disconnection, persistence over restarts: A5, A6, A8, W2.

use crate::table::{DAWN, Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{SessionId, Span};
use deepwell::game::{CloseReason, Effect, GameConfig, Input};
use deepwell::world::Role;

const OLAD: &str = "198.51.100.1";
const BERA: &str = "203.0.113.7";

/// Logs in Olad, the owner; Ada, an admin; and the players Bera and Mika, who share a network.
fn evening() -> Table {
    evening_with(Limits::default())
}

fn evening_with(limits: Limits) -> Table {
    let mut table = Table::new(GameConfig { limits, ..seeded(1) });
    for (name, address) in [("Olad", OLAD), ("Ada", "198.51.100.2"), ("Bera", BERA), ("Mika", "203.0.113.9")]
    {
        table.calls_from(name, address);
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote ada admin");
    all_hear(&mut table);
    table
}

fn all_hear(table: &mut Table) {
    for name in ["Olad", "Ada", "Bera", "Mika"] {
        table.hears(name);
    }
}

/// Tries to log a player in. Returns the refusal, `None` on success.
fn is_refused(table: &mut Table, name: &str) -> Option<String> {
    let before = table.refusals().len();
    table.comes_back(name);
    table.refusals().get(before).cloned()
}

/// Runs a line as the operator and returns the answer.
fn operator(table: &mut Table, line: &str) -> Result<String, String> {
    let input = Input::Operator { asker: SessionId(u64::MAX), line: line.into(), by: None };
    let answer = table.results_of(input).into_iter().find_map(|effect| match effect {
        Effect::Answered { answer, .. } => Some(answer),
        _ => None,
    });
    answer.expect("an answer").map(|lines| lines.join("\n")).map_err(|declined| declined.to_string())
}

/// A ban disconnects the player with a message and refuses logins with its reason, also after a restart, until it
/// expires.
#[test]
fn ban_disconnects_immediately_and_holds_until_it_expires() {
    let mut table = evening();
    let answer = table.types("Ada", "ban bera for 2d selling copper.");
    assert!(
        answer.ends_with(
            "Bera is banned until 2027-01-17 08:00 UTC, 2 days from now; that ended one connection."
        ),
        "{answer}"
    );
    let message = "You are banned until 2027-01-17 08:00 UTC, 2 days from now. The reason: selling copper.";
    assert_eq!(table.hears("Bera"), format!("Server: {message}"));
    assert_eq!(table.closed(), [("Bera".to_owned(), CloseReason::Kicked)]);
    assert_eq!(is_refused(&mut table, "Bera").as_deref(), Some(message));
    table.crash();
    assert_eq!(is_refused(&mut table, "Mika"), None, "others come in");
    assert!(is_refused(&mut table, "Bera").expect("banned").starts_with("You are banned until 2027-01-17"));
    table.waits(Span::mins(2 * 24 * 60));
    assert!(table.world().bans.is_empty(), "its row is gone");
    assert_eq!(is_refused(&mut table, "Bera"), None);
}

/// W2: a ban expires even while the server is down.
#[test]
fn w2_ban_expires_while_the_server_is_down() {
    let mut table = evening();
    table.types("Ada", "ban bera for 1h");
    table.crash();
    table.sleeps(Span::mins(61));
    assert_eq!(is_refused(&mut table, "Bera"), None);
    assert!(table.world().bans.is_empty());
}

/// A banned range refuses logins and new accounts from its addresses only, whichever account is used.
#[test]
fn banned_range_refuses_logins_and_new_accounts() {
    let mut table = evening();
    let answer = table.types("Ada", "ban 203.0.113.99/24 spam");
    assert!(
        answer.ends_with("203.0.113.0/24 is banned until staff end it; that ended two connections."),
        "{answer}"
    );
    let message = "Your address is banned until staff end it. The reason: spam.";
    for name in ["Bera", "Mika"] {
        assert_eq!(table.hears(name).lines().last().expect("a line"), format!("Server: {message}"));
        assert_eq!(is_refused(&mut table, name).as_deref(), Some(message));
    }
    table.calls_from("Cato", "::ffff:203.0.113.200");
    assert_eq!(table.applies("Cato"), Err(message.to_owned()), "the same address in another dress");
    table.calls_from("Dora", "203.0.114.1");
    table.sit("Dora");
    table.calls_from("Bera", "192.0.2.5");
    assert_eq!(is_refused(&mut table, "Bera"), None, "the account may come from elsewhere");
    assert_eq!(table.types("Ada", "unban 203.0.113.0/24"), "203.0.113.0/24 is banned no more.");
    table.sit("Cato");
}

/// Banning a single IPv6 address bans its /64 prefix.
#[test]
fn ipv6_ban_covers_the_prefix() {
    let mut table = evening();
    table.types("Ada", "ban 2001:db8:1:2:3:4:5:6");
    table.calls_from("Mika", "2001:db8:1:2::1");
    assert!(is_refused(&mut table, "Mika").is_some());
    table.calls_from("Mika", "2001:db8:1:3::1");
    assert_eq!(is_refused(&mut table, "Mika"), None);
}

/// A5: staff cannot ban themselves, their own address, or accounts of equal or higher rank, nor lift a ban imposed by a
/// higher rank. An address ban exempts accounts of its author's rank or above. Below the required rank the commands do
/// not exist.
#[test]
fn a5_bans_of_self_or_equal_or_higher_rank_are_refused() {
    let mut table = evening();
    for whom in ["ada", "olad"] {
        let answer = table.types("Ada", &format!("ban {whom}"));
        assert_eq!(answer, "You may do that to people below your own rank only.");
    }
    assert_eq!(table.types("Ada", "ban 198.51.100.2"), "Your own address is in there.");
    assert_eq!(table.types("Ada", "ban 198.51.0.0/16"), "Your own address is in there.");
    let wide = "That would ban half the world. Give a range at least 8 bits long, such as 203.0.113.0/24.";
    assert_eq!(table.types("Ada", "ban 0.0.0.0/0"), wide);
    assert!(
        table.types("Ada", "ban 198.51.100.1").ends_with("that ended zero connections."),
        "Olad is above"
    );
    assert_eq!(is_refused(&mut table, "Olad"), None, "it does not hold for Olad");
    table.types("Olad", "ban bera");
    assert_eq!(table.types("Ada", "unban bera"), "Somebody above you made that ban.");
    assert_eq!(table.types("Ada", "ban bera for 1s"), "Somebody above you made that ban.");
    table.types("Olad", "promote mika builder");
    for line in ["ban ada", "unban bera", "bans", "lock", "lock world", "lock world off"] {
        assert!(table.types("Mika", line).starts_with("There is no command"), "{line}");
    }
    assert_eq!(table.world().bans.len(), 2);
}

/// A8: the number of bans is limited, and the list shows end, author, age and reason of each.
#[test]
fn a8_bans_are_limited_and_listed() {
    let mut table = evening_with(Limits { bans: 3, ..Limits::default() });
    table.types("Ada", "ban bera for 7d one");
    table.types("Ada", "ban 192.0.2.1 two");
    table.types("Olad", "ban mika");
    assert!(table.types("Ada", "ban 192.0.2.2").starts_with("You can ban 3 and no more."));
    table.types("Ada", "ban bera for 8d one again");
    table.waits(Span::mins(5));
    assert_eq!(
        table.types("Ada", "bans"),
        "Bans: 3\n\
         Bera, until 2027-01-23 08:00 UTC, 7 days from now, by Ada 5 minutes ago. The reason: one again.\n\
         Mika, until staff end it, by Olad 5 minutes ago.\n\
         192.0.2.1, until staff end it, by Ada 5 minutes ago. The reason: two."
    );
    assert!(table.types("Ada", "unban 192.0.2.9").contains("is not banned"));
    assert!(table.types("Ada", "ban nobody").contains("nobody"));
    assert!(table.types("Ada", "ban").starts_with("Type ban, a name,"));
}

/// A6: locked logins refuse players, immediately and after a restart; they admit staff and link-dead players.
#[test]
fn a6_locked_logins_admit_staff_and_link_dead_players_only() {
    let mut table = evening();
    table.types("Mika", "quit");
    table.break_link("Bera");
    assert_eq!(table.types("Ada", "lock logins"), "Locked: logins.");
    let message = "Staff let nobody in for a while. Please try again later.";
    assert_eq!(is_refused(&mut table, "Mika").as_deref(), Some(message));
    assert!(table.applies("Cato").expect_err("locked").starts_with("Nobody can make a new account"));
    assert_eq!(is_refused(&mut table, "Bera"), None, "the body waits in the world");
    assert!(table.types("Ada", "who").ends_with("Locked: logins."));
    assert!(!table.types("Bera", "who").contains("Locked"));
    table.waits(Span::mins(5));
    table.crash();
    table.waits(Span::mins(5));
    assert_eq!(is_refused(&mut table, "Mika").as_deref(), Some(message), "after a restart");
    assert_eq!(is_refused(&mut table, "Ada"), None);
    assert_eq!(table.types("Ada", "lock logins off"), "Nothing is locked.");
    assert_eq!(is_refused(&mut table, "Mika"), None);
}

/// A6: locked accounts refuse new accounts and admit existing ones.
#[test]
fn a6_locked_accounts_refuse_new_accounts() {
    let mut table = evening();
    assert_eq!(table.types("Ada", "lock accounts"), "Locked: accounts.");
    assert!(table.types("Ada", "lock accounts").contains("locked already"));
    assert_eq!(
        table.applies("Cato"),
        Err("Nobody can make a new account for a while. Please try again later.".to_owned())
    );
    table.types("Mika", "quit");
    assert_eq!(is_refused(&mut table, "Mika"), None);
    table.types("Ada", "lock accounts off");
    table.sit("Cato");
}

/// A6: a locked world refuses changes by every rank, also after a restart, until it is unlocked. Locking and unlocking
/// are announced and audited.
#[test]
fn a6_locked_world_refuses_changes_across_restarts() {
    let mut table = evening();
    table.types("Mika", "quit");
    table.types("Ada", "lock world");
    assert!(table.hears("Bera").contains("Staff have locked the world"));
    let room = table.body("Bera").room;
    let locked = "Staff have locked the world, so nothing can change. Looking and talking work.";
    for name in ["Bera", "Ada"] {
        assert_eq!(table.types(name, "north"), locked);
    }
    assert_eq!(table.types("Ada", "ban bera"), locked);
    assert_eq!(table.types("Ada", "lock logins"), locked);
    assert!(table.types("Bera", "say hello").contains("hello"));
    assert!(is_refused(&mut table, "Mika").expect("locked").starts_with("Staff have locked the world"));
    table.break_link("Bera");
    table.restart();
    table.waits(Span::mins(30));
    assert!(table.body("Bera").awake, "nothing is due");
    table.comes_back("Bera");
    assert_eq!(table.body("Bera").room, room);
    assert_eq!(table.types("Bera", "north"), locked);
    assert!(table.types("Ada", "lock world off").ends_with("Nothing is locked."));
    assert!(table.types("Bera", "north").contains("Exits"));
    let written: Vec<&str> = table.stored().audit.values().map(|line| line.action.as_str()).collect();
    assert!(written.contains(&"lock world") && written.ends_with(&["lock world off"]), "{written:?}");
}

/// O3: a world lock persists through a period of read-only storage.
#[test]
fn o3_world_lock_survives_read_only_storage() {
    let mut table = evening();
    table.types("Ada", "lock world");
    table.step(Input::StorageReadOnly(true));
    assert!(table.types("Ada", "lock world off").starts_with("The server cannot write just now"));
    table.step(Input::StorageReadOnly(false));
    assert!(table.types("Bera", "north").starts_with("Staff have locked the world"));
    table.types("Ada", "lock world off");
    assert!(table.types("Bera", "north").contains("Exits"));
}

/// The operator bans and locks by the same rules, with a rank above all accounts, and is audited.
#[test]
fn operator_bans_and_locks_without_a_character() {
    let mut table = evening();
    assert!(operator(&mut table, "ban olad for 1h wait").expect("done").starts_with("Olad is banned until"));
    assert!(is_refused(&mut table, "Olad").expect("banned").contains("The reason: wait."));
    assert!(operator(&mut table, "bans").expect("a list").contains("by the operator"));
    assert_eq!(operator(&mut table, "unban olad"), Ok("Olad is banned no more.".into()));
    assert_eq!(operator(&mut table, "unban olad"), Err("Olad is not banned.".into()));
    assert_eq!(operator(&mut table, "lock world"), Ok("Locked: world.".into()));
    assert!(operator(&mut table, "ban bera").expect_err("locked").starts_with("Staff have locked"));
    assert_eq!(operator(&mut table, "unlock world"), Ok("Nothing is locked.".into()));
    assert!(operator(&mut table, "promote bera owner").is_err());
    assert_eq!(table.world().accounts[table.account("Bera")].role, Role::Player);
    let written: Vec<(&str, &str)> =
        table.stored().audit.values().map(|line| (line.name.as_str(), line.action.as_str())).collect();
    assert!(written.contains(&("the operator", "lock world")), "{written:?}");
    assert!(written.contains(&("the operator", "unlock world")), "{written:?}");
}

/// A8: the audit log is limited in age and number of lines, the ledger in age; money totals are kept.
#[test]
fn a8_old_audit_and_ledger_lines_are_deleted() {
    // Unused accounts are removed at once, without being read before.
    let limits = Limits { audit_lines: 1_000, absent_after: Span::ZERO, ..Limits::default() };
    let mut table = evening_with(limits);
    for n in 0..1_100 {
        table.types("Ada", &format!("announce {n}"));
    }
    let lines: Vec<&str> = table.stored().audit.values().map(|line| line.action.as_str()).collect();
    assert_eq!((lines.len(), lines[999]), (1_000, "announce 1099"));
    let (ledger, money) = (table.stored().ledger.len(), table.world().meta().money);
    assert!(ledger > 0);
    table.crash();
    table.sleeps(Span::mins(181 * 24 * 60));
    table.waits(Span::mins(11));
    assert_eq!((table.stored().audit.len(), table.stored().ledger.len()), (1_000, 0));
    assert_eq!(table.world().meta().money, money);
    table.crash();
    table.sleeps(Span::mins(185 * 24 * 60));
    table.waits(Span::mins(11));
    assert_eq!(table.stored().audit.len(), 500, "a little at a time");
    table.waits(Span::mins(10));
    assert!(
        table.stored().audit.values().all(|line| line.name == "the server"),
        "of accounts that went just now"
    );
    assert!(table.now() > DAWN);
}

//! Login without a password: seat tokens, their expiry and revocation.

use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{SessionId, Span};
use deepwell::game::{Closed, GameConfig, Input, SEAT_REFUSED};
use deepwell::world::Settings;

/// Returns a game with Olad logged in and a stored seat token.
fn kept(limits: Limits) -> Table {
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    keep(&mut table, "first");
    table
}

fn keep(table: &mut Table, token: &str) {
    let (session, account) = (table.session("Olad"), table.account("Olad"));
    table.step(Input::KeepSeat { session, account, token: token.into() });
}

/// Logs Olad in with `token`, to be replaced by `next`. Returns `true` if accepted.
fn shows(table: &mut Table, token: &str, next: &str) -> bool {
    let before = table.refusals().len();
    let account = table.account("Olad");
    table.takes_seat("Olad", |session| Input::TakeSeat {
        session,
        account,
        name: "Olad".into(),
        token: token.into(),
        next: next.into(),
        pre_login: Settings::default(),
    });
    let refused = &table.refusals()[before..];
    assert!(refused.iter().all(|words| words == SEAT_REFUSED), "{refused:?}");
    refused.is_empty()
}

fn tokens(table: &Table) -> Vec<&str> {
    let row = &table.stored().accounts[&table.account("Olad")];
    row.seat_tokens.iter().map(|token| token.hash.as_str()).collect()
}

#[test]
fn a3_a_page_comes_back_by_its_token_and_each_is_used_once() {
    let mut table = kept(Limits::default());
    table.types("Olad", "north");
    table.link_breaks("Olad");
    assert!(shows(&mut table, "first", "second"));
    assert!(table.types("Olad", "look").contains("Climbers' Lodge"));
    table.restart();
    table.link_breaks("Olad");
    assert!(!shows(&mut table, "first", "stolen"), "it was used");
    assert!(!shows(&mut table, "stolen", "third"), "and what was to follow it counts for nothing");
    assert!(shows(&mut table, "second", "third"));
    assert_eq!(tokens(&table), ["third"]);
}

/// A token is revoked by a password change, by recovery, by expiry and by logout.
#[test]
fn a3_a_token_dies_with_the_password_with_time_and_with_logging_out() {
    type End = fn(&mut Table);
    let ends: [(&str, End); 5] = [
        ("another password", |table| {
            let (session, account) = (table.session("Olad"), table.account("Olad"));
            table.step(Input::NewPassword { session, account, credential: "$new$".into() });
        }),
        ("a recovery code", |table| {
            let (session, account) = (table.session("Olad"), table.account("Olad"));
            table.step(Input::Recovery { session, account, credential: "$code$".into() });
            table.recovers("Olad", "$new$");
        }),
        ("its time", |table| {
            let life = Limits::default().seat_token_life;
            table.link_breaks("Olad");
            table.waits(life);
            table.comes_back("Olad");
        }),
        ("quit", |table| {
            table.types("Olad", "quit");
            table.comes_back("Olad");
        }),
        ("log out everywhere", |table| {
            table.comes_back("Olad");
            table.types("Olad", "log out everywhere");
            table.comes_back("Olad");
        }),
    ];
    for (what, end) in ends {
        let mut table = kept(Limits::default());
        end(&mut table);
        assert!(!shows(&mut table, "first", "second"), "after {what}");
    }
}

#[test]
fn a3_each_use_gives_a_token_its_time_anew() {
    let mut table = kept(Limits { seat_token_life: Span::secs(100), ..Limits::default() });
    for (shown, next) in [("first", "second"), ("second", "third"), ("third", "fourth")] {
        table.link_breaks("Olad");
        table.waits(Span::secs(99));
        assert!(shows(&mut table, shown, next), "{shown}");
    }
}

/// `logout everywhere` closes every other session of the account, and none of other accounts.
#[test]
fn a3_logging_out_everywhere_ends_all_connections_of_one_account() {
    let mut table = kept(Limits::default());
    table.sit("Bera");
    table.types("Olad", "character new Cato");
    let account = table.account("Olad");
    table.logs_in_as("Cato", account);
    let answer = table.types("Olad", "logout everywhere");
    assert!(answer.contains("no browser lets you in without your password"), "{answer}");
    let closed = [("Cato".to_owned(), Closed::LoggedOut), ("Olad".to_owned(), Closed::Quit)];
    assert_eq!(table.closed(), closed);
    assert!(table.types("Bera", "look").contains("Exits:"));
    assert!(table.types("Bera", "log in").contains("log out"), "what else it may mean is told");
}

/// Tokens per account are limited; the least recently used is evicted. A limit of 0 stores none.
#[test]
fn a8_an_account_has_few_tokens() {
    let mut table = kept(Limits { seat_tokens: 2, ..Limits::default() });
    for token in ["second", "third"] {
        table.comes_back("Olad");
        keep(&mut table, token);
    }
    assert_eq!(tokens(&table), ["second", "third"]);
    keep(&mut table, "fourth");
    assert_eq!(tokens(&table), ["second", "fourth"], "one page has one");
    let table = kept(Limits { seat_tokens: 0, ..Limits::default() });
    assert!(tokens(&table).is_empty());
}

#[test]
fn a3_nobody_keeps_a_token_of_somebody_else() {
    let mut table = kept(Limits::default());
    table.sit("Bera");
    let (bera, account) = (table.session("Bera"), table.account("Olad"));
    for session in [bera, SessionId(99)] {
        table.step(Input::KeepSeat { session, account, token: "planted".into() });
    }
    assert_eq!(tokens(&table), ["first"]);
}

/// While storage is read-only, a token is accepted and not replaced.
#[test]
fn o3_while_nothing_can_be_written_a_token_stays() {
    let mut table = kept(Limits::default());
    table.link_breaks("Olad");
    table.step(Input::StorageReadOnly(true));
    assert!(shows(&mut table, "first", "second"));
    table.link_breaks("Olad");
    table.step(Input::StorageReadOnly(false));
    assert!(shows(&mut table, "first", "second"));
    assert_eq!(tokens(&table), ["second"]);
}

#[test]
fn t6_a_token_is_in_no_export() {
    let mut table = kept(Limits::default());
    keep(&mut table, "0123456789abcdef");
    assert!(!table.types("Olad", "export").contains("0123456789abcdef"));
    let person = table.world().person(table.account("Olad"));
    let all = serde_json::to_string(&table.world().kept_of(&person)).unwrap();
    assert!(!all.contains("0123456789abcdef"), "{all}");
}

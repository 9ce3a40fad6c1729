//! Login without a password: seat tokens, their expiry and revocation.

use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{SessionId, Span};
use deepwell::game::{CloseReason, GameConfig, Input, SEAT_REFUSED};

/// Returns a game with Olad logged in and a stored seat token.
fn with_token(limits: Limits) -> Table {
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    store_token(&mut table, "first");
    table
}

fn store_token(table: &mut Table, token: &str) {
    let (session, account) = (table.session("Olad"), table.account("Olad"));
    table.step(Input::KeepSeat { session, account, token: token.into() });
}

/// Logs Olad in with `token`, to be replaced by `next`. Returns `true` if accepted.
fn present_token(table: &mut Table, token: &str, next: &str) -> bool {
    let before = table.refusals().len();
    let account = table.account("Olad");
    table.open_session("Olad", |session| Input::TakeSeat {
        session,
        account,
        name: "Olad".into(),
        token: token.into(),
        next: next.into(),
        pre_login: Box::default(),
    });
    let refused = &table.refusals()[before..];
    assert!(refused.iter().all(|message| message == SEAT_REFUSED), "{refused:?}");
    refused.is_empty()
}

fn tokens(table: &Table) -> Vec<&str> {
    let row = &table.stored().accounts[&table.account("Olad")];
    row.seat_tokens.iter().map(|token| token.hash.as_str()).collect()
}

#[test]
fn a3_token_logs_in_once_and_is_replaced() {
    let mut table = with_token(Limits::default());
    table.types("Olad", "north");
    table.break_link("Olad");
    assert!(present_token(&mut table, "first", "second"));
    assert!(table.types("Olad", "look").contains("Climbers' Lodge"));
    table.restart();
    table.break_link("Olad");
    assert!(!present_token(&mut table, "first", "stolen"), "it was used");
    assert!(!present_token(&mut table, "stolen", "third"), "and what was to follow it counts for nothing");
    assert!(present_token(&mut table, "second", "third"));
    assert_eq!(tokens(&table), ["third"]);
}

/// A token is revoked by a password change, by recovery, by expiry and by logout.
#[test]
fn a3_token_is_revoked_by_password_expiry_and_logout() {
    const LIFE: Span = Span::mins(60);
    type End = fn(&mut Table);
    let ends: [(&str, End); 5] = [
        ("another password", |table| {
            let (session, account) = (table.session("Olad"), table.account("Olad"));
            table.step(Input::NewPassword { session, account, credential: "$new$".into() });
        }),
        ("a recovery code", |table| {
            let (session, account) = (table.session("Olad"), table.account("Olad"));
            table.step(Input::Recovery { session, account, credential: "$code$".into() });
            table.recover_account("Olad", "$new$");
        }),
        ("its time", |table| {
            table.break_link("Olad");
            table.waits(LIFE);
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
        let mut table = with_token(Limits { seat_token_life: LIFE, ..Limits::default() });
        end(&mut table);
        assert!(!present_token(&mut table, "first", "second"), "after {what}");
    }
}

#[test]
fn a3_each_use_renews_the_lifetime_of_a_token() {
    let mut table = with_token(Limits { seat_token_life: Span::secs(100), ..Limits::default() });
    for (shown, next) in [("first", "second"), ("second", "third"), ("third", "fourth")] {
        table.break_link("Olad");
        table.waits(Span::secs(99));
        assert!(present_token(&mut table, shown, next), "{shown}");
    }
}

/// `logout everywhere` closes every other session of the account, and none of other accounts.
#[test]
fn a3_logout_everywhere_closes_all_sessions_of_the_account() {
    let mut table = with_token(Limits::default());
    table.sit("Bera");
    table.types("Olad", "character new Cato");
    let account = table.account("Olad");
    table.log_in_as("Cato", account);
    let answer = table.types("Olad", "logout everywhere");
    assert!(answer.contains("no browser lets you in without your password"), "{answer}");
    let closed = [("Cato".to_owned(), CloseReason::LoggedOut), ("Olad".to_owned(), CloseReason::Quit)];
    assert_eq!(table.closed(), closed);
    assert!(table.types("Bera", "look").contains("Exits:"));
    assert!(table.types("Bera", "log in").contains("log out"), "what else it may mean is told");
}

/// Tokens per account are limited; the least recently used is evicted. A limit of 0 stores none.
#[test]
fn a8_tokens_per_account_are_bounded() {
    let mut table = with_token(Limits { seat_tokens: 2, ..Limits::default() });
    for token in ["second", "third"] {
        table.comes_back("Olad");
        store_token(&mut table, token);
    }
    assert_eq!(tokens(&table), ["second", "third"]);
    store_token(&mut table, "fourth");
    assert_eq!(tokens(&table), ["second", "fourth"], "one page has one");
    let table = with_token(Limits { seat_tokens: 0, ..Limits::default() });
    assert!(tokens(&table).is_empty());
}

#[test]
fn a3_session_cannot_store_token_of_another_account() {
    let mut table = with_token(Limits::default());
    table.sit("Bera");
    let (bera, account) = (table.session("Bera"), table.account("Olad"));
    for session in [bera, SessionId(99)] {
        table.step(Input::KeepSeat { session, account, token: "planted".into() });
    }
    assert_eq!(tokens(&table), ["first"]);
}

/// While storage is read-only, a token is accepted and not replaced.
#[test]
fn o3_token_is_not_replaced_while_storage_is_read_only() {
    let mut table = with_token(Limits::default());
    table.break_link("Olad");
    table.step(Input::StorageReadOnly(true));
    assert!(present_token(&mut table, "first", "second"));
    table.break_link("Olad");
    table.step(Input::StorageReadOnly(false));
    assert!(present_token(&mut table, "first", "second"));
    assert_eq!(tokens(&table), ["second"]);
}

#[test]
fn t6_tokens_are_not_exported() {
    let mut table = with_token(Limits::default());
    store_token(&mut table, "0123456789abcdef");
    assert!(!table.types("Olad", "export").contains("0123456789abcdef"));
    let person = table.world().person(table.account("Olad"));
    let all = serde_json::to_string(&table.world().kept_of(&person)).unwrap();
    assert!(!all.contains("0123456789abcdef"), "{all}");
}

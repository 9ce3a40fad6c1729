//! Seat tokens of the web client: messages and refusals.

use crate::protocol::web;
use crate::session::tests::browser::{send, shown, type_line};
use crate::session::tests::harness::{Table, WRONG};
use crate::session::{BrowserKey, ConnectionInfo, Privacy, Secret, Transport};
use deepwell_core::base::limits::Limits;
use deepwell_game::CloseReason;

const OFFER: &str = "G Deepwell.Seat.Offer {}";
const KEPT: &str = "G Deepwell.Seat.Kept {}";

fn browser(key: Option<BrowserKey>) -> Table {
    let connection = ConnectionInfo {
        transport: Transport::Web,
        privacy: Privacy::Local,
        browser: key,
        ..ConnectionInfo::default()
    };
    let mut table = Table::over(connection, Limits::default());
    shown(&mut table);
    table
}

fn known() -> Table {
    let mut table = browser(Some(BrowserKey([7; 32])));
    table.seat_token = Some(token('1'));
    table
}

fn token(digit: char) -> Secret {
    Secret(digit.to_string().repeat(64))
}

fn take(table: &mut Table, shown: char, next: char) -> Vec<String> {
    let (shown, next) = (token(shown), token(next));
    let body =
        format!("Deepwell.Seat.Take {{\"name\":\"Olad\",\"token\":\"{}\",\"next\":\"{}\"}}", shown.0, next.0);
    send(table, web::GMCP, &body)
}

#[test]
fn a3_client_stores_token_and_returns_with_it() {
    let mut table = browser(Some(BrowserKey([7; 32])));
    let entered = type_line(&mut table, "connect Olad correct horse");
    assert!(entered.contains(&OFFER.to_owned()), "{entered:?}");
    let keep = format!("Deepwell.Seat.Keep {{\"token\":\"{}\"}}", token('1').0);
    assert_eq!(send(&mut table, web::GMCP, &keep), [KEPT]);
    let mut again = known();
    let entered = take(&mut again, '1', '2');
    assert!(again.session.is_playing());
    assert!(entered.contains(&KEPT.to_owned()) && !entered.contains(&OFFER.to_owned()), "{entered:?}");
    assert!(again.seat_token == Some(token('2')));
    assert!(!again.trace.contains("1111") && !again.trace.contains("2222"), "T6: {}", again.trace);
}

#[test]
fn a3_invalid_token_is_refused_and_counts_as_try() {
    let mut table = known();
    let refused = take(&mut table, '3', '4');
    let refusal = format!("G Deepwell.Seat.Refused {{\"message\":\"{WRONG}\",\"forget\":false}}");
    assert!(refused.contains(&refusal), "{refused:?}");
    assert!(refused.iter().any(|message| message.ends_with("name: ")), "the dialog goes on: {refused:?}");
    for _ in 1..Limits::default().login_tries {
        assert_eq!(table.closed, None);
        take(&mut table, '3', '4');
    }
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));
}

#[test]
fn a3_token_equal_to_its_successor_is_refused() {
    let mut table = known();
    let refused = take(&mut table, '1', '1');
    assert!(refused[0].starts_with("G Deepwell.Seat.Refused"), "{refused:?}");
    assert!(!table.session.is_playing() && table.seat_token == Some(token('1')));
}

#[test]
fn a3_tokens_require_browser_key() {
    let mut table = browser(None);
    table.seat_token = Some(token('1'));
    let refused = take(&mut table, '1', '2');
    assert!(refused[0].starts_with("G Deepwell.Seat.Refused"), "{refused:?}");
    assert!(!table.session.is_playing());
    assert!(!type_line(&mut table, "connect Olad correct horse").contains(&OFFER.to_owned()));
}

#[test]
fn a3_password_change_offers_new_token() {
    let mut table = known();
    take(&mut table, '1', '2');
    type_line(&mut table, "password");
    type_line(&mut table, "correct horse");
    type_line(&mut table, "another horse");
    let changed = type_line(&mut table, "another horse");
    assert!(changed.contains(&OFFER.to_owned()), "{changed:?}");
}

/// A weak token would be a client error, and is not stored.
#[test]
fn n10_malformed_token_is_neither_stored_nor_checked() {
    let mut table = known();
    for body in ["", "{}", "[]", "{\"token\":7}", "{\"token\":\"11\"}"] {
        assert!(send(&mut table, web::GMCP, &format!("Deepwell.Seat.Take {body}")).is_empty(), "{body}");
    }
    let short =
        send(&mut table, web::GMCP, "Deepwell.Seat.Take {\"name\":\"Olad\",\"token\":\"1\",\"next\":\"2\"}");
    assert!(short[0].starts_with("G Deepwell.Seat.Refused"), "{short:?}");
    type_line(&mut table, "connect Olad correct horse");
    let zeds = format!("Deepwell.Seat.Keep {{\"token\":\"{}\"}}", "z".repeat(64));
    assert!(send(&mut table, web::GMCP, &zeds).is_empty());
    assert!(table.seat_token == Some(token('1')));
}

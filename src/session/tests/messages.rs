//! GMCP requests, their rate limits, and the rate limit of data.

use std::sync::Arc;

use deepwell_core::base::Span;
use deepwell_game::effect::data::CharVitals;
use deepwell_game::{Ask, Data, Output};

use crate::session::tests::harness::Table;

fn playing(packages: &str) -> Table {
    let mut table = Table::playing();
    send(&mut table, &format!("Core.Supports.Set {packages}"));
    table
}

fn send(table: &mut Table, message: &str) -> String {
    table.receive(&[b"\xff\xfa\xc9", message.as_bytes(), b"\xff\xf0"].concat())
}

fn vitals(hp: i32) -> Output {
    let string = format!("HP:{hp}/30");
    let vitals = CharVitals { hp, maxhp: 30, xp: 5, nextxp: 500, level: 1, might: None, string };
    Output::Data(Arc::new(Data::CharVitals(vitals)))
}

fn shown(hp: i32) -> String {
    format!(
        "<SB 201 Char.Vitals {{\"hp\":{hp},\"maxhp\":30,\"xp\":5,\"nextxp\":500,\"level\":1,\"string\":\"HP:{hp}/30\"}}>"
    )
}

#[test]
fn protocols_6_2_vitals_are_sent_four_times_a_second_at_most() {
    let mut table = playing(r#"["Char 1"]"#);
    table.output(vitals(30));
    assert_eq!(table.flush(), shown(30));
    table.output(vitals(20));
    table.output(vitals(10));
    assert_eq!(table.flush(), "");
    assert_eq!(table.wait(Span::millis(249)), "");
    assert_eq!(table.wait(Span::millis(1)), shown(10));
    assert_eq!(table.wait(Span::secs(5)), "");
}

#[test]
fn protocols_6_2_supported_requests_reach_game() {
    let mut table = playing(r#"["Char.Items 1"]"#);
    send(&mut table, "Char.Items.Inv \"\"");
    send(&mut table, "char.items.room");
    send(&mut table, "Char.Items.Contents 12");
    send(&mut table, "Comm.Channel.Players");
    assert_eq!(table.asks, [Ask::Pack, Ask::Room, Ask::Contents(deepwell_core::base::ItemId(12))]);
}

#[test]
fn requests_before_login_are_ignored() {
    let mut table = Table::telnet();
    send(&mut table, r#"Core.Supports.Set ["Char.Items 1"]"#);
    send(&mut table, "Char.Items.Inv");
    assert_eq!(table.asks, []);
}

/// N1: an answer is longer than its request, so the rate is limited.
#[test]
fn n1_request_flood_is_rate_limited() {
    let mut table = playing(r#"["Char.Items 1"]"#);
    table.wait(Span::secs(10));
    for _ in 0..100 {
        send(&mut table, "Char.Items.Inv");
    }
    assert_eq!(table.asks.len(), 20);
    table.wait(Span::secs(2));
    send(&mut table, "Char.Items.Inv");
    assert_eq!(table.asks.len(), 21);
    let before = table.wants.len();
    for turn in 0..100 {
        let word = if turn % 2 == 0 { "Add" } else { "Remove" };
        send(&mut table, &format!("Core.Supports.{word} [\"Room 1\"]"));
    }
    assert!(table.wants.len() - before <= 10, "whoever wants something is told all of it at once");
}

/// N10: malformed messages have no answer and no effect, and are counted.
#[test]
fn n10_hostile_messages_are_ignored_and_counted() {
    let mut table = playing(r#"["Char.Items 1"]"#);
    let wants = table.wants.clone();
    let before = table.session.ignored_messages();
    let strange = [
        "client_ip 1.2.3.4",
        "Char.Items.Contents \"; drop table\"",
        "Char.Items.Contents 99999999999999999999999",
        "Core.Supports.Set {\"Char\":1}",
        "Core.Supports.Add [\"Char 1\"",
        "Room.Info {\"num\":1}",
        "IRE.Rift.Request",
    ];
    for message in strange {
        assert_eq!(send(&mut table, message), "", "{message}");
    }
    assert_eq!(table.session.ignored_messages() - before, 7);
    for message in
        [format!("Core.Supports.Set {}", "[".repeat(5_000)), format!("Room.Info [0{}]", ",0".repeat(5_000))]
    {
        assert_eq!(send(&mut table, &message), "");
    }
    assert_eq!((table.wants, table.asks), (wants, vec![]));
}

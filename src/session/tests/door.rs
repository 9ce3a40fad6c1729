//! Login forms of the web client and the answers to them.

use crate::protocol::web;
use crate::session::tests::browser::{browser, send, shown, type_line};
use crate::session::tests::harness::{Table, WRONG};
use crate::session::{ConnectionInfo, Transport};
use deepwell_core::base::limits::Limits;
use deepwell_game::effect::Local;
use deepwell_game::{CloseReason, Output};

fn fill(table: &mut Table, form: &str, name: &str, password: &str) -> Vec<String> {
    let body = serde_json::json!({ "name": name, "password": password });
    send(table, web::GMCP, &format!("Deepwell.Door.{form} {body}"))
}

fn at_the_door() -> Table {
    let mut table = browser();
    shown(&mut table);
    table
}

fn refused(messages: &[String]) -> &str {
    messages.iter().find_map(|message| message.strip_prefix("G Deepwell.Door.Refused ")).expect("a refusal")
}

#[test]
fn create_form_creates_and_enters() {
    let mut table = at_the_door();
    let messages = fill(&mut table, "Create", "bera", "wet rope ladder");
    assert!(table.session.is_playing(), "{messages:?}");
    assert!(!table.trace.contains("ladder"), "T6: {}", table.trace);
}

#[test]
fn connect_form_logs_in() {
    let mut table = at_the_door();
    let messages = fill(&mut table, "Connect", "Olad", "wrong horse");
    assert_eq!(refused(&messages), format!("{{\"message\":\"{WRONG}\"}}"));
    fill(&mut table, "Connect", "Olad", "correct horse");
    assert!(table.session.is_playing());
}

#[test]
fn invalid_create_form_is_refused_with_reason() {
    let mut table = at_the_door();
    assert!(refused(&fill(&mut table, "Create", "B", "wet rope ladder")).contains("a name has at least"));
    assert!(refused(&fill(&mut table, "Create", "Bera", "wet")).contains("at least six"));
    assert!(refused(&fill(&mut table, "Create", "Olad", "wet rope ladder")).contains("taken"));
    assert!(refused(&fill(&mut table, "Create", "Berabera", "berabera")).contains("first thing anybody"));
    assert!(!table.session.is_playing() && table.closed.is_none());
}

#[test]
fn name_check_and_player_list_are_answered() {
    let mut table = at_the_door();
    let taken = send(&mut table, web::GMCP, "Deepwell.Door.Check {\"name\":\"Olad\"}");
    assert_eq!(taken, ["G Deepwell.Door.Name {\"name\":\"Olad\",\"flaw\":\"That name is taken.\"}"]);
    let free = send(&mut table, web::GMCP, "Deepwell.Door.Check {\"name\":\"Bera\"}");
    assert_eq!(free, ["G Deepwell.Door.Name {\"name\":\"Bera\",\"flaw\":null}"]);
    let who = send(&mut table, web::GMCP, "Deepwell.Door.Who");
    assert_eq!(who, ["G Deepwell.Door.Players {\"count\":1,\"names\":[\"Bera\"]}"]);
}

#[test]
fn guest_becomes_character_by_form() {
    let mut table = at_the_door();
    let messages = send(&mut table, web::GMCP, "Deepwell.Door.Visit");
    assert!(messages.contains(&"G Deepwell.Door.Guest {\"guest\":true}".to_owned()), "{messages:?}");
    assert!(refused(&fill(&mut table, "Join", "Olad", "wet rope ladder")).contains("cannot be had"));
    assert!(refused(&fill(&mut table, "Join", "Bera", "wet")).contains("at least six"));
    let messages = fill(&mut table, "Join", "Bera", "wet rope ladder");
    assert!(messages.contains(&"G Deepwell.Door.Guest {\"guest\":false}".to_owned()), "{messages:?}");
    assert!(!table.trace.contains("ladder"), "T6: {}", table.trace);
}

#[test]
fn guest_becomes_character_by_text_dialog() {
    let mut table = at_the_door();
    type_line(&mut table, "guest");
    assert!(table.session.is_playing());
    table.output(Output::Local(Local::Join));
    assert!(shown(&mut table).iter().any(|message| message.ends_with("the name you want: ")));
    assert!(type_line(&mut table, "b").iter().any(|message| message.contains("That will not do")));
    let asked = type_line(&mut table, "bera");
    assert!(asked.contains(&"G Deepwell.Input {\"hidden\":true}".to_owned()), "{asked:?}");
    type_line(&mut table, "wet rope ladder");
    let joined = type_line(&mut table, "wet rope ladder");
    assert!(
        joined.iter().any(|message| message.contains("You have a name and a password now")),
        "{joined:?}"
    );
    assert!(table.commands.is_empty() && !table.trace.contains("ladder"), "T6: {}", table.trace);
}

/// N2: each check costs the server work, so the rate is limited.
#[test]
fn n2_name_checks_are_rate_limited() {
    let mut table = at_the_door();
    let check = "Deepwell.Door.Check {\"name\":\"Olad\"}";
    let answered = (0..100).filter(|_| !send(&mut table, web::GMCP, check).is_empty()).count();
    assert!((10..40).contains(&answered), "{answered}");
}

#[test]
fn a3_form_login_failures_count_like_text_failures() {
    let mut table = at_the_door();
    for _ in 0..Limits::default().login_tries {
        assert_eq!(table.closed, None);
        fill(&mut table, "Connect", "Olad", "wrong horse");
    }
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));
}

#[test]
fn n10_malformed_or_telnet_forms_are_ignored() {
    let mut table = at_the_door();
    for message in
        ["Connect", "Connect []", "Create {\"name\":7}", "Open {\"name\":\"Olad\"}", "Check nonsense"]
    {
        assert!(send(&mut table, web::GMCP, &format!("Deepwell.Door.{message}")).is_empty(), "{message}");
    }
    let mut telnet = Table::over(
        ConnectionInfo { transport: Transport::Telnet, ..ConnectionInfo::default() },
        Limits::default(),
    );
    telnet.receive(crate::session::tests::harness::HANDSHAKE);
    let form =
        b"\xff\xfa\xc9Deepwell.Door.Connect {\"name\":\"Olad\",\"password\":\"correct horse\"}\xff\xf0";
    telnet.receive(form);
    assert!(!telnet.session.is_playing());
}

#[test]
fn form_that_waits_is_told_its_number() {
    let mut table = at_the_door();
    table.queued = vec![7, 3];
    let messages = fill(&mut table, "Connect", "Olad", "correct horse");
    assert!(table.session.is_playing());
    for number in table.queued {
        let sentence = format!("You are number {number} at the gate.");
        assert!(
            messages.contains(&format!("G Deepwell.Door.Queued {{\"message\":\"{sentence}\"}}")),
            "{messages:?}"
        );
        assert!(
            messages.iter().any(|message| message.starts_with("T ") && message.contains(&sentence)),
            "{messages:?}"
        );
    }
}

#[test]
fn guest_who_joins_is_told_its_number() {
    let mut table = at_the_door();
    send(&mut table, web::GMCP, "Deepwell.Door.Visit");
    table.queued = vec![4];
    let messages = fill(&mut table, "Join", "Bera", "wet rope ladder");
    let sentence = "Your password waits as number 4.";
    assert!(
        messages.contains(&format!("G Deepwell.Door.Queued {{\"message\":\"{sentence}\"}}")),
        "{messages:?}"
    );
}

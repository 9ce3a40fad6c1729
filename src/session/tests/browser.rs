//! Web client before login and in the game: the messages that replace telnet commands.

use crate::protocol::web;
use crate::session::tests::harness::{Table, WRONG};
use crate::session::{ConnectionInfo, Privacy, Transport};
use deepwell_core::base::Span;
use deepwell_core::base::limits::Limits;
use deepwell_game::Package;

/// Returns the output, one entry per message: `T` before text, `G` before GMCP.
pub(super) fn shown(table: &mut Table) -> Vec<String> {
    let mut bytes = Vec::new();
    table.session.flush(&mut bytes);
    let mut messages = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some((header, after)) = rest.split_first_chunk() {
        let (kind, length) = web::read_header(*header);
        let (payload, after) = after.split_at(length as usize);
        messages.push(format!("{} {}", char::from(kind), str::from_utf8(payload).unwrap()));
        rest = after;
    }
    messages
}

pub(super) fn send(table: &mut Table, kind: u8, payload: &str) -> Vec<String> {
    let bytes = [web::header(kind, payload.len()).as_slice(), payload.as_bytes()].concat();
    table.take_in(&bytes);
    shown(table)
}

pub(super) fn type_line(table: &mut Table, line: &str) -> Vec<String> {
    send(table, web::TEXT, &format!("{line}\n"))
}

pub(super) fn browser() -> Table {
    Table::over(
        ConnectionInfo { transport: Transport::Web, privacy: Privacy::Local, ..ConnectionInfo::default() },
        Limits::default(),
    )
}

#[test]
fn web_client_is_welcomed_immediately() {
    let greeted = shown(&mut browser());
    assert!(greeted[0].starts_with("T Welcome.\n") && greeted[0].ends_with("name: "), "{greeted:?}");
    assert_eq!(greeted[1..], ["G Deepwell.Prompt"]);
}

#[test]
fn rule_5_input_is_hidden_once_across_password_retries() {
    let mut table = browser();
    shown(&mut table);
    let asked = type_line(&mut table, "Olad");
    assert_eq!(asked, ["G Deepwell.Input {\"hidden\":true}", "T password: ", "G Deepwell.Prompt"]);
    let again = type_line(&mut table, "wrong horse");
    assert_eq!(again, [format!("T \n{WRONG}\npassword: "), "G Deepwell.Prompt".to_owned()]);
    let entered = type_line(&mut table, "correct horse");
    assert!(table.session.is_playing());
    assert_eq!(entered.iter().filter(|message| message.starts_with("G Deepwell.Input")).count(), 1);
    assert!(entered.contains(&"G Deepwell.Input {\"hidden\":false}".to_owned()), "{entered:?}");
    assert!(entered.iter().any(|message| message.contains("The Well\n")), "{entered:?}");
    assert_eq!(entered.last().unwrap(), "G Deepwell.Prompt");
}

#[test]
fn protocols_7_4_web_text_is_unwrapped_and_prompts_marked() {
    let mut table = browser();
    shown(&mut table);
    type_line(&mut table, "connect Olad correct horse");
    let text = "far and wide ".repeat(40);
    let heard = type_line(&mut table, &format!("say {text}"));
    assert!(heard[0].contains(text.trim_end()), "{heard:?}");
    assert_eq!(heard[1..], ["G Deepwell.Prompt"]);
}

#[test]
fn gmcp_needs_no_negotiation() {
    let mut table = browser();
    shown(&mut table);
    type_line(&mut table, "connect Olad correct horse");
    assert_eq!(send(&mut table, web::GMCP, "Core.Ping"), ["G Core.Ping"]);
    send(&mut table, web::GMCP, "Core.Supports.Set [\"Room 1\"]");
    assert!(table.wants.last().is_some_and(|wants| *wants == [Package::Room].into()));
}

#[test]
fn web_client_gets_goodbye_and_no_telnet() {
    let mut table = browser();
    shown(&mut table);
    type_line(&mut table, "connect Olad correct horse");
    table.wait(Span::secs(0));
    let ended = type_line(&mut table, "quit");
    assert!(ended.contains(&"G Core.Goodbye \"Goodbye.\"".to_owned()), "{ended:?}");
    let mut silent = browser();
    shown(&mut silent);
    let line = type_line(&mut silent, "GET / HTTP/1.1");
    assert!(silent.closed.is_none() && line.len() == 2, "no browser speaks HTTP in here: {line:?}");
}

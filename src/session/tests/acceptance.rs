//! Acceptance tests of a whole session: commands that reach the game, and output after login. The items that telnet
//! alone answers are in `protocol::telnet::acceptance`.

use crate::session::tests::harness::{HANDSHAKE, Table, legible};
use deepwell_core::base::{SessionId, Span};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Settings;
use deepwell_game::{Class, Output};

/// Creates a client that answers the terminal questions in order, and enters the game.
fn playing_as(terminals: &[&str]) -> Table {
    let mut table = Table::new();
    table.receive(b"\xff\xfb\x18\xff\xfe\x2a");
    for terminal in terminals {
        table.receive(&[b"\xff\xfa\x18\x00", terminal.as_bytes(), b"\xff\xf0"].concat());
    }
    table.receive(b"\xff\xfc\x06");
    table.type_line("connect Olad correct horse");
    assert!(table.session.is_playing());
    table
}

/// Rule 1: also during and after a password prompt.
#[test]
fn item_1_timing_mark_is_answered_at_every_prompt() {
    let mut table = Table::telnet();
    assert_eq!(table.receive(b"\xff\xfd\x06\xff\xfd\x06"), "<WILL 6><WILL 6>");
    assert_eq!(table.type_line("Olad"), "<WILL 1>password: <EOR>");
    assert_eq!(table.receive(b"corr\xff\xf4\xff\xfd\x06"), "<WILL 6>\npassword: <EOR>");
    table.type_line("correct horse");
    assert!(table.session.is_playing());
    assert_eq!(table.receive(b"\xff\xf4\xff\xfd\x06"), "<WILL 6>\nHP:27/30> <EOR>");
}

/// Rules 12 and 13, item 8: a client that garbles Unicode receives ASCII only.
#[test]
fn item_8_tinyfugue_gets_ascii_only() {
    let mut table = playing_as(&["TINYFUGUE", "ANSI-ATTR", "ANSI", "ANSI"]);
    table.hear("Ann says, \u{201c}Caf\u{e9} \u{2014} \u{4e2d} \u{2500}\u{2588} \u{1f642}\u{201d}");
    table.type_line("say \u{e9}");
    table.flush();
    let mut bytes = table.sent.iter();
    while let Some(byte) = bytes.next() {
        if *byte == 0xff {
            let command = *bytes.next().unwrap();
            if command >= 0xfa {
                bytes.next();
            }
        } else {
            assert!(byte.is_ascii(), "{byte:x}");
        }
    }
}

/// Protocols 5.12: by the option, also unsolicited and before login, with the server's figures.
#[test]
fn item_10_mssp_by_option_and_by_text() {
    let mut table = Table::new();
    table.flush();
    let answer = table.receive(b"\xff\xfd\x46");
    assert!(
        answer.starts_with("<SB 70 \u{1}NAME\u{2}Deepwell\u{1}PLAYERS\u{2}3\u{1}UPTIME\u{2}1700000000\u{1}"),
        "{answer}"
    );
    for variable in ["\u{1}ROOMS\u{2}400", "\u{1}PORT\u{2}4000", "\u{1}CHARSET\u{2}US-ASCII\u{2}UTF-8"] {
        assert!(answer.contains(variable), "{variable} in {answer}");
    }
    // Each answer has the form in which it was requested.
    table.receive(HANDSHAKE);
    let text = table.type_line("mssp-request");
    assert!(
        text.starts_with("\nMSSP-REPLY-START\nNAME\tDeepwell\nPLAYERS\t3\nUPTIME\t1700000000\n"),
        "{text}"
    );
    assert!(text.ends_with("MSSP-REPLY-END\nYour name: <EOR>"), "{text}");
    assert!(!text.contains(['\0', '\u{1}', '\u{2}']));
    assert!(!table.type_line("MSSP-REQUEST").contains("<SB"));
}

/// T3, T4, rules 14 and 15: terminal control sequences are removed from input and output.
#[test]
fn item_12_player_text_cannot_control_terminals() {
    let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}]8;;send:quit\u{1b}\\click\u{1b}]8;;\u{1b}\\ \u{9b}31m\u{202e}\u{200b} \
        !!SOUND(x.wav) <SEND HREF=\"quit\">x</SEND> \u{1b}[1z This world is Pueblo";
    let mut table = Table::playing();
    table.receive(format!("say {hostile}\r\n").as_bytes());
    let heard = table.commands.last().unwrap().clone();
    assert!(heard.starts_with("say click"), "{heard}");
    assert!(!heard.chars().any(char::is_control) && !heard.contains(['\u{202e}', '\u{200b}']));

    let before = table.sent.len();
    for text in [Markup::plain(hostile), Markup::styled(Style::Speech, hostile)] {
        table.output(Output::Text(Class::Speech, std::sync::Arc::new(text)));
    }
    table.flush();
    let sent = legible(&table.sent[before..]);
    for piece in sent.split('\u{1b}').skip(1) {
        let (code, _) = piece.split_once('m').unwrap();
        assert!(code.trim_start_matches('[').chars().all(|c| c.is_ascii_digit() || c == ';'), "{piece}");
    }
    assert!(!sent.contains(['\u{7}', '\u{9b}', '\u{202e}', '\u{200b}']));
}

/// Protocols 5.18: links only for a client that announces them, each within one line; `config links` overrides the
/// client.
#[test]
fn exits_are_links_for_clients_announcing_support() {
    let room =
        Markup::styled(Style::RoomName, "The Well").and("\nExits: ").with(Style::Exit, "north").and(".");
    let room = std::sync::Arc::new(room);
    let show = |table: &mut Table| {
        table.output(Output::Text(Class::Room, std::sync::Arc::clone(&room)));
        table.flush()
    };
    let link = "\u{1b}]8;;send:north\u{1b}\\north\u{1b}]8;;\u{1b}\\";
    let mut table = playing_as(&["MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"]);
    assert!(!show(&mut table).contains("]8;;"));
    table.receive(b"\xff\xfb\x27\xff\xfa\x27\x00\x03OSC_HYPERLINKS\x011\xff\xf0");
    let shown = show(&mut table);
    assert!(shown.contains(link) && shown.matches("]8;;").count() == 2, "{shown}");
    table.output(Output::Settings(Box::new(Settings { links: Some(false), ..Settings::default() })));
    assert!(!show(&mut table).contains("]8;;"));
    table.output(Output::Settings(Box::new(Settings {
        links: Some(true),
        screen_reader: Some(true),
        ..Settings::default()
    })));
    assert!(!show(&mut table).contains("]8;;"));
    let mut other = Table::playing();
    other.output(Output::Settings(Box::new(Settings { links: Some(true), ..Settings::default() })));
    assert!(show(&mut other).contains("]8;;send:north"));
}

/// N1: 200 subnegotiations at once, then sixty a second; the others have no effect.
#[test]
fn subnegotiation_flood_is_rate_limited() {
    let mut table = Table::playing();
    table.receive(b"\xff\xfd\x2a\xff\xfb\x2a");
    let request = b"\xff\xfa\x2a\x01;KOI8-R\xff\xf0".repeat(2_000);
    let rejections = |table: &mut Table| table.receive(&request).matches("<SB 42").count();
    let at_once = rejections(&mut table);
    assert!((190..=200).contains(&at_once), "{at_once}");
    assert_eq!(rejections(&mut table), 0);
    table.wait(Span::millis(500));
    assert_eq!(rejections(&mut table), 30);
    assert!(table.closed.is_none());
}

/// Protocols 12: `netinfo` shows all negotiated options, one per line, to the session that asked.
#[test]
fn netinfo_reports_negotiated_options() {
    let mut table = playing_as(&["MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"]);
    table.receive(b"\xff\xfb\x1f\xff\xfa\x1f\x00\x64\x00\x1e\xff\xf0\xff\xfd\x19");
    table.inspect(SessionId(1));
    let report = table.flush();
    for line in [
        "Transport: telnet",
        "Private: no, whoever is on the way can read it",
        "Terminal names: MUDLET, ANSI-TRUECOLOR",
        "MTTS: 2349",
        "Columns: 100",
        "Rows: 30",
        "Colours: true colours",
        "Letters: UTF-8",
        "Prompts end in: END-OF-RECORD",
        "Option 31, window size: the client does it",
        "Option 25, end of record: we do it",
        "Option 42, charset: not agreed",
    ] {
        assert!(report.lines().any(|shown| shown == line), "{line} is not in\n{report}");
    }
    table.inspect(SessionId(9));
    assert_eq!(table.flush(), "", "what somebody else asked is shown to them alone");
    assert!(table.trace.contains("Report { to: SessionId(9)"), "{}", table.trace);
}

/// Item 17: a keep-alive after each minute without output, unless the player has turned it off.
#[test]
fn item_17_keep_alive_can_be_turned_off() {
    let mut table = Table::playing();
    assert_eq!(table.wait(Span::secs(60)), "<NOP>");
    table.output(Output::Settings(Box::new(Settings { no_keep_alive: true, ..Settings::default() })));
    assert_eq!(table.wait(Span::secs(600)), "");
    table.output(Output::Settings(Box::default()));
    table.type_line("sing");
    assert_eq!(table.wait(Span::secs(60)), "<NOP>");
}

/// Protocols 10: screen reader mode follows MTTS, later INFO messages, and the player's command, each time immediately.
#[test]
fn item_16_screen_reader_mode_follows_client_and_command() {
    let drawn = "Here\n=====\nthere";
    let show = |table: &mut Table| {
        table.hear(drawn);
        table.flush().contains("=====")
    };
    assert!(!show(&mut playing_as(&["TINTIN++", "xterm", "MTTS 335"])));
    let mut table = playing_as(&["MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"]);
    assert!(show(&mut table));
    table.receive(b"\xff\xfb\x27\xff\xfa\x27\x02\x03SCREEN_READER\x011\xff\xf0");
    assert!(!show(&mut table));
    table.receive(b"\xff\xfa\x27\x02\x03SCREEN_READER\x010\xff\xf0");
    assert!(show(&mut table));

    let mut table = Table::telnet();
    assert!(table.type_line("screenreader").contains("Screen reader mode is on"));
    table.type_line("connect Olad correct horse");
    assert!(!show(&mut table));
    table.wait(Span::secs(1));
}

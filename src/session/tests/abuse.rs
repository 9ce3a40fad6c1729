//! Robustness tests: floods, silence, odd bytes, clients of other protocols, every window width.

use std::sync::Arc;

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::session::Delivery;
use crate::session::tests::harness::{HANDSHAKE, Table};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{ColourLevel, GameTime, Span};
use deepwell_core::text::Markup;
use deepwell_core::world::Settings;
use deepwell_core::world::account::Width;
use deepwell_game::{Class, CloseReason, Data, Output, Package, Packages, PromptFields, packages_by_default};

/// N1, N3: a burst passes immediately, the rest at the rate limit, all in order.
#[test]
fn pipelined_commands_run_in_order() {
    let mut table = Table::playing();
    let mut bytes = Vec::new();
    for number in 0..150 {
        bytes.extend_from_slice(format!("say {number}\r\n").as_bytes());
        // An answer to a TIMING-MARK and a resized window in between.
        bytes.extend_from_slice(b"\xff\xfc\x06\xff\xfa\x1f\x00\x64\x00\x1e\xff\xf0");
    }
    table.receive(&bytes);
    assert_eq!(table.commands.len(), 59, "the login line was the first of the burst");
    assert!(!table.session.wants_input());
    assert_eq!(table.session.next_deadline(), Some(GameTime(50)));
    table.wait(Span::millis(1_000));
    assert_eq!(table.commands.len(), 79);
    table.wait(Span::millis(1_000));
    assert!(table.session.wants_input());
    table.wait(Span::secs(60));
    let expected: Vec<_> = (0..150).map(|number| format!("say {number}")).collect();
    assert_eq!(table.commands, expected);
}

/// N1: excess GMCP messages are ignored; later messages are answered again.
#[test]
fn gmcp_flood_is_rate_limited() {
    let mut table = Table::playing();
    table.receive(b"\xff\xfd\xc9");
    let before = table.sent.len();
    table.receive(&b"\xff\xfa\xc9Core.Ping\xff\xf0".repeat(5_000));
    let answers = |table: &Table, from: usize| {
        String::from_utf8_lossy(&table.sent[from..]).matches("Core.Ping").count()
    };
    assert_eq!(answers(&table, before), 200);
    table.wait(Span::millis(500));
    let before = table.sent.len();
    table.receive(&b"\xff\xfa\xc9Core.Ping\xff\xf0".repeat(5_000));
    assert_eq!(answers(&table, before), 30);
}

/// T6, A3: the password leaves the session only in actions, and their `Debug` output hides it.
#[test]
fn password_appears_in_no_output_or_trace() {
    for lines in [
        &["connect Olad correct horse", "correct horse", "look"][..],
        &["Olad", "correct horsf", "correct horse", "correct horse", "look"],
        &["Tess", "correct horse", "yes", "correct horse", "correct horse", "correct horse"],
        &["create Olad correct horse", "create Tess correct horse", "create Tess correct horse"],
    ] {
        let mut table = Table::telnet();
        for line in lines {
            table.type_line(line);
        }
        assert!(table.session.is_playing(), "{lines:?}");
        let sent = String::from_utf8_lossy(&table.sent).into_owned();
        assert!(
            !sent.contains("horse") && !table.trace.contains("horse"),
            "{lines:?}: {sent}{}",
            table.trace
        );
    }
}

/// N2: the login deadline is absolute.
#[test]
fn input_does_not_extend_login_deadline() {
    let mut table = Table::telnet();
    for _ in 0..299 {
        table.wait(Span::secs(1));
        table.receive(b"\r\n");
    }
    assert_eq!(table.closed, None);
    table.wait(Span::secs(1));
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));
}

/// Protocols 4.2: answers that are lost are not awaited, and cause no prompt later.
#[test]
fn lost_answers_cause_no_later_prompt() {
    let mut table = Table::playing();
    table.session.receive(b"sing\r\nsing\r\n", table.now, &mut Vec::new());
    let lost = || Delivery::NotAnswered(Arc::new(Markup::plain("Server: Not answered: sing")));
    for delivery in [lost(), lost(), Delivery::Reattached("Lost.".into())] {
        table.session.deliver(delivery, table.now, &mut Vec::new());
    }
    table.hear("You take hold of your body again.");
    let fields = PromptFields { hp: 27, max_hp: 30, ..PromptFields::default() };
    table.output(Output::Prompt(fields));
    assert!(table.flush().ends_with("HP:27/30> <EOR>"));
    table.output(Output::Prompt(PromptFields { hp: 26, ..fields }));
    assert_eq!(table.flush(), "", "nothing was said, and nobody asked");
    assert!(table.type_line("nothing").ends_with("<EOR>"), "and an answer is awaited as ever");
}

/// N2: only a whole line or a protocol answer counts as input that keeps a place before login.
#[test]
fn n2_incomplete_input_does_not_count() {
    let mut table = Table::with(Limits::default());
    for byte in [&b"x"[..], b"y", b"\xff", b"\xf1", b"\xff\xfb"] {
        table.take_in(byte);
        assert!(!table.session.take_heard(), "{byte:?}");
    }
    table.take_in(b"\x18");
    table.take_in(HANDSHAKE);
    assert!(table.session.take_heard(), "it has said what it can do");
    table.take_in(b"olad");
    assert!(!table.session.take_heard());
    table.take_in(b"\r\n");
    assert!(table.session.take_heard() && !table.session.take_heard());
}

#[test]
fn idle_player_is_disconnected() {
    let mut table = Table::playing();
    table.wait(Span::mins(59));
    table.receive(b"\xff\xfa\xc9core.keepalive\xff\xf0");
    table.wait(Span::mins(59));
    assert_eq!(table.closed, None);
    let last = table.wait(Span::mins(1));
    assert!(last.contains("Nothing was heard from you for 60 minutes."), "{last}");
    assert_eq!(table.closed, Some(CloseReason::Idle));
}

/// N12: a keep-alive after 60 s without output, to telnet clients only.
#[test]
fn silent_telnet_client_gets_keep_alive_each_minute() {
    let mut table = Table::playing();
    assert_eq!(table.wait(Span::millis(59_999)), "");
    assert_eq!(table.wait(Span::millis(1)), "<NOP>");
    table.wait(Span::secs(30));
    table.type_line("sing");
    assert_eq!(table.wait(Span::millis(59_999)), "");
    assert_eq!(table.wait(Span::millis(1)), "<NOP>");
    let mut raw = Table::raw();
    assert_eq!(raw.wait(Span::secs(200)), "");
}

/// Protocols, sections 3 and 14.14.
#[test]
fn browsers_and_tls_clients_are_disconnected() {
    let mut table = Table::new();
    table.flush();
    let answer = table.receive(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 400 Bad Request\n") && answer.contains("telnet port"), "{answer}");
    assert!(!answer.contains("name: "));
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));

    let mut table = Table::new();
    table.flush();
    assert_eq!(table.receive(b"\x16\x03\x01\x02\x00\x01\x00"), "");
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));
}

/// Protocols 4.1.
#[test]
fn are_you_there_is_answered_once_a_second() {
    let mut table = Table::playing();
    assert_eq!(table.receive(b"\xff\xf6\xff\xf6"), "\n[Yes, still here.]\nHP:27/30> <EOR>");
    assert_eq!(table.receive(b"\xff\xf6"), "");
    table.wait(Span::secs(1));
    assert_eq!(table.receive(b"\xff\xf6"), "\n[Yes, still here.]\nHP:27/30> <EOR>");
}

/// Rule 1: Ctrl-C in telnet.
#[test]
fn interrupt_shows_prompt_again() {
    let mut table = Table::playing();
    assert_eq!(table.receive(b"say oo\xff\xf4\xff\xfd\x06"), "<WILL 6>\nHP:27/30> <EOR>");
    assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <EOR>");
}

#[test]
fn overlong_line_is_reported_once() {
    let mut table = Table::playing();
    let answer = table.type_line(&"x".repeat(20_000));
    assert_eq!(answer.matches("too long").count(), 1, "{answer}");
    assert_eq!(table.commands.len(), 1);
    assert_eq!(table.commands[0].len(), 4_096);
}

#[test]
fn too_much_negotiation_ends_the_session() {
    let mut table = Table::telnet();
    table.receive(&b"\xff\xfb\x50".repeat(3_000));
    assert_eq!(table.closed, Some(CloseReason::Flood));
}

#[test]
fn subscriptions_are_reported_to_game() {
    let mut table = Table::telnet();
    table.receive(b"\xff\xfa\xc9core.supports.set [\"Char 1\", \"Room 1\"]\xff\xf0");
    assert_eq!(table.receive(b"\xff\xfa\xc9Core.Ping 30\xff\xf0"), "<SB 201 Core.Ping>");
    table.type_line("connect Olad correct horse");
    let vitals = Packages::from([Package::Character, Package::Room]);
    assert_eq!(table.wants, std::slice::from_ref(&vitals));
    table.wait(Span::secs(10));
    table.receive(b"\xff\xfa\xc9Core.Supports.Remove [\"room\"]\xff\xf0");
    assert_eq!(table.wants, [vitals, [Package::Character].into()]);

    let name = Data::CharName { name: "Olad".to_owned(), fullname: "Olad \u{1b}[1m".to_owned() };
    table.output(Output::Data(Arc::new(name)));
    let message = Data::ChannelText { channel: "ooc".into(), talker: "Tess".into(), text: "Hi.".into() };
    table.output(Output::Data(Arc::new(message)));
    assert_eq!(
        table.flush(),
        "<SB 201 Char.Name {\"name\":\"Olad\",\"fullname\":\"Olad \\u001b[1m\"}>",
        "data alone needs no prompt"
    );
}

/// Protocols 6.1: Blightmud sends only `Core.Hello`.
#[test]
fn client_without_packages_gets_all_two_seconds_after_login() {
    let mut table = Table::playing();
    table.wait(Span::millis(1_999));
    assert_eq!(table.wants, []);
    table.wait(Span::millis(1));
    let all = packages_by_default();
    assert_eq!(table.wants, [all]);
}

#[test]
fn no_line_exceeds_window_width() {
    let mut table = Table::playing();
    let text = Markup::plain(&"A low passage of clay, and something that breathes beyond. ".repeat(9));
    for width in 20..=200_u16 {
        let [high, low] = width.to_be_bytes();
        let resize = [0xff, 0xfb, 0x1f, 0xff, 0xfa, 0x1f, high, low, 0, 24, 0xff, 0xf0];
        table.receive(&resize);
        table.output(Output::Text(Class::Room, Arc::new(text.clone())));
        let seen = table.flush();
        let longest = seen.lines().filter(|line| !line.starts_with("HP:")).map(UnicodeWidthStr::width).max();
        assert!(longest < Some(usize::from(width)), "{width}: {seen}");
    }
    table.output(Output::Settings(Box::new(Settings { width: Width::Off, ..Settings::default() })));
    table.output(Output::Text(Class::Room, Arc::new(text.clone())));
    assert!(table.flush().contains(text.text()));
}

#[test]
fn no_colour_means_no_escape_code() {
    let mut table = Table::playing();
    table.output(Output::Settings(Box::new(Settings {
        colour: Some(ColourLevel::None),
        ..Settings::default()
    })));
    table.output(Output::Text(
        Class::Room,
        Arc::new(Markup::styled(deepwell_core::text::Style::Harm, "You are hit.")),
    ));
    assert_eq!(table.flush(), "\nYou are hit.\nHP:27/30> <EOR>");
}

/// A highlight has a style where there are styles, else a word.
#[test]
fn highlight_follows_colour_setting() {
    for (colour, shown) in [
        (ColourLevel::None, "\nMarked: A rat waits.\n"),
        (ColourLevel::Sixteen, "\nA \u{1b}[1;4;33mrat\u{1b}[0m waits.\n"),
    ] {
        let mut table = Table::playing();
        table.output(Output::Settings(Box::new(Settings {
            colour: Some(colour),
            highlights: ["rat".to_owned()].into(),
            ..Settings::default()
        })));
        table.output(Output::Text(Class::Room, Arc::new("A rat waits.".into())));
        assert!(table.flush().starts_with(shown), "{colour:?}");
    }
}

/// Client input, with or without a login in it.
fn any_stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"connect Olad correct horse\r\n".to_vec()),
        Just(b"Olad\r\ncorrect horse\r\n".to_vec()),
        Just(b"tess\nyes\nlantern\nlantern\n".to_vec()),
        Just(b"sing\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\xff\xf4\xff\xfd\x06".to_vec()),
        Just(b"\xff\xfa\xc9Core.Supports.Set [\"Room 1\"]\xff\xf0".to_vec()),
        prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// An event of the property test.
#[derive(Clone, Debug)]
enum TestEvent {
    Typed(&'static str),
    Heard,
    Hurt(i32),
    Bytes(&'static [u8]),
    Time(i64),
}

fn any_test_event() -> impl Strategy<Value = TestEvent> {
    prop_oneof![
        prop::sample::select(vec!["sing", "nothing", "", "!", "who", "Olad", "correct horse"])
            .prop_map(TestEvent::Typed),
        Just(TestEvent::Heard),
        (0..30).prop_map(TestEvent::Hurt),
        prop::sample::select(vec![&b"\xff\xf6"[..], b"\xff\xf4", b"\xff\xfa\xc9Core.Ping\xff\xf0"])
            .prop_map(TestEvent::Bytes),
        (0_i64..3_000).prop_map(TestEvent::Time),
    ]
}

/// Tracks the cursor of a client that echoes input, and checks each prompt.
#[derive(Default)]
struct Terminal {
    column: usize,
    hidden: bool,
}

impl Terminal {
    fn typed(&mut self) {
        if !self.hidden {
            self.column = 0;
        }
    }

    /// Shows a batch; returns the number of prompts in it.
    fn show(&mut self, batch: &str) -> usize {
        self.hidden = match (batch.rfind("<WILL 1>"), batch.rfind("<WONT 1>")) {
            (None, None) => self.hidden,
            (on, off) => on > off,
        };
        let mut batch = batch.replace("<WILL 1>", "").replace("<WONT 1>", "");
        for invisible in ["<SB 201 Core.Ping>", "<NOP>", "\u{1b}[0m", "\u{1b}[31m"] {
            batch = batch.replace(invisible, "");
        }
        let lines = batch.split('\n').count();
        for (number, line) in batch.split('\n').enumerate() {
            self.column = if number == 0 { self.column } else { 0 };
            assert!(self.column == 0 || line.is_empty(), "glued to what stood there: {batch:?}");
            assert!(!line.contains("<EOR>") || number + 1 == lines, "text follows a prompt: {batch:?}");
            self.column += line.len();
        }
        assert!(self.column == 0 || batch.is_empty() || batch.ends_with("<EOR>"), "{batch:?}");
        batch.matches("<EOR>").count()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Protocols 4.2 and 7.5: a batch ends in at most one prompt, only typed input follows a prompt on its line, and
    /// every command is followed by a prompt.
    #[test]
    fn each_batch_ends_in_at_most_one_prompt(happenings in prop::collection::vec(prop::collection::vec(any_test_event(), 1..4), 1..19)) {
        let mut table = Table::playing();
        let mut terminal = Terminal { column: 1, hidden: false };
        for batch in happenings {
            let (mut spoke, mut asked) = (false, false);
            for happening in batch {
                match happening {
                    TestEvent::Typed(line) => {
                        terminal.typed();
                        table.take_in(format!("{line}\r\n").as_bytes());
                        spoke = true;
                    }
                    TestEvent::Heard => {
                        table.hear("Tess waves.");
                        spoke = true;
                    }
                    TestEvent::Hurt(hp) => {
                        table.output(Output::Prompt(PromptFields { hp, max_hp: 30, fighting: false, ..PromptFields::default() }));
                    }
                    TestEvent::Bytes(bytes) => {
                        table.take_in(bytes);
                        asked = true;
                    }
                    TestEvent::Time(millis) => {
                        let shown = table.wait(Span::millis(millis));
                        terminal.show(&shown);
                    }
                }
            }
            let shown = table.flush();
            let prompts = terminal.show(&shown);
            prop_assert!(prompts <= usize::from(spoke || asked), "{}", shown);
            prop_assert!(!spoke || terminal.column > 0, "no prompt after all: {}", shown);
        }
    }

    /// N6 at this level: splitting the bytes into different reads does not change the actions.
    #[test]
    fn splitting_input_does_not_change_actions(stream in any_stream(), cuts in prop::collection::vec(1_usize..9, 1..40)) {
        let mut whole = Table::with(Limits::default());
        whole.take_in(HANDSHAKE);
        whole.take_in(&stream);
        whole.flush();
        let mut split = Table::with(Limits::default());
        split.take_in(HANDSHAKE);
        let mut rest = stream.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (now, later) = rest.split_at((*cut).min(rest.len()));
            split.receive(now);
            rest = later;
        }
        prop_assert_eq!(&whole.trace, &split.trace);
        prop_assert_eq!(whole.wants.last(), split.wants.last());
        prop_assert_eq!(whole.closed, split.closed);
    }
}

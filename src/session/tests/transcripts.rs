//! Dialogs and play as transcripts of the client's output.

use crate::session::tests::harness::{HANDSHAKE, Table, WRONG};
use crate::session::{ConnectionInfo, Privacy, Secret};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{ColourLevel, GameTime, Span};
use deepwell_core::world::Settings;
use deepwell_core::world::account::{Charset, PromptStyle};
use deepwell_game::{CloseReason, Output, PromptFields};

/// Part of the welcome for a client that has not announced a screen reader.
const OFFER: &str = "For plain sentences, to be read aloud or in braille, type screenreader.";

/// Protocols, section 3: the welcome waits for the client's capabilities, for one second at most.
#[test]
fn first_prompt_follows_handshake_or_one_second() {
    let mut telnet = Table::new();
    assert!(!telnet.flush().contains("name: "));
    assert!(telnet.receive(HANDSHAKE).ends_with(&format!("Welcome.\n{OFFER}\nYour name: <EOR>")));

    let mut raw = Table::new();
    raw.flush();
    assert_eq!(raw.session.next_deadline(), Some(GameTime(1_000)));
    assert_eq!(raw.wait(Span::millis(999)), "");
    assert_eq!(raw.wait(Span::millis(1)), format!("Welcome.\n{OFFER}\nYour name: "));
}

/// Interface 3.
#[test]
fn new_character_requires_confirmation_and_repeated_password() {
    let mut table = Table::telnet();
    assert_eq!(
        table.type_line("tess"),
        "Nobody here is called \u{1b}[1;32mTess\u{1b}[0m. You can be the first.\nCreate Tess? yes/no: <EOR>"
    );
    assert_eq!(table.type_line("maybe"), "Type yes or no.\nCreate Tess? yes/no: <EOR>");
    assert_eq!(
        table.type_line("yes"),
        "Choose a password of at least six characters. What you type is not shown.\n<WILL 1>new password: <EOR>"
    );
    assert_eq!(table.type_line("lantern"), "\nthe same password: <EOR>");
    assert_eq!(table.type_line("lanterm"), "\nThe two are not the same. Choose again.\nnew password: <EOR>");
    assert_eq!(table.type_line("lantern"), "\nthe same password: <EOR>");
    assert_eq!(table.type_line("lantern"), "<WONT 1>\nThe Well\nHP:27/30> <EOR>");
    assert_eq!(table.accounts.get("tess").unwrap().0, "lantern");
}

/// An invalid name is refused immediately, with the reason, before the password prompt.
#[test]
fn invalid_name_is_refused_at_name_prompt() {
    let mut table = Table::telnet();
    let refused = "That word is a command, so nobody can be called it.\nYour name: <EOR>";
    assert_eq!(table.type_line("kill"), refused);
    assert_eq!(table.type_line("create kill"), refused);
    assert_eq!(
        table.type_line("create tess"),
        "Choose a password of at least six characters. What you type is not shown.\n<WILL 1>new password: <EOR>"
    );
    assert_eq!(table.type_line(""), "<WONT 1>\nYour name: <EOR>");
    let taken = "That name is taken. Type it alone to come in with it.\nYour name: <EOR>";
    assert_eq!(table.type_line("create olad"), taken);
}

/// Interface 3: at most 8 prompts from the first byte to the first room.
#[test]
fn longest_login_has_five_prompts() {
    let mut table = Table::new();
    table.take_in(HANDSHAKE);
    table.take_in(b"tess\r\nyes\r\nlantern\r\nlantern\r\n");
    let way = table.flush();
    assert!(table.session.is_playing());
    assert_eq!(way.matches("<EOR>").count(), 5, "{way}");
}

/// Protocols 14.9: ECHO is turned on after visible text and before the prompt, and off before the game's text.
#[test]
fn password_stays_hidden_until_first_room() {
    let mut table = Table::telnet();
    assert_eq!(table.type_line("Olad"), "<WILL 1>password: <EOR>");
    assert_eq!(table.type_line("correct horse"), "<WONT 1>\nThe Well\nHP:27/30> <EOR>");
}

/// Rule 5, A3: ECHO changes at the first prompt and at the end, regardless of the number of wrong passwords.
#[test]
fn five_failed_passwords_toggle_echo_once_and_disconnect() {
    let mut table = Table::telnet();
    let mut seen = table.type_line("Olad");
    for _ in 0..4 {
        let answer = table.type_line("wrong horse");
        assert_eq!(answer, format!("\n{WRONG}\npassword: <EOR>"));
        seen.push_str(&answer);
    }
    assert_eq!(table.closed, None);
    seen.push_str(&table.type_line("wrong horse"));
    assert_eq!(table.closed, Some(CloseReason::LoginFailed));
    assert_eq!((seen.matches("<WILL 1>").count(), seen.matches("<WONT 1>").count()), (1, 1), "{seen}");
    assert!(!table.session.wants_input());
    assert_eq!(table.session.next_deadline(), None);
}

/// A3: a login that the server postponed does not count as a try.
#[test]
fn postponed_logins_do_not_disconnect() {
    let mut table = Table::telnet();
    table.busy = true;
    table.type_line("Olad");
    for _ in 0..20 {
        assert_eq!(table.type_line("correct horse"), "\nNot now.\npassword: <EOR>");
    }
    table.busy = false;
    table.type_line("correct horse");
    assert!(table.session.is_playing());
}

#[test]
fn empty_password_returns_to_name_prompt() {
    let mut table = Table::telnet();
    table.type_line("Olad");
    assert_eq!(table.type_line(""), "<WONT 1>\nYour name: <EOR>");
    table.type_line("create Tess");
    assert_eq!(table.type_line(""), "<WONT 1>\nYour name: <EOR>");
    table.type_line("tess");
    assert_eq!(table.type_line("no"), "Your name: <EOR>");
}

/// Interface 3, A2.
#[test]
fn wrong_password_and_unknown_name_look_the_same() {
    let mut table = Table::telnet();
    let answer = table.type_line("connect Olad wrong horse");
    assert_eq!(answer, format!("{WRONG}\nYour name: <EOR>"));
    assert_eq!(table.type_line("connect Nobody wrong horse"), answer);
    assert_eq!(table.type_line("connect 12!? x"), answer);
    assert_eq!(table.type_line("connect Olad"), table_after_wrong().type_line("connect Nobody"));
}

fn table_after_wrong() -> Table {
    let mut table = Table::telnet();
    table.type_line("connect Olad wrong horse");
    table
}

#[test]
fn connect_and_create_work_in_one_line() {
    let mut table = Table::raw();
    assert_eq!(table.type_line("  CONNECT  olad correct horse"), "The Well\nHP:27/30> ");
    let mut table = Table::raw();
    assert_eq!(table.type_line("create tess blue lantern"), "The Well\nHP:27/30> ");
    assert_eq!(table.accounts.get("tess").unwrap().0, "blue lantern");
    let mut table = Table::raw();
    assert_eq!(table.type_line("create olad blue lantern"), "That name is taken.\nYour name: ");
}

#[test]
fn invalid_names_and_passwords_are_refused_with_reason() {
    let mut table = Table::raw();
    let long = "x".repeat(129);
    for (line, reason) in [
        ("Ol4d", "only the letters a to z"),
        ("x", "at least 2 letters"),
        ("north", "means something in the sentences of the game"),
        ("create Ol4d blue lantern", "only the letters a to z"),
        ("create Tess blue", "too short"),
        (&format!("create Tess {long}"), "too long"),
        ("create Tobias tobiaS", "first thing anybody would try"),
        ("connect", "Type connect, your name"),
        ("create", "Type create, a name"),
    ] {
        let answer = table.type_line(line);
        assert!(answer.contains(reason) && answer.ends_with("\nYour name: "), "{line}: {answer}");
    }
    assert_eq!(table.accounts.len(), 1);
}

/// Protocols, section 3: crawlers send an empty line and `who`.
#[test]
fn name_prompt_accepts_commands() {
    let mut table = Table::raw();
    assert_eq!(table.type_line(""), "Your name: ");
    assert_eq!(table.type_line("WHO"), "Nobody is here.\nYour name: ");
    assert!(table.type_line("help").contains("- create NAME PASSWORD"));
    let mssp = table.type_line("mssp-request");
    assert!(
        mssp.starts_with("\nMSSP-REPLY-START\nNAME\tDeepwell\nPLAYERS\t3\nUPTIME\t1700000000\n"),
        "{mssp}"
    );
    assert!(mssp.ends_with("\nMSSP-REPLY-END\nYour name: "), "{mssp}");
    table.type_line("quit");
    assert_eq!(table.closed, Some(CloseReason::Quit));
}

#[test]
fn settings_before_login_are_kept() {
    let mut table = Table::raw();
    assert!(table.type_line("screenreader").starts_with("Screen reader mode is on"));
    assert!(table.type_line("screenreader").starts_with("Screen reader mode is off"));
    table.type_line("screenreader on");
    assert!(table.type_line("encoding").contains("UTF-8"));
    assert!(table.type_line("encoding ascii").contains("plain ASCII"));
    assert!(table.type_line("color 256").contains("256 colours"));
    for (line, help) in
        [("colour blue", "colour off"), ("encoding x", "encoding utf-8"), ("screenreader x", "on")]
    {
        assert!(table.type_line(line).contains(help), "{line}");
    }
    table.type_line("connect Olad correct horse");
    let pre_login = Settings {
        screen_reader: Some(true),
        encoding: Some(Charset::Ascii),
        colour: Some(ColourLevel::TwoFiftySix),
        ..Settings::default()
    };
    assert_eq!(table.pre_login, Some(pre_login));
    table.hear("Zoë waves.");
    assert_eq!(table.flush(), "\nZoe waves.\n");
}

/// Lines of a text reach the game unchanged, typed or pasted: none is an alias, a password or several commands.
#[test]
fn lines_of_a_text_are_not_interpreted() {
    let text = ["  one; two ", "", "password secret", "! north", "n"];
    for pasted in [false, true] {
        let mut table = Table::playing();
        let aliases = [("n".to_owned(), "north".to_owned())].into();
        let stack = deepwell_core::world::Stacking::One;
        table.output(Output::Settings(Box::new(Settings { stack, aliases, ..Settings::default() })));
        let lines = [["describe here"].as_slice(), &text, &[".", "n;sing"]].concat();
        if pasted {
            table.receive(format!("{}\r\n", lines.join("\r\n")).as_bytes());
        } else {
            assert_eq!(table.type_line(lines[0]), "Line 1> <EOR>");
            for line in &lines[1..] {
                table.type_line(line);
            }
        }
        let heard = [["describe here"].as_slice(), &text, &[".", "north", "sing"]].concat();
        assert_eq!(table.commands, heard, "pasted: {pasted}");
    }
}

/// Interface 3: one prompt after each command, even without output.
#[test]
fn each_command_is_followed_by_one_prompt() {
    let mut table = Table::playing();
    assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <EOR>");
    assert_eq!(table.type_line("nothing"), "HP:27/30> <EOR>");
    assert_eq!(table.type_line(""), "HP:27/30> <EOR>");
    assert_eq!(table.type_line("!"), "HP:27/30> <EOR>");
    assert_eq!(table.receive(b"sing\r\ndance\r\n"), "You sing.\nYou dance.\nHP:27/30> <EOR>");
    assert_eq!(table.flush(), "");
}

/// Protocols 4.2 and 7.5.
#[test]
fn output_of_others_starts_new_line_and_ends_with_prompt() {
    let mut table = Table::playing();
    table.hear("Tess waves.");
    table.hear("Tess leaves.");
    assert_eq!(table.flush(), "\nTess waves.\nTess leaves.\nHP:27/30> <EOR>");
    table.output(Output::Prompt(PromptFields {
        hp: 20,
        max_hp: 30,
        fighting: true,
        ..PromptFields::default()
    }));
    assert_eq!(table.flush(), "", "never two prompts without text between");
    table.hear("It grows dark.");
    assert_eq!(table.flush(), "\nIt grows dark.\nHP:20/30 fighting> <EOR>");
}

#[test]
fn server_messages_are_shown_at_name_prompt() {
    let mut table = Table::telnet();
    table.show("The server stops in a minute.".into());
    assert_eq!(table.flush(), "\nThe server stops in a minute.\nYour name: <EOR>");
}

#[test]
fn settings_apply_from_next_text() {
    let mut table = Table::playing();
    table.output(Output::Settings(Box::new(Settings { prompt: PromptStyle::Brief, ..Settings::default() })));
    assert_eq!(table.type_line("sing"), "You sing.\n> <EOR>");
    table.output(Output::Settings(Box::new(Settings { prompt: PromptStyle::Off, ..Settings::default() })));
    assert_eq!(table.type_line("sing"), "You sing.\n");
    table.hear("Tess waves.");
    assert_eq!(table.flush(), "Tess waves.\n");
}

/// Rule 8: Blightmud sends its last line again when the player presses Enter.
#[test]
fn repeated_password_is_not_a_command() {
    let mut table = Table::telnet();
    table.type_line("Olad");
    table.type_line("correct horse");
    assert_eq!(table.type_line("correct horse"), "HP:27/30> <EOR>");
    assert_eq!(table.type_line("correct horse"), "HP:27/30> <EOR>");
    table.type_line("sing");
    table.type_line("!");
    assert_eq!(table.commands, ["sing", "sing"]);

    let mut table = Table::playing();
    table.type_line("connect Olad correct horse");
    assert_eq!(table.commands, Vec::<String>::new());
}

#[test]
fn quit_sends_goodbye() {
    let mut table = Table::playing();
    assert_eq!(table.type_line("quit"), "<SB 201 Core.Goodbye \"Goodbye.\">");
    assert_eq!(table.closed, Some(CloseReason::Quit));
    assert_eq!(table.type_line("look"), "");
    table.hear("Too late.");
    assert_eq!(table.flush(), "");
}

#[test]
fn lines_before_welcome_are_processed() {
    let mut table = Table::with(Limits::default());
    table.flush();
    assert_eq!(table.receive(b"connect Olad correct horse\nsing\n"), "");
    let shown = table.wait(Span::secs(1));
    assert_eq!(shown, format!("Welcome.\n{OFFER}\nYour name: \nThe Well\nYou sing.\nHP:27/30> "));
}

/// Reliability A4: a client that supports TLS is told the port once; a client that already uses TLS is not.
#[test]
fn tls_capable_client_is_told_tls_port() {
    let capable = b"\xff\xfb\x18\xff\xfa\x18\x00MTTS 2349\xff\xf0\xff\xfc\x06";
    let mut plain = Table::new();
    let text = plain.receive(capable);
    assert!(text.contains("Your client can encrypt what you type: connect to port 4040 by TLS.\n"), "{text}");
    assert!(plain.type_line("help").contains("Port 4040 takes encrypted ones, by TLS."));
    let mut private =
        Table::over(ConnectionInfo { privacy: Privacy::Tls, ..ConnectionInfo::default() }, Limits::default());
    assert!(!private.receive(capable).contains("4040") && !private.type_line("help").contains("4040"));
    let mut unable = Table::new();
    assert!(!unable.receive(HANDSHAKE).contains("4040"));
}

/// Returns the output for some bytes as a single line.
fn unwrapped(table: &mut Table, bytes: &[u8]) -> String {
    table.receive(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All invalid UTF-8 bytes would become the same character, so any password of the same length would match.
#[test]
fn undecodable_passwords_are_refused_at_every_prompt() {
    let dialogs: [&[&[u8]]; 4] = [
        &[b"connect Olad \x80\x80\x80\x80\x80\x80"],
        &[b"connect Olad", b"\x80\x80\x80\x80\x80\x80"],
        &[b"create Bera \x80\x80\x80\x80\x80\x80"],
        &[b"create Bera", b"\x80\x80\x80\x80\x80\x80"],
    ];
    for lines in dialogs {
        let mut table = Table::raw();
        table.accounts.insert("olad".to_owned(), Secret("\u{fffd}".repeat(6)));
        let text: String =
            lines.iter().map(|line| unwrapped(&mut table, &[line, b"\r\n".as_slice()].concat())).collect();
        assert!(text.contains("encoding latin1") && text.contains("would match others"), "{lines:?}: {text}");
        assert_eq!(table.pre_login, None, "nothing was asked of the game: {lines:?}");
    }
}

/// A player whose character set is wrong is told once which setting helps, and is read correctly after changing it.
#[test]
fn undecodable_text_causes_one_encoding_hint() {
    let mut table = Table::raw();
    table.type_line("connect Olad correct horse");
    let hint = "config encoding latin1";
    assert!(unwrapped(&mut table, b"say caf\xe9\r\n").contains(hint));
    assert!(!unwrapped(&mut table, b"say caf\xe9\r\n").contains(hint));
    let mut table = Table::raw();
    assert!(unwrapped(&mut table, b"encoding cp1251\r\n").contains("Windows-1251"));
    assert!(!unwrapped(&mut table, b"who \xcf\r\n").contains("encoding"));
}

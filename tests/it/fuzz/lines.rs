//! Fuzz targets for client input: GMCP messages, alias expansion, commands.

use super::{Draws, Target, fuzz, outcome};
use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{AccountId, CharacterId, GameTime, SessionId, Span};
use deepwell::game::command::reference;
use deepwell::game::{Effect, Input, Packages};
use deepwell::session::{ConnectionInfo, Delivery, Request, Session, SessionAction, SessionConfig};
use deepwell::world::{Role, Settings, Stacking};
use std::collections::BTreeMap;
use std::sync::Arc;

const ME: SessionId = SessionId(1);
const IAC: u8 = 255;
/// Telnet negotiation of a client that accepts GMCP and declines everything else.
const HANDSHAKE: &[u8] = b"\xff\xfc\x18\xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfd\xc9\xff\xfc\x06";

/// Returns a session that has just entered the game.
fn playing(limits: Limits, settings: Settings) -> Session {
    let config = SessionConfig { limits, name: "Deepwell".to_owned(), ..SessionConfig::default() };
    let mut session = Session::new(ME, Arc::new(config), ConnectionInfo::default(), GameTime(0));
    let mut actions = Vec::new();
    session.receive(HANDSHAKE, GameTime(0), &mut actions);
    session.receive(b"connect Olad secret\r\n", GameTime(0), &mut actions);
    let (account, character) = (AccountId(1), CharacterId(1));
    let entered = Effect::Entered {
        session: ME,
        account,
        character,
        name: "Olad".to_owned(),
        settings: Box::new(settings),
    };
    session.deliver(Delivery::Effect(entered), GameTime(0), &mut actions);
    session.flush(&mut Vec::new());
    session
}

/// Feeds the bytes in pieces; returns the session's actions and output.
fn received(session: &mut Session, pieces: &[&[u8]]) -> (Vec<SessionAction>, Vec<u8>) {
    let (mut actions, mut sent) = (Vec::new(), Vec::new());
    for piece in pieces {
        session.receive(piece, GameTime(0), &mut actions);
    }
    session.tick(GameTime(0) + Span::secs(3), &mut actions);
    session.flush(&mut sent);
    (actions, sent)
}

/// Returns the actions without changes of wanted packages, and the packages wanted last. Intermediate changes may be
/// reported one at a time, or not at all if they cancel out.
fn final_actions(actions: &[SessionAction]) -> (Vec<&SessionAction>, Packages) {
    let wish = |action: &SessionAction| match action {
        SessionAction::Ask(Request::Game(Input::Wants { packages, .. })) => Some(packages.clone()),
        _ => None,
    };
    let last = actions.iter().rev().find_map(wish).unwrap_or_default();
    (actions.iter().filter(|action| wish(action).is_none()).collect(), last)
}

/// A GMCP message has the same effect for every split, causes a bounded number of requests, and never closes the
/// connection.
#[test]
fn n10_gmcp_messages_are_independent_of_splits() {
    let messages = [
        "Core.Hello {\"client\":\"Mudlet\",\"version\":\"4.17.2\"}",
        "Core.Supports.Set [\"Char 1\",\"Char.Items 1\",\"Room 1\",\"Comm.Channel 1\",\"Party 1\"]",
        "Core.Supports.Add [\"Client.Media 1\"]",
        "Core.Supports.Remove [\"Room\"]",
        "Core.Ping 120",
        "Core.KeepAlive",
        "Char.Items.Contents 12",
        "Char.Items.Inv \"\"",
        "Char.Login.Credentials {\"account\":\"olad\",\"password\":\"x\"}",
        "Comm.Channel.Players",
    ];
    // The first byte selects the piece sizes.
    let seeds = messages.iter().map(|message| format!("3{message}").into_bytes()).collect();
    let words =
        ["{", "}", "[", "]", "\"", ":", ",", "null", "1e999", "-1", "\\u0000", "\\ud800", " ", "\n", "."];
    let words = words.iter().chain(&messages).map(|word| word.as_bytes().to_vec()).collect();
    fuzz(&Target { name: "gmcp", runs: 6_000, seeds, words }, |input| {
        let mut draws = Draws(input);
        let sizes = draws.bytes(1);
        let mut bytes = Vec::new();
        let count = draws.0.split(|byte| *byte == b'\n').count();
        for message in draws.0.split(|byte| *byte == b'\n') {
            bytes.extend([IAC, 250, 201]);
            for byte in message {
                bytes.extend(std::iter::repeat_n(*byte, 1 + usize::from(*byte == IAC)));
            }
            bytes.extend([IAC, 240]);
        }
        let (mut whole, mut cut) = (
            playing(Limits::default(), Settings::default()),
            playing(Limits::default(), Settings::default()),
        );
        let (actions, sent) = received(&mut whole, &[&bytes]);
        let (in_pieces, sent_in_pieces) = received(&mut cut, &Draws(&bytes).pieces(sizes));
        assert_eq!(final_actions(&in_pieces), final_actions(&actions));
        assert_eq!(sent_in_pieces, sent);
        assert!(actions.len() <= 2 * count + 2, "{actions:?}");
        assert!(!actions.iter().any(|action| matches!(action, SessionAction::Close(_))), "{actions:?}");
        assert!(sent.len() <= 4 * bytes.len() + 2_000, "{} bytes answer {}", sent.len(), bytes.len());
        let mut kinds: Vec<String> = actions
            .iter()
            .map(|action| format!("{action:?}").chars().filter(|c| c.is_alphabetic()).take(400).collect())
            .collect();
        kinds.truncate(4);
        outcome((kinds, sent.len().min(300) / 20, count.min(6)))
    });
}

/// Aliases expand to a bounded number of commands of bounded length.
#[test]
fn a8_alias_expansion_is_bounded() {
    let seeds = [
        "\x01k=kill $1;loot\ngo=repeat 3 north;k rat\nk bat;go;k rat",
        "\x02a=a;a\nb=a;;b\nb;;a;;b",
        "\0x=say $* $1 $9\nx one two",
    ];
    let seeds = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let words = [
        "repeat 9 ", "repeat 65535 ", ";", ";;", "$1", "$*", "$9", "$", "\n", "=", "say ", "!1", "!", "a",
        "b", "password ",
    ];
    let words = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    fuzz(&Target { name: "alias", runs: 3_000, seeds, words }, |input| {
        let limits = Limits { commands_burst: 1_000, line_bytes: 256, ..Limits::default() };
        let mut draws = Draws(input);
        let stack = [Stacking::Off, Stacking::One, Stacking::Two][draws.below(3)];
        let text = String::from_utf8_lossy(draws.0).into_owned();
        let mut lines: Vec<&str> = text.split('\n').collect();
        let typed = lines.pop().unwrap_or_default();
        let aliases: BTreeMap<String, String> = lines
            .iter()
            .filter_map(|line| line.split_once('='))
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        let count = aliases.len();
        let mut session = playing(limits.clone(), Settings { stack, aliases, ..Settings::default() });
        let (actions, _) = received(&mut session, &[typed.replace('\r', " ").as_bytes(), b"\r\n"]);
        let commands: Vec<&str> = actions
            .iter()
            .filter_map(|action| match action {
                SessionAction::Ask(Request::Game(Input::Command { line, .. })) => Some(line.as_str()),
                _ => None,
            })
            .collect();
        assert!(commands.len() <= limits.stacked_commands as usize, "{commands:?}");
        assert!(commands.iter().all(|command| command.len() <= limits.line_bytes as usize), "{commands:?}");
        outcome((commands.len(), count.min(4), actions.len().min(4), stack as u8))
    });
}

/// Arguments appended to commands, valid and invalid.
const ARGUMENTS: [&str; 38] = [
    "lamp",
    "all",
    "all.lamp",
    "2.rat",
    "5",
    "0",
    "-1",
    "4294967296",
    "99999999999999999999",
    "1 copper",
    "me",
    "bera",
    "hello",
    "from pack",
    "in pack",
    "to bera",
    "north",
    "down",
    "here",
    "on",
    "off",
    "list",
    "=",
    "window",
    "salt",
    "rat",
    "\"",
    ";",
    "@",
    "\u{202e}",
    "\u{1b}[31m",
    "#1",
    "#0",
    "#4294967295",
    "new Cato",
    "invite",
    "test myhero seed=7",
    "Cellar = hatch, out",
];

/// Any typed line leaves all invariants intact and yields clean output, in the dark and with owner rights.
#[test]
fn t1_d6_typed_lines_keep_invariants_and_clean_output() {
    let mut words: Vec<Vec<u8>> =
        reference(Role::Owner).map(|[name, ..]| format!("\n{name} ").into_bytes()).collect();
    words.extend(ARGUMENTS.iter().map(|word| format!("{word} ").into_bytes()));
    let examples =
        reference(Role::Owner).map(|[.., example]| example.as_bytes().to_vec()).collect::<Vec<_>>();
    let mut seeds: Vec<Vec<u8>> = examples.chunks(12).map(|chunk| chunk.join(&b"\n"[..])).collect();
    seeds.push(b"down\neast\nkill rat\nflee\nlook".to_vec());
    fuzz(&Target { name: "commands", runs: 160, seeds, words }, |input| {
        let mut table = Table::new(seeded(11));
        table.checks_every(16);
        for name in ["Olad", "Bera"] {
            table.sit(name);
        }
        table.make_owner("Olad");
        table.types_all("Bera", &["down", "east"]);
        let text = String::from_utf8_lossy(input);
        let (mut read, mut empty) = (0, 0);
        for (n, line) in text.split('\n').take(40).enumerate() {
            let name = ["Olad", "Bera"][n % 2];
            let line = deepwell::base::unicode::clean(line);
            let answer = table.types(name, &line);
            assert!(
                answer.chars().all(|c| c == '\n' || deepwell::base::unicode::is_printable(c)),
                "{answer:?}"
            );
            read += answer.len();
            empty += usize::from(answer.is_empty());
            if !table.closed().is_empty() {
                break;
            }
        }
        assert_eq!(table.game().check(), [""; 0]);
        outcome((read / 64, empty))
    });
}

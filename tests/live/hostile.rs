//! Load and hostile input: the service for honest players must not suffer.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use std::collections::BTreeSet;

const IAC: u8 = 255;

/// N3: a hundred and twenty commands in one segment, mixed with telnet replies, are all executed in order at the
/// default rate limits; and five hundred with higher limits.
#[test]
fn n3_pipelined_commands_are_executed_in_order() {
    assert_executed_in_order(&[], 120);
    assert_executed_in_order(&["limits.commands_per_second=100000", "limits.commands_burst=100000"], 500);
}

fn assert_executed_in_order(settings: &[&str], count: u32) {
    let server = Server::start(settings);
    let mut client = server.create("Olad");
    let replies: [&[u8]; 4] =
        [&[IAC, 252, 31], &[IAC, 241], &[IAC, 254, 86], &[IAC, 250, 31, 0, 100, 0, 40, IAC, 240]];
    let mut segment = Vec::new();
    for n in 0..count {
        // Inside a word, between words and between lines.
        let (before, after) = replies.split_at(n as usize % replies.len());
        segment.extend_from_slice(b"sa");
        segment.extend(before.iter().copied().flatten());
        segment.extend_from_slice(format!("y number {n}.\r\n").as_bytes());
        segment.extend(after.iter().copied().flatten());
    }
    client.send_bytes(&segment);
    for n in 0..count {
        let heard = client.expect(".\n");
        let line = heard.lines().last().unwrap();
        assert!(line.ends_with(&format!("You say: number {n}.")), "instead of {n}: {heard}");
    }
}

/// N4: five hundred players in one room each say a line, and each hears every line.
#[test]
fn n4_crowd_of_500_hears_every_line() {
    const CROWD: usize = 500;
    let server = Server::start(&["limits.hash_queue=1000", "auth.slots=2"]);
    let mut crowd: Vec<Client> =
        (0..CROWD).map(|_| Client::open(server.address(), ClientKind::Plain)).collect();
    for (n, client) in crowd.iter_mut().enumerate() {
        client.expect("name: ");
        let name = numbered(n);
        client.send(&format!("create {name} {}", password(&name)));
    }
    for client in &mut crowd {
        client.expect("Welcome.");
        client.ask("");
    }
    for (n, client) in crowd.iter_mut().enumerate() {
        client.send(&format!("say <{n}>"));
    }
    for client in &mut crowd {
        let heard: BTreeSet<usize> = (0..CROWD)
            .map(|_| {
                client.expect("<");
                client.expect(">").trim_end_matches('>').parse().unwrap()
            })
            .collect();
        assert_eq!(heard.len(), CROWD, "somebody was heard twice, and somebody not at all");
    }
    server.assert_sound();
}

/// D7: characters created concurrently get distinct ids; of two requests for one name, one succeeds.
#[test]
fn d7_concurrent_creations_get_unique_ids_and_names() {
    let mut server = Server::start(&[]);
    let mut clients: Vec<Client> = (0..20).map(|_| server.connect()).collect();
    for (n, client) in clients.iter_mut().enumerate() {
        // Each name is requested twice.
        let name = numbered(n / 2);
        client.send(&format!("create {name} {}", password(&name)));
    }
    let outcomes: Vec<bool> = clients
        .iter_mut()
        .map(|client| {
            let answer = client.expect_any(&["Welcome.", "That name is taken"]);
            answer.ends_with("Welcome.")
        })
        .collect();
    for pair in outcomes.chunks(2) {
        assert_eq!(pair.iter().filter(|made| **made).count(), 1, "of two, one gets the name: {outcomes:?}");
    }
    server.stop();
    let stored = server.stored();
    let names: BTreeSet<String> = stored.accounts.values().map(|account| account.name.clone()).collect();
    let players = stored.characters.values().filter(|character| character.account.is_some()).count();
    assert_eq!((stored.accounts.len(), names.len(), players), (10, 10, 10));
}

/// A1: passwords are compared in full, not only their first eight letters.
#[test]
fn a1_passwords_are_compared_in_full() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.enter("create", "Olad", "correct-horse-battery");
    for password in ["correct-", "correct-horse-batterx", "correct-horse-battery2"] {
        let mut client = server.connect();
        client.send(&format!("connect Olad {password}"));
        client.expect("do not belong together");
        client.expect("name: ");
    }
    server.connect().enter("connect", "Olad", "correct-horse-battery");
}

/// N1, N6, T1: overlong lines, invalid bytes, escape codes and telnet commands in speech are cleaned or refused; other
/// players see clean text; nothing panics.
#[test]
fn n1_n6_t1_invalid_input_is_cleaned_or_refused() {
    let server = Server::start(&[]);
    let mut neighbour = server.create("Bera");
    let mut olad = server.create("Olad");
    neighbour.ask("config colour off");
    let colours = neighbour.colours();
    olad.send(&"x".repeat(10_000));
    olad.expect("That line is too long");
    let sayings: [(&[u8], &str); 6] = [
        (b"say \x1b[31mred\x1b[0m and \x1b]0;title\x07gone", "red"),
        (b"say caf\xe9 \xc3\x28 \xf0\x9f", "caf"),
        (b"say one\xff\xfftwo", "two"),
        (b"say back\x08\x08\x7fspace", "space"),
        (b"say \xe2\x80\xaegnihton\xe2\x80\xac nothing", "nothing"),
        (b"say nul\x00 and \x01\x02\x03 controls", "controls"),
    ];
    for (line, word) in sayings {
        olad.send_bytes(&[line, b"\r\n"].concat());
        let heard = neighbour.expect("Olad says: ") + &neighbour.ask("");
        assert!(heard.contains("Olad says: ") && heard.contains(word), "{heard:?}");
        let odd = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!heard.contains(odd), "{heard:?}");
    }
    assert_eq!(neighbour.colours(), colours, "colours can be sent to somebody who wants none");
    assert!(olad.look().contains("Well Square"), "the line is clear again");
    server.assert_sound();
}

/// T5: empty, reserved and confusable names are refused with a reason, and the prompt is repeated.
#[test]
fn t5_invalid_names_are_refused_with_a_reason() {
    let server = Server::start(&[]);
    server.create("Olad");
    let mut client = server.connect();
    let long = "a".repeat(40);
    for name in [
        "a",
        "12345",
        "O'lad",
        "admin",
        "north",
        "rat",
        "0lad",
        "oiad",
        "\u{41e}lad",
        "../../etc/passwd",
        "';drop",
        "%s%n",
        "\u{1f600}",
        "look",
        long.as_str(),
    ] {
        client.send(&format!("create {name} {}", password("anybody")));
        let answer = client.expect("name: ");
        let reasons = [
            "That will not do: ",
            "That name is taken",
            "cannot be a name",
            "nobody else can be",
            "nobody can be called it",
        ];
        let refused = reasons.iter().any(|reason| answer.contains(reason));
        assert!(refused, "{name}: {answer}");
    }
    client.enter("create", "Bera", &password("Bera"));
    server.assert_sound();
}

/// A2: no password, right or wrong, is found in a written file or the log, whether typed in one line or prompted for,
/// at the login prompt or by mistake in the game.
#[test]
fn a2_passwords_are_not_written_or_logged() {
    let mut server = Server::start(&["log.level=trace"]);
    let secret = |n: u32| format!("Zq{n}-unheard-of-{n}");
    let mut client = server.connect();
    client.enter("create", "Olad", &secret(1));
    client.ask(&format!("connect Olad {}", secret(1)));
    client.ask(&secret(1));
    let mut client = server.connect();
    client.send("Bera");
    client.expect("yes/no: ");
    client.send("yes");
    for attempt in [secret(2), secret(3), secret(4), secret(4)] {
        client.expect("password: ");
        client.send(&attempt);
    }
    client.expect("Welcome.");
    let mut client = server.connect();
    client.send(&format!("connect Olad {}", secret(5)));
    client.expect("do not belong together");
    server.assert_no_trace_of("unheard-of");
    server.kill();
    server.assert_no_trace_of("unheard-of");
}

/// Returns a distinct name for a number; no two are confusable.
fn numbered(n: usize) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:03}").into_bytes().into_iter().map(letter);
    format!("Crowd{}", digits.collect::<String>())
}

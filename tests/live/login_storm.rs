//! Many players who log in at once, as after a restart: each waits in the queue and is told its number.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};

const PLAYERS: usize = 100;

/// Hashes that take long enough for a second number.
const SETTINGS: &[&str] = &["auth.slots=1", "auth.passes=6"];

/// Returns the name of a player: a number, in letters that do not look alike.
fn name(nth: usize) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits: String = format!("{nth:03}").into_bytes().into_iter().map(letter).collect();
    format!("Storm{digits}")
}

/// Sends the line of each player at once. Returns what each read until it was in the game.
fn enter_at_once(server: &Server, word: &str) -> Vec<String> {
    let mut clients: Vec<Client> =
        (0..PLAYERS).map(|_| Client::open(server.address(), ClientKind::Plain)).collect();
    for client in &mut clients {
        client.expect("name: ");
    }
    for (nth, client) in clients.iter_mut().enumerate() {
        let name = name(nth);
        client.send(&format!("{word} {name} {}", password(&name)));
    }
    clients.iter_mut().map(|client| client.expect("Exits:")).collect()
}

/// Numbers that a player was told, in order.
fn numbers(heard: &str) -> Vec<u32> {
    let parts = heard.split("You are number ").skip(1);
    parts.map(|rest| rest.split_once(" at the gate.").expect("a sentence").0.parse().unwrap()).collect()
}

fn assert_told(heard: &[String]) {
    let lists: Vec<Vec<u32>> = heard.iter().map(|heard| numbers(heard)).collect();
    for (numbers, heard) in lists.iter().zip(heard) {
        assert!(numbers.is_sorted_by(|before, after| before > after), "{heard}");
        assert!(!heard.contains("Too many"), "{heard}");
    }
    let waited = lists.iter().filter(|numbers| !numbers.is_empty()).count();
    assert!(waited >= PLAYERS * 4 / 5, "{waited} were told a number");
    assert!(lists.iter().any(|numbers| numbers.len() > 1), "none was told twice: {lists:?}");
}

/// N2: a hundred new accounts, and after a restart as many logins at once: each player gets in, and those that wait are told
/// numbers that only fall.
#[test]
fn n2_login_storm_is_served_and_told_its_numbers() {
    let mut server = Server::start(SETTINGS);
    assert_told(&enter_at_once(&server, "create"));
    server.kill();
    server.restart(SETTINGS);
    assert_told(&enter_at_once(&server, "connect"));
    server.assert_sound();
}

//! Reconnecting with a token instead of a password, over real sockets: by the web client, and by an attacker.

use crate::server::{Server, password};
use crate::web::{Browser, WEB, open_with, run};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// Returns a token in the web client's format.
fn token(letter: char) -> String {
    letter.to_string().repeat(64)
}

/// Returns the cookie set with the web client's page.
fn cookie(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: well\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let line = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    line.split(';').next().unwrap().to_owned()
}

async fn open(address: SocketAddr, cookie: &str) -> Browser {
    let mut page = open_with(address, WEB, &[("cookie", cookie)]).await.unwrap();
    page.expect("name: ").await;
    page
}

/// Logs in and has a token stored for reconnecting.
async fn keeps(address: SocketAddr, cookie: &str, word: &str, name: &str, token: &str) -> Browser {
    let mut page = open(address, cookie).await;
    page.send(&format!("{word} {name} {}\n", password(name))).await;
    page.expect_data("Deepwell.Seat.Offer").await;
    page.send_data(&format!("Deepwell.Seat.Keep {}", json!({ "token": token }))).await;
    page.expect_data("Deepwell.Seat.Kept").await;
    page
}

async fn shows(page: &mut Browser, name: &str, token: &str, next: &str) {
    let body = json!({ "name": name, "token": token, "next": next });
    page.send_data(&format!("Deepwell.Seat.Take {body}")).await;
}

/// Returns `true` if a web client with this cookie can reconnect with the token.
async fn can_reconnect(address: SocketAddr, cookie: &str, name: &str, token: &str, next: &str) -> bool {
    let mut page = open(address, cookie).await;
    shows(&mut page, name, token, next).await;
    // A refused client is sent the name prompt again.
    page.expect_either("Exits:", "name: ").await == "Exits:"
}

/// A3, D1: the web client reconnects after each kill of the server, each time with a new token; no token is written or
/// logged.
#[test]
fn a3_web_client_reconnects_after_kill_and_tokens_are_not_logged() {
    let mut server = Server::start(&["http.listen=127.0.0.1:0"]);
    let browser = cookie(server.http());
    let tokens = ["a", "b", "c"].map(|letter| token(letter.chars().next().unwrap()));
    run(async { keeps(server.http(), &browser, "create", "Olad", &tokens[0]).await });
    for pair in tokens.windows(2) {
        server.kill();
        server.restart(&["http.listen=127.0.0.1:0"]);
        assert!(run(can_reconnect(server.http(), &browser, "Olad", &pair[0], &pair[1])));
    }
    server.stop();
    server.assert_sound();
    for token in tokens {
        server.assert_no_trace_of(&token);
    }
    server.assert_no_trace_of(browser.split_once('=').unwrap().1);
}

/// Checks that tokens end when the owner logs out everywhere, and when the password changes.
async fn assert_tokens_end(address: SocketAddr, own: &str, kept: &str) {
    assert!(can_reconnect(address, own, "Olad", kept, &token('9')).await);
    let mut owner = open(address, own).await;
    owner.send(&format!("connect Olad {}\n", password("Olad"))).await;
    owner.expect("Exits:").await;
    owner.send("log out everywhere\n").await;
    owner.expect_data("Core.Goodbye").await;
    assert!(
        !can_reconnect(address, own, "Olad", &token('9'), &token('7')).await,
        "after logging out everywhere"
    );

    let mut owner = keeps(address, own, "connect", "Olad", &token('8')).await;
    owner.send("password\n").await;
    for (question, answer) in [
        ("password now: ", password("Olad")),
        ("new password: ", "another lantern".to_owned()),
        ("the same password: ", "another lantern".to_owned()),
    ] {
        owner.expect(question).await;
        owner.send(&format!("{answer}\n")).await;
    }
    owner.expect("Your password is changed").await;
    drop(owner);
    assert!(!can_reconnect(address, own, "Olad", &token('8'), &token('7')).await, "after another password");
}

/// A3: attempts with only the token or only the cookie, with a used token, or with stored or logged data fail. Expiry
/// of tokens is tested in `tests/it/returning.rs`, where time is simulated.
#[test]
fn a3_stolen_or_forged_tokens_are_refused() {
    let mut server = Server::start(&["http.listen=127.0.0.1:0"]);
    let (own, thief) = (cookie(server.http()), cookie(server.http()));
    let (right, next) = (token('a'), token('b'));
    run(async {
        drop(keeps(server.http(), &own, "create", "Olad", &right).await);
        drop(keeps(server.http(), &thief, "create", "Gesa", &token('c')).await);
    });
    server.stop();
    let hash = server.stored().accounts.values().next().unwrap().seat_tokens[0].hash.clone();
    server.restart(&["http.listen=127.0.0.1:0"]);
    let address = server.http();
    run(async {
        let mangled = own.replace(|letter: char| letter.is_ascii_digit(), "7");
        let upper = right.to_uppercase();
        for (trick, browser, name, shown) in [
            ("no browser", "", "Olad", right.as_str()),
            ("another browser", &thief, "Olad", &right),
            ("a cookie that was changed", &mangled, "Olad", &right),
            ("a cookie without its name", own.split_once('=').unwrap().1, "Olad", &right),
            ("another's token in one's own browser", &thief, "Gesa", &right),
            ("one's own token for another's name", &thief, "Olad", &token('c')),
            ("another's token in the right browser", &own, "Olad", &token('c')),
            ("the token for another's name", &own, "Gesa", &right),
            ("a name that nobody has", &own, "Nobody", &right),
            ("the hash that is stored", &own, "Olad", &hash),
            ("the password", &own, "Olad", &password("Olad")),
            ("no token", &own, "Olad", ""),
            ("part of it", &own, "Olad", &right[..63]),
            ("the same letters in upper case", &own, "Olad", &upper),
        ] {
            assert!(!can_reconnect(address, browser, name, shown, &next).await, "{trick}");
        }
        assert!(
            !can_reconnect(address, &own, "Olad", &next, &token('d')).await,
            "what was to follow in another try"
        );

        let mut typed = open(address, &own).await;
        typed.send(&format!("connect Olad {right}\n")).await;
        typed.expect("do not belong together").await;
        let elsewhere =
            open_with(address, WEB, &[("cookie", &own), ("origin", "https://evil.example")]).await;
        assert_eq!(elsewhere.err(), Some(403), "a page of another origin");
        let mut telnet = open_with(address, "telnet", &[("cookie", &own)]).await.unwrap();
        telnet.expect("name: ").await;
        let gmcp = json!({ "name": "Olad", "token": &right, "next": &next });
        telnet.send_data(&format!("Deepwell.Seat.Take {gmcp}\n")).await;
        telnet.expect("will not do").await;

        let (mut first, mut second) = (open(address, &own).await, open(address, &own).await);
        shows(&mut first, "Olad", &right, &next).await;
        shows(&mut second, "Olad", &right, &token('e')).await;
        let [one, other] =
            [first.expect_either("Exits:", "name: ").await, second.expect_either("Exits:", "name: ").await];
        assert!((one == "Exits:") != (other == "Exits:"), "two at once: {one} and {other}");
        let kept = if one == "Exits:" { next.clone() } else { token('e') };
        assert!(!can_reconnect(address, &own, "Olad", &right, &token('f')).await, "shown once more");

        assert_tokens_end(address, &own, &kept).await;
        assert!(
            can_reconnect(address, &thief, "Gesa", &token('c'), &next).await,
            "one's own, in one's own browser"
        );
    });
    server.assert_sound();
    for shown in [right, next, token('8'), token('9'), token('c')] {
        server.assert_no_trace_of(&shown);
    }
}

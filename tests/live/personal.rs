//! Personal data, exported by an operator and deleted, through the whole program.

use crate::server::{Server, password};
use std::fs;

/// D2, T6: an export has all rows and no secrets; a deleted account does not reappear after a kill.
#[test]
fn d2_deleted_account_does_not_reappear_after_kill() {
    let mut server = Server::start(&[]);
    server.create("Bera");
    server.create("Gesa");
    server.kill();
    let hashes: Vec<String> = server.stored().accounts.values().map(|row| row.credential.clone()).collect();
    assert_eq!(hashes.len(), 2);
    server.restart(&[]);
    let mut client = server.login("Bera");
    let mut other = server.login("Gesa");
    client.ask("alias k = kill");
    let export = server.control(&["export", "bera"]);
    assert_eq!(export["accounts"][0]["settings"]["aliases"]["k"], "kill", "{export}");
    assert_eq!(export["characters"][0]["name"], "Bera");
    assert_eq!(export["ledger"][0]["why"], "beginner", "{export}");
    assert!(!export.to_string().contains("argon2"), "{export}");
    assert!(server.try_control(&["export", "nobody"]).unwrap_err().contains("named nobody"));

    for (secret, name, answer) in [
        ("not the password", "bera", "That is not your password"),
        (&password("Bera"), "gesa", "not the name of your account"),
    ] {
        client.send("delete account");
        client.expect("your password now: ");
        client.send(secret);
        client.expect("the name of your account: ");
        client.send(name);
        client.expect(answer);
    }
    client.send("delete account");
    client.expect("your password now: ");
    client.send(&password("Bera"));
    client.expect("the name of your account: ");
    client.send("Bera");
    client.expect("Your account is deleted");
    assert!(client.is_closed_properly());
    server.kill();
    let stored = serde_json::to_string(&server.stored()).unwrap();
    server.restart(&[]);
    assert!(!stored.to_lowercase().contains("bera"), "{stored}");
    assert!(other.is_closed_properly());
    let mut late = server.connect();
    late.send(&format!("connect Bera {}", password("Bera")));
    late.expect("do not belong together");
    server.create("Tilda");
    server.control(&["delete", "tilda"]);
    server.control(&["delete", "gesa"]);
    assert!(server.try_control(&["delete", "gesa"]).is_err());
    server.create("Bera");
    server.stop();
    server.assert_sound();
    server.assert_no_trace_of(&password("Bera"));
    for hash in &hashes {
        server.assert_no_trace_of(hash);
    }
    for file in fs::read_dir(server.state()).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = fs::read(&file).unwrap_or_default().to_ascii_lowercase();
        let found = bytes.windows(5).position(|part| part == b"tilda");
        let around =
            found.map(|at| String::from_utf8_lossy(&bytes[at.saturating_sub(80)..][..120]).into_owned());
        assert_eq!(around, None, "the name stands in {}", file.display());
    }
}

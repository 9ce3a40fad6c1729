//! Password change and recovery through the whole program; no password is found in its files.

use crate::server::{Server, password};

const SECOND: &str = "a lantern on a long rope";
const THIRD: &str = "forty fathoms of cold water";

/// A1, A2, A3, T6: the password changes only with the current password, or once with a recovery code; no text typed at
/// a hidden prompt, or at the wrong prompt, is written anywhere.
#[test]
fn t6_passwords_are_changed_and_recovered_and_never_written() {
    let mut server = Server::start(&[]);
    let first = password("Olad");
    let mut client = server.create("Olad");
    client.send("password");
    client.expect("your password now: ");
    client.send("not the password");
    for question in ["new password: ", "the same password: "] {
        client.expect(question);
        client.send(SECOND);
    }
    client.expect("That is not your password. Nothing was changed.");
    client.send(&format!("password {first} {SECOND}"));
    client.expect("your password now: ");
    client.send(&first);
    for question in ["new password: ", "the same password: "] {
        client.expect(question);
        client.send(SECOND);
    }
    client.expect("Your password is changed.");
    client.send("recovery");
    client.expect("your password now: ");
    client.send(SECOND);
    client.expect("so write it down:");
    let text = client.expect("The code works once.");
    let code = text.lines().map(str::trim).find(|line| line.len() == 23 && line.matches('-').count() == 3);
    let code = code.unwrap_or_else(|| panic!("no code in {text}")).to_owned();
    client.send("quit");

    let mut other = server.connect();
    other.send(&format!("connect Olad {first}"));
    other.expect("do not belong together");
    recover(&mut other, "a wrong code");
    other.expect("That name and that code do not belong together.");
    recover(&mut other, &code.to_lowercase());
    other.expect("Exits:");
    let mut again = server.connect();
    recover(&mut again, &code);
    again.expect("That name and that code do not belong together.");
    again.send(&format!("connect Olad {THIRD}"));
    again.expect("Exits:");
    server.stop();
    for secret in [&first, SECOND, THIRD, "not the password", &code, &code.replace('-', "")] {
        server.assert_no_trace_of(secret);
    }
}

/// A3: the operator can create a recovery code for any player, including the owner.
#[test]
fn a3_operator_can_create_recovery_code_for_owner() {
    let server = Server::start(&[]);
    let mut owner = server.create("Olad");
    let token = server.control(&["owner-token"]);
    owner.ask(&format!("claim {}", token.as_str().expect("a fresh world")));
    let refused = server.try_control(&["recover", "nobody"]).unwrap_err();
    assert!(refused.contains("no account or character named nobody"), "{refused}");
    let code = server.control(&["recover", "olad"]);
    owner.expect("made a code with which your password can be changed");
    let mut late = server.connect();
    recover(&mut late, code.as_str().expect("a code"));
    late.expect("Exits:");
    let time = server.control(&["time"]);
    assert!(time["ahead_secs"].as_i64().is_some_and(|secs| secs.abs() <= 1), "{time}");
}

fn recover(client: &mut crate::client::Client, code: &str) {
    client.send("recover Olad");
    client.expect("recovery code: ");
    client.send(code);
    for question in ["new password: ", "the same password: "] {
        client.expect(question);
        client.send(THIRD);
    }
}

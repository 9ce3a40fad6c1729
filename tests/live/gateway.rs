//! A gateway and a host as two processes: clients stay connected while the host restarts or is killed. Restarts
//! under clients of every transport are in `restarts.rs`.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use std::time::{Duration, Instant};

/// Restarts the host and returns when it is linked again.
fn restart(host: &Server) {
    let before = host.log().len();
    host.control(&["restart"]);
    host.wait_for_log(before, "linked to a gateway");
}

/// Deeds that change the world, typed without waiting while the host restarts: each is stored exactly once.
#[test]
fn deeds_around_a_restart_are_stored_once() {
    let [gateway, mut host] = Server::start_apart(&[]);
    let token = host.control(&["owner-token"]);
    let mut builder = gateway.create("Sondra");
    builder.ask(&format!("claim {}", token.as_str().unwrap()));
    builder.ask("goto lodge");
    for number in 0..12 {
        builder.send(&format!("dig Mark {number} = path{number},back{number}"));
        if number % 4 == 2 {
            restart(&host);
        }
    }
    builder.ask("look");
    host.stop();
    let stored = host.stored();
    for number in 0..12 {
        let name = format!("Mark {number}");
        let rooms =
            stored.rooms.values().filter(|room| format!("{room:?}").contains(&format!("\"{name}\""))).count();
        assert_eq!(rooms, 1, "{name}");
    }
}

/// O7: a host that is stopped by a signal accepts connections and answers nothing: operators and clients are told, and what
/// was typed in the pause runs when it continues.
#[test]
fn o7_stopped_host_is_reported_and_continues() {
    let [gateway, host] = Server::start_apart(&[]);
    let mut anna = gateway.create("Annika");
    let before = gateway.log().len();
    host.signal("STOP");
    anna.send("say are you there.");
    let begun = Instant::now();
    let unanswered = host.try_control(&["status"]).unwrap_err();
    assert!(unanswered.contains("no answer from the server within 5 s"), "{unanswered}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    gateway.wait_for_log(before, "the host does not answer, though the link is open");
    anna.expect("The world does not answer. Stay connected");
    let status = gateway.try_control(&["status"]).unwrap_err();
    assert!(status.contains("the host does not answer"), "{status}");
    host.signal("CONT");
    anna.expect("The world answers again.");
    anna.expect("You say: are you there.");
    gateway.try_control(&["status"]).unwrap();
    host.try_control(&["status"]).unwrap();
    assert_eq!(gateway.control(&["status"])["links"], 1, "the link was lost");
}

/// A killed host: its clients stay, commands in doubt are named and not repeated, and those typed later are carried out.
#[test]
fn killed_host_leaves_clients_connected() {
    let [gateway, mut host] = Server::start_apart(&[]);
    let mut anna = gateway.create("Annika");
    for round in 0..3 {
        for number in 0..5 {
            anna.send(&format!("say number {round}{number}."));
        }
        let before = gateway.log().len();
        host.kill();
        gateway.wait_for_log(before, "no link to the host");
        anna.send(&format!("say after {round}."));
        host.start_host();
        anna.expect(&format!("You say: after {round}."));
    }
    let text = anna.all_text();
    for number in (0..3).flat_map(|round| (0..5).map(move |number| format!("{round}{number}"))) {
        let answered = text.matches(&format!("You say: number {number}.")).count();
        let refused = text.matches(&format!("Not answered: say number {number}.")).count();
        assert_eq!(answered + refused, 1, "{number}: said {answered}, refused {refused}\n{text}");
    }
    assert_eq!(host.control(&["who"]), serde_json::json!(["Annika"]));
}

/// A client at the name prompt, and one that connects without a host, log in once there is one.
#[test]
fn clients_without_a_host_wait_at_the_name_prompt() {
    let [gateway, mut host] = Server::start_apart(&[]);
    drop(gateway.create("Annika"));
    let mut early = gateway.connect();
    let before = gateway.log().len();
    host.kill();
    gateway.wait_for_log(before, "no link to the host");
    let mut late = Client::open(gateway.address(), ClientKind::Plain);
    late.expect("What you type is kept until then.");
    late.send(&format!("connect Annika {}", password("Annika")));
    early.send(&format!("create Berta {}", password("Berta")));
    let problem = gateway.try_control(&["status"]).unwrap_err();
    assert!(problem.contains("no link to the host"), "{problem}");
    host.start_host();
    late.expect("> ");
    early.expect("> ");
    assert_eq!(host.control(&["who"]), serde_json::json!(["Annika", "Berta"]));
    let refused = gateway.try_control(&["backup", "copy.db"]).unwrap_err();
    assert!(refused.contains("without --gateway"), "{refused}");
}

/// A stopped gateway tells its clients; a stopped host closes them through the gateway.
#[test]
fn o1_both_roles_stop_in_order() {
    let [mut gateway, mut host] = Server::start_apart(&[]);
    let mut anna = gateway.create("Annika");
    host.stop();
    let text = anna.last_words();
    assert!(text.contains("The server stops now."), "{text}");
    host.start_host();
    let mut anna = gateway.login("Annika");
    gateway.stop();
    let text = anna.last_words();
    assert!(text.contains("The server stops now."), "{text}");
    host.stop();
}

/// A server that owns its connections cannot restart under them.
#[test]
fn single_process_refuses_to_restart() {
    let server = Server::start(&[]);
    let refused = server.try_control(&["restart"]).unwrap_err();
    assert!(refused.contains("docs/operate/restart.md"), "{refused}");
}

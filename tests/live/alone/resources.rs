//! Resource use of a long-running server: descriptors, memory, processor time.

use crate::client::{Client, ClientKind};
use crate::server::Server;
use crate::timing::{timed, try_again, within};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;
use std::time::{Duration, Instant};

fn descriptors(server: &Server) -> usize {
    fs::read_dir(format!("/proc/{}/fd", server.process())).unwrap().count()
}

/// Opens, uses and closes connections of several kinds.
fn churn_connections(server: &Server) {
    let mut silent: Vec<Client> =
        (0..40).map(|_| Client::open(server.address(), ClientKind::Silent)).collect();
    silent.truncate(3);
    for _ in 0..10 {
        let mut client = server.login("Olad");
        client.send("quit");
        assert!(client.is_closed_properly());
        let mut broken = server.login("Bera");
        broken.send_bytes(b"look\r\n\xff\xfa\xc9half a mess");
        drop(broken);
        server.control(&["who"]);
        server.control(&["status"]);
    }
}

/// N13, O9: connections, logins, broken links and operator requests leak no descriptors and no memory.
#[test]
fn o9_sessions_leak_no_descriptors_or_memory() {
    let server = Server::start_alone(&["auth.guesses_per_minute=10000", "limits.logins_per_minute=10000"]);
    server.create("Olad");
    server.create("Bera");
    let before = descriptors(&server);
    // Password hashing uses its memory only briefly, so one reading proves nothing. A leak per visitor makes every
    // round grow, and then no four in a row are alike.
    let mut rounds = Vec::new();
    let is_steady = |rounds: &[u64]| {
        let last = &rounds[rounds.len().saturating_sub(4)..];
        last.len() == 4 && last.iter().max().unwrap() - last.iter().min().unwrap() < 512
    };
    while !is_steady(&rounds) {
        assert!(rounds.len() < 40, "the server goes on growing, KiB after each round: {rounds:?}");
        churn_connections(&server);
        rounds.push(server.memory_kib());
    }
    let deadline = Instant::now() + crate::PATIENCE;
    while descriptors(&server) > before {
        assert!(Instant::now() < deadline, "{} descriptors, {before} before", descriptors(&server));
        server.control(&["status"]);
    }
    server.assert_sound();
}

/// Returns the CPU time used by the process, in clock ticks.
fn processor_ticks(server: &Server) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", server.process())).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    fields[11..13].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// N13: out of descriptors, the server waits instead of spinning, existing sessions continue, and new clients connect
/// once descriptors are free.
#[test]
fn n13_server_waits_for_free_descriptors_and_continues() {
    let server = Server::start_alone(&[]);
    let mut olad = server.create("Olad");
    let used = descriptors(&server) as u64;
    let few = Rlimit { current: Some(used + 8), maximum: Some(used + 8) };
    let process = Pid::from_raw(i32::try_from(server.process()).unwrap());
    prlimit(process, Resource::Nofile, few).unwrap();
    let mut crowd: Vec<Client> =
        (0..60).map(|_| Client::open(server.address(), ClientKind::Silent)).collect();
    olad.look();
    let before = processor_ticks(&server);
    let begun = Instant::now();
    // A client that is not accepted is polled for one second, in which a broken server would spin.
    while begun.elapsed() < Duration::from_secs(1) {
        crowd[59].read_for(Duration::from_millis(200));
    }
    let ticks = processor_ticks(&server) - before;
    assert!(ticks < 50, "{ticks} hundredths of a second on the processor in one second");
    try_again(|| within(Duration::from_secs(1), timed(|| olad.look()), "a look"));
    crowd.clear();
    server.login("Olad");
}

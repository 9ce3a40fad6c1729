//! Load: bursts, silence and clients that never read must not delay honest players.

use crate::client::{Client, ClientKind};
use crate::server::Server;
use crate::timing::{timed, try_again, within};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// Longest wait for the greeting on an otherwise idle machine.
const GREETED_WITHIN: Duration = Duration::from_secs(2);
/// Longest wait of an honest player for an answer while other clients misbehave.
const AT_ONCE: Duration = Duration::from_secs(1);

const IAC: u8 = 255;

/// N13, protocols rule 9: of five hundred simultaneous connections, each is greeted within two seconds.
#[test]
fn n13_burst_of_500_connections_is_greeted() {
    let server = Server::start_alone(&[]);
    try_again(|| {
        let mut clients: Vec<(Instant, Client)> =
            (0..500).map(|_| (Instant::now(), Client::open(server.address(), ClientKind::Plain))).collect();
        // All clients answer the negotiation before any waits for its prompt, as five hundred programs would.
        for (_, client) in &mut clients {
            client.read_once();
        }
        let mut worst = Duration::ZERO;
        for (opened, client) in &mut clients {
            client.expect("name: ");
            worst = worst.max(opened.elapsed());
        }
        within(GREETED_WITHIN, worst, "the last of five hundred to be greeted")
    });
    server.assert_sound();
}

/// N2: three hundred silent connections do not slow an honest player; each is greeted.
#[test]
fn n2_silent_connections_do_not_delay_players() {
    let server = Server::start_alone(&[]);
    server.create("Olad");
    let mut silent: Vec<Client> =
        (0..300).map(|_| Client::open(server.address(), ClientKind::Silent)).collect();
    try_again(|| {
        let mut olad = None;
        let took = timed(|| olad = Some(server.login("Olad")));
        within(GREETED_WITHIN, took, "getting in")?;
        let mut olad = olad.expect("it is in");
        let worst = (0..50).map(|_| timed(|| olad.look())).max().unwrap();
        within(AT_ONCE, worst, "a look")
    });
    for client in &mut silent {
        client.expect("name: ");
    }
}

/// N4: a client that does not read is disconnected; a player in the same room gets all output without delay.
#[test]
fn n4_slow_reader_does_not_delay_others() {
    let settings = [
        "limits.output_bytes=65536",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "limits.speech_load=10000000",
    ];
    try_again(|| {
        let server = Server::start_alone(&settings);
        let worst = longest_wait_next_to_slow_reader(&server);
        server.assert_sound();
        within(2 * AT_ONCE, worst, "the listener's hp")
    });
}

/// Returns the longest time that a player in the room of a client that reads nothing waits for an answer, until that
/// client is disconnected.
fn longest_wait_next_to_slow_reader(server: &Server) -> Duration {
    let mut listener = server.create("Bera");
    let mut talker = server.create("Olad");
    let _sleeper = server.create("Mika");
    let text = "x".repeat(900);
    let mut count = 0;
    let mut worst = Duration::ZERO;
    loop {
        let segment = format!("say {text}\r\n").repeat(50);
        talker.send_bytes(segment.as_bytes());
        count += 50;
        worst = worst.max(timed(|| listener.ask("hp")));
        if talker.ask("").contains("Mika stares into the dark") {
            break;
        }
        assert!(count < 50_000, "45 MB wait for somebody who does not read");
    }
    listener.ask("");
    let who = listener.ask("who");
    assert!(who.contains("Olad") && !who.contains("Mika"), "{who}");
    worst
}

/// N6: an unterminated subnegotiation of ten megabytes does not cost memory or delay other clients.
#[test]
fn n6_unterminated_subnegotiation_uses_no_memory() {
    let server = Server::start_alone(&[]);
    let mut olad = server.create("Olad");
    try_again(|| {
        let before = server.memory_kib();
        let mut bad = server.connect();
        bad.send_bytes(&[IAC, 250, 201]);
        let block = vec![b'x'; 1 << 20];
        let mut worst = Duration::ZERO;
        for _ in 0..10 {
            bad.send_bytes(&block);
            worst = worst.max(timed(|| olad.look()));
        }
        let grown = server.memory_kib().saturating_sub(before);
        assert!(grown < 4_096, "the server grew by {grown} KiB");
        within(AT_ONCE, worst, "a look")
    });
    server.assert_sound();
}

/// O4: clients that request metrics and never read them, or keep the control socket open, delay neither players nor
/// operators.
#[test]
fn o4_monitoring_clients_that_never_read_cause_no_delay() {
    let server = Server::start_alone(&["ops.listen=127.0.0.1:0"]);
    let mut olad = server.create("Olad");
    let asks = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50);
    let deaf = |_| {
        let mut scraper = TcpStream::connect(server.port("ops")).unwrap();
        // A connection dropped before all is written serves as well.
        let _ = scraper.write_all(asks.as_bytes());
        scraper
    };
    let _scrapers: Vec<TcpStream> = (0..200).map(deaf).collect();
    let mute = |_| {
        let mut operator = UnixStream::connect(server.state().join("control.sock")).unwrap();
        operator.write_all(b"{\"version\":1,\"cmd\":\"status\"}\n").unwrap();
        operator
    };
    let _operators: Vec<UnixStream> = (0..50).map(mute).collect();
    // The first connections may find no free place and be closed without an answer.
    let is_answered = || {
        let mut scraper = TcpStream::connect(server.port("ops")).unwrap();
        let mut answer = [0; 12];
        let read = scraper.write_all(asks.as_bytes()).and_then(|()| scraper.read_exact(&mut answer));
        read.is_ok() && &answer == b"HTTP/1.1 200"
    };
    try_again(|| {
        within(AT_ONCE, timed(|| olad.look()), "a look")?;
        let took = timed(|| while !is_answered() {});
        within(GREETED_WITHIN, took, "figures")?;
        within(GREETED_WITHIN, timed(|| server.control(&["status"])), "status")
    });
}

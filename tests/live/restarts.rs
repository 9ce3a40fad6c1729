//! Hot restarts of a host under clients of every transport that type all the time: no client is dropped or in another
//! client's seat, and everything typed is carried out once and in order.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password, program};
use crate::threshold::Certificate;
use crate::{compression, websocket};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Number of restarts, unless `DEEPWELL_RESTARTS` is set.
const RESTARTS: u32 = 5;
/// Number of clients of each transport, unless `DEEPWELL_CLIENTS` is set.
const CLIENTS: u32 = 2;
/// Number of commands that a client types before it waits for their answers.
const BURST: u32 = 3;
/// Time between an answer and the next commands, shorter than a restart. Clients that type without a pause would measure
/// the load of their own commands.
const PACE: Duration = Duration::from_millis(250);
/// Number of restarts between two progress reports.
const TOLD: u32 = 10;

/// Limits that many clients of one address do not reach.
const LIMITS: [&str; 13] = [
    "http.listen=127.0.0.1:0",
    "auth.accounts_per_hour=100000",
    "auth.slots=2",
    "game.guidance=false",
    "limits.commands_burst=100000",
    "limits.commands_per_second=100000",
    "limits.connections=12000",
    "limits.connections_before_login=12000",
    "limits.connections_per_address=12000",
    "limits.connections_per_network=12000",
    "limits.hash_queue=6000",
    "limits.http_connections=12000",
    "limits.http_connections_per_address=12000",
];

/// Way in which clients connect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Transport {
    Telnet,
    Tls,
    Compressed,
    Web,
}

impl Transport {
    const ALL: [Self; 4] = [Self::Telnet, Self::Tls, Self::Compressed, Self::Web];

    /// Connects a client; it is at the name prompt.
    fn connect(self, gateway: &Server, certificate: &Certificate) -> Client {
        match self {
            Self::Telnet => Client::connect(gateway.address()),
            Self::Tls => {
                let stream = crate::threshold::open(gateway.port("telnet_tls"));
                let mut client = certificate.connect(stream).expect("the certificate is trusted");
                client.expect("name: ");
                client
            }
            Self::Compressed => compression::connect(gateway.address()).0,
            Self::Web => websocket::connect(gateway.http(), ClientKind::Silent),
        }
    }
}

/// Client that types numbered commands, whose answers only it receives.
struct Typist {
    name: String,
    client: Client,
    typed: u32,
    /// Longest time between a command and its answer around each restart.
    pauses: Vec<Duration>,
}

impl Typist {
    fn create(transport: Transport, number: u32, gateway: &Server, certificate: &Certificate) -> Self {
        let name = format!("{transport:?}{}", crate::kill::spell_number(number));
        let mut client = transport.connect(gateway, certificate);
        client.enter("create", &name, &password(&name));
        client.ask("config width off");
        Self { name, client, typed: 0, pauses: Vec::new() }
    }

    /// Returns the answer to a numbered command.
    fn answer(&self, number: u32) -> String {
        format!("You know no way to \"{}-{number}\".", self.name)
    }

    /// Types from before a restart until it is over, and looks at whose seat this is.
    fn type_until(&mut self, is_over: &AtomicBool) {
        let mut longest = Duration::ZERO;
        loop {
            let is_last = is_over.load(Ordering::SeqCst);
            let typed = Instant::now();
            for _ in 0..BURST {
                self.client.send(&format!("path {}-{}", self.name, self.typed));
                self.typed += 1;
            }
            self.client.expect(&self.answer(self.typed - 1));
            longest = longest.max(typed.elapsed());
            if is_last {
                break;
            }
            self.client.listen(PACE);
        }
        self.pauses.push(longest);
        let score = self.client.ask("score");
        assert!(score.contains(&self.name), "{} sits elsewhere: {score}", self.name);
    }

    /// Compares everything received with everything typed.
    fn check(&mut self, restarts: u32, spoken: u32) {
        self.client.ask("score");
        let (text, name) = (self.client.all_text(), &self.name);
        let answers = text.split("You know no way to ").skip(1).filter_map(|rest| rest.lines().next());
        let answers: Vec<_> = answers.filter(|answer| !answer.contains("fence")).collect();
        let expected: Vec<_> = (0..self.typed).map(|number| self.answer(number)).collect();
        let expected: Vec<_> =
            expected.iter().filter_map(|answer| answer.strip_prefix("You know no way to ")).collect();
        let first = answers.iter().zip(&expected).find(|(answer, expected)| answer != expected);
        assert_eq!(first, None, "{name} received another answer");
        assert_eq!(answers.len(), expected.len(), "{name}: number of answers");
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for number in text.split("number ").skip(1).filter_map(|rest| Some(rest.split_once('.')?.0)) {
            *counts.entry(number).or_default() += 1;
        }
        let is_heard_once = |number: u32| counts.get(number.to_string().as_str()) == Some(&1);
        assert!((0..spoken).all(is_heard_once), "{name} heard {counts:?}");
        let count = text.matches("The world restarts.").count();
        assert_eq!(count, restarts as usize, "{name} reads one line for each restart");
    }
}

/// Ends the typing, also after a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn number(name: &str, default: u32) -> u32 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Connects the clients of all transports at the same time.
fn create_all(gateway: &Server, certificate: &Certificate, each: u32) -> Vec<Typist> {
    thread::scope(|scope| {
        let create = |transport| {
            move || (0..each).map(|n| Typist::create(transport, n, gateway, certificate)).collect::<Vec<_>>()
        };
        let creating = Transport::ALL.map(|transport| scope.spawn(create(transport)));
        creating.into_iter().flat_map(|created| created.join().unwrap()).collect()
    })
}

/// Reads the arrivals of all later clients, so that the first restart does not wait for the test.
fn read_arrivals(typists: &mut [Typist]) {
    for typist in typists {
        typist.client.ask("score");
    }
}

/// Restarts the host while all clients type. One client of each transport says a numbered line to all before it and one
/// while it happens. Returns the time until the new host is linked.
fn restart(host: &Server, typists: &mut [Typist], each: u32, round: u32) -> Duration {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let over = Over(&is_over);
        for (n, typist) in (0..).zip(typists) {
            let is_over = &is_over;
            scope.spawn(move || {
                if n % each == 0 {
                    let first = (round * 4 + n / each) * 2;
                    typist.client.send(&format!("say number {first}."));
                    typist.client.send(&format!("say number {}.", first + 1));
                }
                typist.type_until(is_over);
            });
        }
        let (begun, before) = (Instant::now(), host.log().len());
        if round.is_multiple_of(2) {
            host.control(&["restart"]);
        } else {
            host.signal("USR2");
        }
        host.wait_for_log(before, "linked to a gateway");
        drop(over);
        begun.elapsed()
    })
}

/// O1: see the module. `DEEPWELL_RESTARTS=50 DEEPWELL_CLIENTS=200 cargo test --test live restarts::` for more.
#[test]
fn o1_restarts_lose_no_client_and_no_command() {
    let (restarts, each) = (number("DEEPWELL_RESTARTS", RESTARTS), number("DEEPWELL_CLIENTS", CLIENTS));
    let certificate = Certificate::new();
    let own = certificate.settings();
    let settings: Vec<_> = LIMITS.into_iter().chain(own.iter().map(String::as_str)).collect();
    let [gateway, host] = Server::start_apart(&settings);
    let mut typists = create_all(&gateway, &certificate, each);
    read_arrivals(&mut typists);
    let process = host.process();
    let mut down = Vec::new();
    for round in 0..restarts {
        down.push(restart(&host, &mut typists, each, round));
        if (round + 1) % TOLD == 0 {
            eprintln!("{} of {restarts} restarts", round + 1);
        }
    }
    let ready = fs::read_to_string(host.state().join("ready.json")).unwrap();
    assert!(ready.contains(&format!("\"pid\":{process},")), "another process: {ready}");
    assert_eq!(gateway.control(&["status"])["links"], 1 + restarts);
    let mut names: Vec<_> = typists.iter().map(|typist| typist.name.clone()).collect();
    names.sort();
    assert_eq!(host.control(&["who"]), serde_json::json!(names));
    for typist in &mut typists {
        typist.check(restarts, restarts * 8);
    }
    host.assert_sound();
    gateway.assert_sound();
    report(&typists, down);
}

/// Prints the figures, and compares them with the goal that is set.
fn report(typists: &[Typist], mut down: Vec<Duration>) {
    let mut pauses: Vec<_> = typists.iter().flat_map(|typist| &typist.pauses).copied().collect();
    let [p50, p99, longest] = percentiles(&mut pauses);
    let [down_p50, _, down_longest] = percentiles(&mut down);
    let typed: u32 = typists.iter().map(|typist| typist.typed).sum();
    crate::figures::tell(&format!(
        "{} restarts with {} clients, {typed} commands; pause p50 {p50:.2?}, p99 {p99:.2?}, longest {longest:.2?}; \
         host linked again after {down_p50:.2?} (p50), {down_longest:.2?} (longest)",
        down.len(),
        typists.len(),
    ));
    let most = Duration::from_millis(number("DEEPWELL_PAUSE_MS", 60_000).into());
    assert!(p99 <= most, "the pause has a p99 of {p99:?}, and may have {most:?}");
}

/// Returns the durations that half and 99 percent do not exceed, and the longest.
fn percentiles(durations: &mut [Duration]) -> [Duration; 3] {
    durations.sort_unstable();
    let last = durations.len() - 1;
    [50, 99, 100].map(|percent| durations[last * percent / 100])
}

/// Content of a program file that a restart would not survive, and what the refusal says.
const PROGRAMS: [(&str, &str); 3] = [
    ("echo this is no program\n", "it cannot be run: Exec format error"),
    ("#!/bin/sh\necho it is broken\nexit 1\n", "it ended with exit status: 1\nit is broken"),
    ("#!/bin/sh\nkill -SEGV $$\n", "it ended with signal: 11"),
];

/// O1: a restart whose next start would fail is refused with the reason, and play continues: by command and by signal.
#[test]
fn o1_restart_is_refused_while_the_next_start_would_fail() {
    let [gateway, mut host] = Server::start_apart(&[]);
    host.kill();
    host.install(&program());
    host.start_host();
    gateway.wait_for_log(0, "linked to the host");
    let mut olad = gateway.create("Olad");
    let mut is_refused = |message: &str| {
        let (code, output) = host.exit_of_control(&["restart"]);
        assert!(
            code == Some(3) && output.contains("the next start would fail, so the game continues"),
            "{code:?} {output}"
        );
        assert!(output.contains(message), "{message:?} is not in\n{output}");
        let before = host.log().len();
        host.signal("USR2");
        host.wait_for_log(before, "not restarted");
        assert!(olad.look().contains("Exits:"));
    };
    let own = host.folder().join("deepwell");
    let folder = tempfile::tempdir().unwrap();
    for (text, message) in PROGRAMS {
        let file = folder.path().join("broken");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        host.install(&file);
        is_refused(message);
    }
    fs::remove_file(&own).unwrap();
    is_refused("it cannot be run: No such file");
    host.install(&program());
    let [settings, lamp] = ["config.toml", "content/items/lamp.toml"].map(|name| host.folder().join(name));
    fs::write(&settings, "[game]\nround = 0\n").unwrap();
    is_refused("config.toml:2:9: game.round is 0");
    fs::remove_file(&settings).unwrap();
    fs::create_dir_all(lamp.parent().unwrap()).unwrap();
    fs::write(&lamp, "name = \n").unwrap();
    is_refused("content/items/lamp.toml:1:");
    fs::remove_dir_all(host.folder().join("content")).unwrap();
    let log = gateway.log();
    assert_eq!(log.matches("linked to the host").count(), 2, "the host has played all the time:\n{log}");
    // The answer comes when the world is back.
    let process = host.process();
    host.control(&["restart"]);
    assert_eq!(host.control(&["status"])["up_secs"], 0);
    let ready = host.ready_now().expect("a ready file");
    assert_eq!(ready["pid"], process);
    assert!(olad.look().contains("Exits:"));
}

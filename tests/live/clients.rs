//! Real MUD clients and telnet programs, each run in a tmux terminal. Their observed negotiation is recorded in
//! docs/develop/protocols.md.

use crate::PATIENCE;
use crate::server::{Server, password};
use crate::tap::{self, Seen, Tap};
use std::fs;
use std::io::Read as _;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

/// Telnet option numbers.
const EOR: u8 = 25;
const TTYPE: u8 = 24;
const NAWS: u8 = 31;

/// tintin++ logs in, looks and talks; its screen is readable and does not show the password.
#[test]
fn tintin_plays_a_session() {
    let tintin = Kind {
        // `-G` suppresses the greeting, which advertises other games.
        start: |program, at| format!("{program} -G -e '#session well {} {}'", at.ip(), at.port()),
        ..Kind::of("tt++")
    };
    let Some(seen) = tintin.plays() else { return };
    assert!(seen.agreed(TTYPE) && seen.agreed(NAWS) && seen.agreed(EOR));
    assert!(seen.names().iter().any(|name| name == "TINTIN++"), "{:?}", seen.names());
}

/// The same test with telnet.
#[test]
fn telnet_plays_a_session() {
    if let Some(seen) = Kind::of("telnet").plays() {
        assert!(seen.agreed(TTYPE) && !seen.agreed(EOR));
    }
}

/// KBtin, which answers every repeated negotiation; it connects by a command typed into it.
#[test]
fn kbtin_plays_a_session() {
    let kbtin = Kind {
        start: |program, _| program.to_owned(),
        connect: |at| Some(format!("#session well {{{} {}}}", at.ip(), at.port())),
        ..Kind::of("KBtin")
    };
    if let Some(seen) = kbtin.plays() {
        assert!(seen.agreed(TTYPE) && seen.agreed(EOR));
    }
}

/// `TinyFugue`, which shows "KC$se" for "Käse" and must be sent ASCII only (rule 12 of docs/develop/protocols.md).
#[test]
fn tinyfugue_plays_a_session_in_ascii() {
    let tinyfugue = Kind { unicode: false, ..Kind::of("tf5") };
    if let Some(seen) = tinyfugue.plays() {
        assert!(seen.names().iter().any(|name| name == "TINYFUGUE"), "{:?}", seen.names());
    }
}

/// PuTTY.
#[test]
fn putty_plays_a_session() {
    let putty = Kind {
        start: |program, at| format!("{program} -telnet -P {} {}", at.port(), at.ip()),
        ..Kind::of("plink")
    };
    if let Some(seen) = putty.plays() {
        assert!(seen.agreed(TTYPE) && seen.agreed(NAWS));
    }
}

/// PuTTY starts to negotiate before the server has sent anything (rule 3 of docs/develop/protocols.md).
#[test]
fn putty_negotiates_first() {
    let (Some(path), Some(_)) = (found("plink"), found("tmux")) else {
        eprintln!("skipped: plink or tmux is not installed (Debian: putty-tools, tmux)");
        return;
    };
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let _terminal = Terminal::open("silent", &format!("{path} -telnet -P {port} 127.0.0.1"));
    let (mut caller, _) = silent.accept().unwrap();
    caller.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut first = [0; 3];
    caller.read_exact(&mut first).unwrap();
    assert_eq!(first, [255, 251, NAWS]);
}

/// BusyBox telnet, found on routers and rescue disks.
#[test]
fn busybox_telnet_plays_a_session() {
    let busybox = Kind {
        start: |program, at| format!("{program} telnet {} {}", at.ip(), at.port()),
        ..Kind::of("busybox")
    };
    if let Some(seen) = busybox.plays() {
        assert!(seen.agreed(TTYPE) && seen.agreed(NAWS));
    }
}

/// Description of a client program.
struct Kind {
    program: &'static str,
    /// Shell command that starts the program.
    start: fn(&str, SocketAddr) -> String,
    /// Command typed into the program to connect, unless it connects on start.
    connect: fn(SocketAddr) -> Option<String>,
    /// Set if non-ASCII characters pass in both directions.
    unicode: bool,
}

impl Kind {
    /// Returns a program that takes an address and a port as arguments.
    fn of(program: &'static str) -> Self {
        Self {
            program,
            start: |program, at| format!("{program} {} {}", at.ip(), at.port()),
            connect: |_| None,
            unicode: true,
        }
    }

    /// Plays a session: log in, talk, look, move, quit. Returns the negotiation, or `None` if the program is not
    /// installed.
    fn plays(&self) -> Option<Seen> {
        let program = self.program;
        let (Some(path), Some(_)) = (found(program), found("tmux")) else {
            eprintln!(
                "skipped: {program} or tmux is not installed (Debian: tintin++, telnet, kbtin, tf5, putty-tools, busybox, tmux)"
            );
            return None;
        };
        let server = Server::start(&[]);
        let mut neighbour = server.create("Bera");
        let tap = Tap::before(server.address());
        let terminal = Terminal::open(program, &(self.start)(&path, tap.address()));
        if let Some(line) = (self.connect)(tap.address()) {
            terminal.type_line(&line);
        }
        create_character(&terminal);
        terminal.type_line("say Is anybody there?");
        neighbour.expect("Olad says: Is anybody there?");
        terminal.wait_for("You say: Is anybody there?");
        let (text, read) = if self.unicode { ("Käse", "Käse") } else { ("Kase", "Kase") };
        terminal.type_line(&format!("say {text}"));
        neighbour.expect(&format!("Olad says: {text}"));
        neighbour.send("say Käse, over here.");
        terminal.wait_for(&format!("Bera says: {read}, over here."));
        terminal.type_line("config colour 256");
        terminal.wait_for("colour: 256.");
        terminal.type_line("look cobbles");
        terminal.wait_for("Cart ruts lead to the well");
        neighbour.send("north");
        neighbour.expect("Climbers' Lodge");
        terminal.type_line("north");
        let screen = terminal.wait_for("Climbers' Lodge");
        assert!(!screen.contains(&password("Olad")), "the password stands on the screen:\n{screen}");
        assert!(!screen.contains('\u{fffd}') && !screen.contains("^["), "{screen}");
        terminal.record_screen(program);
        terminal.type_line("quit");
        neighbour.expect("Olad finds a dry corner and falls asleep.");
        let seen = tap.seen();
        assert!(seen.agreed(EOR) || seen.received_go_ahead(), "prompts that end in nothing");
        seen.keep(program);
        server.assert_sound();
        Some(seen)
    }
}

/// Creates a character, from the first prompt to the square.
fn create_character(terminal: &Terminal) {
    terminal.wait_for("Your name:");
    terminal.type_line("Olad");
    terminal.wait_for("yes/no:");
    terminal.type_line("yes");
    for prompt in ["new password:", "the same password:"] {
        terminal.wait_for(prompt);
        terminal.type_line(&password("Olad"));
    }
    terminal.wait_for("Welcome.");
    let screen = terminal.wait_for("HP:30/30>");
    assert!(
        screen.contains("Well Square") && screen.contains("Exits: north, east, south, west, down"),
        "{screen}"
    );
}

/// Returns the path of an installed program.
fn found(program: &str) -> Option<String> {
    let found =
        Command::new("sh").args(["-c", "PATH=$PATH:/usr/games command -v \"$0\"", program]).output().ok()?;
    let path = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    (found.status.success() && !path.is_empty()).then_some(path)
}

/// Terminal that runs a program, on a separate tmux server.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn open(name: &str, command: &str) -> Self {
        let terminal = Self { socket: format!("deepwell-{}-{name}", std::process::id()) };
        let size = ["-x", "120", "-y", "50"];
        terminal.tmux(&[&["-u", "-f", "/dev/null", "new-session", "-d"], &size[..], &[command]].concat());
        terminal
    }

    fn type_line(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.tmux(&["send-keys", "Enter"]);
    }

    /// Polls the screen until it shows `phrase`; each poll waits for a tmux process.
    fn wait_for(&self, phrase: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            let screen = String::from_utf8_lossy(&screen.stdout).into_owned();
            if screen.contains(phrase) {
                return screen;
            }
            assert!(Instant::now() < deadline, "{phrase:?} did not come:\n{screen}");
        }
    }

    /// Writes the screen of tintin++, with colours, to docs/play/tintin.txt if recording is enabled.
    fn record_screen(&self, program: &str) {
        if program == "tt++" && tap::records_results() {
            let screen = self.tmux(&["capture-pane", "-p", "-e"]);
            let screen = String::from_utf8(screen.stdout).unwrap();
            assert!(screen.contains("\x1b[38;5;"), "no colour of the 256:\n{screen}");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/play/tintin.txt");
            fs::write(path, screen.trim_start_matches('\n')).unwrap();
        }
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        command.env("TERM", "xterm").env("LANG", "C.UTF-8").env("LC_ALL", "C.UTF-8").output().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

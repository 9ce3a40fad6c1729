//! The clients that people use: tintin++ and telnet, each on a terminal of tmux, as a person sees it.

use crate::PATIENCE;
use crate::server::{Server, password};
use std::process::{Command, Output};
use std::time::Instant;

/// tintin++ logs in, looks and talks; what it shows is readable, and the password is not.
#[test]
fn tintin_plays() {
    // Debian keeps it where games are.
    plays("tt++", |program, host, port| format!("{program} -e '#session well {host} {port}'"));
}

/// telnet, the same.
#[test]
fn telnet_plays() {
    plays("telnet", |program, host, port| format!("{program} {host} {port}"));
}

fn plays(program: &str, command: impl Fn(&str, &str, u16) -> String) {
    let (Some(path), Some(_)) = (found(program), found("tmux")) else {
        eprintln!("skipped: {program} or tmux is not installed (Debian: tintin++, telnet, tmux)");
        return;
    };
    let server = Server::start(&[]);
    let mut neighbour = server.create("Bera");
    let address = server.address();
    let terminal = Terminal::open(program, &command(&path, &address.ip().to_string(), address.port()));
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
    terminal.type_line("say Is anybody there?");
    neighbour.expect("Olad says: Is anybody there?");
    terminal.wait_for("You say: Is anybody there?");
    neighbour.send("say Over here.");
    terminal.wait_for("Bera says: Over here.");
    terminal.type_line("north");
    let screen = terminal.wait_for("Climbers' Lodge");
    assert!(!screen.contains(&password("Olad")), "the password stands on the screen:\n{screen}");
    assert!(!screen.contains('\u{fffd}') && !screen.contains("^["), "{screen}");
    server.assert_sound();
}

/// Where a program is.
fn found(program: &str) -> Option<String> {
    let found =
        Command::new("sh").args(["-c", "PATH=$PATH:/usr/games command -v \"$0\"", program]).output().ok()?;
    let path = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    (found.status.success() && !path.is_empty()).then_some(path)
}

/// A terminal with a program on it, on a tmux server of its own.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn open(name: &str, command: &str) -> Self {
        let terminal = Self { socket: format!("deepwell-{}-{name}", std::process::id()) };
        let size = ["-x", "120", "-y", "50"];
        terminal.tmux(&[&["-f", "/dev/null", "new-session", "-d"], &size[..], &[command]].concat());
        terminal
    }

    fn type_line(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.tmux(&["send-keys", "Enter"]);
    }

    /// Looks at the screen until it shows these words; each look waits for another process.
    fn wait_for(&self, words: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            let screen = String::from_utf8_lossy(&screen.stdout).into_owned();
            if screen.contains(words) {
                return screen;
            }
            assert!(Instant::now() < deadline, "{words:?} did not come:\n{screen}");
        }
    }

    fn tmux(&self, words: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(words).env("TERM", "xterm").output().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

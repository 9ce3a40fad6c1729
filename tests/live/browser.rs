//! Runs the browser tests of `tests/web`: headless Chromium against a real server. This file checks the prerequisites,
//! and kills and restarts the server on request.

use crate::server::Server;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// Protocols 9, 10; T6, T17: playing, reconnecting, phones and keyboards; see `tests/web`.
#[test]
fn web_client_plays_in_a_browser() {
    play(6, "100ms", "play");
}

/// Protocols 10, T17: screen readers and sizes.
#[test]
fn web_client_is_accessible_at_every_size() {
    play(6, "100ms", "looks");
}

/// A3, D1, T6: eight tasks solved by following the web client's texts alone, with the server killed and restarted while
/// browsers are open.
#[test]
fn new_players_use_web_client_across_server_kills() {
    play(3, "100ms", "restarts");
}

/// A3, A5, D1, T6: builders in the web builder: two at the same time, next to a telnet builder, demoted and killed
/// while it is open.
#[test]
fn builders_use_web_builder() {
    play(9, "100ms", "build");
}

/// T6, T12, T16, T17: what fills an evening is done on a phone by press alone.
#[test]
fn evening_is_played_on_a_phone_by_press_alone() {
    // A finger is slower than short rounds: the fight would be lost before it chooses.
    play(3, "3s", "presses");
}

/// Runs a group of browser tests against a new server with this seed and duration of a round; kills and restarts the server whenever they ask.
fn play(seed: u64, round: &str, group: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web");
    if let Err(missing) = needed(&tests) {
        eprintln!("skipped: {missing}");
        return;
    }
    let (seed, round) = (format!("world.seed={seed}"), format!("game.round={round}"));
    let mut server = Server::start_without_roamers(&["http.listen=127.0.0.1:0", &seed, &round]);
    let url = |server: &Server| format!("http://{}/", server.http());
    let mut node = Command::new("node");
    node.arg(tests.join("run.mjs")).arg(url(&server)).env("RUN", group);
    node.env("OWNER_TOKEN", server.control(&["owner-token"]).as_str().expect("a fresh world"));
    let mut run = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut answers, lines) = (run.stdin.take().unwrap(), BufReader::new(run.stdout.take().unwrap()));
    let mut last = String::new();
    for line in lines.lines().map(Result::unwrap) {
        let answer = match line.as_str() {
            "server: kill" => {
                server.kill();
                "killed".to_owned()
            }
            "server: start" => {
                server.restart(&[]);
                url(&server)
            }
            _ => {
                eprintln!("{line}");
                last = line;
                continue;
            }
        };
        writeln!(answers, "{answer}").unwrap();
    }
    assert!(run.wait().unwrap().success() && last.ends_with(" 0 failed"), "it ended with {last:?}");
    server.assert_no_trace_of("lantern under stone");
    server.assert_sound();
}

/// Error: the missing prerequisite, and the fix.
fn needed(tests: &Path) -> Result<(), &'static str> {
    let works = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !works(
        Command::new("node").args(["-e", "process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)"]),
    ) {
        return Err("node is not installed, or older than 20 (Debian: nodejs)");
    }
    if !works(&mut Command::new(tests.join("browser"))) {
        return Err("no Chromium is installed (Debian: chromium-headless-shell)");
    }
    if !tests.join("node_modules/playwright-core").is_dir() || !tests.join("node_modules/axe-core").is_dir() {
        return Err("the libraries of tests/web are not installed (cd tests/web && npm ci)");
    }
    Ok(())
}

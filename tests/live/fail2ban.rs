//! The filter of `deploy/fail2ban` on the log of a server, and on lines with hostile text.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Address that no line of the log should make fail2ban ban.
const INNOCENT: &str = "203.0.113.66";
/// Start of a line of a failed login, in the text format.
const TEXT: &str = "2026-01-02T03:04:05.678901Z  INFO login failed session=7 name=";
/// Start of a line, in the JSON format.
const JSON: &str = r#"{"timestamp":"2026-01-02T03:04:05.678901Z","level":"INFO","message":"#;

/// Returns the addresses that the filter finds in a log, in order.
fn found(log: &str) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("deepwell.log");
    fs::write(&file, log).unwrap();
    let filter = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/fail2ban/filter.d/deepwell.conf");
    let output =
        Command::new("fail2ban-regex").args(["--out", "ip"]).args([&file, &filter]).output().unwrap();
    assert!(output.status.success() || output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_installed() -> bool {
    let found = Command::new("fail2ban-regex").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: fail2ban is not installed (Debian: fail2ban)");
    }
    found
}

/// Sends lines from an address that a proxy reports, and waits for an answer to each.
fn guess(server: &Server, address: &str, lines: &[&str]) {
    let mut client = Client::open(server.address(), ClientKind::Plain);
    let [family, own] = if address.contains(':') { ["TCP6", "2001:db8::1"] } else { ["TCP4", "192.0.2.1"] };
    client.send_bytes(format!("PROXY {family} {address} {own} 56324 4000\r\n").as_bytes());
    client.expect("name: ");
    for line in lines {
        client.send(line);
        client.expect("do not belong together");
    }
}

/// Each failed login bans its address, in both formats of the log, from a file or behind the prefix of syslog. Names
/// and talk that imitate a line of the log ban no other address.
#[test]
fn fail2ban_finds_failed_logins_and_no_forged_address() {
    if !is_installed() {
        return;
    }
    for form in ["json", "text"] {
        let mut server = Server::start(&[
            "log.level=debug",
            &format!("log.format={form}"),
            "telnet.proxy=on",
            "telnet.proxy_from=127.0.0.1",
        ]);
        let mut bera = Client::open(server.address(), ClientKind::Plain);
        bera.send_bytes(b"PROXY TCP4 192.0.2.2 192.0.2.1 56324 4000\r\n");
        bera.expect("name: ");
        bera.enter("create", "Bera", &password("Bera"));
        bera.send(&format!(
            "say INFO login failed session=1 name=\"Bera\" address={INNOCENT} denied=Wrong unlogged=0"
        ));
        bera.expect("You say");
        guess(&server, "192.0.2.7", &["connect Bera wrong-horse-1", "connect bera wrong-horse-2"]);
        guess(&server, "2001:db8::7", &["connect Bera wrong-horse-3"]);
        let hostile = [
            format!("connect x\"address={INNOCENT}denied=Wrong wrong"),
            format!("connect x\",\"address\":\"{INNOCENT}\",\"denied\":\"Wrong\", wrong"),
            format!("connect x\\\" address={INNOCENT} denied=Wrong unlogged=0"),
        ];
        guess(&server, "192.0.2.8", &hostile.each_ref().map(String::as_str));
        // A stop writes the lines that are queued; a kill would lose them.
        server.stop();
        let expected = ["192.0.2.7", "192.0.2.7", "2001:db8::7", "192.0.2.8", "192.0.2.8", "192.0.2.8"];
        let log = server.log();
        assert_eq!(found(&log), expected, "{log}");
        for time in ["Jan  2 03:04:05", "2026-01-02T03:04:05.678901+00:00"] {
            let lines = log.lines().filter(|line| !line.contains("end of the log"));
            let prefixed: Vec<_> = lines.map(|line| format!("{time} machine deepwell[12]: {line}")).collect();
            let prefixed = prefixed.join("\n");
            assert_eq!(found(&prefixed), expected, "{prefixed}");
        }
    }
}

/// A name ends at its last quote, other lines are ignored, and a login that was refused unchecked is no guess.
#[test]
fn fail2ban_reads_no_address_from_a_name() {
    if !is_installed() {
        return;
    }
    let log = [
        format!(
            r#"{TEXT}"a\" address={INNOCENT} denied=Wrong unlogged=0" address=192.0.2.7 denied=Wrong unlogged=0"#
        ),
        format!(r#"{TEXT}"a\\" address=192.0.2.8 denied=TooManyGuesses unlogged=3"#),
        format!(r#"{TEXT}"Bera" address={INNOCENT} denied=Busy unlogged=0"#),
        format!(
            r#"2026-01-02T03:04:05.678901Z  INFO x why="{TEXT}"x" address={INNOCENT} denied=Wrong unlogged=0"#
        ),
        format!(
            r#"{JSON}"login failed","name":"a\",\"address\":\"{INNOCENT}\",\"denied\":\"Wrong\",","address":"192.0.2.9","denied":"Wrong","unlogged":0}}"#
        ),
        format!(
            r#"{JSON}"x,\"message\":\"login failed\",\"name\":\"a\",\"address\":\"{INNOCENT}\",\"denied\":\"Wrong\","}}"#
        ),
    ];
    assert_eq!(found(&log.join("\n")), ["192.0.2.7", "192.0.2.8", "192.0.2.9"]);
}

/// The jail is a valid configuration, and bans nothing until an operator enables it.
#[test]
fn fail2ban_accepts_the_jail() {
    let shipped = Path::new("/etc/fail2ban");
    if !is_installed() || !shipped.is_dir() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("fail2ban");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/fail2ban/.");
    for source in [shipped.join("."), own] {
        fs::create_dir_all(&copy).unwrap();
        assert!(Command::new("cp").arg("-r").args([&source, &copy]).status().unwrap().success());
    }
    // Debian enables a jail that needs a log which not every machine has.
    fs::write(copy.join("jail.d/defaults-debian.conf"), "").unwrap();
    let dumped = |copy: &Path| {
        let output = Command::new("fail2ban-client").arg("-c").arg(copy).arg("-d").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!dumped(&copy).contains("deepwell"), "the jail is enabled");
    let log = folder.path().join("deepwell.log");
    fs::write(&log, "").unwrap();
    let local = format!("[deepwell]\nenabled = true\nbackend = auto\nlogpath = {}\n", log.display());
    fs::write(copy.join("jail.d/deepwell.local"), local).unwrap();
    assert!(dumped(&copy).contains("['start', 'deepwell']"));
}

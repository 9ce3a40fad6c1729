//! Lines of the log.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use serde_json::Value;

/// Texts meant to split a log line in two, or to imitate another.
const FORGERIES: [&str; 6] = [
    "x\n2030-01-01T00:00:00Z  INFO forged: ready",
    "x\r2030-01-01T00:00:00Z ERROR forged",
    "\u{2028}{\"level\":\"ERROR\",\"forged\":true}",
    "\",\"forged\":true,\"x\":\"",
    "\x1b[2K\x1b[1Aforged",
    "\u{85}forged\u{b}\u{c}",
];

/// T6: with any typed, sent or chosen text, a log record stays one line, in both formats.
#[test]
fn t6_typed_text_cannot_forge_log_lines() {
    for form in ["json", "text"] {
        let mut server = Server::start(&["log.level=trace", &format!("log.format={form}")]);
        let mut olad = server.create("Olad");
        for forgery in FORGERIES {
            let mut client = Client::open(server.address(), ClientKind::Silent);
            let report = ["\u{ff}\u{fa}\u{18}\0", forgery, "\u{ff}\u{f0}"].concat();
            // Characters below U+0100 represent telnet bytes.
            client.send_bytes(
                &report.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect::<Vec<_>>(),
            );
            client.send(&format!("connect {forgery} {forgery}"));
            client.send(&format!("create {forgery} {}", password("anybody")));
            for word in ["say", "tell olad", "bug", "alias k =", "ooc", "path"] {
                olad.send(&format!("{word} {forgery}"));
            }
            olad.ask("");
        }
        server.kill();
        for line in server.log().lines().filter(|line| *line != "(end of the log)") {
            let is_record = match form {
                "json" => serde_json::from_str::<Value>(line).is_ok_and(|record| {
                    record["forged"].is_null() && !record["target"].to_string().contains("forged")
                }),
                _ => line.trim_start().starts_with("20") && !line.trim_start().starts_with("2030"),
            };
            assert!(is_record, "no record of ours: {line:?}");
            assert!(!line.contains(|c: char| c.is_control() && c != '\x1b'), "{line:?}");
        }
    }
}

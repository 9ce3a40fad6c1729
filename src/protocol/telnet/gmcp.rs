//! GMCP: framing of `Package.Name json` messages, and limits for incoming messages. The session interprets the
//! packages.

use super::event::TelnetEvent;
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};
use deepwell_core::base::unicode::is_printable;

const CODE: u8 = 201;
const PACKAGE_CHARS: usize = 80;
const DEPTH_MAX: usize = 16;
/// Maximum number of members of all arrays and objects together. The longest legitimate message lists the supported
/// packages.
const MEMBERS_MAX: usize = 256;

/// The GMCP option; its only state is in the capabilities.
#[derive(Debug, Default)]
pub(super) struct Gmcp;

impl TelnetOption for Gmcp {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Offer, theirs: OptionPolicy::Refuse, payload_max: usize::MAX }
    }

    fn settle_ours(&mut self, on: bool, peer: &mut Peer) {
        peer.capabilities.gmcp = on;
    }

    fn payload(&mut self, payload: &[u8], peer: &mut Peer) {
        match message(payload) {
            Some((package, body)) => {
                peer.events.push(TelnetEvent::Gmcp { package: package.to_owned(), body: body.to_owned() });
            }
            None => peer.fault(),
        }
    }
}

pub(super) fn send(package: &str, json: &str, peer: &mut Peer) {
    peer.send_payload(CODE, text(package, json).as_bytes());
}

/// Formats a message. The body must be JSON with escaped strings. Raw control characters are removed, because Mudlet
/// cuts a message at the first NUL.
pub(in crate::protocol) fn text(package: &str, json: &str) -> String {
    let mut message: String = package.chars().filter(char::is_ascii_graphic).collect();
    if !json.is_empty() {
        message.push(' ');
        message.extend(json.chars().filter(|c| is_printable(*c)));
    }
    message
}

/// Splits a message into package and body. Returns `None` if it is malformed or exceeds the limits.
pub(in crate::protocol) fn message(payload: &[u8]) -> Option<(&str, &str)> {
    let text = str::from_utf8(payload).ok()?.trim();
    let (package, body) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let named = (1..=PACKAGE_CHARS).contains(&package.len())
        && package.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    (named && is_bounded(body)).then_some((package, body.trim_start()))
}

/// Returns `true` if the nesting and the number of members are within the limits, without parsing the JSON.
fn is_bounded(json: &str) -> bool {
    let (mut depth, mut deepest, mut members) = (0_usize, 0, 0_usize);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
                members += 1;
            }
            b',' if !in_string => members += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest <= DEPTH_MAX && members <= MEMBERS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n10_message_bounds_are_checked_before_parsing() {
        assert_eq!(message(b"Core.Hello {\"client\":\"x\"}"), Some(("Core.Hello", "{\"client\":\"x\"}")));
        assert_eq!(message(b"core.ping"), Some(("core.ping", "")));
        assert_eq!(message(b"client_ip 1.2.3.4"), Some(("client_ip", "1.2.3.4")));
        for bad in [b"".as_slice(), b" ", b"a\x1bb 1", b"\xc3\x28 1", "ünd 1".as_bytes(), &[b'a'; 81]] {
            assert_eq!(message(bad), None, "{bad:?}");
        }
        let deep = |depth: usize| format!("A {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(message(deep(16).as_bytes()).is_some());
        assert_eq!(message(deep(17).as_bytes()), None);
        let long = |members: usize| format!("A [0{}]", ",0".repeat(members - 1));
        assert!(message(long(256).as_bytes()).is_some());
        assert_eq!(message(long(257).as_bytes()), None);
        let brackets_in_a_string = format!("A \"\\\"{}\"", "[".repeat(40));
        assert!(message(brackets_in_a_string.as_bytes()).is_some());
    }

    #[test]
    fn rule_21_raw_control_characters_are_removed() {
        let mut peer = Peer::default();
        send("Room.Info", "{\"a\":\0\n\u{9b}\"\u{e9}\"}", &mut peer);
        assert_eq!(peer.output, b"\xff\xfa\xc9Room.Info {\"a\":\"\xc3\xa9\"}\xff\xf0");
    }
}

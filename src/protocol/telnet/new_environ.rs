//! NEW-ENVIRON (RFC 1572) and MNES: named values reported by a client, initially and on changes. Only requested names
//! are read, and they affect only the display of text.

use super::capabilities::{ClientCapabilities, columns, shown};
use super::negotiate::OptionPolicy;
use super::option::{Peer, Spec, TelnetOption};
use crate::protocol::encoding::Encoding;

const CODE: u8 = 39;
const IS: u8 = 0;
const SEND: u8 = 1;
const INFO: u8 = 2;
const VAR: u8 = 0;
const VALUE: u8 = 1;
const ESCAPE: u8 = 2;
const USERVAR: u8 = 3;

/// Maximum length in bytes of a name or value; longer variables are ignored.
const PART_BYTES_MAX: usize = 64;

/// Variables of the MUD client standard (MNES). They are requested by name, so that no private variable is sent:
/// `PuTTY` sends the user's name if all variables are requested.
const STANDARD: &[&str] = &["CLIENT_NAME", "CLIENT_VERSION", "MTTS", "CHARSET", "TERMINAL_TYPE"];

/// Further variables. Mudlet treats these and the standard ones as user variables.
const USER_VARIABLES: &[&str] = &[
    "SCREEN_READER",
    "UTF-8",
    "256_COLORS",
    "TRUECOLOR",
    "OSC_HYPERLINKS",
    "OSC_HYPERLINKS_SEND",
    "WORD_WRAP",
];

/// State of NEW-ENVIRON. Variables are requested once; later changes arrive unsolicited.
#[derive(Debug, Default)]
pub(super) struct NewEnviron {
    asked: bool,
}

impl TelnetOption for NewEnviron {
    fn spec(&self) -> Spec {
        Spec { code: CODE, ours: OptionPolicy::Refuse, theirs: OptionPolicy::Offer, payload_max: 2_048 }
    }

    fn settle_theirs(&mut self, on: bool, peer: &mut Peer) {
        if on && !std::mem::replace(&mut self.asked, true) {
            // Two requests, because clients that follow the standard know only VAR and Mudlet only USERVAR.
            peer.send_payload(CODE, &question(VAR, STANDARD));
            peer.send_payload(CODE, &question(USERVAR, &[STANDARD, USER_VARIABLES].concat()));
        }
    }

    fn payload(&mut self, payload: &[u8], peer: &mut Peer) {
        let (live, rest) = match payload.split_first() {
            Some((&IS, rest)) => (false, rest),
            Some((&INFO, rest)) => (true, rest),
            _ => return peer.fault(),
        };
        for variable in variables(rest) {
            if variable.name.len() > PART_BYTES_MAX || variable.value_len() > PART_BYTES_MAX {
                peer.fault();
            } else if let Ok(name) = str::from_utf8(&variable.name) {
                let value = variable.value.map(|value| shown(&value));
                learn(name.trim(), value.as_deref(), live, &mut peer.capabilities);
            }
        }
    }
}

fn question(kind: u8, names: &[&str]) -> Vec<u8> {
    let mut payload = vec![SEND];
    for name in names {
        payload.push(kind);
        payload.extend_from_slice(name.as_bytes());
    }
    payload
}

#[derive(Default)]
struct EnvironVariable {
    name: Vec<u8>,
    /// `None` if the variable is undefined; empty if it is defined without a value.
    value: Option<Vec<u8>>,
}

impl EnvironVariable {
    fn value_len(&self) -> usize {
        self.value.as_ref().map_or(0, Vec::len)
    }

    fn is_empty(&self) -> bool {
        self.name.is_empty() && self.value.is_none()
    }
}

/// Parses the variables of a message, of either kind. `tt++` 2.02.20 separates variables by a second zero, which
/// creates a variable without a name; such variables are ignored.
fn variables(bytes: &[u8]) -> Vec<EnvironVariable> {
    let mut found: Vec<EnvironVariable> = Vec::new();
    let mut escaped = false;
    for byte in bytes {
        let last = found.last_mut();
        match (*byte, last) {
            (ESCAPE, _) if !escaped => {
                escaped = true;
                continue;
            }
            (VAR | USERVAR, Some(last)) if !escaped && last.is_empty() => {}
            (VAR | USERVAR, _) if !escaped => found.push(EnvironVariable::default()),
            (VALUE, Some(last)) if !escaped => last.value = Some(Vec::new()),
            (byte, Some(EnvironVariable { value: Some(part), .. } | EnvironVariable { name: part, .. })) => {
                part.push(byte);
            }
            (_, None) => {}
        }
        escaped = false;
    }
    found.retain(|variable| !variable.name.is_empty());
    found
}

/// Applies a requested variable; others are ignored. `live` marks an update that replaces earlier values.
fn learn(name: &str, value: Option<&str>, live: bool, capabilities: &mut ClientCapabilities) {
    let environ = &mut capabilities.environ;
    let switch = match value {
        Some("1") => Some(true),
        Some("0" | "") => Some(false),
        Some(_) => return learn_text(name, value, live, capabilities),
        // A variable that became undefined is off; one that was never defined is unknown.
        None => live.then_some(false),
    };
    match name {
        "SCREEN_READER" => match switch {
            Some(true) => capabilities.screen_reader = true,
            Some(false) if live => capabilities.screen_reader = false,
            _ => {}
        },
        "UTF-8" => environ.utf8 = switch,
        "256_COLORS" => environ.colours_256 = switch,
        "TRUECOLOR" => environ.true_colour = switch,
        "OSC_HYPERLINKS" => environ.links = switch,
        "OSC_HYPERLINKS_SEND" => environ.links_send = switch,
        _ => learn_text(name, value, live, capabilities),
    }
}

fn learn_text(name: &str, value: Option<&str>, live: bool, capabilities: &mut ClientCapabilities) {
    let value = value.filter(|value| !value.is_empty());
    let text = value.map(str::to_owned);
    match name {
        "CLIENT_NAME" => capabilities.client_name = text.or(capabilities.client_name.take()),
        "CLIENT_VERSION" => capabilities.client_version = text.or(capabilities.client_version.take()),
        "TERMINAL_TYPE" => capabilities.environ.terminal = text,
        "CHARSET" => capabilities.environ.charset = value.and_then(Encoding::named),
        "WORD_WRAP" => capabilities.environ.columns = value.and_then(|value| columns(value.parse().ok()?)),
        "MTTS" => match value.and_then(|value| value.parse().ok()) {
            Some(bits) if live => capabilities.replace_mtts(bits),
            Some(bits) => capabilities.add_mtts(bits),
            None => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::ColourLevel;

    fn told(payloads: &[&[u8]]) -> Peer {
        let mut peer = Peer::default();
        for payload in payloads {
            NewEnviron::default().payload(payload, &mut peer);
            peer.capabilities.decide();
        }
        peer
    }

    #[test]
    fn protocols_5_9_two_requests_are_sent_once() {
        let mut peer = Peer::default();
        let mut option = NewEnviron::default();
        option.settle_theirs(true, &mut peer);
        let asked = String::from_utf8_lossy(&peer.output).into_owned();
        assert_eq!(asked.matches("CLIENT_NAME").count(), 2);
        assert!(!asked.contains("USER\u{1}") && !asked.contains("IPADDRESS"));
        assert!(
            peer.output.starts_with(b"\xff\xfa\x27\x01\x00CLIENT_NAME\x00CLIENT_VERSION\x00MTTS\x00CHARSET")
        );
        peer.output.clear();
        option.settle_theirs(false, &mut peer);
        option.settle_theirs(true, &mut peer);
        assert_eq!(peer.output, b"");
    }

    #[test]
    fn protocols_5_9_replies_may_be_split_over_messages() {
        let one =
            told(&[b"\x00\x00CLIENT_NAME\x01TinTin++\x00\x00CLIENT_VERSION\x012.02.20 \x00\x00MTTS\x01783"]);
        let many = told(&[
            b"\x00\x00CLIENT_NAME\x01TinTin++",
            b"\x00\x00CLIENT_VERSION\x012.02.20 ",
            b"\x00\x00MTTS\x01783",
        ]);
        assert_eq!(one.capabilities, many.capabilities);
        assert_eq!(one.capabilities.client_name.as_deref(), Some("TinTin++"));
        assert_eq!(one.capabilities.client_version.as_deref(), Some("2.02.20"));
        assert_eq!((one.capabilities.mtts, one.capabilities.colour), (Some(783), ColourLevel::True));
    }

    #[test]
    fn escaped_bytes_are_part_of_name_or_value() {
        let peer = told(&[b"\x00\x03CLIENT_NAME\x01a\x02\x01b\x02\x02c\x00MTTS\x01\x02\x35"]);
        assert_eq!(peer.capabilities.client_name.as_deref(), Some("abc"));
        assert_eq!(peer.capabilities.mtts, Some(5));
    }

    #[test]
    fn n8_unrequested_overlong_and_partial_variables_are_ignored() {
        let long = [b"\x00\x00CLIENT_NAME\x01".as_slice(), &[b'x'; 65]].concat();
        let name = [b"\x00\x00".as_slice(), &[b'x'; 2_000]].concat();
        let peer = told(&[
            b"\x00\x00USER\x01root\x00IPADDRESS\x0110.0.0.1\x00LINES\x0150\x00LANG",
            b"\x00junk\x01more\x02",
            b"\x00",
            b"\x02\x01\x01\x00\x03\x00",
            &long,
            &name,
        ]);
        assert_eq!(peer.capabilities, told(&[]).capabilities.clone().decided());
        assert_eq!(peer.faults, 2);
        assert_eq!(told(&[b"\x01\x00CLIENT_NAME", b"\x07"]).faults, 2);
    }

    #[test]
    fn protocols_5_9_mudlet_variables_can_be_withdrawn() {
        let all = b"\x00\x03SCREEN_READER\x011\x03UTF-8\x011\x03TRUECOLOR\x011\x03OSC_HYPERLINKS\x011\x03WORD_WRAP\x01100";
        let peer = told(&[all]);
        assert!(peer.capabilities.screen_reader && peer.capabilities.links);
        assert_eq!(
            (peer.capabilities.colour, peer.capabilities.environ.columns),
            (ColourLevel::True, Some(100))
        );
        let peer = told(&[all, b"\x02\x03SCREEN_READER\x010\x03OSC_HYPERLINKS\x01"]);
        assert!(!peer.capabilities.screen_reader && !peer.capabilities.links);
        let peer = told(&[all, b"\x02\x03SCREEN_READER"]);
        assert!(!peer.capabilities.screen_reader);
        let peer = told(&[b"\x00\x00MTTS\x0164", b"\x00\x03SCREEN_READER\x010"]);
        assert!(peer.capabilities.screen_reader, "only news takes back what was said");
        let peer = told(&[all, b"\x02\x03OSC_HYPERLINKS_SEND\x010"]);
        assert!(peer.capabilities.screen_reader && !peer.capabilities.links);
    }

    #[test]
    fn updated_mtts_bits_replace_earlier_ones() {
        let peer = told(&[b"\x00\x00MTTS\x01335", b"\x02\x00MTTS\x019"]);
        assert_eq!((peer.capabilities.mtts, peer.capabilities.screen_reader), (Some(9), false));
        let peer = told(&[b"\x00\x00MTTS\x01271", b"\x00\x00MTTS\x01783", b"\x00\x03SCREEN_READER\x010"]);
        assert_eq!(peer.capabilities.mtts, Some(783));
    }
}

//! Endpoint of a web client (`gmcp.mudstandards.org`): coloured text and GMCP messages are sent in separate messages.
//! Here both directions are streams of packets with a kind, a length and a payload. `net::websocket` adds the WebSocket
//! framing.
//!
//! ```text
//! packet    kind: u8, length of the payload: u32 big-endian, payload
//! b'T'      text as UTF-8. Out: lines end in `\n`, colours are `ESC [ numbers m`. In: bytes of lines, cut anywhere
//! b'G'      one GMCP message: `Package.Name json`
//! ```
//!
//! Two server messages replace telnet commands: `Deepwell.Prompt` (the text since the last line end is the prompt) and
//! `Deepwell.Input {"hidden":true|false}`.

use crate::protocol::encoding::Encoding;
use crate::protocol::line::{LineEditor, TypedByte};
use crate::protocol::telnet::{ClientCapabilities, TelnetEvent, gmcp, output};
use deepwell_core::base::ColourLevel;
use deepwell_core::base::limits::Limits;
use deepwell_core::base::unicode::clean;

/// Kind of a text packet.
pub const TEXT: u8 = b'T';
/// Kind of a packet with one GMCP message.
pub const GMCP: u8 = b'G';
/// Length of a packet header, in bytes.
pub const HEADER_BYTES: usize = 5;

/// Output buffer capacity kept while a client is idle, in bytes.
const IDLE_OUTPUT_CAPACITY: usize = 2_048;

/// Returns the header of a packet.
pub fn header(kind: u8, payload: usize) -> [u8; HEADER_BYTES] {
    let [a, b, c, d] = u32::try_from(payload).unwrap_or(u32::MAX).to_be_bytes();
    [kind, a, b, c, d]
}

/// Parses a header into the kind and the payload length.
pub fn read_header([kind, a, b, c, d]: [u8; HEADER_BYTES]) -> (u8, u32) {
    (kind, u32::from_be_bytes([a, b, c, d]))
}

/// Progress of an incoming packet.
#[derive(Clone, Copy, Debug)]
enum Incoming {
    /// Reading the header: its bytes, and the number received.
    Header([u8; HEADER_BYTES], usize),
    /// Reading the payload: the kind, and the number of bytes left.
    Payload(u8, u32),
}

impl Default for Incoming {
    fn default() -> Self {
        Self::Header([0; HEADER_BYTES], 0)
    }
}

/// The endpoint of a web client.
#[derive(Debug)]
pub struct Web {
    capabilities: ClientCapabilities,
    incoming: Incoming,
    line: LineEditor,
    /// GMCP message being received.
    message: Vec<u8>,
    message_max: usize,
    /// Pending packets; the length of the last one may not be set yet.
    output: Vec<u8>,
    /// Start of the payload of the open text packet, if any.
    open_text: Option<usize>,
    hidden: bool,
    faults: u32,
}

impl Web {
    /// Creates an endpoint with fixed capabilities.
    pub fn new(limits: &Limits) -> Self {
        let capabilities = ClientCapabilities {
            wraps_itself: true,
            gmcp: true,
            links: true,
            encoding: Encoding::Utf8,
            colour: ColourLevel::True,
            ..ClientCapabilities::default()
        };
        Self {
            capabilities,
            incoming: Incoming::default(),
            line: LineEditor::new(usize::try_from(limits.line_bytes).unwrap_or(usize::MAX)),
            message: Vec::new(),
            message_max: usize::try_from(limits.subnegotiation_bytes).unwrap_or(usize::MAX),
            output: Vec::new(),
            open_text: None,
            hidden: false,
            faults: 0,
        }
    }

    /// Processes bytes of packets and appends the resulting events.
    pub fn receive(&mut self, bytes: &[u8], events: &mut Vec<TelnetEvent>) {
        for byte in bytes {
            self.push(*byte, events);
        }
    }

    /// Returns the capabilities.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    /// Sets the client name from `Core.Hello`.
    pub fn name_client(&mut self, name: &str, version: &str) {
        self.capabilities.name_client(name, version);
    }

    /// Returns the number of malformed or oversized messages.
    pub fn faults(&self) -> u32 {
        self.faults
    }

    /// Sends text. Lines end in `\n`; all control sequences except colours and links are removed.
    pub fn write(&mut self, text: &str) {
        if self.open_text.is_none() {
            self.output.extend_from_slice(&header(TEXT, 0));
            self.open_text = Some(self.output.len());
        }
        output::encode(text, self.capabilities.encoding, b"\n", true, &mut self.output);
    }

    /// Sends ASCII; network line ends are converted to `\n`.
    pub fn raw(&mut self, ascii: &str) {
        self.write(ascii);
    }

    /// Marks the text since the last line end as a prompt.
    pub fn end_prompt(&mut self) {
        self.gmcp("Deepwell.Prompt", "");
    }

    /// Hides the player's input, for a password.
    pub fn hide_input(&mut self) {
        self.set_hidden(true);
    }

    /// Shows the player's input again.
    pub fn show_input(&mut self) {
        self.set_hidden(false);
    }

    /// Sends a GMCP message. `json` may be empty; its strings must be escaped.
    pub fn gmcp(&mut self, package: &str, json: &str) {
        self.close_text();
        let message = gmcp::text(package, json);
        self.output.extend_from_slice(&header(GMCP, message.len()));
        self.output.extend_from_slice(message.as_bytes());
    }

    /// Sets the character set chosen by the player. Only UTF-8 and its subset ASCII are supported; other choices mean
    /// UTF-8.
    pub fn set_encoding(&mut self, forced: Option<Encoding>) {
        self.capabilities.forced_encoding = forced;
        self.capabilities.encoding = match forced {
            Some(Encoding::Ascii) => Encoding::Ascii,
            Some(Encoding::Utf8 | Encoding::Latin1 | Encoding::Cp1251) | None => Encoding::Utf8,
        };
    }

    /// Moves the pending packets into a buffer.
    pub fn drain_output(&mut self, into: &mut Vec<u8>) {
        self.close_text();
        into.append(&mut self.output);
        self.output.shrink_to(IDLE_OUTPUT_CAPACITY);
    }

    fn set_hidden(&mut self, hidden: bool) {
        if std::mem::replace(&mut self.hidden, hidden) != hidden {
            self.gmcp("Deepwell.Input", if hidden { "{\"hidden\":true}" } else { "{\"hidden\":false}" });
        }
    }

    /// Closes the open text packet; an empty one is removed.
    fn close_text(&mut self) {
        let Some(start) = self.open_text.take() else { return };
        let payload = self.output.len() - start;
        if payload == 0 {
            self.output.truncate(start - HEADER_BYTES);
        } else if let Some(place) = self.output.get_mut(start - HEADER_BYTES..start) {
            place.copy_from_slice(&header(TEXT, payload));
        }
    }

    fn push(&mut self, byte: u8, events: &mut Vec<TelnetEvent>) {
        let (kind, left) = match &mut self.incoming {
            Incoming::Header(header, filled) => {
                if let Some(place) = header.get_mut(*filled) {
                    *place = byte;
                }
                *filled += 1;
                if *filled < HEADER_BYTES {
                    return;
                }
                read_header(*header)
            }
            Incoming::Payload(kind, left) => {
                let (kind, left) = (*kind, *left - 1);
                self.payload(kind, byte, events);
                (kind, left)
            }
        };
        self.incoming = if left == 0 {
            self.end(kind, events);
            Incoming::default()
        } else {
            Incoming::Payload(kind, left)
        };
    }

    fn payload(&mut self, kind: u8, byte: u8, events: &mut Vec<TelnetEvent>) {
        match kind {
            TEXT => events.extend(self.line.push(byte).map(|typed| match typed {
                TypedByte::TooLong => TelnetEvent::LineTooLong,
                TypedByte::Line(bytes) => {
                    TelnetEvent::Line(clean(&Encoding::Utf8.decode(&bytes)).into_owned())
                }
            })),
            // One byte beyond the limit is stored, to mark the message as too long.
            GMCP if self.message.len() <= self.message_max => self.message.push(byte),
            _ => {}
        }
    }

    /// Processes a complete packet.
    fn end(&mut self, kind: u8, events: &mut Vec<TelnetEvent>) {
        let message = std::mem::take(&mut self.message);
        match (kind, gmcp::message(&message)) {
            (TEXT, _) => {}
            (GMCP, Some((package, body))) if message.len() <= self.message_max => {
                events.push(TelnetEvent::Gmcp { package: package.to_owned(), body: body.to_owned() });
            }
            _ => self.faults = self.faults.saturating_add(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn web() -> Web {
        Web::new(&Limits::default())
    }

    fn packet(kind: u8, payload: &[u8]) -> Vec<u8> {
        [header(kind, payload.len()).as_slice(), payload].concat()
    }

    fn events(bytes: &[u8]) -> Vec<TelnetEvent> {
        let mut events = Vec::new();
        web().receive(bytes, &mut events);
        events
    }

    /// Returns the packets in the output, as kind and text.
    fn sent(web: &mut Web) -> Vec<(char, String)> {
        let mut bytes = Vec::new();
        web.drain_output(&mut bytes);
        let mut rest = bytes.as_slice();
        let mut packets = Vec::new();
        while let Some((header, after)) = rest.split_first_chunk() {
            let (kind, length) = read_header(*header);
            let (payload, after) = after.split_at(length as usize);
            packets.push((char::from(kind), str::from_utf8(payload).unwrap().to_owned()));
            rest = after;
        }
        assert_eq!(rest, b"");
        packets
    }

    fn expected(packets: &[(char, &str)]) -> Vec<(char, String)> {
        packets.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()
    }

    #[test]
    fn protocols_9_text_and_gmcp_are_separate_packets_in_order() {
        let mut web = web();
        assert_eq!(sent(&mut web), []);
        web.write("The Well\n");
        web.write("\u{1b}[32mExits:\u{1b}[0m n\u{f6}rth\u{1b}[2J\r\n");
        web.gmcp("Room.Info", "{\"num\":1}");
        web.write("");
        web.write("> ");
        web.end_prompt();
        assert_eq!(
            sent(&mut web),
            expected(&[
                ('T', "The Well\n\u{1b}[32mExits:\u{1b}[0m n\u{f6}rth[2J\n"),
                ('G', "Room.Info {\"num\":1}"),
                ('T', "> "),
                ('G', "Deepwell.Prompt"),
            ])
        );
        web.write("");
        assert_eq!(sent(&mut web), []);
        web.raw("NAME\tDeepwell\r\n");
        assert_eq!(sent(&mut web), expected(&[('T', "NAME Deepwell\n")]));
    }

    #[test]
    fn protocols_5_18_links_are_sent_unchanged() {
        let mut web = web();
        let link = "\u{1b}]8;;send:north\u{1b}\\north\u{1b}]8;;\u{1b}\\";
        web.write(link);
        assert_eq!(sent(&mut web), expected(&[('T', link)]));
    }

    #[test]
    fn protocols_9_hidden_input_is_sent_on_change() {
        let mut web = web();
        web.show_input();
        web.hide_input();
        web.hide_input();
        web.show_input();
        let messages =
            [("{\"hidden\":true}"), ("{\"hidden\":false}")].map(|body| format!("Deepwell.Input {body}"));
        assert_eq!(sent(&mut web), messages.map(|text| ('G', text)));
    }

    #[test]
    fn protocols_9_web_client_capabilities_are_fixed() {
        let mut web = web();
        let capabilities = web.capabilities().clone();
        assert!(
            capabilities.gmcp
                && capabilities.wraps_itself
                && !capabilities.telnet
                && capabilities.width.is_none()
        );
        assert_eq!((capabilities.encoding, capabilities.colour), (Encoding::Utf8, ColourLevel::True));
        web.set_encoding(Some(Encoding::Ascii));
        web.write("n\u{f6}rth \u{2014} \u{4e2d}\n");
        let ascii = sent(&mut web);
        assert!(ascii.iter().all(|(_, text)| text.is_ascii()), "{ascii:?}");
        web.set_encoding(Some(Encoding::Latin1));
        web.write("n\u{f6}rth\n");
        assert_eq!(sent(&mut web), expected(&[('T', "n\u{f6}rth\n")]));
    }

    #[test]
    fn protocols_9_lines_and_messages_are_received() {
        let bytes = [
            packet(TEXT, b"say n\xc3"),
            packet(GMCP, b"Core.Ping"),
            packet(TEXT, b"\xb6rth\nlook\n"),
            packet(TEXT, b""),
            packet(GMCP, b"Core.Supports.Set [\"Room 1\"]"),
        ]
        .concat();
        let gmcp =
            |package: &str, body: &str| TelnetEvent::Gmcp { package: package.into(), body: body.into() };
        assert_eq!(
            events(&bytes),
            [
                gmcp("Core.Ping", ""),
                TelnetEvent::Line("say n\u{f6}rth".into()),
                TelnetEvent::Line("look".into()),
                gmcp("Core.Supports.Set", "[\"Room 1\"]"),
            ]
        );
    }

    #[test]
    fn n10_malformed_or_oversized_messages_are_counted_and_dropped() {
        let long = [b"A ".as_slice(), &vec![b'1'; 20_000]].concat();
        let bytes = [
            packet(GMCP, b""),
            packet(GMCP, b"\xff\xfe"),
            packet(GMCP, &long),
            packet(b'?', b"what"),
            packet(TEXT, b"look\n"),
        ]
        .concat();
        let mut web = web();
        let mut events = Vec::new();
        web.receive(&bytes, &mut events);
        assert_eq!((events, web.faults()), (vec![TelnetEvent::Line("look".into())], 4));
        assert!(web.message.capacity() == 0, "nothing is kept of it");
    }

    #[test]
    fn n10_stored_message_is_bounded_by_the_limit() {
        let mut web = web();
        let (bytes, mut events) = (packet(GMCP, &vec![b'A'; 60_000]), Vec::new());
        web.receive(&bytes[..50_000], &mut events);
        assert_eq!(web.message.len(), web.message_max + 1);
    }

    #[test]
    fn n1_overlong_line_is_cut_and_reported_once() {
        let events = events(&packet(TEXT, &[b'x'; 10_000]));
        assert_eq!(events, [TelnetEvent::LineTooLong]);
    }

    proptest! {
        #[test]
        fn n6_events_do_not_depend_on_read_boundaries(
            packets in prop::collection::vec(
                (prop::sample::select(vec![TEXT, GMCP, b'X']), "(look\n|A\\.B 1|\u{e9}|\r|\u{8}|.){0,12}"), 0..8,
            ),
            cuts in prop::collection::vec(1_usize..9, 1..40),
        ) {
            let bytes: Vec<u8> = packets.iter().flat_map(|(kind, text)| packet(*kind, text.as_bytes())).collect();
            let mut cut = Vec::new();
            let mut web = web();
            let mut rest = bytes.as_slice();
            for size in cuts.iter().cycle() {
                if rest.is_empty() { break }
                let (piece, after) = rest.split_at((*size).min(rest.len()));
                web.receive(piece, &mut cut);
                rest = after;
            }
            prop_assert_eq!(events(&bytes), cut);
        }

        #[test]
        fn t3_only_text_and_colours_are_sent_in_whole_packets(
            writes in prop::collection::vec(("([\\x00-\\x1f\u{9b}\\[;0-9mJ]|\u{1b}\\[|.){0,20}", any::<bool>()), 0..8),
        ) {
            let mut web = web();
            for (text, data) in &writes {
                if *data { web.gmcp("A.B", text) } else { web.write(text) }
            }
            for (kind, text) in sent(&mut web) {
                let controls = text.chars().filter(|c| c.is_control() && *c != '\n');
                let escapes = text.matches("\u{1b}[").count();
                prop_assert_eq!(controls.count(), escapes);
                prop_assert!(kind == 'T' || text.starts_with("A.B"));
            }
        }
    }
}

//! Telnet endpoint of one connection, without the connection: bytes and text in, events and bytes out.
//!
//! `codec` parses the stream, `negotiate` tracks agreements, each option is a file listed in the table of `options`,
//! `capabilities` derives display settings, and `output` encodes all text. The session decides the content and timing
//! of output.

mod charset;
mod codec;
mod echo;
mod eor;
mod event;
mod capabilities;
pub(super) mod gmcp;
mod mccp;
mod mssp;
mod naws;
mod negotiate;
mod new_environ;
mod option;
mod options;
pub(super) mod output;
mod suppress_go_ahead;
mod timing_mark;
mod ttype;

#[cfg(test)]
mod acceptance;

pub use capabilities::{ClientCapabilities, Environ};
pub use event::TelnetEvent;
pub use options::Agreement;

use crate::protocol::encoding::Encoding;
use crate::protocol::line::{LineEditor, TypedByte};
use codec::{Codec, Element, IAC, NegotiationVerb};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::unicode::clean;
use negotiate::{Half, OptionPolicy};
use option::Peer;
use options::Options;

/// Number of negotiation commands processed per connection; clients need far fewer.
const NEGOTIATIONS_PROCESSED_MAX: u32 = 200;
/// Output buffer capacity kept while a client is idle, in bytes.
const IDLE_OUTPUT_CAPACITY: usize = 2_048;

/// The telnet endpoint of a connection.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent capabilities, not a hidden state machine")]
pub struct Telnet {
    codec: Codec,
    line: LineEditor,
    options: Options,
    peer: Peer,
    negotiations: u32,
    negotiations_max: u32,
    payload_max: usize,
    payload_max_later: usize,
    ready: bool,
    visible: bool,
    hide_wanted: bool,
    links: bool,
    payloads_left: u32,
    payloads_heard: u32,
    any_payload: bool,
}

impl Telnet {
    /// Creates an endpoint; the opening burst of offers is in the output.
    pub fn new(limits: &Limits) -> Self {
        Self::offering(limits, false)
    }

    /// Creates an endpoint that also offers compression.
    pub fn compressible(limits: &Limits) -> Self {
        Self::offering(limits, true)
    }

    fn offering(limits: &Limits, compression: bool) -> Self {
        let mut telnet = Self {
            codec: Codec::new(),
            line: LineEditor::new(to_usize(limits.line_bytes)),
            options: Options::default(),
            peer: Peer::default(),
            negotiations: 0,
            negotiations_max: limits.negotiations,
            payload_max: to_usize(limits.subnegotiation_bytes.min(limits.subnegotiation_bytes_before_login)),
            payload_max_later: to_usize(limits.subnegotiation_bytes),
            ready: false,
            visible: false,
            hide_wanted: false,
            links: false,
            payloads_left: u32::MAX,
            payloads_heard: 0,
            any_payload: false,
        };
        telnet.options.compression.option.possible = compression;
        telnet.options.open(&mut telnet.peer);
        telnet
    }

    /// Processes bytes from the client and appends the resulting events. Replies are added to the output.
    pub fn receive(&mut self, bytes: &[u8], events: &mut Vec<TelnetEvent>) {
        for byte in bytes {
            if *byte == IAC && !self.peer.capabilities.telnet {
                self.peer.capabilities.telnet = true;
                self.peer.events.push(TelnetEvent::ClientChanged);
            }
            let payload_max = |code| self.options.payload_max(code).min(self.payload_max);
            if let Some(element) = self.codec.push(*byte, payload_max) {
                self.element(element);
            }
        }
        events.append(&mut self.peer.events);
    }

    /// Returns the capabilities negotiated so far.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.peer.capabilities
    }

    /// Sets the number of subnegotiations accepted until the next call; further ones are dropped.
    pub fn limit_payloads(&mut self, most: u32) {
        (self.payloads_left, self.payloads_heard) = (most, 0);
    }

    /// Returns the number of subnegotiations accepted since [`Telnet::limit_payloads`].
    pub fn payloads_heard(&self) -> u32 {
        self.payloads_heard
    }

    /// Returns the negotiation state of each option.
    pub fn agreements(&self) -> Vec<Agreement> {
        self.options.agreements()
    }

    /// Returns the number of malformed, oversized or unsolicited payloads.
    pub fn faults(&self) -> u32 {
        self.peer.faults
    }

    /// Sets whether links in the text are sent. By default they are removed.
    pub fn show_links(&mut self, on: bool) {
        self.links = on;
    }

    /// Sends text in the client's character set. Lines end in `\n`; colours are `ESC [ numbers m`. All other control
    /// characters are removed.
    pub fn write(&mut self, text: &str) {
        let Peer { capabilities, output, .. } = &mut self.peer;
        self.visible |= output::encode(text, capabilities.encoding, b"\r\n", self.links, output);
        self.update_masking();
    }

    /// Sends ASCII unchanged, including its line ends and tabs.
    pub fn raw(&mut self, ascii: &str) {
        self.peer.output.extend_from_slice(ascii.as_bytes());
    }

    /// Marks the last output as a prompt: by END-OF-RECORD if agreed, else by GO-AHEAD. Sends nothing to a client that
    /// does not speak telnet.
    pub fn end_prompt(&mut self) {
        if self.peer.capabilities.telnet {
            let mark = if self.peer.capabilities.eor { codec::END_OF_RECORD } else { codec::GO_AHEAD };
            self.peer.output.extend_from_slice(&[IAC, mark]);
        }
    }

    /// Hides the player's input, for a password. Callers should keep it hidden over quick retries.
    ///
    /// Hiding is delayed until some visible text has been sent, because Mudlet Web does not mask input before that.
    pub fn hide_input(&mut self) {
        self.hide_wanted = true;
        self.update_masking();
    }

    /// Shows the player's input again.
    pub fn show_input(&mut self) {
        self.hide_wanted = false;
        self.update_masking();
    }

    /// Sends a GMCP message if GMCP is agreed. `json` may be empty; its strings must be escaped.
    pub fn gmcp(&mut self, package: &str, json: &str) {
        if self.peer.capabilities.gmcp {
            gmcp::send(package, json, &mut self.peer);
        }
    }

    /// Sends the server status by MSSP if agreed: variables with their values. Clients that read a single value use the
    /// last.
    pub fn status<'a>(&mut self, variables: impl Iterator<Item = (&'a str, &'a [String])>) {
        self.options.server_status.option.send(variables, &mut self.peer);
    }

    /// Sends a NOP, so that a vanished peer is detected; only to clients that speak telnet.
    pub fn keep_alive(&mut self) {
        if self.peer.capabilities.telnet {
            self.peer.output.extend_from_slice(&[IAC, codec::NOP]);
        }
    }

    /// Announces that all output after the pending output is compressed.
    pub fn start_compression(&mut self) {
        self.peer.send_payload(mccp::CODE, &[]);
    }

    /// Withdraws the offer of compression.
    pub fn refuse_compression(&mut self) {
        if self.options.compression.sides.ours.ask(false).is_some() {
            self.peer.send_verb(NegotiationVerb::Wont, mccp::CODE);
        }
    }

    /// Sets the character set chosen by the player; `None` uses the negotiated one.
    pub fn set_encoding(&mut self, forced: Option<Encoding>) {
        self.peer.capabilities.forced_encoding = forced;
        self.peer.capabilities.decide();
    }

    /// Sets the client name from `Core.Hello`; a name from NEW-ENVIRON takes precedence.
    pub fn name_client(&mut self, name: &str, version: &str) {
        self.peer.capabilities.name_client(name, version);
    }

    /// Raises the maximum payload length to the limit for players who have logged in.
    pub fn logged_in(&mut self) {
        self.payload_max = self.payload_max_later;
    }

    /// Moves the pending output into a buffer.
    pub fn drain_output(&mut self, into: &mut Vec<u8>) {
        into.append(&mut self.peer.output);
        // Reuse the memory, but do not keep the capacity of one large output for the rest of the connection.
        self.peer.output.shrink_to(IDLE_OUTPUT_CAPACITY);
    }

    fn element(&mut self, element: Element) {
        match element {
            Element::Data(byte) => self.data(byte),
            Element::Command(command) => self.command(command),
            Element::Negotiation(verb, code) => {
                self.learn(|telnet| telnet.negotiation(verb, code));
            }
            Element::Subnegotiation(code, payload) => {
                self.learn(|telnet| telnet.payload(code, &payload));
            }
            Element::Fault => self.peer.fault(),
        }
    }

    fn data(&mut self, byte: u8) {
        let event = match self.line.push(byte) {
            None => return,
            Some(TypedByte::TooLong) => TelnetEvent::LineTooLong,
            Some(TypedByte::Line(bytes)) => {
                TelnetEvent::Line(clean(&self.peer.capabilities.encoding.decode(&bytes)).into_owned())
            }
        };
        self.peer.events.push(event);
    }

    fn command(&mut self, command: u8) {
        match command {
            codec::ERASE_CHARACTER => self.line.erase_character(),
            codec::ERASE_LINE => self.line.erase_line(),
            codec::ARE_YOU_THERE => self.peer.events.push(TelnetEvent::AreYouThere),
            codec::INTERRUPT | codec::BREAK => {
                self.line.erase_line();
                self.peer.events.push(TelnetEvent::Interrupt);
            }
            _ => {}
        }
    }

    /// Runs a change and reports changed capabilities.
    fn learn(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.peer.capabilities.clone();
        change(self);
        self.peer.capabilities.decide();
        if self.peer.capabilities != before {
            self.peer.events.push(TelnetEvent::ClientChanged);
        }
        if !self.ready && self.peer.barrier_passed && self.peer.terminal_known {
            self.ready = true;
            self.peer.events.push(TelnetEvent::Ready);
        }
    }

    fn negotiation(&mut self, verb: NegotiationVerb, code: u8) {
        if self.negotiations > self.negotiations_max {
            return;
        }
        self.negotiations += 1;
        if self.negotiations > self.negotiations_max {
            self.peer.events.push(TelnetEvent::Abuse);
            return;
        }
        // Players may press Ctrl-C any number of times, and each TIMING-MARK must be answered.
        if self.negotiations > NEGOTIATIONS_PROCESSED_MAX
            && (verb, code) != (NegotiationVerb::Do, timing_mark::CODE)
        {
            return;
        }
        let (about_us, on) = match verb {
            NegotiationVerb::Will => (false, true),
            NegotiationVerb::Wont => (false, false),
            NegotiationVerb::Do => (true, true),
            NegotiationVerb::Dont => (true, false),
        };
        let answer = |on| match (about_us, on) {
            (true, true) => NegotiationVerb::Will,
            (true, false) => NegotiationVerb::Wont,
            (false, true) => NegotiationVerb::Do,
            (false, false) => NegotiationVerb::Dont,
        };
        if (verb, code) == (NegotiationVerb::Do, mccp::CODE)
            && self.options.accepts_every_offer(self.any_payload)
        {
            self.options.compression.option.possible = false;
            // The client's reply to our offer is overridden by the refusal.
            self.options.compression.sides.ours = Half::No;
            return self.peer.send_verb(NegotiationVerb::Wont, code);
        }
        let Some((sides, option)) = self.options.find(code) else {
            if on {
                self.peer.send_verb(answer(false), code);
            }
            return;
        };
        if option.intercept(verb, &mut self.peer) {
            return;
        }
        let spec = option.spec();
        let (half, stance) =
            if about_us { (&mut sides.ours, spec.ours) } else { (&mut sides.theirs, spec.theirs) };
        let heard = half.hear(on, stance != OptionPolicy::Refuse);
        if let Some(on) = heard.reply {
            self.peer.send_verb(answer(on), code);
        }
        match heard.settled {
            Some(on) if about_us => option.settle_ours(on, &mut self.peer),
            Some(on) => option.settle_theirs(on, &mut self.peer),
            None => {}
        }
    }

    fn payload(&mut self, code: u8, payload: &[u8]) {
        if self.payloads_left == 0 {
            return self.peer.fault();
        }
        self.payloads_left -= 1;
        self.payloads_heard = self.payloads_heard.saturating_add(1);
        match self.options.find(code) {
            Some((sides, option)) if sides.any_on() => {
                self.any_payload = true;
                option.payload(payload, &mut self.peer);
            }
            _ => self.peer.fault(),
        }
    }

    fn update_masking(&mut self) {
        if self.visible || !self.hide_wanted {
            self.options.echo.option.set_hidden(self.hide_wanted, &mut self.peer);
        }
    }
}

fn to_usize(limit: u32) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

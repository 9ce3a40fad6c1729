//! Client endpoint with a common interface for telnet and the web client.

use crate::protocol::encoding::Encoding;
use crate::protocol::telnet::{Agreement, ClientCapabilities, Telnet, TelnetEvent};
use crate::protocol::web::Web;
use deepwell_core::base::limits::Limits;

/// A client's endpoint. Its methods are documented in [`Telnet`].
#[derive(Debug)]
pub enum Terminal {
    /// A telnet client.
    Telnet(Box<Telnet>),
    /// A web client, with text and structured data in separate WebSocket messages.
    Web(Box<Web>),
}

/// Calls the method of the same name on either endpoint.
macro_rules! either {
    ($terminal:ident.$method:ident($($argument:expr),*)) => {
        match $terminal {
            Self::Telnet(telnet) => telnet.$method($($argument),*),
            Self::Web(web) => web.$method($($argument),*),
        }
    };
}

impl Terminal {
    /// Creates a telnet endpoint; the opening burst of offers is in the output.
    pub fn telnet(limits: &Limits) -> Self {
        Self::Telnet(Box::new(Telnet::new(limits)))
    }

    /// Creates a telnet endpoint that also offers compression.
    pub fn compressible(limits: &Limits) -> Self {
        Self::Telnet(Box::new(Telnet::compressible(limits)))
    }

    /// Creates a web endpoint, whose capabilities are known from the start.
    pub fn web(limits: &Limits) -> Self {
        Self::Web(Box::new(Web::new(limits)))
    }

    /// Processes bytes from the client and appends the resulting events. Replies are added to the output.
    pub fn receive(&mut self, bytes: &[u8], events: &mut Vec<TelnetEvent>) {
        either!(self.receive(bytes, events));
    }

    /// Returns the capabilities negotiated so far.
    pub fn capabilities(&self) -> &ClientCapabilities {
        either!(self.capabilities())
    }

    /// Sets whether links in the text are sent; the web client always gets them.
    pub fn show_links(&mut self, on: bool) {
        if let Self::Telnet(telnet) = self {
            telnet.show_links(on);
        }
    }

    /// Sets the number of subnegotiations accepted until the next call; the web client sends none.
    pub fn limit_payloads(&mut self, most: u32) {
        if let Self::Telnet(telnet) = self {
            telnet.limit_payloads(most);
        }
    }

    /// Returns the number of subnegotiations accepted since [`Self::limit_payloads`].
    pub fn payloads_heard(&self) -> u32 {
        match self {
            Self::Telnet(telnet) => telnet.payloads_heard(),
            Self::Web(_) => 0,
        }
    }

    /// Returns the negotiation state of each telnet option; empty for the web client.
    pub fn agreements(&self) -> Vec<Agreement> {
        match self {
            Self::Telnet(telnet) => telnet.agreements(),
            Self::Web(_) => Vec::new(),
        }
    }

    /// Returns the number of malformed, oversized or unsolicited messages.
    pub fn faults(&self) -> u32 {
        either!(self.faults())
    }

    /// Sends text; lines end in `\n`.
    pub fn write(&mut self, text: &str) {
        either!(self.write(text));
    }

    /// Sends ASCII with network line ends.
    pub fn raw(&mut self, ascii: &str) {
        either!(self.raw(ascii));
    }

    /// Marks the last output as a prompt.
    pub fn end_prompt(&mut self) {
        either!(self.end_prompt());
    }

    /// Hides the player's input.
    pub fn hide_input(&mut self) {
        either!(self.hide_input());
    }

    /// Shows the player's input again.
    pub fn show_input(&mut self) {
        either!(self.show_input());
    }

    /// Sends a GMCP message if GMCP is agreed.
    pub fn gmcp(&mut self, package: &str, json: &str) {
        either!(self.gmcp(package, json));
    }

    /// Sends the server status by MSSP; telnet only.
    pub fn status<'a>(&mut self, variables: impl Iterator<Item = (&'a str, &'a [String])>) {
        if let Self::Telnet(telnet) = self {
            telnet.status(variables);
        }
    }

    /// Sends a NOP; telnet only.
    pub fn keep_alive(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.keep_alive();
        }
    }

    /// Announces that all output after the pending output is compressed.
    pub fn start_compression(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.start_compression();
        }
    }

    /// Withdraws the offer of compression.
    pub fn refuse_compression(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.refuse_compression();
        }
    }

    /// Sets the character set chosen by the player.
    pub fn set_encoding(&mut self, forced: Option<Encoding>) {
        either!(self.set_encoding(forced));
    }

    /// Sets the client name from `Core.Hello`.
    pub fn name_client(&mut self, name: &str, version: &str) {
        either!(self.name_client(name, version));
    }

    /// Raises the payload limit of a telnet client after login; the web client's limit does not change.
    pub fn logged_in(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.logged_in();
        }
    }

    /// Moves the pending output into a buffer.
    pub fn drain_output(&mut self, into: &mut Vec<u8>) {
        either!(self.drain_output(into));
    }
}

//! One client's end of the wire, whatever carries it: the same calls for telnet and for the web. Decides nothing.

use crate::base::limits::Limits;
use crate::protocol::encoding::Encoding;
use crate::protocol::telnet::{Agreement, ClientCapabilities, Event, Telnet};
use crate::protocol::web::Web;

/// A client's terminal. Its methods are those of [`Telnet`], which says what each of them does.
#[derive(Debug)]
pub enum Terminal {
    /// The telnet protocol.
    Telnet(Box<Telnet>),
    /// Text and structured data apart, over a WebSocket.
    Web(Box<Web>),
}

/// Calls the method of the same name of whichever terminal there is.
macro_rules! either {
    ($terminal:ident.$method:ident($($argument:expr),*)) => {
        match $terminal {
            Self::Telnet(telnet) => telnet.$method($($argument),*),
            Self::Web(web) => web.$method($($argument),*),
        }
    };
}

impl Terminal {
    /// A telnet client; the opening burst of offers is in the output.
    pub fn telnet(limits: &Limits) -> Self {
        Self::Telnet(Box::new(Telnet::new(limits)))
    }

    /// The same, with compression among the offers.
    pub fn compressible(limits: &Limits) -> Self {
        Self::Telnet(Box::new(Telnet::compressible(limits)))
    }

    /// A web client, of which everything is known from the start.
    pub fn web(limits: &Limits) -> Self {
        Self::Web(Box::new(Web::new(limits)))
    }

    /// Takes bytes from the client and adds what they mean. Answers are in the output.
    pub fn receive(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        either!(self.receive(bytes, events));
    }

    /// What is known of the client so far.
    pub fn capabilities(&self) -> &ClientCapabilities {
        either!(self.capabilities())
    }

    /// Whether links in the text are sent; the page takes them all.
    pub fn show_links(&mut self, on: bool) {
        if let Self::Telnet(telnet) = self {
            telnet.show_links(on);
        }
    }

    /// Hears so many subnegotiations from here on and drops those after them; over the web there are none.
    pub fn limit_payloads(&mut self, most: u32) {
        if let Self::Telnet(telnet) = self {
            telnet.limit_payloads(most);
        }
    }

    /// Subnegotiations heard since then.
    pub fn payloads_heard(&self) -> u32 {
        match self {
            Self::Telnet(telnet) => telnet.payloads_heard(),
            Self::Web(_) => 0,
        }
    }

    /// How far each option of telnet has been agreed; over the web there are none.
    pub fn agreements(&self) -> Vec<Agreement> {
        match self {
            Self::Telnet(telnet) => telnet.agreements(),
            Self::Web(_) => Vec::new(),
        }
    }

    /// Malformed, oversized or unasked messages so far.
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

    /// Marks what was written last as a prompt.
    pub fn end_prompt(&mut self) {
        either!(self.end_prompt());
    }

    /// Hides what the player types.
    pub fn hide_input(&mut self) {
        either!(self.hide_input());
    }

    /// Shows what the player types again.
    pub fn show_input(&mut self) {
        either!(self.show_input());
    }

    /// Sends a GMCP message, if the client takes GMCP.
    pub fn gmcp(&mut self, package: &str, json: &str) {
        either!(self.gmcp(package, json));
    }

    /// Sends figures by MSSP, which only telnet has.
    pub fn status<'a>(&mut self, variables: impl Iterator<Item = (&'a str, &'a [String])>) {
        if let Self::Telnet(telnet) = self {
            telnet.status(variables);
        }
    }

    /// Sends a sign of life, where the protocol has one.
    pub fn keep_alive(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.keep_alive();
        }
    }

    /// Says that everything after what is to be sent now is compressed.
    pub fn start_compression(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.start_compression();
        }
    }

    /// Takes the offer of compression back.
    pub fn refuse_compression(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.refuse_compression();
        }
    }

    /// The player's own choice of character set.
    pub fn set_encoding(&mut self, forced: Option<Encoding>) {
        either!(self.set_encoding(forced));
    }

    /// What the client program calls itself in `Core.Hello`.
    pub fn name_client(&mut self, name: &str, version: &str) {
        either!(self.name_client(name, version));
    }

    /// The client has logged in: a web client may say no more than before.
    pub fn logged_in(&mut self) {
        if let Self::Telnet(telnet) = self {
            telnet.logged_in();
        }
    }

    /// Moves the bytes that are to be sent.
    pub fn drain_output(&mut self, into: &mut Vec<u8>) {
        either!(self.drain_output(into));
    }
}

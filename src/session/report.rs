//! Connection report for `netinfo`: the client's announcements, the negotiated options, and the resulting settings. One
//! item per line. Names sent by the client are shown as plain text only.

use crate::protocol::encoding::Encoding;
use deepwell_core::base::ColourLevel;
use deepwell_core::text::{Markup, Style};

use super::Session;
use crate::session::client;
use crate::session::client::connection_info::{Privacy, Transport};

impl Session {
    /// Returns the report on this connection; `name` is its character.
    pub(super) fn report(&self, name: &str) -> Markup {
        let mut report = Markup::styled(Style::Heading, &format!("How {name} is connected"));
        let (capabilities, settings) = (self.screen.capabilities(), self.screen.settings());
        let environ = &capabilities.environ;
        let mut item = |label: &str, value: &str| report.line(Style::Plain, &format!("{label}: {value}"));
        let transport = match (self.connection.transport, capabilities.telnet) {
            (Transport::Web, _) => "web page",
            (Transport::Telnet, true) => "telnet",
            (Transport::Telnet, false) => "raw lines, no telnet heard",
        };
        item("Transport", transport);
        item("Private", private(self.connection.privacy, self.connection.transport));
        let version = capabilities.client_version.as_deref().unwrap_or("of unknown version");
        let program = capabilities.client_name.as_ref().map(|name| format!("{name} {version}"));
        item("Program", program.as_deref().unwrap_or("not told"));
        item("Terminal names", &none_or(&capabilities.terminal_names.join(", ")));
        item("Terminal by NEW-ENVIRON", environ.terminal.as_deref().unwrap_or("not told"));
        item("MTTS", &capabilities.mtts.map_or_else(|| "not told".to_owned(), |bits| bits.to_string()));
        item("Letters", encoding(capabilities.encoding));
        item("Letters agreed by CHARSET", capabilities.charset.map_or("not agreed", encoding));
        item("Colours", colours(settings.colour.unwrap_or(capabilities.colour)));
        let size = |cells: Option<u16>| cells.map_or_else(|| "unknown".to_owned(), |cells| cells.to_string());
        item("Columns", &size(capabilities.width));
        item("Rows", &size(capabilities.height));
        item("Wraps by itself at", &size(environ.columns));
        item("Reader mode", yes_no(client::uses_screen_reader(settings, capabilities)));
        item("Links", yes_no(client::shows_links(settings, capabilities)));
        item("Structured data (GMCP)", yes_no(capabilities.gmcp));
        item("Prompts end in", if capabilities.eor { "END-OF-RECORD" } else { "GO-AHEAD" });
        for agreement in self.screen.agreements() {
            let who = match (agreement.ours, agreement.theirs) {
                (true, true) => "both do it",
                (true, false) => "we do it",
                (false, true) => "the client does it",
                (false, false) => "not agreed",
            };
            item(&format!("Option {}, {}", agreement.code, agreement.name.replace('_', " ")), who);
        }
        item("Bytes read", &self.bytes_in.to_string());
        item("Bytes sent, before compression", &self.bytes_out.to_string());
        item("Faults in what came", &self.screen.faults().to_string());
        item("Structured messages ignored", &self.ignored_messages().to_string());
        let silent = self.now.since(self.input_at);
        item("Last line typed", &format!("{silent} ago"));
        item("Connected for", &self.now.since(self.opened_at).to_string());
        report
    }
}

fn none_or(text: &str) -> String {
    if text.is_empty() { "not told".to_owned() } else { text.to_owned() }
}

const fn yes_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Describes the privacy of a connection as far as it is known.
const fn private(privacy: Privacy, transport: Transport) -> &'static str {
    match (privacy, transport) {
        (Privacy::Tls, _) => "yes, it is encrypted up to this server",
        (Privacy::Local, _) => {
            "as far as this machine goes; whether something on it hands it on is not known"
        }
        (Privacy::TlsToProxy, _) => {
            "encrypted up to a proxy, as that says; how it goes on from there is not known"
        }
        (Privacy::Proxied, _) => "not known; a proxy hands it on and does not say that it is encrypted",
        (Privacy::Open, Transport::Web) => "no, the page came unencrypted, and so goes what is typed",
        (Privacy::Open, Transport::Telnet) => "no, whoever is on the way can read it",
    }
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Utf8 => "UTF-8",
        Encoding::Latin1 => "Latin-1",
        Encoding::Cp1251 => "Windows-1251",
        Encoding::Ascii => "ASCII",
    }
}

const fn colours(colour: ColourLevel) -> &'static str {
    match colour {
        ColourLevel::None => "none",
        ColourLevel::Sixteen => "16",
        ColourLevel::TwoFiftySix => "256",
        ColourLevel::True => "true colours",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a connection encrypted up to this server is called private.
    #[test]
    fn connection_is_called_private_only_if_known() {
        let answer = |privacy| private(privacy, Transport::Web);
        assert!(answer(Privacy::Tls).starts_with("yes"));
        for privacy in [Privacy::Local, Privacy::TlsToProxy, Privacy::Proxied] {
            assert!(
                answer(privacy).contains("not known") && !answer(privacy).starts_with("yes"),
                "{privacy:?}"
            );
        }
        assert!(answer(Privacy::Open).starts_with("no, the page"));
        assert!(private(Privacy::Open, Transport::Telnet).starts_with("no, whoever"));
    }
}

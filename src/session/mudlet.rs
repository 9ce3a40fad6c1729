//! What Mudlet is offered once it has said that it is Mudlet: the package with map, gauges and panels (`Client.GUI`).
//! Only where the operator has said under which address browsers and clients reach this server. No map (`Client.Map`):
//! Mudlet asks about it in a dialog over the first room, and the package draws what each player has seen.

use serde_json::json;

use super::Session;

/// The client that knows what to do with it, as it calls itself in `Core.Hello`.
const CLIENT: &str = "Mudlet";

/// The package and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MudletPackage {
    /// Its address.
    pub url: String,
    /// Its version; Mudlet installs it again when it changes.
    pub version: String,
}

/// Tells a client by its name what there is for it.
pub(super) fn offer_package(session: &mut Session, client: &str) {
    if let Some(package) = session.config.mudlet.as_ref().filter(|_| client == CLIENT) {
        let gui = json!({"version": package.version, "url": package.url}).to_string();
        session.screen.terminal().gmcp("Client.GUI", &gui);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::harness::{HANDSHAKE, Table};
    use crate::session::{Link, SessionConfig};

    fn told(client: &str, mudlet: Option<MudletPackage>) -> String {
        let mut table = Table::of(Link::default(), SessionConfig { mudlet, ..SessionConfig::default() });
        table.receive(HANDSHAKE);
        let hello = format!("Core.Hello {{\"client\":\"{client}\",\"version\":\"4.19\"}}");
        table.receive(&[b"\xff\xfa\xc9", hello.as_bytes(), b"\xff\xf0"].concat())
    }

    fn package() -> MudletPackage {
        MudletPackage { url: "https://play.example/deepwell.mpackage".to_owned(), version: "1".to_owned() }
    }

    #[test]
    fn protocols_6_6_mudlet_is_offered_its_package_and_nothing_that_it_would_ask_about() {
        assert_eq!(
            told("Mudlet", Some(package())),
            r#"<SB 201 Client.GUI {"version":"1","url":"https://play.example/deepwell.mpackage"}>"#
        );
    }

    #[test]
    fn no_other_client_hears_of_it_nor_anybody_without_an_address() {
        assert_eq!(told("Blightmud", Some(package())), "");
        assert_eq!(told("Mudlet", None), "");
    }
}

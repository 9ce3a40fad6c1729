//! Offers Mudlet a package with map, gauges and panels (`Client.GUI`), if the operator has configured the server's
//! public address. `Client.Map` is not sent: Mudlet would ask about it in a dialog over the first room, and the package
//! draws the map from what the player has seen.

use serde_json::json;

use super::Session;

/// Name by which the client identifies itself in `Core.Hello`.
const CLIENT: &str = "Mudlet";

/// Package offered to Mudlet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MudletPackage {
    /// URL of the package.
    pub url: String,
    /// Version; Mudlet reinstalls the package when it changes.
    pub version: String,
}

/// Offers the package, if the client is Mudlet.
pub(super) fn offer_package(session: &mut Session, client: &str) {
    if let Some(package) = session.config.mudlet.as_ref().filter(|_| client == CLIENT) {
        let gui = json!({"version": package.version, "url": package.url}).to_string();
        session.screen.terminal().gmcp("Client.GUI", &gui);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::harness::{HANDSHAKE, Table};
    use crate::session::{ConnectionInfo, SessionConfig};

    fn told(client: &str, mudlet: Option<MudletPackage>) -> String {
        let mut table =
            Table::of(ConnectionInfo::default(), SessionConfig { mudlet, ..SessionConfig::default() });
        table.receive(HANDSHAKE);
        let hello = format!("Core.Hello {{\"client\":\"{client}\",\"version\":\"4.19\"}}");
        table.receive(&[b"\xff\xfa\xc9", hello.as_bytes(), b"\xff\xf0"].concat())
    }

    fn package() -> MudletPackage {
        MudletPackage { url: "https://play.example/deepwell.mpackage".to_owned(), version: "1".to_owned() }
    }

    #[test]
    fn protocols_6_6_mudlet_is_offered_only_its_package() {
        assert_eq!(
            told("Mudlet", Some(package())),
            r#"<SB 201 Client.GUI {"version":"1","url":"https://play.example/deepwell.mpackage"}>"#
        );
    }

    #[test]
    fn package_is_offered_only_to_mudlet_and_with_public_url() {
        assert_eq!(told("Blightmud", Some(package())), "");
        assert_eq!(told("Mudlet", None), "");
    }
}

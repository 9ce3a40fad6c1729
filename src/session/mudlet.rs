//! What Mudlet is offered once it has said that it is Mudlet: the package with map and gauges, and the map of the rooms
//! that last (`Client.GUI`, `Client.Map`). Only where the operator has said under which address browsers
//! and clients reach this server.

use serde_json::json;

use super::Session;

/// The client that knows what to do with them, as it calls itself in `Core.Hello`.
const CLIENT: &str = "Mudlet";

/// Where the files are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MudletFiles {
    /// The address of the package.
    pub package: String,
    /// Its version; Mudlet installs it again when it changes.
    pub version: String,
    /// The address of the map.
    pub map: String,
}

impl Session {
    /// Tells a client by its name what there is for it.
    pub(super) fn offer_mudlet_files(&mut self, client: &str) {
        if let Some(files) = self.config.mudlet.as_ref().filter(|_| client == CLIENT) {
            let gui = json!({"version": files.version, "url": files.package}).to_string();
            let map = json!({"url": files.map}).to_string();
            self.screen.terminal().gmcp("Client.GUI", &gui);
            self.screen.terminal().gmcp("Client.Map", &map);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::harness::{HANDSHAKE, Table};
    use crate::session::{Link, SessionConfig};

    fn told(client: &str, mudlet: Option<MudletFiles>) -> String {
        let mut table = Table::of(Link::default(), SessionConfig { mudlet, ..SessionConfig::default() });
        table.receive(HANDSHAKE);
        let hello = format!("Core.Hello {{\"client\":\"{client}\",\"version\":\"4.19\"}}");
        table.receive(&[b"\xff\xfa\xc9", hello.as_bytes(), b"\xff\xf0"].concat())
    }

    fn files() -> MudletFiles {
        MudletFiles {
            package: "https://play.example/deepwell.mpackage".to_owned(),
            version: "1".to_owned(),
            map: "https://play.example/map.xml".to_owned(),
        }
    }

    #[test]
    fn protocols_6_6_mudlet_is_offered_its_package_and_the_map() {
        assert_eq!(
            told("Mudlet", Some(files())),
            r#"<SB 201 Client.GUI {"version":"1","url":"https://play.example/deepwell.mpackage"}>"#
                .to_owned()
                + r#"<SB 201 Client.Map {"url":"https://play.example/map.xml"}>"#
        );
    }

    #[test]
    fn no_other_client_hears_of_it_nor_anybody_without_an_address() {
        assert_eq!(told("Blightmud", Some(files())), "");
        assert_eq!(told("Mudlet", None), "");
    }
}

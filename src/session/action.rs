//! Actions that a session requests, and its configuration.

use deepwell_core::base::limits::Limits;
use deepwell_core::text::Markup;
use deepwell_game::CloseReason;

use super::{MsspListing, MudletPackage, Ports, Request};

/// An action that a session requests. Actions must be carried out in order.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionAction {
    /// Send a request to the server. Answers arrive through [`Session::deliver`](super::Session::deliver).
    Ask(Request),
    /// Compress the output. Answered with [`Session::compress`](super::Session::compress) or
    /// [`Session::refuse_compression`](super::Session::refuse_compression).
    Compress,
    /// End the compression after all pending output.
    Decompress,
    /// Close the connection after all pending output. This is the last action of a session.
    Close(CloseReason),
}

/// Configuration shared by all sessions of a server.
#[derive(Clone, Debug, Default)]
pub struct SessionConfig {
    /// Configured limits.
    pub limits: Limits,
    /// Name of the server.
    pub name: String,
    /// Welcome text before the first prompt.
    pub welcome: Markup,
    /// Package offered to Mudlet, if the server's public address is configured.
    pub mudlet: Option<MudletPackage>,
    /// Information about the server for MSSP crawlers.
    pub listing: MsspListing,
    /// Ports that players connect to.
    pub ports: Ports,
    /// Set if compression is offered.
    pub compression: bool,
}

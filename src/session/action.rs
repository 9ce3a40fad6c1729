//! What a session wants done around it, and what it is told when it begins.

use crate::base::limits::Limits;
use crate::game::Closed;
use crate::text::Markup;

use super::{Listing, MudletPackage, Ports, Request};

/// What a session wants done, in the order in which it wants it.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Ask the server. What it has to say comes by [`Session::deliver`](super::Session::deliver).
    Ask(Request),
    /// Compress what is sent. Answered with [`Session::compress`](super::Session::compress) or
    /// [`Session::refuse_compression`](super::Session::refuse_compression).
    Compress,
    /// End the compression after everything that is to be sent now.
    Decompress,
    /// Close the connection when everything before has been sent. Nothing comes after it.
    Close(Closed),
}

/// What all sessions of a server have in common.
#[derive(Clone, Debug, Default)]
pub struct SessionConfig {
    /// The bounds in force.
    pub limits: Limits,
    /// The server's name.
    pub name: String,
    /// What is shown before the first prompt.
    pub welcome: Markup,
    /// What Mudlet is offered, if the server knows its own address.
    pub mudlet: Option<MudletPackage>,
    /// What crawlers are told of the server.
    pub listing: Listing,
    /// Where players connect.
    pub ports: Ports,
    /// Whether compression is offered.
    pub compression: bool,
}

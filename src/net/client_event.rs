//! Events from clients to the game's driver. They share a single channel, which preserves their order.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::net::{ClientOutbox, Receipt};
use crate::session::Request;
use deepwell_core::base::{AccountId, SessionId};
use deepwell_game::Envelope;

/// Limit on the requests in flight, held until a request has been handled.
#[derive(Debug)]
pub enum RequestPermit {
    /// Permit of a connection in this process.
    Permit(OwnedSemaphorePermit),
    /// Receipt for a gateway, which holds the permit.
    Receipt(Receipt),
}

/// An event of one client.
pub enum ClientEvent {
    /// The client has connected; the first event of its session.
    Connected {
        /// Session of the client.
        session: SessionId,
        /// Client address.
        address: IpAddr,
        /// Queue for the client's output.
        outbox: Arc<ClientOutbox>,
    },
    /// The session sends a request.
    Asked {
        /// Session of the client.
        session: SessionId,
        /// The request.
        request: Request,
        /// Limit on the requests in flight of its connection. `None` in tests.
        place: Option<RequestPermit>,
    },
    /// A client that plays already has a new link to this game; the first event of its session here.
    Resumed {
        /// Session of the client.
        session: SessionId,
        /// Client address.
        address: IpAddr,
        /// Queue for the client's output.
        outbox: Arc<ClientOutbox>,
        /// Account of the player.
        account: AccountId,
        /// Name of the character.
        name: String,
    },
    /// A task that works for a session sends an input, such as a login after a password check.
    Verified(Box<Envelope>),
    /// The client has disconnected; the last event of its session.
    Ended {
        /// Session of the client.
        session: SessionId,
        /// Receipt for its gateway, if it has one.
        receipt: Option<Receipt>,
    },
}

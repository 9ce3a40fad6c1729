//! Events from clients to the game's driver. They share a single channel, which preserves their order.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::base::SessionId;
use crate::game::Envelope;
use crate::net::Outbox;
use crate::session::Request;

/// An event of one client.
pub enum ClientEvent {
    /// The client has connected; the first event of its session.
    Connected {
        /// Session of the client.
        session: SessionId,
        /// Client address.
        address: IpAddr,
        /// Queue for the client's output.
        outbox: Arc<Outbox>,
    },
    /// The session sends a request.
    Asked {
        /// Session of the client.
        session: SessionId,
        /// The request.
        request: Request,
        /// Permit of the connection for requests in flight; dropping it releases it. `None` in tests.
        place: Option<OwnedSemaphorePermit>,
    },
    /// A task that works for a session sends an input, such as a login after a password check.
    Verified(Box<Envelope>),
    /// The client has disconnected; the last event of its session.
    Ended {
        /// Session of the client.
        session: SessionId,
    },
}

//! What the game's driver hears of clients. One channel carries all of it, so that what a client did first happens first.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::base::SessionId;
use crate::net::Outbox;
use crate::session::Request;

/// One thing that a client did.
pub enum ClientEvent {
    /// It is there; comes before everything else of its session.
    Connected {
        /// The client.
        session: SessionId,
        /// Where it calls from.
        address: IpAddr,
        /// Where what is for it goes.
        outbox: Arc<Outbox>,
    },
    /// Its session, or somebody who works for it, asks for something.
    Asked {
        /// The client.
        session: SessionId,
        /// For what.
        request: Request,
        /// Its place among those of its connection that wait; free again once this is dropped. None if somebody else
        /// asks.
        place: Option<OwnedSemaphorePermit>,
    },
    /// It is gone; nothing of its session follows.
    Ended {
        /// The client.
        session: SessionId,
    },
}

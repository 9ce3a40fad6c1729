//! What browsers and web clients reach over HTTP: the page, its WebSocket at `/ws`. Accepts connections within limits
//! and gives every answer its security headers. What a client then says is `net::websocket`'s; operators have
//! `ops`.

mod door;
mod files;
mod headers;
mod listen;
pub mod mudlet;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get};

pub use files::Files;
pub use listen::{Bounds, serve};

use crate::net::Entrance;

/// What the answers are made from.
#[derive(Clone, Debug)]
pub struct Http {
    /// Where web clients come in.
    pub entrance: Entrance,
    /// The page.
    pub files: Arc<Files>,
    /// Bytes of one message of a client.
    pub message_bytes: usize,
}

/// Every path and what answers it.
pub fn routes(http: Http) -> Router {
    Router::new()
        .route("/ws", any(door::enter))
        .route(mudlet::PACKAGE, get(mudlet::package))
        .fallback(get(files::answer))
        .layer(axum::middleware::from_fn(headers::secure))
        .with_state(http)
}

//! What browsers and web clients reach over HTTP: the page, its WebSocket at `/ws`, the public status. Accepts connections within limits
//! and gives every answer its security headers. What a client then says is `net::websocket`'s; operators have
//! `ops`.

mod browser;
pub mod desk;
mod door;
mod files;
mod headers;
mod hosts;
mod listen;
pub mod mudlet;
mod notice;
mod origin;
mod status;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get, post};

pub use files::Files;
pub use hosts::Hosts;
pub use listen::{Terms, serve};
pub use origin::Origins;
pub use status::{About, Board};

use crate::net::{Entrance, Networks};

/// What the answers are made from.
#[derive(Clone, Debug)]
pub struct Http {
    /// Where web clients come in.
    pub entrance: Entrance,
    /// The page.
    pub files: Arc<Files>,
    /// How the game is.
    pub board: Arc<Board>,
    /// The map for Mudlet.
    pub atlas: Arc<mudlet::Atlas>,
    /// Names of this host.
    pub hosts: Arc<Hosts>,
    /// From which other pages a client may come.
    pub origins: Origins,
    /// Whose words about other callers count.
    pub proxies: Arc<Networks>,
    /// The page for builders.
    pub desks: Arc<desk::Desks>,
    /// Bytes of one message of a client.
    pub message_bytes: usize,
}

/// Every path and what answers it.
pub fn routes(http: Http) -> Router {
    let hosts = Arc::clone(&http.hosts);
    Router::new()
        .route("/ws", any(door::enter))
        .route("/status", get(status::page))
        .route("/status.json", get(status::json))
        .route(mudlet::MAP, get(mudlet::map))
        .route(mudlet::PACKAGE, get(mudlet::package))
        .route("/build", get(desk::page))
        .route("/build/enter", post(desk::enter))
        .route("/build/leave", post(desk::leave))
        .route("/build/ask", post(desk::ask))
        .fallback(get(files::answer))
        .layer(axum::middleware::from_fn_with_state(hosts, hosts::require_ours))
        .layer(axum::middleware::from_fn(headers::secure))
        .with_state(http)
}

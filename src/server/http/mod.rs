//! The public HTTP server: web client, WebSocket at `/ws`, web builder, staff page and public status. Limits connections and adds
//! security headers to every response. The WebSocket protocol is in `net::websocket`; operators have `ops`.

mod browser;
mod files;
mod headers;
mod hosts;
mod listen;
pub mod mudlet;
mod notice;
mod packages;
mod status;
pub mod web_builder;
mod websocket;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get, post};

pub use files::WebFiles;
pub use listen::{Terms, serve};
pub use status::{CachedFigures, StatusConstants};

use crate::net::{ListenerContext, Networks};
use crate::server::config::{AllowedOrigins, Hosts};

/// State of the request handlers.
#[derive(Clone, Debug)]
pub struct Http {
    /// Entry point for WebSocket clients.
    pub context: ListenerContext,
    /// Files of the web client.
    pub files: Arc<WebFiles>,
    /// Public status.
    pub board: Arc<CachedFigures>,
    /// Map file for Mudlet.
    pub atlas: Arc<mudlet::Atlas>,
    /// Accepted host names.
    pub hosts: Arc<Hosts>,
    /// Additional origins that may open a WebSocket.
    pub origins: AllowedOrigins,
    /// Trusted proxies.
    pub proxies: Arc<Networks>,
    /// State of the web builder.
    pub web_builder: Arc<web_builder::WebBuilderState>,
    /// Maximum size of a client's message in bytes.
    pub message_bytes: usize,
}

/// Maps each path to its handler.
pub fn routes(http: Http) -> Router {
    let hosts = Arc::clone(&http.hosts);
    Router::new()
        .route("/ws", any(websocket::enter))
        .route("/status", get(status::page))
        .route("/status.json", get(status::json))
        .route(mudlet::MAP, get(mudlet::map))
        .route(mudlet::PACKAGE, get(mudlet::package))
        .route("/build", get(web_builder::page))
        .route("/build/enter", post(web_builder::log_in))
        .route("/build/leave", post(web_builder::log_out))
        .route("/build/ask", post(web_builder::ask))
        .route("/staff", get(web_builder::staff_page))
        .route("/staff/enter", post(web_builder::log_in_staff))
        .route("/staff/leave", post(web_builder::log_out))
        .route("/staff/ask", post(web_builder::ask))
        .fallback(get(files::answer))
        .layer(axum::middleware::from_fn_with_state(hosts, hosts::require_ours))
        .layer(axum::middleware::from_fn(headers::secure))
        .with_state(http)
}

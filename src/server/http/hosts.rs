//! Middleware that rejects requests for other host names.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::server::config::Hosts;

/// Answers requests whose host name is not accepted with an error.
pub(super) async fn require_ours(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let header = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or("."));
    // An absolute request target overrides the header.
    let host = request.uri().authority().map(axum::http::uri::Authority::as_str).or(header);
    if host.is_none_or(|host| hosts.allow(host)) {
        return next.run(request).await;
    }
    tracing::debug!(?host, "refused a request for another host");
    let message = "Unknown host name. If this is your server, add the name to http.hosts.\n";
    (StatusCode::MISDIRECTED_REQUEST, message).into_response()
}

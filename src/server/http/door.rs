//! The door for web clients: which requests become a WebSocket.

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use crate::net::websocket::{self, Caller};
use crate::server::http::Http;

/// Bytes that are read at once. Small, because an idle client keeps the buffer.
const READ_BYTES: usize = 2_048;
/// Bytes that are gathered for one write.
const WRITE_BYTES: usize = 4_096;

/// Lets a client in, if it speaks what we do and there is a place for it.
pub(super) async fn enter(
    State(http): State<Http>,
    Extension(caller): Extension<Caller>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let offered: Vec<&str> = upgrade.requested_protocols().filter_map(|name| name.to_str().ok()).collect();
    let Some((name, carries)) = websocket::choose(&offered) else {
        let known = websocket::SUBPROTOCOLS.map(|(name, _)| name).join(", ");
        return (StatusCode::BAD_REQUEST, format!("Subprotocols that are spoken here: {known}.\n"))
            .into_response();
    };
    let mut upgrade = upgrade
        .read_buffer_size(READ_BYTES)
        .write_buffer_size(WRITE_BYTES)
        .max_message_size(http.message_bytes)
        .max_frame_size(http.message_bytes);
    if let Some(name) = name {
        upgrade.set_selected_protocol(HeaderValue::from_static(name));
    }
    let entrance = http.entrance;
    match entrance.admit(caller) {
        Ok(pass) => upgrade.on_upgrade(move |socket| {
            let tasks = entrance.tasks.clone();
            tasks.track_future(entrance.serve(socket, carries, caller, pass))
        }),
        Err(refused) => upgrade.on_upgrade(move |socket| websocket::refuse(socket, refused)),
    }
}

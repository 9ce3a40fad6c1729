//! The WebSocket endpoint: checks which requests are upgraded.

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::net::websocket::ClientOrigin;
use crate::net::{Networks, websocket};
use crate::server::config::AllowedOrigins;
use crate::server::http::{Http, browser};
use crate::session::Privacy;

/// Size of the read buffer. Small, because an idle client keeps the buffer.
const READ_BYTES: usize = 2_048;
/// Size of the write buffer.
const WRITE_BYTES: usize = 4_096;

/// Upgrades a request to a WebSocket if its origin and subprotocol are accepted and the connection limits allow it.
pub(super) async fn enter(
    State(http): State<Http>,
    Extension(caller): Extension<ClientOrigin>,
    asked: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !has_allowed_origin(&http.origins, &asked) {
        tracing::debug!(address = %caller.address, "refused a page of another origin");
        return (StatusCode::FORBIDDEN, "The game is played from its own page.\n").into_response();
    }
    let offered: Vec<&str> = upgrade.requested_protocols().filter_map(|name| name.to_str().ok()).collect();
    let Some((name, carries)) = websocket::choose(&offered) else {
        let known: Vec<&str> = websocket::SUBPROTOCOLS.iter().map(|(name, _)| *name).collect();
        return (StatusCode::BAD_REQUEST, format!("Supported subprotocols: {}.\n", known.join(", ")))
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
    let caller = caller_behind_proxies(caller, &http.proxies, &asked);
    let browser = browser::key(&asked);
    let context = http.context;
    match context.admit(caller.address) {
        Ok(pass) => upgrade.on_upgrade(move |socket| {
            let tasks = context.tasks.clone();
            tasks.track_future(context.serve(socket, carries, caller, browser, pass))
        }),
        Err(refused) => upgrade.on_upgrade(move |socket| websocket::refuse(socket, refused)),
    }
}

/// Returns `true` if a request comes from an allowed web page or not from a page. An origin that is not valid text is
/// not allowed.
pub(super) fn has_allowed_origin(origins: &AllowedOrigins, asked: &HeaderMap) -> bool {
    let header = |name| asked.get(name).map(|value| value.to_str().unwrap_or_default());
    origins.allow(header(header::ORIGIN), header(header::HOST))
}

/// Returns the client's address and privacy according to proxy headers. Only headers from trusted proxies count; a
/// request forwarded by any other proxy is not assumed to be private.
pub(super) fn caller_behind_proxies(
    peer: ClientOrigin,
    proxies: &Networks,
    asked: &HeaderMap,
) -> ClientOrigin {
    let headers = |name: &'static str| asked.get_all(name).iter().filter_map(|value| value.to_str().ok());
    if proxies.contains(peer.address) {
        let encrypted = headers("x-forwarded-proto").next_back().is_some_and(|scheme| scheme == "https");
        let address = proxies.caller(peer.address, headers("x-forwarded-for"));
        return ClientOrigin { address, privacy: Privacy::behind_proxy(encrypted) };
    }
    let forwarded = asked.contains_key("x-forwarded-for") || asked.contains_key(header::FORWARDED);
    ClientOrigin { privacy: if forwarded { Privacy::Proxied } else { peer.privacy }, ..peer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    #[test]
    fn request_from_untrusted_local_proxy_is_not_private() {
        let near = ClientOrigin { address: [127, 0, 0, 1].into(), privacy: Privacy::Local };
        let nobody = Networks::default();
        assert_eq!(caller_behind_proxies(near, &nobody, &HeaderMap::new()), near);
        let headers = asked(&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")]);
        assert_eq!(
            caller_behind_proxies(near, &nobody, &headers),
            ClientOrigin { privacy: Privacy::Proxied, ..near }
        );
    }

    #[test]
    fn protocols_9_unreadable_origin_is_refused() {
        let none = AllowedOrigins::default();
        let mut headers = asked(&[("host", "well.example"), ("origin", "https://well.example")]);
        assert!(has_allowed_origin(&none, &headers));
        headers.insert(header::ORIGIN, HeaderValue::from_bytes(b"https://well.example\xff").unwrap());
        assert!(!has_allowed_origin(&none, &headers));
        headers.remove(header::ORIGIN);
        assert!(has_allowed_origin(&none, &headers), "no browser");
    }

    #[test]
    fn protocols_9_trusted_proxy_sets_address_and_privacy() {
        let proxy = ClientOrigin { address: [10, 0, 0, 7].into(), privacy: Privacy::Open };
        let trusted = "10.0.0.0/8".parse().unwrap();
        let headers = asked(&[("x-forwarded-for", "6.6.6.6, 192.0.2.1"), ("x-forwarded-proto", "https")]);
        let client = [192, 0, 2, 1].into();
        assert_eq!(
            caller_behind_proxies(proxy, &trusted, &headers),
            ClientOrigin { address: client, privacy: Privacy::TlsToProxy }
        );
        let plain = asked(&[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "http")]);
        assert_eq!(
            caller_behind_proxies(proxy, &trusted, &plain),
            ClientOrigin { address: client, privacy: Privacy::Proxied }
        );
        let schemes = [("x-forwarded-proto", "https"), ("x-forwarded-proto", "http")];
        let both = asked(&[("x-forwarded-for", "192.0.2.1"), schemes[0], schemes[1]]);
        assert_eq!(
            caller_behind_proxies(proxy, &trusted, &both).privacy,
            Privacy::Proxied,
            "the last header is the proxy's own"
        );
        let stranger = ClientOrigin { address: [192, 0, 2, 9].into(), privacy: Privacy::Open };
        let handed_on = ClientOrigin { privacy: Privacy::Proxied, ..stranger };
        assert_eq!(
            caller_behind_proxies(stranger, &trusted, &headers),
            handed_on,
            "whatever it says of others"
        );
    }

    fn asked(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        headers.iter().map(pair).collect()
    }
}

//! Accepted host names, as protection against DNS rebinding: another site can resolve its own name to this machine, and
//! its pages would then count as same-origin. The `Host` header of such requests reveals the name.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Accepted host names; if empty, all names are accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Parses a comma-separated list. Returns `None` if a part is not a host name without a port.
    pub fn parse(text: &str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let name = |part: &str| {
            let byte = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
            part.bytes().all(byte).then(|| part.to_ascii_lowercase())
        };
        parts.map(name).collect::<Option<_>>().map(Self)
    }

    /// Returns the comma-separated list.
    pub fn text(&self) -> String {
        self.0.join(", ")
    }

    /// Adds the host of a public URL, if the URL is not empty.
    #[must_use]
    pub fn and(mut self, public_url: &str) -> Self {
        let rest = public_url.split_once("://").map_or("", |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        self.0.extend(Some(name_of(host)).filter(|name| !name.is_empty()));
        self
    }

    /// Returns `true` if a request with this `Host` may be answered. Only a name with a dot can be pointed at this
    /// machine by an attacker.
    fn allow(&self, host: &str) -> bool {
        let name = name_of(host);
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        self.0.is_empty() || is_address || !(name.is_empty() || name.contains('.')) || self.0.contains(&name)
    }
}

/// Returns a host without its port and trailing dot, in lower case.
fn name_of(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Middleware that rejects requests for other host names.
pub(super) async fn require_ours(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let told = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or("."));
    // An absolute request target overrides the header.
    let host = request.uri().authority().map(axum::http::uri::Authority::as_str).or(told);
    if host.is_none_or(|host| hosts.allow(host)) {
        return next.run(request).await;
    }
    tracing::debug!(?host, "refused a request for another host");
    let words = "Unknown host name. If this is your server, add the name to http.hosts.\n";
    (StatusCode::MISDIRECTED_REQUEST, words).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_9_other_host_names_are_refused_once_configured() {
        let any = Hosts::default();
        assert!(any.allow("rebound.example:4080"));
        let ours = Hosts::parse("Old.example, ").unwrap().and("https://play.example:8443/well");
        assert_eq!(ours.text(), "old.example, play.example");
        for host in [
            "play.example",
            "PLAY.example.:4080",
            "old.example:1",
            "localhost:4080",
            "deepwell:4080",
            "127.0.0.1:4080",
            "192.0.2.7",
            "[::1]:4080",
            "[2001:db8::7]",
        ] {
            assert!(ours.allow(host), "{host}");
        }
        for host in ["rebound.example:4080", "play.example.evil.test", "127.0.0.1.evil.test", "."] {
            assert!(!ours.allow(host), "{host}");
        }
        assert_eq!(Hosts::default().and(""), Hosts::default());
        assert!(["https://a.example", "a b", "a:80"].iter().all(|bad| Hosts::parse(bad).is_none()));
    }
}

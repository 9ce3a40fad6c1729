//! Names of this host that browsers may ask for. A page of another site can have its own name resolved to this machine
//! (DNS rebinding), and then counts as ours; the name that its requests carry gives it away.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Names that are ours; with none, any name passes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Takes a list with commas between its parts, if every part is the name of a host, without a port.
    pub fn parse(text: &str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let name = |part: &str| {
            let byte = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
            part.bytes().all(byte).then(|| part.to_ascii_lowercase())
        };
        parts.map(name).collect::<Option<_>>().map(Self)
    }

    /// The list as it would be written.
    pub fn text(&self) -> String {
        self.0.join(", ")
    }

    /// These, and the host of a public address, if there is one.
    #[must_use]
    pub fn and(mut self, public_url: &str) -> Self {
        let rest = public_url.split_once("://").map_or("", |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        self.0.extend(Some(name_of(host)).filter(|name| !name.is_empty()));
        self
    }

    /// Returns `true` if a request with this `Host` may be answered. Only a name with a dot can be made to lead here by somebody else.
    fn allow(&self, host: &str) -> bool {
        let name = name_of(host);
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        self.0.is_empty() || is_address || !(name.is_empty() || name.contains('.')) || self.0.contains(&name)
    }
}

/// A host without its port and the dot of the root.
fn name_of(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Answers only requests for a name of ours.
pub(super) async fn require_ours(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let told = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or("."));
    // A target with a name in it takes the place of the header.
    let host = request.uri().authority().map(axum::http::uri::Authority::as_str).or(told);
    if host.is_none_or(|host| hosts.allow(host)) {
        return next.run(request).await;
    }
    tracing::debug!(?host, "a request for another host was refused");
    let words = "This server has another name. If it is yours, add the name to http.hosts.\n";
    (StatusCode::MISDIRECTED_REQUEST, words).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_9_a_name_that_is_not_ours_is_refused_once_ours_is_known() {
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

//! Host names and web origins that the HTTP server accepts.
//!
//! A web page of another site must not be able to play in its visitor's name. The list of origins refuses its requests.
//! The list of host names protects against DNS rebinding: another site can resolve its own name to this machine, and
//! its pages would then count as same-origin. The `Host` header of such requests reveals the name.

use std::net::{IpAddr, SocketAddr};

/// Accepted host names; if empty, all names are accepted, unless the port is open to this machine only ([`Hosts::at`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Parses a comma-separated list. Returns `None` if a part is not a host name without a port.
    pub fn parse(text: &str) -> Option<Self> {
        let byte = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
        parse_list(text, |name| name.bytes().all(byte)).map(Self)
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

    /// Returns the list for a port. If no name is configured, a port on loopback accepts no name with a dot: only a proxy on
    /// this machine, whose names are to be configured, would pass one on.
    #[must_use]
    pub fn at(mut self, listen: SocketAddr) -> Self {
        if self.0.is_empty() && listen.ip().is_loopback() {
            self.0.push("localhost".to_owned());
        }
        self
    }

    /// Returns `true` if a request with this `Host` may be answered. Only a name with a dot can be pointed at this
    /// machine by an attacker.
    pub(in crate::server) fn allow(&self, host: &str) -> bool {
        let name = name_of(host);
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        self.0.is_empty() || is_address || !(name.is_empty() || name.contains('.')) || self.0.contains(&name)
    }
}

/// Parses a comma-separated list into lower case. Returns `None` if a part is not valid.
fn parse_list(text: &str, is_valid: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| is_valid(part).then(|| part.to_ascii_lowercase())).collect()
}

/// Returns a host without its port and trailing dot, in lower case.
fn name_of(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Allowed origins in addition to the server's own, as `scheme://host[:port]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllowedOrigins(Vec<String>);

impl AllowedOrigins {
    /// Parses a comma-separated list. Returns `None` if a part is not an origin.
    pub fn parse(text: &str) -> Option<Self> {
        parse_list(text, is_origin).map(Self)
    }

    /// Returns the comma-separated list.
    pub fn text(&self) -> String {
        self.0.join(", ")
    }

    /// Adds the origin of a public URL, if the URL is not empty.
    #[must_use]
    pub fn and(mut self, public_url: &str) -> Self {
        let (scheme, rest) = public_url.split_once("://").unwrap_or_default();
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        self.0.extend(Self::parse(&format!("{scheme}://{host}")).into_iter().flat_map(|own| own.0));
        self
    }

    /// Returns `true` if a request with these headers is allowed. A client that is not a browser sends no origin, and
    /// for the server's own pages the origin equals the host.
    pub(in crate::server) fn allow(&self, origin: Option<&str>, host: Option<&str>) -> bool {
        let Some(origin) = origin else { return true };
        let own = authority(origin).zip(host).is_some_and(|(page, host)| page.eq_ignore_ascii_case(host));
        own || self.0.iter().any(|other| other.eq_ignore_ascii_case(origin))
    }
}

/// Returns the part of an origin after its scheme.
fn authority(origin: &str) -> Option<&str> {
    origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"))
}

fn is_origin(text: &str) -> bool {
    let host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    authority(&text.to_ascii_lowercase()).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_9_other_host_names_are_refused_once_configured() {
        let any = Hosts::default();
        assert!(any.clone().at("0.0.0.0:4080".parse().unwrap()).allow("rebound.example:4080"));
        for local in ["127.0.0.1:4080", "[::1]:4080"] {
            let local = any.clone().at(local.parse().unwrap());
            assert!(
                !local.allow("rebound.example:4080")
                    && local.allow("localhost:4080")
                    && local.allow("[::1]:1")
            );
        }
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

    #[test]
    fn protocols_9_only_own_origin_is_allowed() {
        let none = AllowedOrigins::default();
        let host = Some("well.example:4080");
        assert!(none.allow(None, host), "no browser");
        assert!(none.allow(Some("http://well.example:4080"), host));
        assert!(none.allow(Some("https://WELL.example:4080"), host), "TLS may end at a proxy");
        let others = ["http://well.example", "https://evil.example", "null", "", "file://", "http://"];
        for origin in others.into_iter().chain(["http://well.example:4080.evil.example"]) {
            assert!(!none.allow(Some(origin), host), "{origin}");
            assert!(!none.allow(Some(origin), None), "{origin}");
        }
    }

    #[test]
    fn protocols_9_configured_origins_are_allowed() {
        let origins = AllowedOrigins::parse("https://Play.example, http://localhost:8000,").unwrap();
        assert_eq!(origins.text(), "https://play.example, http://localhost:8000");
        assert!(origins.allow(Some("https://play.example"), Some("127.0.0.1:4080")));
        assert!(!origins.allow(Some("http://play.example"), Some("127.0.0.1:4080")));
        let public = AllowedOrigins::default().and("https://play.example/well/");
        assert!(public.allow(Some("https://play.example"), Some("127.0.0.1:4080")));
        assert_eq!(AllowedOrigins::default().and(""), AllowedOrigins::default());
        assert_eq!(AllowedOrigins::parse(""), Some(AllowedOrigins::default()));
        for bad in ["play.example", "https://", "https://a/b", "*", "https://a b", "ftp://a", "null"] {
            assert_eq!(AllowedOrigins::parse(bad), None, "{bad}");
        }
    }
}

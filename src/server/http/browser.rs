//! The cookie that identifies a browser: set with the web client and read when the WebSocket opens. It does not log
//! anyone in; a seat token is valid only together with it.

use axum::http::{HeaderMap, HeaderValue, header};
use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::net::websocket::ClientOrigin;
use crate::server::access::seat_token::hex;
use crate::session::BrowserKey;

const NAME: &str = "deepwell-browser";

/// Lifetime of the cookie in seconds, renewed with each page load: the maximum that browsers allow.
const KEPT: u32 = 400 * 24 * 60 * 60;

/// Returns the browser's key, if it sent one.
pub(super) fn key(asked: &HeaderMap) -> Option<BrowserKey> {
    let cookies = asked.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| if name == NAME { read(value) } else { None })
}

/// Returns the cookie to set: with the browser's present key, or a new one. `None` if no random numbers are available.
pub(super) fn cookie(asked: &HeaderMap, caller: ClientOrigin) -> Option<HeaderValue> {
    let BrowserKey(bytes) = key(asked).or_else(draw)?;
    // Browsers do not store a `Secure` cookie from an unencrypted connection.
    let secure = if caller.privacy.is_encrypted() { "; Secure" } else { "" };
    let value = hex(&bytes);
    let cookie = format!("{NAME}={value}; Path=/; Max-Age={KEPT}; HttpOnly; SameSite=Strict{secure}");
    let mut cookie = HeaderValue::try_from(cookie).ok()?;
    cookie.set_sensitive(true);
    Some(cookie)
}

fn draw() -> Option<BrowserKey> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).ok()?;
    Some(BrowserKey(bytes))
}

fn read(value: &str) -> Option<BrowserKey> {
    let mut bytes = [0; 32];
    if value.len() != 2 * bytes.len() || !value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(value.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(BrowserKey(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Privacy;

    const NEAR: ClientOrigin = ClientOrigin {
        address: std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        privacy: Privacy::Local,
    };

    fn asked(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(cookie).unwrap())])
    }

    fn given(asked: &HeaderMap, caller: ClientOrigin) -> String {
        cookie(asked, caller).unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn a3_browser_cookie_is_http_only_strict_and_stable() {
        let first = given(&HeaderMap::new(), NEAR);
        assert!(first.ends_with("; HttpOnly; SameSite=Strict"), "{first}");
        assert_ne!(first, given(&HeaderMap::new(), NEAR), "each browser has its own");
        let pair = first.split(';').next().unwrap();
        let back = asked(&format!("theme=dark; {pair}; other=1"));
        assert_eq!(given(&back, NEAR), first, "it stays the same");
        assert!(key(&back).is_some());
    }

    #[test]
    fn a3_cookie_is_secure_on_encrypted_connections() {
        let far = ClientOrigin { address: [192, 0, 2, 1].into(), privacy: Privacy::Tls };
        assert!(given(&HeaderMap::new(), far).ends_with("; Secure"));
        assert!(!given(&HeaderMap::new(), ClientOrigin { privacy: Privacy::Open, ..far }).contains("Secure"));
    }

    #[test]
    fn n10_malformed_cookie_gives_none() {
        for cookie in ["", "deepwell-browser=", "deepwell-browser=xyz", "deepwell-browser", "a=b; ;=;"] {
            assert_eq!(key(&asked(cookie)), None, "{cookie}");
        }
        let long = "0".repeat(66);
        assert_eq!(key(&asked(&format!("deepwell-browser={long}"))), None);
        let signed = format!("deepwell-browser={}", "+1".repeat(32));
        assert_eq!(key(&asked(&signed)), None);
    }
}

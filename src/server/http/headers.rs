//! Security headers of all responses.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

const FIXED: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Adds the headers to a response.
pub(super) async fn secure(request: Request, next: Next) -> Response {
    let policy = policy(request.headers().get(header::HOST).and_then(|host| host.to_str().ok()));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Returns the content security policy: resources only from this server. The WebSocket is listed explicitly, because
/// some browsers do not match it with `'self'`.
fn policy(host: Option<&str>) -> String {
    let socket = host.filter(|host| is_host(host)).map(|host| format!(" ws://{host} wss://{host}"));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{}; font-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        socket.unwrap_or_default()
    )
}

/// Returns `true` if the text can only be a host with an optional port. It is copied into a response header.
fn is_host(text: &str) -> bool {
    (1..=255).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_allows_only_this_host() {
        assert!(
            policy(Some("well.example:4080"))
                .contains("connect-src 'self' ws://well.example:4080 wss://well")
        );
        assert!(policy(Some("[::1]:4080")).contains("ws://[::1]:4080"));
        for host in [None, Some(""), Some("a b"), Some("a; script-src *"), Some("a/b"), Some("*")] {
            assert!(policy(host).contains("connect-src 'self'; font-src"), "{host:?}");
        }
        let policy = policy(None);
        assert!(
            !policy.contains("unsafe") && !policy.contains('*') && policy.starts_with("default-src 'none'")
        );
    }
}

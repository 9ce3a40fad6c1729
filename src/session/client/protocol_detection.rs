//! Detects clients that use a different protocol on the telnet port: web browsers and TLS clients.

/// First bytes of a TLS handshake record.
const TLS_HELLO: &[u8] = &[0x16, 0x03];

/// Answer to a web browser, without the address of the web client.
const HTTP_ANSWER: &str = "HTTP/1.1 400 Bad Request\n\
    Content-Type: text/plain; charset=us-ascii\n\
    Connection: close\n\
    \n\
    This is the telnet port of a game, not a web server. Connect to it with a MUD client or with telnet.\n";

/// Inspects the first bytes and the first line of a client.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::session) struct ProtocolDetection {
    /// Number of initial bytes that match a TLS handshake; larger than `TLS_HELLO` after a mismatch.
    tls_bytes: usize,
    line_received: bool,
}

impl ProtocolDetection {
    /// Returns `true` if these bytes complete the start of a TLS handshake. The session must then be closed.
    pub(in crate::session) fn is_tls(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes.iter().take(TLS_HELLO.len()) {
            if TLS_HELLO.get(self.tls_bytes) != Some(byte) {
                self.tls_bytes = TLS_HELLO.len() + 1;
                return false;
            }
            self.tls_bytes += 1;
        }
        self.tls_bytes == TLS_HELLO.len()
    }

    /// Returns an answer if this is the first line and an HTTP request. The session must then be closed.
    pub(in crate::session) fn http_answer(&mut self, line: &str, web_port: Option<u16>) -> Option<String> {
        let first = !std::mem::replace(&mut self.line_received, true);
        (first && is_http(line)).then(|| match web_port {
            Some(port) => format!("{HTTP_ANSWER}Its page in the browser is at port {port}.\n"),
            None => HTTP_ANSWER.to_owned(),
        })
    }
}

fn is_http(line: &str) -> bool {
    let (method, rest) = line.split_once(' ').unwrap_or_default();
    ["GET", "POST", "HEAD", "OPTIONS"].contains(&method) && rest.contains(" HTTP/1.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_hello_is_detected_whole_or_split() {
        assert!(ProtocolDetection::default().is_tls(&[0x16, 0x03, 0x01, 0x02]));
        let mut detection = ProtocolDetection::default();
        assert!(!detection.is_tls(&[0x16]));
        assert!(detection.is_tls(&[0x03]));
        let mut detection = ProtocolDetection::default();
        assert!(!detection.is_tls(b"a"));
        assert!(!detection.is_tls(&[0x16, 0x03]));
        let mut detection = ProtocolDetection::default();
        assert!(!detection.is_tls(&[0x16, 0x16]));
        assert!(!detection.is_tls(&[0x03]) && !detection.is_tls(&[0x16, 0x03]));
    }

    #[test]
    fn http_is_detected_in_first_line_only() {
        assert!(ProtocolDetection::default().http_answer("GET / HTTP/1.1", None).is_some());
        assert!(ProtocolDetection::default().http_answer("get out of here HTTP/1.1", None).is_none());
        assert!(ProtocolDetection::default().http_answer("GET", None).is_none());
        let answer = ProtocolDetection::default().http_answer("GET / HTTP/1.1", Some(4080)).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("at port 4080.\n"), "{answer}");
        let mut detection = ProtocolDetection::default();
        assert!(detection.http_answer("Olad", None).is_none());
        assert!(detection.http_answer("GET / HTTP/1.1", None).is_none());
    }
}

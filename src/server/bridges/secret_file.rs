//! Tokens and keys of bridges, which are in files of their own.

use std::path::Path;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::hmac;

use crate::server::config::secret::read;

/// Minimum length of a token in characters.
const TOKEN_CHARS_LEAST: usize = 16;
/// Minimum length of a key in bytes.
const KEY_BYTES_LEAST: usize = 24;
/// Beginning of a key, as in the specification of Standard Webhooks.
const KEY_PREFIX: &str = "whsec_";

/// Token that requests present.
#[derive(Clone, Debug)]
pub(super) struct SecretToken {
    /// The token as the key of a signature: comparing signatures takes the same time wherever two tokens differ.
    key: hmac::Key,
}

/// Text that both sides of a comparison of tokens sign.
const COMPARED: &[u8] = b"token";

impl SecretToken {
    /// Reads the token in a file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read(path, "bridge.token_file")?;
        if text.0.chars().count() < TOKEN_CHARS_LEAST || text.0.chars().any(char::is_whitespace) {
            bail!(
                "bridge.token_file: {} must have one word of at least {TOKEN_CHARS_LEAST} characters; make it with: openssl rand -hex 32",
                path.display()
            );
        }
        Ok(Self { key: key_of(&text.0) })
    }

    /// Returns `true` if a request has presented the token.
    pub(super) fn is(&self, presented: &str) -> bool {
        hmac::verify(&self.key, COMPARED, hmac::sign(&key_of(presented), COMPARED).as_ref()).is_ok()
    }
}

fn key_of(token: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes())
}

/// Key that signs web hooks.
#[derive(Clone, Debug)]
pub(super) struct SigningKey(hmac::Key);

impl SigningKey {
    /// Reads the key in a file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read(path, "bridge.webhook_secret_file")?;
        Self::parse(&text.0).with_context(|| {
            format!(
                "bridge.webhook_secret_file: {} must have {KEY_PREFIX} and at least {KEY_BYTES_LEAST} bytes in Base64; make them with: echo \"{KEY_PREFIX}$(openssl rand -base64 32)\"",
                path.display()
            )
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(text.strip_prefix(KEY_PREFIX)?).ok()?;
        (bytes.len() >= KEY_BYTES_LEAST).then(|| Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// Returns the value of the header `webhook-signature`. Source: Standard Webhooks, "Signature scheme".
    pub(super) fn signature(&self, id: &str, seconds: i64, body: &str) -> String {
        let signed = hmac::sign(&self.0, format!("{id}.{seconds}.{body}").as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(signed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The example of the reference libraries of Standard Webhooks.
    #[test]
    fn signature_is_that_of_the_reference_libraries() {
        let key = SigningKey::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = key.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn weak_and_missing_secrets_are_errors_with_a_cure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let failed = |error: anyhow::Error| format!("{error:#}");
        let missing = failed(SecretToken::read(&path).unwrap_err());
        assert!(missing.starts_with("bridge.token_file: cannot read "), "{missing}");
        for weak in ["", "short", "sixteen letters but several words"] {
            fs::write(&path, weak).unwrap();
            let message = failed(SecretToken::read(&path).unwrap_err());
            assert!(message.contains("openssl rand -hex 32"), "{message}");
        }
        for secret in ["whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not base64"] {
            fs::write(&path, secret).unwrap();
            let message = failed(SigningKey::read(&path).unwrap_err());
            assert!(message.contains("openssl rand -base64 32"), "{message}");
        }
        fs::write(&path, "0123456789abcdef\n").unwrap();
        let token = SecretToken::read(&path).unwrap();
        assert!(token.is("0123456789abcdef"));
        for other in ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdef\n"] {
            assert!(!token.is(other), "{other:?}");
        }
    }
}

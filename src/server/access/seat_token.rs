//! Hash of a seat token; the game receives only the hash. A token has 256 random bits, so a cheap hash suffices: one
//! pass of Argon2 with minimum memory. The browser key is the salt, so the same token has another hash in any other
//! browser.

use std::fmt::Write as _;

use argon2::{Algorithm, Argon2, Params, Version};

use crate::session::{BrowserKey, Secret};

/// Returns the hash as hexadecimal digits; `None` if hashing fails.
pub(in crate::server) fn hash(token: &Secret, BrowserKey(browser): BrowserKey) -> Option<String> {
    let cheapest = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, 1, None).ok()?;
    let mut hash = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, cheapest)
        .hash_password_into(token.0.as_bytes(), &browser, &mut hash)
        .ok()?;
    Some(hex(&hash))
}

/// Formats bytes as hexadecimal digits.
pub(in crate::server) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a3_token_hash_depends_on_the_browser() {
        let token = |text: &str| Secret(text.repeat(8));
        let (here, there) = (BrowserKey([1; 32]), BrowserKey([2; 32]));
        let first = hash(&token("0123abcd"), here);
        assert_eq!(first.as_ref().map(String::len), Some(64));
        assert_eq!(first, hash(&token("0123abcd"), here));
        assert_ne!(first, hash(&token("0123abcd"), there));
        assert_ne!(first, hash(&token("0123abce"), here));
    }
}

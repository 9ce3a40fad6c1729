//! Text that nobody may read again: passwords, and every line until it is known not to be one.
//! Not a cipher; it keeps such text out of logs and out of memory that was given back.

use std::fmt;

use zeroize::Zeroize;

/// A text that is never printed: its `Debug` shows nothing, and its memory is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl Secret {
    /// Returns `true` if every byte was read. Bytes that mean nothing in the client's character set all become the same
    /// character, so a secret with one would be equal to others.
    pub(super) fn is_legible(&self) -> bool {
        !self.0.contains(char::REPLACEMENT_CHARACTER)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t6_debug_tells_nothing_about_a_secret() {
        let short = format!("{:?}", Secret("hunter2".to_owned()));
        let long = format!("{:#?}", Some(Secret("a much longer pass phrase".to_owned())));
        assert_eq!(short, "Secret");
        assert!(!long.contains("phrase") && !long.contains("25"));
    }
}

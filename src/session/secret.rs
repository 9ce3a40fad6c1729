//! Text that must not be disclosed: passwords, and every line until it is known not to be one. No encryption; it keeps
//! such text out of logs and out of freed memory.

use std::fmt;

use zeroize::Zeroize;

/// Serialises a secret for the link between gateway and host. [`Secret`] itself is not serialisable, so that a secret
/// cannot get into a file or a log by mistake.
pub(crate) mod on_link {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::Secret;

    pub(crate) fn serialize<S: Serializer>(secret: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&secret.0)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        String::deserialize(deserializer).map(Secret)
    }
}

/// A text that is never printed: `Debug` hides it, and its memory is wiped on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl Secret {
    /// Returns `true` if every byte could be decoded. Undecodable bytes all become the same character, so a secret with
    /// such a character would be equal to others.
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
    fn t6_debug_output_hides_secret() {
        let short = format!("{:?}", Secret("hunter2".to_owned()));
        let long = format!("{:#?}", Some(Secret("a much longer pass phrase".to_owned())));
        assert_eq!(short, "Secret");
        assert!(!long.contains("phrase") && !long.contains("25"));
    }
}

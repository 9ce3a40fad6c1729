//! Streaming digest for comparing long texts.

use std::fmt;

/// 64-bit FNV-1a digest. It detects accidental differences, not deliberate collisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Returns the digest of a text.
    pub fn of_text(text: &str) -> Self {
        let mut digest = Self::default();
        let written = fmt::Write::write_str(&mut digest, text);
        debug_assert!(written.is_ok(), "a digest takes everything");
        digest
    }

    /// Returns the digest in 32 bits.
    pub fn folded(self) -> u32 {
        let [first, second] = [self.0 >> 32, self.0 & u64::from(u32::MAX)];
        u32::try_from(first ^ second).unwrap_or(u32::MAX)
    }

    /// Adds the `Debug` output of a value.
    pub fn take(&mut self, value: &dyn fmt::Debug) {
        let written = fmt::write(self, format_args!("{value:?}\n"));
        debug_assert!(written.is_ok(), "a digest takes everything");
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

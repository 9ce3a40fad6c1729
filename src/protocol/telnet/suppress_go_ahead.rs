//! SUPPRESS-GO-AHEAD (RFC 858). We never do it: it would switch telnet and `PuTTY` to sending single keys.
//! That the client does is harmless, and what `PuTTY` expects.

use super::negotiate::Stance;
use super::option::{Spec, TelnetOption};

/// Nothing to remember.
#[derive(Debug, Default)]
pub(super) struct SuppressGoAhead;

impl TelnetOption for SuppressGoAhead {
    fn spec(&self) -> Spec {
        Spec { code: 3, ours: Stance::Refuse, theirs: Stance::Accept, payload_max: 0 }
    }
}

//! SUPPRESS-GO-AHEAD (RFC 858). The server never enables it: telnet and `PuTTY` would switch to sending single keys.
//! The client may enable it, as `PuTTY` expects to.

use super::negotiate::OptionPolicy;
use super::option::{Spec, TelnetOption};

/// The SUPPRESS-GO-AHEAD option; it has no state.
#[derive(Debug, Default)]
pub(super) struct SuppressGoAhead;

impl TelnetOption for SuppressGoAhead {
    fn spec(&self) -> Spec {
        Spec { code: 3, ours: OptionPolicy::Refuse, theirs: OptionPolicy::Accept, payload_max: 0 }
    }
}

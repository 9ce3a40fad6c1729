//! How many colours a client shows.

use serde::{Deserialize, Serialize};

/// Levels of colour, each including those before it (protocols 7.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourLevel {
    /// No escape codes at all.
    None,
    /// The sixteen of ANSI.
    #[default]
    Sixteen,
    /// xterm's 256.
    TwoFiftySix,
    /// 24 bits.
    True,
}

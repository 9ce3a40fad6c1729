//! How many colours a client shows, and which of them somebody tells apart.

use super::named;
use serde::{Deserialize, Serialize};

/// Levels of colour, each including those before it.
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

named! {
    /// Which colours somebody tells apart well.
    #[derive(PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Palette {
        /// All of them.
        #[default]
        Usual = "default",
        /// Red and green look alike, the red not darker.
        Deuteranopia = "deuteranopia",
        /// Red and green look alike, the red darker.
        Protanopia = "protanopia",
        /// Blue and green look alike, and yellow and pink.
        Tritanopia = "tritanopia",
        /// The brightest on a dark background.
        Contrast = "contrast",
        /// Dark ones on a light background.
        Light = "light",
        /// No hue at all: bold and underlined.
        Mono = "mono",
    }
}

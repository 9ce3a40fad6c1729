//! Colour capability of a client, and palettes for colour vision.

use super::listed::listed;
use serde::{Deserialize, Serialize};

/// Level of colour support; each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourLevel {
    /// No escape codes.
    None,
    /// 16 ANSI colours.
    #[default]
    Sixteen,
    /// 256 xterm colours.
    TwoFiftySix,
    /// 24-bit colour.
    True,
}

listed! {
    /// Colour palette, by colour vision or background.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Palette {
        /// Full colour vision.
        #[default]
        Usual = "default",
        /// Red and green look alike, red is not darker.
        Deuteranopia = "deuteranopia",
        /// Red and green look alike, red is darker.
        Protanopia = "protanopia",
        /// Blue and green look alike, as do yellow and pink.
        Tritanopia = "tritanopia",
        /// Bright colours for a dark background.
        Contrast = "contrast",
        /// Dark colours for a light background.
        Light = "light",
        /// No hues: only bold and underlined.
        Mono = "mono",
    }
}

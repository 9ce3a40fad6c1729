//! How many colours a client shows, and which of them somebody tells apart.

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

/// Which colours somebody tells apart well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// All of them.
    #[default]
    Usual,
    /// Red and green look alike, the red not darker.
    Deuteranopia,
    /// Red and green look alike, the red darker.
    Protanopia,
    /// Blue and green look alike, and yellow and pink.
    Tritanopia,
    /// The brightest on a dark background.
    Contrast,
    /// Dark ones on a light background.
    Light,
    /// No hue at all: bold and underlined.
    Mono,
}

impl Palette {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::Usual,
        Self::Deuteranopia,
        Self::Protanopia,
        Self::Tritanopia,
        Self::Contrast,
        Self::Light,
        Self::Mono,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usual => "default",
            Self::Deuteranopia => "deuteranopia",
            Self::Protanopia => "protanopia",
            Self::Tritanopia => "tritanopia",
            Self::Contrast => "contrast",
            Self::Light => "light",
            Self::Mono => "mono",
        }
    }
}

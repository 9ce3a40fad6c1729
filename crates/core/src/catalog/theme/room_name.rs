//! Room names, and the hashes by which used names are remembered.

use crate::base::Seed;

/// A room name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeRoomName {
    /// Text for players.
    pub text: String,
    /// Hash of the name.
    pub mark: u32,
}

impl ThemeRoomName {
    /// Returns a name without the landmark appended to it.
    pub fn without_landmark(name: &str) -> &str {
        name.split_once(": ").map_or(name, |(own, _)| own)
    }

    /// Returns the hash of a name, ignoring a landmark appended to it.
    pub fn mark(name: &str) -> u32 {
        u32::try_from(Seed(0).named(Self::without_landmark(name)).0 >> u32::BITS).unwrap_or(0)
    }
}

impl From<String> for ThemeRoomName {
    fn from(text: String) -> Self {
        Self { mark: Self::mark(&text), text }
    }
}

//! Names of rooms, and how a name is remembered.

use crate::base::Seed;

/// A name that rooms may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomName {
    /// As players read it.
    pub text: String,
    /// What it is remembered by.
    pub mark: u32,
}

impl RoomName {
    /// A name without the landmark that stands behind it.
    pub fn without_landmark(name: &str) -> &str {
        name.split_once(": ").map_or(name, |(own, _)| own)
    }

    /// What a name is remembered by, whatever landmark stands behind it.
    pub fn mark(name: &str) -> u32 {
        u32::try_from(Seed(0).named(Self::without_landmark(name)).0 >> u32::BITS).unwrap_or(0)
    }
}

impl From<String> for RoomName {
    fn from(text: String) -> Self {
        Self { mark: Self::mark(&text), text }
    }
}

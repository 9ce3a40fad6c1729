//! Flags of hand-built rooms.

use crate::base::listed;
use crate::data::{FileField, Reader, WrittenField};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

listed! {
    /// Property that a hand-built room has or lacks. Most rooms have none.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RoomFlag {
        /// Allows combat although the room is hand-built.
        Fights = "fights",
        /// Hides the room from players without a burning light.
        Dark = "dark",
        /// Prevents `recall`.
        NoRecall = "no_recall",
        /// Sells supplies for expeditions.
        Expeditions = "expeditions",
        /// Allows duels of players, unless creatures may be fought, too.
        Ring = "ring",
    }
}

impl RoomFlag {
    /// Returns what the flag does, as the end of a sentence for builders.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Fights => "Creatures may be fought here.",
            Self::Dark => "Players see the exits and nothing else, unless a player here has a burning light.",
            Self::NoRecall => "`recall` does not work here.",
            Self::Expeditions => "Players found expeditions here.",
            Self::Ring => "Players may fight duels here, if both agree and creatures are not fought here.",
        }
    }

    /// Reads the flags that a table sets to true.
    pub(in crate::catalog) fn read_all(table: &mut Reader<'_>) -> BTreeSet<Self> {
        Self::ALL.into_iter().filter(|flag| table.about(flag.about()).bool_or(flag.name(), false)).collect()
    }
}

impl FileField for BTreeSet<RoomFlag> {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        for flag in self {
            true.write(flag.name(), fields);
        }
    }
}

/// Reads the flags of a stored room. Older rows have the single field `fights` in their place.
///
/// # Errors
/// If the value is neither a list of flags nor a boolean.
pub fn read_stored<'de, D, Set>(deserializer: D) -> Result<Set, D::Error>
where
    D: Deserializer<'de>,
    Set: From<BTreeSet<RoomFlag>>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredFlags {
        Fights(bool),
        Flags(BTreeSet<RoomFlag>),
    }
    Ok(Set::from(match StoredFlags::deserialize(deserializer)? {
        StoredFlags::Fights(yes) => yes.then_some(RoomFlag::Fights).into_iter().collect(),
        StoredFlags::Flags(flags) => flags,
    }))
}

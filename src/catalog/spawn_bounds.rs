//! Limits of a spawn point: caps per zone and world, and a condition.

use super::script::Expected;
use crate::data::{CatalogError, Reader};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// Valid caps per zone or world.
pub const MOST: RangeInclusive<u32> = 1..=100_000;

/// Limits of a spawn point.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SpawnBounds {
    /// Maximum number in the zone's rooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone_most: Option<u32>,
    /// Maximum number in all hand-built rooms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_most: Option<u32>,
    /// Condition; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if: Option<SpawnCondition>,
}

/// Condition of a spawn point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpawnCondition {
    /// Fact to check.
    pub when: When,
    /// Required result.
    pub wanted: Expected,
}

/// A fact that a spawn condition checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// A player is in the zone.
    Players,
    /// A player is in the room and would see the spawn.
    Seen,
    /// It is night in the town.
    Night,
    /// A counter of the room has at least this value.
    Count(String, u32),
}

/// Description of valid conditions for error messages.
pub const CONDITIONS: &str =
    "players, seen, night, or count WORD NUMBER, with not before it if it must not be so";

/// Text that is not a condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no condition for what comes")]
pub struct InvalidSpawnCondition(pub String);

impl SpawnCondition {
    /// Parses a condition.
    ///
    /// # Errors
    /// The text, if it is not a condition.
    pub fn parse(words: &str) -> Result<Self, InvalidSpawnCondition> {
        let typed = words.trim().to_lowercase();
        let (wanted, rest) = match typed.strip_prefix("not ") {
            Some(rest) => (Expected::No, rest.trim()),
            None => (Expected::Yes, typed.as_str()),
        };
        let when = match *rest.split_whitespace().collect::<Vec<_>>() {
            ["players"] => Some(When::Players),
            ["seen"] => Some(When::Seen),
            ["night"] => Some(When::Night),
            ["count", word, number] => number.parse().ok().map(|number| When::Count(word.to_owned(), number)),
            _ => None,
        };
        when.map(|when| Self { when, wanted }).ok_or_else(|| InvalidSpawnCondition(words.to_owned()))
    }
}

impl fmt::Display for SpawnCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.wanted == Expected::No { "not " } else { "" })?;
        match &self.when {
            When::Players => f.write_str("players"),
            When::Seen => f.write_str("seen"),
            When::Night => f.write_str("night"),
            When::Count(word, number) => write!(f, "count {word} {number}"),
        }
    }
}

/// Formats the limits as they are typed after the count and the respawn time: ` zone 6 world 20 if night`.
impl fmt::Display for SpawnBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(most) = self.zone_most {
            write!(f, " zone {most}")?;
        }
        if let Some(most) = self.world_most {
            write!(f, " world {most}")?;
        }
        self.only_if.as_ref().map_or(Ok(()), |condition| write!(f, " if {condition}"))
    }
}

impl TryFrom<String> for SpawnCondition {
    type Error = InvalidSpawnCondition;

    fn try_from(words: String) -> Result<Self, InvalidSpawnCondition> {
        Self::parse(&words)
    }
}

impl From<SpawnCondition> for String {
    fn from(condition: SpawnCondition) -> Self {
        condition.to_string()
    }
}

/// Reads the limits in a table of a file.
pub(super) fn read(table: &mut Reader<'_>) -> SpawnBounds {
    let (zone_most, world_most) =
        (table.number_if_any("zone_most", &MOST), table.number_if_any("world_most", &MOST));
    let said = table.text_if_any("only_if");
    let only_if = said.and_then(|(place, words)| match SpawnCondition::parse(&words) {
        Ok(condition) => Some(condition),
        Err(wrong) => {
            table.note(CatalogError::new(&place, wrong.to_string(), CONDITIONS));
            None
        }
    });
    SpawnBounds { zone_most, world_most, only_if }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condition_text_round_trip_is_identical() {
        for words in ["players", "not seen", "night", "not night", "count bells 3"] {
            assert_eq!(SpawnCondition::parse(words).expect(words).to_string(), words);
        }
        for words in ["", "not", "noon", "count bells", "count bells many", "players now"] {
            assert_eq!(SpawnCondition::parse(words), Err(InvalidSpawnCondition(words.to_owned())), "{words}");
        }
    }
}

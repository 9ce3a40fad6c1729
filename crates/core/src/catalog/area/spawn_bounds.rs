//! Limits of a spawn point: caps per zone and world, and a condition.

use crate::catalog::script::condition::{Condition, Test};
use crate::data::{CatalogError, FileField, Reader, WrittenField};
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

/// Condition of a spawn point: one about the room, its zone and the time of day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpawnCondition(pub Condition);

/// Description of valid conditions for error messages.
pub const CONDITIONS: &str = "players, seen, night, clear, here KEY, var NAME [= VALUE] or count WORD NUMBER, joined with \
     and, or and not";

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
        let fits = |condition: &Condition| condition.tests().all(Test::fits_spawn);
        let read = Condition::parse(&words.to_lowercase()).filter(fits);
        read.map(Self).ok_or_else(|| InvalidSpawnCondition(words.to_owned()))
    }
}

impl fmt::Display for SpawnCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FileField for SpawnBounds {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        self.zone_most.write("zone_most", fields);
        self.world_most.write("world_most", fields);
        self.only_if.as_ref().map(ToString::to_string).write("only_if", fields);
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
pub(in crate::catalog) fn read(table: &mut Reader<'_>) -> SpawnBounds {
    let zone_most = table.about("Maximum number in the zone.").number_if_any("zone_most", &MOST);
    let world_most =
        table.about("Maximum number in all hand-built rooms.").number_if_any("world_most", &MOST);
    table.about("Condition without a target: nothing comes while it does not hold.");
    let condition_text = table.text_if_any("only_if");
    let only_if = condition_text.and_then(|(place, words)| match SpawnCondition::parse(&words) {
        Ok(condition) => Some(condition),
        Err(error) => {
            table.note(CatalogError::new(&place, error.to_string(), CONDITIONS));
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
        for words in [
            "players",
            "not seen",
            "night",
            "not night",
            "count bells 3",
            "not players and var mill/open or clear",
        ] {
            assert_eq!(SpawnCondition::parse(words).expect(words).to_string(), words);
        }
        for words in
            ["", "not", "noon", "count bells", "count bells many", "players now", "level 3", "chance 5%"]
        {
            assert_eq!(SpawnCondition::parse(words), Err(InvalidSpawnCondition(words.to_owned())), "{words}");
        }
    }
}

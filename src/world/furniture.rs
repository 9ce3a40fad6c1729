//! Spawn rules and triggers of hand-built rooms.

use crate::catalog::{AreaSpawn, Position, SpawnBounds, TriggerEvent};
use serde::{Deserialize, Serialize};

/// Prototype that spawns in a room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spawned {
    /// Creature, by prototype.
    Creature(String),
    /// Item on the ground, by prototype.
    Item(String),
}

impl Spawned {
    /// Returns the key of the prototype.
    pub fn key(&self) -> &str {
        match self {
            Self::Creature(key) | Self::Item(key) => key,
        }
    }
}

/// Spawn capacity and respawn interval of one prototype in a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpawnRule {
    /// Prototype.
    pub what: Spawned,
    /// Maximum number present at a time.
    pub count: u32,
    /// Respawn delay in seconds.
    pub every_secs: u32,
    /// Spawn limits.
    #[serde(flatten)]
    pub bounds: SpawnBounds,
}

/// Script that runs on an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// Event that fires the trigger.
    pub on: TriggerEvent,
    /// Lines of its script.
    pub lines: Vec<String>,
}

impl SpawnRule {
    /// Reads a rule from a zone file; `None` if it names nothing that can spawn.
    pub fn of_area(said: &AreaSpawn) -> Option<Self> {
        let creature = said.creature.as_ref().map(|(_, key)| Spawned::Creature(key.clone()));
        let thing = || said.thing.as_ref().map(|(_, key)| Spawned::Item(key.clone()));
        let what = creature.or_else(thing)?;
        let bounds = said.bounds.clone();
        Some(Self { what, count: said.count, every_secs: said.every_secs, bounds })
    }

    /// Returns the rule in its zone file form.
    pub fn to_area(&self) -> AreaSpawn {
        let named = |key: &String| Some((Position::default(), key.clone()));
        let (creature, thing) = match &self.what {
            Spawned::Creature(key) => (named(key), None),
            Spawned::Item(key) => (None, named(key)),
        };
        let Self { count, every_secs, .. } = *self;
        let bounds = self.bounds.clone();
        AreaSpawn { place: Position::default(), creature, thing, count, every_secs, bounds }
    }

    /// Returns the rule as typed behind `spawn`: `rat = 2 every 60 zone 6`.
    pub fn words(&self) -> String {
        format!("{} = {}", self.what.key(), self.wish())
    }

    /// Returns count, interval and bounds as typed: `2 every 60 zone 6`.
    pub fn wish(&self) -> String {
        format!("{} every {}{}", self.count, self.every_secs, self.bounds)
    }
}

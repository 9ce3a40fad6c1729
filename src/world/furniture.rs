//! What builders put into hand-built rooms that lives on by itself: what comes there again and again, and what happens when
//! somebody does something.

use crate::catalog::{AreaSpawn, Position, SpawnBounds, TriggerEvent};
use serde::{Deserialize, Serialize};

/// What comes to a room again and again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spawned {
    /// A creature, by prototype.
    Creature(String),
    /// A thing on the ground, by prototype.
    Item(String),
}

impl Spawned {
    /// The key of the prototype.
    pub fn key(&self) -> &str {
        match self {
            Self::Creature(key) | Self::Item(key) => key,
        }
    }
}

/// How many of something there are in a room, and how soon they come back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpawnRule {
    /// What.
    pub what: Spawned,
    /// How many at a time.
    pub count: u32,
    /// How many seconds after one is missed it comes again.
    pub every_secs: u32,
    /// What holds it back.
    #[serde(flatten)]
    pub bounds: SpawnBounds,
}

/// What happens when something does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// What sets it off.
    pub on: TriggerEvent,
    /// The lines of its script.
    pub lines: Vec<String>,
}

impl SpawnRule {
    /// What a file says; none if it says nothing that could come.
    pub fn of_area(said: &AreaSpawn) -> Option<Self> {
        let creature = said.creature.as_ref().map(|(_, key)| Spawned::Creature(key.clone()));
        let thing = || said.thing.as_ref().map(|(_, key)| Spawned::Item(key.clone()));
        let what = creature.or_else(thing)?;
        let bounds = said.bounds.clone();
        Some(Self { what, count: said.count, every_secs: said.every_secs, bounds })
    }

    /// As a file says it.
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

    /// As it is typed behind `spawn`: `rat = 2 every 60 zone 6`.
    pub fn words(&self) -> String {
        format!("{} = {} every {}{}", self.what.key(), self.count, self.every_secs, self.bounds)
    }
}

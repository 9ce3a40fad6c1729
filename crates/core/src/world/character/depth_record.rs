//! Greatest depths that a character has reached. They are part of its row, and stay in memory while the row is in
//! storage only.

use crate::base::rare::Usual;
use crate::base::{CharacterId, ExitId, GameTime};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Depth that a character has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DepthRecord {
    /// Depth of the room; 0 for no record.
    pub depth: u32,
    /// Time of the first arrival at that depth.
    pub at: GameTime,
}

/// Records of a character.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DepthRecords {
    /// Deepest room of all time.
    pub deepest: DepthRecord,
    /// Deepest room of the latest week in which the character was in a branch.
    pub week: DepthRecord,
    /// Deepest room behind each start exit.
    pub exits: BTreeMap<ExitId, DepthRecord>,
}

impl Usual for DepthRecords {
    const USUAL: &'static Self = &Self {
        deepest: DepthRecord { depth: 0, at: GameTime(0) },
        week: DepthRecord { depth: 0, at: GameTime(0) },
        exits: BTreeMap::new(),
    };
}

impl World {
    /// Returns the records of a character, absent or not; none if there is no such character.
    pub fn depth_records(&self, who: CharacterId) -> &DepthRecords {
        let absent = || self.asleep.absent(who).map(|absent| &*absent.records);
        let present = self.characters.get(who).map(|body| &*body.records);
        present.or_else(absent).unwrap_or(DepthRecords::USUAL)
    }
}

//! Rumours: recent events in the well, as retold in town. A rumour refers to a player's character by id, not by name.
//! Renamed players appear under the new name, and rumours about deleted characters are removed.

use crate::base::{CharacterId, GameTime};
use crate::world::World;
use serde::{Deserialize, Serialize};

/// Event in a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeardRumour {
    /// Time of the event.
    pub at: GameTime,
    /// Key of the branch's theme.
    pub theme: String,
    /// Kind of event.
    pub event: RumourEvent,
}

/// Kind of rumour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RumourEvent {
    /// A new depth record in a theme.
    Record {
        /// Character concerned.
        who: CharacterId,
        /// Depth reached.
        depth: u32,
    },
    /// A character's death.
    Fall {
        /// Character concerned.
        who: CharacterId,
        /// Depth reached.
        depth: u32,
        /// Key of the creature that dealt the blow; `None` if it was no creature.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slayer: Option<String>,
    },
    /// The last room of a finishable branch was explored.
    End {
        /// Character concerned.
        who: CharacterId,
        /// Number of rooms of the branch.
        rooms: u32,
    },
    /// A hoard was opened.
    Hoard {
        /// Character concerned.
        who: CharacterId,
        /// Depth reached.
        depth: u32,
    },
    /// An expedition has done what it was for.
    Expedition {
        /// Leader of the expedition.
        who: CharacterId,
        /// Name of the expedition.
        name: String,
    },
    /// A boss was killed.
    Boss {
        /// Characters who share the kill.
        who: Vec<CharacterId>,
        /// Depth of the room.
        depth: u32,
        /// Key of the boss.
        creature: String,
    },
    /// A branch collapsed.
    Collapse {
        /// Number of rooms of the branch.
        rooms: u32,
    },
}

impl RumourEvent {
    /// Returns the characters that the rumour is about.
    pub fn characters(&self) -> &[CharacterId] {
        match self {
            Self::Record { who, .. }
            | Self::Fall { who, .. }
            | Self::End { who, .. }
            | Self::Hoard { who, .. }
            | Self::Expedition { who, .. } => std::slice::from_ref(who),
            Self::Boss { who, .. } => who,
            Self::Collapse { .. } => &[],
        }
    }
}

/// Removes the rumours about these characters.
pub(in crate::world) fn forget(world: &mut World, bodies: &[CharacterId]) {
    if world.meta().rumours_about(bodies).next().is_some() {
        let is_of = |tiding: &HeardRumour| tiding.event.characters().iter().any(|who| bodies.contains(who));
        world.meta_mut().tidings.retain(|tiding| !is_of(tiding));
    }
}

/// Checks that rumours refer to existing player characters.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    for who in world.meta().tidings.iter().flat_map(|tiding| tiding.event.characters()) {
        if !world.is_players(*who) {
            violations.push(format!("meta: a tiding tells of {who}, who is no player's character"));
        }
    }
}

//! A branch's life.
//!
//! ```text
//! (exit taken) -> window open -> window closed -> collapsed
//!                      \______________/
//!                  rooms grow in either state
//! ```
//! Until its window closes the start exit leads in; afterwards only its members are inside. It collapses when
//! nothing has happened in it for too long, or when nobody is left in it (E47).

use crate::base::{BranchId, CharacterId, ExitId, GameTime, RoomId, Seed, Span};
use crate::catalog::BranchTimes;
use crate::dungeon::Recent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A branch. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Identity, never used again (E42).
    pub id: BranchId,
    /// Made of the exit's name and the moment of its opening (E42).
    pub name: String,
    /// Everything random in it comes from here (C3).
    pub seed: Seed,
    /// Theme by key.
    pub theme: String,
    /// Room generator by name (E38).
    pub generator: String,
    /// The start room it hangs on.
    pub start_room: RoomId,
    /// The start exit that made it.
    pub start_exit: ExitId,
    /// When it was made.
    pub opened_at: GameTime,
    /// When its window closed, or will close at the earliest.
    pub window_ends_at: GameTime,
    /// Whether the start exit still leads here.
    pub window_open: bool,
    /// When a room was last made or a member last acted in it (E47, trap 6).
    pub last_updated_at: GameTime,
    /// What its exit or its theme said of times when it opened; the two below follow the server's where this is silent.
    pub times: BranchTimes,
    /// How likely the exit forgets it at each reset after its window, in parts of a thousand (E46).
    pub reset_chance_permille: u32,
    /// Age since the last update at which it collapses (E47).
    pub max_life: Span,
    /// How many of the notices before a collapse have been given (E48).
    pub warnings: u32,
    /// E14, E35.
    pub max_unexplored_exits: u32,
    /// E35.
    pub max_new_exits_per_room: u32,
    /// E14.
    pub finishable: bool,
    /// What each floor below the first adds to the difficulty (C5).
    pub difficulty_per_floor: u32,
    /// How many rooms were made: the position in the branch's dice (D9).
    pub rooms_made: u32,
    /// What it remembers of the rooms made last.
    #[serde(default)]
    pub recent: Recent,
    /// E41.
    pub greatest_depth: u32,
    /// The unique portals that it has (P30).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub portals: BTreeSet<String>,
    /// Who has come back into it by the party rope (E9).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub roped: BTreeSet<CharacterId>,
}

impl Branch {
    /// When it is old enough to collapse, if nothing happens in it before (E47).
    pub fn ends_at(&self) -> GameTime {
        self.last_updated_at + self.max_life
    }
}

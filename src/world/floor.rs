//! Floors of branches: each has its own grid, is of a level type, and hangs on the stairs or the gate that made it.

use crate::base::{BranchId, FloorId, RoomId};
use crate::level::FloorPlan;
use crate::world::{PuzzleRun, World};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A floor. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Floor {
    /// Identity: branch and number in one.
    pub id: FloorId,
    /// The branch.
    pub branch: BranchId,
    /// Its number in the branch: 1 for the first, then in the order in which they are first entered. With a place it
    /// tells a room.
    pub number: u32,
    /// How many stairs lie above it, and one: the "dungeon level".
    #[serde(rename = "level")]
    pub dungeon_level: u32,
    /// Its level type by name.
    #[serde(rename = "kind")]
    pub level_type: String,
    /// Whether the budgets of unexplored exits bind it.
    pub budgeted: bool,
    /// All of it, if it was made whole; its rooms become real when somebody walks into them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Arc<FloorPlan>>,
    /// The puzzle that it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<Box<PuzzleRun>>,
}

impl Floor {
    /// A floor of a branch that grows within a budget.
    pub fn new(branch: BranchId, number: u32, dungeon_level: u32, level_type: String) -> Self {
        Self {
            id: FloorId::of(branch, number),
            branch,
            number,
            dungeon_level,
            level_type,
            budgeted: true,
            plan: None,
            puzzle: None,
        }
    }
}

impl World {
    /// A floor by its branch and its number.
    pub fn floor_at(&self, branch: BranchId, number: u32) -> Option<&Floor> {
        self.floors.get(FloorId::of(branch, number))
    }

    /// The floor that a room lies on; none for a hand-built one.
    pub fn floor_of(&self, room: RoomId) -> Option<&Floor> {
        let room = self.rooms.get(room)?;
        self.floor_at(room.branch?, room.floor)
    }

    /// The dungeon level of a room; 0 in hand-built areas.
    pub fn dungeon_level(&self, room: RoomId) -> u32 {
        self.floor_of(room).map_or(0, |floor| floor.dungeon_level)
    }

    /// The number that the next floor of a branch gets.
    pub fn next_floor_number(&self, branch: BranchId) -> u32 {
        self.floors_of(branch).map(|floor| floor.number).max().unwrap_or(0).saturating_add(1)
    }

    /// The floors of a branch, in the order of their numbers.
    pub fn floors_of(&self, branch: BranchId) -> impl Iterator<Item = &Floor> {
        let numbers = FloorId::of(branch, 0)..=FloorId::of(branch, u32::MAX);
        self.floors.range(numbers).map(|(_, floor)| floor)
    }
}

//! Floors of branches. Each has its own grid and level type, and is attached to the stairs or gate that created it.

use crate::base::{BranchId, FloorId, RoomId};
use crate::level::FloorPlan;
use crate::world::{PuzzleRun, Table, World};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Floor, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Floor {
    /// Unique id, composed of branch and floor number.
    pub id: FloorId,
    /// Branch of the floor.
    pub branch: BranchId,
    /// Number within the branch: 1 for the first, then in order of first entry. Floor number and position identify a
    /// room.
    pub number: u32,
    /// Number of stairs above the floor, plus one.
    #[serde(rename = "level")]
    pub dungeon_level: u32,
    /// Name of the level type.
    #[serde(rename = "kind")]
    pub level_type: String,
    /// Set if the limits on unexplored exits apply.
    pub budgeted: bool,
    /// Complete plan, if the floor was generated as a whole. Its rooms are created when players enter them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Arc<FloorPlan>>,
    /// Puzzle that occupies the floor, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<Box<PuzzleRun>>,
}

impl Floor {
    /// Creates a floor that grows within an exit budget.
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

impl Table<Floor> {
    /// Returns a floor by branch and number.
    pub fn at(&self, branch: BranchId, number: u32) -> Option<&Floor> {
        self.get(FloorId::of(branch, number))
    }

    /// Returns the number for the next floor of a branch.
    pub fn next_number(&self, branch: BranchId) -> u32 {
        self.of(branch).map(|floor| floor.number).max().unwrap_or(0).saturating_add(1)
    }

    /// Returns the floors of a branch, in number order.
    pub fn of(&self, branch: BranchId) -> impl Iterator<Item = &Floor> {
        let numbers = FloorId::of(branch, 0)..=FloorId::of(branch, u32::MAX);
        self.range(numbers).map(|(_, floor)| floor)
    }

    /// Returns the puzzle of a floor for editing.
    pub fn edit_puzzle(&mut self, floor: FloorId) -> Option<&mut PuzzleRun> {
        self.edit(floor)?.puzzle.as_deref_mut()
    }
}

impl World {
    /// Returns the floor of a room; `None` for hand-built rooms.
    pub fn floor_of(&self, room: RoomId) -> Option<&Floor> {
        let room = self.rooms.get(room)?;
        self.floors.at(room.branch?, room.floor)
    }

    /// Returns the dungeon level of a room; 0 in hand-built areas.
    pub fn dungeon_level(&self, room: RoomId) -> u32 {
        self.floor_of(room).map_or(0, |floor| floor.dungeon_level)
    }
}

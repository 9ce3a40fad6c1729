//! State of a branch that is carried from one room to the next, in addition to the frontiers of its floors.

use crate::catalog::Theme;
use crate::dungeon::{Recent, RoomPlan};
use crate::level::{PlacedVaults, UsedLimits};

/// Memory of a branch. It is stored with the branch, because the next room depends on it as well as on the seed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BranchMemory {
    /// Number of rooms created on all floors; it selects the random streams of the next room.
    pub rooms_made: u32,
    /// Summary of the most recent rooms.
    pub recent: Recent,
    /// Unique portals and limited rooms.
    pub used: UsedLimits,
    /// Vaults that have been entered but not fully explored.
    pub vaults: PlacedVaults,
}

impl BranchMemory {
    /// Counts a room created on a floor.
    pub(super) fn count(&mut self, floor: u32, plan: &RoomPlan, theme: Option<&Theme>) {
        if let Some(portal) = &plan.portal {
            self.used.note_portal(portal);
        }
        if let Some(theme) = theme {
            self.used.note_room(plan.sheet.kind.name(), theme.limit_of(plan.sheet.kind), floor);
        }
        self.rooms_made = self.rooms_made.saturating_add(1);
    }
}

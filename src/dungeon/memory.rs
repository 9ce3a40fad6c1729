//! What a branch has to remember from one room to the next, besides the frontiers of its floors.

use crate::catalog::Theme;
use crate::dungeon::{Recent, RoomPlan};
use crate::level::{Used, Vaults};

/// What a branch remembers. It is stored with it, because the next room depends on it as it does on the seed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// How many rooms were made, over all floors: the position in the branch's dice.
    pub rooms_made: u32,
    /// What it remembers of the rooms made last.
    pub recent: Recent,
    /// What it has of things that there may be only so many of.
    pub used: Used,
    /// The vaults in it that somebody has walked into and nobody to their end.
    pub vaults: Vaults,
}

impl Memory {
    /// Counts a room that has just been made on a floor.
    pub(super) fn count(&mut self, floor: u32, plan: &RoomPlan, theme: Option<&Theme>) {
        if let Some(portal) = &plan.portal {
            self.used.note_portal(portal);
        }
        if let Some(theme) = theme {
            self.used.note_room(plan.kind.name(), theme.limit_of(plan.kind), floor);
        }
        self.rooms_made = self.rooms_made.saturating_add(1);
    }
}

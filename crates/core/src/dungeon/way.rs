//! An unexplored exit, and the room created behind it.

use crate::base::{Direction, Point};
use crate::dungeon::RoomPlan;
use crate::level::Sketch;

/// An exit to a room that does not exist yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnexploredExit {
    /// Position of the room with the exit; (0,0) for the first room of a branch.
    pub from: Point,
    /// Direction: down for stairs to a new floor.
    pub direction: Direction,
    /// Set if a sign is beside the exit: the room behind it is out of depth.
    pub ominous: bool,
}

impl UnexploredExit {
    /// Stairs down to a new floor.
    pub const DOWN: Self = Self { from: Point::ORIGIN, direction: Direction::Down, ominous: false };

    /// Returns the position that it leads to.
    pub const fn to(self) -> Point {
        self.from.step(self.direction)
    }

    /// Returns `true` for stairs.
    pub(super) const fn is_stairs(self) -> bool {
        matches!(self.direction, Direction::Down)
    }
}

/// A room that has just been created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Plan of the room.
    pub plan: RoomPlan,
    /// Contents added by its level type; the creatures and items of the plan end with these.
    pub sketch: Sketch,
}

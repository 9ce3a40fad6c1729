//! An exit that nobody has walked, and the room that was made behind it.

use crate::base::{Direction, Point};
use crate::dungeon::RoomPlan;
use crate::level::Sketch;

/// An exit that leads to a room that does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The place it stands at; (0,0) for the first room of a branch.
    pub from: Point,
    /// Its direction: down for stairs to a floor that nobody has been on.
    pub direction: Direction,
    /// Whether a sign stands beside it: what it makes is out of depth.
    pub ominous: bool,
}

impl Way {
    /// Down the stairs to a new floor.
    pub const DOWN: Self = Self { from: Point::ORIGIN, direction: Direction::Down, ominous: false };

    /// The place it leads to.
    pub const fn to(self) -> Point {
        self.from.step(self.direction)
    }

    /// Whether it is stairs.
    pub(super) const fn is_stairs(self) -> bool {
        matches!(self.direction, Direction::Down)
    }
}

/// A room that has just been made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// All that is fixed about it.
    pub plan: RoomPlan,
    /// What its level type gave to it; the creatures and items of the plan end with these.
    pub sketch: Sketch,
}

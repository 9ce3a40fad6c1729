//! What a layout is: what it is asked when somebody walks where nobody has been, and what it answers.

use super::frontier::Frontier;
use crate::base::{Direction, Point, Rng, Seed};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A way of growing a floor room by room.
pub trait Layout: Debug + Send + Sync {
    /// The name content refers to it by.
    fn name(&self) -> &'static str;

    /// Whether the budgets of open and of new exits bind it, and one-way exits may come to be. Layouts they do not bind
    /// have only two-way passages, and as many as their cells give.
    fn is_budgeted(&self) -> bool {
        false
    }

    /// The settings of a branch as the layout uses them.
    fn settings(&self, asked: GrowSettings) -> GrowSettings {
        asked
    }

    /// Places the room where somebody arrives and brings the frontier up to date. The dice are those of this room.
    ///
    /// The place behind the exit must be free.
    fn place(&self, ground: Ground<'_>, arrival: Arrival, dice: &mut Rng) -> Growth;

    /// Whether a mechanism may stand in the room placed last: whoever does not work it must still find some other
    /// unexplored exit, whatever grows there.
    fn may_bar(&self, ground: Ground<'_>, room: Point) -> bool;
}

/// The floor that a layout grows.
#[derive(Debug)]
pub struct Ground<'a> {
    /// Its edge so far.
    pub frontier: &'a mut Frontier,
    /// The settings of its branch, as they were asked for.
    pub settings: GrowSettings,
    /// The floor's seed: the same for all its rooms.
    pub seed: Seed,
}

/// How somebody comes to where a room shall be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// Through an unexplored exit: the place it stands at, and its direction. (0,0) for the first room of a branch.
    By(Point, Direction),
    /// Down the stairs to a floor that nobody has been on, to its place (0,0).
    Landing,
}

/// How a branch grows. Both numbers are at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GrowSettings {
    /// Most exits of one branch that nobody has walked yet.
    pub max_unexplored_exits: u32,
    /// Most exits a new room gets besides the way back.
    pub max_new_exits_per_room: u32,
    /// Whether the branch may close; else it grows without end.
    pub finishable: bool,
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { max_unexplored_exits: 2, max_new_exits_per_room: 2, finishable: false }
    }
}

/// Where a new room lies and how it is joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// The room's place.
    pub at: Point,
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Exits nobody has walked yet, clockwise from north. The way back is not among them.
    pub new_exits: Vec<Direction>,
    /// Older exits, as room and direction, that pointed at this place. From here on they lead into this room,
    /// one-way: the room has no exit back along them.
    pub joined: Vec<(Point, Direction)>,
    /// Ways to rooms that exist already, beside the way back, clockwise from north. They can be walked both ways: the
    /// exit on the other side, unexplored until now, leads into this room.
    pub met: Vec<Direction>,
    /// Whether stairs lead down from here, if the layout decides it; else the floor's first room that is deep enough
    /// has them.
    pub stairs: Option<bool>,
}

//! The [`Layout`] trait, its inputs and its result.

use super::frontier::Frontier;
use crate::base::{Direction, Point, Rng, Seed};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// An algorithm that grows a floor room by room.
pub trait Layout: Debug + Send + Sync {
    /// Returns the name used in content.
    fn name(&self) -> &'static str;

    /// Returns `true` if the budgets of unexplored and new exits apply and one-way exits may occur. Other layouts have
    /// only two-way passages, as many as their cells give.
    fn is_budgeted(&self) -> bool {
        false
    }

    /// Returns the settings of a branch as the layout applies them.
    fn settings(&self, asked: GrowSettings) -> GrowSettings {
        asked
    }

    /// Places the room where a player arrives and updates the frontier. `dice` is the random stream of this room.
    ///
    /// The position behind the exit must be free.
    fn place(&self, ground: GrownFloor<'_>, arrival: Arrival, dice: &mut Rng) -> Growth;

    /// Returns `true` if the room placed last may have a mechanism: a player who does not operate it can still reach
    /// some other unexplored exit, however the floor grows.
    fn may_bar(&self, ground: GrownFloor<'_>, room: Point) -> bool;
}

/// The floor that a layout grows.
#[derive(Debug)]
pub struct GrownFloor<'a> {
    /// Edge of the floor.
    pub frontier: &'a mut Frontier,
    /// Settings of the branch, as requested.
    pub settings: GrowSettings,
    /// Seed of the floor, shared by all its rooms.
    pub seed: Seed,
}

/// Way by which a player arrives at a position without a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// Through an unexplored exit, given by the position of its room and its direction. The position is (0,0) for the
    /// first room of a branch.
    By(Point, Direction),
    /// Down the stairs to a new floor, at (0,0).
    Landing,
}

/// Growth settings of a branch. Both numbers are at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GrowSettings {
    /// Maximum number of unexplored exits of a branch.
    pub max_unexplored_exits: u32,
    /// Maximum number of new exits of a room, not counting the exit back.
    pub max_new_exits_per_room: u32,
    /// Set if the branch may end; otherwise it grows forever.
    pub finishable: bool,
    /// Set by a layout whose rooms may have diagonal exits.
    #[serde(skip)]
    pub diagonals: bool,
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { max_unexplored_exits: 2, max_new_exits_per_room: 2, finishable: false, diagonals: false }
    }
}

/// Position and connections of a new room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// Position of the room.
    pub at: Point,
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Unexplored exits, clockwise from north. The exit back is not included.
    pub new_exits: Vec<Direction>,
    /// Older exits, as position and direction, that pointed at this position. They now lead into this room, one-way:
    /// the room has no exit back along them.
    pub joined: Vec<(Point, Direction)>,
    /// Two-way passages to existing rooms, not counting the exit back, clockwise from north. The opposite exit,
    /// unexplored until now, leads into this room.
    pub met: Vec<Direction>,
    /// Decision of the layout about stairs down. If `None`, the first room of the floor that is deep enough gets them.
    pub stairs: Option<bool>,
}

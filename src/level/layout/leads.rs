//! Where an unexplored exit leads, as far as it is known. How it is found out is not here.

use crate::base::Direction;

/// Where a free place leads, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leads {
    /// Into the unbounded free region.
    Out,
    /// Into a pocket that rooms enclose. Rooms are only added, so it stays one.
    Pocket,
    /// Nobody has looked yet.
    #[default]
    Unknown,
}

/// Where the four sides of a new room lead, clockwise from north.
pub(super) type Sides = [(Direction, Leads); 4];

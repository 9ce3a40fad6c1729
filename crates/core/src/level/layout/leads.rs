//! Known destinations of unexplored exits. The search itself is in `outside`.

use crate::base::Direction;

/// Region that a free position belongs to, as far as known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leads {
    /// The unbounded free region.
    Out,
    /// A pocket enclosed by rooms. Rooms are only added, so it stays enclosed.
    Pocket,
    /// Not searched yet.
    #[default]
    Unknown,
}

/// Regions on the sides of a new room, clockwise from north, then those of its diagonals if it may have such exits.
pub(super) type LeadsBySide = Vec<(Direction, Leads)>;

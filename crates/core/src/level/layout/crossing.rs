//! Classification of a position by its exits.

use crate::base::{Direction, listed};
use std::collections::BTreeSet;

listed! {
    /// Kind of a position by its exits on the floor, from the fewest to the most. Stairs and portals do not count.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Crossing {
        /// One exit, or none.
        DeadEnd = "dead_end",
        /// Two exits in one line.
        Straight = "straight",
        /// Two exits at a right angle.
        Corner = "corner",
        /// Three exits.
        Junction = "junction",
        /// Four exits.
        Crossing = "crossing",
    }
}

impl Crossing {
    /// Classifies a position by its exits, including the exit back.
    pub fn of(exits: impl IntoIterator<Item = Direction>) -> Self {
        let ways: BTreeSet<Direction> = exits.into_iter().filter(|exit| exit.stays_on_floor()).collect();
        match ways.len() {
            0 | 1 => Self::DeadEnd,
            2 if ways.iter().all(|way| ways.contains(&way.opposite())) => Self::Straight,
            2 => Self::Corner,
            3 => Self::Junction,
            _ => Self::Crossing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, East, North, South, Up, West};

    /// R13: the exits determine the kind; stairs are not counted.
    #[test]
    fn exits_determine_crossing_kind() {
        let name = |exits: &[Direction]| Crossing::of(exits.iter().copied()).name();
        assert_eq!([name(&[]), name(&[West]), name(&[West, Down])], ["dead_end"; 3]);
        assert_eq!([name(&[North, South]), name(&[West, East, Up])], ["straight"; 2]);
        assert_eq!([name(&[North, East]), name(&[West, South]), name(&[East, South])], ["corner"; 3]);
        assert_eq!(name(&[North, East, South]), "junction");
        assert_eq!(name(&Direction::PLANE), "crossing");
    }
}

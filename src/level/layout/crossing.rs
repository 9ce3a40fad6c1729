//! What a place is by the ways that meet in it.

use crate::base::{Direction, listed};

listed! {
    /// A place by its exits in the plane, from the fewest ways to the most. Stairs and gates do not count.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Crossing {
        /// One way, or none.
        DeadEnd = "dead_end",
        /// Two ways in one line.
        Straight = "straight",
        /// Two ways at a right angle.
        Corner = "corner",
        /// Three ways.
        Junction = "junction",
        /// Four ways.
        Crossing = "crossing",
    }
}

impl Crossing {
    /// The kind of a place with these exits, the way back among them.
    pub fn of(exits: impl IntoIterator<Item = Direction>) -> Self {
        let mut plane = [false; 4];
        for exit in exits {
            for (there, direction) in plane.iter_mut().zip(Direction::PLANE) {
                *there |= direction == exit;
            }
        }
        let [north, east, south, west] = plane;
        match plane.iter().filter(|there| **there).count() {
            0 | 1 => Self::DeadEnd,
            2 if north && south || east && west => Self::Straight,
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

    /// R13: names by exits; stairs are no way of the plane.
    #[test]
    fn exits_name_the_kind() {
        let name = |exits: &[Direction]| Crossing::of(exits.iter().copied()).name();
        assert_eq!([name(&[]), name(&[West]), name(&[West, Down])], ["dead_end"; 3]);
        assert_eq!([name(&[North, South]), name(&[West, East, Up])], ["straight"; 2]);
        assert_eq!([name(&[North, East]), name(&[West, South]), name(&[East, South])], ["corner"; 3]);
        assert_eq!(name(&[North, East, South]), "junction");
        assert_eq!(name(&Direction::PLANE), "crossing");
    }
}

//! Lists of the moves that created the rooms of a branch, as in the dump of a live branch.
//!
//! A list names each exit through which a room was created, in order: `1:e;1:(1,0)n;1:(1,1)d;2:(0,0)e`. The number
//! before the colon is the floor; the position is that of the room with the exit, and is omitted for the start room.
//! `d` takes stairs down, `in` enters a puzzle, which counts as a separate floor.

use crate::base::{Direction, Point};

/// A move that created a room: from the start room or a room of a floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchMove {
    /// Floor of the room with the exit.
    pub floor: u32,
    /// Position of the room with the exit; (0,0) of floor 1 is the start room.
    pub from: Point,
    /// Direction of the exit.
    pub direction: Direction,
}

impl BranchMove {
    /// Formats the move as in a list.
    pub fn words(&self) -> String {
        let Self { floor, from, direction } = *self;
        let way = direction.letter();
        if (floor, from) == (1, Point::ORIGIN) {
            return format!("1:{way}");
        }
        format!("{floor}:({},{}){way}", from.x, from.y)
    }

    /// Parses a move of a list.
    pub fn parse(text: &str) -> Option<Self> {
        let (floor, rest) = text.split_once(':')?;
        let floor = floor.trim().parse().ok()?;
        let (from, way) = match rest.trim().strip_prefix('(') {
            Some(rest) => {
                let (place, way) = rest.split_once(')')?;
                let (x, y) = place.split_once(',')?;
                (Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?), way)
            }
            None => (Point::ORIGIN, rest),
        };
        Some(Self { floor, from, direction: Direction::parse_any(way.trim())? })
    }
}

/// Formats moves as a list.
pub fn list(moves: impl IntoIterator<Item = BranchMove>) -> String {
    moves.into_iter().map(|one| one.words()).collect::<Vec<_>>().join(";")
}

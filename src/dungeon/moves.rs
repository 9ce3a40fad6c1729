//! The moves that made the rooms of a branch, as a list: what a dump of a living branch says of itself.
//!
//! A list names each exit that made a room, in their order: `1:e;1:(1,0)n;1:(1,1)d;2:(0,0)e`. In front of the colon stands
//! the floor; the place is that of the room which the exit stands in, and the start room has none. `d` takes stairs down,
//! `in` enters a puzzle, whose floor counts but whose rooms are its own.

use crate::base::{Direction, Point};

/// A move that made a room: out of the start, or out of a room of a floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The floor of the room it leads out of.
    pub floor: u32,
    /// The place of that room; (0,0) of floor 1 is the start.
    pub from: Point,
    /// The way it leads.
    pub direction: Direction,
}

impl Move {
    /// As it stands in a list.
    pub fn words(&self) -> String {
        let Self { floor, from, direction } = *self;
        let way = direction.letter();
        if (floor, from) == (1, Point::ORIGIN) {
            return format!("1:{way}");
        }
        format!("{floor}:({},{}){way}", from.x, from.y)
    }

    /// Reads it as it stands in a list.
    pub(crate) fn parse(words: &str) -> Option<Self> {
        let (floor, rest) = words.split_once(':')?;
        let floor = floor.trim().parse().ok()?;
        let (from, way) = match rest.trim().strip_prefix('(') {
            Some(rest) => {
                let (place, way) = rest.split_once(')')?;
                let (x, y) = place.split_once(',')?;
                (Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?), way)
            }
            None => (Point::ORIGIN, rest),
        };
        Some(Self { floor, from, direction: Direction::parse(way.trim())? })
    }
}

/// Moves as a list.
pub fn list(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(|one| one.words()).collect::<Vec<_>>().join(";")
}

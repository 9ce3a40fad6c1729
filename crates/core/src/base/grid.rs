//! Grid of a floor: points, directions, rectangles.

use super::listed::listed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Point on one floor. North is `y + 1`, east is `x + 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// East coordinate.
    pub x: i32,
    /// North coordinate.
    pub y: i32,
}

impl Point {
    /// Position of the start room in every branch.
    pub const ORIGIN: Self = Self { x: 0, y: 0 };
    /// Smallest point in sort order.
    pub const LEAST: Self = Self { x: i32::MIN, y: i32::MIN };
    /// Largest point in sort order.
    pub const MOST: Self = Self { x: i32::MAX, y: i32::MAX };

    /// Creates a point.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the neighbour in a direction of the plane; for other directions, the point itself.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// Returns the integer part of the straight-line distance from the origin.
    pub fn depth(self) -> u32 {
        let (x, y) = (u64::from(self.x.unsigned_abs()), u64::from(self.y.unsigned_abs()));
        u32::try_from((x * x + y * y).isqrt()).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

listed! {
    /// Direction of an exit. The plane has four; `up` and `down` join floors and the well, `in` and `out` pass gates.
    /// The diagonals are for hand-built rooms, on servers that enable them, and for floors whose layout enables them.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Direction {
        /// `y + 1`
        North = "north",
        /// `x + 1`
        East = "east",
        /// `y - 1`
        South = "south",
        /// `x - 1`
        West = "west",
        /// To the floor above.
        Up = "up",
        /// To the floor below.
        Down = "down",
        /// Through a gate to a separate floor.
        In = "in",
        /// Back through the gate.
        Out = "out",
        /// Between north and east.
        NorthEast = "northeast",
        /// Between south and east.
        SouthEast = "southeast",
        /// Between south and west.
        SouthWest = "southwest",
        /// Between north and west.
        NorthWest = "northwest",
    }
}

impl Direction {
    /// The four directions of the plane, clockwise from north; random draws use this order.
    pub const PLANE: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The four diagonals, clockwise from north.
    pub const DIAGONALS: [Self; 4] = [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    /// Returns the directions of the plane and the diagonals.
    pub fn around() -> impl Iterator<Item = Self> {
        Self::PLANE.into_iter().chain(Self::DIAGONALS)
    }

    /// Returns `(dx, dy)` of one step.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::NorthEast => (1, 1),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
            Self::NorthWest => (-1, 1),
            Self::Up | Self::Down | Self::In | Self::Out => (0, 0),
        }
    }

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::In => Self::Out,
            Self::Out => Self::In,
            Self::NorthEast => Self::SouthWest,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
            Self::NorthWest => Self::SouthEast,
        }
    }

    /// Returns the short alias of one or two letters; also the key in GMCP.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::North => "n",
            Self::East => "e",
            Self::South => "s",
            Self::West => "w",
            Self::Up => "u",
            Self::Down => "d",
            Self::In => "in",
            Self::Out => "out",
            Self::NorthEast => "ne",
            Self::SouthEast => "se",
            Self::SouthWest => "sw",
            Self::NorthWest => "nw",
        }
    }

    /// Parses a full name or short alias, ignoring case; diagonals are not accepted.
    pub fn parse(word: &str) -> Option<Self> {
        Self::parse_any(word).filter(|direction| !direction.is_diagonal())
    }

    /// Parses a full name or short alias, including diagonals.
    pub fn parse_any(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|d| word.eq_ignore_ascii_case(d.name()) || word.eq_ignore_ascii_case(d.letter()))
    }

    /// Returns `true` for a direction of the plane or a diagonal.
    pub fn stays_on_floor(self) -> bool {
        self.delta() != (0, 0)
    }

    /// Returns `true` for a diagonal direction.
    pub const fn is_diagonal(self) -> bool {
        matches!(self, Self::NorthEast | Self::SouthEast | Self::SouthWest | Self::NorthWest)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Rectangle of points, including both corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rect {
    /// South-west corner.
    pub min: Point,
    /// North-east corner.
    pub max: Point,
}

impl Rect {
    /// Creates the rectangle of one point.
    pub const fn at(point: Point) -> Self {
        Self { min: point, max: point }
    }

    /// Returns `true` if the point is inside.
    pub const fn contains(&self, p: Point) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }

    /// Extends the rectangle to include a point.
    pub fn include(&mut self, p: Point) {
        self.min = Point::new(self.min.x.min(p.x), self.min.y.min(p.y));
        self.max = Point::new(self.max.x.max(p.x), self.max.y.max(p.y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the rule and the additional vectors of its check.
    #[test]
    fn e29_depth_is_the_integer_part_of_the_distance() {
        let depth = |x, y| Point::new(x, y).depth();
        assert_eq!(
            [depth(1, 1), depth(4, -5), depth(0, 3), depth(3, 4), depth(2, -1), depth(0, 0)],
            [1, 6, 3, 5, 2, 0]
        );
    }

    /// Includes the specified example: (4,2) south to (4,1).
    #[test]
    fn c1_e3_steps_follow_the_compass() {
        assert_eq!(Point::new(4, 2).step(Direction::South), Point::new(4, 1));
        assert_eq!(Point::ORIGIN.step(Direction::North), Point::new(0, 1));
        for d in Direction::ALL {
            assert_eq!(Point::ORIGIN.step(d).step(d.opposite()), Point::ORIGIN);
            assert_eq!(Direction::parse_any(d.letter()), Some(d));
            assert_eq!(Direction::parse_any(&d.name().to_uppercase()), Some(d));
            assert_eq!(Direction::parse(d.letter()).is_none(), d.is_diagonal());
        }
    }
}

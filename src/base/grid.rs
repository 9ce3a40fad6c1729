//! The xy grid of a floor: points, directions, rectangles.

use super::listed::listed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A coordinate on one floor. North is `y + 1`, east is `x + 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Eastward.
    pub x: i32,
    /// Northward.
    pub y: i32,
}

impl Point {
    /// The start room's place in every branch.
    pub const ORIGIN: Self = Self { x: 0, y: 0 };
    /// The first point in the order of points.
    pub const LEAST: Self = Self { x: i32::MIN, y: i32::MIN };
    /// The last point in the order of points.
    pub const MOST: Self = Self { x: i32::MAX, y: i32::MAX };

    /// The point at `(x, y)`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The neighbour in a direction of the plane; the other directions stay where they are.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// Integer part of the straight-line distance from the start.
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
    /// A way to walk. The plane has four; `up` and `down` join floors and the well,
    /// `in` and `out` pass gates. The four between those of the plane are for rooms built by hand, where a server has them.
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
        /// Towards the surface.
        Up = "up",
        /// Deeper.
        Down = "down",
        /// Through a gate, to a floor of its own.
        In = "in",
        /// Back through it.
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
    /// The four directions of the plane, clockwise from north; their order is the order of draws.
    pub const PLANE: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The directions between those of the plane, clockwise.
    pub const DIAGONALS: [Self; 4] = [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    /// `(dx, dy)` of one step.
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

    /// The way back.
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

    /// The short alias, also the key in GMCP: one letter, or two.
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

    /// The direction written out or as its letter, in any case; none of the diagonals.
    pub fn parse(word: &str) -> Option<Self> {
        Self::parse_any(word).filter(|direction| !direction.is_diagonal())
    }

    /// The same, diagonals among them.
    pub fn parse_any(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|d| word.eq_ignore_ascii_case(d.name()) || word.eq_ignore_ascii_case(d.letter()))
    }

    /// Whether it lies between two of the plane.
    pub const fn is_diagonal(self) -> bool {
        matches!(self, Self::NorthEast | Self::SouthEast | Self::SouthWest | Self::NorthWest)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A rectangle of points, both corners included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rect {
    /// South-west corner.
    pub min: Point,
    /// North-east corner.
    pub max: Point,
}

impl Rect {
    /// The rectangle of one point.
    pub const fn at(point: Point) -> Self {
        Self { min: point, max: point }
    }

    /// Whether the point lies inside.
    pub const fn contains(&self, p: Point) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }

    /// Grows just enough to hold the point.
    pub fn include(&mut self, p: Point) {
        self.min = Point::new(self.min.x.min(p.x), self.min.y.min(p.y));
        self.max = Point::new(self.max.x.max(p.x), self.max.y.max(p.y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E29: both numbers of the rule and the further vectors of its check.
    #[test]
    fn depth_is_the_whole_part_of_the_distance() {
        let depth = |x, y| Point::new(x, y).depth();
        assert_eq!(
            [depth(1, 1), depth(4, -5), depth(0, 3), depth(3, 4), depth(2, -1), depth(0, 0)],
            [1, 6, 3, 5, 2, 0]
        );
    }

    /// C1, E3: the steps, and the example (4,2) south to (4,1).
    #[test]
    fn steps_follow_the_compass() {
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

//! Three-dimensional coordinates of the hand-built world: a room above another is one unit higher.

use super::grid::{Direction, Point};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Position: height, and point on the plane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Coordinates {
    /// Height.
    pub z: i32,
    /// Point on the plane of this height.
    pub at: Point,
}

impl Coordinates {
    /// Returns the neighbour in a direction; `in` and `out` return the position itself.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let dz = match direction {
            Direction::Up => 1,
            Direction::Down => -1,
            _ => 0,
        };
        Self { z: self.z + dz, at: self.at.step(direction) }
    }

    /// Returns a free position in a direction from here: the first one along it that is not taken. Without a direction,
    /// or if it leads nowhere, returns the nearest free position.
    #[must_use]
    pub fn free_beyond(self, direction: Option<Direction>, is_taken: impl Fn(Self) -> bool) -> Self {
        let Some(direction) = direction.filter(|direction| self.step(*direction) != self) else {
            return self.nearest_free(is_taken);
        };
        let mut place = self.step(direction);
        while is_taken(place) {
            place = place.step(direction);
        }
        place
    }

    /// Returns this position if it is free, or else the free position of the plane that is the fewest steps away. Ties
    /// are resolved clockwise from the north.
    #[must_use]
    pub fn nearest_free(self, is_taken: impl Fn(Self) -> bool) -> Self {
        self.nearest_free_from(0, is_taken).1
    }

    /// Like [`Self::nearest_free`], if all positions closer than `far` are taken. Also returns the distance.
    fn nearest_free_from(self, mut far: i32, is_taken: impl Fn(Self) -> bool) -> (i32, Self) {
        loop {
            let mut place = self.moved(0, far);
            // Walks the ring at this distance, from corner to corner.
            for (dx, dy) in [(1, -1), (-1, -1), (-1, 1), (1, 1)] {
                let mut left = far;
                while left > 0 && is_taken(place) {
                    place = place.moved(dx, dy);
                    left -= 1;
                }
            }
            if !is_taken(place) {
                return (far, place);
            }
            far += 1;
        }
    }

    /// Returns this position relative to an origin.
    #[must_use]
    pub const fn relative_to(self, origin: Self) -> Self {
        let at = Point::new(self.at.x - origin.at.x, self.at.y - origin.at.y);
        Self { z: self.z - origin.z, at }
    }

    /// Returns the absolute position of one relative to `origin`.
    #[must_use]
    pub const fn beyond(self, origin: Self) -> Self {
        let at = Point::new(self.at.x + origin.at.x, self.at.y + origin.at.y);
        Self { z: self.z + origin.z, at }
    }

    /// Returns the position moved to the east and to the north.
    #[must_use]
    pub const fn moved(self, dx: i32, dy: i32) -> Self {
        Self { z: self.z, at: Point::new(self.at.x + dx, self.at.y + dy) }
    }
}

/// Search for free positions for many rooms of one map, of which none becomes free again in between. Caches the taken
/// area around each position: repeating the search for thousands of rooms would take quadratic time.
#[derive(Clone, Debug, Default)]
pub struct FreePlaces {
    /// Distance of the last free position found around each position.
    far: BTreeMap<Coordinates, i32>,
    /// End of the last run of taken positions, by start and direction.
    beyond: BTreeMap<(Coordinates, Direction), Coordinates>,
}

impl FreePlaces {
    /// Like [`Coordinates::nearest_free`].
    pub fn nearest(&mut self, to: Coordinates, is_taken: impl Fn(Coordinates) -> bool) -> Coordinates {
        let far = self.far.entry(to).or_default();
        let (found, place) = to.nearest_free_from(*far, is_taken);
        *far = found;
        place
    }

    /// Like [`Coordinates::free_beyond`].
    pub fn beyond(
        &mut self,
        from: Coordinates,
        direction: Option<Direction>,
        is_taken: impl Fn(Coordinates) -> bool,
    ) -> Coordinates {
        let Some(direction) = direction.filter(|direction| from.step(*direction) != from) else {
            return self.nearest(from, is_taken);
        };
        let mut place = from.step(direction);
        let mut passed = Vec::new();
        while is_taken(place) {
            passed.push(place);
            place = self.beyond.get(&(place, direction)).copied().unwrap_or_else(|| place.step(direction));
        }
        for taken in passed {
            self.beyond.insert((taken, direction), place);
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const HERE: Coordinates = Coordinates { z: -1, at: Point::new(3, 4) };

    #[test]
    fn up_is_one_higher_and_down_returns() {
        for direction in [Direction::North, Direction::West, Direction::Up, Direction::Down] {
            assert_ne!(HERE.step(direction), HERE);
            assert_eq!(HERE.step(direction).step(direction.opposite()), HERE);
        }
        assert_eq!(HERE.step(Direction::Up), Coordinates { z: 0, at: HERE.at });
        assert_eq!(HERE.step(Direction::In), HERE);
    }

    /// Caching affects only the running time.
    #[test]
    fn cached_search_finds_the_same_free_positions() {
        let mut taken = BTreeSet::new();
        let mut free = FreePlaces::default();
        let directions = [None, Some(Direction::East), Some(Direction::Up), None, None];
        for (number, direction) in (0..400).zip(directions.into_iter().cycle()) {
            let wished = Coordinates { z: 0, at: Point::new(number % 3, number % 2) };
            let is_taken = |place| taken.contains(&place);
            let place = free.beyond(wished, direction, is_taken);
            assert_eq!(place, wished.free_beyond(direction, is_taken), "{number}");
            assert!(taken.insert(place));
        }
    }

    /// The number of checked positions stays close to the number of rooms, for 20,000 rooms at one position.
    #[test]
    fn many_rooms_at_one_position_avoid_quadratic_time() {
        let asked = std::cell::Cell::new(0_u64);
        let mut taken = BTreeSet::new();
        let mut free = FreePlaces::default();
        for _ in 0..20_000 {
            let place = free.nearest(HERE, |place| {
                asked.set(asked.get() + 1);
                taken.contains(&place)
            });
            assert!(taken.insert(place));
        }
        assert!(asked.get() < 20_000 * 400, "{}", asked.get());
    }

    /// The position found is free and in the requested direction.
    #[test]
    fn free_position_is_always_found() {
        let mut taken = BTreeSet::from([HERE]);
        for _ in 0..60 {
            let east = HERE.free_beyond(Some(Direction::East), |place| taken.contains(&place));
            assert!(east.at.y == HERE.at.y && east.at.x > HERE.at.x);
            let near = HERE.free_beyond(None, |place| taken.contains(&place));
            assert!(taken.insert(near), "{near:?} is taken");
        }
        let far = |place: &Coordinates| place.at.x.abs_diff(HERE.at.x) + place.at.y.abs_diff(HERE.at.y);
        assert!(taken.iter().all(|place| far(place) <= 5), "60 places are within five steps");
    }
}

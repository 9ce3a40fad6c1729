//! Places of a map with heights, as the hand-built world has them: what lies above another is one higher.

use super::grid::{Direction, Point};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A place: how high, and where on the plane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Coordinates {
    /// Upward.
    pub z: i32,
    /// On the plane of this height.
    pub at: Point,
}

impl Coordinates {
    /// The neighbour in a direction; `in` and `out` stay where they are.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let dz = match direction {
            Direction::Up => 1,
            Direction::Down => -1,
            _ => 0,
        };
        Self { z: self.z + dz, at: self.at.step(direction) }
    }

    /// A free place for what lies in a direction from here: the next one that way that is not taken. Where there is no
    /// direction, or none that leads away, it is the free one nearest to here.
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

    /// This place if it is free, or else the free one of the plane that is the fewest steps away; of those the first one
    /// clockwise from the north.
    #[must_use]
    pub fn nearest_free(self, is_taken: impl Fn(Self) -> bool) -> Self {
        self.nearest_free_from(0, is_taken).1
    }

    /// The same, if all places fewer steps away than `far` are taken. Returns the distance of the free place, too.
    fn nearest_free_from(self, mut far: i32, is_taken: impl Fn(Self) -> bool) -> (i32, Self) {
        loop {
            let mut place = self.moved(0, far);
            // Around this one at the same distance, from corner to corner.
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

    /// This place as seen from another, which is the middle of its own map.
    #[must_use]
    pub const fn relative_to(self, origin: Self) -> Self {
        let at = Point::new(self.at.x - origin.at.x, self.at.y - origin.at.y);
        Self { z: self.z - origin.z, at }
    }

    /// The place that is seen so from another.
    #[must_use]
    pub const fn beyond(self, origin: Self) -> Self {
        let at = Point::new(self.at.x + origin.at.x, self.at.y + origin.at.y);
        Self { z: self.z + origin.z, at }
    }

    /// The place so far to the east and to the north.
    #[must_use]
    pub const fn moved(self, dx: i32, dy: i32) -> Self {
        Self { z: self.z, at: Point::new(self.at.x + dx, self.at.y + dy) }
    }
}

/// Finds free places for many rooms of one map, of which none becomes free again meanwhile. Remembers around which places
/// everything near is taken: looking there anew for each of thousands of rooms would take quadratic time.
#[derive(Clone, Debug, Default)]
pub struct FreePlaces {
    /// Distance of the last free place found around each place.
    far: BTreeMap<Coordinates, i32>,
    /// End of the last run of taken places from each place in each direction.
    beyond: BTreeMap<(Coordinates, Direction), Coordinates>,
}

impl FreePlaces {
    /// As [`Coordinates::nearest_free`].
    pub fn nearest(&mut self, to: Coordinates, is_taken: impl Fn(Coordinates) -> bool) -> Coordinates {
        let far = self.far.entry(to).or_default();
        let (found, place) = to.nearest_free_from(*far, is_taken);
        *far = found;
        place
    }

    /// As [`Coordinates::free_beyond`].
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
    fn above_is_one_higher_and_back_again() {
        for direction in [Direction::North, Direction::West, Direction::Up, Direction::Down] {
            assert_ne!(HERE.step(direction), HERE);
            assert_eq!(HERE.step(direction).step(direction.opposite()), HERE);
        }
        assert_eq!(HERE.step(Direction::Up), Coordinates { z: 0, at: HERE.at });
        assert_eq!(HERE.step(Direction::In), HERE);
    }

    /// Remembered distances change nothing but the time that it takes.
    #[test]
    fn free_places_of_one_map_are_those_that_each_search_would_find() {
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

    /// A map of 20,000 rooms at one place asks about few more places than it has.
    #[test]
    fn many_rooms_wished_at_one_place_do_not_take_quadratic_time() {
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

    /// The place found is free and lies in the direction asked for, however many are taken.
    #[test]
    fn there_is_always_a_free_place() {
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

//! The edge of a floor: taken positions, unexplored exits, and the presence of stairs. An exit "leads out" if the free
//! position behind it belongs to the unbounded free region. Only positions of rooms are known here, not the rooms.

use super::leads::Leads;
use super::survey::FloorSurvey;
use crate::base::grid::Rect;
use crate::base::{Direction, Point};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// State of a floor needed to grow it. It can be rebuilt from stored rows at any time; anything cached beyond them only
/// saves time and does not change results.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// Positions with a room, and the start room's position where it is reserved.
    taken: FxHashSet<Point>,
    pub(super) open: BTreeSet<(Point, Direction)>,
    /// Unexplored exits known to lead into an enclosed pocket.
    pub(super) enclosed: BTreeSet<(Point, Direction)>,
    /// Unexplored exits known to lead out; maintained by layouts that track them.
    pub(super) out: BTreeSet<(Point, Direction)>,
    /// Positions reserved for the rooms of vaults; they count as taken.
    kept: FxHashSet<Point>,
    /// Rooms in which a mechanism blocks the unexplored exits.
    mechanisms: FxHashSet<Point>,
    /// Bounds of all taken positions; everything outside is free.
    bounds: Rect,
    /// Set when a room of the floor has stairs down.
    has_stairs: bool,
    /// Set for floor 1, where (0,0) is the start room's position.
    first_floor: bool,
    /// Results of a layout of cells about the floor.
    pub(super) survey: Option<FloorSurvey>,
}

impl Frontier {
    /// Creates an empty floor. On floor 1 the position (0,0) belongs to the start room.
    pub fn new(floor: u32) -> Self {
        let mut taken = FxHashSet::default();
        if floor == 1 {
            taken.insert(Point::ORIGIN);
        }
        Self {
            taken,
            open: BTreeSet::new(),
            enclosed: BTreeSet::new(),
            out: BTreeSet::new(),
            kept: FxHashSet::default(),
            mechanisms: FxHashSet::default(),
            bounds: Rect::at(Point::ORIGIN),
            has_stairs: false,
            first_floor: floor == 1,
            survey: None,
        }
    }

    /// Restores a floor from its stored rooms, unexplored exits and stairs.
    pub fn rebuild(
        floor: u32,
        rooms: impl IntoIterator<Item = Point>,
        open: impl IntoIterator<Item = (Point, Direction)>,
        has_stairs: bool,
    ) -> Self {
        let mut frontier = Self::new(floor);
        for room in rooms {
            frontier.taken.insert(room);
            frontier.bounds.include(room);
        }
        frontier.open.extend(open);
        frontier.has_stairs = has_stairs;
        frontier
    }

    /// Returns `true` if a room can be placed here.
    pub fn is_free(&self, place: Point) -> bool {
        !self.taken.contains(&place)
    }

    /// Returns the number of unexplored exits.
    pub fn open_count(&self) -> u32 {
        u32::try_from(self.open.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number of rooms.
    pub(super) fn room_count(&self) -> u32 {
        let rooms = self.taken.len() - usize::from(self.first_floor);
        u32::try_from(rooms).unwrap_or(u32::MAX)
    }

    /// Returns the unexplored exits, by position, then clockwise from north.
    pub fn open_exits(&self) -> impl ExactSizeIterator<Item = (Point, Direction)> {
        self.open.iter().copied()
    }

    /// Returns the smallest rectangle around the start and all rooms.
    pub const fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Returns `true` if a room of the floor has stairs down.
    pub const fn has_stairs(&self) -> bool {
        self.has_stairs
    }

    /// Returns `true` for the first floor, where (0,0) is the start room's position.
    pub const fn is_first_floor(&self) -> bool {
        self.first_floor
    }

    /// Records that a room has stairs down.
    pub const fn note_stairs(&mut self) {
        self.has_stairs = true;
    }

    /// Records that a mechanism blocks the unexplored exits of a room. It counts as permanent: growth must not depend
    /// on mechanisms that players have opened since.
    pub fn note_mechanism(&mut self, room: Point) {
        self.mechanisms.insert(room);
    }

    /// Returns `true` if the room at a position has a mechanism.
    pub fn has_mechanism(&self, room: Point) -> bool {
        self.mechanisms.contains(&room)
    }

    /// Returns `true` if some unexplored exit needs no mechanism and leads to an unreserved position.
    pub(super) fn has_unblocked_exit(&self) -> bool {
        self.open.iter().any(|(room, side)| self.leads_on(*room, *side))
    }

    /// Returns `true` if an exit needs no mechanism and leads to an unreserved position.
    pub(super) fn leads_on(&self, room: Point, side: Direction) -> bool {
        !self.has_mechanism(room) && !self.kept.contains(&room.step(side))
    }

    /// Returns `true` if an exit is unexplored.
    pub fn is_open(&self, room: Point, side: Direction) -> bool {
        self.open.contains(&(room, side))
    }

    /// Reserves positions for the rooms of a vault. Exits to them do not count as leading out.
    pub fn keep(&mut self, places: impl IntoIterator<Item = Point>) {
        for place in places {
            if self.kept.insert(place) {
                self.taken.insert(place);
                self.bounds.include(place);
                self.out.clear();
            }
        }
    }

    /// Places a room on its reserved position. Returns its new exits, the sides where it meets existing rooms, and the
    /// exits of other rooms that now lead into it. `ways` are its sides towards rooms of the same vault, `ends` the
    /// sides where the floor may continue.
    pub fn place_reserved(
        &mut self,
        at: Point,
        ways: &[Direction],
        ends: &[Direction],
    ) -> (Vec<Direction>, Vec<Direction>, Vec<(Point, Direction)>) {
        self.kept.remove(&at);
        self.taken.remove(&at);
        let is_own = |(_, side): &(Point, Direction)| ways.contains(&side.opposite());
        let (own, joined): (Vec<_>, Vec<_>) = self.place(at).into_iter().partition(is_own);
        let mut met: Vec<Direction> = own.into_iter().map(|(_, side)| side.opposite()).collect();
        met.sort_unstable();
        let inward = ways.iter().filter(|side| self.kept.contains(&at.step(**side)));
        let mut new: Vec<Direction> =
            inward.chain(ends.iter().filter(|side| self.is_free(at.step(**side)))).copied().collect();
        new.sort_unstable();
        for side in &new {
            self.open(at, *side, Leads::Unknown);
        }
        (new, met, joined)
    }

    /// Returns `true` if an exit of another room leads out.
    pub fn has_other_outward_exit(&mut self, without: Point) -> bool {
        self.find_outward_exit_except(without)
    }

    /// Returns `true` if a room has unexplored exits.
    pub(super) fn has_open_exits(&self, room: Point) -> bool {
        Direction::around().any(|side| self.is_open(room, side))
    }

    /// Adds an unexplored exit.
    pub(super) fn open(&mut self, from: Point, direction: Direction, leads: Leads) {
        self.open.insert((from, direction));
        match leads {
            Leads::Out => self.out.insert((from, direction)),
            Leads::Pocket => self.enclosed.insert((from, direction)),
            Leads::Unknown => false,
        };
    }

    /// Removes an exit that has been explored and returns the region that it was known to lead into.
    pub fn take(&mut self, from: Point, direction: Direction) -> Leads {
        let exit = (from, direction);
        self.open.remove(&exit);
        if self.out.remove(&exit) {
            Leads::Out
        } else if self.enclosed.remove(&exit) {
            Leads::Pocket
        } else {
            Leads::Unknown
        }
    }

    /// Places a room on a free position and returns the unexplored exits that pointed there; they now lead into the
    /// room. Discards the record of exits that lead out.
    pub(super) fn place(&mut self, at: Point) -> Vec<(Point, Direction)> {
        self.out.clear();
        self.fill(at)
    }

    /// Marks a position as taken and removes the unexplored exits that pointed there.
    pub(super) fn fill(&mut self, at: Point) -> Vec<(Point, Direction)> {
        let fresh = self.taken.insert(at);
        debug_assert!(fresh, "two rooms at {at}");
        self.bounds.include(at);
        let mut joined = Vec::new();
        for side in Direction::around() {
            let exit = (at.step(side), side.opposite());
            if !self.is_free(exit.0) && self.open.contains(&exit) {
                self.take(exit.0, exit.1);
                joined.push(exit);
            }
        }
        joined
    }

    /// Places a room on a free position of a floor with only two-way passages. Returns its new exits and the sides
    /// where it meets existing rooms. `ways` are the sides that may have exits.
    pub fn settle(
        &mut self,
        at: Point,
        ways: impl IntoIterator<Item = Direction>,
    ) -> (Vec<Direction>, Vec<Direction>) {
        let mut met: Vec<Direction> =
            self.place(at).into_iter().map(|(_, direction)| direction.opposite()).collect();
        met.sort_unstable();
        let new: Vec<Direction> = ways.into_iter().filter(|side| self.is_free(at.step(*side))).collect();
        for side in &new {
            self.open(at, *side, Leads::Unknown);
        }
        (new, met)
    }

    /// Returns `true` if the floor has no rooms.
    pub(super) fn is_untouched(&self) -> bool {
        self.taken.len() <= usize::from(self.first_floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Dice as _, Seed};
    use crate::level::{GrowSettings, grow};

    /// Returns the free positions connected to the outside, by the definition in E58: flooded from outside the bounds.
    fn flooded(frontier: &Frontier) -> BTreeSet<Point> {
        let Rect { min, max } = frontier.bounds();
        let margin = Rect { min: Point::new(min.x - 1, min.y - 1), max: Point::new(max.x + 1, max.y + 1) };
        let mut reached = BTreeSet::from([margin.min]);
        let mut next = vec![margin.min];
        while let Some(place) = next.pop() {
            for neighbour in Direction::PLANE.map(|d| place.step(d)) {
                let free = margin.contains(neighbour) && frontier.is_free(neighbour);
                if free && reached.insert(neighbour) {
                    next.push(neighbour);
                }
            }
        }
        reached
    }

    /// E58: the outward search agrees with the flood for every unexplored exit, with and without the guard. With the
    /// guard, an exit leads out after each room.
    #[test]
    fn outward_search_agrees_with_flood_fill() {
        let mut enclosed = 0;
        let cases = [(false, false), (true, false), (false, true), (true, true)];
        for (seed, (finishable, diagonals)) in (0..50).flat_map(|seed| cases.map(|case| (seed, case))) {
            let settings =
                GrowSettings { max_unexplored_exits: 4, max_new_exits_per_room: 3, finishable, diagonals };
            let mut dice = Seed(seed).rng();
            let mut frontier = Frontier::new(1);
            let mut next = Some((Point::ORIGIN, Direction::East));
            for _ in 0..80 {
                let Some((from, direction)) = next else { break };
                grow(&settings, &mut frontier, from, direction, &mut dice);
                let outside = flooded(&frontier);
                let mut leads_out = false;
                for (from, direction) in frontier.open_exits() {
                    let place = from.step(direction);
                    let leads = frontier.search_region(place);
                    assert_eq!(leads == Leads::Out, outside.contains(&place), "seed {seed}");
                    let known = [(&frontier.out, Leads::Out), (&frontier.enclosed, Leads::Pocket)];
                    for (_, noted) in
                        known.into_iter().filter(|(exits, _)| exits.contains(&(from, direction)))
                    {
                        assert_eq!(noted, leads, "seed {seed}: {direction} of {from}");
                    }
                    leads_out |= outside.contains(&place);
                    enclosed += u32::from(!outside.contains(&place));
                }
                assert!(leads_out || finishable, "seed {seed}");
                let exits: Vec<_> = frontier.open_exits().collect();
                next = dice.pick(&exits).copied();
            }
        }
        assert!(enclosed > 100, "the walks met only {enclosed} pockets");
    }

    /// E10: the start room's position is reserved on floor 1 only.
    #[test]
    fn start_position_is_reserved_on_first_floor_only() {
        assert!(!Frontier::new(1).is_free(Point::ORIGIN));
        assert!(Frontier::new(2).is_free(Point::ORIGIN));
    }
}

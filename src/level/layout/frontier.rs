//! The edge of one floor: which places are taken, which exits nobody has walked yet, whether one of them still
//! leads into the open plane, and whether the floor has its stairs. Not the rooms
//! themselves: only their places.

use super::leads::Leads;
use super::survey::Survey;
use crate::base::grid::Rect;
use crate::base::{Direction, Point};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What growing needs to know of a floor. It can be made again from stored facts at any time; what it
/// remembers beyond them makes it faster and changes no answer.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// Places that hold a room, and the start's place where it is reserved.
    taken: FxHashSet<Point>,
    pub(super) open: BTreeSet<(Point, Direction)>,
    /// Open exits known to lead into an enclosed pocket.
    pub(super) enclosed: BTreeSet<(Point, Direction)>,
    /// Open exits known to lead out, by a layout that watches it.
    pub(super) out: BTreeSet<(Point, Direction)>,
    /// Places that are kept for rooms which belong together; they count as taken.
    kept: FxHashSet<Point>,
    /// Rooms in which a mechanism keeps the exits shut that nobody has walked yet.
    mechanisms: FxHashSet<Point>,
    /// Holds every taken place; beyond it everything is free.
    bounds: Rect,
    /// Whether a room of the floor has the stairs down.
    has_stairs: bool,
    /// Whether (0,0) is the start's place.
    first_floor: bool,
    /// What a layout of cells found out about the floor.
    pub(super) survey: Option<Survey>,
}

impl Frontier {
    /// An empty floor. On floor 1 the place (0,0) belongs to the start room.
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

    /// The frontier of a floor that already has rooms and unexplored exits, and may have stairs down, as they were
    /// stored.
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

    /// Whether a room could appear here.
    pub fn is_free(&self, place: Point) -> bool {
        !self.taken.contains(&place)
    }

    /// How many exits nobody has walked yet.
    pub fn open_count(&self) -> u32 {
        u32::try_from(self.open.len()).unwrap_or(u32::MAX)
    }

    /// How many rooms there are.
    pub(super) fn room_count(&self) -> u32 {
        let rooms = self.taken.len() - usize::from(self.first_floor);
        u32::try_from(rooms).unwrap_or(u32::MAX)
    }

    /// The exits nobody has walked yet, by place, then clockwise from north.
    pub fn open_exits(&self) -> impl ExactSizeIterator<Item = (Point, Direction)> {
        self.open.iter().copied()
    }

    /// The smallest rectangle around the start and all rooms.
    pub const fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Whether a room of the floor has the stairs down.
    pub const fn has_stairs(&self) -> bool {
        self.has_stairs
    }

    /// Whether it is the first floor, where (0,0) is the start's place.
    pub const fn is_first_floor(&self) -> bool {
        self.first_floor
    }

    /// Notes that a room has stairs down.
    pub const fn note_stairs(&mut self) {
        self.has_stairs = true;
    }

    /// Notes that a mechanism keeps the unexplored exits of a room shut. It counts as shut for good: what grows must not
    /// depend on what somebody has opened since.
    pub fn note_mechanism(&mut self, room: Point) {
        self.mechanisms.insert(room);
    }

    /// Whether a mechanism stands in the room at a place.
    pub fn has_mechanism(&self, room: Point) -> bool {
        self.mechanisms.contains(&room)
    }

    /// Whether an unexplored exit can be had by walking and fighting alone, and leads to a place that is no other's.
    pub(super) fn has_free_exit(&self) -> bool {
        self.open.iter().any(|exit| self.leads_on(*exit))
    }

    /// Whether nothing but walking and fighting is needed to go through an exit, and it leads to a place that is no
    /// other's.
    pub(super) fn leads_on(&self, (room, side): (Point, Direction)) -> bool {
        !self.has_mechanism(room) && !self.kept.contains(&room.step(side))
    }

    /// Whether nobody has walked an exit yet.
    pub fn is_open(&self, exit: (Point, Direction)) -> bool {
        self.open.contains(&exit)
    }

    /// Keeps places for rooms that belong together. Exits that lead there lead nowhere else.
    pub fn keep(&mut self, places: impl IntoIterator<Item = Point>) {
        for place in places {
            if self.kept.insert(place) {
                self.taken.insert(place);
                self.bounds.include(place);
                self.out.clear();
            }
        }
    }

    /// Puts one of the rooms that belong together in its place and tells its new exits, and the sides on which it meets
    /// rooms that are there already, and the exits of others that lead into it from here on. `ways` are its ways to rooms
    /// of its own kind, `ends` the sides on which the floor may go on.
    pub fn settle_kept(
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

    /// Whether an exit of another room leads out.
    pub fn has_another_way(&mut self, without: Point) -> bool {
        self.find_free_way_out(without)
    }

    /// Whether a room has exits that nobody has walked yet.
    pub(super) fn has_open_exits(&self, room: Point) -> bool {
        Direction::PLANE.into_iter().any(|side| self.open.contains(&(room, side)))
    }

    /// Registers an exit that nobody has walked yet.
    pub(super) fn open(&mut self, from: Point, direction: Direction, leads: Leads) {
        self.open.insert((from, direction));
        match leads {
            Leads::Out => self.out.insert((from, direction)),
            Leads::Pocket => self.enclosed.insert((from, direction)),
            Leads::Unknown => false,
        };
    }

    /// Takes a walked exit off the list and says where it was known to lead.
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

    /// Puts a room in a free place and returns the open exits that pointed there: they lead into the room
    /// from here on and no longer count. Where the others lead is not watched.
    pub(super) fn place(&mut self, at: Point) -> Vec<(Point, Direction)> {
        self.out.clear();
        self.fill(at)
    }

    /// Takes a place and the open exits that pointed there.
    pub(super) fn fill(&mut self, at: Point) -> Vec<(Point, Direction)> {
        let fresh = self.taken.insert(at);
        debug_assert!(fresh, "two rooms at {at}");
        self.bounds.include(at);
        let mut joined = Vec::new();
        for side in Direction::PLANE {
            let exit = (at.step(side), side.opposite());
            if !self.is_free(exit.0) && self.open.contains(&exit) {
                self.take(exit.0, exit.1);
                joined.push(exit);
            }
        }
        joined
    }

    /// Puts a room in a free place of a floor whose passages all lead both ways, and tells its new exits, and the sides on
    /// which it meets rooms that are there already. `ways` are the sides on which it may have exits.
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

    /// Whether there is no room yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.taken.len() <= usize::from(self.first_floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Dice as _, Seed};
    use crate::level::{GrowSettings, grow};

    /// E58 as it is written: flood the free places from outside the bounds.
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

    /// E58: the search outward agrees with the flood for every open exit, with the guard and without, and with
    /// the guard one exit leads out after each room.
    #[test]
    fn the_search_outward_agrees_with_the_flood() {
        let mut enclosed = 0;
        for (seed, finishable) in (0..100).flat_map(|seed| [(seed, false), (seed, true)]) {
            let settings = GrowSettings { max_unexplored_exits: 4, max_new_exits_per_room: 3, finishable };
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
                    let leads = frontier.looked_up(place);
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

    /// E10: the start's place is reserved on floor 1 and nowhere else.
    #[test]
    fn the_start_is_reserved_on_the_first_floor() {
        assert!(!Frontier::new(1).is_free(Point::ORIGIN));
        assert!(Frontier::new(2).is_free(Point::ORIGIN));
    }
}

//! Classification of unexplored exits: those into the unbounded free region, and those into an enclosed pocket.
//!
//! Rooms are only added, and all rooms are connected. If the free positions around a new room form one piece, no
//! classification changes. Otherwise the room closes a loop and splits the free region into parts, at most one of which
//! is unbounded. Only then is a search needed. The parts are searched in turns, so the cost depends on the size of the
//! smallest part, not of the floor.

use super::frontier::Frontier;
use super::leads::{Leads, LeadsBySide};
use crate::base::{Direction, Point};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Frontier {
    /// Places a room on a free position of a known region. Returns the unexplored exits that pointed there, which now
    /// lead into the room, and the regions on its sides.
    pub(super) fn place_and_classify(
        &mut self,
        at: Point,
        leads: Leads,
    ) -> (Vec<(Point, Direction)>, LeadsBySide) {
        let leads = if self.is_untouched() { Leads::Out } else { leads };
        let joined = self.fill(at);
        let mut parts = Regions::around(self, at);
        if leads == Leads::Pocket || parts.live().count() <= 1 {
            return (joined, Direction::PLANE.map(|side| (side, leads)).to_vec());
        }
        parts.search(self);
        self.out.retain(|(from, direction)| match parts.leads(from.step(*direction), Leads::Out) {
            Leads::Out => true,
            Leads::Unknown => false,
            Leads::Pocket => {
                self.enclosed.insert((*from, *direction));
                false
            }
        });
        (joined, Direction::PLANE.map(|side| (side, parts.leads(at.step(side), leads))).to_vec())
    }

    /// Returns `true` if some unexplored exit without a mechanism, or an exit proposed for the new room at `at`, leads
    /// out. Results of searches are cached.
    pub(super) fn find_outward_exit(
        &mut self,
        at: Point,
        sides: &mut LeadsBySide,
        proposed: &[Direction],
    ) -> bool {
        let of_room = |side: &Direction| proposed.contains(side);
        if sides.iter().any(|(side, leads)| *leads == Leads::Out && of_room(side)) {
            return true;
        }
        for (side, leads) in
            sides.iter_mut().filter(|(side, leads)| *leads == Leads::Unknown && of_room(side))
        {
            *leads = self.search_region(at.step(*side));
            if *leads == Leads::Out {
                return true;
            }
        }
        self.find_outward_exit_except(at)
    }

    /// Returns `true` if some unexplored exit of a room other than `without` leads out without a mechanism.
    pub(super) fn find_outward_exit_except(&mut self, without: Point) -> bool {
        let counts = |&&(room, side): &&(Point, Direction)| room != without && self.leads_on(room, side);
        if self.out.iter().any(|exit| counts(&exit)) {
            return true;
        }
        let unknown: Vec<_> = self.open.difference(&self.enclosed).filter(counts).copied().collect();
        for exit in unknown {
            if self.search_region(exit.0.step(exit.1)) == Leads::Out {
                self.out.insert(exit);
                return true;
            }
            self.enclosed.insert(exit);
        }
        false
    }

    /// Searches the region of a free position.
    pub(super) fn search_region(&self, place: Point) -> Leads {
        let mut parts = Regions::default();
        parts.add(self, place);
        while parts.outside.is_none() && parts.live().next().is_some() {
            parts.step(self, 0);
        }
        if parts.outside.is_some() { Leads::Out } else { Leads::Pocket }
    }

    /// Returns the number of steps in a straight line to the nearest position outside the bounds; 0 if outside.
    fn steps_to_outside(&self, place: Point) -> i32 {
        let (min, max) = (self.bounds().min, self.bounds().max);
        let nearest = (place.x - min.x).min(max.x - place.x).min(place.y - min.y).min(max.y - place.y);
        (nearest + 1).max(0)
    }
}

/// Parts of the free region during a search; each is searched from the positions nearest to the edge of the floor.
#[derive(Default)]
struct Regions {
    all: Vec<Region>,
    /// Part that each visited position belongs to.
    owners: FxHashMap<Point, usize>,
    /// Part that has reached the outside.
    outside: Option<usize>,
}

struct Region {
    next: BinaryHeap<(Reverse<i32>, Point)>,
    /// Part that this part was merged into.
    same_as: Option<usize>,
    /// Set when the part has been searched completely.
    whole: bool,
}

impl Regions {
    /// Creates the parts from the free positions beside a room; positions connected around the room are one part.
    fn around(frontier: &Frontier, at: Point) -> Self {
        let mut parts = Self::default();
        let sides = Direction::PLANE.map(|side| at.step(side));
        for (index, place) in sides.into_iter().enumerate().filter(|(_, place)| frontier.is_free(*place)) {
            let corner = |before: Point| Point::new(before.x + place.x - at.x, before.y + place.y - at.y);
            let joined =
                |before: &usize| frontier.is_free(sides[*before]) && frontier.is_free(corner(sides[*before]));
            let before = index.checked_sub(1).filter(joined);
            let part = before.and_then(|before| parts.owner(sides[before]));
            match part {
                Some(part) => parts.see(frontier, part, place),
                None => parts.add(frontier, place),
            }
            if index == 3
                && joined(&0)
                && let Some(first) = parts.owner(sides[0])
            {
                let last = parts.owner(place).unwrap_or(first);
                parts.unite(first, last);
            }
        }
        parts
    }

    fn add(&mut self, frontier: &Frontier, place: Point) {
        self.all.push(Region { next: BinaryHeap::new(), same_as: None, whole: false });
        self.see(frontier, self.all.len() - 1, place);
    }

    fn see(&mut self, frontier: &Frontier, part: usize, place: Point) {
        self.owners.insert(place, part);
        self.all[part].next.push((Reverse(frontier.steps_to_outside(place)), place));
    }

    fn root(&self, mut part: usize) -> usize {
        while let Some(same) = self.all[part].same_as {
            part = same;
        }
        part
    }

    fn owner(&self, place: Point) -> Option<usize> {
        self.owners.get(&place).map(|part| self.root(*part))
    }

    fn unite(&mut self, part: usize, other: usize) {
        if part != other {
            let mut next = std::mem::take(&mut self.all[other].next);
            self.all[part].next.append(&mut next);
            self.all[other].same_as = Some(part);
        }
    }

    /// Returns the parts that are not classified yet.
    fn live(&self) -> impl Iterator<Item = usize> {
        let live = |part: &Region| part.same_as.is_none() && !part.whole;
        self.all.iter().enumerate().filter(move |(_, part)| live(part)).map(|(index, _)| index)
    }

    /// Searches in turns until a part leads out, or all parts but one are known to be pockets.
    fn search(&mut self, frontier: &Frontier) {
        while self.outside.is_none() && self.live().nth(1).is_some() {
            for part in 0..self.all.len() {
                if self.outside.is_none() && self.live().any(|live| live == part) {
                    self.step(frontier, part);
                }
            }
        }
    }

    /// Visits one more position of a part.
    fn step(&mut self, frontier: &Frontier, part: usize) {
        let Some((Reverse(left), place)) = self.all[part].next.pop() else {
            self.all[part].whole = true;
            return;
        };
        if left == 0 {
            self.outside = Some(part);
            return;
        }
        for beside in Direction::PLANE.map(|side| place.step(side)) {
            if frontier.is_free(beside) {
                match self.owner(beside) {
                    None => self.see(frontier, part, beside),
                    Some(owner) => self.unite(part, owner),
                }
            }
        }
    }

    /// Returns the region of a position after the search; `before` is the region that was split.
    fn leads(&self, place: Point, before: Leads) -> Leads {
        match (self.owner(place), self.outside) {
            (Some(owner), _) if self.all[owner].whole => Leads::Pocket,
            (Some(owner), Some(outside)) if owner == outside => Leads::Out,
            (Some(_), Some(_)) => Leads::Pocket,
            // The position is in a part that was not searched completely; which part is unknown.
            (None, Some(_)) => Leads::Unknown,
            (_, None) => before,
        }
    }
}

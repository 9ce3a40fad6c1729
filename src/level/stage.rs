//! The stages of a floor that is being made. Each is a type of its own that only the stage before can give, and each
//! kind of part works on one of them: a wrong order does not compile.
//!
//! `EmptyFloor -> PartitionedFloor -> RoomedFloor -> DecoratedFloor -> PortalledFloor -> PopulatedFloor -> StockedFloor`,
//! and after that [`super::verify`] makes a [`super::FloorPlan`] of it.
//!
//! ```compile_fail
//! use deepwell::base::Rng;
//! use deepwell::level::{EmptyFloor, ItemAdder, ItemSource};
//! fn too_early(floor: &mut EmptyFloor, adder: &dyn ItemAdder, source: &dyn ItemSource, dice: &mut Rng) {
//!     adder.add_items(floor, source, dice);
//! }
//! ```

use super::ground::{Cell, Ground, Location, extent};
use super::plan::{Portal, Role, Sketch};
use super::section::{Joint, Section};
use super::site::{Context, Growing, Material, Site};
use crate::base::{Dice, Direction, Point, Rng};
use std::collections::{BTreeMap, BTreeSet};

/// A floor of which nothing is known but what it is for.
#[derive(Debug)]
pub struct EmptyFloor(Site);

impl EmptyFloor {
    /// Begins a floor.
    pub const fn new(site: Site) -> Self {
        Self(site)
    }

    /// What it is made for.
    pub const fn site(&self) -> &Site {
        &self.0
    }

    /// What its level type says of it.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Cuts it into sections, which are joined already.
    pub fn partitioned(self, sections: Vec<Section>) -> PartitionedFloor {
        PartitionedFloor(Ground::new(self.0, sections))
    }
}

/// A floor of solid ground with sections and links.
#[derive(Debug)]
pub struct PartitionedFloor(pub(super) Ground);

impl PartitionedFloor {
    /// Its sections.
    pub fn sections(&self) -> &[Section] {
        &self.0.sections
    }

    /// Chooses where one arrives, and moves everything so that this is where it has to be: next to the start room if one
    /// comes from there through an exit, at (0,0) below stairs.
    pub(super) fn settle(&mut self, entry: Option<Direction>, dice: &mut Rng) {
        let edge = |section: &Section, side: Direction| match side {
            Direction::North => section.bounds.max.y == self.0.covered.max.y,
            Direction::East => section.bounds.max.x == self.0.covered.max.x,
            Direction::South => section.bounds.min.y == self.0.covered.min.y,
            Direction::West => section.bounds.min.x == self.0.covered.min.x,
            _ => true,
        };
        let fits = |section: &Section| entry.is_none_or(|entry| edge(section, entry.opposite()));
        let able: Vec<usize> =
            (0..self.0.sections.len()).filter(|n| self.0.sections.get(*n).is_some_and(fits)).collect();
        self.0.arrival = dice.pick(&able).copied().unwrap_or_default();
        self.0.entry = entry;
        let to = entry.map_or(Point::ORIGIN, |entry| Point::ORIGIN.step(entry));
        self.0.shift(self.0.arrival_at(), to);
    }

    /// The ground of a section, for its room generator.
    pub fn section(&mut self, number: usize) -> Option<SectionGround<'_>> {
        (number < self.0.sections.len()).then_some(SectionGround { ground: &mut self.0, number })
    }

    /// Ends the stage.
    pub(super) fn roomed(self) -> RoomedFloor {
        RoomedFloor(self.0)
    }
}

/// The ground of one section: where a room generator works.
#[derive(Debug)]
pub struct SectionGround<'a> {
    ground: &'a mut Ground,
    number: usize,
}

impl SectionGround<'_> {
    /// What the level type says of its floors.
    pub fn context(&self) -> &Context {
        &self.ground.site.context
    }

    /// The section: its bounds, its centre, and its links with their connection points.
    pub fn section(&self) -> &Section {
        &self.ground.sections[self.number]
    }

    /// Width and length of the section in paces: its share of the level's size.
    pub fn paces(&self) -> (u32, u32) {
        let (size, whole) = (self.ground.site.context.size, extent(&self.ground.covered));
        let own = extent(&self.section().bounds);
        (size.0 * own.0 / whole.0.max(1), size.1 * own.1 / whole.1.max(1))
    }

    /// The least width and length of its room, in paces.
    pub const fn room_min_size(&self) -> (u32, u32) {
        self.ground.site.room_min_size
    }

    /// Whether one arrives here on a whole floor.
    pub const fn is_arrival(&self) -> bool {
        self.ground.arrival == self.number && self.ground.site.growing.is_none()
    }

    /// Digs the room at the centre.
    pub fn make_room(&mut self, shape: &str, size: (u32, u32), ground: &Material, wall: &Material) {
        let (at, least) = (self.section().centre, self.room_min_size());
        self.ground.dig(at, Role::Section(self.number), Cell { ground: ground.clone(), wall: wall.clone() });
        if let Some(room) = self.ground.rooms.get_mut(&at) {
            shape.clone_into(&mut room.space.shape);
            (room.space.width, room.space.length) = (size.0.max(least.0), size.1.max(least.1));
        }
        self.ground.last = Some(at);
    }

    /// Sets the room apart for treasure.
    pub fn make_chamber(&mut self) {
        let at = self.section().centre;
        if let Some(room) = self.ground.rooms.get_mut(&at) {
            room.role = Role::Chamber(self.number);
        }
    }

    /// Digs the ways from the room to all connection points: straight out to the edge of the section, then along it.
    pub fn join_links(&mut self, ground: &Material, wall: &Material) {
        let links = self.section().links.clone();
        for link in links {
            self.join(link, ground, wall);
        }
    }

    fn join(&mut self, link: Joint, ground: &Material, wall: &Material) {
        let mut at = self.section().centre;
        let mut go = |dug: &mut Ground, direction: Direction| {
            let from = at;
            at = from.step(direction);
            dug.corridor(at, ground, wall);
            dug.open(from, direction);
            at
        };
        let (centre, end) = (self.section().centre, link.at);
        let (out, across) = match link.side {
            Direction::North | Direction::South => (end.y.abs_diff(centre.y), end.x - centre.x),
            _ => (end.x.abs_diff(centre.x), end.y - centre.y),
        };
        let turn = match link.side {
            Direction::North | Direction::South if across > 0 => Direction::East,
            Direction::North | Direction::South => Direction::West,
            _ if across > 0 => Direction::North,
            _ => Direction::South,
        };
        for _ in 0..out {
            go(self.ground, link.side);
        }
        for _ in 0..across.unsigned_abs() {
            go(self.ground, turn);
        }
        self.ground.open(end, link.side);
    }
}

impl Ground {
    /// Digs a part of a way, or does nothing where there is a room.
    fn corridor(&mut self, at: Point, ground: &Material, wall: &Material) {
        if self.rooms.contains_key(&at) {
            return;
        }
        self.dig(at, Role::Corridor, Cell { ground: ground.clone(), wall: wall.clone() });
        if let Some(room) = self.rooms.get_mut(&at) {
            let (size, whole) = (self.site.context.size, extent(&self.covered));
            "corridor".clone_into(&mut room.space.shape);
            (room.space.width, room.space.length) =
                ((size.0 / whole.0.max(1)).max(1), (size.1 / whole.1.max(1)).max(1));
        }
    }
}

/// What all stages with rooms let one see.
macro_rules! sight {
    ($($stage:ident)*) => {$(
        impl $stage {
            /// What the floor is made for.
            pub const fn site(&self) -> &Site {
                &self.0.site
            }

            /// What its level type says of it.
            pub fn context(&self) -> &Context {
                &self.0.site.context
            }

            /// Its sections.
            pub fn sections(&self) -> &[Section] {
                &self.0.sections
            }

            /// Its rooms, by their places.
            pub const fn rooms(&self) -> &BTreeMap<Point, Sketch> {
                &self.0.rooms
            }

            /// Every place of the ground, dug or solid, row by row from the south-west.
            pub fn cells(&self) -> impl Iterator<Item = (Point, &Cell)> {
                self.0.cells()
            }

            /// Where one arrives.
            pub fn arrival(&self) -> Point {
                self.0.arrival_at()
            }

            /// The places of rooms of a kind, in the order of places.
            pub fn spots(&self, location: Location) -> Vec<Point> {
                self.0.spots(location)
            }
        }
    )*};
}

sight! { RoomedFloor DecoratedFloor PortalledFloor PopulatedFloor StockedFloor }

/// A floor with rooms and ways: what decorators change.
#[derive(Debug)]
pub struct RoomedFloor(pub(super) Ground);

impl RoomedFloor {
    /// Every place of the ground, to be changed.
    pub fn cells_mut(&mut self) -> impl Iterator<Item = (Point, &mut Cell)> {
        self.0.cells_mut()
    }

    /// What a place is made of; none beyond the edge.
    pub fn cell(&self, at: Point) -> Option<&Cell> {
        self.0.cell(at)
    }

    /// Changes what fills a place.
    pub fn set_wall(&mut self, at: Point, wall: &Material) {
        if let Some(cell) = self.0.cell_mut(at) {
            cell.wall = wall.clone();
        }
    }

    /// Ends the stage: from here on rooms know their floor and the walls on their sides.
    pub(super) fn decorated(mut self) -> DecoratedFloor {
        let back = self.0.entry.map(|entry| (self.0.arrival_at(), entry.opposite()));
        let mut rooms = std::mem::take(&mut self.0.rooms);
        let dug: BTreeSet<Point> = rooms.keys().copied().collect();
        for room in rooms.values_mut() {
            if let Some(cell) = self.0.cell(room.at) {
                room.space.ground = cell.ground.to_string();
            }
            for side in Direction::PLANE {
                if room.exits.contains(&side) || back == Some((room.at, side)) {
                    continue;
                }
                let beyond = room.at.step(side);
                let solid = self.0.cell(beyond).filter(|_| !dug.contains(&beyond));
                let wall = solid.map_or_else(|| self.0.raw_wall(), |cell| &cell.wall);
                room.space.walls.insert(side, wall.to_string());
            }
        }
        self.0.rooms = rooms;
        DecoratedFloor(self.0)
    }
}

/// A floor that looks as it will look: what portals are placed on.
#[derive(Debug)]
pub struct DecoratedFloor(pub(super) Ground);

impl DecoratedFloor {
    /// The section room made last.
    pub const fn last_room(&self) -> Option<Point> {
        self.0.last
    }

    /// How the room came to be, if the floor is only one new room of a floor that grows.
    pub const fn growing(&self) -> Option<Growing> {
        self.0.site.growing
    }

    /// The places of rooms of a kind where a portal may be: there is none yet, and it is not where one arrives, unless there
    /// is nowhere else.
    pub fn portal_spots(&self, location: Location) -> Vec<Point> {
        let free = |at: &Point| self.0.rooms.get(at).is_some_and(|room| room.portal.is_none());
        let mut spots = self.0.spots(location);
        spots.retain(free);
        if spots.len() > 1 && self.0.site.growing.is_none() {
            spots.retain(|at| *at != self.0.arrival_at());
        }
        spots
    }

    /// Puts a portal into a room without one. False if there is no room for it, or a unique one stands already.
    pub fn place_portal(&mut self, at: Point, portal: Portal) -> bool {
        match self.0.rooms.get_mut(&at) {
            Some(room) if room.portal.is_none() && self.0.site.used.allows_portal(&portal) => {
                self.0.site.used.note_portal(&portal);
                room.portal = Some(portal);
                true
            }
            _ => false,
        }
    }

    /// Ends the stage.
    pub(super) fn portalled(self) -> PortalledFloor {
        PortalledFloor(self.0)
    }
}

/// A floor with all its ways: what creatures are placed on.
#[derive(Debug)]
pub struct PortalledFloor(pub(super) Ground);

impl PortalledFloor {
    /// Puts a creature into a room.
    pub fn add_creature(&mut self, at: Point, key: String) {
        if let Some(room) = self.0.rooms.get_mut(&at) {
            room.creatures.push(key);
        }
    }

    /// Lets the theme put one of its perils into a room.
    pub fn allow_perils(&mut self, at: Point) {
        if let Some(room) = self.0.rooms.get_mut(&at) {
            room.perils = true;
        }
    }

    /// Ends the stage.
    pub(super) fn populated(self) -> PopulatedFloor {
        PopulatedFloor(self.0)
    }
}

/// A floor with those who live on it: what items are placed on.
#[derive(Debug)]
pub struct PopulatedFloor(pub(super) Ground);

impl PopulatedFloor {
    /// Puts an item into a room.
    pub fn add_item(&mut self, at: Point, key: String) {
        if let Some(room) = self.0.rooms.get_mut(&at) {
            room.items.push(key);
        }
    }

    /// Ends the stage.
    pub(super) fn stocked(self) -> StockedFloor {
        StockedFloor(self.0)
    }
}

/// A floor that only has to be proved.
#[derive(Debug)]
pub struct StockedFloor(pub(super) Ground);

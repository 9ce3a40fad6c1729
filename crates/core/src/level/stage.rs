//! Stages of a floor under construction. Each stage is a type that only the previous stage can produce, and each kind
//! of part works on one stage, so a wrong order does not compile:
//!
//! `EmptyFloor -> PartitionedFloor -> RoomedFloor -> DecoratedFloor -> PortalledFloor -> PopulatedFloor ->
//! StockedFloor`.
//!
//! Finally [`super::verify`] produces a [`super::FloorPlan`].
//!
//! ```compile_fail
//! use deepwell::base::Rng;
//! use deepwell::level::{EmptyFloor, ItemAdder, ItemSource};
//! fn too_early(floor: &mut EmptyFloor, adder: &dyn ItemAdder, source: &dyn ItemSource, dice: &mut Rng) {
//!     adder.add_items(floor, source, dice);
//! }
//! ```

use super::ground::{Ground, GroundCell, Location, extent};
use super::plan::{Portal, RoomRole, Sketch};
use super::site::{Context, FloorSite, Growing, Material};
use crate::base::{Dice, Direction, Point, Rng};
use crate::level::partition::section::{Joint, Section};
use std::collections::{BTreeMap, BTreeSet};

/// A floor without contents.
#[derive(Debug)]
pub struct EmptyFloor(FloorSite);

impl EmptyFloor {
    /// Creates a floor.
    pub const fn new(site: FloorSite) -> Self {
        Self(site)
    }

    /// Returns the inputs of the floor.
    pub const fn site(&self) -> &FloorSite {
        &self.0
    }

    /// Returns the configuration of its level type.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Cuts the floor into sections, which are linked already.
    pub fn partitioned(self, sections: Vec<Section>) -> PartitionedFloor {
        PartitionedFloor(Ground::new(self.0, sections))
    }
}

/// A floor of solid ground with linked sections.
#[derive(Debug)]
pub struct PartitionedFloor(pub(super) Ground);

impl PartitionedFloor {
    /// Returns its sections.
    pub fn sections(&self) -> &[Section] {
        &self.0.sections
    }

    /// Picks the arrival section and moves the floor accordingly: next to the start room if an exit leads from there,
    /// to (0,0) below stairs.
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

    /// Returns the ground of a section for its room generator, or `None` if the index is out of range.
    pub fn section(&mut self, number: usize) -> Option<SectionGround<'_>> {
        (number < self.0.sections.len()).then_some(SectionGround { ground: &mut self.0, number })
    }

    /// Ends the stage.
    pub(super) fn roomed(self) -> RoomedFloor {
        RoomedFloor(self.0)
    }
}

/// The ground of one section, on which a room generator works.
#[derive(Debug)]
pub struct SectionGround<'a> {
    ground: &'a mut Ground,
    number: usize,
}

impl SectionGround<'_> {
    /// Returns the configuration of the level type.
    pub fn context(&self) -> &Context {
        &self.ground.site.context
    }

    /// Returns the section with its links and their connection points.
    pub fn section(&self) -> &Section {
        &self.ground.sections[self.number]
    }

    /// Returns the width and length of the section in paces: its share of the level's size.
    pub fn paces(&self) -> (u32, u32) {
        let (size, whole) = (self.ground.site.context.size, extent(&self.ground.covered));
        let own = extent(&self.section().bounds);
        (size.0 * own.0 / whole.0.max(1), size.1 * own.1 / whole.1.max(1))
    }

    /// Returns the minimum width and length of its room, in paces.
    pub const fn room_min_size(&self) -> (u32, u32) {
        self.ground.site.room_min_size
    }

    /// Returns `true` if this is the arrival section of a whole floor.
    pub const fn is_arrival(&self) -> bool {
        self.ground.arrival == self.number && self.ground.site.growing.is_none()
    }

    /// Digs the room at the centre. Sizes below the minimum are raised to it.
    pub fn make_room(&mut self, shape: &str, size: (u32, u32), ground: &Material, wall: &Material) {
        let (at, least) = (self.section().centre, self.room_min_size());
        self.ground.dig(
            at,
            RoomRole::Section(self.number),
            GroundCell { ground: ground.clone(), wall: wall.clone() },
        );
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
            room.role = RoomRole::Chamber(self.number);
        }
    }

    /// Digs the corridors from the room to all connection points: straight out to the edge of the section, then along
    /// it.
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
    /// Digs a part of a corridor, or does nothing if the position has a room.
    fn corridor(&mut self, at: Point, ground: &Material, wall: &Material) {
        if self.rooms.contains_key(&at) {
            return;
        }
        self.dig(at, RoomRole::Corridor, GroundCell { ground: ground.clone(), wall: wall.clone() });
        if let Some(room) = self.rooms.get_mut(&at) {
            let (size, whole) = (self.site.context.size, extent(&self.covered));
            "corridor".clone_into(&mut room.space.shape);
            (room.space.width, room.space.length) =
                ((size.0 / whole.0.max(1)).max(1), (size.1 / whole.1.max(1)).max(1));
        }
    }
}

/// Read access common to all stages with rooms.
macro_rules! sight {
    ($($stage:ident)*) => {$(
        impl $stage {
            /// Returns the inputs of the floor.
            pub const fn site(&self) -> &FloorSite {
                &self.0.site
            }

            /// Returns the configuration of its level type.
            pub fn context(&self) -> &Context {
                &self.0.site.context
            }

            /// Returns its sections.
            pub fn sections(&self) -> &[Section] {
                &self.0.sections
            }

            /// Returns its rooms, by position.
            pub const fn rooms(&self) -> &BTreeMap<Point, Sketch> {
                &self.0.rooms
            }

            /// Returns all cells of the ground, dug or solid, row by row from the south-west.
            pub fn cells(&self) -> impl Iterator<Item = (Point, &GroundCell)> {
                self.0.cells()
            }

            /// Returns the position of the arrival room.
            pub fn arrival(&self) -> Point {
                self.0.arrival_at()
            }

            /// Returns the positions of matching rooms, in order of position.
            pub fn spots(&self, location: Location) -> Vec<Point> {
                self.0.spots(location)
            }
        }
    )*};
}

sight! { RoomedFloor DecoratedFloor PortalledFloor PopulatedFloor StockedFloor }

/// A floor with rooms and corridors, which decorators change.
#[derive(Debug)]
pub struct RoomedFloor(pub(super) Ground);

impl RoomedFloor {
    /// Returns all cells of the ground for modification.
    pub fn cells_mut(&mut self) -> impl Iterator<Item = (Point, &mut GroundCell)> {
        self.0.cells_mut()
    }

    /// Returns a cell, or `None` outside the ground.
    pub fn cell(&self, at: Point) -> Option<&GroundCell> {
        self.0.cell(at)
    }

    /// Sets the wall material of a cell. Does nothing outside the ground.
    pub fn set_wall(&mut self, at: Point, wall: &Material) {
        if let Some(cell) = self.0.cell_mut(at) {
            cell.wall = wall.clone();
        }
    }

    /// Ends the stage and records the ground and wall materials in the rooms.
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

/// A floor with its final appearance, on which portals are placed.
#[derive(Debug)]
pub struct DecoratedFloor(pub(super) Ground);

impl DecoratedFloor {
    /// Returns the position of the section room dug last.
    pub const fn last_room(&self) -> Option<Point> {
        self.0.last
    }

    /// Returns the inputs of the room, if this is a single new room of a growing floor.
    pub const fn growing(&self) -> Option<Growing> {
        self.0.site.growing
    }

    /// Returns the positions of matching rooms without a portal. The arrival room of a whole floor is excluded unless
    /// it is the only match.
    pub fn portal_spots(&self, location: Location) -> Vec<Point> {
        let free = |at: &Point| self.0.rooms.get(at).is_some_and(|room| room.portal.is_none());
        let mut spots = self.0.spots(location);
        spots.retain(free);
        if spots.len() > 1 && self.0.site.growing.is_none() {
            spots.retain(|at| *at != self.0.arrival_at());
        }
        spots
    }

    /// Places a portal in a room. Returns `false` if there is no such room, the room already has a portal, or the
    /// branch already has this unique portal.
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

/// A floor with all its portals, on which creatures are placed.
#[derive(Debug)]
pub struct PortalledFloor(pub(super) Ground);

impl PortalledFloor {
    /// Adds a creature to a room.
    pub fn add_creature(&mut self, at: Point, key: String) {
        if let Some(room) = self.0.rooms.get_mut(&at) {
            room.creatures.push(key);
        }
    }

    /// Lets the theme add one of its perils to a room.
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

/// A floor with its creatures, on which items are placed.
#[derive(Debug)]
pub struct PopulatedFloor(pub(super) Ground);

impl PopulatedFloor {
    /// Adds an item to a room.
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

/// A complete floor that is yet to be verified.
#[derive(Debug)]
pub struct StockedFloor(pub(super) Ground);

//! The ground that the stages of the pipeline work on: a rectangle of cells, each with a ground and a wall material,
//! and the rooms dug into it. The stages of [`super::stage`] restrict which operations are allowed when.

use super::plan::{RoomRole, Sketch};
use super::site::{FloorSite, Material};
use crate::base::grid::Rect;
use crate::base::{Direction, Point, listed};
use crate::level::partition::section::Section;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One cell of the ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundCell {
    /// Material of the floor.
    pub ground: Material,
    /// Material that fills the cell.
    pub wall: Material,
}

listed! {
    /// Kind of room in which something is placed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Location {
        /// Rooms of sections.
        Room = "room",
        /// Corridors between sections.
        Corridor = "corridor",
        /// Rooms set apart for treasure.
        Chamber = "chamber",
        /// Any room or corridor.
        Anywhere = "anywhere",
    }
}

impl Location {
    /// Returns `true` if a room of this role is included.
    pub const fn holds(self, role: RoomRole) -> bool {
        match self {
            Self::Room => matches!(role, RoomRole::Section(_)),
            Self::Corridor => matches!(role, RoomRole::Corridor),
            Self::Chamber => matches!(role, RoomRole::Chamber(_)),
            Self::Anywhere => true,
        }
    }
}

/// The ground and the rooms dug so far.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) site: FloorSite,
    /// Area covered by the sections.
    pub(super) covered: Rect,
    /// The same area with a border of solid ground, one cell wide.
    bounds: Rect,
    cells: Vec<GroundCell>,
    pub(super) sections: Vec<Section>,
    pub(super) rooms: BTreeMap<Point, Sketch>,
    /// Index of the arrival section.
    pub(super) arrival: usize,
    /// Direction of the start room's exit that leads to the floor.
    pub(super) entry: Option<Direction>,
    /// Position of the section room dug last.
    pub(super) last: Option<Point>,
    pub(super) steps: Vec<String>,
}

impl Ground {
    /// Creates solid ground under the sections.
    pub(super) fn new(site: FloorSite, sections: Vec<Section>) -> Self {
        let mut covered = sections.first().map_or(Rect::at(Point::ORIGIN), |first| first.bounds);
        for section in &sections {
            covered.include(section.bounds.min);
            covered.include(section.bounds.max);
        }
        let bounds = Rect {
            min: Point::new(covered.min.x - 1, covered.min.y - 1),
            max: Point::new(covered.max.x + 1, covered.max.y + 1),
        };
        let solid =
            GroundCell { ground: Arc::clone(&site.context.ground), wall: Arc::clone(&site.context.wall) };
        let (width, height) = extent(&bounds);
        let cells = vec![solid; width as usize * height as usize];
        Self {
            site,
            covered,
            bounds,
            cells,
            sections,
            rooms: BTreeMap::new(),
            arrival: 0,
            entry: None,
            last: None,
            steps: Vec::new(),
        }
    }

    /// Moves all contents so that the position `from` ends up at `to`.
    pub(super) fn shift(&mut self, from: Point, to: Point) {
        let by = Point::new(to.x - from.x, to.y - from.y);
        let moved = |p: Point| Point::new(p.x + by.x, p.y + by.y);
        let whole = |r: Rect| Rect { min: moved(r.min), max: moved(r.max) };
        (self.covered, self.bounds) = (whole(self.covered), whole(self.bounds));
        for section in &mut self.sections {
            section.bounds = whole(section.bounds);
            section.centre = moved(section.centre);
            for link in &mut section.links {
                link.at = moved(link.at);
            }
        }
    }

    fn index(&self, at: Point) -> Option<usize> {
        if !self.bounds.contains(at) {
            return None;
        }
        let (x, y) = (at.x.abs_diff(self.bounds.min.x), at.y.abs_diff(self.bounds.min.y));
        Some(y as usize * extent(&self.bounds).0 as usize + x as usize)
    }

    pub(super) fn cell(&self, at: Point) -> Option<&GroundCell> {
        self.cells.get(self.index(at)?)
    }

    pub(super) fn cell_mut(&mut self, at: Point) -> Option<&mut GroundCell> {
        let index = self.index(at)?;
        self.cells.get_mut(index)
    }

    /// Returns all cells with their positions, row by row from the south-west.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Point, &GroundCell)> {
        places(self.bounds).zip(&self.cells)
    }

    pub(super) fn cells_mut(&mut self) -> impl Iterator<Item = (Point, &mut GroundCell)> {
        places(self.bounds).zip(&mut self.cells)
    }

    /// Sets the cell and adds a room there, unless a room exists already. Does nothing outside the ground.
    pub(super) fn dig(&mut self, at: Point, role: RoomRole, cell: GroundCell) {
        let Some(place) = self.cell_mut(at) else { return };
        *place = cell;
        self.rooms.entry(at).or_insert_with(|| Sketch { role, ..Sketch::bare(at) });
    }

    /// Logs a step and the parts that ran. Skipped for single rooms, whose log is never read.
    pub(super) fn note<'n>(&mut self, step: &str, parts: impl IntoIterator<Item = &'n str>) {
        if self.site.growing.is_none() {
            let parts: Vec<&str> = parts.into_iter().collect();
            let by = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
            self.steps.push(format!("{step}{by}"));
        }
    }

    /// Opens the passage between a room and its neighbour.
    pub(super) fn open(&mut self, at: Point, direction: Direction) {
        for (at, direction) in [(at, direction), (at.step(direction), direction.opposite())] {
            if let Some(room) = self.rooms.get_mut(&at) {
                room.exits.insert(direction);
            }
        }
    }

    /// Returns the positions of matching rooms, in order of position.
    pub(super) fn spots(&self, location: Location) -> Vec<Point> {
        self.rooms.values().filter(|room| location.holds(room.role)).map(|room| room.at).collect()
    }

    /// Returns the wall material of untouched ground, taken from a corner of the border.
    pub(super) fn raw_wall(&self) -> &Material {
        self.cells.first().map_or(&self.site.context.wall, |cell| &cell.wall)
    }

    /// Returns the position of the arrival room.
    pub(super) fn arrival_at(&self) -> Point {
        self.sections.get(self.arrival).map_or(Point::ORIGIN, |section| section.centre)
    }
}

/// Returns the width and height in cells.
pub(super) fn extent(bounds: &Rect) -> (u32, u32) {
    (bounds.max.x.abs_diff(bounds.min.x) + 1, bounds.max.y.abs_diff(bounds.min.y) + 1)
}

/// Returns the positions in a rectangle, row by row from the south-west.
fn places(bounds: Rect) -> impl Iterator<Item = Point> {
    (bounds.min.y..=bounds.max.y)
        .flat_map(move |y| (bounds.min.x..=bounds.max.x).map(move |x| Point::new(x, y)))
}

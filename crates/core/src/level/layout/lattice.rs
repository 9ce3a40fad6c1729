//! Straight-line maze: halls on a lattice, open where noise is high. Endless in all directions and determined by the
//! seed alone.

use super::cells::{may_bar, place};
use super::growth::{Arrival, GrownFloor, Growth, Layout};
use super::plane::{Cells, Plane};
use super::survey::{Wants, is_satisfiable};
use crate::base::grid::Rect;
use crate::base::{Point, Rng, Seed};
use crate::data::Reader;
use crate::level::noise::{Noise, ONE, SCALE_MAX};
use std::sync::Arc;

/// The layout `lattice`. Its defaults are the values of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// Distance of neighbouring cells in the noise, in thousandths.
    scale: u32,
    /// Threshold above which a sample counts, in thousandths.
    threshold: i32,
    wants: Wants,
}

impl Default for Lattice {
    fn default() -> Self {
        let wants =
            Wants { window: Wants::WINDOW_MAX, least_region: 900, stairs_percent: 10, stairs_within: 12 };
        Self { scale: 500, threshold: -250, wants }
    }
}

impl Lattice {
    /// Name used in content.
    pub const NAME: &'static str = "lattice";

    /// Reads its keys: `scale`, `threshold`, and the keys common to all layouts of cells: `window`, `least_region`,
    /// `stairs_percent`, `stairs_within`.
    pub fn read(reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        let usual = Self::default();
        let lattice = Self {
            scale: reader.number_or("scale", 1..=SCALE_MAX, usual.scale),
            threshold: reader.signed_or("threshold", -1_000..=1_000, usual.threshold),
            wants: Wants::read(reader, usual.wants.least_region),
        };
        if !is_satisfiable(&lattice, &lattice.wants) {
            reader.record_mistake(
                "least_region",
                "is more than such a maze has",
                "a smaller region, or a lower `threshold`",
            );
        }
        Arc::new(lattice)
    }
}

/// The cells of one maze.
pub(super) struct Maze {
    /// `None` in the plain maze.
    noise: Option<Noise>,
    scale: u32,
    threshold: i64,
}

impl Maze {
    fn is_high(&self, cell: Point) -> bool {
        self.noise.is_none_or(|noise| noise.at(cell, self.scale) > self.threshold)
    }
}

impl Cells for Maze {
    /// Returns `true` for the centre, and for cells above the threshold whose eastern or northern neighbour is above it
    /// too.
    fn is_open(&self, cell: Point) -> bool {
        let Point { x, y } = cell;
        let beyond = || self.is_high(Point::new(x + 1, y)) || self.is_high(Point::new(x, y + 1));
        cell == Point::ORIGIN || self.is_high(cell) && beyond()
    }

    fn open_cells(&self, area: Rect) -> Vec<bool> {
        let Rect { min, max } = area;
        let row = |y: i32| (min.x..=max.x + 1).map(|x| self.is_high(Point::new(x, y))).collect::<Vec<bool>>();
        let mut open = Vec::new();
        let mut high = row(min.y);
        for y in min.y..=max.y {
            let above = row(y + 1);
            let beyond = high.iter().skip(1).zip(&above).map(|(east, north)| *east || *north);
            open.extend(
                high.iter()
                    .zip(beyond)
                    .zip(min.x..)
                    .map(|((high, beyond), x)| *high && beyond || Point::new(x, y) == Point::ORIGIN),
            );
            high = above;
        }
        open
    }
}

impl Plane for Lattice {
    type Cells = Maze;

    fn cells(&self, seed: Option<Seed>) -> Maze {
        Maze {
            noise: seed.map(Noise::new),
            scale: self.scale,
            threshold: i64::from(self.threshold) * (ONE / 1_000),
        }
    }

    fn fingerprint(&self) -> Seed {
        let Wants { window, least_region, stairs_percent, stairs_within } = self.wants;
        let threshold = self.threshold.cast_unsigned();
        [self.scale, threshold, window, least_region, stairs_percent, stairs_within]
            .into_iter()
            .fold(Seed(0).named(Self::NAME), |seed, number| seed.numbered(u64::from(number)))
    }
}

impl Layout for Lattice {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn place(&self, ground: GrownFloor<'_>, arrival: Arrival, _dice: &mut Rng) -> Growth {
        place(self, &self.wants, ground, arrival)
    }

    fn may_bar(&self, ground: GrownFloor<'_>, room: Point) -> bool {
        may_bar(self, &ground, room)
    }
}

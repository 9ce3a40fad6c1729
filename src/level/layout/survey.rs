//! What a floor of cells has to offer around the place where one arrives: a seed is looked for whose cells have it.

use super::plane::{Cells, Plane};
use crate::base::grid::Rect;
use crate::base::{Direction, Point, Seed};
use crate::data::Reader;
use crate::level::noise::{place_percent, place_seed};

/// What a floor has to offer around the place where one arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wants {
    /// Width and height of the square around the arrival that is looked at.
    pub(super) window: u32,
    /// How many cells of it can be reached at least.
    pub(super) least_region: u32,
    /// In how many of 100 cells stairs lead down.
    pub(super) stairs_percent: u32,
    /// How many steps from the arrival there are stairs at the latest.
    pub(super) stairs_within: u32,
}

impl Wants {
    /// Widest square: its cells and their surroundings have room in the words of the automaton.
    pub(super) const WINDOW_MAX: u32 = 40;

    /// Reads the keys that all layouts of cells have.
    pub(super) fn read(reader: &mut Reader<'_>, least_region: u32) -> Self {
        let window = reader.number_or("window", 10..=Self::WINDOW_MAX, Self::WINDOW_MAX);
        Self {
            window,
            least_region: reader.number_or(
                "least_region",
                1..=window * window,
                least_region.min(window * window),
            ),
            stairs_percent: reader.number_or("stairs_percent", 0..=100, 10),
            stairs_within: reader.number_or("stairs_within", 1..=window, 12.min(window)),
        }
    }
}

/// What was found out about a floor before its first room. It follows from the floor's seed and the layout alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Survey {
    /// What it was made for.
    pub(super) key: Seed,
    /// The seed of the floor's cells; none if no draw was good enough, and the plain plane stands in.
    pub(super) seed: Option<Seed>,
    /// Cells that have stairs because there would be none near the arrival.
    stairs: Vec<Point>,
}

/// How many seeds are tried until the plain plane stands in.
const TRIES: u64 = 64;

/// Whether the layout finds what it wants on floors of every kind; to be asked when content is read.
pub(super) fn is_satisfiable(plane: &impl Plane, wants: &Wants) -> bool {
    let floors = (0..4).flat_map(|seed| [(Seed(seed), true), (Seed(seed), false)]);
    floors.into_iter().all(|(seed, first)| survey(plane, wants, seed, first).seed.is_some())
}

/// Finds the first derived seed whose cells offer what is wanted.
///
/// On the first floor (0,0) belongs to the start, and one arrives in one of its four neighbours: all four shall be
/// in the same region, which leaves out (0,0). So the cells do not depend on the exit somebody took.
pub(super) fn survey(plane: &impl Plane, wants: &Wants, floor: Seed, first: bool) -> Survey {
    let key = key(plane, floor);
    let arrivals = if first {
        Direction::PLANE.map(|side| Point::ORIGIN.step(side)).to_vec()
    } else {
        vec![Point::ORIGIN]
    };
    let seeds = (0..TRIES).map(|n| Some(key.numbered(n))).chain([None]);
    for seed in seeds {
        let cells = plane.cells(seed);
        if seed.is_some() && !arrivals.iter().all(|cell| cells.is_open(*cell)) {
            continue;
        }
        let window = Window::around_origin(&cells, wants.window, first);
        let reached = window.steps_from(&cells, arrivals[0], u32::MAX);
        let large = reached.len() >= wants.least_region as usize;
        let whole = arrivals.iter().all(|cell| reached.iter().any(|(reached, _)| reached == cell));
        if seed.is_none() || large && whole {
            let mut survey = Survey { key, seed, stairs: Vec::new() };
            for arrival in &arrivals {
                let near = window.steps_from(&cells, *arrival, wants.stairs_within);
                survey.add_stairs(wants, first, &near);
            }
            return survey;
        }
    }
    Survey { key, seed: None, stairs: Vec::new() }
}

/// The seeds of a floor for this layout.
pub(super) fn key(plane: &impl Plane, floor: Seed) -> Seed {
    floor.named("cells").numbered(plane.fingerprint().0)
}

impl Survey {
    /// Sees to it that one of the cells near an arrival has stairs, not the nearest half if there are others.
    fn add_stairs(&mut self, wants: &Wants, first: bool, near: &[(Point, u32)]) {
        if near.iter().any(|(cell, _)| self.has_stairs(wants, first, *cell)) {
            return;
        }
        let far = near.iter().filter(|(cell, _)| !is_arrival(*cell, first));
        let rank =
            |(cell, steps): &&(Point, u32)| (*steps * 2 > wants.stairs_within, place_seed(self.key, *cell));
        self.stairs.extend(far.max_by_key(rank).map(|(cell, _)| *cell));
    }

    /// Whether stairs lead down from a cell. None do where one arrives.
    pub(super) fn has_stairs(&self, wants: &Wants, first: bool, cell: Point) -> bool {
        let drawn = place_percent(self.key.named("stairs"), cell, wants.stairs_percent);
        (drawn || self.stairs.contains(&cell)) && !is_arrival(cell, first)
    }
}

/// Whether one arrives on a floor in this cell.
fn is_arrival(cell: Point, first: bool) -> bool {
    if first { cell.x.abs().saturating_add(cell.y.abs()) == 1 } else { cell == Point::ORIGIN }
}

/// The square around (0,0).
struct Window {
    area: Rect,
    width: i32,
    open: Vec<bool>,
}

impl Window {
    fn around_origin(cells: &impl Cells, width: u32, first: bool) -> Self {
        let width = i32::try_from(width).unwrap_or(0);
        let min = Point::new(-(width / 2), -(width / 2));
        let area = Rect { min, max: Point::new(min.x + width - 1, min.y + width - 1) };
        let mut window = Self { area, width, open: cells.open_cells(area) };
        if first && let Some(start) = window.index(Point::ORIGIN) {
            window.open[start] = false;
        }
        window
    }

    fn index(&self, cell: Point) -> Option<usize> {
        let index = (cell.y - self.area.min.y) * self.width + (cell.x - self.area.min.x);
        usize::try_from(index).ok().filter(|index| self.area.contains(cell) && *index < self.open.len())
    }

    /// The cells that can be reached in so many steps, the nearest first, each with its steps.
    fn steps_from(&self, cells: &impl Cells, from: Point, most: u32) -> Vec<(Point, u32)> {
        let mut left = self.open.clone();
        let mut reached = Vec::with_capacity(left.len());
        if let Some(index) = self.index(from) {
            left[index] = false;
            reached.push((from, 0));
        }
        let mut next = 0;
        while let Some((cell, steps)) = reached.get(next).copied() {
            next += 1;
            if steps >= most {
                break;
            }
            for side in Direction::PLANE {
                let beyond = cell.step(side);
                let Some(index) = self.index(beyond).filter(|index| left[*index]) else { continue };
                if cells.is_joined(cell, side) {
                    left[index] = false;
                    reached.push((beyond, steps + 1));
                }
            }
        }
        reached
    }
}

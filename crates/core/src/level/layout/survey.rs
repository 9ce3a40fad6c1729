//! Requirements for the surroundings of a floor's arrival cell, and the search for a seed that meets them.

use super::plane::{Cells, Plane};
use crate::base::grid::Rect;
use crate::base::{Direction, Point, Seed};
use crate::data::Reader;
use crate::level::noise::{place_percent, place_seed};

/// Requirements for the surroundings of the arrival cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wants {
    /// Width and height of the square that is checked.
    pub(super) window: u32,
    /// Minimum number of reachable cells in the square.
    pub(super) least_region: u32,
    /// Percentage of cells with stairs down.
    pub(super) stairs_percent: u32,
    /// Maximum number of steps from the arrival cell to the nearest stairs.
    pub(super) stairs_within: u32,
}

impl Wants {
    /// Maximum width: the square and its margins must fit into the automaton's 64-bit rows.
    pub(super) const WINDOW_MAX: u32 = 40;

    /// Reads the keys common to all layouts of cells.
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

/// Result of the search for a floor's seed. It is determined by the floor's seed and the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FloorSurvey {
    /// Key of the floor and layout that the survey belongs to.
    pub(super) key: Seed,
    /// Seed of the floor's cells; `None` if no seed met the requirements and the plain plane is used.
    pub(super) seed: Option<Seed>,
    /// Cells with stairs added because no others are near the arrival cell.
    stairs: Vec<Point>,
}

/// Number of seeds tried before the plain plane is used.
const TRIES: u64 = 64;

/// Returns `true` if the layout meets its requirements on sample floors; checked when content is read.
pub(super) fn is_satisfiable(plane: &impl Plane, wants: &Wants) -> bool {
    [(Seed(0), true), (Seed(1), false)]
        .into_iter()
        .all(|(seed, first)| survey(plane, wants, seed, first).seed.is_some())
}

/// Finds the first derived seed whose cells meet the requirements.
///
/// On the first floor (0,0) belongs to the start room, and players arrive in one of its four neighbours. All four must
/// be in one region without (0,0), so that the cells do not depend on the exit taken.
pub(super) fn survey(plane: &impl Plane, wants: &Wants, floor: Seed, first: bool) -> FloorSurvey {
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
            let mut survey = FloorSurvey { key, seed, stairs: Vec::new() };
            for arrival in &arrivals {
                let near = window.steps_from(&cells, *arrival, wants.stairs_within);
                survey.add_stairs(wants, first, &near);
            }
            return survey;
        }
    }
    FloorSurvey { key, seed: None, stairs: Vec::new() }
}

/// Returns the seed from which a floor's cells are derived for this layout.
pub(super) fn key(plane: &impl Plane, floor: Seed) -> Seed {
    floor.named("cells").numbered(plane.fingerprint().0)
}

impl FloorSurvey {
    /// Ensures that a cell near an arrival cell has stairs, preferably in the farther half of the range.
    fn add_stairs(&mut self, wants: &Wants, first: bool, near: &[(Point, u32)]) {
        if near.iter().any(|(cell, _)| self.has_stairs(wants, first, *cell)) {
            return;
        }
        let far = near.iter().filter(|(cell, _)| !is_arrival(*cell, first));
        let rank =
            |(cell, steps): &&(Point, u32)| (*steps * 2 > wants.stairs_within, place_seed(self.key, *cell));
        self.stairs.extend(far.max_by_key(rank).map(|(cell, _)| *cell));
    }

    /// Returns `true` if a cell has stairs down. Arrival cells never do.
    pub(super) fn has_stairs(&self, wants: &Wants, first: bool, cell: Point) -> bool {
        let drawn = place_percent(self.key.named("stairs"), cell, wants.stairs_percent);
        (drawn || self.stairs.contains(&cell)) && !is_arrival(cell, first)
    }
}

/// Returns `true` if players arrive on the floor in this cell.
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

    /// Returns the cells reachable in at most `most` steps, nearest first, each with its number of steps.
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

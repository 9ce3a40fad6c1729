//! Endless cave: wide, crooked spaces made by a cellular automaton. Each cell starts as rock or open by a hash of its
//! position; a few rounds of "rock if most cells around it are rock" smooth the result. A cell depends only on cells at
//! most `rounds` away, so it is computed on demand and nothing is stored.

use super::cells::{may_bar, place};
use super::growth::{Arrival, GrownFloor, Growth, Layout};
use super::plane::{Cells, Plane};
use super::survey::{Wants, is_satisfiable};
use crate::base::grid::Rect;
use crate::base::{Direction, Point, Rng, Seed};
use crate::data::Reader;
use crate::level::noise::place_percent;
use std::sync::Arc;

/// The layout `cellular`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cellular {
    /// Percentage of cells that start as rock.
    rock_percent: u32,
    /// Number of rounds of the automaton.
    rounds: u32,
    /// Minimum number of rock cells in the 3 by 3 block around a cell for it to become rock.
    crowd: u32,
    /// Percentage of pairs of open neighbours separated by a rib of rock.
    ribs_percent: u32,
    wants: Wants,
}

/// Maximum number of rounds: the window and its margins must fit into a 64-bit row.
const ROUNDS_MAX: u32 = 5;

impl Default for Cellular {
    fn default() -> Self {
        let wants =
            Wants { window: Wants::WINDOW_MAX, least_region: 800, stairs_percent: 10, stairs_within: 12 };
        Self { rock_percent: 42, rounds: 2, crowd: 5, ribs_percent: 20, wants }
    }
}

impl Cellular {
    /// Name used in content.
    pub const NAME: &'static str = "cellular";

    /// Reads its keys: `rock_percent`, `rounds`, `crowd`, `ribs_percent`, and the keys common to all layouts of cells:
    /// `window`, `least_region`, `stairs_percent`, `stairs_within`.
    pub fn read(reader: &mut Reader<'_>) -> Arc<dyn Layout> {
        let usual = Self::default();
        let cave = Self {
            rock_percent: reader.number_or("rock_percent", 1..=60, usual.rock_percent),
            rounds: reader.number_or("rounds", 1..=ROUNDS_MAX, usual.rounds),
            crowd: reader.number_or("crowd", 1..=9, usual.crowd),
            ribs_percent: reader.number_or("ribs_percent", 0..=50, usual.ribs_percent),
            wants: Wants::read(reader, usual.wants.least_region),
        };
        if !is_satisfiable(&cave, &cave.wants) {
            reader.record_mistake(
                "least_region",
                "is more than such a cave has",
                "a smaller region, or less rock",
            );
        }
        Arc::new(cave)
    }
}

/// The cells of one cave.
pub(super) struct Cave {
    /// Seeds of the rock, of the ribs north of cells and of those east of cells; `None` in the plain cave.
    seeds: Option<[Seed; 3]>,
    rock_percent: u32,
    rounds: u32,
    crowd: u32,
    ribs_percent: u32,
}

impl Cave {
    /// Returns the rock of a rectangle: one word per row from the south, with the westernmost cell in the lowest bit.
    fn rock(&self, area: Rect) -> Vec<u64> {
        let Rect { min, max } = area;
        let Some([seed, ..]) = self.seeds else {
            return (min.y..=max.y).map(|_| 0).collect();
        };
        let margin = i32::try_from(self.rounds).unwrap_or(0);
        let mut rows: Vec<u64> = (min.y - margin..=max.y + margin)
            .map(|y| {
                let row = (min.x - margin..=max.x + margin).zip(0..64_u32);
                row.filter(|(x, _)| place_percent(seed, Point::new(*x, y), self.rock_percent))
                    .fold(0, |bits, (_, bit)| bits | 1 << bit)
            })
            .collect();
        for _ in 0..self.rounds {
            rows = rows.windows(3).map(|around| crowded(around, self.crowd)).collect();
        }
        rows
    }
}

/// Runs one round for the middle row of three: sets the cells with at least `crowd` set cells in the 3 by 3 block
/// around them. The result is shifted down by one bit, because the cell at the edge has no complete block.
fn crowded(rows: &[u64], crowd: u32) -> u64 {
    // Counts of all cells in parallel, one word per binary digit.
    let mut digits = [0_u64; 4];
    for set in rows.iter().flat_map(|row| [*row, row >> 1, row >> 2]) {
        let mut carry = set;
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }
    // From the highest digit down: cells whose count exceeds `crowd`, and cells equal to it so far.
    let (mut above, mut same) = (0, u64::MAX);
    for (place, digit) in (0..4_u32).zip(digits).rev() {
        if crowd >> place & 1 == 1 {
            same &= digit;
        } else {
            above |= same & digit;
            same &= !digit;
        }
    }
    above | same
}

impl Cells for Cave {
    fn is_open(&self, cell: Point) -> bool {
        self.rock(Rect::at(cell)).first().is_some_and(|row| row & 1 == 0)
    }

    fn beside(&self, cell: Point) -> [bool; 4] {
        let area = Rect { min: Point::new(cell.x - 1, cell.y - 1), max: Point::new(cell.x + 1, cell.y + 1) };
        match self.rock(area).as_slice() {
            [south, middle, north] => {
                [north >> 1 & 1 == 0, middle >> 2 & 1 == 0, south >> 1 & 1 == 0, middle & 1 == 0]
            }
            _ => [false; 4],
        }
    }

    fn is_joined(&self, cell: Point, side: Direction) -> bool {
        let Some([_, north, east]) = self.seeds else { return true };
        let rib = match side {
            Direction::North => place_percent(north, cell, self.ribs_percent),
            Direction::South => place_percent(north, cell.step(side), self.ribs_percent),
            Direction::East => place_percent(east, cell, self.ribs_percent),
            _ => place_percent(east, cell.step(side), self.ribs_percent),
        };
        !rib
    }

    fn open_cells(&self, area: Rect) -> Vec<bool> {
        let columns = || (area.min.x..=area.max.x).zip(0..64_u32);
        self.rock(area)
            .into_iter()
            .flat_map(|row| columns().map(move |(_, bit)| row >> bit & 1 == 0))
            .collect()
    }
}

impl Plane for Cellular {
    type Cells = Cave;

    fn cells(&self, seed: Option<Seed>) -> Cave {
        let Self { rock_percent, rounds, crowd, ribs_percent, .. } = *self;
        let seeds = seed.map(|seed| ["rock", "ribs north", "ribs east"].map(|name| seed.named(name)));
        Cave { seeds, rock_percent, rounds, crowd, ribs_percent }
    }

    fn fingerprint(&self) -> Seed {
        let Wants { window, least_region, stairs_percent, stairs_within } = self.wants;
        [self.rock_percent, self.rounds, self.crowd, self.ribs_percent]
            .into_iter()
            .chain([window, least_region, stairs_percent, stairs_within])
            .fold(Seed(0).named(Self::NAME), |seed, number| seed.numbered(u64::from(number)))
    }
}

impl Layout for Cellular {
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

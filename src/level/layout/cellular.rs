//! A cave that never ends: wide, crooked spaces made by a cellular automaton. Each cell starts as rock or not by a
//! hash of its place; then a few rounds of "rock where most around it is rock" smooth it. What a cell becomes depends
//! on the cells at most `rounds` away, so it is worked out where it is needed and nothing is stored.

use super::cells::{may_bar, place};
use super::growth::{Arrival, Ground, Growth, Layout};
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
    /// How many of 100 cells are rock at first.
    rock_percent: u32,
    /// How often the automaton is run.
    rounds: u32,
    /// A cell becomes rock if so many of the nine around and in it are.
    crowd: u32,
    /// Between how many of 100 open neighbours a rib of rock stands.
    ribs_percent: u32,
    wants: Wants,
}

/// Most rounds: a window and its surroundings have to fit into a word.
const ROUNDS_MAX: u32 = 5;

impl Default for Cellular {
    fn default() -> Self {
        let wants =
            Wants { window: Wants::WINDOW_MAX, least_region: 800, stairs_percent: 10, stairs_within: 12 };
        Self { rock_percent: 42, rounds: 2, crowd: 5, ribs_percent: 20, wants }
    }
}

impl Cellular {
    /// The name content refers to it by.
    pub const NAME: &'static str = "cellular";

    /// Reads its keys: `rock_percent`, `rounds`, `crowd`, `ribs_percent`, and what all layouts of cells want: `window`, `least_region`, `stairs_percent`, `stairs_within`.
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
            reader.wrong("least_region", "is more than such a cave has", "a smaller region, or less rock");
        }
        Arc::new(cave)
    }
}

/// One cave.
pub(super) struct Cave {
    /// The seeds of the rock, of the ribs north of a cell and of those east of it; none in the plain cave.
    seeds: Option<[Seed; 3]>,
    rock_percent: u32,
    rounds: u32,
    crowd: u32,
    ribs_percent: u32,
}

impl Cave {
    /// The rock of a rectangle, a word for each row from the south; the lowest bit is the west.
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

/// One round for the middle one of three rows: which of its cells have so many set in the square of nine around them.
/// The result is moved one bit down, because the cell at the edge has no square.
fn crowded(rows: &[u64], crowd: u32) -> u64 {
    // The counts of all cells at once, one word for each binary digit.
    let mut digits = [0_u64; 4];
    for set in rows.iter().flat_map(|row| [*row, row >> 1, row >> 2]) {
        let mut carry = set;
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }
    // From the highest digit down: where is the count above the crowd, where is it the same so far?
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

    fn place(&self, ground: Ground<'_>, arrival: Arrival, _dice: &mut Rng) -> Growth {
        place(self, &self.wants, ground, arrival)
    }

    fn may_bar(&self, ground: Ground<'_>, room: Point) -> bool {
        may_bar(self, &ground, room)
    }
}

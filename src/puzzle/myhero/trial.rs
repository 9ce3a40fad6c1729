//! What the orders of MyHero's sections come to, and how a layout is read back into sections.

use crate::base::Direction;

use super::super::board::{Board, Lock};
use super::super::id::CellId;
use super::super::mechanism::{Mechanism, Op};
use super::super::solution::{Act, Step};

/// Most sections of an area: the greatest `size_y` has as many.
pub(super) const SECTIONS_MAX: usize = 8;

/// What is in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// An enemy with its power.
    Enemy(i64),
    /// A power-up.
    PowerUp(Op, i64),
    /// Nothing.
    Empty,
}

/// The slots of one section, from west to east.
pub(super) type Section = Vec<Slot>;

pub(super) fn enemies(sections: &[Section]) -> u32 {
    let all = sections.iter().flatten().filter(|slot| matches!(slot, Slot::Enemy(_)));
    u32::try_from(all.count()).unwrap_or(u32::MAX)
}

/// The might after a section; none if it is lost there.
pub(super) fn run(section: &[Slot], might: i64) -> Option<i64> {
    section.iter().try_fold(might, |might, slot| match slot {
        Slot::Empty => Some(might),
        Slot::Enemy(power) => (might >= *power).then(|| might.saturating_add(*power)),
        Slot::PowerUp(op, factor) => Some(op.apply(might, *factor)).filter(|might| *might > 0),
    })
}

/// What the orders of an area's sections come to.
///
/// More might is never worse: whatever one section does to a greater might is at least what it does to a smaller one.
/// So of all orders of the same sections only the best and the worst count, and there are only as many sets of sections
/// to look at as there are subsets, whatever the number of orders.
pub(super) struct Trial {
    /// An order that wins with the most might, and that might; none if every order loses.
    pub(super) best: Option<(Vec<usize>, i64)>,
    /// Whether some order loses.
    pub(super) losable: bool,
    /// How many sets of sections there were.
    pub(super) states: u32,
}

impl Trial {
    pub(super) fn of(sections: &[Section], might: i64) -> Self {
        let count = sections.len().min(SECTIONS_MAX);
        // By set of sections: the least and the greatest might after them, and the last section of the greatest.
        let mut after: Vec<Option<(i64, i64, usize)>> = vec![None; 1 << count];
        after[0] = Some((might, might, 0));
        let mut losable = false;
        for set in 0..after.len() {
            let Some((least, most, _)) = after[set] else { continue };
            for (number, section) in sections.iter().enumerate().take(count) {
                if set & (1 << number) != 0 {
                    continue;
                }
                let worst = run(section, least);
                losable |= worst.is_none();
                let Some(best) = run(section, most) else { continue };
                let worst = worst.unwrap_or(best);
                let next = &mut after[set | (1 << number)];
                *next = Some(match *next {
                    None => (worst, best, number),
                    Some((low, high, before)) => {
                        (low.min(worst), high.max(best), if best > high { number } else { before })
                    }
                });
            }
        }
        let states = u32::try_from(after.len()).unwrap_or(u32::MAX);
        let mut set = after.len() - 1;
        let best = after[set].map(|(_, most, _)| {
            let mut order = Vec::with_capacity(count);
            while let Some((_, _, last)) = after[set].filter(|_| set != 0) {
                order.push(last);
                set &= !(1 << last);
            }
            order.reverse();
            (order, most)
        });
        Self { best, losable, states }
    }
}

/// An area as it lies in a layout.
pub(super) struct Area {
    /// Where one comes in, and the gallery from north to south.
    entrance: CellId,
    gallery: Vec<CellId>,
    /// The place in the gallery that the entrance joins.
    middle: usize,
    /// The place in the gallery of each section, and its slots.
    starts: Vec<usize>,
    cells: Vec<Vec<CellId>>,
    pub(super) sections: Vec<Section>,
    /// The way from the gallery's end to the next entrance, or only the finish, and what waits there.
    way: Vec<CellId>,
    pub(super) passed: Section,
}

/// The areas of a layout, read back from its cells. Nothing that is no area is one.
pub(super) fn survey(layout: &Board) -> Vec<Area> {
    let mut areas = Vec::new();
    let mut entrance = Some(layout.entrance);
    while let Some(from) = entrance.take().filter(|_| areas.len() < 9) {
        let Some(area) = survey_area(layout, from) else { break };
        // A way of one cell is the finish.
        entrance = area.way.last().copied().filter(|_| area.way.len() > 1);
        areas.push(area);
    }
    areas
}

fn next(layout: &Board, from: CellId, direction: Direction) -> Option<CellId> {
    let passage = layout.cell(from)?.exits.get(&direction)?;
    (passage.lock != Lock::Closed).then_some(passage.to)
}

/// The cells one passes when walking on in a direction, the first one included.
fn line(layout: &Board, from: CellId, direction: Direction) -> Vec<CellId> {
    let mut cells = vec![from];
    while let Some(to) = cells.last().and_then(|last| next(layout, *last, direction)) {
        if cells.len() > layout.cells.len() {
            break;
        }
        cells.push(to);
    }
    cells
}

fn survey_area(layout: &Board, entrance: CellId) -> Option<Area> {
    let joined = next(layout, entrance, Direction::East)?;
    let top = line(layout, joined, Direction::North).last().copied()?;
    let gallery = line(layout, top, Direction::South);
    let middle = gallery.iter().position(|cell| *cell == joined)?;
    let (mut starts, mut cells, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    for (start, cell) in gallery.iter().enumerate() {
        let Some(first) = next(layout, *cell, Direction::East) else { continue };
        let section = line(layout, first, Direction::East);
        sections.push(section.iter().flat_map(|cell| slots_of(layout, *cell)).collect());
        starts.push(start);
        cells.push(section);
    }
    let out = next(layout, *gallery.last()?, Direction::West)?;
    let mut way = vec![out];
    // The way on ends at the next entrance: the first cell that one can leave to the east, other than back.
    while let Some(to) = way.last().and_then(|last| next(layout, *last, Direction::South)) {
        way.push(to);
        if next(layout, to, Direction::East).is_some() || way.len() > layout.cells.len() {
            break;
        }
    }
    // The finish leads back to the gallery only.
    let passed = way.iter().flat_map(|cell| slots_of(layout, *cell)).collect();
    Some(Area { entrance, gallery, middle, starts, cells, sections, way, passed })
}

fn slots_of(layout: &Board, cell: CellId) -> Vec<Slot> {
    let mechanisms = layout.cell(cell).map_or(&[][..], |cell| &cell.mechanisms);
    let slot = |mechanism: &Mechanism| match mechanism {
        Mechanism::Enemy { power, .. } => Some(Slot::Enemy(*power)),
        Mechanism::PowerUp { op, factor, .. } => Some(Slot::PowerUp(*op, *factor)),
        _ => None,
    };
    mechanisms.iter().filter_map(slot).collect()
}

impl Area {
    /// The steps from the entrance through the sections in an order, and on to the next entrance or the finish.
    pub(super) fn walk(&self, order: &[usize], steps: &mut Vec<Step>) {
        let mut go = |from: CellId, direction| steps.push(Step { from, act: Act::Walk(direction) });
        go(self.entrance, Direction::East);
        let mut at = self.middle;
        let along = |at: &mut usize, to: usize, go: &mut dyn FnMut(CellId, Direction)| {
            while *at != to {
                let north = *at > to;
                go(self.gallery[*at], if north { Direction::North } else { Direction::South });
                *at = if north { *at - 1 } else { *at + 1 };
            }
        };
        for section in order {
            along(&mut at, self.starts[*section], &mut go);
            go(self.gallery[at], Direction::East);
            let inner = self.cells[*section].split_last().map_or(&[][..], |(_, inner)| inner);
            for cell in inner {
                go(*cell, Direction::East);
            }
        }
        along(&mut at, self.gallery.len() - 1, &mut go);
        go(self.gallery[at], Direction::West);
        let inner = self.way.split_last().map_or(&[][..], |(_, inner)| inner);
        for cell in inner {
            go(*cell, Direction::South);
        }
    }
}

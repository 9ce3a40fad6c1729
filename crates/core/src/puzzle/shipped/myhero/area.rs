//! Areas of MyHero: evaluation of the orders of their sections, and recovery of the areas from a board.

use crate::base::Direction;

use crate::puzzle::board::{Board, Lock};
use crate::puzzle::id::CellId;
use crate::puzzle::mechanism::{Mechanism, Op};
use crate::puzzle::solver::solution::{Act, SolutionStep};

/// Maximum number of sections of an area, reached with the largest `size_y`.
pub(super) const SECTIONS_MAX: usize = 8;

/// Content of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotContent {
    /// Enemy with its power.
    Enemy(i64),
    /// Power-up.
    PowerUp(Op, i64),
    /// Empty slot.
    Empty,
}

/// Slots of one section, from west to east.
pub(super) type SectionSlots = Vec<SlotContent>;

pub(super) fn enemies(sections: &[SectionSlots]) -> u32 {
    let all = sections.iter().flatten().filter(|slot| matches!(slot, SlotContent::Enemy(_)));
    u32::try_from(all.count()).unwrap_or(u32::MAX)
}

/// Returns the might after a section; `None` on a loss.
pub(super) fn run(section: &[SlotContent], might: i64) -> Option<i64> {
    section.iter().try_fold(might, |might, slot| match slot {
        SlotContent::Empty => Some(might),
        SlotContent::Enemy(power) => (might >= *power).then(|| might.saturating_add(*power)),
        SlotContent::PowerUp(op, factor) => Some(op.apply(might, *factor)).filter(|might| *might > 0),
    })
}

/// Verdict on all section orders of an area.
///
/// Each section is monotonic: a greater might before it never gives a smaller might after it. So for each set of
/// sections only the smallest and the greatest might matter. The number of states is the number of subsets, not of
/// orders.
pub(super) struct AreaVerdict {
    /// Winning order with the greatest final might, and that might; `None` if every order loses.
    pub(super) best: Option<(Vec<usize>, i64)>,
    /// Set if some order loses.
    pub(super) losable: bool,
    /// Number of sets of sections.
    pub(super) states: u32,
}

impl AreaVerdict {
    pub(super) fn of(sections: &[SectionSlots], might: i64) -> Self {
        let count = sections.len().min(SECTIONS_MAX);
        // By set of sections: smallest and greatest might after them, and the last section for the greatest.
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

/// Area recovered from a board.
pub(super) struct BoardArea {
    /// Entrance of the area, and below the gallery from north to south.
    entrance: CellId,
    gallery: Vec<CellId>,
    /// Index in the gallery that the entrance joins.
    middle: usize,
    /// Index in the gallery of each section, and below its slots.
    starts: Vec<usize>,
    cells: Vec<Vec<CellId>>,
    pub(super) sections: Vec<SectionSlots>,
    /// Cells from the end of the gallery to the next entrance, or only the finish; below, the mechanisms on the way.
    way: Vec<CellId>,
    pub(super) passed: SectionSlots,
}

/// Recovers the areas of a board from its cells. Stops at the first part that is not an area.
pub(super) fn survey(board: &Board) -> Vec<BoardArea> {
    let mut areas = Vec::new();
    let mut entrance = Some(board.entrance);
    while let Some(from) = entrance.take().filter(|_| areas.len() < 9) {
        let Some(area) = survey_area(board, from) else { break };
        // A path of one cell is the finish.
        entrance = area.way.last().copied().filter(|_| area.way.len() > 1);
        areas.push(area);
    }
    areas
}

fn next(board: &Board, from: CellId, direction: Direction) -> Option<CellId> {
    let passage = board.cell(from)?.exits.get(&direction)?;
    (passage.lock != Lock::Closed).then_some(passage.to)
}

/// Returns the cells passed when walking in a direction, including the first one.
fn line(board: &Board, from: CellId, direction: Direction) -> Vec<CellId> {
    let mut cells = vec![from];
    while let Some(to) = cells.last().and_then(|last| next(board, *last, direction)) {
        if cells.len() > board.cells.len() {
            break;
        }
        cells.push(to);
    }
    cells
}

fn survey_area(board: &Board, entrance: CellId) -> Option<BoardArea> {
    let joined = next(board, entrance, Direction::East)?;
    let top = line(board, joined, Direction::North).last().copied()?;
    let gallery = line(board, top, Direction::South);
    let middle = gallery.iter().position(|cell| *cell == joined)?;
    let (mut starts, mut cells, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    for (start, cell) in gallery.iter().enumerate() {
        let Some(first) = next(board, *cell, Direction::East) else { continue };
        let section = line(board, first, Direction::East);
        sections.push(section.iter().flat_map(|cell| slots_of(board, *cell)).collect());
        starts.push(start);
        cells.push(section);
    }
    let out = next(board, *gallery.last()?, Direction::West)?;
    let mut way = vec![out];
    // The path ends at the next entrance: the first cell with an exit to the east other than back.
    while let Some(to) = way.last().and_then(|last| next(board, *last, Direction::South)) {
        way.push(to);
        if next(board, to, Direction::East).is_some() || way.len() > board.cells.len() {
            break;
        }
    }
    // The finish leads only back to the gallery.
    let passed = way.iter().flat_map(|cell| slots_of(board, *cell)).collect();
    Some(BoardArea { entrance, gallery, middle, starts, cells, sections, way, passed })
}

fn slots_of(board: &Board, cell: CellId) -> Vec<SlotContent> {
    let mechanisms = board.cell(cell).map_or(&[][..], |cell| &cell.mechanisms);
    let slot = |mechanism: &Mechanism| match mechanism {
        Mechanism::Enemy { power, .. } => Some(SlotContent::Enemy(*power)),
        Mechanism::PowerUp { op, factor, .. } => Some(SlotContent::PowerUp(*op, *factor)),
        _ => None,
    };
    mechanisms.iter().filter_map(slot).collect()
}

impl BoardArea {
    /// Adds the steps from the entrance through the sections in an order, and on to the next entrance or the finish.
    pub(super) fn walk(&self, order: &[usize], steps: &mut Vec<SolutionStep>) {
        let mut go = |from: CellId, direction| steps.push(SolutionStep { from, act: Act::Walk(direction) });
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

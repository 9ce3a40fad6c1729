//! Construction of MyHero boards: sections as cells with texts.

use crate::base::{Dice, Direction, Point, Rng};
use std::collections::{BTreeMap, BTreeSet};

use crate::puzzle::Goal;
use crate::puzzle::board::{Board, Cell, CellKind, Gate, Lock, Opening};
use crate::puzzle::id::CellId;
use crate::puzzle::mechanism::{Mechanism, Op};
use crate::puzzle::prose::Prose;
use crate::puzzle::shipped::myhero::area::{SectionSlots, SlotContent};
use crate::text::grammar;

/// Builder of a board.
pub(super) struct AreaBoardBuilder<'p> {
    board: Board,
    might: i64,
    words: &'p Prose,
    /// Remaining cards of each deck.
    left: BTreeMap<&'static str, Vec<&'p str>>,
    dice: Rng,
}

impl<'p> AreaBoardBuilder<'p> {
    pub(super) fn new(prose: &'p Prose, might: i64, dice: Rng) -> Self {
        let board = Board { goal: Goal::KillAll, might: Some(might), players: 1, ..Board::default() };
        Self { board, might, words: prose, left: BTreeMap::new(), dice }
    }

    /// Returns the next card of a deck; cards repeat only after all have been used.
    fn deal(&mut self, deck: &'static str) -> &'p str {
        let left = self.left.entry(deck).or_default();
        if left.is_empty() {
            left.extend(self.words.cards(deck).iter().map(String::as_str));
            self.dice.shuffle(left);
        }
        left.pop().unwrap_or_default()
    }

    pub(super) fn build(mut self, areas: &[Vec<SectionSlots>]) -> Board {
        let mut entrance = None;
        let mut base = 0;
        for (number, sections) in areas.iter().enumerate() {
            // One row of the gallery separates two sections.
            let height = i32::try_from(sections.len()).unwrap_or(1) * 2 - 1;
            let middle = self.entrance(entrance, Point::new(0, base + (height - 1) / 2));
            if number == 0 {
                self.board.entrance = middle;
            }
            let (last, slots) = self.gallery(sections, base, height, middle);
            if number + 1 == areas.len() {
                self.finish(last, base);
            } else {
                entrance = Some(self.passage(last, base, slots, height));
            }
            base -= height + 1;
        }
        self.board
    }

    /// Adds the entrance of an area, west of the middle of the gallery, and south of the passage from the previous
    /// area, if there is one.
    fn entrance(&mut self, before: Option<CellId>, at: Point) -> CellId {
        let cell = match before {
            None => Cell::new(
                at,
                CellKind::Entrance,
                "The threshold of the maze",
                "A broad step leads east into a gallery of grey stone. Letters over the arch say: Beat them all, and \
                 mind the order.",
            ),
            Some(_) => Cell::new(
                at,
                CellKind::Chamber,
                "Another threshold",
                "The passage ends at a broad step. East of it lies another gallery of grey stone.",
            ),
        };
        let cell = self.board.add(cell);
        if let Some(before) = before {
            self.board.join(before, Direction::South, cell, Lock::Open);
        }
        cell
    }

    /// Adds gallery and sections of an area. Returns the southernmost room of the gallery and the slots.
    fn gallery(
        &mut self,
        sections: &[SectionSlots],
        base: i32,
        height: i32,
        entrance: CellId,
    ) -> (CellId, BTreeSet<CellId>) {
        let mut slots = BTreeSet::new();
        let mut above: Option<CellId> = None;
        for row in 0..height {
            let at = Point::new(1, base + height - 1 - row);
            let section =
                (row % 2 == 0).then(|| sections.get(usize::try_from(row / 2).unwrap_or(0))).flatten();
            let foes = section.map_or_else(Vec::new, |section| self.deal_foes(section));
            let text = match section {
                Some(_) => self.deal("arches"),
                None => self.deal("gallery"),
            };
            let name = if section.is_some() { "The gallery, at an arch" } else { "The gallery" };
            let cell = self.board.add(Cell::new(at, CellKind::Gallery, name, text));
            if let Some(above) = above {
                self.board.join(above, Direction::South, cell, Lock::Open);
            }
            // Middle row: the sum of the first and the last row, halved and rounded down.
            if row == height - 1 - (height - 1) / 2 {
                self.board.join(entrance, Direction::East, cell, Lock::Open);
            }
            if let Some(section) = section {
                slots.extend(self.build_section(section, &foes, cell, at));
            }
            above = Some(cell);
        }
        (above.unwrap_or(entrance), slots)
    }

    /// Returns the name for each slot; only enemies get one.
    fn deal_foes(&mut self, section: &SectionSlots) -> Vec<&'p str> {
        let mut foes = Vec::with_capacity(section.len());
        for slot in section {
            let enemy = matches!(slot, SlotContent::Enemy(_));
            foes.push(if enemy { self.deal("foes") } else { "" });
        }
        foes
    }

    /// Adds the slots and the portal of a section, east of its room in the gallery.
    fn build_section(
        &mut self,
        section: &SectionSlots,
        foes: &[&str],
        start: CellId,
        at: Point,
    ) -> Vec<CellId> {
        let mut at = at;
        let mut before = start;
        let mut slots = Vec::new();
        for (slot, foe) in section.iter().zip(foes) {
            at = at.step(Direction::East);
            let text = self.deal(if *slot == SlotContent::Empty { "empty" } else { "held" });
            let mut cell = Cell::new(at, CellKind::Slot, slot_name(*slot), text);
            cell.mechanisms.extend(mechanism(*slot, foe));
            let cell = self.board.add(cell);
            if before == start {
                self.board.join_one_way(before, Direction::East, cell);
            } else {
                self.board.join(before, Direction::East, cell, Lock::Open);
            }
            slots.push(cell);
            before = cell;
        }
        let mut portal = Cell::new(
            at.step(Direction::East),
            CellKind::Portal,
            "The end of the section",
            self.deal("portals"),
        );
        portal.mechanisms.push(Mechanism::Portal { to: start });
        let portal = self.board.add(portal);
        self.board.join_one_way(before, Direction::East, portal);
        slots
    }

    /// Adds the finish, west of the southernmost room of the gallery, in the bottom left cell.
    fn finish(&mut self, last: CellId, base: i32) {
        let mut cell = Cell::new(
            Point::new(0, base),
            CellKind::Finish,
            "Beyond the bronze door",
            "Daylight, or something like it, falls through a slit in the roof on a clean stone floor.",
        );
        cell.mechanisms.push(Mechanism::Finish);
        let cell = self.board.add(cell);
        let gate = self.board.add_gate(Gate {
            name: "bronze door".into(),
            shut: "The bronze door is shut. It opens when no enemy is left.".into(),
            told: "At the south end of the gallery a bronze door swings open.".into(),
            opening: Opening::Goal,
        });
        self.board.join(last, Direction::West, cell, Lock::Gate(gate));
    }

    /// Adds the passage to the next area, which resets might to its initial value. Returns its last cell.
    fn passage(&mut self, last: CellId, base: i32, slots: BTreeSet<CellId>, height: i32) -> CellId {
        let gate = self.board.add_gate(Gate {
            name: "copper door".into(),
            shut: "The copper door is shut. It opens when no enemy of this gallery is left.".into(),
            told: "At the south end of the gallery a copper door swings open.".into(),
            opening: Opening::Beaten(slots),
        });
        let mut cell = Cell::new(
            Point::new(0, base),
            CellKind::Chamber,
            "Beyond the copper door",
            "A basin of still water stands here, and a passage leads south.",
        );
        let (op, factor) = (Op::Set, self.might);
        cell.mechanisms.push(Mechanism::PowerUp { op, factor, words: power_up(op, factor) });
        let mut cell = self.board.add(cell);
        self.board.join(last, Direction::West, cell, Lock::Gate(gate));
        // Down to just before the middle of the next area.
        let next_middle = base - height - 1 + (height - 1) / 2;
        for y in (next_middle + 1..base).rev() {
            let text = "The passage goes on between walls of grey stone.";
            let on = self.board.add(Cell::new(Point::new(0, y), CellKind::Chamber, "A grey passage", text));
            self.board.join(cell, Direction::South, on, Lock::Open);
            cell = on;
        }
        cell
    }
}

fn mechanism(slot: SlotContent, foe: &str) -> Option<Mechanism> {
    match slot {
        SlotContent::Enemy(power) => Some(Mechanism::Enemy { power, name: foe.to_owned() }),
        SlotContent::PowerUp(op, factor) => {
            Some(Mechanism::PowerUp { op, factor, words: power_up(op, factor) })
        }
        SlotContent::Empty => None,
    }
}

fn slot_name(slot: SlotContent) -> &'static str {
    match slot {
        SlotContent::Enemy(_) => "A duelling floor",
        SlotContent::PowerUp(..) => "Before a glyph",
        SlotContent::Empty => "An empty chamber",
    }
}

/// Returns the description of a power-up: "doubles your might", "takes fifty from your might".
pub(in crate::puzzle) fn power_up(op: Op, factor: i64) -> String {
    let amount = grammar::spelled(factor.unsigned_abs());
    match (op, factor) {
        (Op::Multiply, 2) => "doubles your might".into(),
        (Op::Multiply, 3) => "makes your might three times as great".into(),
        (Op::Multiply, _) => format!("makes your might {amount} times as great"),
        (Op::Divide, 2) => "halves your might".into(),
        (Op::Divide, 3) => "leaves you a third of your might".into(),
        (Op::Divide, _) => format!("divides your might by {amount}"),
        (Op::Plus, _) => format!("adds {amount} to your might"),
        (Op::Minus, _) => format!("takes {amount} from your might"),
        (Op::Set, _) => format!("makes your might {amount}, whatever it was"),
    }
}

//! Puts MyHero's sections into cells, with their words.

use crate::base::{Dice, Direction, Point, Rng};
use std::collections::BTreeSet;

use super::super::layout::{Cell, CellId, CellKind, Gate, Layout, Lock, Mechanism, Op, Opening};
use super::super::{Goal, words};
use super::trial::{Section, Slot};

const FOES: &[&str] = &[
    "stone warrior",
    "brass hound",
    "clay giant",
    "hollow knight",
    "bone drummer",
    "wicker ram",
    "lead bishop",
    "glass serpent",
    "thorn maiden",
    "rust hermit",
    "salt widow",
    "tin soldier",
    "moth king",
    "slate bear",
    "ragged champion",
    "copper bull",
];

const EMPTY: &[&str] = &[
    "Nothing stands here but a plinth with two worn places where feet have been.",
    "Somebody has swept the dust of this chamber into a neat square.",
    "Bare walls lean inward here, and your steps come back a moment late.",
    "An alcove in the wall holds a candle end and nothing else.",
    "Four sockets in the floor show where a statue stood.",
    "A bench runs along one wall, polished by people who waited.",
    "Chalk strokes on the wall count something up to thirty-one.",
    "The floor dips in the middle, and a little rain has found its way there.",
    "A hook hangs from the ceiling on a chain, turning slowly.",
];

const HELD: &[&str] = &[
    "Grooves in the floor all run east, as if many had been dragged that way.",
    "The ceiling is low, and the walls are scored at the height of a shoulder.",
    "Slabs of grey stone fit together here without a gap.",
    "The air tastes of cold metal.",
    "A ring of pale tiles marks the middle of the floor.",
    "Sand has been strewn here and raked smooth.",
    "Two torches burn without smoke on either side of the way.",
    "Splinters of an old shield lie along the wall.",
    "The floor hums under your soles, very low.",
    "Rows of names are cut into the lintel, and the last ones are unfinished.",
    "Galleries for onlookers run along both walls, long empty.",
    "A dry fountain carved like an open hand stands to one side.",
];

const ARCHES: &[&str] = &[
    "An arch opens to the east; its threshold slopes, and nobody comes back over it.",
    "East of here the floor drops by a step too high to climb again.",
    "A toothed arch leads east, and its teeth point inward: one goes in that way, never out.",
    "A turning gate of black iron stands in the eastern wall and turns only one way.",
    "The arch in the eastern wall is hung with blades that swing away from you.",
    "A smooth stone chute leads down to the east.",
    "To the east a curtain of chains gives way to whoever comes from this side.",
    "The eastern arch bears a hand that points in, and a fist on its far side.",
];

const GALLERY: &[&str] = &[
    "The gallery runs on between blind walls.",
    "Pillars as thick as barrels hold up the gallery here.",
    "Scaffolding has been left along the gallery wall, and a bucket hangs from it.",
    "The gallery narrows, and two people could just pass each other.",
    "A lamp on a bracket lights a stretch of the gallery with nothing in it.",
    "The flags of the gallery are worn to a trough by walking north and south.",
    "A stone bench faces the bare eastern wall of the gallery.",
];

const PORTALS: &[&str] = &[
    "A ring of pale light stands on the floor. Whoever enters it is back in the gallery at once.",
    "The way ends in a tall mirror that shows the gallery, and gives like water.",
    "A doorway stands alone in the middle of the floor. The gallery lies behind it.",
    "Here the air folds, and the gallery is on the other side of the fold.",
];

/// Texts dealt one after the other, so that none comes again before all have come.
struct Deck {
    texts: &'static [&'static str],
    left: Vec<&'static str>,
}

impl Deck {
    const fn new(texts: &'static [&'static str]) -> Self {
        Self { texts, left: Vec::new() }
    }

    fn deal(&mut self, dice: &mut Rng) -> &'static str {
        if self.left.is_empty() {
            self.left = self.texts.to_vec();
            dice.shuffle(&mut self.left);
        }
        self.left.pop().unwrap_or_default()
    }
}

/// The words of one layout.
struct Decks {
    foes: Deck,
    empty: Deck,
    held: Deck,
    arches: Deck,
    gallery: Deck,
    portals: Deck,
}

/// Puts areas into cells.
pub(super) struct Builder {
    layout: Layout,
    might: i64,
    decks: Decks,
    dice: Rng,
}

impl Builder {
    pub(super) fn new(might: i64, dice: Rng) -> Self {
        let layout = Layout { goal: Goal::KillAll, might: Some(might), players: 1, ..Layout::default() };
        let decks = Decks {
            foes: Deck::new(FOES),
            empty: Deck::new(EMPTY),
            held: Deck::new(HELD),
            arches: Deck::new(ARCHES),
            gallery: Deck::new(GALLERY),
            portals: Deck::new(PORTALS),
        };
        Self { layout, might, decks, dice }
    }

    pub(super) fn build(mut self, areas: &[Vec<Section>]) -> Layout {
        let mut entrance = None;
        let mut base = 0;
        for (number, sections) in areas.iter().enumerate() {
            // Between two sections lies one row of the gallery.
            let height = i32::try_from(sections.len()).unwrap_or(1) * 2 - 1;
            let middle = self.entrance(entrance, Point::new(0, base + (height - 1) / 2));
            if number == 0 {
                self.layout.entrance = middle;
            }
            let (last, slots) = self.gallery(sections, base, height, middle);
            if number + 1 == areas.len() {
                self.finish(last, base);
            } else {
                entrance = Some(self.passage(last, base, slots, height));
            }
            base -= height + 1;
        }
        self.layout
    }

    /// The way in, west of the middle of the gallery; south of the passage from the area before, if there is one.
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
        let cell = self.layout.add(cell);
        if let Some(before) = before {
            self.layout.join(before, Direction::South, cell, Lock::Open);
        }
        cell
    }

    /// Gallery and sections of an area; returns the southernmost room of the gallery and the slots.
    fn gallery(
        &mut self,
        sections: &[Section],
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
            let foes = section.map_or_else(Vec::new, |section| self.foes(section));
            let text = match section {
                Some(section) => start_text(section, &foes, self.decks.arches.deal(&mut self.dice)),
                None => self.decks.gallery.deal(&mut self.dice).to_owned(),
            };
            let name = if section.is_some() { "The gallery, at an arch" } else { "The gallery" };
            let cell = self.layout.add(Cell::new(at, CellKind::Gallery, name, &text));
            if let Some(above) = above {
                self.layout.join(above, Direction::South, cell, Lock::Open);
            }
            // The middle row as the source counts it: whole part of half the sum of the first and the last row.
            if row == height - 1 - (height - 1) / 2 {
                self.layout.join(entrance, Direction::East, cell, Lock::Open);
            }
            if let Some(section) = section {
                slots.extend(self.section(section, &foes, cell, at));
            }
            above = Some(cell);
        }
        (above.unwrap_or(entrance), slots)
    }

    /// Who is in each slot; a name is dealt for enemies only.
    fn foes(&mut self, section: &Section) -> Vec<&'static str> {
        let mut foes = Vec::with_capacity(section.len());
        for slot in section {
            let enemy = matches!(slot, Slot::Enemy(_));
            foes.push(if enemy { self.decks.foes.deal(&mut self.dice) } else { "" });
        }
        foes
    }

    /// The slots of a section and its portal, east of its room in the gallery.
    fn section(&mut self, section: &Section, foes: &[&str], start: CellId, at: Point) -> Vec<CellId> {
        let mut at = at;
        let mut before = start;
        let mut slots = Vec::new();
        for (slot, foe) in section.iter().zip(foes) {
            at = at.step(Direction::East);
            let deck = if *slot == Slot::Empty { &mut self.decks.empty } else { &mut self.decks.held };
            let text = deck.deal(&mut self.dice);
            let mut cell = Cell::new(at, CellKind::Slot, slot_name(*slot), text);
            cell.mechanisms.extend(mechanism(*slot, foe));
            let cell = self.layout.add(cell);
            if before == start {
                self.layout.join_one_way(before, Direction::East, cell);
            } else {
                self.layout.join(before, Direction::East, cell, Lock::Open);
            }
            slots.push(cell);
            before = cell;
        }
        let mut portal = Cell::new(
            at.step(Direction::East),
            CellKind::Portal,
            "The end of the section",
            self.decks.portals.deal(&mut self.dice),
        );
        portal.mechanisms.push(Mechanism::Portal { to: start });
        let portal = self.layout.add(portal);
        self.layout.join_one_way(before, Direction::East, portal);
        slots
    }

    /// The finish, west of the southernmost room of the gallery: the bottom left cell.
    fn finish(&mut self, last: CellId, base: i32) {
        let mut cell = Cell::new(
            Point::new(0, base),
            CellKind::Finish,
            "Beyond the bronze door",
            "Daylight, or something like it, falls through a slit in the roof on a clean stone floor.",
        );
        cell.mechanisms.push(Mechanism::Finish);
        let cell = self.layout.add(cell);
        let gate = self.layout.add_gate(Gate {
            name: "bronze door".into(),
            shut: "The bronze door is shut. It opens when no enemy is left.".into(),
            told: "At the south end of the gallery a bronze door swings open.".into(),
            opening: Opening::Goal,
        });
        self.layout.join(last, Direction::West, cell, Lock::Gate(gate));
    }

    /// The way from one area to the next, which makes might what it was at first; returns its last cell.
    fn passage(&mut self, last: CellId, base: i32, slots: BTreeSet<CellId>, height: i32) -> CellId {
        let gate = self.layout.add_gate(Gate {
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
        cell.mechanisms.push(Mechanism::PowerUp { op, factor, words: words::power_up(op, factor) });
        let mut cell = self.layout.add(cell);
        self.layout.join(last, Direction::West, cell, Lock::Gate(gate));
        // Down to just before the middle of the next area.
        let next_middle = base - height - 1 + (height - 1) / 2;
        for y in (next_middle + 1..base).rev() {
            let text = "The passage goes on between walls of grey stone.";
            let on = self.layout.add(Cell::new(Point::new(0, y), CellKind::Chamber, "A grey passage", text));
            self.layout.join(cell, Direction::South, on, Lock::Open);
            cell = on;
        }
        cell
    }
}

fn mechanism(slot: Slot, foe: &str) -> Option<Mechanism> {
    match slot {
        Slot::Enemy(power) => Some(Mechanism::Enemy { power, name: foe.to_owned() }),
        Slot::PowerUp(op, factor) => {
            Some(Mechanism::PowerUp { op, factor, words: words::power_up(op, factor) })
        }
        Slot::Empty => None,
    }
}

fn slot_name(slot: Slot) -> &'static str {
    match slot {
        Slot::Enemy(_) => "A duelling floor",
        Slot::PowerUp(..) => "Before a glyph",
        Slot::Empty => "An empty chamber",
    }
}

/// What stands at the start of a section: all that waits in it, so that an order can be thought out.
fn start_text(section: &Section, foes: &[&str], arch: &str) -> String {
    let mut told = Vec::new();
    for (slot, foe) in section.iter().zip(foes) {
        told.push(match slot {
            Slot::Enemy(power) => format!("a {foe} of power {}", words::number(power.unsigned_abs())),
            Slot::PowerUp(op, factor) => format!("a glyph that {}", words::power_up(*op, *factor)),
            Slot::Empty => "an empty chamber".to_owned(),
        });
    }
    format!("{arch} A frieze shows what waits beyond, in this order: {}.", told.join(", then "))
}

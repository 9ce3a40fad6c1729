//! Prototypes of mobs: what a creature is before there is one.

use super::Behaviour;
use super::reader::{CatalogError, Place, Reader};

/// A kind of creature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MobPrototype {
    /// Stable name in data and storage.
    pub key: String,
    /// What players call it, without article: `stone beetle`.
    pub name: String,
    /// With its article: `a stone beetle`.
    pub with_article: String,
    /// Several of it: `stone beetles`.
    pub plural: String,
    /// One or two sentences for `examine`.
    pub description: String,
    /// Health when it appears.
    pub hp: u32,
    /// What it deals before the other's defence is subtracted (T8).
    pub attack: u32,
    /// What it subtracts from each blow (T8).
    pub defence: u32,
    /// Experience for killing it (T8, T10).
    pub xp: u32,
    /// The difficulties (C5) it appears at, first and last.
    pub difficulty: (u32, u32),
    /// How often it is chosen among those that may appear.
    pub weight: u32,
    /// What it costs of a room's threat budget.
    pub threat: u32,
    /// What it does by itself.
    pub behaviours: Vec<Behaviour>,
    /// Phrases for how it is doing, from lightly hurt to nearly dead; empty: the usual ones.
    pub conditions: Vec<String>,
    /// The loot table it is looted by, by key.
    pub loot: Option<String>,
    /// Its numbers under the rule set `racket` (R25), if others.
    pub racket: Option<RacketNumbers>,
    /// Lines of the script that runs at each tick (R21).
    pub on_tick: Vec<String>,
    /// How it strikes, third person: `bites`, `claws at`. Never empty.
    pub strikes: Vec<String>,
    /// The line the room reads when it dies.
    pub death: String,
    /// Where it is defined.
    pub place: Place,
}

/// The numbers of a creature under the rule set `racket` (R1, R25).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacketNumbers {
    /// Health.
    pub hp: u32,
    /// Attack.
    pub attack: u32,
    /// Defence.
    pub defence: u32,
}

impl MobPrototype {
    /// Whether it bars the ways on (E25).
    pub fn guards(&self) -> bool {
        self.behaviours.contains(&Behaviour::Guard)
    }

    /// Whether it moves between rooms (E57).
    pub fn roams(&self) -> bool {
        self.behaviours.iter().any(Behaviour::roams)
    }

    /// Whether it may appear at this difficulty (C5).
    pub fn appears_at(&self, difficulty: u32) -> bool {
        (self.difficulty.0..=self.difficulty.1).contains(&difficulty)
    }
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<MobPrototype> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let place = reader.place();
    let name = reader.text("name");
    let first = reader.number("first_difficulty", 0..=10_000);
    let last = reader.number_or("last_difficulty", 0..=u32::MAX, u32::MAX);
    if first > last {
        reader.wrong("last_difficulty", "is below first_difficulty".to_owned(), &format!("at least {first}"));
    }
    let loot = reader.text_or("loot", String::new);
    let racket = reader.table_if_any("racket").map(|mut table| {
        let numbers = RacketNumbers {
            hp: table.number("hp", 1..=1_000_000),
            attack: table.number("attack", 0..=100_000),
            defence: table.number("defence", 0..=100_000),
        };
        table.finish();
        numbers
    });
    let xp = reader.number("xp", 0..=1_000_000);
    let mob = MobPrototype {
        key: reader.key(),
        with_article: reader.text_or("with_article", || super::reader::with_article(&name)),
        plural: reader.text_or("plural", || format!("{name}s")),
        name,
        description: reader.text("description"),
        hp: reader.number("hp", 1..=1_000_000),
        attack: reader.number("attack", 0..=100_000),
        defence: reader.number("defence", 0..=100_000),
        xp,
        difficulty: (first, last),
        weight: reader.number("weight", 1..=10_000),
        threat: reader.number_or("threat", 1..=100_000, (xp / 10).max(1)),
        behaviours: reader.tables("behaviours", Behaviour::read).into_iter().flatten().collect(),
        conditions: reader.texts("conditions", 0),
        loot: Some(loot).filter(|loot| !loot.is_empty()),
        racket,
        on_tick: reader.texts("on_tick", 0),
        strikes: reader.texts("strikes", 1),
        death: reader.text("death"),
        place,
    };
    reader.finish();
    Some(mob)
}

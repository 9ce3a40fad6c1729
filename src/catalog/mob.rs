//! Prototypes of mobs: what a creature is before there is one.

use super::reader::{CatalogError, Place, Reader};
use serde::{Deserialize, Serialize};

/// What a creature does when nobody fights it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Stays in its room and bars the ways on; the room is clear when no guard lives (E25, E26).
    Guard,
    /// Wanders its branch and blocks nothing (E28, E57).
    Roamer,
}

impl Behaviour {
    /// The names used in data.
    pub const NAMES: [(&'static str, Self); 2] = [("guard", Self::Guard), ("roamer", Self::Roamer)];
}

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
    /// What it does by itself.
    pub behaviour: Behaviour,
    /// How it strikes, third person: `bites`, `claws at`. Never empty.
    pub strikes: Vec<String>,
    /// The line the room reads when it dies.
    pub death: String,
    /// Where it is defined.
    pub place: Place,
}

impl MobPrototype {
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
    let mob = MobPrototype {
        key: reader.key(),
        with_article: reader.text_or("with_article", || super::reader::with_article(&name)),
        plural: reader.text_or("plural", || format!("{name}s")),
        name,
        description: reader.text("description"),
        hp: reader.number("hp", 1..=1_000_000),
        attack: reader.number("attack", 0..=100_000),
        defence: reader.number("defence", 0..=100_000),
        xp: reader.number("xp", 0..=1_000_000),
        difficulty: (first, last),
        weight: reader.number("weight", 1..=10_000),
        behaviour: reader.choice("behaviour", &Behaviour::NAMES).unwrap_or(Behaviour::Guard),
        strikes: reader.texts("strikes", 1),
        death: reader.text("death"),
        place,
    };
    reader.finish();
    Some(mob)
}

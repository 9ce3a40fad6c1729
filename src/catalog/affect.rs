//! Affects: what hangs on a body for a while, good or bad.

use crate::data::{CatalogError, Place, Reader};

/// A kind of affect, from `content/affects/KEY.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffectPrototype {
    /// Stable name in data and storage.
    pub key: String,
    /// What players call it: `poisoned`.
    pub name: String,
    /// What it does, for help and `examine`.
    pub description: String,
    /// What the bearer reads when it begins.
    pub begins: String,
    /// What the bearer reads when it ends.
    pub ends: String,
    /// Added to attack.
    pub attack: i32,
    /// Added to defence.
    pub defence: i32,
    /// Added to the hit points at most.
    pub max_hp: i32,
    /// Hit points gained (or lost) each round.
    pub hp_per_round: i32,
    /// Whether the bearer cannot leave the room.
    pub holds: bool,
    /// Whether the bearer strikes no blows.
    pub stuns: bool,
    /// How many rounds it lasts unless whatever causes it says otherwise.
    pub rounds: u32,
    /// Where it is defined.
    pub place: Place,
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<AffectPrototype> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let affect = AffectPrototype {
        key: reader.key(),
        name: reader.text("name"),
        description: reader.text("description"),
        begins: reader.text("begins"),
        ends: reader.text("ends"),
        attack: reader.signed_or("attack", -1_000..=1_000, 0),
        defence: reader.signed_or("defence", -1_000..=1_000, 0),
        max_hp: reader.signed_or("max_hp", -100_000..=100_000, 0),
        hp_per_round: reader.signed_or("hp_per_round", -1_000..=1_000, 0),
        holds: reader.truth_or("holds", false),
        stuns: reader.truth_or("stuns", false),
        rounds: reader.number("rounds", 1..=1_000_000),
        place: reader.place(),
    };
    reader.finish();
    Some(affect)
}

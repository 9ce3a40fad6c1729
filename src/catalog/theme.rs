//! Themes: the settings, perils and words a branch is made with.

use super::furnishing::{Captive, Hoard, Inhabitants, Landmark, OutOfDepth, Riddle, Shrine, Threat};
use super::pattern::Pattern;
use super::rules::RuleSet;
use super::words::{Noun, Scenery};
use crate::base::{Span, named};
use crate::data::{Place, definition};
pub use crate::level::GrowSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How long a branch lasts, as far as a theme or a start exit says; the rest is the server's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchTimes {
    /// Guaranteed time for companions to take the same exit.
    pub window: Option<Span>,
    /// How likely the exit is unlinked at each reset after that, in parts of a thousand.
    pub reset_chance_permille: Option<u32>,
    /// Age since the last update at which a branch collapses.
    pub max_life: Option<Span>,
}

impl BranchTimes {
    /// The longest time that can be set, in seconds: ten years.
    pub const SECS_MAX: u32 = 315_360_000;

    /// These times, and those of another where these say nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            reset_chance_permille: self.reset_chance_permille.or(other.reset_chance_permille),
            max_life: self.max_life.or(other.max_life),
        }
    }
}

/// A kind of branch.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Stable name in data and storage.
    pub key: String,
    /// What players call it.
    pub name: String,
    /// By which rules blows fall in it.
    pub rules: RuleSet,
    /// How its branches grow unless a start exit says otherwise.
    pub settings: GrowSettings,
    /// How long they last unless a start exit says otherwise.
    pub times: BranchTimes,
    /// What each floor below the first adds to the difficulty.
    pub difficulty_per_floor: u32,
    /// What may be in a room, by weight. Monsters, puzzles and treasure are all among them.
    pub perils: Vec<Peril>,
    /// The difficulty beyond which the weights of perils grow no further.
    pub perils_grow_until: u32,
    /// The puzzles that its rooms may have, each with its weight.
    pub puzzles: Vec<crate::puzzle::Entry>,
    /// Keys of the mobs that live here.
    pub creatures: Vec<String>,
    /// In how many of 100 rooms a roamer appears besides.
    pub roamer_percent: u32,
    /// What the guards of a room may cost.
    pub threat: Threat,
    /// Encounters too strong for their depth, and their signs.
    pub out_of_depth: OutOfDepth,
    /// Who lives in rooms without anything else, instead of guards; none: guards do.
    pub inhabitants: Option<Inhabitants>,
    /// The loot tables that hoards are drawn from, by difficulty; where there is none, everything that may be found.
    pub hoards: Vec<Hoard>,
    /// Keys of the items that treasure rooms hold.
    pub treasure: Vec<String>,
    /// How often a portcullis with a stuck lever comes, against the puzzles of the list.
    pub lever_weight: u32,
    /// Fewest and most pulls that a stuck lever takes.
    pub lever_pulls: (u32, u32),
    /// In how many of 100 puzzle rooms the lever is in another room.
    pub far_lever_percent: u32,
    /// What is written in hint rooms.
    pub hints: Vec<Pattern>,
    /// Of so many rooms at most one is a landmark.
    pub landmark_every: u32,
    /// Places worth finding for themselves.
    pub landmarks: Vec<Landmark>,
    /// How the stone face of a riddle room looks; the riddle follows.
    pub faces: Vec<Pattern>,
    /// What it asks.
    pub riddles: Vec<Riddle>,
    /// Where one may pray, and for what.
    pub shrines: Vec<Shrine>,
    /// Who is held behind guards.
    pub captives: Vec<Captive>,
    /// What marks a room where one rests well.
    pub camps: Vec<Pattern>,
    /// Who sells things in a merchant's room.
    pub peddlers: Vec<Pattern>,
    /// Sentences bound to the place of a room.
    pub scenery: Scenery,
    /// What one sees who looks at a word of its sentences.
    pub nouns: Vec<Noun>,
    /// Words that all bands share.
    pub words: BTreeMap<String, Vec<String>>,
    /// Names and words by depth.
    pub bands: BTreeMap<u32, Band>,
    /// Names and words of every depth that has no band of its own.
    pub other: Band,
    /// Where it is defined.
    pub place: Place,
}

impl Theme {
    /// The names and words of a depth.
    pub fn band(&self, depth: u32) -> &Band {
        self.bands.get(&depth).unwrap_or(&self.other)
    }

    /// The words for a slot at a depth: the band's own, else the shared ones.
    pub fn words_for(&self, depth: u32, slot: &str) -> &[String] {
        let own = self.band(depth).words.get(slot);
        own.or_else(|| self.words.get(slot)).map_or(&[], Vec::as_slice)
    }

    /// The loot table of hoards of a difficulty, by key.
    pub fn hoard_at(&self, difficulty: u32) -> Option<&str> {
        let fits = |hoard: &&Hoard| (hoard.difficulty.0..=hoard.difficulty.1).contains(&difficulty);
        self.hoards.iter().find(fits).map(|hoard| hoard.table.as_str())
    }

    /// The sentences about faces, camps and peddlers.
    pub fn fixture_patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.faces.iter().chain(&self.camps).chain(&self.peddlers)
    }

    /// Whether rooms of a kind occur at all.
    pub fn offers(&self, kind: PerilKind) -> bool {
        let occurs = |peril: &Peril| peril.weight > 0 || peril.weight_per_difficulty > 0;
        self.perils.iter().any(|peril| peril.kind == kind && occurs(peril))
    }
}

definition! {
    /// One thing that may be in a room.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Peril {
        /// What it is.
        pub kind: PerilKind => |table| table.choice("kind", PerilKind::NAMES).unwrap_or(PerilKind::None),
        /// Its weight at difficulty 0.
        pub weight: u32 = number(0..=10_000),
        /// What each step of difficulty adds to the weight.
        pub weight_per_difficulty: u32 = number_or(0..=1_000, 0),
    }
}

named! {
    /// What may be in a room.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum PerilKind {
        /// Nothing; the room is born clear.
        None = "none",
        /// Something written; the room is born clear.
        Hint = "hint",
        /// Guards that have to be beaten.
        Monsters = "monsters",
        /// A mechanism that has to be worked.
        Puzzle = "puzzle",
        /// Things worth having, under guard.
        Treasure = "treasure",
        /// A place where nothing hunts; one rests well there.
        Rest = "rest",
        /// Somebody who sells things.
        Merchant = "merchant",
        /// A place to pray, once.
        Shrine = "shrine",
        /// A stone face with a riddle.
        Riddle = "riddle",
        /// Somebody to be freed from guards.
        Rescue = "rescue",
        /// A place worth finding for itself.
        Landmark = "landmark",
    }
}

impl PerilKind {
    /// The three that every theme has to offer.
    pub const REQUIRED: [Self; 3] = [Self::Monsters, Self::Puzzle, Self::Treasure];

    /// Whether guards stand in such rooms.
    pub const fn is_encounter(self) -> bool {
        matches!(self, Self::Monsters | Self::Treasure | Self::Rescue)
    }

    /// Whether the first room of a branch may be of this kind: it asks for no lever and holds no hoard.
    pub const fn is_gentle(self) -> bool {
        !matches!(self, Self::Puzzle | Self::Treasure | Self::Rescue | Self::Landmark)
    }
}

/// Names and words of one depth.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Band {
    /// What every name of this depth contains, in any case of letters.
    pub family: String,
    /// The names rooms get.
    pub names: Vec<String>,
    /// One word for mappers (GMCP `environment`).
    pub environment: String,
    /// First sentences.
    pub openings: Vec<Pattern>,
    /// Sentences in the middle; a room gets one or two.
    pub details: Vec<Pattern>,
    /// Last sentences of rooms with ways on; `{exit}` is one of these ways.
    pub ways_on: Vec<Pattern>,
    /// Last sentences of dead ends.
    pub dead_ends: Vec<Pattern>,
    /// Words of the slots.
    pub words: BTreeMap<String, Vec<String>>,
}

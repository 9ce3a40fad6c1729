//! Puzzles as plug-ins (H): a puzzle is one file with one trait, registered by name, and makes a [`Layout`] of cells and
//! mechanisms. One engine plays every layout and one search solves it, so that nobody sees a puzzle that has no
//! solution. Nothing here knows a room or a player: the game walks its people through the engine and puts the events
//! into words.

mod check;
mod config;
mod draw;
mod engine;
mod error;
mod event;
mod ground;
mod layout;
mod machine;
mod myhero;
mod plates;
mod registry;
mod riddle;
mod search;
mod state;
mod vault;
mod verify;
pub mod words;

#[cfg(test)]
mod tests;

pub use check::flaws;
pub use config::{Config, Entry, Param, ParamKind, Value};
pub use draw::{Drawn, draw, prove};
pub use engine::{Sight, act, deeds, enter, find, is_on, leave, passable, sights, start, walk};
pub use error::{LayoutError, SettingError};
pub use event::{Deed, Event, Hitch, Loss};
pub use layout::{
    Cell, CellId, CellKind, Gate, GateId, KeyId, Layout, Lock, Mechanism, Op, Opening, Outcome, Passage,
    SwitchId, Thing, Verb,
};
pub use machine::Machine;
pub use myhero::MyHero;
pub use plates::Plates;
pub use registry::Registry;
pub use riddle::Riddle;
pub use search::{Act, Step, Until, Verdict, proves, search, take};
pub use state::{Marks, State};
pub use vault::Vault;
pub use verify::{Proof, verify};
pub use words::plain_answer;

use crate::base::Seed;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A kind of puzzle. A new one is one file with one value that implements this, and one line in
/// [`Registry::builtin`].
pub trait Puzzle: Debug + Send + Sync {
    /// Its name in data: "myhero".
    fn name(&self) -> &'static str;

    /// What it is about, in a sentence for builders.
    fn about(&self) -> &'static str;

    /// What its layouts may have in them; a layout with anything else is refused.
    fn features(&self) -> &'static [Feature];

    /// What its layouts may ask for.
    fn goals(&self) -> &'static [Goal];

    /// What can be set in data.
    fn params(&self) -> &'static [Param] {
        &[]
    }

    /// What is wrong with the value of a parameter, beyond its range: "is no map". Asked once for each when data is
    /// read, so that the author gets file, line and column.
    fn check_param(&self, _name: &str, _config: &Config) -> Result<(), SettingError> {
        Ok(())
    }

    /// Whether it can be made with this at all, and why not. An ordinary room stands where it cannot.
    fn accepts(&self, config: &Config) -> Result<(), SettingError>;

    /// Makes a layout. The same seed makes the same layout.
    fn generate(&self, seed: Seed, config: &Config) -> Layout;

    /// Solves a layout: usually [`search`], or something quicker that knows the puzzle.
    fn solve(&self, layout: &Layout, config: &Config) -> Verdict;

    /// Whether a layout with this verdict may be shown to players, and why not. Whatever must hold beyond being
    /// solvable is asked here.
    fn suits(&self, _layout: &Layout, verdict: &Verdict, config: &Config) -> Result<(), LayoutError> {
        verdict.fits(config)
    }
}

/// What a layout may have in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// A room that ends it.
    Finish,
    /// Rooms that lead somewhere else at once.
    Portal,
    /// Ways without a way back.
    OneWay,
    /// Enemies and power-ups against a might that all inside share.
    Might,
    /// Doors with keys.
    Keys,
    /// Levers, chests and things to find.
    Levers,
    /// Creatures that carry something.
    Guards,
    /// Plates that must be stood on, and weights.
    Plates,
    /// Questions that want an answer in words.
    Words,
    /// Several areas of rooms, one after the other.
    ManyRooms,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 10] = [
        Self::Finish,
        Self::Portal,
        Self::OneWay,
        Self::Might,
        Self::Keys,
        Self::Levers,
        Self::Guards,
        Self::Plates,
        Self::Words,
        Self::ManyRooms,
    ];

    /// The word in `puzzle info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Portal => "portal",
            Self::OneWay => "one-way",
            Self::Might => "might",
            Self::Keys => "keys",
            Self::Levers => "levers",
            Self::Guards => "guards",
            Self::Plates => "plates",
            Self::Words => "words",
            Self::ManyRooms => "many rooms",
        }
    }
}

/// What has to be done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Beat every enemy.
    KillAll,
    /// Turn on every switch in [`Layout::solved`].
    Solve,
    /// Come to the finish.
    #[default]
    ReachFinish,
}

impl Goal {
    /// The word in `puzzle info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KillAll => "kill_all",
            Self::Solve => "solve",
            Self::ReachFinish => "reach_finish",
        }
    }
}

//! What a run leaves behind: figures, or the violation that ended it.

use crate::base::{Digest, GameTime};
use crate::game::recording::{Move, Recorded};
use crate::world::Snapshot;
use std::fmt;

/// Declares the figures of a run once, each with what it is called.
macro_rules! report {
    ($($(#[$doc:meta])* $figure:ident = $label:literal,)*) => {
        /// Figures of a run without a violation. The same plan gives the same figures and the same digest.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Report {
            $($(#[$doc])* pub $figure: u64,)*
            /// Of every effect in its order.
            pub digest: Digest,
            /// Of every row that is stored at the end, as it is stored.
            pub world: Digest,
        }

        impl fmt::Display for Report {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(writeln!(f, concat!($label, ": {}"), self.$figure)?;)*
                writeln!(f, "digest of all effects: {}", self.digest)?;
                write!(f, "digest of the stored world: {}", self.world)
            }
        }
    };
}

report! {
    /// Calls of `Game::step`.
    steps = "steps",
    /// Typed lines.
    commands = "commands",
    /// Batches that were committed.
    commits = "commits",
    /// Effects that came out.
    effects = "effects",
    /// Rooms made, by the dungeon and by builders.
    rooms = "rooms made",
    /// Branches opened.
    branches_opened = "branches opened",
    /// Branches gone again.
    branches_collapsed = "branches collapsed",
    /// Creatures killed.
    kills = "creatures killed",
    /// Players who went down.
    deaths = "players who went down",
    /// Levels gained.
    levels = "levels gained",
    /// Parties made.
    parties = "parties made",
    /// Floors below the first that were opened.
    floors = "floors opened",
    /// Puzzles solved.
    puzzles = "puzzles solved",
    /// Gates whose puzzle was not made, because their branch had no space for it.
    puzzles_waived = "puzzles waived",
    /// Things that passed from hand to hand.
    gifts = "gifts",
    /// Bodies taken over by a second session.
    takeovers = "takeovers",
    /// Links that broke.
    links_lost = "links lost",
    /// Times the process died and came back.
    crashes = "crashes",
    /// Times storage could not be written for a while.
    read_only = "times storage was read-only",
    /// Times every row of the world was compared with storage.
    comparisons = "comparisons with storage",
    /// Times every invariant of the world was checked.
    checks = "checks of all invariants",
}

impl Digest {
    /// Takes in a stored world.
    pub(super) fn take_world(&mut self, stored: &Snapshot) -> Result<(), Breach> {
        let rows = serde_json::to_string(stored).map_err(|error| Breach(error.to_string()))?;
        fmt::Write::write_str(self, &rows).map_err(|error| Breach(error.to_string()))
    }
}

/// What did not hold: an invariant of the world, or a promise to players. Most name the table and the id; the first line is
/// enough to search for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Breach(pub String);

impl Breach {
    /// Nothing of a list of what is wrong, or all of it in one line.
    pub(super) fn none(wrong: &[String]) -> Result<(), Self> {
        if wrong.is_empty() { Ok(()) } else { Err(Self(wrong.join("; "))) }
    }

    /// What did not hold, whatever the numbers in it: the same for two runs that break the same promise.
    pub fn kind(&self) -> String {
        let first = self.0.split("; ").next().unwrap_or_default();
        first.split(|c: char| c.is_ascii_digit()).filter(|words| !words.is_empty()).collect()
    }
}

/// The breach that ended a run, and how to see it again.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// What did not hold.
    pub breach: Breach,
    /// After how many steps.
    pub step: u64,
    /// At which moment.
    pub at: GameTime,
    /// Everything that was done, up to what broke it; nothing where it is known by a seed alone.
    pub moves: Vec<Recorded>,
    /// The command line that leads here again.
    pub again: String,
}

impl Violation {
    /// Of a world that could not begin.
    pub(super) fn at_start(breach: Breach) -> Self {
        Self { breach, step: 0, at: GameTime::default(), moves: Vec::new(), again: String::new() }
    }
}

/// How many moves a violation shows.
const SHOWN: usize = 12;

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "violation at step {}, time {}: {}", self.step, self.at.0, self.breach)?;
        writeln!(f, "the last inputs:")?;
        let told: Vec<_> = self.moves.iter().filter(|recorded| recorded.what != Move::Commit).collect();
        for recorded in &told[told.len().saturating_sub(SHOWN)..] {
            writeln!(f, "  {recorded}")?;
        }
        write!(f, "again: {}", self.again)
    }
}

impl std::error::Error for Violation {}

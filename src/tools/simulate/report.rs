//! What a run leaves behind: figures, or the violation that ended it.

use crate::base::GameTime;
use crate::game::Effect;
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

/// A running digest (FNV-1a, 64 bits) of what was written to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes in an effect.
    pub(super) fn take(&mut self, effect: &Effect) {
        let written = fmt::write(self, format_args!("{effect:?}\n"));
        debug_assert!(written.is_ok(), "a digest takes everything");
    }

    /// Takes in a stored world.
    pub(super) fn take_world(&mut self, stored: &Snapshot) -> Result<(), Breach> {
        let rows = serde_json::to_string(stored).map_err(|error| Breach(error.to_string()))?;
        fmt::Write::write_str(self, &rows).map_err(|error| Breach(error.to_string()))
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
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
}

/// The breach that ended a run, and how to see it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What did not hold.
    pub breach: Breach,
    /// After how many steps.
    pub step: u64,
    /// At which moment.
    pub at: GameTime,
    /// The last inputs, oldest first.
    pub recent: Vec<String>,
    /// The command line that leads here again.
    pub replay: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "violation at step {}, time {}: {}", self.step, self.at.0, self.breach)?;
        writeln!(f, "the last inputs:")?;
        for input in &self.recent {
            writeln!(f, "  {input}")?;
        }
        write!(f, "again: {}", self.replay)
    }
}

impl std::error::Error for Violation {}

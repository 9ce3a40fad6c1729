//! Result of a run: figures, or the violation that ended it.

use deepwell_core::base::{Digest, GameTime};
use deepwell_core::world::Snapshot;
use deepwell_game::input::recording::{Recorded, RecordedMove};
use std::fmt;

/// Declares the figures of a run, each with its label.
macro_rules! report {
    ($($(#[$doc:meta])* $figure:ident = $label:literal,)*) => {
        /// Figures of a run without a violation. The same plan gives the same figures and digests.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct SimulationReport {
            $($(#[$doc])* pub $figure: u64,)*
            /// Digest of all effects, those of each session in their order.
            pub digest: Digest,
            /// Digest of all rows stored at the end.
            pub world: Digest,
        }

        impl fmt::Display for SimulationReport {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(writeln!(f, concat!($label, ": {}"), self.$figure)?;)*
                writeln!(f, "digest of all effects: {}", self.digest)?;
                write!(f, "digest of the stored world: {}", self.world)
            }
        }
    };
}

report! {
    /// Number of calls of `Game::step`.
    steps = "steps",
    /// Lines typed.
    commands = "commands",
    /// Batches committed.
    commits = "commits",
    /// Effects produced.
    effects = "effects",
    /// Rooms created, by the dungeon and by builders.
    rooms = "rooms made",
    /// Branches opened.
    branches_opened = "branches opened",
    /// Branches collapsed.
    branches_collapsed = "branches collapsed",
    /// Creatures killed.
    kills = "creatures killed",
    /// Players incapacitated or defeated.
    deaths = "players incapacitated",
    /// Levels gained.
    levels = "levels gained",
    /// Parties formed.
    parties = "parties made",
    /// Floors below the first that were opened.
    floors = "floors opened",
    /// Puzzles solved.
    puzzles = "puzzles solved",
    /// Gates whose puzzle was not created, because the branch had no space for it.
    puzzles_waived = "puzzles waived",
    /// Items that passed from one character to another.
    gifts = "gifts",
    /// Branches woken from storage.
    woken = "branches woken",
    /// Absent accounts woken from storage.
    returned = "absent accounts woken",
    /// Characters taken over by a second session.
    takeovers = "takeovers",
    /// Links lost.
    links_lost = "links lost",
    /// Crashes, each followed by a restart.
    crashes = "crashes",
    /// Read-only periods of storage.
    read_only = "times storage was read-only",
    /// Comparisons of every row of the world with storage.
    comparisons = "comparisons with storage",
    /// Checks of every invariant of the world.
    checks = "checks of all invariants",
}

/// Adds a stored world to a digest. The ledger is sorted: items that leave the world in the same moment do so in the
/// order in which they were dropped, which storage does not keep.
pub(super) fn take_world(digest: &mut Digest, stored: &Snapshot) -> Result<(), Breach> {
    let mut stored = stored.clone();
    stored.ledger.sort_by(|a, b| {
        (a.at, &a.what, &a.why, a.amount, a.who).cmp(&(b.at, &b.what, &b.why, b.amount, b.who))
    });
    let rows = serde_json::to_string(&stored).map_err(|error| Breach(error.to_string()))?;
    fmt::Write::write_str(digest, &rows).map_err(|error| Breach(error.to_string()))
}

/// Description of a broken invariant of the world, or of a fact sent to clients that no longer holds. Most descriptions
/// name the table and the id; the first line is enough to search for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Breach(pub String);

impl Breach {
    /// Returns an error that joins all entries of `violations` in one line, or `Ok` if there are none.
    pub(super) fn none(violations: &[String]) -> Result<(), Self> {
        if violations.is_empty() { Ok(()) } else { Err(Self(violations.join("; "))) }
    }

    /// Returns the description without its numbers: the same for two runs with the same defect.
    pub fn kind(&self) -> String {
        let first = self.0.split("; ").next().unwrap_or_default();
        first.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect()
    }
}

/// The breach that ended a run, with the means to reproduce it.
#[derive(Clone, PartialEq, Debug)]
pub struct RunViolation {
    /// The breach.
    pub breach: Breach,
    /// Number of steps before the breach.
    pub step: u64,
    /// Game time of the breach.
    pub at: GameTime,
    /// All moves up to the breach; empty if the seed alone reproduces it.
    pub moves: Vec<Recorded>,
    /// Command line that reproduces the violation.
    pub again: String,
}

impl RunViolation {
    /// Creates the violation of a world that could not start.
    pub(super) fn at_start(breach: Breach) -> Self {
        Self { breach, step: 0, at: GameTime::default(), moves: Vec::new(), again: String::new() }
    }
}

/// Number of moves that the text of a violation shows.
const SHOWN: usize = 12;

impl fmt::Display for RunViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "violation at step {}, time {}: {}", self.step, self.at.0, self.breach)?;
        writeln!(f, "the last inputs:")?;
        let steps: Vec<_> =
            self.moves.iter().filter(|recorded| recorded.what != RecordedMove::Commit).collect();
        for recorded in &steps[steps.len().saturating_sub(SHOWN)..] {
            writeln!(f, "  {recorded}")?;
        }
        write!(f, "again: {}", self.again)
    }
}

impl std::error::Error for RunViolation {}

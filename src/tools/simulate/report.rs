//! What a run leaves behind: figures, or the violation that ended it.

use crate::base::GameTime;
use crate::game::Effect;
use crate::world::Snapshot;
use std::fmt;

/// Figures of a run without a violation. The same plan gives the same figures and the same digest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Calls of `Game::step`.
    pub steps: u64,
    /// Typed lines.
    pub commands: u64,
    /// Batches that were committed.
    pub commits: u64,
    /// Effects that came out.
    pub effects: u64,
    /// Rooms made, by the dungeon and by builders.
    pub rooms: u64,
    /// Branches opened.
    pub branches_opened: u64,
    /// Branches gone again.
    pub branches_collapsed: u64,
    /// Creatures killed.
    pub kills: u64,
    /// Players who went down.
    pub deaths: u64,
    /// Levels gained.
    pub levels: u64,
    /// Parties made.
    pub parties: u64,
    /// Floors below the first that were opened.
    pub floors: u64,
    /// Puzzles solved.
    pub puzzles: u64,
    /// Gates whose puzzle was not made, because their branch had no space for it.
    pub puzzles_waived: u64,
    /// Things that passed from hand to hand.
    pub gifts: u64,
    /// Bodies taken over by a second session.
    pub takeovers: u64,
    /// Links that broke.
    pub links_lost: u64,
    /// Times the process died and came back.
    pub crashes: u64,
    /// Times storage could not be written for a while.
    pub read_only: u64,
    /// Times every row of the world was compared with storage.
    pub comparisons: u64,
    /// Times every invariant of the world was checked.
    pub checks: u64,
    /// Of every effect in its order.
    pub digest: Digest,
    /// Of every row that is stored at the end, as it is stored.
    pub world: Digest,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: [(&str, u64); 21] = [
            ("steps", self.steps),
            ("commands", self.commands),
            ("commits", self.commits),
            ("effects", self.effects),
            ("rooms made", self.rooms),
            ("branches opened", self.branches_opened),
            ("branches collapsed", self.branches_collapsed),
            ("creatures killed", self.kills),
            ("players who went down", self.deaths),
            ("levels gained", self.levels),
            ("parties made", self.parties),
            ("floors opened", self.floors),
            ("puzzles solved", self.puzzles),
            ("puzzles waived", self.puzzles_waived),
            ("gifts", self.gifts),
            ("takeovers", self.takeovers),
            ("links lost", self.links_lost),
            ("crashes", self.crashes),
            ("times storage was read-only", self.read_only),
            ("comparisons with storage", self.comparisons),
            ("checks of all invariants", self.checks),
        ];
        for (label, value) in lines {
            writeln!(f, "{label}: {value}")?;
        }
        writeln!(f, "digest of all effects: {}", self.digest)?;
        write!(f, "digest of the stored world: {}", self.world)
    }
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
}

impl Digest {
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

//! Recent failures. They limit how often the world is rebuilt, and delay the account that makes the game panic.

use anyhow::bail;

use deepwell_core::base::{AccountId, GameTime, Span};

/// Time for which a panic is remembered, and logins of the account that caused it are refused.
const PANIC_MEMORY: Span = Span::mins(1);
/// Maximum number of remembered panics; a further one ends the process.
pub(super) const PANICS_MAX: usize = 3;
/// Maximum number of consecutive failed commits on storage whose probe succeeds; a further one ends the process.
pub(super) const FAILURES_MAX: u32 = 5;

/// A panic of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panic {
    pub(super) at: GameTime,
    /// Account whose input caused the panic.
    account: Option<AccountId>,
}

/// Recent failures of the game and of its storage.
#[derive(Debug, Default)]
pub(super) struct RecentFailures {
    pub(super) panics: Vec<Panic>,
    /// Consecutive failed commits.
    commits: u32,
}

impl RecentFailures {
    /// Drops the panics that are no longer remembered. Fails if too many are left.
    pub(super) fn require_few_panics(&mut self, now: GameTime) -> anyhow::Result<()> {
        self.panics.retain(|panic| now.since(panic.at) < PANIC_MEMORY);
        if self.panics.len() >= PANICS_MAX {
            bail!("the game panicked repeatedly within a minute");
        }
        Ok(())
    }

    /// Records a panic.
    pub(super) fn note_panic(&mut self, at: GameTime, account: Option<AccountId>) {
        self.panics.push(Panic { at, account });
    }

    /// Returns `true` if the account made the game panic a moment ago. This keeps a player from restarting the world
    /// repeatedly.
    pub(super) fn is_held_back(&self, account: AccountId, now: GameTime) -> bool {
        self.panics.iter().any(|panic| panic.account == Some(account) && now.since(panic.at) < PANIC_MEMORY)
    }

    /// Records a failed commit. Fails if there were too many since the last successful one.
    pub(super) fn note_failed_commit(&mut self) -> anyhow::Result<()> {
        self.commits += 1;
        if self.commits > FAILURES_MAX {
            bail!("commits keep failing although storage can be written");
        }
        Ok(())
    }

    /// Records a successful commit.
    pub(super) const fn note_commit(&mut self) {
        self.commits = 0;
    }
}

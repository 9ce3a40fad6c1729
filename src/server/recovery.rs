//! Recovery when the game's in-memory state must be discarded, because a commit failed or a rule panicked: the world is
//! reloaded from storage, and all players online are attached to it again.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};

use crate::base::{AccountId, GameTime, SessionId, Span, Tally};
use crate::game::input::recording::{Beginning, Header};
use crate::game::{CloseReason, Envelope, Game, Input};
use crate::server::held::Typed;
use crate::server::pipeline::{Broken, Pipeline};
use crate::server::router::notice;
use crate::server::writer::{Fate, Outcome};
use crate::session::Delivery;
use crate::store::StoreError;
use crate::world::Snapshot;

/// Time for which a panic is remembered, and logins of the account that caused it are refused.
const PANIC_MEMORY: Span = Span::mins(1);
/// Maximum number of remembered panics; a further one ends the process.
const PANICS_MAX: usize = 3;
/// Retry interval while storage cannot be written.
const RETRY: Span = Span::secs(3);

/// Maximum length at which an unanswered command is quoted to the player.
const LINE_SHOWN: usize = 80;

/// Maximum number of consecutive failed commits on storage whose probe succeeds; a further one ends the process.
const FAILURES_MAX: u32 = 5;

const UNDONE: &str = "The world stumbles: the last moment could not be kept and has not happened. You are where you were before it.";
const DOUBTFUL: &str = "The world stumbles: the last moment could not be kept. You are where you were before it. If the server has to \
                        start anew before it can write again, that moment may turn out to have happened.";
const PERHAPS: &str = "It is not certain that anything was changed. Please try again.";
const ASK_AGAIN: &str = "The world stumbled just as you came in. Please try again.";
const YOUR_COMMAND: &str = "Something broke while the world answered you, and it had to let go of you. What you did last \
                            has not happened. Please come back, and tell the staff what you typed.";

pub(super) const HELD_BACK: &str =
    "The world broke at the last thing you did. Please come back in a minute, and do something else.";

/// A panic of the game.
#[derive(Clone, Copy, Debug)]
struct Panic {
    at: GameTime,
    /// Account whose input caused the panic.
    account: Option<AccountId>,
}

/// Recent failures, and recovery from new ones.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    panics: Vec<Panic>,
    /// Consecutive failed commits.
    failures: u32,
}

impl Recovery {
    /// Plays a batch and recovers if the game panics.
    pub(super) async fn play(
        &mut self,
        pipeline: &mut Pipeline,
        inputs: Vec<Envelope>,
    ) -> anyhow::Result<()> {
        let played = pipeline.step(inputs).await?;
        self.mend(pipeline, played).await
    }

    /// Recovers if the batch made the game panic.
    async fn mend(&mut self, pipeline: &mut Pipeline, played: Result<(), Broken>) -> anyhow::Result<()> {
        let Err(broken) = played else { return Ok(()) };
        let now = pipeline.clock.now();
        // Batches passed to the writer before the panic are complete; their output is released.
        let stored = match settle_before_rebuild(pipeline).await {
            Ok(()) => pipeline.writer.load().await,
            Err(error) => Err(error),
        };
        let file = record(pipeline, now, stored.as_ref().ok());
        tracing::error!(session = broken.by.map(|session| session.0), ?file, "the game panicked");
        self.panics.retain(|panic| now.since(panic.at) < PANIC_MEMORY);
        if self.panics.len() >= PANICS_MAX {
            bail!("the game panicked repeatedly within a minute");
        }
        let account = broken.by.and_then(|session| pipeline.router.account(session)).or(broken.builder);
        self.panics.push(Panic { at: now, account });
        if let Some(session) = broken.by {
            pipeline.router.close(session, &notice(YOUR_COMMAND), CloseReason::Lost);
        }
        rebuild(pipeline, stored?, UNDONE).await
    }

    /// Returns `true` if the account made the game panic a moment ago. This keeps a player from restarting the world
    /// repeatedly.
    pub(super) fn is_held_back(&self, account: AccountId, now: GameTime) -> bool {
        self.panics.iter().any(|panic| panic.account == Some(account) && now.since(panic.at) < PANIC_MEMORY)
    }

    /// Handles the result of a commit.
    pub(super) async fn settle(&mut self, pipeline: &mut Pipeline, outcome: Outcome) -> anyhow::Result<()> {
        match pipeline.settle(outcome) {
            Fate::Committed => {
                self.failures = 0;
                if pipeline.note_fast() {
                    must(pipeline, vec![Input::StorageReadOnly(false).into()]).await?;
                }
                Ok(())
            }
            Fate::Failed(error) => {
                tracing::error!(%error, "a commit failed; reloading the stored world");
                self.recover_from_failed_commit(pipeline, &error).await
            }
            // Always follows a failure, after which all outcomes are discarded.
            Fate::Dropped => Ok(()),
        }
    }

    /// Waits until all changes passed to the writer are written.
    pub(super) async fn settle_all(&mut self, pipeline: &mut Pipeline) -> anyhow::Result<()> {
        while !pipeline.in_flight.is_empty() {
            let outcome = pipeline.outcomes.recv().await.context("the writer has ended")?;
            self.settle(pipeline, outcome).await?;
        }
        Ok(())
    }

    /// Recovers from a failed commit, after which the in-memory state is ahead of the disk.
    async fn recover_from_failed_commit(
        &mut self,
        pipeline: &mut Pipeline,
        error: &StoreError,
    ) -> anyhow::Result<()> {
        if matches!(error, StoreError::Taken) {
            bail!("{error}");
        }
        let readable = matches!(error, StoreError::Disturbed);
        if !readable && (error.can_retry() || pipeline.writer.probe().await.is_err()) {
            tracing::error!("the world is read-only until storage can be written");
            pipeline.retry_at = Some(pipeline.clock.now() + RETRY);
        } else {
            self.failures += 1;
            if self.failures > FAILURES_MAX {
                bail!("commits keep failing although storage can be written");
            }
        }
        let stored = pipeline.writer.load().await?;
        rebuild(pipeline, stored, if error.leaves_doubt() { DOUBTFUL } else { UNDONE }).await
    }
}

/// Starts a check that storage can be written again. The read-only game continues during the check.
pub(super) fn retry_storage(pipeline: &mut Pipeline) {
    pipeline.retry_at = Some(pipeline.clock.now() + RETRY);
    if pipeline.probe.is_none() {
        pipeline.probe = pipeline.writer.begin_probe();
    }
}

/// Handles the result of the check.
pub(super) async fn end_retry(pipeline: &mut Pipeline, succeeded: bool) -> anyhow::Result<()> {
    pipeline.probe = None;
    if !succeeded {
        pipeline.retry_at = Some(pipeline.clock.now() + RETRY);
        return Ok(());
    }
    tracing::info!("storage can be written again");
    pipeline.retry_at = None;
    must(pipeline, vec![Input::StorageReadOnly(false).into()]).await
}

async fn settle_before_rebuild(pipeline: &mut Pipeline) -> anyhow::Result<()> {
    while !pipeline.in_flight.is_empty() {
        let outcome = pipeline.outcomes.recv().await.context("the writer has ended")?;
        pipeline.in_flight.pop_front();
        if matches!(outcome.fate, Fate::Committed) {
            pipeline.held.committed(outcome.ticket);
        }
    }
    pipeline.release();
    Ok(())
}

/// Writes the crash recording.
fn record(pipeline: &mut Pipeline, now: GameTime, stored: Option<&Snapshot>) -> Option<PathBuf> {
    let mut seated = pipeline.recorder.take_left();
    seated.extend(pipeline.router.seats());
    let begins = Beginning::Stored { seated };
    let header = Header::new(&pipeline.catalog, &pipeline.config, begins, "the game panicked".to_owned());
    pipeline.recorder.dump(now, header, stored)
}

/// Reverts to the stored world, shows `words` to all players online and attaches them again. Fails if that is not
/// possible. The process then ends, which is better than an open port without a game.
async fn rebuild(pipeline: &mut Pipeline, stored: Snapshot, words: &str) -> anyhow::Result<()> {
    pipeline.metrics.counters.count(Tally::Rebuilds);
    let unanswered = pipeline.held.clear();
    pipeline.recorder.clear_after_rebuild();
    while pipeline.outcomes.try_recv().is_ok() {}
    pipeline.in_flight.clear();
    pipeline.slow = false;
    pipeline.places.clear();
    let catalog = Arc::clone(&pipeline.catalog);
    pipeline.game = Game::load(catalog, pipeline.config.clone(), stored)
        .map_err(|wrong| anyhow!("the stored world is invalid: {}", wrong.mistakes().join("; ")))?;
    let (mut inputs, again): (Vec<Envelope>, Vec<SessionId>) = pipeline.router.attach_again();
    pipeline.router.show(&notice(words), false);
    for Typed { session, line } in unanswered {
        let line: String = line.chars().take(LINE_SHOWN).collect();
        pipeline.router.not_answered(session, &notice(&format!("Not answered: {line}")));
    }
    pipeline.router.reattached(PERHAPS);
    for session in again {
        pipeline.router.deliver(session, Delivery::LoginPostponed(ASK_AGAIN));
    }
    if pipeline.retry_at.is_some() {
        inputs.insert(0, Input::StorageReadOnly(true).into());
    }
    must(pipeline, inputs).await
}

/// Plays a batch in a situation where a panic is fatal.
async fn must(pipeline: &mut Pipeline, inputs: Vec<Envelope>) -> anyhow::Result<()> {
    pipeline.step(inputs).await?.map_err(|_| anyhow!("the game panicked during recovery"))
}

#[cfg(test)]
mod tests;

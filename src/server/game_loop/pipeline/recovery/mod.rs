//! Recovery when the game's in-memory state must be discarded, because a commit failed or a rule panicked: the world is
//! reloaded from storage, and all players online are attached to it again.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::server::game_loop::held_output::TypedCommand;
use crate::server::game_loop::pipeline::{GamePanic, Pipeline};
use crate::server::game_loop::router::{PERHAPS, notice};
use crate::server::game_loop::writer::{CommitOutcome, CommitResult, Probed};
use crate::session::Delivery;
use crate::store::StoreError;
use deepwell_core::base::{AccountId, GameTime, SessionId, Tally};
use deepwell_core::text::Markup;
use deepwell_core::world::Snapshot;
use deepwell_game::input::recording::{Beginning, RecordingHeader};
use deepwell_game::{CloseReason, Envelope, Game, Input};

/// Maximum length at which an unanswered command is quoted to the player.
const LINE_SHOWN: usize = 80;

const UNDONE: &str = "The world stumbles: the last moment could not be kept and has not happened. You are where you were before it.";
const DOUBTFUL: &str = "The world stumbles: the last moment could not be kept. You are where you were before it. That moment \
                        may turn out to have happened once the world can be written again.";
const HAPPENED: &str =
    "The world can be written again. The last moment that was in doubt has happened after all.";
pub(in crate::server) const ASK_AGAIN: &str = "The world stumbled just as you came in. Please try again.";
const YOUR_COMMAND: &str = "Something broke while the world answered you, and it had to let go of you. What you did last \
                            has not happened. Please come back, and tell the staff what you typed.";

const SLOW: &str = "The disk does not answer. What you did last waits for it. Until then what you are shown is marked as \
                    unconfirmed.";

const HELD_BACK: &str =
    "The world broke at the last thing you did. Please come back in a minute, and do something else.";

impl Pipeline {
    /// Plays a batch and recovers if the game panics.
    pub(in crate::server) async fn play(
        &mut self,
        inputs: impl IntoIterator<Item = impl Into<Envelope>>,
    ) -> anyhow::Result<()> {
        match self.step(inputs.into_iter().map(Into::into).collect()).await? {
            Ok(()) => Ok(()),
            Err(broken) => self.recover_from_panic(broken).await,
        }
    }

    /// Reloads the stored world after a panic, unless there were too many.
    async fn recover_from_panic(&mut self, broken: GamePanic) -> anyhow::Result<()> {
        let now = self.parts.clock.now();
        // Batches passed to the writer before the panic are complete; their output is released.
        let stored = match self.settle_before_rebuild().await {
            Ok(()) => self.parts.commits.writer.load().await,
            Err(error) => Err(error),
        };
        let file = self.record_crash(now, stored.as_ref().ok());
        tracing::error!(session = broken.by.map(|session| session.0), ?file, "the game panicked");
        self.failures.require_few_panics(now)?;
        let account = broken.by.and_then(|session| self.router.account(session)).or(broken.builder);
        self.failures.note_panic(now, account);
        if let Some(session) = broken.by {
            self.router.close(session, &notice(YOUR_COMMAND), CloseReason::Lost);
        }
        self.rebuild(stored?, UNDONE).await
    }

    /// Returns the refusal for an account whose input made the game panic a moment ago.
    pub(in crate::server) fn held_back(&self, account: AccountId) -> Option<&'static str> {
        self.failures.is_held_back(account, self.parts.clock.now()).then_some(HELD_BACK)
    }

    /// Handles the result of a commit, and releases the output that waited for it.
    pub(super) async fn settle(&mut self, outcome: CommitOutcome) -> anyhow::Result<()> {
        match outcome.result {
            CommitResult::Committed => {
                self.parts.metrics.commit_seconds.observe(outcome.took.as_secs_f64());
                self.parts.metrics.commit_disk_seconds.observe(outcome.disk.as_secs_f64());
                self.held.committed(outcome.ticket);
                self.release();
                self.failures.note_commit();
                if self.parts.commits.note_fast() {
                    self.must_play(vec![Input::StorageReadOnly(false).into()]).await?;
                }
                Ok(())
            }
            CommitResult::Failed(error) => {
                self.parts.metrics.counters.count(Tally::CommitsFailed);
                tracing::error!(%error, "a commit failed; reloading the stored world");
                self.recover_from_failed_commit(&error).await
            }
            // Always follows a failure, after which all outcomes are discarded.
            CommitResult::Dropped => Ok(()),
        }
    }

    /// Waits until all changes passed to the writer are written.
    pub(in crate::server) async fn settle_all(&mut self) -> anyhow::Result<()> {
        while let Some(outcome) = self.parts.commits.next_outcome().await? {
            self.settle(outcome).await?;
        }
        Ok(())
    }

    async fn settle_before_rebuild(&mut self) -> anyhow::Result<()> {
        while let Some(outcome) = self.parts.commits.next_outcome().await? {
            if matches!(outcome.result, CommitResult::Committed) {
                self.held.committed(outcome.ticket);
            }
        }
        self.release();
        Ok(())
    }

    /// Notifies the clients that wait for the disk that it does not respond.
    pub(super) async fn notify_of_slow_disk(&mut self) -> anyhow::Result<()> {
        self.parts.commits.note_slow();
        let answers = self.held.take_answers();
        self.speak(answers);
        let message = notice(SLOW);
        for session in self.held.waiting() {
            self.router.deliver(*session, Delivery::Show(Arc::clone(&message)));
        }
        self.play([Input::StorageReadOnly(true)]).await
    }

    /// Recovers from a failed commit, after which the in-memory state is ahead of the disk.
    async fn recover_from_failed_commit(&mut self, error: &StoreError) -> anyhow::Result<()> {
        if error.ends_writing() {
            bail!("{error}");
        }
        let readable = matches!(error, StoreError::Disturbed);
        if !readable && (error.can_retry() || self.parts.commits.writer.probe().await.is_err()) {
            tracing::error!("the world is read-only until storage can be written");
            self.parts.commits.schedule_retry(self.parts.clock.now());
        } else {
            self.failures.note_failed_commit()?;
        }
        let stored = self.parts.commits.writer.load().await?;
        self.rebuild(stored, if error.leaves_doubt() { DOUBTFUL } else { UNDONE }).await
    }

    /// Handles the result of the check that storage can be written again.
    pub(super) async fn end_retry(&mut self, probed: Result<Probed, StoreError>) -> anyhow::Result<()> {
        if let Err(error) = &probed
            && error.ends_writing()
        {
            bail!("{error}");
        }
        self.parts.commits.end_retry(probed.is_ok(), self.parts.clock.now());
        match probed {
            Ok(Probed::Same) => self.must_play(vec![Input::StorageReadOnly(false).into()]).await,
            Ok(Probed::Changed) => {
                let stored = self.parts.commits.writer.load().await?;
                self.rebuild(stored, HAPPENED).await
            }
            Err(_) => Ok(()),
        }
    }

    /// Writes the crash recording.
    fn record_crash(&mut self, now: GameTime, stored: Option<&Snapshot>) -> Option<PathBuf> {
        let mut seated = self.parts.recorder.take_left();
        seated.extend(self.router.seats());
        let begins = Beginning::Stored { seated };
        let config = self.parts.recorder.first_settings().unwrap_or(&self.parts.config);
        let header =
            RecordingHeader::new(&self.parts.catalog, config, begins, "the game panicked".to_owned());
        self.parts.recorder.dump(now, header, stored)
    }

    /// Reverts to the stored world, shows `message` to all players online and attaches them again. Fails if
    /// that is not possible. The process then ends, which is better than an open port without a game.
    async fn rebuild(&mut self, stored: Snapshot, message: &str) -> anyhow::Result<()> {
        self.parts.metrics.counters.count(Tally::Rebuilds);
        let unanswered = self.held.clear();
        self.parts.recorder.clear_after_rebuild();
        self.parts.commits.clear();
        self.parts.game = Game::load(Arc::clone(&self.parts.catalog), self.parts.config.clone(), stored)
            .map_err(|error| anyhow!("the stored world is invalid: {}", error.mistakes().join("; ")))?;
        let (mut inputs, again): (Vec<Envelope>, Vec<SessionId>) = self.router.attach_again();
        self.router.show(&notice(message), false);
        for TypedCommand { session, line } in unanswered {
            self.router.not_answered(session, &not_answered(&line));
        }
        self.router.reattached(PERHAPS);
        for session in again {
            self.router.deliver(session, Delivery::LoginPostponed(ASK_AGAIN.into()));
        }
        if self.is_read_only() {
            inputs.insert(0, Input::StorageReadOnly(true).into());
        }
        self.must_play(inputs).await
    }

    /// Plays a batch in a situation where a panic is fatal.
    async fn must_play(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<()> {
        self.step(inputs).await?.map_err(|_| anyhow!("the game panicked during recovery"))
    }
}

/// Returns the notice that a command will not be answered.
pub(in crate::server) fn not_answered(line: &str) -> Arc<Markup> {
    let line: String = line.chars().take(LINE_SHOWN).collect();
    notice(&format!("Not answered: {line}"))
}

#[cfg(test)]
mod tests;

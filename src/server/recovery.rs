//! When the game in memory is worth nothing any more, because a commit failed (D5) or a rule panicked (O7): the
//! world is read back from storage, and everybody who plays is attached to it again.

use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};

use crate::base::{GameTime, SessionId, Span};
use crate::game::{Closed, Game, Input};
use crate::net::Delivery;
use crate::server::driver::{Broken, Driver, notice};
use crate::server::writer::Fate;

/// A second panic within this time ends the process.
const PANIC_MEMORY: Span = Span::mins(1);
/// How often storage is tried while it cannot be written.
const RETRY: Span = Span::secs(3);

/// Failed commits in a row after which the process ends.
const FAILURES_MAX: u32 = 5;

const UNDONE: &str = "The world stumbles: the last moment could not be kept and has not happened. You are where you were before it.";
const ASK_AGAIN: &str = "The world stumbled just as you came in. Please try again.";
const YOUR_COMMAND: &str = "Something broke while the world answered you, and it had to let go of you. What you did last \
                            has not happened. Please come back, and tell the staff what you typed.";

impl Driver {
    /// Goes on after a batch: nothing to do, unless the game broke.
    pub(super) async fn mend(&mut self, played: anyhow::Result<Result<(), Broken>>) -> anyhow::Result<()> {
        let Err(broken) = played? else { return Ok(()) };
        let now = self.parts.clock.now();
        let file = self.parts.recording.dump(now);
        tracing::error!(session = broken.by.map(|session| session.0), ?file, "the game panicked");
        if self.panicked_at.is_some_and(|at: GameTime| now.since(at) < PANIC_MEMORY) {
            bail!("the game panicked twice within a minute");
        }
        self.panicked_at = Some(now);
        if let Some(session) = broken.by {
            self.router.close(session, &notice(YOUR_COMMAND), Closed::Lost);
        }
        // Batches cut before the panic are whole; what they tell may be heard.
        self.settle_before_rebuild().await?;
        self.rebuild().await
    }

    /// Memory is ahead of the disk.
    pub(super) async fn after_failed_commit(&mut self) -> anyhow::Result<()> {
        self.failures += 1;
        if self.failures > FAILURES_MAX {
            bail!("storage fails again and again although it says that it can be written");
        }
        if let Err(error) = self.parts.writer.probe().await {
            tracing::error!(
                error = format!("{error:#}"),
                "the world is read-only until storage can be written"
            );
            self.retry_at = Some(self.parts.clock.now() + RETRY);
        }
        self.rebuild().await
    }

    /// Tries whether storage can be written again.
    pub(super) async fn retry_storage(&mut self) -> anyhow::Result<()> {
        if self.parts.writer.probe().await.is_err() {
            self.retry_at = Some(self.parts.clock.now() + RETRY);
            return Ok(());
        }
        tracing::info!("storage can be written again");
        self.retry_at = None;
        self.must(vec![Input::StorageReadOnly(false)]).await
    }

    async fn settle_before_rebuild(&mut self) -> anyhow::Result<()> {
        while self.in_flight > 0 {
            let outcome = self.parts.outcomes.recv().await.context("the writer has ended")?;
            self.in_flight -= 1;
            if matches!(outcome.fate, Fate::Committed) {
                self.held.committed(outcome.ticket);
            }
        }
        while let Some(effects) = self.held.release() {
            self.speak(effects);
        }
        Ok(())
    }

    /// Reads the world back and attaches everybody again. Fails if that cannot be done, and then the process ends:
    /// a dead world behind an open port is the worst state.
    async fn rebuild(&mut self) -> anyhow::Result<()> {
        self.parts.metrics.rebuilds.inc();
        self.held.clear();
        let stored = self.parts.writer.load().await?;
        while self.parts.outcomes.try_recv().is_ok() {}
        self.in_flight = 0;
        let catalog = Arc::clone(&self.parts.catalog);
        self.parts.game = Game::load(catalog, self.parts.config.clone(), stored)
            .map_err(|mistakes| anyhow!("the stored world is broken: {}", mistakes.join("; ")))?;
        let (mut inputs, again): (Vec<Input>, Vec<SessionId>) = self.router.attach_again();
        self.router.show(&notice(UNDONE), false);
        for session in again {
            self.router.deliver(session, Delivery::LoginFailed(ASK_AGAIN));
        }
        if self.retry_at.is_some() {
            inputs.insert(0, Input::StorageReadOnly(true));
        }
        self.must(inputs).await
    }

    /// Plays a batch where a panic cannot be mended any more.
    async fn must(&mut self, inputs: Vec<Input>) -> anyhow::Result<()> {
        self.act(inputs).await?.map_err(|_| anyhow!("the game panicked while it was mended"))
    }
}

//! Reads of the parts of the world that are asleep, over a database connection of their own, so that neither the game loop nor the
//! writer waits for them.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::store::{PartReader, StoreError};
use deepwell_core::world::{PartRows, WorldPart};
use deepwell_game::Input;

/// Access to the stored rows of branches and accounts; implemented by [`PartReader`], and by tests.
pub trait PartSource: Send + 'static {
    /// Reads the committed rows of a part.
    fn read(&mut self, part: WorldPart) -> impl Future<Output = Result<PartRows, StoreError>> + Send;
}

impl PartSource for PartReader {
    async fn read(&mut self, part: WorldPart) -> Result<PartRows, StoreError> {
        Self::read(self, part).await
    }
}

/// Handle to the task that reads parts. The game requests few at a time, so the queue needs no bound of its own.
#[derive(Debug)]
pub struct PartReads {
    requests: mpsc::UnboundedSender<WorldPart>,
    answers: mpsc::UnboundedReceiver<(WorldPart, Result<PartRows, StoreError>)>,
}

impl PartReads {
    /// Starts the task. It ends when the handle is dropped.
    pub fn start(mut source: impl PartSource) -> Self {
        let (requests, mut waiting) = mpsc::unbounded_channel();
        let (done, answers) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(part) = waiting.recv().await {
                let rows = source.read(part).await;
                if done.send((part, rows)).is_err() {
                    return;
                }
            }
        });
        Self { requests, answers }
    }

    /// Requests the rows of a part.
    pub(in crate::server) fn ask(&self, part: WorldPart) {
        // If the task has ended, the runtime is being shut down.
        let _ = self.requests.send(part);
    }

    /// Waits for the next part; pends for ever if none was requested. Cancel-safe.
    pub(in crate::server) async fn done(&mut self) -> (WorldPart, Input) {
        let Some((part, rows)) = self.answers.recv().await else { return std::future::pending().await };
        let log = |error: &StoreError| {
            tracing::error!(%part, %error, "a part of the world cannot be read, so it stays asleep");
        };
        let rows = rows.inspect_err(log).ok().map(Arc::new);
        (part, Input::PartRows { part, rows })
    }
}

//! Reads of branches that are asleep, over a database connection of their own, so that neither the game loop nor the
//! writer waits for them.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::base::BranchId;
use crate::game::Input;
use crate::store::{BranchReader, StoreError};
use crate::world::BranchRows;

/// Access to the stored rows of branches; implemented by [`BranchReader`], and by tests.
pub trait BranchSource: Send + 'static {
    /// Reads the committed rows of a branch.
    fn read(&mut self, branch: BranchId) -> impl Future<Output = Result<BranchRows, StoreError>> + Send;
}

impl BranchSource for BranchReader {
    async fn read(&mut self, branch: BranchId) -> Result<BranchRows, StoreError> {
        Self::read(self, branch).await
    }
}

/// Handle to the task that reads branches. The game requests few at a time, so the queue needs no bound of its own.
#[derive(Debug)]
pub struct BranchReads {
    requests: mpsc::UnboundedSender<BranchId>,
    answers: mpsc::UnboundedReceiver<(BranchId, Result<BranchRows, StoreError>)>,
}

impl BranchReads {
    /// Starts the task. It ends when the handle is dropped.
    pub fn start(mut source: impl BranchSource) -> Self {
        let (requests, mut waiting) = mpsc::unbounded_channel();
        let (done, answers) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(branch) = waiting.recv().await {
                let rows = source.read(branch).await;
                if done.send((branch, rows)).is_err() {
                    return;
                }
            }
        });
        Self { requests, answers }
    }

    /// Requests the rows of a branch.
    pub(super) fn ask(&self, branch: BranchId) {
        // If the task has ended, the runtime is being shut down.
        let _ = self.requests.send(branch);
    }

    /// Waits for the next branch; pends for ever if none was requested. Cancel-safe.
    pub(super) async fn done(&mut self) -> (BranchId, Input) {
        let Some((branch, rows)) = self.answers.recv().await else { return std::future::pending().await };
        let log = |error: &StoreError| {
            tracing::error!(branch = branch.0, %error, "a branch cannot be read, so it stays asleep");
        };
        let rows = rows.inspect_err(log).ok().map(Arc::new);
        (branch, Input::BranchRows { branch, rows })
    }
}

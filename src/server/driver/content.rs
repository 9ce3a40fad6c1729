//! Content that was read while the game went on comes into force between two batches, or not at all.

use std::sync::Arc;

use super::Driver;
use crate::base::SessionId;
use crate::catalog::Catalog;
use crate::game::{Content, Input, MISTAKES_SHOWN};
use crate::server::reload::{Loaded, Reloaded};

/// Why content that has no mistake is not in force.
const STOPPED: &str = "the world could not take it in now, because it cannot be written or because it stumbled; \
                       what was in force stays in force: look at the log, and try again";

impl Driver {
    /// Puts what was read in force, or tells whoever asked what is wrong with it.
    pub(super) async fn put_in_force(&mut self, loaded: Loaded) -> anyhow::Result<()> {
        let Loaded { askers, catalog } = loaded;
        let sessions = askers.sessions.clone();
        let came = match catalog {
            Ok(catalog) => self.swap(Arc::new(catalog), sessions).await?,
            Err(mistakes) => {
                for mistake in mistakes.iter().take(MISTAKES_SHOWN) {
                    tracing::error!(%mistake, "the content stays as it was");
                }
                if let Some(more) = mistakes.len().checked_sub(MISTAKES_SHOWN).filter(|more| *more > 0) {
                    tracing::error!(more, "deepwell check lists all mistakes of the content");
                }
                let refused = Input::ContentRefused { askers: sessions, mistakes: mistakes.clone() };
                self.recovery.play(&mut self.pipeline, vec![refused]).await?;
                Err(mistakes)
            }
        };
        askers.answer(&came);
        Ok(())
    }

    /// The game takes other content, and so does whatever the world is read back with.
    async fn swap(&mut self, catalog: Arc<Catalog>, askers: Vec<SessionId>) -> anyhow::Result<Reloaded> {
        let content = Content(Arc::clone(&catalog));
        self.recovery.play(&mut self.pipeline, vec![Input::Content { askers, content }]).await?;
        if !Arc::ptr_eq(self.pipeline.game.catalog_of_files(), &catalog) {
            tracing::error!("the new content did not come into force");
            return Ok(Err(vec![STOPPED.to_owned()]));
        }
        self.pipeline.catalog = catalog;
        self.pipeline.recorder.forget_moves();
        self.figures = None;
        let words = self.pipeline.game.content_words();
        tracing::info!("{words}");
        Ok(Ok(words))
    }
}

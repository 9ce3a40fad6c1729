//! Content reload: replaces the content atomically between two batches.

use std::sync::Arc;

use super::Driver;
use crate::base::SessionId;
use crate::catalog::Catalog;
use crate::game::{Content, Input, MISTAKES_SHOWN};
use crate::server::reload::{Loaded, Reloaded};

/// Message when valid content could not be applied.
const STOPPED: &str = "the new content could not be applied, because the world cannot be written or was reloaded; \
                       the old content stays in use: see the log, and try again";

impl Driver {
    /// Applies loaded content, or reports its mistakes to the askers.
    pub(super) async fn put_in_force(&mut self, loaded: Loaded) -> anyhow::Result<()> {
        let Loaded { askers, catalog } = loaded;
        let sessions = askers.sessions.clone();
        let came = match catalog {
            Ok(catalog) => self.swap(Arc::new(catalog), sessions).await?,
            Err(mistakes) => {
                for mistake in mistakes.iter().take(MISTAKES_SHOWN) {
                    tracing::error!(%mistake, "mistake in the content; the old content stays in use");
                }
                if let Some(more) = mistakes.len().checked_sub(MISTAKES_SHOWN).filter(|more| *more > 0) {
                    tracing::error!(more, "more mistakes in the content; deepwell check lists them all");
                }
                let refused = Input::ContentRefused { askers: sessions, mistakes: mistakes.clone() };
                self.play_input(refused).await?;
                Err(mistakes)
            }
        };
        askers.answer(&came);
        Ok(())
    }

    /// Replaces the content of the game, and of any later rebuild of the world.
    async fn swap(&mut self, catalog: Arc<Catalog>, askers: Vec<SessionId>) -> anyhow::Result<Reloaded> {
        let content = Content(Arc::clone(&catalog));
        self.play_input(Input::Content { askers, content }).await?;
        if !Arc::ptr_eq(self.pipeline.game.catalog_of_files(), &catalog) {
            tracing::error!("the new content could not be applied");
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

//! Reload of content and settings: each is replaced as a whole between two batches.

use std::sync::Arc;

use crate::server::content::ContentError;
use crate::server::content::reload::{Loaded, Reloaded};
use crate::server::game_loop::pipeline::Pipeline;
use deepwell_core::base::SessionId;
use deepwell_core::catalog::Catalog;
use deepwell_game::{Content, GameConfig, Input, MISTAKES_SHOWN};

impl Pipeline {
    /// Applies loaded content, or reports its mistakes to the askers.
    pub(super) async fn apply_content(&mut self, loaded: Loaded) -> anyhow::Result<()> {
        let Loaded { askers, catalog } = loaded;
        let sessions = askers.sessions.clone();
        let result = match catalog {
            Ok(catalog) => self.replace_content(Arc::new(catalog), sessions).await?,
            Err(error) => {
                let mistakes = error.lines();
                for mistake in mistakes.iter().take(MISTAKES_SHOWN) {
                    tracing::error!(%mistake, "mistake in the content; the old content stays in use");
                }
                if let Some(more) = mistakes.len().checked_sub(MISTAKES_SHOWN).filter(|more| *more > 0) {
                    tracing::error!(more, "more mistakes in the content; deepwell check lists them all");
                }
                let refused = Input::ContentRefused { askers: sessions, mistakes };
                self.play([refused]).await?;
                Err(Arc::new(error))
            }
        };
        askers.answer(&result);
        Ok(())
    }

    /// Replaces the settings of the game, and of any later rebuild of the world. Returns `false` if the game has panicked
    /// and been rebuilt with the old ones.
    pub(crate) async fn replace_settings(&mut self, config: GameConfig) -> anyhow::Result<bool> {
        let config = GameConfig { seed: self.parts.config.seed, ..config };
        self.parts.recorder.note_settings(&self.parts.config);
        self.play([Input::Settings(Box::new(config.clone()))]).await?;
        let in_force = *self.parts.game.config() == config;
        if in_force {
            self.parts.config = config;
        }
        Ok(in_force)
    }

    /// Replaces the content of the game, and of any later rebuild of the world.
    async fn replace_content(
        &mut self,
        catalog: Arc<Catalog>,
        askers: Vec<SessionId>,
    ) -> anyhow::Result<Reloaded> {
        let content = Content(Arc::clone(&catalog));
        self.play([Input::Content { askers, content }]).await?;
        if !Arc::ptr_eq(self.parts.game.catalog_of_files(), &catalog) {
            tracing::error!("the new content could not be applied");
            return Ok(Err(Arc::new(ContentError::NotApplied)));
        }
        self.parts.catalog = catalog;
        self.parts.recorder.forget_moves();
        let summary = self.parts.game.content_words();
        tracing::info!("{summary}");
        Ok(Ok(summary))
    }
}

//! A world for scripted parties, in virtual time.

use crate::base::{CharacterId, GameTime, SessionId, Span};
use crate::catalog::Catalog;
use crate::game::{Effects, Game, GameConfig, Input};
use crate::tools::simulate::Breach;
use crate::world::{Settings, Snapshot, World};
use std::sync::Arc;

/// When every world begins.
pub(super) const BEGIN: GameTime = GameTime(1_800_000_000_000);

/// How long parties think between two things they do.
const PACE: Span = Span::secs(3);

/// The world and its clock.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) catalog: Arc<Catalog>,
    pub(super) game: Game,
    pub(super) now: GameTime,
    pub(super) sessions: u64,
    /// What is stored, for who wants the world to die and come back.
    pub(super) stored: Option<Snapshot>,
}

impl Stage {
    /// A fresh world.
    pub(super) fn new(catalog: Arc<Catalog>, config: GameConfig) -> Result<Self, Breach> {
        let game = Game::load(Arc::clone(&catalog), config, Snapshot::default())
            .map_err(|wrong| Breach(wrong.mistakes().join("; ")))?;
        Ok(Self { catalog, game, now: BEGIN, sessions: 0, stored: None })
    }

    pub(super) fn world(&self) -> &World {
        self.game.world()
    }

    /// Time passes.
    pub(super) fn tick(&mut self) {
        self.now = self.now + PACE;
        self.step(Input::Wake);
    }

    pub(super) fn step(&mut self, input: Input) {
        self.game.step(self.now, input, &mut Effects::new());
        let changes = self.game.cut();
        if let Some(stored) = &mut self.stored {
            stored.apply(&changes);
        }
    }

    /// A new character with its session.
    pub(super) fn create(&mut self, name: &str) -> Result<(CharacterId, SessionId), Breach> {
        self.sessions += 1;
        let session = SessionId(self.sessions);
        let credential = "none: scripted characters have no password".into();
        self.step(Input::Create { session, name: name.into(), credential, pre_login: Settings::default() });
        let character = self.world().character_by_name(name);
        Ok((character.ok_or_else(|| Breach(format!("{name} was not let in")))?, session))
    }

    /// Every invariant.
    pub(super) fn check(&self) -> Result<(), Breach> {
        Breach::none(&self.game.check())
    }
}

//! A world for scripted parties, in virtual time. Where it is told to, it stores what a batch writes, so that it can
//! die and come back.

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
    config: GameConfig,
    sessions: u64,
    /// What is stored, if anything is.
    stored: Option<Snapshot>,
}

impl Stage {
    /// A fresh world. Only one that `keeps` what is written can crash.
    pub(super) fn new(catalog: Arc<Catalog>, config: GameConfig, keeps: bool) -> Result<Self, Breach> {
        let game = Game::load(Arc::clone(&catalog), config.clone(), Snapshot::default())
            .map_err(|wrong| Breach(wrong.mistakes().join("; ")))?;
        let stored = keeps.then(Snapshot::default);
        Ok(Self { catalog, game, now: BEGIN, config, sessions: 0, stored })
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

    /// Somebody comes back on another line.
    pub(super) fn login(&mut self, character: CharacterId) -> Option<SessionId> {
        let body = self.world().characters.get(character)?;
        let (account, name) = (body.account?, body.name.clone());
        self.sessions += 1;
        let session = SessionId(self.sessions);
        self.step(Input::Login { session, account, name, pre_login: Settings::default() });
        Some(session)
    }

    /// The process dies and comes back from what is stored; nobody is connected then.
    pub(super) fn crash(&mut self) -> Result<(), Breach> {
        let Some(stored) = &self.stored else { return Ok(()) };
        let stored = Snapshot { audit: Vec::new(), ledger: Vec::new(), ..stored.clone() };
        self.game = Game::load(Arc::clone(&self.catalog), self.config.clone(), stored)
            .map_err(|wrong| Breach(wrong.mistakes().join("; ")))?;
        self.step(Input::Wake);
        Ok(())
    }

    /// Every invariant.
    pub(super) fn check(&self) -> Result<(), Breach> {
        Breach::none(&self.game.check())
    }
}

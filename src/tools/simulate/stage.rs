//! A world in virtual time with what is stored of it: what bots, parties and recordings are played on.

use super::Breach;
use crate::base::{GameTime, SessionId};
use crate::catalog::Catalog;
use crate::game::{Effects, Game, GameConfig, Input};
use crate::world::{Snapshot, Spawned, World};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// When every fresh world begins: some day.
pub(super) const BEGIN: GameTime = GameTime(1_800_000_000_000);

/// The world and its clock.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) catalog: Arc<Catalog>,
    pub(super) config: GameConfig,
    pub(super) game: Game,
    pub(super) stored: Snapshot,
    pub(super) now: GameTime,
    /// The last session that there was.
    pub(super) sessions: u64,
}

impl Stage {
    /// A fresh world, or the one that is stored.
    pub(super) fn new(catalog: Arc<Catalog>, config: GameConfig, stored: Snapshot) -> Result<Self, Breach> {
        let now = stored.meta.as_ref().map_or(BEGIN, |meta| meta.time);
        let game = load(&catalog, &config, &stored)?;
        Ok(Self { catalog, config, game, stored, now, sessions: 0 })
    }

    pub(super) fn world(&self) -> &World {
        self.game.world()
    }

    /// A session that nobody has used.
    pub(super) fn open(&mut self) -> SessionId {
        self.sessions += 1;
        SessionId(self.sessions)
    }

    /// One step.
    pub(super) fn step(&mut self, input: Input) -> Effects {
        let mut effects = Effects::new();
        self.game.step(self.now, input, &mut effects);
        effects
    }

    /// What has changed since the last cut is stored.
    pub(super) fn store(&mut self) {
        let changes = self.game.cut();
        self.stored.apply(&changes);
    }

    /// The process dies and comes back from what is stored; nobody is connected then.
    pub(super) fn restart(&mut self) -> Result<(), Breach> {
        self.game = load(&self.catalog, &self.config, &self.stored)?;
        Ok(())
    }

    /// Every invariant; and what builders made names nothing that the content does not know, which stays as it is here.
    pub(super) fn check(&self) -> Result<(), Breach> {
        Breach::none(&self.game.check())?;
        Breach::none(&self.unknown_names())
    }

    fn unknown_names(&self) -> Vec<String> {
        let (world, catalog) = (self.world(), self.game.catalog());
        let mut wrong = Vec::new();
        for room in world.built_rooms().map(|id| &world.rooms[id]) {
            let keys = world.exits_of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_ref());
            let things = keys.chain(&room.stock).chain(&room.supplies);
            let things = things.filter(|key| !catalog.items.contains_key(*key)).cloned();
            let unknown = |what: &Spawned| match what {
                Spawned::Creature(key) => !catalog.mobs.contains_key(key),
                Spawned::Item(key) => !catalog.items.contains_key(key),
            };
            let coming = room.spawns.iter().filter(|rule| unknown(&rule.what));
            for key in things.chain(coming.map(|rule| rule.what.key().to_owned())) {
                wrong.push(format!("rooms {}: names {key}, which no content knows", room.id));
            }
        }
        wrong
    }
}

fn load(catalog: &Arc<Catalog>, config: &GameConfig, stored: &Snapshot) -> Result<Game, Breach> {
    // The book of money is not loaded from a database either.
    let stored = Snapshot { ledger: Vec::new(), ..stored.clone() };
    Game::load(Arc::clone(catalog), config.clone(), stored)
        .map_err(|wrong| Breach(wrong.mistakes().join("; ")))
}

/// Runs a part of the game. A rule that panics is a breach, after which the world is worth nothing.
pub(super) fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, Breach> {
    catch_unwind(AssertUnwindSafe(part))
        .map_err(|panic| Breach(format!("a rule panicked: {}", words(&*panic))))
}

/// What a panic says of itself.
fn words(panic: &(dyn Any + Send)) -> &str {
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    formatted.or_else(|| panic.downcast_ref().copied()).unwrap_or("without words")
}

//! A world in virtual time with its stored state. Bots, parties and recordings run on it.

use super::Breach;
use deepwell_core::base::{GameTime, SessionId, Span};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{Snapshot, Spawned, World, WorldPart};
use deepwell_game::{Effects, Envelope, Game, GameConfig, Input, StepCost};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Game time at which a new world starts; arbitrary.
pub(super) const BEGIN: GameTime = GameTime(1_800_000_000_000);

/// The game, its stored state and its clock.
#[derive(Debug)]
pub(super) struct SimulatedGame {
    pub(super) catalog: Arc<Catalog>,
    pub(super) config: GameConfig,
    pub(super) game: Game,
    pub(super) stored: Snapshot,
    pub(super) now: GameTime,
    /// Number of the last session.
    pub(super) sessions: u64,
    /// Cost of the last step.
    pub(super) cost: Option<StepCost>,
}

impl SimulatedGame {
    /// Loads the stored world; an empty snapshot gives a new world.
    pub(super) fn new(catalog: Arc<Catalog>, config: GameConfig, stored: Snapshot) -> Result<Self, Breach> {
        let now = stored.meta.as_ref().map_or(BEGIN, |meta| meta.time);
        let game = load(&catalog, &config, &stored)?;
        Ok(Self { catalog, config, game, stored, now, sessions: 0, cost: None })
    }

    pub(super) fn world(&self) -> &World {
        self.game.world()
    }

    /// Returns an unused session number.
    pub(super) fn open(&mut self) -> SessionId {
        self.sessions += 1;
        SessionId(self.sessions)
    }

    /// Runs one step of the game.
    pub(super) fn step(&mut self, input: impl Into<Envelope>) -> Effects {
        let mut effects = Effects::new();
        self.cost = Some(self.game.step(self.now, input, &mut effects));
        effects
    }

    /// Stores the changes since the last cut.
    pub(super) fn store(&mut self) {
        let changes = self.game.cut();
        self.stored.apply(&changes);
    }

    /// Restarts the game from the stored state, without connected clients.
    pub(super) fn restart(&mut self) -> Result<(), Breach> {
        let (branches, accounts) = (self.config.dungeon.sleep_after, self.config.limits.absent_after);
        let awake = self.stored.awake_part(branches > Span::ZERO, accounts > Span::ZERO);
        self.game = load(&self.catalog, &self.config, &awake)?;
        Ok(())
    }

    /// Returns the game with all stored rows in memory.
    pub(super) fn game_of_all_rows(&self) -> Result<Game, Breach> {
        load(&self.catalog, &self.config, &self.stored)
    }

    /// Returns the input with the stored rows of a part.
    pub(super) fn rows_of(&self, part: WorldPart) -> Input {
        let rows = self.stored.rows_of(part);
        let is_sound = self.stored.check_rows(part, &rows).is_empty();
        let rows = is_sound.then(|| Arc::new(rows));
        Input::PartRows { part, rows }
    }

    /// Checks every invariant, and that hand-built rooms refer to existing content only, which never changes here.
    pub(super) fn check(&self) -> Result<(), Breach> {
        Breach::none(&self.game.check())?;
        Breach::none(&self.unknown_names())
    }

    fn unknown_names(&self) -> Vec<String> {
        let (world, catalog) = (self.world(), self.game.catalog());
        let mut violations = Vec::new();
        for room in world.rooms.built().map(|id| &world.rooms[id]) {
            let keys = world.exits.of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_ref());
            let things = keys.chain(&room.stock).chain(&room.supplies);
            let things = things.filter(|key| !catalog.items.contains_key(*key)).cloned();
            let unknown = |what: &Spawned| match what {
                Spawned::Creature(key) => !catalog.creatures.contains_key(key),
                Spawned::Item(key) => !catalog.items.contains_key(key),
            };
            let coming = room.spawns.iter().filter(|rule| unknown(&rule.what));
            for key in things.chain(coming.map(|rule| rule.what.key().to_owned())) {
                violations
                    .push(format!("rooms {}: refers to {key}, which does not exist in the content", room.id));
            }
        }
        violations
    }
}

fn load(catalog: &Arc<Catalog>, config: &GameConfig, stored: &Snapshot) -> Result<Game, Breach> {
    // The money ledger is not loaded from a database either.
    let stored = Snapshot { ledger: Vec::new(), ..stored.clone() };
    Game::load(Arc::clone(catalog), config.clone(), stored)
        .map_err(|error| Breach(error.mistakes().join("; ")))
}

/// Runs a part of the game. A panic becomes a breach; the world must be discarded afterwards.
pub(super) fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, Breach> {
    catch_unwind(AssertUnwindSafe(part))
        .map_err(|panic| Breach(format!("a rule panicked: {}", words(&*panic))))
}

/// Returns the message of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    formatted.or_else(|| panic.downcast_ref().copied()).unwrap_or("without words")
}

//! Storage of a simulation. The driver applies the batches; this trait injects faults, so that tests can show that the
//! auditor detects them. The server has no such hooks.

use deepwell_core::world::{Changes, Snapshot};
use deepwell_game::GameConfig;

/// Hooks into the storage of a simulation.
pub trait SimulatedStorage {
    /// Changes a batch to what this storage writes. `stored` is the state before it.
    fn write(&mut self, batch: &mut Changes, stored: &Snapshot);

    /// Called when the process crashes; unwritten data is lost.
    fn lose(&mut self) {}

    /// Returns `true` if the storage holds exactly the rows it was given, so that it can be compared with the world.
    /// The losses of a faulty storage must be detected by rules and by facts sent to clients.
    fn is_faithful(&self) -> bool {
        false
    }

    /// Changes the settings before the game gets them.
    fn forget(&self, _config: &mut GameConfig) {}

    /// Returns `true` if clients receive the effects of a batch before it is committed.
    fn replies_early(&self) -> bool {
        false
    }
}

/// A storage without faults.
#[derive(Clone, Copy, Debug)]
pub struct Faithful;

impl SimulatedStorage for Faithful {
    fn write(&mut self, _batch: &mut Changes, _stored: &Snapshot) {}

    fn is_faithful(&self) -> bool {
        true
    }
}

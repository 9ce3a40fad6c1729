//! The storage that a run is played on. Batches are applied by the driver; what stands here is what may go wrong with
//! them, so that tests can bring a storage with a fault and see the auditor find it. The product has none.

use crate::game::GameConfig;
use crate::world::{Changes, Snapshot};

/// What a batch goes through on its way into storage.
pub trait Storage {
    /// Makes of a batch what this storage writes of it. `stored` is what it held before.
    fn write(&mut self, batch: &mut Changes, stored: &Snapshot);

    /// The process dies: what was not written is lost.
    fn lose(&mut self) {}

    /// Whether it holds row for row what it was given, so that it can be compared with the world. What a storage with a
    /// fault loses must be found by what players and rules can see.
    fn is_faithful(&self) -> bool {
        false
    }

    /// Makes of the settings what the game knows of them.
    fn forget(&self, _config: &mut GameConfig) {}

    /// Whether clients read what a batch says before it is committed.
    fn replies_early(&self) -> bool {
        false
    }
}

/// A storage that writes what it is given.
#[derive(Clone, Copy, Debug)]
pub struct Faithful;

impl Storage for Faithful {
    fn write(&mut self, _batch: &mut Changes, _stored: &Snapshot) {}

    fn is_faithful(&self) -> bool {
        true
    }
}

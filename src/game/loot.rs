//! What creatures leave behind, and when what was found is safe.

use crate::base::{CharacterId, ItemId};
use crate::game::Game;

impl Game {
    /// A creature has fallen: its coins are shared, its things lie in its corpse.
    pub(crate) fn drop_loot(&mut self, _victim: CharacterId, _slayer: CharacterId) {}

    /// What somebody found in this run is safe from here on.
    pub(crate) fn secure_run(&mut self, _who: CharacterId) {}

    /// Somebody is out: a share of what was found in this run is lost. Says what, as a sentence; empty if nothing.
    pub(crate) fn lose_run_share(&mut self, _who: CharacterId) -> String {
        String::new()
    }

    /// A thing's time is over.
    pub(super) fn crumbles(&mut self, _item: ItemId) {}
}

//! Affects: what hangs on a body for a while, told when it begins and when it ends.

use crate::base::CharacterId;
use crate::game::Game;

impl Game {
    /// Hangs an affect on a body for so many rounds, or for as long as it usually lasts.
    pub(crate) fn apply_affect(&mut self, _who: CharacterId, _key: &str, _rounds: Option<u32>) {}

    /// Takes an affect off a body.
    pub(crate) fn end_affect(&mut self, _who: CharacterId, _key: &str) {}

    /// Whether an affect hangs on a body.
    pub(crate) fn has_affect(&self, who: CharacterId, key: &str) -> bool {
        self.world.characters[who].affects.iter().any(|affect| affect.key == key && affect.until > self.now)
    }

    /// Whether something keeps a body where it is (R20).
    pub(crate) fn is_held(&self, _who: CharacterId) -> bool {
        false
    }

    /// Whether a body strikes no blows (R16).
    pub(crate) fn is_stunned(&self, _who: CharacterId) -> bool {
        false
    }

    /// The first of a body's affects is over.
    pub(crate) fn affects_due(&mut self, _who: CharacterId) {}
}

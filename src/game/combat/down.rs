//! At no hit points: down, helped up, or out.

use crate::base::CharacterId;
use crate::game::Game;
use crate::game::command::Refusal;
use crate::world::Posture;

impl Game {
    /// Whether a body lies helpless.
    pub(crate) fn is_down(&self, who: CharacterId) -> bool {
        self.world.characters[who].posture == Posture::Down
    }

    /// Refuses whoever cannot act just now.
    pub(crate) fn may_act(&self, who: CharacterId) -> Result<(), Refusal> {
        if self.is_down(who) { Err(Refusal::Down) } else { Ok(()) }
    }

    /// Nobody has helped in time.
    pub(crate) fn bleeds_out(&mut self, _who: CharacterId) {}
}

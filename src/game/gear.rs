//! What one wears and what it adds.

use crate::base::CharacterId;
use crate::game::Game;

/// What worn things add to a body's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bonus {
    /// To attack.
    pub(crate) attack: i32,
    /// To defence.
    pub(crate) defence: i32,
    /// To the hit points at most.
    pub(crate) max_hp: i32,
}

impl Game {
    /// What somebody's worn things add.
    pub(crate) fn gear_bonus(&self, _who: CharacterId) -> Bonus {
        Bonus::default()
    }
}

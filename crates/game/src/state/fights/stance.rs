//! State of a character in a fight between rounds.

use deepwell_core::base::{CharacterId, GameTime};
use deepwell_core::catalog::Answer;

/// State of a character in a fight.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct FightStance {
    /// Set if the character has used up its attack of the coming round.
    pub(crate) spent: bool,
    /// Time since which the character is in the ready stance, which attacks first.
    pub(crate) ready_since: Option<GameTime>,
    /// Time of the next attempt to struggle free while held.
    pub(crate) strained_until: Option<GameTime>,
    /// Key of the manoeuvre that a creature has announced.
    pub(crate) announced: Option<String>,
    /// Player whom the character has asked for a duel, and the time until which this player may accept.
    pub(crate) challenge: Option<(CharacterId, GameTime)>,
    /// Set if a player was told what the room has for a fight.
    pub(crate) knows_props: bool,
    /// Answer of a fighter to what is announced, until the end of the round.
    pub(crate) answer: Option<Answer>,
}

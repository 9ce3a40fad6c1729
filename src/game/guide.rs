//! The guided start, and tips at the moment they help.

use crate::base::CharacterId;
use crate::game::Game;

/// A moment that a new player may learn from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Lesson {
    /// Looked around.
    Looked,
    /// Walked.
    Walked,
    /// Came into a branch.
    EnteredBranch,
    /// Was kept from an unexplored exit.
    RoomBlocked,
    /// Began a first fight.
    Fought,
    /// Was hurt badly.
    Hurt,
    /// Went down.
    WentDown,
    /// Won a fight.
    Won,
    /// Gained a level.
    Levelled,
    /// Took a thing.
    GotThing,
    /// Wore or wielded a thing.
    WoreThing,
    /// Found coins.
    GotMoney,
    /// Bought or sold.
    Traded,
    /// Came to stairs.
    SawStairs,
    /// Saw a web.
    SawWeb,
    /// Saw a sign of danger.
    SawOmen,
    /// Was invited to a party.
    Invited,
    /// Rested.
    Rested,
    /// Came home.
    CameHome,
}

impl Game {
    /// Somebody has come to a moment: a step of the guide may be done, a tip may be due.
    pub(crate) fn learns(&mut self, _who: CharacterId, _lesson: Lesson) {}
}

//! What a body is about in a fight from one round to the next.

use crate::base::GameTime;

/// What a body is about in a fight.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Stance {
    /// Whether it has used up the blow of the round to come.
    pub(crate) spent: bool,
    /// Since when it waits for whatever may come.
    pub(crate) ready_since: Option<GameTime>,
    /// When it may struggle again, if it is held.
    pub(crate) strained_until: Option<GameTime>,
}

//! Habits of bots: a weight for each action, rolled from the seed, so that runs differ and rare combinations occur.

use deepwell_core::base::{Dice, Rng};

/// An action that a bot may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// Goes through an exit.
    Walk,
    /// Attacks a creature in the room.
    Fight,
    /// Flees.
    Flee,
    /// Pulls a lever.
    Pull,
    /// Picks up items.
    Get,
    /// Drops items.
    Drop,
    /// Gives an item to another player.
    Give,
    /// Types one of the other commands, from `errand`.
    Errand,
    /// Uses a chat channel.
    Speak,
    /// Types a query.
    Ask,
    /// Recalls to its home.
    Recall,
    /// Quits, and returns later.
    Quit,
    /// Loses its connection.
    LoseLink,
    /// Connects a second time and takes over its own character.
    TakeOver,
    /// Creates or switches to another character.
    Change,
    /// Types malformed input.
    Rave,
}

/// Default weight of each action.
const USUAL: &[(Deed, u32)] = &[
    (Deed::Walk, 300),
    (Deed::Fight, 60),
    (Deed::Flee, 8),
    (Deed::Pull, 40),
    (Deed::Get, 40),
    (Deed::Drop, 12),
    (Deed::Give, 25),
    (Deed::Errand, 160),
    (Deed::Speak, 40),
    (Deed::Ask, 40),
    (Deed::Recall, 4),
    (Deed::Quit, 4),
    (Deed::LoseLink, 8),
    (Deed::TakeOver, 6),
    (Deed::Change, 3),
    (Deed::Rave, 10),
];

/// Weights of the actions of one bot.
#[derive(Debug)]
pub(super) struct Habits(Vec<(Deed, u32)>);

impl Habits {
    /// Rolls the weights, from zero to three times the default. Walking is never zero.
    pub(super) fn drawn(dice: &mut Rng) -> Self {
        Self(
            USUAL
                .iter()
                .map(|&(deed, usual)| (deed, usual * dice.up_to(6) / 2 + u32::from(deed == Deed::Walk)))
                .collect(),
        )
    }

    pub(super) fn deed(&self, dice: &mut Rng) -> Deed {
        dice.weighted(&self.0, |(_, weight)| *weight).map_or(Deed::Walk, |(deed, _)| *deed)
    }
}

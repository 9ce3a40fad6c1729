//! Habits of bots: a weight for each action, rolled from the seed, so that runs differ and rare combinations occur.

use deepwell_core::base::{Dice, Rng};

/// An action that a bot may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BotDeed {
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
const USUAL: &[(BotDeed, u32)] = &[
    (BotDeed::Walk, 300),
    (BotDeed::Fight, 60),
    (BotDeed::Flee, 8),
    (BotDeed::Pull, 40),
    (BotDeed::Get, 40),
    (BotDeed::Drop, 12),
    (BotDeed::Give, 25),
    (BotDeed::Errand, 160),
    (BotDeed::Speak, 40),
    (BotDeed::Ask, 40),
    (BotDeed::Recall, 4),
    (BotDeed::Quit, 4),
    (BotDeed::LoseLink, 8),
    (BotDeed::TakeOver, 6),
    (BotDeed::Change, 3),
    (BotDeed::Rave, 10),
];

/// Weights of the actions of one bot.
#[derive(Debug)]
pub(super) struct Habits(Vec<(BotDeed, u32)>);

impl Habits {
    /// Rolls the weights, from zero to three times the default. Walking is never zero.
    pub(super) fn drawn(dice: &mut Rng) -> Self {
        Self(
            USUAL
                .iter()
                .map(|&(deed, usual)| (deed, usual * dice.up_to(6) / 2 + u32::from(deed == BotDeed::Walk)))
                .collect(),
        )
    }

    pub(super) fn deed(&self, dice: &mut Rng) -> BotDeed {
        dice.weighted(&self.0, |(_, weight)| *weight).map_or(BotDeed::Walk, |(deed, _)| *deed)
    }
}

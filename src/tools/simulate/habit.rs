//! What bots are inclined to do: a weight for each deed, drawn from the seed, so that no two crowds behave alike
//! and rare pairs of deeds meet.

use crate::base::{Dice, Rng};

/// Something a bot may do of its own accord.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// Goes through an exit.
    Walk,
    /// Attacks a creature it sees.
    Fight,
    /// Runs.
    Flee,
    /// Pulls at a lever.
    Pull,
    /// Picks things up.
    Get,
    /// Puts things down.
    Drop,
    /// Hands something over.
    Give,
    /// Does one of the many other things.
    Errand,
    /// Speaks in one of the ways.
    Speak,
    /// Asks the game something.
    Ask,
    /// Goes home.
    Recall,
    /// Leaves, and comes back later.
    Quit,
    /// Loses its connection.
    LoseLink,
    /// Connects a second time and takes its own body over.
    TakeOver,
    /// Makes or plays another character.
    Change,
    /// Types nonsense.
    Rave,
}

/// Each deed with its usual weight.
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

/// The inclinations of one bot.
#[derive(Debug)]
pub(super) struct Habits(Vec<(Deed, u32)>);

impl Habits {
    /// Each weight between nothing and three times the usual; everybody walks.
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

//! What the bot that owns the world does about other bots, for no reason at all: it silences them, stops them, and sends
//! them out, each for a short while.

use super::bot;
use crate::base::{Dice, Rng};

/// Bots that it minds: the first of them, itself among them.
const MINDED: u32 = 12;

/// A line about one of them.
pub(super) fn line(dice: &mut Rng) -> String {
    let whom = bot::name(dice.up_to(MINDED));
    let secs = dice.between(1, 90);
    match dice.up_to(5) {
        0 => format!("kick {whom} for nothing"),
        1 => format!("mute {whom} for {secs}s noise"),
        2 => format!("unmute {whom}"),
        3 => format!("freeze {whom} for {secs}s stand still"),
        4 => format!("unfreeze {whom}"),
        _ => format!("mute {whom} until I say so"),
    }
}

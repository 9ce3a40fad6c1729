//! What the bot that owns the world does about other bots, for no reason at all: it silences them, stops them, and sends
//! them out, each for a short while.

use super::names;
use crate::base::{Dice, Rng};

/// Bots that it minds: the first of them, itself among them.
const MINDED: u32 = 12;

/// A line about one of them.
pub(super) fn line(dice: &mut Rng) -> String {
    let whom = names::name(dice.up_to(MINDED));
    let secs = dice.between(1, 90);
    let network = format!("192.0.2.{}", dice.up_to(4));
    match dice.up_to(15) {
        0 => format!("kick {whom} for nothing"),
        1 => format!("mute {whom} for {secs}s noise"),
        2 => format!("unmute {whom}"),
        3 => format!("freeze {whom} for {secs}s stand still"),
        4 => format!("unfreeze {whom}"),
        5 => format!("ban {whom} for {secs}s go away"),
        6 => format!("unban {whom}"),
        7 => format!("ban {network} for {secs}s go away"),
        8 => format!("unban {network}"),
        9 => "lock accounts".into(),
        10 => "lock accounts off".into(),
        11 => format!("lock logins {}", dice.pick(&["on", "off", "off"]).unwrap_or(&"off")),
        12 => format!("snoop {whom}"),
        13 => "snoop off".into(),
        14 => format!("reports close {} it is seen to", dice.up_to(40)),
        _ => format!("mute {whom} until I say so"),
    }
}

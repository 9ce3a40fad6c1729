//! Moderation by the bot that owns the world: it mutes, freezes, kicks and bans other bots at random, each for a short
//! time.

use super::names;
use deepwell_core::base::{Dice, Rng};

/// Number of bots that it moderates: the first ones, including itself.
const MINDED: u32 = 12;

/// Returns a random moderation command.
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

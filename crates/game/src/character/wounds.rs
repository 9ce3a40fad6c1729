//! Wounds of players. Each fall leaves one: it lowers the maximum of hit points and makes the next rescue longer, until
//! none is possible. The healer closes wounds, and so does a rest where `recall` leads.

use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Span};
use deepwell_core::catalog::Rules;
use deepwell_core::text::grammar;

/// Adds the wound of a fall, unless the player has as many as make a rescue impossible.
pub(crate) fn add_wound(turn: &mut Turn, who: CharacterId) {
    let most = turn.catalog.rules.down.rescue_tries.len() + 1;
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let wounds = turn.world.characters[who].wounds.saturating_add(1).min(most);
    set_wounds(turn, who, wounds);
}

/// Sets the number of wounds.
pub(crate) fn set_wounds(turn: &mut Turn, who: CharacterId, wounds: u32) {
    turn.world.characters.change(who, |body| body.wounds = wounds);
    turn.emit_event(GameEvent::AffectsChanged { who });
    turn.emit_event(GameEvent::VitalsChanged { who });
}

/// Returns the number of tries, one a round, that rescue a fallen player with its wounds; `None` if it cannot be rescued.
pub(crate) fn rescue_tries(turn: &Turn, who: CharacterId) -> Option<u32> {
    let earlier = turn.world.characters[who].wounds.saturating_sub(1);
    turn.catalog.rules.down.rescue_tries.get(usize::try_from(earlier).ok()?).copied()
}

/// Returns the time of rest in which a wound closes; `None` for a player without wounds, and away from the room where
/// `recall` leads.
pub(crate) fn time_to_close(turn: &Turn, who: CharacterId) -> Option<Span> {
    let body = &turn.world.characters[who];
    let closes = body.wounds > 0 && body.room == body.home;
    closes.then(|| Rules::secs(turn.catalog.rules.down.wound_secs))
}

/// Returns the name of a player's wounds as an affect: "wounded twice". `None` without wounds.
pub(crate) fn name_of_wounds(turn: &Turn, who: CharacterId) -> Option<String> {
    match turn.world.characters[who].wounds {
        0 => None,
        1 => Some("wounded".to_owned()),
        2 => Some("wounded twice".to_owned()),
        wounds => Some(format!("wounded {} times", grammar::number(wounds))),
    }
}

/// Describes what the wounds of a player do.
pub(crate) fn describe_wounds(turn: &Turn, who: CharacterId) -> String {
    let (wounds, down) = (turn.world.characters[who].wounds, &turn.catalog.rules.down);
    let percent = wounds.saturating_mul(down.wound_percent).min(100);
    let next = match down.rescue_tries.get(wounds as usize) {
        Some(1) => String::new(),
        Some(tries) => format!(" The next rescue takes {} rounds.", grammar::number(*tries)),
        None => " Nobody can help you up again.".to_owned(),
    };
    format!(
        "{percent} percent of your hit points are gone until you see the healer, or rest where recall takes you.{next}"
    )
}

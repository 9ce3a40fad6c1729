//! The hook of a room as builders set it: `set on_enter = LINE; LINE`. What is set here is checked as content is.

use crate::base::{CharacterId, RoomId};
use crate::catalog::{CatalogError, Position, Script};
use crate::game::effect::Class;
use crate::game::refusal::Refusal;
use crate::game::tell;
use crate::game::turn::Turn;
use crate::text::grammar;

/// Gives a room a script for whoever comes in, or takes it away if nothing is said.
pub(super) fn set_on_enter(
    turn: &mut Turn,
    who: CharacterId,
    room: RoomId,
    words: &str,
) -> Result<(), Refusal> {
    let lines: Vec<&str> = words.split(';').map(str::trim).filter(|line| !line.is_empty()).collect();
    let script = Script::parse(lines.iter().copied()).map_err(|mistakes| {
        let words: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        Refusal::Because(words.join("\n"))
    })?;
    let here = Position::default();
    let unknown: Vec<String> = script
        .unknown_names(&turn.catalog)
        .into_iter()
        .map(|(what, key, valid)| {
            let nearest = CatalogError::unknown_name(&here, what, key, valid).nearest;
            let end = if nearest.0.is_some() { "" } else { "." };
            format!("There is no {what} \"{key}\"{nearest}{end}")
        })
        .collect();
    if !unknown.is_empty() {
        return Err(Refusal::Because(unknown.join("\n")));
    }
    let words = match script.lines().len() {
        0 => "Nothing happens any more to whoever comes in.".to_owned(),
        lines => {
            let lines = grammar::counted(u32::try_from(lines).unwrap_or(u32::MAX), "line", None);
            format!("Whoever comes in from now on sets it off: {lines}.")
        }
    };
    turn.world.rooms.change(room, |row| row.on_enter = script.into());
    tell::tell(turn, who, Class::Reply, words);
    Ok(())
}

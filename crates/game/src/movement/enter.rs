//! Entering by name: `enter`, `climb` and `jump` find an exit by its name, the room behind it, or the ladder or rope
//! between. A refusal lists the exits of the room.

use crate::exit::{hidden, pathfinding};
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId};
use deepwell_core::text::grammar;
use deepwell_core::world::{Exit, ExitState};

/// Prepositions and articles skipped before the name of a place.
const BEFORE_A_PLACE: [&str; 10] = ["to", "into", "in", "inside", "through", "on", "over", "the", "a", "off"];

/// Fixtures that a player can climb.
const CLIMBED: [&str; 8] = ["ladder", "rope", "rungs", "stairs", "steps", "stair", "well", "hatch"];

/// Moves through an exit found by its name, the name of the room behind it, a direction, or a fixture that can be
/// climbed.
pub(crate) fn enter(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let by_item = || CLIMBED.contains(&last.as_str()).then(|| only_vertical_exit(turn, who)).flatten();
    let by_direction = || {
        let direction = name.split(' ').find_map(|word| pathfinding::direction_named(turn, word))?;
        hidden::seen_named(turn, who, direction.name()).map(|exit| exit.id)
    };
    let exit = exit_to(turn, who, name).or_else(by_direction).or_else(by_item);
    movement::walk(turn, who, exit.ok_or_else(|| no_such_exit(turn, who, name))?)
}

/// Returns the exit with a name, or the open exit that leads to a hand-built room with the name.
pub(crate) fn exit_to(turn: &Turn, who: CharacterId, name: &str) -> Option<ExitId> {
    let own = |name| hidden::seen_named(turn, who, name).map(|exit| exit.id);
    let place = without_preposition(name);
    let wanted = place.to_lowercase();
    let leads_there = |exit: &&Exit| {
        let there = exit.to.filter(|_| exit.state == ExitState::Open).map(|to| &turn.world.rooms[to]);
        let there = there.filter(|there| there.branch.is_none());
        there.is_some_and(|there| {
            there.sheet.name.to_lowercase() == wanted || there.sheet.aliases.contains(&wanted)
        })
    };
    let there = || hidden::exits_seen(turn, who).find(leads_there).map(|exit| exit.id);
    own(name).or_else(|| own(place)).or_else(there)
}

/// Returns `shop` for "into the shop".
fn without_preposition(typed: &str) -> &str {
    let mut place = typed.trim();
    while let Some((first, rest)) = place.split_once(' ')
        && BEFORE_A_PLACE.contains(&first.to_lowercase().as_str())
    {
        place = rest.trim_start();
    }
    place
}

/// Returns the exit that leads up or down, if there is exactly one.
fn only_vertical_exit(turn: &Turn, who: CharacterId) -> Option<ExitId> {
    let upright = |exit: &&Exit| matches!(exit.direction, Some(Direction::Up | Direction::Down));
    let mut exits = hidden::exits_seen(turn, who).filter(upright);
    let only = exits.next()?;
    exits.next().is_none().then_some(only.id)
}

/// Returns the refusal for a name that matches no exit; it lists the exits of the room.
fn no_such_exit(turn: &Turn, who: CharacterId, name: &str) -> Refusal {
    let exits = grammar::list(hidden::exits_seen(turn, who).map(|exit| &exit.name));
    // Mappers match the first sentence.
    refuse!("You can't go that way. Nothing here leads to \"{}\". Exits: {exits}.", without_preposition(name))
        .of_nothing()
}

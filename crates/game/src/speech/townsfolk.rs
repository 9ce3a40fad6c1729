//! Townsfolk who answer players. Their answers use the current state of the world.

use crate::message::rumours;
use crate::refusal::{Refusal, refuse};
use crate::room::{folk, look};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::Folk;
use deepwell_core::catalog::creature::folk::{LATELY, RUMOUR};
use deepwell_core::dungeon::nouns::words_of;
use deepwell_core::text::{Markup, Style, grammar};

/// Maximum number of names listed of players in the dungeon; further players are counted.
const NAMES_MAX: usize = 3;

/// Returns the townsperson in a room with a name; an empty name matches any.
pub(crate) fn folk_here<'a>(turn: &'a Turn, room: RoomId, name: &str) -> Option<&'a Folk> {
    let name = name.to_lowercase();
    let is_called = |folk: &Folk| {
        name.is_empty()
            || folk.nouns.iter().any(|noun| *noun == name || name.split(' ').any(|word| word == noun))
            || (folk.kind.is_some() && is_in_text(turn, room, &name))
    };
    folk::folk_in(turn, room).find(|folk| is_called(folk))
}

/// Returns `true` if the text of a room has a word. In a branch, the text says who trades there.
fn is_in_text(turn: &Turn, room: RoomId, word: &str) -> bool {
    words_of(&look::text_of(turn, room)).iter().any(|other| other == word)
}

/// Returns the reply of a townsperson about a topic, or their greeting without one.
pub(crate) fn ask(turn: &Turn, who: CharacterId, name: &str, about: Option<&str>) -> Result<Markup, Refusal> {
    let room = turn.world.characters[who].room;
    let nobody = || match name {
        "" => no_answer(),
        name => refuse!("Nobody here answers to \"{name}\". To speak to a climber, type say or tell."),
    };
    let folk = folk_here(turn, room, name).ok_or_else(nobody)?;
    let says = about.map_or(folk.says.as_str(), |about| folk.answer(about.trim_end_matches(['?', '.', '!'])));
    let rumour = rumours::rumour(turn, folk.place.line.into());
    let reply = says.replace(RUMOUR, rumour.as_deref().unwrap_or_default());
    let reply = if reply.contains(LATELY) { reply.replace(LATELY, &lately(turn, rumour)) } else { reply };
    // The text may call a trader by another noun, such as "tinker".
    let typed = name.to_lowercase();
    let is_other = folk.kind.is_some() && !typed.contains(' ') && is_in_text(turn, room, &typed);
    let name = if is_other { format!("The {typed}") } else { grammar::capitalise(&folk.name).into_owned() };
    Ok(Markup::styled(Style::Creature, &name).and(" says: ").with(Style::Speech, reply.trim_end()))
}

/// Returns the latest news from the dungeon: the players there, and a rumour or the greatest depth reached.
fn lately(turn: &Turn, rumour: Option<String>) -> String {
    let below = turn.seated.keys().map(|id| &turn.world.characters[*id]).filter(|body| body.branch.is_some());
    let names: Vec<&str> = below.map(|body| body.name.as_str()).collect();
    let who = match names.as_slice() {
        [] => "Nobody is below just now.".to_owned(),
        [name] => format!("{name} is below just now."),
        names if names.len() <= NAMES_MAX => format!("{} are below just now.", grammar::list(names)),
        names => format!(
            "{} and {} more are below just now.",
            grammar::list(&names[..NAMES_MAX]),
            names.len() - NAMES_MAX
        ),
    };
    if let Some(rumour) = rumour {
        return format!("{who} {rumour}");
    }
    let deepest = turn.world.branches.iter_active().map(|(_, row)| row.greatest_depth).max();
    match deepest.filter(|depth| *depth > 0) {
        Some(depth) => {
            format!("{who} The farthest that anybody has come in what still stands is depth {depth}.")
        }
        None => format!("{who} Of all that was found down there nothing stands any more."),
    }
}

/// Returns the refusal to talk in a room without townspeople.
pub(crate) fn no_answer() -> Refusal {
    refuse!("Nobody here answers. The people of the town are in its houses.")
}

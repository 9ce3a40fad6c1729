//! How builders find rooms again: by name, text, tag and number, by what they are for, by what is used in them, and those
//! that nobody comes to.

use crate::catalog::RoomKind;
use crate::catalog::room_kind::Origin;
use crate::catalog::script::{Condition, Deed, ScriptLine};
use crate::game::command::actor::Actor;
use crate::game::command::argument::{Argument, Slot};
use crate::game::command::spec::{CommandSpec, Needs, run};
use crate::game::command::words::Words;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::zones::check;
use crate::game::{founding, rehearsal};
use crate::text::{Markup, Style};
use crate::world::Room;

/// Rooms that one search tells at the most.
const MOST_FOUND: usize = 30;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "find",
    needs: Needs::Nothing,
    syntax: "find WORDS|tag WORD|kind KIND|uses KEY|orphans|unlinked",
    summary: "Lists the rooms built by hand that have such a name, alias, tag, area or words in their text; those with a tag, of a kind, or in which a creature, a thing or an affect is used, by its key. orphans are those that no exit leads to, unlinked those that nobody can walk to from the town.",
    example: "find uses brass_ring: every room where it is sold, comes by itself, opens a door or stands in a script.",
    missing: "find and words to look for",
    run: run!(find),
    ..CommandSpec::BUILDER
}];

/// What is looked for.
enum Search<'a> {
    Words(&'a str),
    Tag(String),
    Kind(RoomKind),
    Uses(String),
    Orphans,
    Unlinked,
}

impl<'a> Argument<'a> for Search<'a> {
    const SLOT: Slot = Slot::Several;

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let words = words.required()?;
        let (verb, rest) = words.keyword();
        let (name, more) = rest.keyword();
        let kinds = RoomKind::made_by(&[Origin::Builders, Origin::Areas]);
        let kind = kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        // Whatever else begins with such a word is looked for as it stands.
        Ok(match (verb.as_str(), name.is_empty(), more.is_empty(), kind) {
            ("orphans", true, ..) => Self::Orphans,
            ("unlinked", true, ..) => Self::Unlinked,
            ("tag", false, ..) => Self::Tag(rest.text().to_lowercase()),
            ("kind", _, true, Some(kind)) => Self::Kind(kind),
            ("uses", false, true, _) => Self::Uses(name),
            _ => Self::Words(words.text()),
        })
    }
}

/// The rooms that have some words in them, those with the words in their name first.
fn with_words<'t>(turn: &'t Turn, words: &str) -> Vec<&'t Room> {
    let typed = words.to_lowercase();
    let says = |text: &String| text.to_lowercase().contains(&typed);
    let is_meant = |room: &Room| {
        let named =
            [&room.name, &room.area, &room.description].into_iter().chain(&room.aliases).chain(&room.tags);
        named.chain(room.details.keys()).any(says) || typed.trim_start_matches('#') == room.id.to_string()
    };
    let mut found = rooms_that(turn, is_meant);
    found.sort_by_key(|room| (!says(&room.name), room.id));
    found
}

fn rooms_that(turn: &Turn, is_meant: impl Fn(&Room) -> bool) -> Vec<&Room> {
    let rooms = turn.world.built_rooms().map(|id| &turn.world.rooms[id]);
    let mut found: Vec<&Room> = rooms.filter(|room| is_meant(room)).collect();
    found.sort_by_key(|room| room.id);
    found
}

/// Whether a room has to do with a creature, a thing or an affect.
fn uses(turn: &Turn, room: &Room, key: &str) -> bool {
    let in_line = |line: &ScriptLine| {
        let asked = matches!(&line.condition, Some((Condition::Has(has), _)) if has == key);
        let done = match &line.deed {
            Deed::Affect(named)
            | Deed::Spawn(named)
            | Deed::Item(named)
            | Deed::Give(named)
            | Deed::Take(named) => named == key,
            _ => false,
        };
        asked || done
    };
    let mut opens = turn.world.exits_of(room.id).filter_map(|exit| exit.door.as_ref()?.key.as_ref());
    room.stock.iter().chain(&room.supplies).any(|known| known == key)
        || room.spawns.iter().any(|rule| rule.what.key() == key)
        || opens.any(|known| known == key)
        || check::scripts(room)
            .filter_map(|(_, script)| script)
            .any(|script| script.lines().iter().any(in_line))
}

fn find(turn: &mut Turn, actor: Actor, search: Search<'_>) -> Result<(), Refusal> {
    let town = founding::town(turn);
    let is_draft = |room: &Room| rehearsal::draft_around(turn, room.id).is_some();
    let (found, or_else) = match search {
        Search::Words(words) => {
            (with_words(turn, words), format!("Nothing is called, tagged or described so: \"{words}\"."))
        }
        Search::Tag(tag) => {
            (rooms_that(turn, |room| room.tags.contains(&tag)), format!("No room has the tag {tag}."))
        }
        Search::Kind(kind) => {
            (rooms_that(turn, |room| room.kind == kind), format!("No room is of the kind {}.", kind.name()))
        }
        Search::Uses(key) => {
            (rooms_that(turn, |room| uses(turn, room, &key)), format!("No room has to do with {key}."))
        }
        Search::Orphans => {
            let entered = check::entered(turn);
            let is_orphan = |room: &Room| room.id != town && !is_draft(room) && !entered.contains(&room.id);
            (rooms_that(turn, is_orphan), "Some exit leads to every room.".to_owned())
        }
        Search::Unlinked => {
            let walkable = check::walkable(turn);
            (
                rooms_that(turn, |room| !is_draft(room) && !walkable.contains(&room.id)),
                "One can walk to every room from the town.".to_owned(),
            )
        }
    };
    if found.is_empty() {
        return Err(BuildRefusal::NothingFound(or_else).into());
    }
    let mut list = Markup::new();
    for room in found.iter().take(MOST_FOUND) {
        list.line(Style::RoomName, &room.name);
        list.push(Style::Plain, &format!(", room {}, in {}", room.id, room.area));
    }
    if found.len() > MOST_FOUND {
        list.line(Style::Plain, &format!("And {} more: say it with more words.", found.len() - MOST_FOUND));
    }
    actor.answer(turn, list)
}

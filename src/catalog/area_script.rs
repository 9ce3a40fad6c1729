//! Scripts of the rooms of an area, and what comes to those rooms by itself: as a file says it, each line with its place.

use super::script::{Deed, RoomName};
use super::spawn_bounds::{self, SpawnBounds};
use super::trigger::{EVENTS, EventMistake};
use super::{Catalog, Script, TriggerEvent};
use crate::data::{CatalogError, Position, Reader, definition};
use std::ops::RangeInclusive;

/// A name of something else, with its place in the file.
pub type Named = (Position, String);

/// A script with the place of each line. One that was not read from a file has no places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreaScript {
    /// What it does.
    pub script: Script,
    places: Vec<Position>,
}

definition! {
    /// What happens in a room when something does.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaTrigger {
        /// Where it is defined.
        pub place: Position => |table| table.place(),
        /// What sets it off; none only where that is wrong, and noted as such.
        pub on: Option<TriggerEvent> => |table| event(table),
        /// What happens then.
        pub lines: AreaScript => |table| AreaScript::read(table, "lines"),
    }
}

definition! {
    /// What comes to a room again and again: a creature or a thing.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaSpawn {
        /// Where it is defined.
        pub place: Position => |table| table.place(),
        /// The creature, by key.
        pub creature: Option<Named> = text_if_any(),
        /// Or the thing, by key.
        pub thing: Option<Named> = text_if_any(),
        /// How many at a time.
        pub count: u32 = number(1..=1_000),
        /// How many seconds after one is missed it comes again.
        pub every_secs: u32 = number_or(RESPAWN_SECS, RESPAWN_USUAL_SECS),
        /// What holds it back.
        pub bounds: SpawnBounds => |table| spawn_bounds::read(table),
    }
}

/// How soon something may come back, in seconds.
pub const RESPAWN_SECS: RangeInclusive<u32> = 10..=604_800;

/// How soon it comes back if nothing is said.
pub const RESPAWN_USUAL_SECS: u32 = 300;

/// Letters of a word that an event is for, before the world says how many it keeps.
const WORD_CHARS_MAX: usize = 10_000;

/// Mistakes of files up to which each says which name may have been meant. Beyond, the comparison of every name with every
/// other would take longer than anybody reads.
const SUGGESTED_MAX: usize = 200;

/// Notes a name that refers to nothing, with the nearest valid name unless there are very many mistakes already.
pub(super) fn note_unknown<'n>(
    mistakes: &mut Vec<CatalogError>,
    place: &Position,
    what: &str,
    name: &str,
    valid: impl IntoIterator<Item = &'n str>,
) {
    mistakes.push(if mistakes.len() < SUGGESTED_MAX {
        CatalogError::unknown_name(place, what, name, valid)
    } else {
        CatalogError::new(place, format!("unknown {what} `{name}`"), format!("the key of another {what}"))
    });
}

impl From<Script> for AreaScript {
    fn from(script: Script) -> Self {
        Self { script, places: Vec::new() }
    }
}

impl AreaScript {
    /// Reads the lines under a key, none if the key is absent.
    pub(super) fn read(reader: &mut Reader<'_>, name: &str) -> Self {
        let lines = reader.placed_texts(name, 0);
        let script = Script::of_lines(reader, &lines);
        Self { script, places: lines.into_iter().map(|(place, _)| place).collect() }
    }

    /// Where a line is, counted from 1.
    pub fn place_of(&self, line: usize) -> Position {
        line.checked_sub(1).and_then(|at| self.places.get(at)).cloned().unwrap_or_default()
    }

    /// Notes names of other content that refer to nothing.
    pub(super) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        for name in self.script.unknown_names(catalog) {
            note_unknown(mistakes, &self.place_of(name.line), name.what, name.key, name.valid);
        }
    }

    /// The rooms to which it takes somebody, each with its place.
    pub fn rooms(&self) -> impl Iterator<Item = (Position, &RoomName)> {
        let lines = self.script.lines().iter().enumerate();
        lines.filter_map(|(at, line)| match &line.deed {
            Deed::Move(room) => Some((self.place_of(at + 1), room)),
            _ => None,
        })
    }
}

impl AreaSpawn {
    /// What comes: the one or the other. None only where that is wrong, and noted as such.
    pub fn what(&self) -> Option<&Named> {
        self.creature.as_ref().or(self.thing.as_ref())
    }

    /// Notes what of it there is not, and more than may come.
    pub(super) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        if let Some((place, key)) = &self.creature
            && !catalog.mobs.contains_key(key)
        {
            let valid = catalog.mobs.keys().map(String::as_str);
            note_unknown(mistakes, place, "mob", key, valid);
        }
        if let Some((place, key)) = &self.thing
            && !catalog.items.get(key).is_some_and(|item| item.class.lies_about())
        {
            let things = catalog.items.iter().filter(|(_, item)| item.class.lies_about());
            let valid = things.map(|(key, _)| key.as_str());
            note_unknown(mistakes, place, "item", key, valid);
        }
        let most = catalog.rules.roaming.creatures_in_room;
        if self.count > most {
            let wrong = format!("`count` is {}", self.count);
            mistakes.push(CatalogError::new(&self.place, wrong, format!("at most {most}")));
        }
    }
}

/// Reads a spawn, of either a creature or a thing.
pub(super) fn spawn(table: &mut Reader<'_>) -> AreaSpawn {
    let spawn = AreaSpawn::read(table);
    if spawn.creature.is_some() == spawn.thing.is_some() {
        table.wrong("creature", "or `thing` has to be said, and not both", "the key of one of them");
    }
    spawn
}

fn event(table: &mut Reader<'_>) -> Option<TriggerEvent> {
    let Some((place, words)) = table.text_if_any("on") else {
        table.wrong("on", "is missing", EVENTS);
        return None;
    };
    if words.trim() == "enter" {
        let wrong = "`enter` is no trigger of its own";
        table.note(CatalogError::new(&place, wrong, "`on_enter = [..]` in the room"));
        return None;
    }
    let event = TriggerEvent::parse(&words, WORD_CHARS_MAX);
    event
        .map_err(|mistake| {
            let meant = match &mistake {
                EventMistake::Unknown { meant, .. } => *meant,
                EventMistake::NeedsWord(_) | EventMistake::TimerOutOfRange => None,
            };
            let expected = if matches!(mistake, EventMistake::Unknown { .. }) { EVENTS } else { "" };
            table.note(CatalogError::new(&place, mistake.to_string(), expected).with_nearest(meant));
        })
        .ok()
}

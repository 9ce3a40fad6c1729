//! Scripts and spawn points of the rooms of an area as written in a file, each line with its place.

use crate::catalog::area::spawn_bounds::{self, SpawnBounds};
use crate::catalog::script::RoomName;
use crate::catalog::script::trigger::{self, EventMistake};
use crate::catalog::{Catalog, Route, Script, TriggerEvent};
use crate::data::{CatalogError, Position, Reader, definition};
use std::ops::RangeInclusive;

/// A reference to other content, with its place in the file.
pub type Named = (Position, String);

/// A script with the place of each line; without places if it does not come from a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreaScript {
    /// The script.
    pub script: Script,
    places: Vec<Position>,
}

definition! {
    /// A script that runs in a room on an event.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaTrigger {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Event of a room, as it is typed behind `trigger`.
        pub on: Option<TriggerEvent> => |table| event(table),
        /// Name, if several triggers of the room are for the same event.
        pub name: String => |table| trigger::name(table),
        /// Lines of the script.
        pub lines: AreaScript => |table| AreaScript::read(table, "lines"),
    }
}

definition! {
    /// A spawn point of a creature or an item.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaSpawn {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Creature, by key.
        pub creature: Option<Named> = text_if_any(),
        /// Item, by key; alternative to a creature.
        pub thing: Option<Named> = text_if_any(),
        /// Target number in the room.
        pub count: u32 = number(1..=1_000),
        /// Respawn time in seconds.
        pub every_secs: u32 = number_or(RESPAWN_SECS, RESPAWN_USUAL_SECS),
        /// Conditions and caps.
        pub bounds: SpawnBounds => |table| spawn_bounds::read(table),
        /// Patrol and schedule of a creature.
        pub route: Route = flat(Route::read),
    }
}

/// Valid respawn times in seconds.
pub const RESPAWN_SECS: RangeInclusive<u32> = 10..=604_800;

/// Default respawn time in seconds.
pub const RESPAWN_USUAL_SECS: u32 = 300;

/// Maximum length of an event's word when a file is read; the world applies its own limit later.
const WORD_CHARS_MAX: usize = 10_000;

/// Number of errors beyond which no suggestions are computed, since comparing each name with all others would take too
/// long.
const SUGGESTED_MAX: usize = 200;

/// Records an unknown name, with the nearest valid name unless there are very many errors already.
pub(in crate::catalog) fn note_unknown<'n>(
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
    /// Reads the lines of a key; empty if the key is absent.
    pub(in crate::catalog) fn read(reader: &mut Reader<'_>, name: &str) -> Self {
        let lines = reader.placed_texts(name, 0);
        let script = Script::of_lines(reader, &lines);
        Self { script, places: lines.into_iter().map(|(place, _)| place).collect() }
    }

    /// Returns the place of a line, counted from 1.
    pub fn place_of(&self, line: usize) -> Position {
        line.checked_sub(1).and_then(|at| self.places.get(at)).cloned().unwrap_or_default()
    }

    /// Records unknown references to other content.
    pub(in crate::catalog) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        for name in self.script.unknown_names(catalog) {
            note_unknown(mistakes, &self.place_of(name.line), name.what, name.key, name.valid);
        }
    }

    /// Returns the rooms to which the script moves characters, each with its place.
    pub fn rooms(&self) -> impl Iterator<Item = (Position, &RoomName)> {
        self.script.rooms().map(|(line, room)| (self.place_of(line), room))
    }
}

impl AreaTrigger {
    /// Returns the name, or else the event; `None` if that is invalid.
    pub fn label(&self) -> Option<String> {
        Some(trigger::label(&self.name, self.on.as_ref()?))
    }
}

impl AreaSpawn {
    /// Returns the creature or item. `None` only if invalid, which has been recorded.
    pub fn what(&self) -> Option<&Named> {
        self.creature.as_ref().or(self.thing.as_ref())
    }

    /// Records an unknown creature or item, and a count above the maximum.
    pub(in crate::catalog) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        if let Some((place, key)) = &self.creature
            && !catalog.creatures.contains_key(key)
        {
            let valid = catalog.creatures.keys().map(String::as_str);
            note_unknown(mistakes, place, "creature", key, valid);
        }
        if let Some((place, key)) = &self.thing
            && !catalog.items.get(key).is_some_and(|item| item.class.may_be_placed())
        {
            let things = catalog.items.iter().filter(|(_, item)| item.class.may_be_placed());
            let valid = things.map(|(key, _)| key.as_str());
            note_unknown(mistakes, place, "item", key, valid);
        }
        self.route.check(&self.place, catalog, mistakes);
        let most = catalog.rules.roaming.creatures_in_room;
        if self.count > most {
            let wrong = format!("`count` is {}", self.count);
            mistakes.push(CatalogError::new(&self.place, wrong, format!("at most {most}")));
        }
    }
}

/// Reads a spawn point of either a creature or an item.
pub(in crate::catalog) fn spawn(table: &mut Reader<'_>) -> AreaSpawn {
    let spawn = AreaSpawn::read(table);
    if spawn.creature.is_some() == spawn.thing.is_some() {
        table.wrong("creature", "or `thing` has to be said, and not both", "the key of one of them");
    }
    if spawn.creature.is_none() && !spawn.route.is_empty() {
        table.wrong("creature", "is missing, whose patrol or schedule is said", "the key of a creature");
    }
    spawn
}

fn event(table: &mut Reader<'_>) -> Option<TriggerEvent> {
    let Some((place, words)) = table.text_if_any("on") else {
        table.missing("on", &trigger::events());
        return None;
    };
    let event = TriggerEvent::parse(&words, WORD_CHARS_MAX);
    event
        .map_err(|mistake| {
            let meant = match &mistake {
                EventMistake::Unknown { meant, .. } => *meant,
                EventMistake::NeedsWord(_) | EventMistake::TimerOutOfRange => None,
            };
            let expected = if matches!(mistake, EventMistake::Unknown { .. }) {
                trigger::events()
            } else {
                String::new()
            };
            table.note(CatalogError::new(&place, mistake.to_string(), expected).with_nearest(meant));
        })
        .ok()
}

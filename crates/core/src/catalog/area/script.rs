//! Scripts and spawn points of the rooms of an area as written in a file, each line with its place.

use crate::catalog::area::spawn_bounds::{self, SpawnBounds};
use crate::catalog::script::ScriptRoomName;
use crate::catalog::script::trigger::{self, EventMistake};
use crate::catalog::{Catalog, CreatureRoute, Script, TriggerEvent};
use crate::data::{CatalogError, Position, Reader, definition};
use std::ops::RangeInclusive;

/// A reference to other content, with its place in the file.
pub type PlacedReference = (Position, String);

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
    pub struct AreaSpawn written {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Creature, by key.
        pub creature: Option<PlacedReference> = text_if_any(),
        /// Item, by key; alternative to a creature. `thing` is read as well.
        pub item: Option<PlacedReference> => |table| table.text_if_any("item").or_else(|| table.text_if_any("thing")),
        /// Target number in the room.
        pub count: u32 = number(1..=1_000),
        /// Respawn time in seconds.
        pub every_secs: u32 = number_or(RESPAWN_SECS, RESPAWN_USUAL_SECS),
        /// Conditions and caps.
        pub bounds: SpawnBounds => |table| spawn_bounds::read(table),
        /// Patrol and schedule of a creature.
        pub route: CreatureRoute = flat(CreatureRoute::read),
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
        let lines = reader.placed_list("line", name, 0);
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
    pub fn rooms(&self) -> impl Iterator<Item = (Position, &ScriptRoomName)> {
        self.script.rooms().map(|(line, room)| (self.place_of(line), room))
    }
}

impl AreaTrigger {
    /// Reads the triggers of a room. The key `on_enter` has the lines of one for players who enter; without a name it
    /// comes first.
    pub(in crate::catalog) fn read_all(room: &mut Reader<'_>) -> Vec<Self> {
        let place = room.place_of("on_enter");
        let lines = AreaScript::read(room, "on_enter");
        let first = (!lines.script.is_empty()).then(|| Self {
            place,
            on: Some(TriggerEvent::Enter),
            name: String::new(),
            lines,
        });
        let mut triggers: Vec<Self> =
            first.into_iter().chain(room.tables_if_any("triggers", Self::read)).collect();
        Self::put_in_order(&mut triggers);
        triggers
    }

    /// Moves the trigger without a name for players who enter before the others.
    pub(super) fn put_in_order(triggers: &mut [Self]) {
        triggers.sort_by_key(|trigger| trigger.on != Some(TriggerEvent::Enter) || !trigger.name.is_empty());
    }

    /// Returns the name, or else the event; `None` if that is invalid.
    pub fn label(&self) -> Option<String> {
        Some(trigger::label(&self.name, self.on.as_ref()?))
    }
}

impl AreaSpawn {
    /// Returns the creature or item. `None` only if invalid, which has been recorded.
    pub fn what(&self) -> Option<&PlacedReference> {
        self.creature.as_ref().or(self.item.as_ref())
    }

    /// Records an unknown creature or item, and a count above the maximum.
    pub(in crate::catalog) fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        if let Some((place, key)) = &self.creature
            && !catalog.creatures.contains_key(key)
        {
            let valid = catalog.creatures.keys().map(String::as_str);
            note_unknown(mistakes, place, "creature", key, valid);
        }
        if let Some((place, key)) = &self.item
            && !catalog.items.get(key).is_some_and(|item| item.class.may_be_placed())
        {
            let placeable = catalog.items.iter().filter(|(_, item)| item.class.may_be_placed());
            let valid = placeable.map(|(key, _)| key.as_str());
            note_unknown(mistakes, place, "item", key, valid);
        }
        self.route.check(&self.place, catalog, mistakes);
        let most = catalog.rules.roaming.creatures_in_room;
        if self.count > most {
            let mistake = format!("`count` is {}", self.count);
            mistakes.push(CatalogError::new(&self.place, mistake, format!("at most {most}")));
        }
    }
}

/// Reads a spawn point of either a creature or an item.
pub(in crate::catalog) fn spawn(table: &mut Reader<'_>) -> AreaSpawn {
    let spawn = AreaSpawn::read(table);
    if spawn.creature.is_some() == spawn.item.is_some() {
        table.record_mistake("creature", "or `item` has to be said, and not both", "the key of one of them");
    }
    if spawn.creature.is_none() && !spawn.route.is_empty() {
        table.record_mistake(
            "creature",
            "is missing, whose patrol or schedule is said",
            "the key of a creature",
        );
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

#[cfg(test)]
mod tests {
    use crate::catalog::area::zone_file;
    use crate::catalog::{Area, Vault};

    /// Zone files, and vaults as files and as stored rows, give the same rooms with `on_enter` as with a trigger; both
    /// spellings in one room are a mistake.
    #[test]
    fn on_enter_of_files_is_a_trigger() {
        let head = "[[rooms]]\nkey = \"floor\"\nat = [0, 0, 0]\nname = \"Floor\"\nenvironment = \"wood\"\ndescription = \"Flour.\"\n";
        let old = "on_enter = [\"tell One.\", \"once\"]\n";
        let deep = "[[rooms.triggers]]\non = \"enter\"\nname = \"deep\"\nlines = [\"tell Two.\"]\n";
        let new = "[[rooms.triggers]]\non = \"enter\"\nlines = [\"tell One.\", \"once\"]\n";
        let read = |text: &str| {
            let mut mistakes = Vec::new();
            let area = Area::parse("zones/mill.toml", text, &mut mistakes).expect("an area");
            area.rooms.iter().for_each(|room| room.check_duplicates(&mut mistakes));
            (zone_file::write(&area), mistakes.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let written = read(&format!("{head}{old}{deep}"));
        assert!(written.0.contains("on = \"enter\"\nlines = ["), "{}", written.0);
        assert!(!written.0.contains("on_enter") && written.1.is_empty(), "{written:?}");
        for spelling in [format!("{head}{new}{deep}"), format!("{head}{deep}{new}")] {
            assert_eq!(read(&spelling), written, "{spelling}");
        }
        let (_, mistakes) = read(&format!("{head}{old}{new}"));
        assert!(mistakes.len() == 1 && mistakes[0].contains("has two triggers `enter`"), "{mistakes:?}");

        let vault = |text: String| {
            let text = text.replace("[0, 0, 0]", "[0, 0]").replace("name = \"deep\"\n", "");
            let mut mistakes = Vec::new();
            let vault = Vault::parse("vaults/mill.toml", &text, &mut mistakes).expect("a vault");
            vault.rooms.into_iter().map(|room| room.content.triggers).collect::<Vec<_>>()
        };
        let triggers = vault(format!("{head}{new}{deep}"));
        assert_eq!(triggers[0].len(), 2);
        assert_eq!(vault(format!("{head}{old}{deep}")), triggers);
        let rows = [
            r#"{"rooms":[{"key":"floor","on_enter":["tell One.","once"],"triggers":[["enter",["tell Two."]]]}]}"#,
            r#"{"rooms":[{"key":"floor","triggers":[["enter",["tell One.","once"]],["enter",["tell Two."]]]}]}"#,
        ];
        for row in rows {
            let stored: Vault = serde_json::from_str(row).expect("a vault");
            assert_eq!(stored.rooms[0].content.triggers, triggers[0], "{row}");
            assert!(!serde_json::to_string(&stored).expect("a row").contains("on_enter"));
        }
    }
}

//! Contents of a branch's room that no theme generates: rooms of vaults, defined in files, and rooms returned by
//! scripts.

use crate::base::RetiredField;
use crate::catalog::script::trigger;
use crate::catalog::{Referent, Script, TriggerEvent};
use crate::data::{CatalogError, Position, Reader, definition};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Maximum number of creatures, or of items, that a room is created with.
pub const IN_ROOM_MAX: usize = 20;

/// Maximum length of an event's word.
const WORD_CHARS_MAX: usize = 10_000;

/// References to other content, checked once everything is read.
pub(in crate::catalog) type ContentReferences = Vec<(Position, Referent, String)>;

definition! {
    /// Texts, creatures, items and scripts of a room.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(default, remote = "Self")]
    pub struct RoomContent with (references: &mut ContentReferences) {
        /// Name for players.
        pub name: String = text(),
        /// Description for players.
        pub description: String = paragraphs(),
        /// Environment name for mappers; the theme's if empty.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub environment: String = text_or(String::new),
        /// Texts for a closer look, by noun.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        pub details: BTreeMap<String, String> => |room| crate::catalog::area::details(room),
        /// Creatures, by key, with one entry each.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub creatures: Vec<String> => |room| named(room, "creatures", Referent::Creature, references),
        /// Items, by key, with one entry each. In a room with guards or a mechanism they appear once it is overcome.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub items: Vec<String> => |room| named(room, "items", Referent::Item, references),
        /// Scripts that run on events, in the order in which they run.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub triggers: Vec<(TriggerEvent, Script)> => |room| triggers(room),
    }
}

impl RoomContent {
    /// Returns all scripts of the room.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        self.triggers.iter().map(|(_, script)| script)
    }

    /// Returns `true` if a script moves characters to a hand-built room, which rooms of branches must not do.
    pub fn leads_out(&self) -> bool {
        self.scripts().flat_map(Script::rooms).next().is_some()
    }

    /// Returns all texts for players, except those in scripts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let details = self.details.values().map(String::as_str);
        [self.name.as_str(), self.description.as_str()].into_iter().chain(details)
    }

    /// Returns all references to other content.
    pub fn names(&self) -> impl Iterator<Item = (Referent, &str)> {
        let creatures = self.creatures.iter().map(|key| (Referent::Creature, key.as_str()));
        let inside = creatures.chain(self.items.iter().map(|key| (Referent::Item, key.as_str())));
        inside.chain(self.scripts().flat_map(|script| script.names().map(|(_, of, key)| (of, key))))
    }
}

fn named(
    room: &mut Reader<'_>,
    key: &str,
    what: Referent,
    references: &mut ContentReferences,
) -> Vec<String> {
    let listed = if room.has(key) { room.placed_texts(key, 0) } else { Vec::new() };
    if let Some((place, _)) = listed.get(IN_ROOM_MAX) {
        let mistake = format!("`{key}` has {} of them", listed.len());
        room.note(CatalogError::new(place, mistake, format!("at most {IN_ROOM_MAX}")));
    }
    let keys = listed.iter().map(|(_, name)| name.clone()).collect();
    references.extend(listed.into_iter().map(|(place, name)| (place, what, name)));
    keys
}

impl Serialize for RoomContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for RoomContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut on_enter: Option<Script> = None;
        let mut content = Self::deserialize(RetiredField::new(deserializer, "on_enter", &mut on_enter))?;
        if let Some(script) = on_enter.filter(|script| !script.is_empty()) {
            content.triggers.insert(0, (TriggerEvent::Enter, script));
        }
        Ok(content)
    }
}

/// Reads the triggers of a room. The key `on_enter` has the lines of the first one for players who enter.
fn triggers(room: &mut Reader<'_>) -> Vec<(TriggerEvent, Script)> {
    let on_enter = Script::read(room, "on_enter");
    let first = (!on_enter.is_empty()).then_some((TriggerEvent::Enter, on_enter));
    let read = room.tables_if_any("triggers", |table| {
        let place = table.place_of("on");
        let text = table.about("Event of a room, except `timer`.").text("on");
        table.about("Lines of the script.");
        let lines = Script::read(table, "lines");
        match TriggerEvent::parse(&text, WORD_CHARS_MAX) {
            Ok(TriggerEvent::Timer(_)) => {
                let message = "nothing in a branch happens by the clock alone";
                table.note(CatalogError::new(&place, message, "any other event"));
                None
            }
            Ok(on) => Some((on, lines)),
            Err(mistake) => {
                table.note(CatalogError::new(&place, mistake.to_string(), trigger::events()));
                None
            }
        }
    });
    first.into_iter().chain(read.into_iter().flatten()).collect()
}

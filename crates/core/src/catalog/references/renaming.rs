//! Renaming of zones, rooms and definitions, and a prefix for the keys of zones, vaults and definitions, together with all
//! declared references to them: those of packages, of drafts, and of single keys. Texts for players stay as they are.

use crate::catalog::area::script::{AreaScript, AreaSpawn};
use crate::catalog::area::spawn_bounds::{SpawnBounds, SpawnCondition};
use crate::catalog::creature::route::{Appointment, CreatureRoute};
use crate::catalog::references::fields::{self, FieldReference};
use crate::catalog::script::condition::Condition;
use crate::catalog::script::deed::ScriptRoomName;
use crate::catalog::script::object_trigger::ObjectEvent as _;
use crate::catalog::script::slot;
use crate::catalog::script::verbs::ArgumentKind;
use crate::catalog::{
    Area, AreaRoom, Bid, CreatureEvent, DefinitionKind, Referent, RoomContent, Script, TriggerEvent, Vault,
    draft_key, quest,
};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// Keys that change.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// Word before the keys of vaults and definitions; empty if none of them change.
    prefix: String,
    /// New keys of zones.
    zones: BTreeMap<String, String>,
    vaults: BTreeSet<String>,
    /// New keys of definitions.
    definitions: BTreeMap<(DefinitionKind, String), String>,
    /// Rooms and variables of the zones, by `ZONE/NAME`.
    places: BTreeSet<String>,
    /// New names of single rooms.
    rooms: BTreeMap<String, String>,
    /// Draft whose versions of definitions get their published keys.
    published: Option<String>,
    /// Set for packages, whose help pages have names of their own.
    renames_pages: bool,
}

impl Renaming {
    /// Creates a renaming of nothing yet; keys get `PREFIX_` before them.
    pub fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), renames_pages: true, ..Self::default() }
    }

    /// Creates a renaming of one zone.
    pub fn of_zone(area: &Area, to: &str) -> Self {
        let mut renaming = Self::default();
        renaming.rename_zone(&area.key, area, to.to_owned());
        renaming
    }

    /// Creates a renaming of a zone to its draft. [`Self::add_definition`] adds the definitions of which the draft has
    /// versions.
    pub fn into_draft(area: &Area, draft: &str) -> Self {
        let mut renaming = Self { prefix: format!("{draft}_"), ..Self::default() };
        renaming.rename_zone(&area.key, area, draft.to_owned());
        renaming
    }

    /// Creates a renaming of a draft to the zone that it replaces, with all its versions of definitions.
    pub fn out_of_draft(area: &Area, to: &str) -> Self {
        Self { published: Some(area.key.clone()), ..Self::of_zone(area, to) }
    }

    /// Creates a renaming of one definition.
    pub fn of_definition(kind: DefinitionKind, key: &str, to: &str) -> Self {
        Self { definitions: [((kind, key.to_owned()), to.to_owned())].into(), ..Self::default() }
    }

    /// Creates a renaming of one room, by each name that it has and gets.
    pub fn of_room(names: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { rooms: names.into_iter().collect(), ..Self::default() }
    }

    /// Adds a zone with its rooms and variables.
    pub fn add_zone(&mut self, key: &str, area: &Area) {
        self.rename_zone(key, area, self.prefixed(key));
    }

    fn rename_zone(&mut self, key: &str, area: &Area, to: String) {
        let rooms = area.rooms.iter().map(|room| &room.key);
        let variables = area.variables.iter().map(|variable| &variable.name.1);
        self.places.extend(rooms.chain(variables).map(|name| format!("{key}/{name}")));
        self.zones.insert(key.to_owned(), to);
    }

    /// Adds a vault.
    pub fn add_vault(&mut self, key: &str) {
        self.vaults.insert(key.to_owned());
    }

    /// Adds a definition.
    pub fn add_definition(&mut self, kind: DefinitionKind, key: &str) {
        self.definitions.insert((kind, key.to_owned()), self.prefixed(key));
    }

    /// Returns the new keys.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        let vaults = self.vaults.iter().map(|key| self.prefixed(key));
        self.zones.values().cloned().chain(vaults).chain(self.definitions.values().cloned())
    }

    /// Returns a key with the prefix.
    pub fn prefixed(&self, key: &str) -> String {
        format!("{}_{key}", self.prefix)
    }

    /// Returns the new key of a definition; the same if it is not renamed.
    pub fn key(&self, kind: DefinitionKind, key: &str) -> String {
        if let Some((draft, plain)) = draft_key::split(key)
            && self.published.as_deref() == Some(draft)
        {
            return plain.to_owned();
        }
        self.definitions.get(&(kind, key.to_owned())).map_or(key, String::as_str).to_owned()
    }

    /// Returns `true` if a definition of any kind with this key is renamed.
    pub(in crate::catalog) fn has_key(&self, key: &str) -> bool {
        DefinitionKind::ALL.into_iter().any(|kind| self.definitions.contains_key(&(kind, key.to_owned())))
    }

    /// Returns `true` if a zone is renamed.
    pub(in crate::catalog) fn has_zone(&self, key: &str) -> bool {
        self.zones.contains_key(key)
    }

    /// Returns `true` for a renamed room, and for a room or variable of a renamed zone, by `ZONE/NAME`.
    pub(in crate::catalog) fn has_place(&self, name: &str) -> bool {
        self.places.contains(name) || self.rooms.contains_key(name)
    }

    fn name(&self, of: Referent, key: &str) -> String {
        DefinitionKind::of(of).map_or_else(|| key.to_owned(), |kind| self.key(kind, key))
    }

    /// Returns the new name of a room.
    pub(in crate::catalog) fn room_name(&self, name: &str) -> String {
        self.rooms.get(name).cloned().unwrap_or_else(|| self.place(name))
    }

    /// Returns the new name of a room or variable by `ZONE/NAME` in a renamed zone; a name without zone stays.
    pub fn place(&self, name: &str) -> String {
        let renamed = name.split_once('/').and_then(|(zone, rest)| Some((self.zones.get(zone)?, rest)));
        renamed.map_or_else(|| name.to_owned(), |(zone, rest)| format!("{zone}/{rest}"))
    }

    /// Renames the keys of items among words separated by `;`. With `typed`, a word that players can type stays beside
    /// the new key.
    fn item_words(&self, names: &str, typed: bool) -> String {
        let renamed = |word: &str| {
            let key = self.key(DefinitionKind::Item, word);
            // Players do not type keys with underscores.
            if typed && key != word && !word.contains('_') { format!("{word};{key}") } else { key }
        };
        let all = names.split(';').map(|word| renamed(word.trim())).collect::<Vec<_>>().join(";");
        let mut kept: Vec<&str> = Vec::new();
        for word in all.split(';') {
            if !kept.contains(&word) {
                kept.push(word);
            }
        }
        kept.join(";")
    }

    /// Returns the script with its references renamed.
    pub fn script(&self, mut script: Script) -> Script {
        self.rename(script.texts_mut());
        let room = |room: &ScriptRoomName| match room {
            ScriptRoomName::Key(name) => ScriptRoomName::Key(self.room_name(name)),
            ScriptRoomName::Number(_) => room.clone(),
        };
        script.with_rooms(room)
    }

    fn condition(&self, mut condition: Condition) -> Condition {
        self.rename(condition.texts_mut());
        condition
    }

    /// Renames the references in texts of a script.
    fn rename<'t>(&self, texts: impl Iterator<Item = (ArgumentKind, &'t mut String)>) {
        for (kind, text) in texts {
            if let Some(of) = kind.referent() {
                *text = self.name(of, text);
            }
            kind.rename_variables(text, |name| self.place(name));
        }
    }

    /// Renames a reference that is written as text. `None` if it cannot be parsed, or refers to nothing renamed.
    fn reference(&self, of: FieldReference, text: &str) -> Option<String> {
        let renamed = match of {
            FieldReference::CreatureOrAny if text == quest::ANY => return None,
            FieldReference::Recipient if text.contains('/') => self.place(text),
            FieldReference::Recipient | FieldReference::CreatureOrAny => {
                self.key(DefinitionKind::Creature, text)
            }
            FieldReference::Key(kind) => self.key(kind, text),
            FieldReference::Room => self.room_name(text),
            FieldReference::Appointment => {
                Appointment::parse(text).ok()?.with_room(|room| self.room_name(room)).to_string()
            }
            FieldReference::Event => match CreatureEvent::parse(text)? {
                CreatureEvent::Receive(keys) => {
                    CreatureEvent::Receive(self.item_words(&keys, false)).to_string()
                }
                _ => return None,
            },
            FieldReference::Condition => {
                let condition = Condition::parse(text)?;
                let renamed = self.condition(condition.clone());
                return (renamed != condition).then(|| renamed.to_string());
            }
            FieldReference::Line => return self.line(text),
            FieldReference::Slots => slot::with_variables(text, |name| self.place(name)),
            FieldReference::Title | FieldReference::Alias if !self.renames_pages => return None,
            // Two help pages cannot share a title or an alias.
            FieldReference::Title => format!("{text}, {}", self.prefix),
            FieldReference::Alias => format!("{} {text}", self.prefix),
        };
        Some(renamed)
    }

    /// Returns a script line with its references renamed; `None` if it is none, or refers to nothing renamed.
    pub(in crate::catalog) fn line(&self, text: &str) -> Option<String> {
        let script = Script::parse_rest([text]).ok()?;
        let renamed = self.script(script.clone());
        (renamed != script).then(|| renamed.to_string())
    }

    /// Returns the text of a definition with its references renamed. A text that cannot be parsed stays.
    pub fn definition(&self, kind: DefinitionKind, text: &str) -> String {
        let mut edited = text.to_owned();
        for (field, value) in kind.fields(text).unwrap_or_default() {
            let mut renamed = value.clone();
            fields::each(kind, &field, &mut renamed, &mut |of, text| {
                if let Some(renamed) = self.reference(of, text) {
                    *text = renamed;
                }
            });
            if renamed != value {
                edited = kind.edited(&edited, &field, Some(&renamed)).unwrap_or(edited);
            }
        }
        edited
    }

    /// Returns a zone with its references renamed.
    pub fn area(&self, mut area: Area) -> Area {
        if let Some(key) = self.zones.get(&area.key) {
            area.key.clone_from(key);
        }
        area.start = None;
        for room in &mut area.rooms {
            self.room(room);
        }
        area
    }

    /// Renames the references of a room.
    pub fn room(&self, room: &mut AreaRoom) {
        let thing = |key: &mut String| *key = self.key(DefinitionKind::Item, key);
        room.shop.stock.iter_mut().for_each(|(_, ware)| thing(&mut ware.item));
        for (_, bid) in &mut room.shop.buys {
            if let Bid::Item { item, .. } = bid {
                thing(item);
            }
        }
        room.supplies.iter_mut().for_each(|(_, key)| thing(key));
        self.theme(&mut room.settings.set.exits.theme);
        for exit in &mut room.exits {
            exit.door_key.iter_mut().for_each(|(_, key)| thing(key));
            exit.to.iter_mut().for_each(|(_, to)| *to = self.room_name(to));
            self.theme(&mut exit.settings.set.exits.theme);
        }
        for trigger in &mut room.triggers {
            self.area_script(&mut trigger.lines);
            trigger.on.iter_mut().for_each(|on| self.event(on));
        }
        room.spawns.iter_mut().for_each(|spawn| self.spawn(spawn));
    }

    fn theme(&self, theme: &mut Option<String>) {
        if let Some(key) = theme {
            *key = self.key(DefinitionKind::Theme, key);
        }
    }

    fn area_script(&self, script: &mut AreaScript) {
        script.script = self.script(std::mem::take(&mut script.script));
    }

    /// Renames the items in the event of a trigger.
    pub fn event(&self, on: &mut TriggerEvent) {
        if let TriggerEvent::Use(names) = on {
            *names = self.item_words(names, true);
        }
    }

    fn spawn(&self, spawn: &mut AreaSpawn) {
        spawn.creature.iter_mut().for_each(|(_, key)| *key = self.key(DefinitionKind::Creature, key));
        spawn.item.iter_mut().for_each(|(_, key)| *key = self.key(DefinitionKind::Item, key));
        self.rule(&mut spawn.bounds, &mut spawn.route);
    }

    /// Renames the references in the condition of a spawn rule, and the rooms of its creatures.
    pub fn rule(&self, bounds: &mut SpawnBounds, route: &mut CreatureRoute) {
        if let Some(SpawnCondition(condition)) = &mut bounds.only_if {
            *condition = self.condition(condition.clone());
        }
        let Ok(renamed) = std::mem::take(route).with_rooms(|room| Ok::<_, Infallible>(self.room_name(room)));
        *route = renamed;
    }

    /// Returns a vault with its references renamed.
    pub fn vault(&self, mut vault: Vault) -> Vault {
        for (level_type, _) in &mut vault.level_types {
            *level_type = self.key(DefinitionKind::Theme, level_type);
        }
        vault.rooms.iter_mut().for_each(|room| self.content(&mut room.content));
        vault
    }

    fn content(&self, content: &mut RoomContent) {
        content.creatures.iter_mut().for_each(|key| *key = self.key(DefinitionKind::Creature, key));
        content.items.iter_mut().for_each(|key| *key = self.key(DefinitionKind::Item, key));
        for (on, script) in &mut content.triggers {
            self.event(on);
            *script = self.script(std::mem::take(script));
        }
    }
}

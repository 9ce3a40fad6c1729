//! Validation of areas: references, duplicates and declarations.

use super::{Area, AreaRoom};
use crate::catalog::area::script::{AreaScript, AreaSpawn, AreaTrigger, PlacedReference, note_unknown};
use crate::catalog::script::ScriptRoomName;
use crate::catalog::{Catalog, SettingValues, VariableDeclaration};
use crate::data::CatalogError;
use std::collections::{BTreeMap, BTreeSet};

impl Area {
    /// Records references to rooms that this area does not have.
    pub(super) fn check_room_references(&self, mistakes: &mut Vec<CatalogError>) {
        let known: BTreeSet<&str> = self.rooms.iter().map(|room| room.key.as_str()).collect();
        let named = self.rooms.iter().flat_map(|room| &room.exits).filter_map(|exit| exit.to.clone());
        let moves = self.rooms.iter().flat_map(AreaRoom::scripts).flat_map(AreaScript::rooms);
        let moves = moves.filter(|(_, room)| **room != ScriptRoomName::GONE);
        let moves = moves.map(|(place, room)| (place, room.to_string()));
        let spawns = self.rooms.iter().flat_map(|room| &room.spawns);
        let goals =
            spawns.flat_map(|spawn| spawn.route.rooms().map(|room| (spawn.place.clone(), room.to_owned())));
        let moves = moves.chain(goals.filter(|(_, room)| !room.contains('/')));
        for (place, to) in self.start.clone().into_iter().chain(named).chain(moves) {
            if !to.is_empty() && !known.contains(to.as_str()) {
                let keys = self.rooms.iter().map(|room| room.key.as_str());
                note_unknown(mistakes, &place, "room", &to, keys);
            }
        }
    }

    /// Records unknown references to other content, and duplicate keys of rooms.
    pub fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        let declared = self.declarations();
        for room in &self.rooms {
            self.check_room(room, &declared, catalog, mistakes);
        }
        self.check_declarations(mistakes);
        let mut keys = BTreeSet::new();
        for room in &self.rooms {
            if !keys.insert(&room.key) {
                mistakes.push(room.key_taken());
            }
        }
    }

    /// Records unknown references of a room to other content, and to variables of this area.
    pub fn check_room(
        &self,
        room: &AreaRoom,
        declared: &BTreeMap<String, VariableDeclaration>,
        catalog: &Catalog,
        mistakes: &mut Vec<CatalogError>,
    ) {
        room.check_items(catalog, mistakes);
        for script in room.scripts() {
            script.check(catalog, mistakes);
        }
        for spawn in &room.spawns {
            spawn.check(catalog, mistakes);
        }
        room.check_duplicates(mistakes);
        self.check_variables(room, declared, mistakes);
    }

    /// Records variables that are declared twice.
    pub fn check_declarations(&self, mistakes: &mut Vec<CatalogError>) {
        for (at, variable) in self.variables.iter().enumerate() {
            let (place, name) = &variable.name;
            if self.variables.iter().take(at).any(|other| other.name.1 == *name) {
                let mistake = format!("the variable `{name}` is declared twice");
                mistakes.push(CatalogError::new(place, mistake, "a name of its own for each variable"));
            }
        }
    }

    /// Records variables of this area that scripts of a room use without a declaration, or in a way that does not fit
    /// their type.
    fn check_variables(
        &self,
        room: &AreaRoom,
        declared: &BTreeMap<String, VariableDeclaration>,
        mistakes: &mut Vec<CatalogError>,
    ) {
        for script in room.scripts() {
            for (line, of) in script.script.variables() {
                let (zone, name) = of.name().split_once('/').unwrap_or((&self.key, of.name()));
                if zone != self.key {
                    continue;
                }
                let place = script.place_of(line);
                match declared.get(name) {
                    None => {
                        let valid = declared.keys().map(String::as_str);
                        note_unknown(mistakes, &place, "variable", name, valid);
                    }
                    Some(declaration) => {
                        if let Some(mismatch) = of.mismatch(declaration.default.kind()) {
                            let mistake = format!("the variable `{name}` {mismatch}");
                            mistakes.push(CatalogError::new(&place, mistake, ""));
                        }
                    }
                }
            }
        }
    }
}

impl AreaRoom {
    /// Returns the mistake of a key that another room has.
    pub fn key_taken(&self) -> CatalogError {
        let mistake = format!("two rooms have the key `{}`", self.key);
        CatalogError::new(&self.place, mistake, "a key of its own for each room")
    }

    /// Records unknown items, level types and layouts.
    fn check_items(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        let mut unknown = |(place, key): &PlacedReference, what: &str, valid: Vec<&str>| {
            note_unknown(mistakes, place, what, key, valid);
        };
        let keys = self.exits.iter().filter_map(|exit| exit.door_key.as_ref());
        let traded: Vec<PlacedReference> =
            self.shop.named().map(|(place, key)| (place.clone(), key.to_owned())).collect();
        let named = traded.iter().chain(&self.supplies).chain(keys);
        for item in named.filter(|(_, key)| !key.is_empty() && !catalog.items.contains_key(key)) {
            unknown(item, "item", catalog.items.keys().map(String::as_str).collect());
        }
        for puzzle in self.exits.iter().filter_map(|exit| exit.puzzle.as_ref()) {
            if catalog.puzzles.find(&puzzle.1).is_none() {
                unknown(puzzle, "puzzle", catalog.puzzles.names().collect());
            }
        }
        let settings = self.exits.iter().map(|exit| &exit.settings).chain([&self.settings]);
        for settings in settings {
            for (named, values) in settings.words() {
                let (what, known): (_, Vec<&str>) = match values {
                    SettingValues::LevelType => {
                        ("level type", catalog.level_types.keys().map(String::as_str).collect())
                    }
                    _ => ("layout", catalog.layouts.keys().map(String::as_str).collect()),
                };
                if !named.1.is_empty() && !known.contains(&named.1.as_str()) {
                    unknown(&named, what, known);
                }
            }
        }
    }

    /// Records duplicate triggers and spawns, and triggers without a script.
    pub(super) fn check_duplicates(&self, mistakes: &mut Vec<CatalogError>) {
        for (at, trigger) in self.triggers.iter().enumerate() {
            let before = self.triggers.iter().take(at);
            if let Some(label) = trigger.label()
                && before.filter_map(AreaTrigger::label).any(|other| other == label)
            {
                let mistake = format!("room `{}` has two triggers `{label}`", self.key);
                mistakes.push(CatalogError::new(&trigger.place, mistake, "a `name` of its own for each"));
            }
            if trigger.on.is_some() && trigger.lines.script.is_empty() {
                mistakes.push(CatalogError::new(&trigger.place, "a trigger does nothing", "`lines = [..]`"));
            }
        }
        for (at, spawn) in self.spawns.iter().enumerate() {
            let key = |spawn: &AreaSpawn| spawn.what().map(|(_, key)| key.clone());
            let is_same = |other: &AreaSpawn| {
                key(other) == key(spawn) && other.creature.is_some() == spawn.creature.is_some()
            };
            if let Some(key) = key(spawn).filter(|_| self.spawns.iter().take(at).any(is_same)) {
                let mistake = format!("`{key}` comes to room `{}` twice", self.key);
                mistakes.push(CatalogError::new(&spawn.place, mistake, "one spawn for each"));
            }
        }
    }
}

//! Hand-built areas: the rooms and exits of a new world.

pub mod area_shop;
pub mod area_text;
mod layout;
pub mod parts;
pub mod room_flag;
pub mod script;
pub mod spawn_bounds;
pub(super) mod start_text;

use crate::base::{Coordinates, ExitKind, Point};
pub use crate::catalog::area::script::Named;
use crate::catalog::area::script::{AreaScript, AreaSpawn, AreaTrigger, note_unknown, spawn};
use crate::catalog::room_kind::{Origin, RoomKind};
use crate::catalog::script::RoomName;
use crate::catalog::script::variable::AreaVariable;
use crate::catalog::{AreaShop, BranchTimes, Catalog, RoomFlag, StartText, StartTexts, VariableDeclaration};
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

definition! {
    /// An area, from `content/areas/KEY.toml`.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Area {
        /// Key of the room in which new characters begin; set in exactly one area.
        pub start: Option<Named> = text_if_any(),
        /// Stable key.
        pub key: String => |file| file.key(),
        /// Variables.
        pub variables: Vec<AreaVariable> = tables_if_any(AreaVariable::read),
        /// Rooms.
        pub rooms: Vec<AreaRoom> = tables(AreaRoom::read),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// A room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaRoom {
        /// Place of the definition.
        pub place: Position => |room| room.place(),
        /// Key by which exits refer to it.
        pub key: String = text(),
        /// Name for players.
        pub name: String = text(),
        /// Further names for `goto`.
        pub aliases: Vec<String> = texts(0),
        /// Kind of the room.
        pub kind: RoomKind = choice_or(&RoomKind::made_by(&[Origin::Builders, Origin::Areas]), RoomKind::Room),
        /// Position on the area's map as east, north and up; derived from the exits if absent.
        pub at: Option<Coordinates> => |room| coordinates(room),
        /// Description for players.
        pub description: String = paragraphs_or(String::new),
        /// Environment name for mappers.
        pub environment: String = text(),
        /// Texts for a closer look, by noun. Synonyms are separated by commas.
        pub details: BTreeMap<String, String> => |room| details(room),
        /// Tags by which builders find the room.
        pub tags: Vec<String> = texts(0),
        /// Items for sale, and the terms of trade of a shop.
        pub shop: AreaShop = flat(AreaShop::read),
        /// Items laid out for characters who arrive without equipment, by key.
        pub supplies: Vec<Named> = placed_texts(0),
        /// Scripts that run on events, in the order in which they run.
        pub triggers: Vec<AreaTrigger> => |room| AreaTrigger::read_all(room),
        /// Spawn points of creatures and items.
        pub spawns: Vec<AreaSpawn> = tables_if_any(spawn),
        /// Flags that are set.
        pub flags: BTreeSet<RoomFlag> => |room| RoomFlag::read_all(room),
        /// Board for notes of players, by a key within the area.
        pub board: Option<Named> = text_if_any(),
        /// Of a start room: defaults for all its exits, and the intervals of its timers.
        pub settings: AreaSettings = flat(AreaSettings::read),
        /// Of a start room: its own texts about its branches.
        pub texts: StartTexts => |room| StartText::read_all(room),
        /// Exits.
        pub exits: Vec<AreaExit> = tables_if_any(exit),
    }
}

definition! {
    /// Settings that start exits pass on to their branches; absent ones are inherited.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct AreaSettings {
        /// Level type, by key.
        pub theme: Option<Named> = text_if_any(),
        /// Layout, by name.
        pub generator: Option<Named> = text_if_any(),
        /// Maximum number of unexplored exits at a time.
        pub max_unexplored_exits: Option<u32> = number_if_any(&UNEXPLORED_EXITS),
        /// Maximum number of new exits of a room.
        pub max_new_exits_per_room: Option<u32> = number_if_any(&NEW_EXITS),
        /// Allows a branch to end.
        pub finishable: Option<bool> = bool_if_any(),
        /// Time in which companions are guaranteed to enter the same branch.
        pub window_secs: Option<u32> = number_if_any(&LIFE_SECS),
        /// Chance in 1,000 at each later reset that the exit leads to a new branch.
        pub reset_chance_permille: Option<u32> = number_if_any(&(0..=1_000)),
        /// Time without activity after which a branch expires.
        pub max_life_secs: Option<u32> = number_if_any(&LIFE_SECS),
        /// Interval between resets.
        pub reset_interval_secs: Option<u32> = number_if_any(&INTERVAL_SECS),
        /// Interval between checks for expired branches.
        pub check_interval_secs: Option<u32> = number_if_any(&INTERVAL_SECS),
    }
}

/// Valid maximum numbers of unexplored exits of a branch.
pub const UNEXPLORED_EXITS: RangeInclusive<u32> = 1..=50;
/// Valid maximum numbers of new exits of a room.
pub const NEW_EXITS: RangeInclusive<u32> = 1..=3;
/// Valid intervals between resets or checks, in seconds.
pub const INTERVAL_SECS: RangeInclusive<u32> = 10..=604_800;
/// Valid windows and lifetimes of branches, in seconds.
pub const LIFE_SECS: RangeInclusive<u32> = 1..=BranchTimes::SECS_MAX;

definition! {
    /// An exit of a room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaExit {
        /// Place of the definition.
        pub place: Position => |exit| exit.place(),
        /// Destination room, by key; a branch exit has none.
        pub to: Option<Named> = text_if_any(),
        /// Settings of a start exit.
        pub settings: AreaSettings = flat(AreaSettings::read),
        /// Name that players type.
        pub name: String = text(),
        /// Further names.
        pub aliases: Vec<String> = texts(0),
        /// Kind of the exit; behind a `branch`, branches of the dungeon open.
        pub kind: ExitKind = choice_or(&EXIT_KINDS, ExitKind::Exit),
        /// Text for a look in this direction.
        pub description: Option<String> = any_paragraphs(),
        /// Players must search for it.
        pub hidden: bool = bool_or(false),
        /// Name of its door without article, if it has one.
        pub door: Option<Named> = text_if_any(),
        /// Item that opens the door, by key; without one no key is needed.
        pub door_key: Option<Named> = text_if_any(),
        /// The door is open.
        pub door_open: bool = bool_or(false),
    }
}

/// Kinds of hand-built exits by name.
pub const EXIT_KINDS: [(&str, ExitKind); 2] = [("exit", ExitKind::Exit), ("branch", ExitKind::Branch)];

impl Area {
    /// Reads a file. Destinations of exits are not checked here.
    pub fn parse(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        Reader::whole(path, text, mistakes, Self::read)
    }

    /// Returns `true` if the area has a room of this key.
    pub fn has(&self, key: &str) -> bool {
        self.rooms.iter().any(|room| room.key == key)
    }

    /// Records references to rooms that this area does not have.
    fn check_room_references(&self, mistakes: &mut Vec<CatalogError>) {
        let known: BTreeSet<&str> = self.rooms.iter().map(|room| room.key.as_str()).collect();
        let named = self.rooms.iter().flat_map(|room| &room.exits).filter_map(|exit| exit.to.clone());
        let moves = self.rooms.iter().flat_map(AreaRoom::scripts).flat_map(AreaScript::rooms);
        let moves = moves.filter(|(_, room)| **room != RoomName::GONE);
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
        room.check_board(mistakes);
        self.check_variables(room, declared, mistakes);
    }
}

impl AreaRoom {
    /// Returns a room with a key alone.
    pub fn empty(key: String) -> Self {
        Self {
            place: Position::default(),
            key,
            name: String::new(),
            aliases: Vec::new(),
            kind: RoomKind::Room,
            at: None,
            description: String::new(),
            environment: String::new(),
            details: BTreeMap::new(),
            tags: Vec::new(),
            shop: AreaShop::default(),
            supplies: Vec::new(),
            triggers: Vec::new(),
            spawns: Vec::new(),
            flags: BTreeSet::new(),
            board: None,
            settings: AreaSettings::default(),
            texts: StartTexts::new(),
            exits: Vec::new(),
        }
    }

    /// Returns the mistake of a key that another room has.
    pub fn key_taken(&self) -> CatalogError {
        let wrong = format!("two rooms have the key `{}`", self.key);
        CatalogError::new(&self.place, wrong, "a key of its own for each room")
    }

    /// Records unknown items, level types and layouts.
    fn check_items(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        let mut unknown = |(place, key): &Named, what: &str, valid: Vec<&str>| {
            note_unknown(mistakes, place, what, key, valid);
        };
        let keys = self.exits.iter().filter_map(|exit| exit.door_key.as_ref());
        let traded: Vec<Named> =
            self.shop.named().map(|(place, key)| (place.clone(), key.to_owned())).collect();
        let named = traded.iter().chain(&self.supplies).chain(keys);
        for item in named.filter(|(_, key)| !key.is_empty() && !catalog.items.contains_key(key)) {
            unknown(item, "item", catalog.items.keys().map(String::as_str).collect());
        }
        let settings = self.exits.iter().map(|exit| &exit.settings).chain([&self.settings]);
        for settings in settings {
            if let Some(theme) = &settings.theme
                && !theme.1.is_empty()
                && !catalog.level_types.contains_key(&theme.1)
            {
                unknown(theme, "level type", catalog.level_types.keys().map(String::as_str).collect());
            }
            if let Some(generator) = &settings.generator
                && !generator.1.is_empty()
                && !catalog.layouts.contains_key(&generator.1)
            {
                unknown(generator, "layout", catalog.layouts.keys().map(String::as_str).collect());
            }
        }
    }
}

impl Area {
    /// Returns an area without rooms and variables.
    pub fn empty(key: &str) -> Self {
        Self {
            start: None,
            key: key.to_owned(),
            variables: Vec::new(),
            rooms: Vec::new(),
            place: Position::default(),
        }
    }

    /// Returns the declarations of its variables, by name.
    pub fn declarations(&self) -> BTreeMap<String, VariableDeclaration> {
        let all = self.variables.iter();
        all.map(|variable| (variable.name.1.clone(), variable.declaration.clone())).collect()
    }

    /// Records variables that are declared twice.
    pub fn check_declarations(&self, mistakes: &mut Vec<CatalogError>) {
        for (at, variable) in self.variables.iter().enumerate() {
            let (place, name) = &variable.name;
            if self.variables.iter().take(at).any(|other| other.name.1 == *name) {
                let wrong = format!("the variable `{name}` is declared twice");
                mistakes.push(CatalogError::new(place, wrong, "a name of its own for each variable"));
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
                        if let Some(wrong) = of.mismatch(declaration.default.kind()) {
                            let wrong = format!("the variable `{name}` {wrong}");
                            mistakes.push(CatalogError::new(&place, wrong, ""));
                        }
                    }
                }
            }
        }
    }
}

/// Maximum length of the key of a board.
const BOARD_CHARS_MAX: usize = 40;

/// Returns `true` if a word can be the key of a board.
pub fn is_board_key(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=BOARD_CHARS_MAX).contains(&word.len()) && word.chars().all(fits)
}

impl AreaRoom {
    /// Records a key of a board that is not one word.
    fn check_board(&self, mistakes: &mut Vec<CatalogError>) {
        if let Some((place, key)) =
            self.board.as_ref().filter(|(_, key)| !key.is_empty() && !is_board_key(key))
        {
            let wrong = format!("`{key}` does not fit as the key of a board");
            mistakes.push(CatalogError::new(place, wrong, "one word of small letters, figures and _"));
        }
    }

    /// Returns all scripts of the room.
    pub fn scripts(&self) -> impl Iterator<Item = &AreaScript> {
        self.triggers.iter().map(|trigger| &trigger.lines)
    }

    /// Records duplicate triggers and spawns, and triggers without a script.
    fn check_duplicates(&self, mistakes: &mut Vec<CatalogError>) {
        for (at, trigger) in self.triggers.iter().enumerate() {
            let before = self.triggers.iter().take(at);
            if let Some(label) = trigger.label()
                && before.filter_map(AreaTrigger::label).any(|other| other == label)
            {
                let wrong = format!("room `{}` has two triggers `{label}`", self.key);
                mistakes.push(CatalogError::new(&trigger.place, wrong, "a `name` of its own for each"));
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
                let wrong = format!("`{key}` comes to room `{}` twice", self.key);
                mistakes.push(CatalogError::new(&spawn.place, wrong, "one spawn for each"));
            }
        }
    }
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Area> {
    let area = Area::parse(path, text, mistakes)?;
    area.check_room_references(mistakes);
    for room in area.rooms.iter().filter(|room| room.description.is_empty()) {
        mistakes.push(CatalogError::new(&room.place, "`description` is missing", "a text"));
    }
    Some(area)
}

/// Reads the texts for a closer look; a noun may have only one.
pub(super) fn details(room: &mut Reader<'_>) -> BTreeMap<String, String> {
    let detail = |table: &mut Reader<'_>| {
        let noun = table.about("Words that players look at, separated by commas.").text("noun");
        (table.place(), noun, table.about("Answer.").paragraphs("text"))
    };
    let mut details = BTreeMap::new();
    for (place, noun, text) in room.tables_if_any("details", detail) {
        if !noun.is_empty() && details.contains_key(&noun) {
            let wrong = format!("`{noun}` has two details");
            room.note(CatalogError::new(&place, wrong, "one for each noun"));
        }
        details.insert(noun, text);
    }
    details
}

fn exit(table: &mut Reader<'_>) -> AreaExit {
    let exit = AreaExit::read(table);
    if exit.door.is_none() && (exit.door_key.is_some() || exit.door_open) {
        table.wrong("door", "is missing, whose key or state is said", "what the door is called");
    }
    if exit.kind == ExitKind::Exit && exit.to.is_none() {
        table.wrong("to", "is missing", "the key of a room of this area");
    }
    exit
}

fn coordinates(room: &mut Reader<'_>) -> Option<Coordinates> {
    let [x, y, z] = room.integers_if_any("at", &AT)?;
    Some(Coordinates { z, at: Point::new(x, y) })
}

/// Valid map coordinates of a room.
const AT: RangeInclusive<i32> = -100_000..=100_000;

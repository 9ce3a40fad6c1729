//! Hand-built areas: the rooms and exits of a new world.

pub mod area_shop;
pub mod zone_file;
mod check;
mod layout;
pub mod parts;
pub mod room_flag;
pub mod room_sheet;
pub mod script;
pub mod setting;
pub mod spawn_bounds;
pub mod start_setting;
pub(super) mod start_text;

use crate::base::{Coordinates, ExitKind, Point};
pub use crate::catalog::area::room_sheet::RoomSheet;
pub use crate::catalog::area::script::PlacedReference;
use crate::catalog::area::script::{AreaScript, AreaSpawn, AreaTrigger, spawn};
pub use crate::catalog::area::start_setting::AreaSettings;
use crate::catalog::room_kind::RoomKind;
use crate::catalog::script::variable::AreaVariable;
use crate::catalog::{AreaShop, VariableDeclaration};
use crate::data::{CatalogError, FileField, Position, Reader, WrittenField, definition};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

definition! {
    /// An area, from `content/areas/KEY.toml`.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Area {
        /// Key of the room in which new characters begin; set in exactly one area.
        pub start: Option<PlacedReference> = text_if_any(),
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
    pub struct AreaRoom written {
        /// Place of the definition.
        pub place: Position => |room| room.place(),
        /// Key by which exits refer to it.
        pub key: String = text(),
        /// What it is.
        pub sheet: RoomSheet = flat(RoomSheet::read),
        /// Position on the area's map as east, north and up; derived from the exits if absent.
        pub at: Option<Coordinates> => |room| coordinates(room),
        /// Items for sale, and the terms of trade of a shop.
        pub shop: AreaShop = flat(AreaShop::read),
        /// Items laid out for characters who arrive without equipment, by key.
        pub supplies: Vec<PlacedReference> = placed_texts(0),
        /// Of a start room: defaults for all its exits, the intervals of its timers, and its own texts about its branches.
        pub settings: AreaSettings => |room| AreaSettings::read_of_room(room),
        /// Scripts that run on events, in the order in which they run.
        pub triggers: Vec<AreaTrigger> => |room| AreaTrigger::read_all(room),
        /// Spawn points of creatures and items.
        pub spawns: Vec<AreaSpawn> = tables_if_any(spawn),
        /// Exits.
        pub exits: Vec<AreaExit> = tables_if_any(exit),
    }
}

definition! {
    /// An exit of a room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaExit written {
        /// Place of the definition.
        pub place: Position => |exit| exit.place(),
        /// Name that players type.
        pub name: String = text(),
        /// Further names.
        pub aliases: Vec<String> = texts(0),
        /// Kind of the exit; behind a `branch`, branches of the dungeon open.
        pub kind: ExitKind = choice_or(&EXIT_KINDS, ExitKind::Exit),
        /// Destination room, by key; a branch exit has none.
        pub to: Option<PlacedReference> = text_if_any(),
        /// Text for a look in this direction.
        pub description: Option<String> = any_paragraphs(),
        /// Players must search for it.
        pub hidden: bool = bool_or(false),
        /// Name of its door without article, if it has one.
        pub door: Option<PlacedReference> = text_if_any(),
        /// Item that opens the door, by key; without one no key is needed.
        pub door_key: Option<PlacedReference> = text_if_any(),
        /// The door is open.
        pub door_open: bool = bool_or(false),
        /// Puzzle that players have to solve on the way through, by name.
        pub puzzle: Option<PlacedReference> = text_if_any(),
        /// Settings of a start exit.
        pub settings: AreaSettings = flat(AreaSettings::read),
    }
}

impl FileField for Coordinates {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.push((key, format!("[{}, {}, {}]", self.at.x, self.at.y, self.z)));
    }
}

impl FileField for RoomKind {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        let name = (*self != Self::Room).then(|| self.name().to_owned());
        name.write(key, fields);
    }
}

impl FileField for ExitKind {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        let word = EXIT_KINDS.iter().find(|(_, kind)| kind == self && *kind != Self::Exit);
        word.map(|(word, _)| (*word).to_owned()).write(key, fields);
    }
}

/// Triggers, spawn points and exits have tables of their own.
macro_rules! in_tables {
    ($($part:ty),*) => {
        $(impl FileField for Vec<$part> {
            fn write(&self, _: &'static str, _: &mut Vec<WrittenField>) {}
        })*
    };
}

in_tables!(AreaTrigger, AreaSpawn, AreaExit);

/// Kinds of hand-built exits by name.
pub const EXIT_KINDS: [(&str, ExitKind); 2] = [("exit", ExitKind::Exit), ("branch", ExitKind::Branch)];

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

    /// Reads a file. Destinations of exits are not checked here.
    pub fn parse(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        Reader::whole(path, text, mistakes, Self::read)
    }

    /// Returns `true` if the area has a room of this key.
    pub fn has(&self, key: &str) -> bool {
        self.rooms.iter().any(|room| room.key == key)
    }
}

impl AreaRoom {
    /// Returns a room with a key alone.
    pub fn empty(key: String) -> Self {
        Self {
            place: Position::default(),
            key,
            sheet: RoomSheet::new(RoomKind::Room, String::new()),
            at: None,
            shop: AreaShop::default(),
            supplies: Vec::new(),
            settings: AreaSettings::default(),
            triggers: Vec::new(),
            spawns: Vec::new(),
            exits: Vec::new(),
        }
    }

    /// Returns all scripts of the room.
    pub fn scripts(&self) -> impl Iterator<Item = &AreaScript> {
        self.triggers.iter().map(|trigger| &trigger.lines)
    }
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Area> {
    let area = Area::parse(path, text, mistakes)?;
    area.check_room_references(mistakes);
    for room in area.rooms.iter().filter(|room| room.sheet.description.is_empty()) {
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
            let mistake = format!("`{noun}` has two details");
            room.note(CatalogError::new(&place, mistake, "one for each noun"));
        }
        details.insert(noun, text);
    }
    details
}

fn exit(table: &mut Reader<'_>) -> AreaExit {
    let exit = AreaExit::read(table);
    if exit.door.is_none() && (exit.door_key.is_some() || exit.door_open) {
        table.record_mistake("door", "is missing, whose key or state is said", "what the door is called");
    }
    if exit.kind == ExitKind::Exit && exit.to.is_none() {
        table.record_mistake("to", "is missing", "the key of a room of this area");
    }
    exit
}

fn coordinates(room: &mut Reader<'_>) -> Option<Coordinates> {
    let [x, y, z] = room.integers_if_any("at", &AT)?;
    Some(Coordinates { z, at: Point::new(x, y) })
}

/// Valid map coordinates of a room.
const AT: RangeInclusive<i32> = -100_000..=100_000;

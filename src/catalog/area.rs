//! Hand-built areas: rooms and exits that a fresh world begins with.

pub use super::area_script::Named;
use super::area_script::{AreaScript, AreaSpawn, AreaTrigger, note_unknown, spawn};
use super::room_kind::{Origin, RoomKind};
use super::script::RoomName;
use super::{BranchTimes, Catalog};
use crate::base::{Coordinates, Direction, ExitKind, FreePlaces, Point};
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

definition! {
    /// One area, from `content/areas/KEY.toml`.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Area {
        /// The room, by key, where new characters begin; one area of all has it.
        pub start: Option<Named> = text_if_any(),
        /// Stable name.
        pub key: String => |file| file.key(),
        /// The rooms.
        pub rooms: Vec<AreaRoom> = tables(AreaRoom::read),
        /// Where it is defined.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// A room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaRoom {
        /// Where it is defined.
        pub place: Position => |room| room.place(),
        /// What exits call it.
        pub key: String = text(),
        /// What players read.
        pub name: String = text(),
        /// Further words for `goto`.
        pub aliases: Vec<String> = texts(0),
        /// `room`, `start`, `shop`, `healer` or `bank`.
        pub kind: RoomKind = choice_or(&RoomKind::made_by(&[Origin::Builders, Origin::Areas]), RoomKind::Room),
        /// Where it lies on the map of the area, if that does not follow from its exits: east, north and up.
        pub at: Option<Coordinates> => |room| coordinates(room),
        /// What one sees.
        pub description: String = text_or(String::new),
        /// One word for mappers.
        pub environment: String = text(),
        /// What one sees on a closer look, by noun; several nouns for one thing stand between commas.
        pub details: BTreeMap<String, String> => |room| details(room),
        /// Words under which builders find it again.
        pub tags: Vec<String> = texts(0),
        /// What is for sale here, by item key.
        pub stock: Vec<Named> = placed_texts(0),
        /// What lies here for whoever comes with nothing, by item key.
        pub supplies: Vec<Named> = placed_texts(0),
        /// The script that runs when somebody enters.
        pub on_enter: AreaScript => |room| AreaScript::read(room, "on_enter"),
        /// What happens when somebody does something else, in the order in which it does.
        pub triggers: Vec<AreaTrigger> = tables_if_any(AreaTrigger::read),
        /// What comes here again and again.
        pub spawns: Vec<AreaSpawn> = tables_if_any(spawn),
        /// Whether there are fights although it is built by hand.
        pub fights: bool = truth_or(false),
        /// Of a start room: what holds for all its exits, and how often its tasks come round.
        pub settings: AreaSettings = flat(AreaSettings::read),
        /// Ways out.
        pub exits: Vec<AreaExit> = tables_if_any(exit),
    }
}

definition! {
    /// What start exits give to their branches, where they say it.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct AreaSettings {
        /// The level type behind them, by key.
        pub theme: Option<Named> = text_if_any(),
        /// The layout, by name.
        pub generator: Option<Named> = text_if_any(),
        /// How many ways may be open at a time.
        pub max_unexplored_exits: Option<u32> = number_if_any(&UNEXPLORED_EXITS),
        /// How much a room may fork.
        pub max_new_exits_per_room: Option<u32> = number_if_any(&NEW_EXITS),
        /// Whether a branch may come to an end.
        pub finishable: Option<bool> = truth_if_any(),
        /// How long companions can be sure to land in the same branch.
        pub window_secs: Option<u32> = number_if_any(&LIFE_SECS),
        /// How likely the exit leads elsewhere at each reset after that, in parts of a thousand.
        pub reset_chance_permille: Option<u32> = number_if_any(&(0..=1_000)),
        /// How long nothing may happen in a branch before it collapses.
        pub max_life_secs: Option<u32> = number_if_any(&LIFE_SECS),
        /// How often they are reset.
        pub reset_interval_secs: Option<u32> = number_if_any(&INTERVAL_SECS),
        /// How often the branches behind them are checked for age.
        pub check_interval_secs: Option<u32> = number_if_any(&INTERVAL_SECS),
    }
}

/// How many ways of a branch may be open at a time.
pub const UNEXPLORED_EXITS: RangeInclusive<u32> = 1..=50;
/// How many new exits a room of a branch may have.
pub const NEW_EXITS: RangeInclusive<u32> = 1..=3;
/// How long a start room may be without a reset or a check, in seconds.
pub const INTERVAL_SECS: RangeInclusive<u32> = 10..=604_800;
/// How long a branch may be open, and how long it may last, in seconds.
pub const LIFE_SECS: RangeInclusive<u32> = 1..=BranchTimes::SECS_MAX;

definition! {
    /// An exit of a room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaExit {
        /// Where it is defined.
        pub place: Position => |exit| exit.place(),
        /// The room it leads to, by key; none for a start exit.
        pub to: Option<Named> = text_if_any(),
        /// Of a start exit.
        pub settings: AreaSettings = flat(AreaSettings::read),
        /// What one types.
        pub name: String = text(),
        /// Further words for it.
        pub aliases: Vec<String> = texts(0),
        /// `exit` or `branch`.
        pub kind: ExitKind = choice_or(&EXIT_KINDS, ExitKind::Exit),
        /// What one sees when looking that way.
        pub description: Option<String> = any_text(),
        /// What the door in it is called, without article, if there is one.
        pub door: Option<Named> = text_if_any(),
        /// What opens the door, by item key; hands do where nothing is said.
        pub door_key: Option<Named> = text_if_any(),
        /// Whether the door stands open.
        pub door_open: bool = truth_or(false),
    }
}

/// The kinds of exits that are built by hand, by their words.
pub const EXIT_KINDS: [(&str, ExitKind); 2] = [("exit", ExitKind::Exit), ("branch", ExitKind::Branch)];

impl Area {
    /// Where each room lies on the area's map: where it says, or else the first at the origin and the others by the exits
    /// that lead there, no two at one place.
    pub fn layout(&self) -> Vec<(&str, Coordinates)> {
        let Some(first) = self.rooms.first() else { return Vec::new() };
        let said = self.rooms.iter().filter_map(|room| Some((room.key.as_str(), room.at?)));
        let mut placed: Vec<(&str, Coordinates)> = said.collect();
        if placed.is_empty() {
            placed.push((first.key.as_str(), Coordinates::default()));
        }
        let mut rooms: BTreeMap<&str, Vec<&AreaRoom>> = BTreeMap::new();
        for room in &self.rooms {
            rooms.entry(&room.key).or_default().push(room);
        }
        let mut taken: BTreeSet<Coordinates> = placed.iter().map(|(_, place)| *place).collect();
        let mut known: BTreeSet<&str> = placed.iter().map(|(key, _)| *key).collect();
        let mut free = FreePlaces::default();
        let mut next = 0;
        while let Some((key, place)) = placed.get(next).copied() {
            next += 1;
            for exit in rooms.get(key).into_iter().flatten().flat_map(|room| &room.exits) {
                let Some((_, to)) = exit.to.as_ref().filter(|(_, to)| rooms.contains_key(to.as_str())) else {
                    continue;
                };
                if known.insert(to) {
                    let direction = Direction::parse_any(&exit.name);
                    let place = free.beyond(place, direction, |place| taken.contains(&place));
                    taken.insert(place);
                    placed.push((to, place));
                }
            }
        }
        for room in &self.rooms {
            if known.insert(&room.key) {
                let place = free.nearest(Coordinates::default(), |place| taken.contains(&place));
                taken.insert(place);
                placed.push((&room.key, place));
            }
        }
        placed
    }
}

impl Area {
    /// Reads a file. What its exits lead to is for `require_own_rooms` or the reader to look up.
    pub fn parse(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        Reader::whole(path, text, mistakes, Self::read)
    }

    /// Whether a room has this key.
    pub fn has(&self, key: &str) -> bool {
        self.rooms.iter().any(|room| room.key == key)
    }

    /// Notes every name of a room that is none of this area.
    fn require_own_rooms(&self, mistakes: &mut Vec<CatalogError>) {
        let known: BTreeSet<&str> = self.rooms.iter().map(|room| room.key.as_str()).collect();
        let named = self.rooms.iter().flat_map(|room| &room.exits).filter_map(|exit| exit.to.clone());
        let moves = self.rooms.iter().flat_map(AreaRoom::scripts).flat_map(AreaScript::rooms);
        let moves = moves.filter(|(_, room)| **room != RoomName::GONE);
        let moves = moves.map(|(place, room)| (place, room.to_string()));
        for (place, to) in self.start.clone().into_iter().chain(named).chain(moves) {
            if !to.is_empty() && !known.contains(to.as_str()) {
                let keys = self.rooms.iter().map(|room| room.key.as_str());
                note_unknown(mistakes, &place, "room", &to, keys);
            }
        }
    }

    /// Notes every name of other content that refers to nothing, and rooms that cannot be told apart.
    pub fn check(&self, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
        let mut unknown = |(place, key): &Named, what: &str, valid: Vec<&str>| {
            note_unknown(mistakes, place, what, key, valid);
        };
        for room in &self.rooms {
            let keys = room.exits.iter().filter_map(|exit| exit.door_key.as_ref());
            let named = room.stock.iter().chain(&room.supplies).chain(keys);
            for item in named.filter(|(_, key)| !key.is_empty() && !catalog.items.contains_key(key)) {
                unknown(item, "item", catalog.items.keys().map(String::as_str).collect());
            }
            let settings = room.exits.iter().map(|exit| &exit.settings).chain([&room.settings]);
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
        for room in &self.rooms {
            for script in room.scripts() {
                script.check(catalog, mistakes);
            }
            for spawn in &room.spawns {
                spawn.check(catalog, mistakes);
            }
            room.check_twice(mistakes);
        }
        let mut keys = BTreeSet::new();
        for room in &self.rooms {
            if !keys.insert(&room.key) {
                let wrong = format!("two rooms have the key `{}`", room.key);
                mistakes.push(CatalogError::new(&room.place, wrong, "a key of its own for each room"));
            }
        }
    }
}

impl AreaRoom {
    /// Everything that happens here.
    pub fn scripts(&self) -> impl Iterator<Item = &AreaScript> {
        [&self.on_enter].into_iter().chain(self.triggers.iter().map(|trigger| &trigger.lines))
    }

    /// Notes what is said a second time in another way.
    fn check_twice(&self, mistakes: &mut Vec<CatalogError>) {
        for (at, trigger) in self.triggers.iter().enumerate() {
            let before = self.triggers.iter().take(at);
            if let Some(on) = &trigger.on
                && before.filter_map(|other| other.on.as_ref()).any(|other| other == on)
            {
                let wrong = format!("room `{}` has two triggers for `{on}`", self.key);
                mistakes.push(CatalogError::new(&trigger.place, wrong, "one for each event"));
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
    area.require_own_rooms(mistakes);
    for room in area.rooms.iter().filter(|room| room.description.is_empty()) {
        mistakes.push(CatalogError::new(&room.place, "`description` is missing", "a text"));
    }
    Some(area)
}

/// What one sees on a closer look; the same words stand for one thing.
pub(super) fn details(room: &mut Reader<'_>) -> BTreeMap<String, String> {
    let detail = |table: &mut Reader<'_>| (table.place(), table.text("noun"), table.text("text"));
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

/// How far from the middle of its map a room can be said to lie.
const AT: RangeInclusive<i32> = -100_000..=100_000;

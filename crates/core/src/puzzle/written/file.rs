//! Contents of a puzzle file with positions, before names are resolved. All sizes are limited.

use crate::base::Direction;
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::super::config::PuzzleConfig;
use super::super::kind::ThemeListing;
use super::super::mechanism::Verb;

/// Maximum length of a text in characters.
const TEXT_MAX: usize = 800;

/// Text with its position in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlacedText {
    pub(super) place: Position,
    pub(super) text: String,
}

/// Literal number, or name of a number that themes can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumberOrName {
    /// Literal number.
    Fixed(u32),
    /// Name of a number under `numbers`.
    Named(PlacedText),
}

impl NumberOrName {
    /// Returns the number for a configuration.
    pub(super) fn value(&self, config: &PuzzleConfig) -> u32 {
        match self {
            Self::Fixed(number) => *number,
            Self::Named(name) => config.number(&name.text),
        }
    }
}

/// Number that themes can set.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) name: String,
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) default: u32,
    pub(super) about: String,
}

definition! {
    /// Declarations of a scripted puzzle, apart from its board.
    #[derive(Clone, Debug)]
    pub(super) struct PuzzleDeclarations {
        pub(super) about: String => |file| text(file, "about").text,
        pub(super) sound: Option<String> = filled_text(),
        pub(super) themes: Vec<ThemeListing> => |file| some(file, "themes", 16, listing),
        pub(super) numbers: Vec<Number> => |file| named(file, "numbers", 8, number),
    }
}

definition! {
    /// Complete file, with a minimum number of solution lines.
    #[derive(Debug)]
    pub(super) struct PuzzleFile with (solution_least: usize) {
        pub(super) about: String => |file| text(file, "about").text,
        pub(super) sound: Option<String> = filled_text(),
        pub(super) entrance: PlacedText => |file| text(file, "entrance"),
        pub(super) finish: PlacedText => |file| text(file, "finish"),
        pub(super) restarts: bool = bool_or(true),
        pub(super) tries: NumberOrName => |file| amount(file, "tries"),
        pub(super) solution: Vec<PlacedText> => |file| texts(file, "solution", solution_least..=200),
        pub(super) themes: Vec<ThemeListing> => |file| some(file, "themes", 16, listing),
        pub(super) numbers: Vec<Number> => |file| named(file, "numbers", 8, number),
        pub(super) shuffles: BTreeMap<String, Vec<String>> => |file| {
            entries(file, "shuffles", 8, |lists, name| {
                texts(lists, name, 2..=12).into_iter().map(|word| word.text).collect()
            })
        },
        pub(super) states: BTreeMap<String, Vec<PlacedText>> => |file| {
            entries(file, "states", 32, |states, name| texts(states, name, 2..=12))
        },
        pub(super) keys: BTreeMap<String, PlacedText> => |file| entries(file, "keys", 16, text),
        pub(super) rooms: BTreeMap<String, PuzzleRoomText> => |file| {
            named(file, "rooms", 32, |name, room| (name, PuzzleRoomText::read(room))).into_iter().collect()
        },
        pub(super) ways: Vec<WayText> => |file| some(file, "ways", 64, WayText::read),
        pub(super) gates: BTreeMap<String, GateText> => |file| {
            named(file, "gates", 32, |name, gate| (name, GateText::read(gate))).into_iter().collect()
        },
        pub(super) things: Vec<ThingText> => |file| some(file, "things", 64, ThingText::read),
        pub(super) hints: Vec<HintText> => |file| some(file, "hints", 16, HintText::read),
    }
}

definition! {
    /// Room.
    #[derive(Debug)]
    pub(super) struct PuzzleRoomText {
        pub(super) place: Position => |table| table.place(),
        pub(super) name: PlacedText => |room| text(room, "name"),
        pub(super) text: PlacedText => |room| text(room, "text"),
    }
}

definition! {
    /// Passage between two rooms.
    #[derive(Debug)]
    pub(super) struct WayText {
        pub(super) place: Position => |table| table.place(),
        pub(super) from: PlacedText => |way| text(way, "from"),
        pub(super) go: Option<Direction> => |way| {
            let names = Direction::PLANE.map(|direction| (direction.name(), direction));
            way.choice("go", &names)
        },
        pub(super) to: PlacedText => |way| text(way, "to"),
        pub(super) gate: Option<PlacedText> => |way| text_if_any(way, "gate"),
        pub(super) one_way: bool = bool_or(false),
    }
}

definition! {
    /// Gate.
    #[derive(Debug)]
    pub(super) struct GateText {
        pub(super) place: Position => |table| table.place(),
        pub(super) name: PlacedText => |gate| text(gate, "name"),
        pub(super) shut: PlacedText => |gate| text(gate, "shut"),
        pub(super) told: PlacedText => |gate| text(gate, "told"),
        pub(super) opens: Vec<StateSetting> => |gate| values(gate, "opens"),
        pub(super) key: Option<PlacedText> => |gate| text_if_any(gate, "key"),
        pub(super) stays: bool = bool_or(false),
    }
}

definition! {
    /// Device in a room.
    #[derive(Debug)]
    pub(super) struct ThingText {
        pub(super) room: PlacedText => |thing| text(thing, "room"),
        pub(super) name: PlacedText => |thing| text(thing, "name"),
        pub(super) seen: PlacedText => |thing| text(thing, "seen"),
        pub(super) idle: Option<PlacedText> => |thing| text_if_any(thing, "idle"),
        pub(super) looks: Vec<LookText> => |thing| some(thing, "looks", 12, LookText::read),
        pub(super) uses: Vec<UseText> => |thing| some(thing, "uses", 32, UseText::read),
    }
}

definition! {
    /// Appearance of a device under a condition.
    #[derive(Debug)]
    pub(super) struct LookText {
        pub(super) when: Vec<StateSetting> => |look| values(look, "when"),
        pub(super) seen: PlacedText => |look| text(look, "seen"),
    }
}

definition! {
    /// Use of a device.
    #[derive(Debug)]
    pub(super) struct UseText {
        pub(super) place: Position => |table| table.place(),
        pub(super) verb: Option<Verb> => |one| one.choice("verb", &VERBS),
        pub(super) to: Option<PlacedText> => |one| text_if_any(one, "to"),
        pub(super) words: Vec<PlacedText> => |one| texts(one, "words", 0..=16),
        pub(super) key: Option<PlacedText> => |one| text_if_any(one, "key"),
        pub(super) when: Vec<StateSetting> => |one| values(one, "when"),
        pub(super) then: Vec<StateSetting> => |one| values(one, "then"),
        pub(super) gives: Option<PlacedText> => |one| text_if_any(one, "gives"),
        pub(super) takes: Option<PlacedText> => |one| text_if_any(one, "takes"),
        pub(super) restarts: bool = bool_or(false),
        pub(super) mistake: bool = bool_or(false),
        pub(super) told: PlacedText => |one| text(one, "told"),
        pub(super) sound: Option<String> = filled_text(),
    }
}

definition! {
    /// Hint for players who ask for help.
    #[derive(Debug)]
    pub(super) struct HintText {
        pub(super) when: Vec<StateSetting> => |hint| values(hint, "when"),
        pub(super) text: PlacedText => |hint| text(hint, "text"),
    }
}

/// Verbs that devices accept.
const VERBS: [(&str, Verb); 9] = [
    ("pull", Verb::Pull),
    ("open", Verb::Open),
    ("search", Verb::Search),
    ("turn", Verb::Turn),
    ("press", Verb::Press),
    ("ring", Verb::Ring),
    ("use", Verb::Use),
    ("put", Verb::Put),
    ("say", Verb::Answer),
];

/// State with its required or resulting value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StateSetting {
    pub(super) place: Position,
    pub(super) state: String,
    pub(super) value: String,
}

impl PuzzleFile {
    /// Returns the length of the longest shuffled list.
    pub(super) fn longest_shuffle(&self) -> usize {
        self.shuffles.values().map(Vec::len).max().unwrap_or(0)
    }
}

fn limited(reader: &mut Reader<'_>, place: Position, text: String) -> PlacedText {
    let length = text.chars().count();
    if length > TEXT_MAX {
        let mistake = format!("a text of {length} characters");
        reader.note(CatalogError::new(&place, mistake, format!("at most {TEXT_MAX}")));
    }
    PlacedText { place, text }
}

/// Reports a list that exceeds its limit.
fn limit(reader: &mut Reader<'_>, place: &Position, name: &str, count: usize, most: usize) {
    if count > most {
        let mistake = format!("`{name}` has {count} entries");
        reader.note(CatalogError::new(place, mistake, format!("at most {most}")));
    }
}

fn text(reader: &mut Reader<'_>, name: &str) -> PlacedText {
    let place = reader.place_of(name);
    let text = reader.text(name);
    limited(reader, place, text)
}

fn text_if_any(reader: &mut Reader<'_>, name: &str) -> Option<PlacedText> {
    let (place, text) = reader.text_if_any(name)?;
    Some(limited(reader, place, text))
}

fn texts(reader: &mut Reader<'_>, name: &str, counts: RangeInclusive<usize>) -> Vec<PlacedText> {
    let least = *counts.start();
    let place = reader.place_of(name);
    let found = if least > 0 || reader.has(name) { reader.placed_texts(name, least) } else { Vec::new() };
    limit(reader, &place, name, found.len(), *counts.end());
    found.into_iter().map(|(place, text)| limited(reader, place, text)).collect()
}

fn some<T>(
    reader: &mut Reader<'_>,
    name: &str,
    most: usize,
    read: impl FnMut(&mut Reader<'_>) -> T,
) -> Vec<T> {
    let place = reader.place_of(name);
    let found = if reader.has(name) { reader.tables(name, read) } else { Vec::new() };
    limit(reader, &place, name, found.len(), most);
    found
}

/// Reads named subtables.
fn named<T>(
    reader: &mut Reader<'_>,
    name: &str,
    most: usize,
    mut read: impl FnMut(String, &mut Reader<'_>) -> T,
) -> Vec<T> {
    let place = reader.place_of(name);
    let Some(mut tables) = reader.table_if_any(name) else { return Vec::new() };
    let mut found = Vec::new();
    for name in tables.names() {
        found.extend(tables.table_of(&name, |table| read(name.clone(), table)));
    }
    limit(reader, &place, name, found.len(), most);
    found
}

/// Reads the entries of a table by key.
fn entries<T>(
    reader: &mut Reader<'_>,
    name: &str,
    most: usize,
    mut read: impl FnMut(&mut Reader<'_>, &str) -> T,
) -> BTreeMap<String, T> {
    let place = reader.place_of(name);
    let Some(mut table) = reader.table_if_any(name) else { return BTreeMap::new() };
    let names = table.names().into_iter();
    let found: BTreeMap<_, _> = names.map(|name| (name.clone(), read(&mut table, &name))).collect();
    limit(reader, &place, name, found.len(), most);
    found
}

fn values(reader: &mut Reader<'_>, name: &str) -> Vec<StateSetting> {
    let Some(mut table) = reader.table_if_any(name) else { return Vec::new() };
    let names = table.names().into_iter();
    names
        .map(|state| {
            let PlacedText { place, text } = text(&mut table, &state);
            StateSetting { place, state, value: text }
        })
        .collect()
}

fn listing(table: &mut Reader<'_>) -> ThemeListing {
    let place = table.place_of("theme");
    let theme = table.text("theme");
    let weight = table.number_or("weight", 1..=1_000, 1);
    let least = table.number_or("first_difficulty", 0..=10_000, 0);
    let most = table.number_or("last_difficulty", least..=10_000, 10_000);
    ThemeListing { theme, weight, difficulty: (least, most), place }
}

fn number(name: String, table: &mut Reader<'_>) -> Number {
    let least = table.number("least", 0..=1_000_000);
    let most = table.number("most", least..=1_000_000);
    let default = table.number("default", least..=most.max(least));
    Number { name, least, most, default, about: table.text("about") }
}

/// Reads a number or the name of one; 0 if absent.
fn amount(reader: &mut Reader<'_>, name: &str) -> NumberOrName {
    if reader.peek_text(name).is_some() {
        return NumberOrName::Named(text(reader, name));
    }
    NumberOrName::Fixed(reader.number_or(name, 0..=1_000, 0))
}

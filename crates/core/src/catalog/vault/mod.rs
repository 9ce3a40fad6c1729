//! Vaults: groups of hand-built rooms that appear together in a branch, with their contents and connections. Their
//! placement is decided in `level`.

pub mod vault_text;

use crate::base::{Direction, Point};
use crate::catalog::theme::room_content::{ContentReferences, RoomContent};
use crate::catalog::{Catalog, Referent, Script};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::level::{Plot, VAULT_ROOMS_MAX, VaultRule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Valid coordinates of a vault's room.
const AT: RangeInclusive<i32> = -100..=100;

definition! {
    /// A vault, from `content/vaults/KEY.toml` or built in the game.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub struct Vault with (references: &mut ContentReferences) {
        /// It may be rotated and mirrored.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub turns: bool = bool_or(false),
        /// Level types in which it appears, in addition to those that name it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub level_types: Vec<(String, VaultRule)> = tables_if_any(listing),
        /// Rooms.
        pub rooms: Vec<VaultRoom> => |file| file.tables("rooms", |table| VaultRoom::read(table, references)),
        /// Place of the definition.
        #[serde(skip)]
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// A room of a vault.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct VaultRoom with (references: &mut ContentReferences) {
        /// Place of the definition.
        #[serde(skip)]
        pub place: Position => |room| room.place(),
        /// Key within the vault.
        pub key: String = text(),
        /// Coordinates in the plan: east and north, relative to any origin.
        pub at: Point => |room| at(room),
        /// Contents.
        #[serde(flatten)]
        pub content: RoomContent => |room| RoomContent::read(room, references),
        /// Sides with a two-way connection to another room of the vault.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub ways: Vec<Direction> => |room| sides(room, "ways"),
        /// Sides on which the vault is connected to the branch.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub ends: Vec<Direction> => |room| sides(room, "ends"),
    }
}

fn listing(table: &mut Reader<'_>) -> (String, VaultRule) {
    (table.about("Level type, by key.").text("level_type"), VaultRule::read(table))
}

fn at(room: &mut Reader<'_>) -> Point {
    let is_there = room.names().iter().any(|name| name == "at");
    let at = room.integers_if_any("at", &AT);
    if !is_there {
        room.missing("at", "how far east and how far north it lies, such as `[0, 0]`");
    }
    at.map_or(Point::ORIGIN, |[x, y]| Point::new(x, y))
}

fn sides(room: &mut Reader<'_>, key: &str) -> Vec<Direction> {
    let words = if room.has(key) { room.placed_texts(key, 0) } else { Vec::new() };
    let mut sides = BTreeSet::new();
    for (place, word) in words {
        if let Some(side) = Direction::PLANE.into_iter().find(|side| side.name() == word) {
            sides.insert(side);
        } else {
            let valid = Direction::PLANE.map(Direction::name);
            room.note(CatalogError::unknown_name(&place, "direction", &word, valid));
        }
    }
    sides.into_iter().collect()
}

impl Vault {
    /// Reads the text of a file; references are not checked.
    pub fn parse(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        Reader::whole(path, text, mistakes, |file| Self::read_file(file, &mut Vec::new()))
    }

    /// Returns the vault without the places of its definitions, as it is stored.
    #[must_use]
    pub fn without_places(mut self) -> Self {
        self.place = Position::default();
        self.rooms.iter_mut().for_each(|room| room.place = Position::default());
        self
    }

    /// Reads a file.
    pub(super) fn read_file(file: &mut Reader<'_>, references: &mut ContentReferences) -> Self {
        let mut vault = Self::read(file, references);
        vault.join_both_sides();
        for (place, flaw, expected) in vault.flaws() {
            file.note(CatalogError::new(&place, flaw, expected));
        }
        vault
    }

    /// Adds the missing half of connections that only one of two rooms declares.
    pub fn join_both_sides(&mut self) {
        let declared: Vec<(Point, Direction)> =
            self.rooms.iter().flat_map(|room| room.ways.iter().map(|way| (room.at, *way))).collect();
        for (at, way) in declared {
            if let Some(room) = self.rooms.iter_mut().find(|room| room.at == at.step(way))
                && !room.ways.contains(&way.opposite())
            {
                room.ways.push(way.opposite());
                room.ways.sort_unstable();
            }
        }
    }

    /// Returns its rooms as plots for the level generator.
    pub fn plots(&self) -> Vec<Plot> {
        let plot = |room: &VaultRoom| Plot {
            key: room.key.clone(),
            at: room.at,
            ways: room.ways.clone(),
            ends: room.ends.clone(),
            made: false,
        };
        self.rooms.iter().map(plot).collect()
    }

    /// Returns all scripts.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        self.rooms.iter().flat_map(|room| room.content.scripts())
    }

    /// Returns all references to other content.
    pub fn names(&self) -> impl Iterator<Item = (Referent, &str)> {
        self.rooms.iter().flat_map(|room| room.content.names())
    }

    /// Returns the room of a key.
    pub fn room(&self, key: &str) -> Option<&VaultRoom> {
        self.rooms.iter().find(|room| room.key == key)
    }

    /// Returns the errors that prevent its use: place, error and expected value.
    pub fn flaws(&self) -> Vec<(Position, String, String)> {
        let mut flaws = Vec::new();
        let mut report = |place: &Position, flaw: String, expected: &str| {
            flaws.push((place.clone(), flaw, expected.to_owned()));
        };
        if self.rooms.is_empty() || self.rooms.len() > VAULT_ROOMS_MAX {
            let expected = format!("1 to {VAULT_ROOMS_MAX}");
            report(&self.place, format!("a vault of {} rooms", self.rooms.len()), &expected);
            return flaws;
        }
        for (number, room) in self.rooms.iter().enumerate() {
            let before = || self.rooms.iter().take(number);
            if before().any(|other| other.key == room.key) {
                report(
                    &room.place,
                    format!("two rooms have the key `{}`", room.key),
                    "a key of its own for each",
                );
            }
            if before().any(|other| other.at == room.at) {
                report(&room.place, format!("two rooms lie at {}", room.at), "a place of its own for each");
            }
            let is_there = |side: &Direction| self.rooms.iter().any(|other| other.at == room.at.step(*side));
            for way in room.ways.iter().filter(|way| !is_there(way)) {
                let flaw = format!("{way} of room `{}` is no room of the vault", room.key);
                report(&room.place, flaw, &format!("a room there, or {way} among `ends`"));
            }
            for end in room.ends.iter().filter(|end| is_there(end)) {
                let flaw = format!("{end} of room `{}` is a room of the vault", room.key);
                report(&room.place, flaw, &format!("{end} among `ways`, or nowhere"));
            }
            if room.content.leads_out() {
                let flaw = format!("a script of room `{}` moves somebody to a room built by hand", room.key);
                report(&room.place, flaw, "a script without `move`");
            }
            if self.turns
                && let Some(word) = room.content.texts().find_map(direction_in)
            {
                let flaw =
                    format!("room `{}` says `{word}`, which is elsewhere once the vault is turned", room.key);
                report(&room.place, flaw, "words without directions, or no `turns`");
            }
        }
        if self.rooms.iter().all(|room| room.ends.is_empty()) {
            report(&self.place, "nobody can come in".into(), "a side in `ends` of one of its rooms");
        }
        if let Some(room) = self.first_unreachable_room() {
            let flaw = format!("no way leads from the first room to room `{}`", room.key);
            report(&room.place, flaw, "`ways` that join all rooms");
        }
        flaws
    }

    /// Returns a room that cannot be reached from the first one.
    fn first_unreachable_room(&self) -> Option<&VaultRoom> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<Point> = self.rooms.first().map(|room| room.at).into_iter().collect();
        while let Some(at) = next.pop() {
            if let Some(room) = self.rooms.iter().find(|room| room.at == at)
                && reached.insert(at)
            {
                next.extend(room.ways.iter().map(|way| at.step(*way)));
            }
        }
        self.rooms.iter().find(|room| !reached.contains(&room.at))
    }

    /// Returns `true` if no text mentions a direction, so that the vault may be rotated.
    pub fn may_turn(&self) -> bool {
        self.rooms.iter().flat_map(|room| room.content.texts()).all(|text| direction_in(text).is_none())
    }
}

/// Returns the first word of a text that expresses a direction.
fn direction_in(text: &str) -> Option<String> {
    let words =
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let mut before = String::new();
    for word in words {
        let of_plane = Direction::PLANE.iter().any(|side| word.starts_with(side.name()));
        let of_hand = matches!(word.as_str(), "left" | "right") && matches!(before.as_str(), "the" | "your");
        if of_plane || of_hand {
            return Some(word);
        }
        before = word;
    }
    None
}

/// Adds vaults to the level types that they name themselves.
pub(super) fn list(catalog: &mut Catalog, mistakes: &mut Vec<CatalogError>) {
    for (key, vault) in catalog.vaults.iter() {
        for (name, rule) in &vault.level_types {
            let Some(level_type) = catalog.level_types.get_mut(name) else {
                let valid = catalog.level_types.keys().map(String::as_str);
                mistakes.push(CatalogError::unknown_name(&vault.place, "level type", name, valid));
                continue;
            };
            if !level_type.has_layout_or_partitioner() {
                // The level type's own error has been reported.
                continue;
            }
            if !level_type.supports_vaults() {
                let mistake = format!("`{name}` has no room for vaults: its rooms have their places before");
                let expected = "a level type with `frontier` or `corridor`, or one that is made whole";
                mistakes.push(CatalogError::new(&vault.place, mistake, expected));
                continue;
            }
            std::sync::Arc::make_mut(level_type).vaults.push((key.clone(), rule.clone()));
        }
    }
}

//! Hand-built areas: rooms and exits that a fresh world begins with.

use super::Script;
use super::room_kind::{Origin, RoomKind};
use crate::base::{Coordinates, Direction, ExitKind};
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::BTreeMap;

definition! {
    /// One area, from `content/areas/KEY.toml`.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Area {
        /// The room, by key, where new characters begin; one area of all has it.
        pub start: Option<String> = filled_text(),
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
        /// What exits call it.
        pub key: String = text(),
        /// What players read.
        pub name: String = text(),
        /// Further words for `goto`.
        pub aliases: Vec<String> = texts(0),
        /// `room`, `start`, `shop`, `healer` or `bank`.
        pub kind: RoomKind = choice_or(&RoomKind::made_by(&[Origin::Builders, Origin::Areas]), RoomKind::Room),
        /// What one sees.
        pub description: String = text(),
        /// One word for mappers.
        pub environment: String = text(),
        /// What one sees on a closer look, by noun; several nouns for one thing stand between commas.
        pub details: BTreeMap<String, String> => |room| {
            let detail = |table: &mut Reader<'_>| (table.text("noun"), table.text("text"));
            room.tables_if_any("details", detail).into_iter().collect()
        },
        /// What is for sale here, by item key.
        pub stock: Vec<String> = texts(0),
        /// What lies here for whoever comes with nothing, by item key.
        pub supplies: Vec<String> = texts(0),
        /// The script that runs when somebody enters.
        pub on_enter: Script => |room| Script::read(room, "on_enter"),
        /// Ways out.
        pub exits: Vec<AreaExit> = tables(exit),
    }
}

definition! {
    /// An exit of a room of an area.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct AreaExit {
        /// The room it leads to, by key; none for a start exit.
        pub to: Option<String> = filled_text(),
        /// Of a start exit.
        pub theme: Option<String> = filled_text(),
        /// Of a start exit.
        pub generator: Option<String> = filled_text(),
        /// What one types.
        pub name: String = text(),
        /// Further words for it.
        pub aliases: Vec<String> = texts(0),
        /// `exit` or `branch`.
        pub kind: ExitKind = choice_or(&[("exit", ExitKind::Exit), ("branch", ExitKind::Branch)], ExitKind::Exit),
    }
}

impl Area {
    /// Where each room lies on the area's map: the first at the origin, the others by the exits that lead there, no two
    /// at one place.
    pub fn layout(&self) -> Vec<(&str, Coordinates)> {
        let Some(first) = self.rooms.first() else { return Vec::new() };
        let mut placed = vec![(first.key.as_str(), Coordinates::default())];
        let is_taken =
            |placed: &[(&str, Coordinates)], place| placed.iter().any(|(_, taken)| *taken == place);
        let mut next = 0;
        while let Some((key, place)) = placed.get(next).copied() {
            next += 1;
            for exit in self.rooms.iter().filter(|room| room.key == key).flat_map(|room| &room.exits) {
                let Some(to) = exit.to.as_deref() else { continue };
                if placed.iter().all(|(placed, _)| *placed != to) {
                    let direction = Direction::parse(&exit.name);
                    placed.push((to, place.free_beyond(direction, |place| is_taken(&placed, place))));
                }
            }
        }
        for room in &self.rooms {
            if placed.iter().all(|(key, _)| *key != room.key) {
                let free = Coordinates::default().nearest_free(|place| is_taken(&placed, place));
                placed.push((room.key.as_str(), free));
            }
        }
        placed
    }
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Area> {
    let area = Reader::whole(path, text, mistakes, Area::read)?;
    let keys = || area.rooms.iter().map(|room| room.key.as_str());
    let named = area.rooms.iter().flat_map(|room| &room.exits).filter_map(|exit| exit.to.as_ref());
    for to in area.start.iter().chain(named).filter(|to| keys().all(|key| key != to.as_str())) {
        mistakes.push(CatalogError::unknown_name(&area.place, "room", to, keys()));
    }
    Some(area)
}

fn exit(table: &mut Reader<'_>) -> AreaExit {
    let exit = AreaExit::read(table);
    if exit.kind == ExitKind::Exit && exit.to.is_none() {
        table.wrong("to", "is missing", "the key of a room of this area");
    }
    exit
}

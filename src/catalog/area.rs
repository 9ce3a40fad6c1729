//! Hand-built areas: rooms and exits that a fresh world begins with.

use super::Script;
use super::room_kind::{Origin, RoomKind};
use crate::base::{Direction, ExitKind, Point};
use crate::data::{CatalogError, Place, Reader};
use std::collections::BTreeMap;

/// One area, from `content/areas/KEY.toml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// Stable name.
    pub key: String,
    /// The room, by key, where new characters begin; one area of all has it.
    pub start: Option<String>,
    /// The rooms.
    pub rooms: Vec<AreaRoom>,
    /// Where it is defined.
    pub place: Place,
}

/// A room of an area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaRoom {
    /// What exits call it.
    pub key: String,
    /// What players read.
    pub name: String,
    /// Further words for `goto`.
    pub aliases: Vec<String>,
    /// `room`, `start`, `shop`, `healer` or `bank`.
    pub kind: RoomKind,
    /// What one sees.
    pub description: String,
    /// One word for mappers.
    pub environment: String,
    /// What one sees on a closer look, by noun; several nouns for one thing stand between commas.
    pub details: BTreeMap<String, String>,
    /// What is for sale here, by item key.
    pub stock: Vec<String>,
    /// What lies here for whoever comes with nothing, by item key.
    pub supplies: Vec<String>,
    /// The script that runs when somebody enters.
    pub on_enter: Script,
    /// Ways out.
    pub exits: Vec<AreaExit>,
}

/// An exit of a room of an area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaExit {
    /// What one types.
    pub name: String,
    /// Further words for it.
    pub aliases: Vec<String>,
    /// `exit` or `branch`.
    pub kind: ExitKind,
    /// The room it leads to, by key; none for a start exit.
    pub to: Option<String>,
    /// Of a start exit.
    pub theme: Option<String>,
    /// Of a start exit.
    pub generator: Option<String>,
}

impl Area {
    /// Where each room lies on the area's map: the first at the origin, the others by the exits that lead there.
    pub fn layout(&self) -> Vec<(&str, Point)> {
        let Some(first) = self.rooms.first() else { return Vec::new() };
        let mut placed = vec![(first.key.as_str(), Point::ORIGIN)];
        let mut next = 0;
        while let Some((key, at)) = placed.get(next).copied() {
            next += 1;
            for exit in self.rooms.iter().filter(|room| room.key == key).flat_map(|room| &room.exits) {
                let (Some(to), Some(direction)) = (exit.to.as_deref(), Direction::parse(&exit.name)) else {
                    continue;
                };
                if placed.iter().all(|(placed, _)| *placed != to) {
                    placed.push((to, at.step(direction)));
                }
            }
        }
        let loose = self.rooms.iter().filter(|room| placed.iter().all(|(key, _)| *key != room.key));
        let loose: Vec<_> = loose.map(|room| (room.key.as_str(), Point::ORIGIN)).collect();
        placed.extend(loose);
        placed
    }
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Area> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let start = reader.text_or("start", String::new);
    let area = Area {
        key: reader.key(),
        start: Some(start).filter(|start| !start.is_empty()),
        rooms: reader.tables("rooms", room),
        place: reader.place(),
    };
    reader.finish();
    let known =
        |key: &Option<String>| key.as_ref().is_none_or(|key| area.rooms.iter().any(|room| room.key == *key));
    let keys = || area.rooms.iter().map(|room| room.key.as_str());
    if !known(&area.start) {
        mistakes.push(CatalogError::unknown_name(
            &area.place,
            "room",
            area.start.as_deref().unwrap_or(""),
            keys(),
        ));
    }
    for to in area.rooms.iter().flat_map(|room| &room.exits).map(|exit| &exit.to).filter(|to| !known(to)) {
        mistakes.push(CatalogError::unknown_name(&area.place, "room", to.as_deref().unwrap_or(""), keys()));
    }
    Some(area)
}

fn room(table: &mut Reader<'_>) -> AreaRoom {
    AreaRoom {
        key: table.text("key"),
        name: table.text("name"),
        aliases: table.texts("aliases", 0),
        kind: table.choice_or("kind", &RoomKind::made_by(&[Origin::Builders, Origin::Areas]), RoomKind::Room),
        description: table.text("description"),
        environment: table.text("environment"),
        details: details(table),
        stock: table.texts("stock", 0),
        supplies: table.texts("supplies", 0),
        on_enter: Script::read(table, "on_enter"),
        exits: table.tables("exits", exit),
    }
}

fn details(table: &mut Reader<'_>) -> BTreeMap<String, String> {
    let read = |table: &mut Reader<'_>| (table.text("noun"), table.text("text"));
    table.tables_if_any("details", read).into_iter().collect()
}

fn exit(table: &mut Reader<'_>) -> AreaExit {
    let mut optional = |name| Some(table.text_or(name, String::new)).filter(|text| !text.is_empty());
    let (to, theme, generator) = (optional("to"), optional("theme"), optional("generator"));
    let exit = AreaExit {
        name: table.text("name"),
        aliases: table.texts("aliases", 0),
        kind: table.choice_or(
            "kind",
            &[("exit", ExitKind::Exit), ("branch", ExitKind::Branch)],
            ExitKind::Exit,
        ),
        to,
        theme,
        generator,
    };
    if exit.kind == ExitKind::Exit && exit.to.is_none() {
        table.wrong("to", "is missing", "the key of a room of this area");
    }
    exit
}

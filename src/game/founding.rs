//! A fresh world: the hand-built areas of the catalog become rooms, once. From then on they are the builders'.

use crate::base::{Direction, Point, RoomId};
use crate::catalog::{Area, AreaExit};
use crate::game::Game;
use crate::world::{BranchSettings, Exit, ExitKind, ExitState, Room, RoomKind};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Game {
    /// Makes the rooms of all areas, and the place where new characters begin.
    pub(super) fn found(&mut self) -> Result<(), Vec<String>> {
        let catalog = Arc::clone(&self.catalog);
        let mut town = None;
        for (key, area) in &catalog.areas {
            let rooms = self.found_rooms(key, area);
            for room in &area.rooms {
                for exit in &room.exits {
                    self.found_exit(rooms[room.key.as_str()], exit, &rooms);
                }
            }
            if let Some(start) = &area.start {
                town = rooms.get(start.as_str()).copied().or(town);
            }
        }
        if town.is_none() {
            return Err(vec![
                "no area in content/areas names a start room: one of them needs `start = \"...\"`".into(),
            ]);
        }
        self.world.meta_mut().town = town;
        Ok(())
    }

    fn found_rooms<'a>(&mut self, key: &str, area: &'a Area) -> BTreeMap<&'a str, RoomId> {
        let mut rooms = BTreeMap::new();
        let places = area.layout();
        for room in &area.rooms {
            let at = places.iter().find(|(key, _)| *key == room.key).map_or(Point::ORIGIN, |(_, at)| *at);
            let id = self.add_built_room(room.kind, &room.name, &room.aliases, key, at);
            if let Some(row) = self.world.rooms.edit(id) {
                row.description.clone_from(&room.description);
                row.environment.clone_from(&room.environment);
                row.details.clone_from(&room.details);
                row.stock.clone_from(&room.stock);
                row.supplies.clone_from(&room.supplies);
                row.on_enter = room.on_enter.clone().into();
            }
            rooms.insert(room.key.as_str(), id);
        }
        rooms
    }

    fn found_exit(&mut self, room: RoomId, exit: &AreaExit, rooms: &BTreeMap<&str, RoomId>) {
        let to = exit.to.as_ref().and_then(|to| rooms.get(to.as_str()).copied());
        let settings = BranchSettings {
            theme: exit.theme.clone(),
            generator: exit.generator.clone(),
            ..BranchSettings::default()
        };
        self.add_built_exit(room, exit.kind, &exit.name, &exit.aliases, to, settings);
    }

    /// A hand-built room without exits; a start room gets its two tasks (E52).
    pub(crate) fn add_built_room(
        &mut self,
        kind: RoomKind,
        name: &str,
        aliases: &[String],
        area: &str,
        at: Point,
    ) -> RoomId {
        let id = self.world.new_room_id();
        self.world.add_room(Room {
            aliases: aliases.to_vec(),
            description: "Bare walls and a swept floor. Nobody has said yet what this place is.".into(),
            environment: "indoors".into(),
            area: area.into(),
            at,
            ..Room::new(id, kind, name.into())
        });
        if kind == RoomKind::Start {
            self.install_start_tasks(id);
        }
        id
    }

    /// A hand-built exit. Directions get their letter as an alias.
    pub(crate) fn add_built_exit(
        &mut self,
        room: RoomId,
        kind: ExitKind,
        name: &str,
        aliases: &[String],
        to: Option<RoomId>,
        settings: BranchSettings,
    ) {
        let direction = Direction::parse(name);
        let mut aliases: Vec<String> = aliases.to_vec();
        let name = direction.map_or_else(|| name.to_owned(), |direction| direction.name().to_owned());
        if let Some(letter) = direction.map(Direction::letter)
            && !aliases.iter().any(|alias| alias == letter)
        {
            aliases.push(letter.into());
        }
        let id = self.world.new_exit_id();
        self.world.add_exit(Exit {
            id,
            room,
            name,
            aliases,
            direction,
            kind,
            state: ExitState::Open,
            to,
            back: false,
            description: String::new(),
            omen: None,
            settings,
            window: None,
        });
    }

    /// Where new characters begin and `recall` leads.
    pub(crate) fn town(&self) -> RoomId {
        let first = || self.world.rooms.iter().next().map(|(id, _)| id);
        self.world.meta().town.or_else(first).unwrap_or(RoomId(1))
    }
}

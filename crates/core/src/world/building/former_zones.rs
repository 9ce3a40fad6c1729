//! Zones on the other side of an import that took several steps, by which it is undone and done again.

use crate::base::{ExitId, RoomId};
use crate::world::Exit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Zones as they were before an import, or as it left them once it is undone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FormerZones {
    /// Files by zone; `None` for a zone that did not exist.
    pub files: BTreeMap<String, Option<String>>,
    /// Rooms that the change removed, or that lost exits by it, in the form `zone/key`.
    pub rooms: BTreeMap<String, FormerRoom>,
    /// Exits of rooms in other zones that led into removed rooms.
    pub exits: Vec<Exit>,
    /// Digests of the zones after the change. A zone with another digest has changed since.
    pub digests: BTreeMap<String, String>,
}

/// Ids that a room and its exits had, and get back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FormerRoom {
    /// Id of the room.
    pub id: RoomId,
    /// Exits that are removed, by name.
    pub exits: BTreeMap<String, ExitId>,
}

/// Approximate size of a stored room without its exits, of its exit, and of an exit of another zone, in bytes.
const ROOM_BYTES: usize = 60;
const EXIT_BYTES: usize = 24;
const WHOLE_EXIT_BYTES: usize = 200;

impl FormerZones {
    /// Returns the approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let files = self.files.values().flatten().map(String::len).sum::<usize>();
        let exits = self.rooms.values().map(|room| room.exits.len()).sum::<usize>();
        files + self.rooms.len() * ROOM_BYTES + exits * EXIT_BYTES + self.exits.len() * WHOLE_EXIT_BYTES
    }

    /// Returns the part that belongs to some of the zones.
    #[must_use]
    pub fn of_zones(&self, zones: &[String]) -> Self {
        let is_meant =
            |name: &str| name.split_once('/').is_some_and(|(zone, _)| zones.iter().any(|key| key == zone));
        let rooms: BTreeMap<_, _> = self
            .rooms
            .iter()
            .filter(|(name, _)| is_meant(name))
            .map(|(name, room)| (name.clone(), room.clone()))
            .collect();
        let leads_there = |exit: &&Exit| rooms.values().any(|room| exit.to == Some(room.id));
        Self {
            files: self
                .files
                .iter()
                .filter(|(zone, _)| zones.contains(zone))
                .map(|(zone, file)| (zone.clone(), file.clone()))
                .collect(),
            exits: self.exits.iter().filter(leads_there).cloned().collect(),
            rooms,
            digests: BTreeMap::new(),
        }
    }
}

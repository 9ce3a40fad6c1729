//! Respawn schedule of hand-built rooms, and the respawn check in progress.

use deepwell_core::base::{CharacterId, GameTime, RoomId};
use deepwell_core::world::{Room, Spawned};
use std::collections::{BTreeMap, BTreeSet};

/// Part of a room with its own due time: the index of a spawn rule or of a trigger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RespawnSlot {
    Spawn(usize),
    Trigger(usize),
}

impl RespawnSlot {
    /// First slot of a room.
    pub(crate) const FIRST: Self = Self::Spawn(0);
    /// Slot after all others of a room.
    pub(crate) const LAST: Self = Self::Trigger(usize::MAX);
}

/// Respawn state of hand-built rooms.
#[derive(Debug, Default)]
pub(crate) struct RespawnState {
    /// Time of the pending respawn check.
    pub(crate) next: Option<GameTime>,
    /// Check in progress.
    pub(crate) check: Option<RespawnCheck>,
    /// Due times of spawn rules and triggers.
    pub(crate) due: BTreeMap<(RoomId, RespawnSlot), GameTime>,
    /// Characters that have left a room in this step and not yet arrived in the next one.
    pub(crate) leaving: Vec<(CharacterId, RoomId)>,
}

/// Stage of a respawn check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum RespawnStage {
    /// Collection of the rooms that need respawning.
    #[default]
    Rooms,
    /// Count of creatures.
    Bodies,
    /// Count of items on the ground.
    Ground,
    /// Respawning, one room after the other.
    Respawn,
    /// End of the check.
    Done,
}

/// Respawn check in progress. It counts creatures and items first, then respawns in each room.
#[derive(Debug, Default)]
pub(crate) struct RespawnCheck {
    pub(crate) stage: RespawnStage,
    pub(crate) census: Census,
    /// Last room of this stage.
    pub(crate) room: Option<RoomId>,
    /// Last character counted.
    pub(crate) body: Option<CharacterId>,
    /// Rooms that need respawning, by number.
    pub(crate) rooms: Vec<RoomId>,
    /// Number of those that have been respawned.
    pub(crate) done: usize,
}

impl RespawnCheck {
    /// Returns `true` if a creature or item that is new in a room comes too late to be counted.
    pub(crate) fn has_counted(&self, room: RoomId, what: &Spawned) -> bool {
        match (self.stage, what) {
            (RespawnStage::Respawn, _) | (RespawnStage::Ground, Spawned::Creature(_)) => true,
            (RespawnStage::Ground, Spawned::Item(_)) => self.room.is_some_and(|last| room <= last),
            _ => false,
        }
    }
}

/// Number of creatures and items that spawn rules name: by room, by zone, and in all hand-built rooms. Creatures count
/// at their home, items where they are. Keys and zones are numbered, so that a census copies no text for each creature
/// or item.
#[derive(Debug, Default)]
pub(crate) struct Census {
    pub(crate) creatures: BTreeMap<String, usize>,
    pub(crate) items: BTreeMap<String, usize>,
    areas: BTreeMap<String, usize>,
    rooms: BTreeMap<(RoomId, usize), u32>,
    zones: BTreeMap<(usize, usize), u32>,
    world: Vec<u32>,
    /// Zones with an awake player.
    pub(crate) visited: BTreeSet<String>,
}

impl Census {
    /// Returns the number of a key, assigned at first use.
    pub(crate) fn number(&mut self, what: &Spawned) -> usize {
        let (keys, key) = match what {
            Spawned::Creature(key) => (&mut self.creatures, key),
            Spawned::Item(key) => (&mut self.items, key),
        };
        if let Some(kind) = keys.get(key) {
            return *kind;
        }
        let kind = self.world.len();
        keys.insert(key.clone(), kind);
        self.world.push(0);
        kind
    }

    /// Returns the number of a key, or `None` if no rule has named it.
    fn known(&self, what: &Spawned) -> Option<usize> {
        match what {
            Spawned::Creature(key) => self.creatures.get(key).copied(),
            Spawned::Item(key) => self.items.get(key).copied(),
        }
    }

    /// Adds one creature or item with this number in a room.
    pub(crate) fn count(&mut self, room: &Room, kind: usize) {
        let area = self.areas.get(&room.area).copied().unwrap_or_else(|| {
            let area = self.areas.len();
            self.areas.insert(room.area.clone(), area);
            area
        });
        *self.rooms.entry((room.id, kind)).or_default() += 1;
        *self.zones.entry((area, kind)).or_default() += 1;
        self.world[kind] += 1;
    }

    /// Adds one creature or item in a room.
    pub(crate) fn note(&mut self, room: &Room, what: &Spawned) {
        let kind = self.number(what);
        self.count(room, kind);
    }

    pub(crate) fn here(&self, room: RoomId, what: &Spawned) -> u32 {
        let counted = self.known(what).and_then(|kind| self.rooms.get(&(room, kind)));
        counted.copied().unwrap_or_default()
    }

    pub(crate) fn in_zone(&self, area: &str, what: &Spawned) -> u32 {
        let counted = || self.zones.get(&(*self.areas.get(area)?, self.known(what)?)).copied();
        counted().unwrap_or_default()
    }

    pub(crate) fn in_world(&self, what: &Spawned) -> u32 {
        self.known(what).map_or(0, |kind| self.world[kind])
    }
}

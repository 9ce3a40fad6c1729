//! Hand-built rooms by zone and key.

use super::{Room, World};
use crate::base::RoomId;
use std::collections::{BTreeMap, BTreeSet};

/// Index of rooms by zone and key. Rooms without a key are left out, as they are identified by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ZoneKeys(BTreeMap<String, BTreeMap<String, BTreeSet<RoomId>>>);

/// Returns `true` if the room belongs in the index.
fn has_key(room: &Room) -> bool {
    room.branch.is_none() && !room.key.is_empty()
}

impl ZoneKeys {
    pub(super) fn insert(&mut self, room: &Room) {
        if has_key(room) {
            let of_zone = self.0.entry(room.area.clone()).or_default();
            of_zone.entry(room.key.clone()).or_default().insert(room.id);
        }
    }

    pub(super) fn remove(&mut self, room: &Room) {
        let Some(of_zone) = self.0.get_mut(&room.area).filter(|_| has_key(room)) else { return };
        let Some(rooms) = of_zone.get_mut(&room.key) else { return };
        rooms.remove(&room.id);
        if rooms.is_empty() {
            of_zone.remove(&room.key);
        }
        if of_zone.is_empty() {
            self.0.remove(&room.area);
        }
    }
}

impl World {
    /// Changes a hand-built room, including its zone and key, and updates the index.
    pub fn change_built_room<R>(&mut self, id: RoomId, change: impl FnOnce(&mut Room) -> R) {
        if let Some(room) = self.rooms.get(id) {
            self.index.zone_keys.remove(room);
        }
        self.rooms.change(id, change);
        if let Some(room) = self.rooms.get(id) {
            self.index.zone_keys.insert(room);
        }
    }

    /// Returns the room of a zone with this key, or with this number if it has no key.
    pub fn room_of_zone(&self, zone: &str, key: &str) -> Option<RoomId> {
        let keyed = self.index.zone_keys.0.get(zone).and_then(|keys| keys.get(key)?.first().copied());
        keyed.or_else(|| {
            let id = RoomId(key.strip_prefix(Room::NUMBERED)?.parse().ok()?);
            let is_meant =
                |room: &&Room| room.branch.is_none() && room.area == zone && room.zone_key() == key;
            self.rooms.get(id).filter(is_meant).map(|_| id)
        })
    }
}

/// Checks that every hand-built room is indexed under its key.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    let mut keys = ZoneKeys::default();
    world.rooms.iter().for_each(|(_, room)| keys.insert(room));
    if keys != world.index.zone_keys {
        wrong.push("rooms: the zones' keys are other ones than those of the rooms".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::catalog::RoomKind;
    use crate::world::{Meta, Snapshot};

    /// Lookups follow changes of zone and key, and fail after the room is deleted.
    #[test]
    fn i5_rooms_are_found_by_zone_and_key() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let mut put = |number: u8, area: &str, key: &str| {
            let room = Room::new(RoomId(number.into()), RoomKind::Room, "Cell".into());
            world.add_room(Room { area: area.into(), key: key.into(), z: i32::from(number), ..room });
        };
        put(1, "mill", "cell");
        put(2, "mill", "");
        put(3, "inn", "cell");
        let find = |world: &World, zone, key| world.room_of_zone(zone, key).map(|room| room.0);
        assert_eq!(find(&world, "mill", "cell"), Some(1));
        assert_eq!(find(&world, "mill", "room-2"), Some(2));
        assert_eq!(find(&world, "mill", "room-1"), None, "it has a key");
        assert_eq!(find(&world, "inn", "room-2"), None);
        world.change_built_room(RoomId(1), |room| room.area = "inn".into());
        assert_eq!((find(&world, "mill", "cell"), find(&world, "inn", "cell")), (None, Some(1)));
        world.remove_room(RoomId(1));
        assert_eq!(find(&world, "inn", "cell"), Some(3));
        let mut wrong = Vec::new();
        check(&world, &mut wrong);
        assert!(wrong.is_empty(), "{wrong:?}");
        world.rooms.change(RoomId(3), |room| room.key = "loft".into());
        check(&world, &mut wrong);
        assert_eq!(wrong.len(), 1, "a key that was changed behind the index");
    }
}

//! Hand-built rooms by coordinates, by number, and by zone and key.

use crate::base::{Coordinates, RoomId};
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use crate::world::{Room, World};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Index of the hand-built rooms: by number, by zone, and by zone and key. Rooms without a key are left out of the last,
/// as they are identified by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct ZoneKeys {
    keys: BTreeMap<String, BTreeMap<String, BTreeSet<RoomId>>>,
    zones: BTreeMap<String, BTreeSet<RoomId>>,
    all: BTreeSet<RoomId>,
}

impl ZoneKeys {
    fn insert(&mut self, room: &Room) {
        self.all.insert(room.id);
        self.zones.entry(room.area.clone()).or_default().insert(room.id);
        if !room.key.is_empty() {
            let of_zone = self.keys.entry(room.area.clone()).or_default();
            of_zone.entry(room.key.to_value()).or_default().insert(room.id);
        }
    }

    fn remove(&mut self, room: &Room) {
        self.all.remove(&room.id);
        remove_from(&mut self.zones, &room.area, &room.id);
        if let Some(of_zone) = self.keys.get_mut(&room.area) {
            remove_from(of_zone, room.key.as_str(), &room.id);
            if of_zone.is_empty() {
                self.keys.remove(&room.area);
            }
        }
    }
}

/// Look-ups over hand-built rooms. Rooms of branches are left out.
#[derive(Clone, Debug, Default)]
pub struct RoomIndex {
    /// Rooms by coordinates.
    pub(in crate::world) places: BTreeMap<Coordinates, RoomId>,
    zone_keys: ZoneKeys,
}

impl TableIndex<Room> for RoomIndex {
    fn note(&mut self, room: &Room) {
        let Some(place) = room.coordinates() else { return };
        self.places.entry(place).or_insert(room.id);
        self.zone_keys.insert(room);
    }

    fn forget(&mut self, room: &Room) {
        let Some(place) = room.coordinates() else { return };
        self.places.remove(&place);
        self.zone_keys.remove(room);
    }
}

/// Rooms. [`World::add_room`] and [`World::remove_room`] also keep the index of their branch.
pub type Rooms = Indexed<Room, RoomIndex>;

impl Rooms {
    /// Changes a hand-built room, including its zone and key, and updates the index.
    pub fn change_built<R>(&mut self, id: RoomId, change: impl FnOnce(&mut Room) -> R) {
        if let Some(room) = self.rows.get(id).filter(|room| room.branch.is_none()) {
            self.index.zone_keys.remove(room);
        }
        self.rows.change(id, change);
        if let Some(room) = self.rows.get(id).filter(|room| room.branch.is_none()) {
            self.index.zone_keys.insert(room);
        }
    }

    /// Returns the hand-built rooms, in order of coordinates.
    pub fn built(&self) -> impl Iterator<Item = RoomId> {
        self.index.places.values().copied().inspect(|_| self.rows.work.add(1))
    }

    /// Returns the number of hand-built rooms.
    pub fn built_count(&self) -> usize {
        self.index.places.len()
    }

    /// Returns the hand-built room at a coordinate.
    pub fn built_at(&self, place: Coordinates) -> Option<RoomId> {
        self.rows.work.add(1);
        self.index.places.get(&place).copied()
    }

    /// Returns the hand-built rooms after a given one, in order of numbers.
    pub fn built_after(&self, room: Option<RoomId>) -> impl Iterator<Item = RoomId> {
        let after = (room.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
        self.index.zone_keys.all.range::<RoomId, _>(after).copied().inspect(|_| self.rows.work.add(1))
    }

    /// Returns the hand-built rooms of a zone, in order of numbers.
    pub fn of_zone(&self, zone: &str) -> impl ExactSizeIterator<Item = RoomId> {
        static NONE: BTreeSet<RoomId> = BTreeSet::new();
        let rooms = self.index.zone_keys.zones.get(zone).unwrap_or(&NONE);
        rooms.iter().copied().inspect(|_| self.rows.work.add(1))
    }

    /// Returns the hand-built rooms of a zone after a given one, in order of numbers.
    pub fn of_zone_after(&self, zone: &str, room: Option<RoomId>) -> impl Iterator<Item = RoomId> {
        let after = (room.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
        let rooms = self.index.zone_keys.zones.get(zone).into_iter();
        let rooms = rooms.flat_map(move |rooms| rooms.range::<RoomId, _>(after));
        rooms.copied().inspect(|_| self.rows.work.add(1))
    }

    /// Returns the zones that have hand-built rooms, in alphabetical order.
    pub fn zones(&self) -> impl Iterator<Item = &str> {
        self.index.zone_keys.zones.keys().map(String::as_str)
    }

    /// Returns the room of a zone with this key, or with this number if it has no key.
    pub fn of_key(&self, zone: &str, key: &str) -> Option<RoomId> {
        let keyed = self.index.zone_keys.keys.get(zone).and_then(|keys| keys.get(key)?.first().copied());
        keyed.or_else(|| {
            let id = RoomId(key.strip_prefix(Room::NUMBERED)?.parse().ok()?);
            let is_meant =
                |room: &&Room| room.branch.is_none() && room.area == zone && room.zone_key() == key;
            self.rows.get(id).filter(is_meant).map(|_| id)
        })
    }

    /// Moves hand-built rooms to other coordinates. All moves happen together, so that rooms can swap places.
    pub fn move_built(&mut self, places: &[(RoomId, Coordinates)]) {
        for (id, _) in places {
            if let Some(place) = self.rows.get(*id).and_then(Room::coordinates) {
                self.index.places.remove(&place);
            }
        }
        for (id, place) in places {
            self.rows.change(*id, |room| (room.at, room.z) = (place.at, place.z));
            self.index.places.insert(*place, *id);
        }
    }
}

/// Checks that every hand-built room is indexed under its zone and key.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut keys = ZoneKeys::default();
    world.rooms.iter().filter(|(_, room)| room.branch.is_none()).for_each(|(_, room)| keys.insert(room));
    if keys != world.rooms.index.zone_keys {
        violations.push("rooms: the zones' keys are other ones than those of the rooms".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::{Meta, Snapshot};

    /// Lookups follow changes of zone and key, and fail after the room is deleted.
    #[test]
    fn i5_rooms_are_found_by_zone_and_key() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let mut put = |number: u8, area: &str, key: &str| {
            let room = Room::new(RoomId(number.into()), RoomSheet::new(RoomKind::Room, "Cell".into()));
            world.add_room(Room {
                area: area.into(),
                key: key.to_owned().into(),
                z: i32::from(number),
                ..room
            });
        };
        put(1, "mill", "cell");
        put(2, "mill", "");
        put(3, "inn", "cell");
        let find = |world: &World, zone, key| world.rooms.of_key(zone, key).map(|room| room.0);
        assert_eq!(find(&world, "mill", "cell"), Some(1));
        assert_eq!(find(&world, "mill", "room-2"), Some(2));
        assert_eq!(find(&world, "mill", "room-1"), None, "it has a key");
        assert_eq!(find(&world, "inn", "room-2"), None);
        world.rooms.change_built(RoomId(1), |room| room.area = "inn".into());
        assert_eq!((find(&world, "mill", "cell"), find(&world, "inn", "cell")), (None, Some(1)));
        world.remove_room(RoomId(1));
        assert_eq!(find(&world, "inn", "cell"), Some(3));
        assert_eq!(world.rooms.zones().collect::<Vec<_>>(), ["inn", "mill"]);
        assert!(world.rooms.of_zone("mill").eq([RoomId(2)]) && world.rooms.of_zone("barn").len() == 0);
        assert!(world.rooms.built_after(None).eq([RoomId(2), RoomId(3)]));
        assert!(world.rooms.built_after(Some(RoomId(2))).eq([RoomId(3)]));
        let mut violations = Vec::new();
        check(&world, &mut violations);
        assert!(violations.is_empty(), "{violations:?}");
        world.rooms.change(RoomId(3), |room| room.key = "loft".to_owned().into());
        check(&world, &mut violations);
        assert_eq!(violations.len(), 1, "a key that was changed behind the index");
    }
}

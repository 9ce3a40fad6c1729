//! Tracking of places where something arrived, left or changed, for updates to clients. While tracking is off, a note
//! costs one check of a flag.

use crate::world::Place;
use std::collections::BTreeSet;

/// Places where items or characters have changed.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    kept: bool,
    places: BTreeSet<Place>,
}

impl Touched {
    /// Turns tracking on or off and discards earlier records.
    pub fn track(&mut self, kept: bool) {
        *self = Self { kept, places: BTreeSet::new() };
    }

    /// Records an arrival, departure or visible change at a place.
    pub fn note(&mut self, place: Place) {
        if self.kept {
            self.places.insert(place);
        }
    }

    /// Returns the places changed since the last call.
    pub fn take(&mut self) -> BTreeSet<Place> {
        std::mem::take(&mut self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CharacterId, GameTime, ItemId, RoomId, Seed};
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::{Character, Item, Meta, Room, Snapshot, World};

    const HERE: RoomId = RoomId(1);
    const THERE: RoomId = RoomId(2);
    const OLAD: CharacterId = CharacterId(1);
    const LAMP: ItemId = ItemId(1);

    fn world() -> World {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        for room in [HERE, THERE] {
            world.add_room(Room::new(room, RoomSheet::new(RoomKind::Room, "Cellar".into())));
        }
        world.add_character(Character {
            awake: true,
            ..Character::new(OLAD, "Olad".into(), HERE, GameTime(0))
        });
        world.add_item(Item::new(LAMP, "clay_lamp", Place::Room(HERE), GameTime(0)), "test");
        world
    }

    #[test]
    fn moves_note_both_places_while_tracking_is_on() {
        let mut world = world();
        assert_eq!(world.touched.take(), BTreeSet::new(), "nobody wanted to know");
        world.touched.track(true);
        world.move_item(LAMP, Place::Holder(OLAD));
        assert_eq!(world.touched.take(), BTreeSet::from([Place::Room(HERE), Place::Holder(OLAD)]));
        world.move_character(OLAD, THERE);
        assert_eq!(world.touched.take(), BTreeSet::from([Place::Room(HERE), Place::Room(THERE)]));
        world.set_awake(OLAD, false);
        assert_eq!(world.touched.take(), BTreeSet::from([Place::Room(THERE)]));
        world.remove_item(LAMP, "test");
        assert_eq!(world.touched.take(), BTreeSet::from([Place::Holder(OLAD)]));
        world.touched.track(false);
        world.move_character(OLAD, HERE);
        assert_eq!(world.touched.take(), BTreeSet::new());
    }
}

//! Where something came, went or changed since this was last asked, so that clients can be told what is different.
//! Kept only while somebody wants to know: else a note costs one look at a flag.

use crate::world::{Place, World};
use std::collections::BTreeSet;

/// Places where things or bodies are not what they were.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    kept: bool,
    places: BTreeSet<Place>,
}

impl Touched {
    /// Something came to a place, left it, or changed there.
    pub(super) fn note(&mut self, place: Place) {
        if self.kept {
            self.places.insert(place);
        }
    }
}

impl World {
    /// From now on it is noted where something changes, or no longer. What was noted before is forgotten.
    pub fn track_touched(&mut self, kept: bool) {
        self.index.touched = Touched { kept, places: BTreeSet::new() };
    }

    /// Something at a place looks different, though nothing came or went.
    pub fn note_change(&mut self, place: Place) {
        self.index.touched.note(place);
    }

    /// The places where something changed since this was last asked.
    pub fn take_touched(&mut self) -> BTreeSet<Place> {
        std::mem::take(&mut self.index.touched.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CharacterId, GameTime, ItemId, RoomId, Seed};
    use crate::world::{Character, Item, Meta, Room, Snapshot};

    const HERE: RoomId = RoomId(1);
    const THERE: RoomId = RoomId(2);
    const OLAD: CharacterId = CharacterId(1);
    const LAMP: ItemId = ItemId(1);

    fn world() -> World {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        for room in [HERE, THERE] {
            world.add_room(Room::new(room, crate::catalog::RoomKind::Room, "Cellar".into()));
        }
        world.add_character(Character {
            awake: true,
            ..Character::new(OLAD, "Olad".into(), HERE, GameTime(0))
        });
        world.add_item(Item::new(LAMP, "clay_lamp", Place::Room(HERE), GameTime(0)), "test");
        world
    }

    #[test]
    fn both_ends_of_a_move_are_noted_while_somebody_wants_to_know() {
        let mut world = world();
        assert_eq!(world.take_touched(), BTreeSet::new(), "nobody wanted to know");
        world.track_touched(true);
        world.move_item(LAMP, Place::Holder(OLAD));
        assert_eq!(world.take_touched(), BTreeSet::from([Place::Room(HERE), Place::Holder(OLAD)]));
        world.move_character(OLAD, THERE);
        assert_eq!(world.take_touched(), BTreeSet::from([Place::Room(HERE), Place::Room(THERE)]));
        world.set_awake(OLAD, false);
        assert_eq!(world.take_touched(), BTreeSet::from([Place::Room(THERE)]));
        world.remove_item(LAMP, "test");
        assert_eq!(world.take_touched(), BTreeSet::from([Place::Holder(OLAD)]));
        world.track_touched(false);
        world.move_character(OLAD, HERE);
        assert_eq!(world.take_touched(), BTreeSet::new());
    }
}

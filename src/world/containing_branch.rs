//! Containing branches: the branch in which a row is, so that storage can read the rows of one branch, or all others,
//! without those between. A room is in its own branch, an exit in that of the room it leads out of, a creature in that
//! of its room, and an item in that of its holder or of the room where its outermost container is. Players, and the
//! items that they carry, are in no branch.

use crate::base::{BranchId, CharacterId, ItemId, RoomId};
use crate::world::item::DEPTH_MAX;
use crate::world::tables::Row;
use crate::world::{Changes, Character, Item, Place, Room, Snapshot, World};
use std::collections::BTreeMap;

/// Rows by which the containing branch of another row is found.
pub trait ContainingBranch {
    /// Returns a room.
    fn room(&self, id: RoomId) -> Option<&Room>;
    /// Returns a character.
    fn character(&self, id: CharacterId) -> Option<&Character>;
    /// Returns an item.
    fn item(&self, id: ItemId) -> Option<&Item>;

    /// Returns the containing branch of a room and of its exits.
    fn branch_around_room(&self, room: RoomId) -> Option<BranchId> {
        self.room(room)?.branch
    }

    /// Returns the containing branch of a character; `None` for players.
    fn branch_around_character(&self, body: &Character) -> Option<BranchId> {
        if body.is_player() { None } else { self.branch_around_room(body.room) }
    }

    /// Returns the containing branch of the items at a place.
    fn branch_around_place(&self, mut place: Place) -> Option<BranchId> {
        for _ in 0..=DEPTH_MAX {
            match place {
                Place::Room(room) => return self.branch_around_room(room),
                Place::Holder(holder) => return self.branch_around_character(self.character(holder)?),
                Place::Inside(container) => place = self.item(container)?.place,
            }
        }
        None
    }
}

impl ContainingBranch for World {
    fn room(&self, id: RoomId) -> Option<&Room> {
        self.rooms.get(id)
    }

    fn character(&self, id: CharacterId) -> Option<&Character> {
        self.characters.get(id)
    }

    fn item(&self, id: ItemId) -> Option<&Item> {
        self.items.get(id)
    }
}

impl ContainingBranch for Snapshot {
    fn room(&self, id: RoomId) -> Option<&Room> {
        self.rooms.get(&id)
    }

    fn character(&self, id: CharacterId) -> Option<&Character> {
        self.characters.get(&id)
    }

    fn item(&self, id: ItemId) -> Option<&Item> {
        self.items.get(&id)
    }
}

/// Adds the containing branches to the rows of a batch.
pub(super) fn add_containing_branches(world: &World, changes: &mut Changes) {
    let Changes { rooms, exits, characters, items, .. } = changes;
    rooms.branches = map(&rooms.put, |room| room.branch);
    exits.branches = map(&exits.put, |exit| world.branch_around_room(exit.room));
    characters.branches = map(&characters.put, |body| world.branch_around_character(body));
    items.branches = map(&items.put, |item| world.branch_around_place(item.place));
}

fn map<R: Row>(put: &[R], branch: impl Fn(&R) -> Option<BranchId>) -> BTreeMap<R::Id, BranchId> {
    put.iter().filter_map(|row| Some((row.id(), branch(row)?))).collect()
}

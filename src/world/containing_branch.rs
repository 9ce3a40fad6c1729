//! Containing branches: the branch in which a row is, so that storage can read the rows of one branch, or all others,
//! without those between. A room is in its own branch, an exit in that of the room it leads out of, a creature in that
//! of its room, and an item in that of its holder or of the room where its outermost container is. Players, and the
//! items that they carry, are in no branch.

use crate::base::{BranchId, CharacterId, ItemId, RoomId};
use crate::world::tables::Row;
use crate::world::{Changes, Place, World};
use std::collections::BTreeMap;

impl World {
    /// Returns the containing branch of a room.
    pub fn branch_around_room(&self, room: RoomId) -> Option<BranchId> {
        self.rooms.get(room)?.branch
    }

    /// Returns the containing branch of a character; `None` for players.
    pub fn branch_around_character(&self, id: CharacterId) -> Option<BranchId> {
        let body = self.characters.get(id).filter(|body| !body.is_player())?;
        self.branch_around_room(body.room)
    }

    /// Returns the containing branch of an item.
    pub fn branch_around_item(&self, id: ItemId) -> Option<BranchId> {
        self.branch_around_place(self.items.get(id)?.place)
    }

    /// Returns the containing branch of the items at a place.
    pub(super) fn branch_around_place(&self, place: Place) -> Option<BranchId> {
        let outermost = match place {
            Place::Inside(container) => self.root(container)?,
            place => place,
        };
        match outermost {
            Place::Room(room) => self.branch_around_room(room),
            Place::Holder(holder) => self.branch_around_character(holder),
            Place::Inside(_) => None,
        }
    }

    /// Marks an item and its contents as rekeyed, because its containing branch changes.
    pub(super) fn rekey_with_contents(&mut self, id: ItemId) {
        for item in self.with_contents(id) {
            self.items.rekey(item);
        }
    }

    /// Marks a creature and its items as rekeyed, because its containing branch changes.
    pub(super) fn rekey_with_inventory(&mut self, id: CharacterId) {
        self.characters.rekey(id);
        for item in self.carried(id).to_vec() {
            self.rekey_with_contents(item);
        }
    }

    /// Adds the containing branches to the rows of a batch.
    pub(super) fn add_containing_branches(&self, changes: &mut Changes) {
        let Changes { rooms, exits, characters, items, .. } = changes;
        rooms.branches = map(&rooms.put, |room| room.branch);
        exits.branches = map(&exits.put, |exit| self.branch_around_room(exit.room));
        characters.branches = map(&characters.put, |body| self.branch_around_character(body.id));
        items.branches = map(&items.put, |item| self.branch_around_place(item.place));
    }
}

fn map<R: Row>(put: &[R], branch: impl Fn(&R) -> Option<BranchId>) -> BTreeMap<R::Id, BranchId> {
    put.iter().filter_map(|row| Some((row.id(), branch(row)?))).collect()
}

//! Containing parts: the part of the world in which a row is, so that storage can read the rows of one branch or of one
//! account, or all others, without those between. A room is in its own branch, an exit in that of the room it leads out
//! of, a creature in that of its room, and the character of a player in its account. An item is in the part of its holder
//! or of the room where its outermost container is, and a value of a variable in that of its object.

use crate::base::{BranchId, CharacterId, ItemId, RoomId};
use crate::world::item::DEPTH_MAX;
use crate::world::tables::Row;
use crate::world::{Changes, Character, Item, Place, Room, Snapshot, VariableOwner, World, WorldPart};
use std::collections::BTreeMap;

/// Rows by which the containing part of another row is found.
pub trait ContainingPart {
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

    /// Returns the containing part of a character.
    fn part_around_character(&self, body: &Character) -> Option<WorldPart> {
        match body.account {
            Some(account) => Some(WorldPart::Account(account)),
            None => self.branch_around_room(body.room).map(WorldPart::Branch),
        }
    }

    /// Returns the containing part of the items at a place.
    fn part_around_place(&self, mut place: Place) -> Option<WorldPart> {
        for _ in 0..=DEPTH_MAX {
            match place {
                Place::Room(room) => return self.branch_around_room(room).map(WorldPart::Branch),
                Place::Holder(holder) => return self.part_around_character(self.character(holder)?),
                Place::Inside(container) => place = self.item(container)?.place,
                Place::Mail(_) => return None,
            }
        }
        None
    }

    /// Returns the containing part of the values of an object.
    fn part_around_variables(&self, owner: VariableOwner) -> Option<WorldPart> {
        match owner {
            VariableOwner::Zone => None,
            VariableOwner::Character(who) => self.part_around_character(self.character(who)?),
            VariableOwner::Item(item) => self.part_around_place(self.item(item)?.place),
            VariableOwner::Room(room) => self.branch_around_room(room).map(WorldPart::Branch),
            VariableOwner::Branch(branch) => Some(WorldPart::Branch(branch)),
        }
    }
}

impl ContainingPart for World {
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

impl ContainingPart for Snapshot {
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

/// Adds the containing parts to the rows of a batch.
pub(in crate::world) fn add_containing_parts(world: &World, changes: &mut Changes) {
    let Changes { rooms, exits, characters, items, variables, .. } = changes;
    let branch = |found: Option<BranchId>| found.map(WorldPart::Branch);
    rooms.parts = map(&rooms.put, |room| branch(room.branch));
    exits.parts = map(&exits.put, |exit| branch(world.branch_around_room(exit.room)));
    characters.parts = map(&characters.put, |body| world.part_around_character(body));
    items.parts = map(&items.put, |item| world.part_around_place(item.place));
    variables.parts = map(&variables.put, |row| world.part_around_variables(row.owner));
}

fn map<R: Row>(put: &[R], part: impl Fn(&R) -> Option<WorldPart>) -> BTreeMap<R::Id, WorldPart> {
    put.iter().filter_map(|row| Some((row.id(), part(row)?))).collect()
}

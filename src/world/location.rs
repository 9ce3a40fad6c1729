//! Where everything is. The only code that moves a body or a thing, so that each is in one place always (D7).

use crate::base::{BranchId, CharacterId, ItemId, RoomId};
use crate::world::{Item, Place, World};

impl World {
    /// Awake bodies in a room, in the order of their coming.
    pub fn occupants(&self, room: RoomId) -> &[CharacterId] {
        self.index.occupants.get(&room).map_or(&[], Vec::as_slice)
    }

    /// Things on a room's floor, oldest first.
    pub fn floor(&self, room: RoomId) -> &[ItemId] {
        self.index.floor.get(&room).map_or(&[], Vec::as_slice)
    }

    /// Things somebody carries, oldest first.
    pub fn carried(&self, holder: CharacterId) -> &[ItemId] {
        self.index.carried.get(&holder).map_or(&[], Vec::as_slice)
    }

    /// Things in a container, oldest first.
    pub fn contents(&self, container: ItemId) -> &[ItemId] {
        self.index.contents.get(&container).map_or(&[], Vec::as_slice)
    }

    /// Moves a body to a room; a sleeping one will wake there.
    pub fn move_character(&mut self, id: CharacterId, to: RoomId) {
        let Some(character) = self.characters.edit(id) else { return };
        let from = std::mem::replace(&mut character.room, to);
        if character.awake {
            leave(self.index.occupants.get_mut(&from), id);
            self.index.occupants.entry(to).or_default().push(id);
        }
    }

    /// Brings a body into the world, or takes it out.
    pub fn set_awake(&mut self, id: CharacterId, awake: bool) {
        let Some(character) = self.characters.edit(id) else { return };
        if std::mem::replace(&mut character.awake, awake) == awake {
            return;
        }
        let (room, player, key) = (character.room, character.is_player(), character.key.clone());
        if player && awake {
            self.index.awake_players.insert(id);
        } else {
            self.index.awake_players.remove(&id);
        }
        match key {
            Some(key) if awake => drop(self.index.awake_keys.insert(key, id)),
            Some(key) => drop(self.index.awake_keys.remove(&key)),
            None => {}
        }
        if awake {
            self.index.occupants.entry(room).or_default().push(id);
        } else {
            leave(self.index.occupants.get_mut(&room), id);
        }
    }

    /// Ties a player to a branch, or to none (E43, E44).
    pub fn set_membership(&mut self, id: CharacterId, branch: Option<BranchId>) {
        if self.characters.get(id).is_none_or(|c| c.branch == branch) {
            return;
        }
        let Some(character) = self.characters.edit(id) else { return };
        let (player, old) = (character.is_player(), std::mem::replace(&mut character.branch, branch));
        for (branch, joins) in [(old, false), (branch, true)] {
            let Some(index) = branch.and_then(|b| self.index.branches.get_mut(&b)) else { continue };
            let set = if player { &mut index.members } else { &mut index.mobs };
            if joins {
                set.insert(id);
            } else {
                set.remove(&id);
            }
        }
    }

    /// Puts an item where it belongs from now on.
    pub fn move_item(&mut self, id: ItemId, to: Place) {
        let Some(item) = self.items.edit(id) else { return };
        let from = std::mem::replace(&mut item.place, to);
        leave(self.index.items_at(from), id);
        self.index.items_at_or_new(to).push(id);
    }

    /// Adds an item that did not exist before; `why` is what the ledger says (D8).
    pub fn add_item(&mut self, item: Item, why: &str) {
        let holder = match item.place {
            Place::Holder(holder) => Some(holder),
            Place::Room(_) | Place::Inside(_) => None,
        };
        self.book_items(item.made_at, &item.prototype, i64::from(item.count), why, holder);
        self.index.items_at_or_new(item.place).push(item.id);
        self.items.put(item.id, item);
    }

    /// Removes an item from the world, with whatever is in it; `why` is what the ledger says (D8).
    pub fn remove_item(&mut self, id: ItemId, why: &str) {
        for inside in self.contents(id).to_vec() {
            self.remove_item(inside, why);
        }
        self.index.contents.remove(&id);
        if let Some(item) = self.items.remove(id) {
            self.book_items(self.meta().time, &item.prototype, -i64::from(item.count), why, None);
            leave(self.index.items_at(item.place), id);
        }
    }
}

impl super::index::Index {
    fn items_at(&mut self, place: Place) -> Option<&mut Vec<ItemId>> {
        match place {
            Place::Room(room) => self.floor.get_mut(&room),
            Place::Holder(holder) => self.carried.get_mut(&holder),
            Place::Inside(container) => self.contents.get_mut(&container),
        }
    }

    fn items_at_or_new(&mut self, place: Place) -> &mut Vec<ItemId> {
        match place {
            Place::Room(room) => self.floor.entry(room).or_default(),
            Place::Holder(holder) => self.carried.entry(holder).or_default(),
            Place::Inside(container) => self.contents.entry(container).or_default(),
        }
    }
}

/// Takes an id out of a list that keeps its order.
fn leave<T: PartialEq + Copy>(list: Option<&mut Vec<T>>, id: T) {
    if let Some(list) = list
        && let Some(at) = list.iter().position(|other| *other == id)
    {
        list.remove(at);
    }
}

//! Locations of characters and items. Only this module moves them, so that each is always in exactly one place.

use crate::base::{BranchId, CharacterId, GameTime, ItemId, RoomId};
use crate::world::item::DEPTH_MAX;
use crate::world::storage::containing_part::ContainingPart as _;
use crate::world::{Item, Place, VariableOwner, World, ledger};

impl World {
    /// Returns the awake characters in a room, in arrival order.
    pub fn occupants(&self, room: RoomId) -> &[CharacterId] {
        self.index.occupants.get(&room).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` for a creature without a master that lives in a room.
    pub fn is_wild_in(&self, who: CharacterId, room: RoomId) -> bool {
        let body = &self.characters[who];
        !body.is_player() && body.master.is_none() && body.home == room
    }

    /// Returns the items on the ground of a room, oldest first.
    pub fn ground(&self, room: RoomId) -> &[ItemId] {
        self.index.ground.get(&room).map_or(&[], Vec::as_slice)
    }

    /// Returns the items carried by a character, oldest first.
    pub fn carried(&self, holder: CharacterId) -> &[ItemId] {
        self.index.carried.get(&holder).map_or(&[], Vec::as_slice)
    }

    /// Returns the items in a container, oldest first.
    pub fn contents(&self, container: ItemId) -> &[ItemId] {
        self.index.contents.get(&container).map_or(&[], Vec::as_slice)
    }

    /// Moves a character to a room; a sleeping character will wake there.
    pub fn move_character(&mut self, id: CharacterId, to: RoomId) {
        let around = self.part_around_place(Place::Holder(id));
        let Some(character) = self.characters.edit(id) else { return };
        let from = std::mem::replace(&mut character.room, to);
        let awake = character.awake;
        if self.part_around_place(Place::Holder(id)) != around {
            rekey_with_inventory(self, id);
        }
        if awake {
            leave(self.index.occupants.get_mut(&from), id);
            self.index.occupants.entry(to).or_default().push(id);
            self.touched.note(Place::Room(from));
            self.touched.note(Place::Room(to));
        }
    }

    /// Adds a character to the world or removes it, without deleting its row.
    pub fn set_awake(&mut self, id: CharacterId, awake: bool) {
        // Storage keeps in a column whether a character may be absent.
        let Some(character) = self.characters.rekey(id) else { return };
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
        self.touched.note(Place::Room(room));
        if awake {
            self.index.occupants.entry(room).or_default().push(id);
        } else {
            leave(self.index.occupants.get_mut(&room), id);
        }
    }

    /// Sets the branch membership of a character.
    pub fn set_membership(&mut self, id: CharacterId, branch: Option<BranchId>) {
        if self.characters.get(id).is_none_or(|c| c.branch == branch) {
            return;
        }
        let Some(character) = self.characters.edit(id) else { return };
        let (player, old) = (character.is_player(), std::mem::replace(&mut character.branch, branch));
        character.delved |= player && branch.is_some();
        for (branch, joins) in [(old, false), (branch, true)] {
            let Some(index) = branch.and_then(|b| self.branches.index_mut(b)) else { continue };
            let set = if player { &mut index.members } else { &mut index.creatures };
            if joins {
                set.insert(id);
            } else {
                set.remove(&id);
            }
        }
    }

    /// Moves an item. A moved item is no longer worn, nor in a safe pocket.
    ///
    /// # Panics
    /// If the item would be inside itself or nested too deeply; callers check first.
    pub fn move_item(&mut self, id: ItemId, to: Place) {
        self.parties.end_roll(id);
        if let Place::Inside(container) = to {
            assert!(
                self.fits_inside(id, container),
                "broken invariant: item {id} does not fit in {container}"
            );
        }
        let Some(item) = self.items.edit(id) else { return };
        (item.worn, item.is_pocketed) = (None, false);
        let from = std::mem::replace(&mut item.place, to);
        if self.part_around_place(to) != self.part_around_place(from) {
            rekey_with_contents(self, id);
        }
        leave(items_at(self, from), id);
        items_at_or_new(self, to).push(id);
    }

    /// Adds a new item; `why` is the reason in the ledger. Coins also count as new money.
    pub fn add_item(&mut self, item: Item, why: &str) {
        let holder = match item.place {
            Place::Holder(holder) => Some(holder),
            Place::Room(_) | Place::Inside(_) | Place::Mail(_) => None,
        };
        self.record_items(item.made_at, &item.prototype, i64::from(item.count), why, holder);
        if item.copper > 0 {
            self.record_money(item.made_at, item.money(), why, holder);
        }
        items_at_or_new(self, item.place).push(item.id);
        self.items.put(item);
    }

    /// Restores a removed item under its old id; `why` is the reason in the ledger.
    pub fn restore_item(&mut self, item: Item, at: GameTime, why: &str) {
        self.record_items(at, &item.prototype, i64::from(item.count), why, None);
        if item.copper > 0 {
            self.record_money(at, item.money(), why, None);
        }
        items_at_or_new(self, item.place).push(item.id);
        self.items.put(item);
    }

    /// Removes an item with its contents; `why` is the reason in the ledger.
    pub fn remove_item(&mut self, id: ItemId, why: &str) {
        for inside in self.contents(id).to_vec() {
            self.remove_item(inside, why);
        }
        self.index.contents.remove(&id);
        let Some(count) = self.items.get(id).map(|item| item.count) else { return };
        self.remove_from_stack(id, count, why);
    }

    /// Removes `count` items of a stack; `why` is the reason in the ledger.
    pub fn remove_from_stack(&mut self, id: ItemId, count: u32, why: &str) {
        let at = self.meta().time;
        let Some((item, taken)) = take_off(self, id, count) else { return };
        self.record_items(at, &item.prototype, -i64::from(taken), why, None);
        if item.copper > 0 {
            self.record_money(at, -i64::from(item.copper) * i64::from(taken), why, None);
        }
    }

    /// Moves up to `count` coins of a pile into a purse. Only the coin items leave the world, not their value.
    pub fn move_coins_to_purse(&mut self, id: ItemId, count: u32, who: CharacterId, loot: bool) {
        let Some((item, taken)) = take_off(self, id, count) else { return };
        ledger::count_items(self, &item.prototype, -i64::from(taken));
        let copper = i64::from(item.copper) * i64::from(taken);
        if let Some(body) = self.characters.edit(who) {
            body.money.purse = body.money.purse.saturating_add(copper);
            if loot {
                body.money.run = body.money.run.saturating_add(copper);
            }
        }
    }

    /// Turns money of a purse into a pile of coins. Returns `false` without changes if the purse holds too little.
    pub fn take_coins_from_purse(&mut self, who: CharacterId, coins: Item) -> bool {
        let copper = coins.money();
        let Some(body) = self.characters.edit(who).filter(|body| body.money.purse >= copper) else {
            return false;
        };
        body.money.hand_over(copper);
        ledger::count_items(self, &coins.prototype, i64::from(coins.count));
        items_at_or_new(self, coins.place).push(coins.id);
        self.items.put(coins);
        true
    }

    /// Splits `count` items off a stack into a new item in the same place. Returns the stack itself if it is no larger
    /// than that.
    pub fn split_item(&mut self, id: ItemId, count: u32) -> ItemId {
        let Some(stack) = self.items.get(id).filter(|item| count > 0 && count < item.count) else {
            return id;
        };
        let part = Item { id: ItemId(0), count, worn: None, ..stack.clone() };
        let new = self.new_item_id();
        self.items.change(id, |stack| stack.count -= count);
        items_at_or_new(self, part.place).push(new);
        self.items.put(Item { id: new, ..part });
        new
    }

    /// Merges an item into a stack of its kind in the same place.
    pub fn join_items(&mut self, id: ItemId, stack: ItemId) {
        let Some(count) = self.items.get(id).map(|item| item.count).filter(|_| are_alike(self, id, stack))
        else {
            return;
        };
        self.items.change(stack, |stack| stack.count = stack.count.saturating_add(count));
        take_off(self, id, count);
    }

    /// Returns the ground, character or mail at which an item is, through all containers.
    pub fn root(&self, id: ItemId) -> Option<Place> {
        let mut place = self.items.get(id)?.place;
        for _ in 0..=DEPTH_MAX {
            match place {
                Place::Inside(container) => place = self.items.get(container)?.place,
                _ => return Some(place),
            }
        }
        None
    }

    /// Returns the number of containers around an item; `None` if nested too deeply or in itself.
    pub fn depth(&self, id: ItemId) -> Option<usize> {
        let mut place = self.items.get(id)?.place;
        for depth in 0..=DEPTH_MAX {
            match place {
                Place::Inside(container) => place = self.items.get(container)?.place,
                _ => return Some(depth),
            }
        }
        None
    }

    /// Returns an item and all its contents.
    pub fn with_contents(&self, id: ItemId) -> Vec<ItemId> {
        let mut all = vec![id];
        let mut next = 0;
        while let Some(id) = all.get(next) {
            all.extend(self.contents(*id));
            next += 1;
        }
        all
    }

    /// Returns `true` if an item fits into a container: not into itself, and not deeper than [`DEPTH_MAX`].
    pub fn fits_inside(&self, id: ItemId, container: ItemId) -> bool {
        let inner = self.with_contents(id);
        let Some(around) = self.depth(container).filter(|_| !inner.contains(&container)) else {
            return false;
        };
        let own = self.depth(id).unwrap_or(0);
        let deepest = inner.iter().filter_map(|item| self.depth(*item)).max().unwrap_or(own);
        around + 1 + (deepest - own.min(deepest)) <= DEPTH_MAX
    }
}

/// Marks an item and its contents as rekeyed, because their containing part changes.
fn rekey_with_contents(world: &mut World, id: ItemId) {
    for item in world.with_contents(id) {
        world.items.rekey(item);
        world.variables.rekey_of(VariableOwner::Item(item));
    }
}

/// Marks a creature, its items and the values of its variables as rekeyed, because their containing part changes.
fn rekey_with_inventory(world: &mut World, id: CharacterId) {
    world.characters.rekey(id);
    world.variables.rekey_of(VariableOwner::Character(id));
    for item in world.carried(id).to_vec() {
        rekey_with_contents(world, item);
    }
}

/// Takes up to `count` items off a stack and deletes the row with the last. Returns the item and the number taken.
fn take_off(world: &mut World, id: ItemId, count: u32) -> Option<(Item, u32)> {
    let item = world.items.get(id)?.clone();
    if count < item.count {
        world.items.edit(id)?.count -= count;
        world.touched.note(item.place);
        return Some((item, count));
    }
    world.parties.end_roll(id);
    world.items.remove(id);
    world.variables.remove_of(VariableOwner::Item(id));
    leave(items_at(world, item.place), id);
    let taken = item.count;
    Some((item, taken))
}

/// Returns `true` if two items can be merged into one stack.
fn are_alike(world: &World, one: ItemId, other: ItemId) -> bool {
    let (Some(a), Some(b)) = (world.items.get(one), world.items.get(other)) else { return false };
    let same = |item: &Item| (item.copper, item.found_in, item.owner, item.owner_until, item.gone_at);
    one != other
        && a.place == b.place
        && a.prototype == b.prototype
        && a.label == b.label
        && same(a) == same(b)
        && a.worn.is_none()
        && b.worn.is_none()
        && [one, other].iter().all(|item| !world.variables.has_any(VariableOwner::Item(*item)))
}

/// Returns the list of the items at a place, and records a change there.
pub(super) fn items_at(world: &mut World, place: Place) -> Option<&mut Vec<ItemId>> {
    world.touched.note(place);
    match place {
        Place::Room(room) => world.index.ground.get_mut(&room),
        Place::Holder(holder) => world.index.carried.get_mut(&holder),
        Place::Inside(container) => world.index.contents.get_mut(&container),
        Place::Mail(mail) => world.index.attached.get_mut(&mail),
    }
}

fn items_at_or_new(world: &mut World, place: Place) -> &mut Vec<ItemId> {
    world.touched.note(place);
    match place {
        Place::Room(room) => world.index.ground.entry(room).or_default(),
        Place::Holder(holder) => world.index.carried.entry(holder).or_default(),
        Place::Inside(container) => world.index.contents.entry(container).or_default(),
        Place::Mail(mail) => world.index.attached.entry(mail).or_default(),
    }
}

/// Removes an id from a list, preserving order.
fn leave<T: PartialEq + Copy>(list: Option<&mut Vec<T>>, id: T) {
    if let Some(list) = list
        && let Some(at) = list.iter().position(|other| *other == id)
    {
        list.remove(at);
    }
}

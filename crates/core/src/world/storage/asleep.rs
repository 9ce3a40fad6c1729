//! Parts of the world that are asleep: their rows are in storage only. The row of a branch stays in memory, and so do its
//! members and the rooms that they are in, so that no reference between rows in memory is dangling. The row of an account
//! stays in memory, and a few fields of its characters ([`AbsentCharacter`](crate::world::AbsentCharacter)).

use crate::base::{AccountId, BranchId, CharacterId, ItemId, RoomId};
use crate::world::ledger::Amounts;
use crate::world::location::items_at;
use crate::world::storage::containing_part::ContainingPart as _;
use crate::world::storage::load::{
    build_frontiers, complete_branch, index_character, index_item, index_room,
};
use crate::world::{
    AbsentCharacter, AsleepRows, Character, Exit, PartRows, Place, Snapshot, VariableOwner, World, WorldPart,
};
use std::collections::{BTreeMap, BTreeSet};

/// Totals of the rows that are not in memory.
#[derive(Clone, Debug, Default)]
pub struct Asleep {
    pub(in crate::world) rows: AsleepRows,
    /// Items and money of these rows.
    pub(in crate::world) amounts: Amounts,
    /// Lists of the parts that were not in the order of ids.
    orders: BTreeMap<WorldPart, ListOrders>,
}

/// Lists that are not in the order of ids, which is that after a start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct ListOrders {
    items: Vec<(Place, Vec<ItemId>)>,
    occupants: Vec<(RoomId, Vec<CharacterId>)>,
}

/// Sorts a list as it was. What has come since is last.
fn restore_order<T: PartialEq>(list: &mut [T], order: &[T]) {
    list.sort_by_key(|one| order.iter().position(|other| other == one).unwrap_or(order.len()));
}

impl Asleep {
    /// Returns the parts that are asleep and the number of their rows.
    pub const fn rows(&self) -> &AsleepRows {
        &self.rows
    }

    /// Returns `true` if the rows of a branch are in storage only.
    pub fn has(&self, branch: BranchId) -> bool {
        self.rows.branches.contains(&branch)
    }

    /// Returns the fields of an absent character.
    pub fn absent(&self, who: CharacterId) -> Option<&AbsentCharacter> {
        self.rows.absent.get(&who)
    }

    pub(in crate::world) fn new(rows: AsleepRows) -> Self {
        Self { rows, ..Self::default() }
    }

    pub(in crate::world) fn add(&mut self, rows: &PartRows) {
        self.rows.rooms += rows.rooms.len() as u64;
        self.rows.characters += rows.characters.len() as u64;
        self.rows.items += rows.items.len() as u64;
        self.amounts.add(&rows.items, &rows.characters, 1);
    }

    pub(in crate::world) fn subtract(&mut self, rows: &PartRows) {
        let less = |count: u64, rows: usize| count.saturating_sub(rows as u64);
        self.rows.rooms = less(self.rows.rooms, rows.rooms.len());
        self.rows.characters = less(self.rows.characters, rows.characters.len());
        self.rows.items = less(self.rows.items, rows.items.len());
        self.amounts.add(&rows.items, &rows.characters, -1);
        self.amounts.items.retain(|_, count| *count != 0);
    }
}

impl World {
    /// Records the lists of a part that are not in the order of ids: those of the items at these places and inside what lies
    /// there, and of the occupants.
    pub(in crate::world) fn keep_orders(&mut self, part: WorldPart, places: impl IntoIterator<Item = Place>) {
        let list = |place| match place {
            Place::Room(room) => self.ground(room),
            Place::Holder(who) => self.carried(who),
            Place::Inside(container) => self.contents(container),
            Place::Mail(_) => &[],
        };
        let places: Vec<Place> = places.into_iter().collect();
        let rooms = places.iter().filter_map(|place| match place {
            Place::Room(room) => Some((*room, self.occupants(*room).to_vec())),
            Place::Holder(_) | Place::Inside(_) | Place::Mail(_) => None,
        });
        let occupants = rooms.filter(|(_, list)| !list.is_sorted()).collect();
        let all = places.into_iter().flat_map(|place| {
            let inside = list(place).iter().flat_map(|item| self.with_contents(*item)).map(Place::Inside);
            [place].into_iter().chain(inside)
        });
        let unsorted = all.map(|place| (place, list(place))).filter(|(_, list)| !list.is_sorted());
        let items = unsorted.map(|(place, list)| (place, list.to_vec())).collect();
        let orders = ListOrders { items, occupants };
        if orders != ListOrders::default() {
            self.asleep.orders.insert(part, orders);
        }
    }

    /// Restores the recorded orders of the lists of a part.
    pub(in crate::world) fn restore_orders(&mut self, part: WorldPart) {
        let orders = self.asleep.orders.remove(&part).unwrap_or_default();
        for (place, order) in orders.items {
            if let Some(list) = items_at(self, place) {
                restore_order(list, &order);
            }
        }
        for (room, order) in orders.occupants {
            if let Some(list) = self.index.occupants.get_mut(&room) {
                restore_order(list, &order);
            }
        }
    }

    /// Returns `true` if the rows of a part are in storage only.
    pub fn is_part_asleep(&self, part: WorldPart) -> bool {
        match part {
            WorldPart::Branch(branch) => self.asleep.has(branch),
            WorldPart::Account(account) => self.is_absent(account),
        }
    }

    /// Returns `true` if the rows of a part may leave memory: none has changed since the last cut, and no row outside
    /// refers to one.
    pub fn may_sleep(&self, part: WorldPart) -> bool {
        match part {
            WorldPart::Branch(branch) => self.may_branch_sleep(branch),
            WorldPart::Account(account) => self.may_be_absent(account),
        }
    }

    /// Releases the rows of a part from memory. None has a pending change.
    pub fn put_to_sleep(&mut self, part: WorldPart) {
        match part {
            WorldPart::Branch(branch) => self.put_branch_to_sleep(branch),
            WorldPart::Account(account) => self.make_absent(account),
        }
    }

    /// Takes the rows of a sleeping part into memory, as they are stored. Rows that are in memory stay as they are.
    pub fn wake(&mut self, part: WorldPart, rows: PartRows) {
        if self.is_part_asleep(part) {
            self.note_work(rows.count());
            match part {
                WorldPart::Branch(branch) => self.wake_branch(branch, rows),
                WorldPart::Account(account) => self.end_absence(account, &rows),
            }
        }
    }

    /// A hand-built room with a gate, or a creature outside, can refer to a row of a branch.
    fn may_branch_sleep(&self, branch: BranchId) -> bool {
        let Some(index) = self.branches.index_of(branch) else { return false };
        let is_in = |found: Option<BranchId>| found == Some(branch);
        let holds_room = |room: RoomId| is_in(self.branch_around_room(room));
        let holds = |place| self.part_around_place(place) == Some(WorldPart::Branch(branch));
        let holds_exit = |exit| self.exits.get(exit).is_some_and(|exit| holds_room(exit.room));
        let holds_floor = |floor| self.floors.get(floor).is_some_and(|floor| floor.branch == branch);
        let holds_variable = |id| {
            let owner = self.variables.get(id).map(|row| row.owner);
            owner.and_then(|owner| self.part_around_variables(owner)) == Some(WorldPart::Branch(branch))
        };
        let is_touched = self.rooms.touched().any(holds_room)
            || self.exits.touched().any(holds_exit)
            || self.characters.touched().any(|who| holds(Place::Holder(who)))
            || self.items.touched().any(|item| holds(Place::Inside(item)))
            || self.floors.touched().any(holds_floor)
            || self.variables.touched().any(holds_variable);
        let mut gates =
            self.floors.of(branch).filter_map(|floor| floor.puzzle.as_deref()).map(|run| run.gate);
        let mut rooms = index.creatures.iter().map(|creature| self.characters[*creature].room);
        !is_touched && gates.all(holds_room) && rooms.all(holds_room)
    }

    fn put_branch_to_sleep(&mut self, branch: BranchId) {
        let Some(index) = self.branches.index_mut(branch) else { return };
        let (rooms, creatures) = (std::mem::take(&mut index.rooms), std::mem::take(&mut index.creatures));
        index.frontiers.clear();
        let kept: BTreeSet<RoomId> = index.members.iter().map(|who| self.characters[*who].room).collect();
        let mut rows = PartRows::default();
        let places =
            rooms.values().copied().map(Place::Room).chain(creatures.iter().copied().map(Place::Holder));
        self.keep_orders(WorldPart::Branch(branch), places);
        for room in rooms.into_values() {
            let exits = self.exits.take_of(room);
            rows.exits.extend(exits.into_iter().filter_map(|exit| self.exits.release(exit)));
            let ground = self.index.ground.remove(&room).unwrap_or_default();
            release_items(self, ground, &mut rows);
            self.index.occupants.remove(&room);
            self.variables.release_of(VariableOwner::Room(room), &mut rows.variables);
            if !kept.contains(&room) {
                rows.rooms.extend(self.rooms.release(room));
            }
        }
        for creature in creatures {
            let carried = self.index.carried.remove(&creature).unwrap_or_default();
            release_items(self, carried, &mut rows);
            self.variables.release_of(VariableOwner::Character(creature), &mut rows.variables);
            rows.characters.extend(self.characters.release(creature));
        }
        self.variables.release_of(VariableOwner::Branch(branch), &mut rows.variables);
        let floors: Vec<_> = self.floors.of(branch).map(|floor| floor.id).collect();
        rows.floors.extend(floors.into_iter().filter_map(|floor| self.floors.release(floor)));
        self.asleep.add(&rows);
        self.asleep.rows.branches.insert(branch);
    }

    fn wake_branch(&mut self, branch: BranchId, mut rows: PartRows) {
        self.asleep.rows.branches.remove(&branch);
        for room in &rows.rooms {
            index_room(&mut self.branches, room);
        }
        // The rooms of members and what has been dropped there since are in memory.
        rows.rooms.retain(|room| self.rooms.get(room.id).is_none());
        rows.items.retain(|item| self.items.get(item.id).is_none());
        self.asleep.subtract(&rows);
        for character in &rows.characters {
            index_character(&mut self.index, &mut self.branches, character);
        }
        for item in &rows.items {
            index_item(&mut self.index, item);
        }
        rows.floors.into_iter().for_each(|row| self.floors.restore(row));
        rows.rooms.into_iter().for_each(|row| self.rooms.restore(row));
        rows.exits.into_iter().for_each(|row| self.exits.restore(row));
        rows.characters.into_iter().for_each(|row| self.characters.restore(row));
        rows.items.into_iter().for_each(|row| self.items.restore(row));
        rows.variables.into_iter().for_each(|row| self.variables.restore(row));
        if let Some(index) = self.branches.index_mut(branch) {
            // In the order of ids, as after a start.
            for who in &index.members {
                if let Some(ground) = self.index.ground.get_mut(&self.characters[*who].room) {
                    ground.sort_unstable();
                }
            }
            build_frontiers(&self.rooms, &self.exits, index);
        }
        self.restore_orders(WorldPart::Branch(branch));
        if self.branches.get(branch).is_some_and(|row| row.is_detached) {
            cut_detached_exits(self, branch);
        }
        complete_branch(self, branch);
    }
}

/// Releases items with their contents, and the values of their variables.
pub(in crate::world) fn release_items(world: &mut World, mut items: Vec<ItemId>, rows: &mut PartRows) {
    while let Some(item) = items.pop() {
        items.extend(world.index.contents.remove(&item).unwrap_or_default());
        world.variables.release_of(VariableOwner::Item(item), &mut rows.variables);
        rows.items.extend(world.items.release(item));
    }
}

/// Removes the exits of a branch that lead to rooms that have been removed.
fn cut_detached_exits(world: &mut World, branch: BranchId) {
    let Some(index) = world.branches.index_of(branch) else { return };
    let exits = index.rooms.values().flat_map(|room| world.exits.of(*room));
    let is_dangling = |exit: &&Exit| exit.to.is_some_and(|to| world.rooms.get(to).is_none());
    let dangling: Vec<_> = exits.filter(is_dangling).map(|exit| exit.id).collect();
    for exit in dangling {
        world.exits.remove(exit);
    }
}

impl Snapshot {
    /// Returns the branches whose rows a start need not read: those that are closed, without players that are awake, and
    /// not among `reached`, the branches that an exit from outside leads to or in which a party rolls for an item.
    pub fn sleeping_branches(&self, reached: &BTreeSet<BranchId>) -> BTreeSet<BranchId> {
        let visited = self.characters.values().filter(|body| body.is_player() && body.awake);
        let visited: BTreeSet<BranchId> = visited.filter_map(|body| body.branch).collect();
        let sleeps = |id: &BranchId| !visited.contains(id) && !reached.contains(id);
        let closed = self.branches.values().filter(|branch| branch.lives() && !branch.window_open);
        closed.map(|branch| branch.id).filter(sleeps).collect()
    }

    /// Returns the stored rows of a part.
    pub fn rows_of(&self, part: impl Into<WorldPart>) -> PartRows {
        let part = part.into();
        let branch = match part {
            WorldPart::Branch(branch) => branch,
            WorldPart::Account(account) => return self.rows_of_account(account),
        };
        let of = |found: Option<BranchId>| found == Some(branch);
        let exits = self.exits.values().filter(|row| of(self.branch_around_room(row.room)));
        let characters = self.characters.values().filter(|row| self.part_around_character(row) == Some(part));
        let items = self.items.values().filter(|row| self.part_around_place(row.place) == Some(part));
        let variables =
            self.variables.values().filter(|row| self.part_around_variables(row.owner) == Some(part));
        PartRows {
            rooms: self.rooms.values().filter(|row| of(row.branch)).cloned().collect(),
            exits: exits.cloned().collect(),
            characters: characters.cloned().collect(),
            items: items.cloned().collect(),
            floors: self.floors.values().filter(|row| row.branch == branch).cloned().collect(),
            variables: variables.cloned().collect(),
        }
    }

    /// Returns the violations in the stored rows of a part.
    pub fn check_rows(&self, part: WorldPart, rows: &PartRows) -> Vec<String> {
        match part {
            WorldPart::Branch(branch) => match self.branches.get(&branch) {
                Some(row) => rows.check(row),
                None => vec![format!("{part} does not exist")],
            },
            WorldPart::Account(account) => rows.check_absent(account),
        }
    }

    /// Returns `true` if the totals of items are stored. A world without them was stored by an older release; its next
    /// start counts all items, so that no part may sleep.
    pub fn has_totals(&self, items: u64) -> bool {
        items == 0 || self.meta.as_ref().is_some_and(|meta| !meta.stock.is_empty())
    }

    /// Returns the part of the snapshot that a start reads, if `branches` and `accounts` may be asleep.
    #[must_use]
    pub fn awake_part(&self, branches: bool, accounts: bool) -> Self {
        if !self.has_totals(self.items.len() as u64) {
            return self.clone();
        }
        let mut asleep = AsleepRows::default();
        if branches {
            let all = self.branches.keys().copied().collect();
            let outside = self.without(&AsleepRows { branches: all, ..AsleepRows::default() });
            let (rooms, items) = outside.rows_referred_to();
            let entered = rooms.into_iter().filter_map(|room| self.branch_around_room(room));
            let rolled = items.into_iter().filter_map(|item| self.part_around_place(Place::Inside(item)));
            asleep.branches =
                self.sleeping_branches(&entered.chain(rolled.filter_map(WorldPart::branch)).collect());
        }
        if accounts {
            let away = |body: &Character| AbsentCharacter::of(body);
            let all: Vec<_> = self
                .characters
                .values()
                .filter_map(|body| Some((body.id, body.account?, away(body))))
                .collect();
            let all = all.iter().map(|(who, account, absent)| (*who, *account, absent.as_ref()));
            asleep.absent = self.absent_of(&self.absent_accounts(all));
        }
        self.without(&asleep)
    }

    /// Returns the rooms and the items that rows refer to and that are missing, in the part of a world outside of
    /// branches: the rooms behind exits, and the items that parties roll for.
    pub fn rows_referred_to(&self) -> (Vec<RoomId>, Vec<ItemId>) {
        let to = self.exits.values().filter_map(|exit| exit.to);
        let rolled = self.parties.values().flat_map(|party| &party.rolls).map(|roll| roll.item);
        (
            to.filter(|room| !self.rooms.contains_key(room)).collect(),
            rolled.filter(|item| !self.items.contains_key(item)).collect(),
        )
    }

    /// Returns the snapshot without the rows of these branches and accounts. Only the ids of `asleep` are considered.
    #[must_use]
    pub fn without(&self, asleep: &AsleepRows) -> Self {
        let accounts: BTreeSet<AccountId> = asleep.absent.values().map(|absent| absent.account).collect();
        let sleeps =
            |branch: Option<BranchId>| branch.is_some_and(|branch| asleep.branches.contains(&branch));
        let is_left_out = |part: Option<WorldPart>| match part {
            Some(WorldPart::Branch(branch)) => asleep.branches.contains(&branch),
            Some(WorldPart::Account(account)) => accounts.contains(&account),
            None => false,
        };
        let players = self.characters.values().filter(|body| body.is_player());
        let kept: BTreeSet<RoomId> = players.map(|body| body.room).collect();
        let mut awake = self.clone();
        awake.rooms.retain(|id, row| kept.contains(id) || !sleeps(row.branch));
        awake.exits.retain(|_, row| !sleeps(self.branch_around_room(row.room)));
        awake.characters.retain(|_, row| !is_left_out(self.part_around_character(row)));
        awake.items.retain(|_, row| !is_left_out(self.part_around_place(row.place)));
        awake.floors.retain(|_, row| !asleep.branches.contains(&row.branch));
        awake.variables.retain(|_, row| !is_left_out(self.part_around_variables(row.owner)));
        let less = |all: usize, awake: usize| (all - awake) as u64;
        awake.asleep = AsleepRows {
            rooms: less(self.rooms.len(), awake.rooms.len()),
            characters: less(self.characters.len(), awake.characters.len()),
            items: less(self.items.len(), awake.items.len()),
            ..asleep.clone()
        };
        awake
    }
}

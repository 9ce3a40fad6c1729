//! Values of builders' variables in the world: lookup, changes, and the part of the world that they are in.

use crate::base::{BranchId, GameTime, VariableId};
use crate::catalog::VariableValue;
use crate::world::indexed::{Indexed, TableIndex};
use crate::world::storage::containing_part::ContainingPart as _;
use crate::world::{Variable, VariableOwner, World};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Values of variables by object, zone and name.
#[derive(Clone, Debug, Default)]
pub struct VariableIndex(FxHashMap<VariableOwner, BTreeMap<String, VariableId>>);

impl TableIndex<Variable> for VariableIndex {
    fn note(&mut self, row: &Variable) {
        self.0.entry(row.owner).or_default().insert(row.name.clone(), row.id);
    }

    fn forget(&mut self, row: &Variable) {
        if let Some(all) = self.0.get_mut(&row.owner) {
            all.remove(&row.name);
            if all.is_empty() {
                self.0.remove(&row.owner);
            }
        }
    }
}

/// Values of variables. [`World::set_variable`] stores them.
pub type Variables = Indexed<Variable, VariableIndex>;

impl Variables {
    /// Returns the stored value of a variable, by zone and name.
    pub fn find(&self, owner: VariableOwner, name: &str) -> Option<&Variable> {
        let id = self.index.0.get(&owner)?.get(name)?;
        self.get(*id)
    }

    /// Returns the stored values of an object, by zone and name.
    pub fn of(&self, owner: VariableOwner) -> impl Iterator<Item = &Variable> {
        self.ids_of(owner).map(|id| &self.rows[id])
    }

    /// Returns `true` if an object has stored values.
    pub fn has_any(&self, owner: VariableOwner) -> bool {
        self.index.0.contains_key(&owner)
    }

    /// Returns the ids of the stored values of an object.
    pub(in crate::world) fn ids_of(&self, owner: VariableOwner) -> impl Iterator<Item = VariableId> {
        self.index.0.get(&owner).into_iter().flat_map(|all| all.values().copied())
    }

    /// Removes the stored value of a variable, which then has its default.
    pub fn remove_named(&mut self, owner: VariableOwner, name: &str) {
        let id = self.index.0.get(&owner).and_then(|all| all.get(name)).copied();
        id.map(|id| self.remove(id));
    }

    /// Removes all stored values of an object.
    pub(in crate::world) fn remove_of(&mut self, owner: VariableOwner) {
        for id in self.index.0.remove(&owner).into_iter().flat_map(BTreeMap::into_values) {
            self.rows.remove(id);
        }
    }

    /// Takes the values of an object out of memory and leaves them in storage. None has a pending change.
    pub(in crate::world) fn release_of(&mut self, owner: VariableOwner, rows: &mut Vec<Variable>) {
        for id in self.index.0.remove(&owner).into_iter().flat_map(BTreeMap::into_values) {
            rows.extend(self.rows.release(id));
        }
    }

    /// Marks the values of an object as rekeyed, because their containing part changes.
    pub(in crate::world) fn rekey_of(&mut self, owner: VariableOwner) {
        let ids: Vec<VariableId> = self.ids_of(owner).collect();
        for id in ids {
            self.rows.rekey(id);
        }
    }
}

impl World {
    /// Stores a value. The row that is equal already is not written.
    pub fn set_variable(
        &mut self,
        owner: VariableOwner,
        name: &str,
        value: VariableValue,
        at: GameTime,
        branch: Option<BranchId>,
    ) {
        if let Some(id) = self.variables.find(owner, name).map(|row| row.id) {
            self.variables.change(id, |row| (row.value, row.at, row.branch) = (value, at, branch));
            return;
        }
        let id = self.new_variable_id();
        let row = Variable { id, owner, name: name.to_owned(), value, at, branch };
        self.variables.add(row);
    }

    /// Removes the data of a zone, with the values of its variables and the notes on its boards. Its definitions belong to
    /// their authors alone from then on, not to whoever makes a zone of the same key.
    pub fn remove_zone(&mut self, key: &str) {
        self.meta_mut().zones.remove(key);
        self.notes.remove_of_zone(key);
        let versions =
            self.definitions.iter().filter(|(_, row)| row.version().is_some_and(|(zone, _)| zone == key));
        for id in versions.map(|(id, _)| id).collect::<Vec<_>>() {
            self.definitions.remove(id);
        }
        self.definitions.change_where(|row| row.is_of_draft(key), |row| row.draft = None);
        self.definitions.change_where(|row| row.zone.as_deref() == Some(key), |row| row.zone = None);
        let of_zone = |row: &&Variable| row.name.split_once('/').is_some_and(|(zone, _)| zone == key);
        let rows = self.variables.of(VariableOwner::Zone).filter(of_zone);
        let names: Vec<String> = rows.map(|row| row.name.clone()).collect();
        for name in names {
            self.variables.remove_named(VariableOwner::Zone, &name);
        }
    }
}

/// Returns `true` if the object of a row exists and is in memory.
fn has_owner(world: &World, owner: VariableOwner) -> bool {
    match owner {
        VariableOwner::Zone => true,
        VariableOwner::Character(who) => world.characters.get(who).is_some(),
        VariableOwner::Item(item) => world.items.get(item).is_some(),
        VariableOwner::Room(room) => world.rooms.get(room).is_some(),
        VariableOwner::Branch(branch) => world.branches.get(branch).is_some(),
    }
}

/// Checks that each value belongs to an object, is in the index and fits its bounds.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    for (id, row) in world.variables.iter() {
        if !has_owner(world, row.owner) {
            violations.push(format!("variables {id}: its object does not exist"));
        }
        if world.variables.find(row.owner, &row.name).map(|row| row.id) != Some(id) {
            violations
                .push(format!("variables {id}: another value of {} belongs to the same object", row.name));
        }
        let fits = match &row.value {
            VariableValue::Number(number) => number.abs() <= VariableValue::NUMBER_MAX,
            VariableValue::Flag(_) | VariableValue::Text(_) => true,
        };
        if !fits || row.name.split_once('/').is_none() {
            violations.push(format!("variables {id}: no value that a variable can have, or no name"));
        }
        let part = world.part_around_variables(row.owner);
        if part.is_some_and(|part| world.is_part_asleep(part)) {
            violations.push(format!("variables {id}: in memory, and its object is asleep"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{CharacterId, RoomId, Seed};
    use crate::catalog::RoomSheet;
    use crate::world::{Character, Meta, Room, RoomKind, Snapshot};

    /// Ten thousand players have fifty values each. A change writes one row, and its work does not grow with the others.
    #[test]
    fn many_players_have_many_values() {
        const PLAYERS: u64 = 10_000;
        const VALUES: usize = 50;
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let (room, at) = (RoomId(1), GameTime(0));
        world.add_room(Room::new(room, RoomSheet::new(RoomKind::Room, "Square".into())));
        let names: Vec<String> = (0..VALUES).map(|number| format!("town/v{number}")).collect();
        for who in (1..=PLAYERS).map(CharacterId) {
            world.add_character(Character::new(who, format!("A{who}"), room, at));
            for name in &names {
                world.set_variable(VariableOwner::Character(who), name, VariableValue::Number(1), at, None);
            }
        }
        world.cut();
        let owner = VariableOwner::Character(CharacterId(PLAYERS / 2));
        let work = world.work();
        world.set_variable(owner, "town/v7", VariableValue::Number(2), at, None);
        assert!(world.work() - work < 5, "{}", world.work() - work);
        let changes = world.cut();
        assert_eq!((changes.rows(), changes.variables.put[0].value.clone()), (1, VariableValue::Number(2)));
        assert_eq!(world.variables.of(owner).count(), VALUES);
        world.remove_character(CharacterId(PLAYERS));
        assert_eq!(world.variables.len(), world.characters.len() * VALUES);
    }
}

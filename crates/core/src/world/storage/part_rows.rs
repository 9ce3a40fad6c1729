//! Rows of the parts of the world that are in storage only.

use crate::base::{AccountId, BranchId, CharacterId, RoomId};
use crate::world::{
    AbsentCharacter, Branch, Character, Exit, Floor, Item, Place, Room, Variable, VariableOwner, WorldPart,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Parts that are asleep, and the number of their rows that are not in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AsleepRows {
    /// Branches that are asleep.
    pub branches: BTreeSet<BranchId>,
    /// Characters that are asleep with their accounts.
    #[serde(default)]
    pub absent: BTreeMap<CharacterId, AbsentCharacter>,
    /// Number of rooms.
    pub rooms: u64,
    /// Number of creatures and characters.
    pub characters: u64,
    /// Number of items.
    pub items: u64,
}

impl AsleepRows {
    /// Returns `true` if all rows are in memory.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.absent.is_empty()
    }
}

/// All rows of a part, except the branch itself and its players, or the account itself. Each table is in the order of
/// ids.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PartRows {
    /// Rooms of the branch.
    pub rooms: Vec<Room>,
    /// Exits of these rooms.
    pub exits: Vec<Exit>,
    /// Creatures in these rooms, or characters of the account.
    pub characters: Vec<Character>,
    /// Items in these rooms, carried by these characters, or inside such items.
    pub items: Vec<Item>,
    /// Floors of the branch.
    pub floors: Vec<Floor>,
    /// Values of variables of the branch, these rooms, characters and items.
    #[serde(default)]
    pub variables: Vec<Variable>,
}

impl PartRows {
    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        let Self { rooms, exits, characters, items, floors, variables } = self;
        rooms.len() + exits.len() + characters.len() + items.len() + floors.len() + variables.len()
    }

    /// Returns the violations in the rows of a branch, each with table and id: rows that do not belong to the branch, or
    /// that refer to more than each other and the start room of the branch.
    pub fn check(&self, row: &Branch) -> Vec<String> {
        let branch = row.id;
        let mut violations = Vec::new();
        let mut need = |holds: bool, what: &dyn Fn() -> String| violations.extend((!holds).then(what));
        let rooms: BTreeSet<RoomId> = self.rooms.iter().map(|room| room.id).collect();
        for room in &self.rooms {
            need(room.branch == Some(branch), &|| format!("rooms {}: not of branch {branch}", room.id));
        }
        for floor in &self.floors {
            need(floor.branch == branch, &|| format!("floors {}: not of branch {branch}", floor.id));
        }
        for exit in &self.exits {
            let leads =
                exit.to.is_none_or(|to| row.is_detached || to == row.start_room || rooms.contains(&to));
            need(rooms.contains(&exit.room) && leads, &|| {
                format!("exits {}: leads out of or into a room outside of branch {branch}", exit.id)
            });
        }
        for body in &self.characters {
            need(!body.is_player() && rooms.contains(&body.room), &|| {
                format!("characters {}: no creature in a room of branch {branch}", body.id)
            });
        }
        self.check_items(WorldPart::Branch(branch), &mut violations);
        self.check_variables(WorldPart::Branch(branch), &mut violations);
        violations
    }

    /// Returns the violations in the rows of an account, each with table and id: characters of other accounts or that
    /// may not be asleep, items elsewhere, and rows of other kinds.
    pub fn check_absent(&self, account: AccountId) -> Vec<String> {
        let mut violations = Vec::new();
        for body in &self.characters {
            if body.account != Some(account) || AbsentCharacter::of(body).is_none() {
                violations.push(format!("characters {}: no absent character of account {account}", body.id));
            }
        }
        let count = self.characters.len() + self.items.len() + self.variables.len();
        if self.characters.is_empty() || self.count() != count {
            violations
                .push(format!("accounts {account}: no characters, or more than characters and their own"));
        }
        self.check_items(WorldPart::Account(account), &mut violations);
        self.check_variables(WorldPart::Account(account), &mut violations);
        violations
    }

    fn check_variables(&self, part: WorldPart, violations: &mut Vec<String>) {
        let rooms: BTreeSet<RoomId> = self.rooms.iter().map(|room| room.id).collect();
        let bodies: BTreeSet<CharacterId> = self.characters.iter().map(|body| body.id).collect();
        let items: BTreeSet<_> = self.items.iter().map(|item| item.id).collect();
        for row in &self.variables {
            let there = match row.owner {
                VariableOwner::Zone => false,
                VariableOwner::Character(who) => bodies.contains(&who),
                VariableOwner::Item(item) => items.contains(&item),
                VariableOwner::Room(room) => rooms.contains(&room),
                VariableOwner::Branch(branch) => part == WorldPart::Branch(branch),
            };
            if !there {
                violations.push(format!("variables {}: its object does not exist in {part}", row.id));
            }
        }
    }

    fn check_items(&self, part: WorldPart, violations: &mut Vec<String>) {
        let rooms: BTreeSet<RoomId> = self.rooms.iter().map(|room| room.id).collect();
        let holders: BTreeSet<CharacterId> = self.characters.iter().map(|body| body.id).collect();
        let items: BTreeSet<_> = self.items.iter().map(|item| item.id).collect();
        for item in &self.items {
            let there = match item.place {
                Place::Room(room) => rooms.contains(&room),
                Place::Holder(holder) => holders.contains(&holder),
                Place::Inside(container) => items.contains(&container),
                Place::Mail(_) => false,
            };
            if !there {
                violations.push(format!("items {}: its place does not exist in {part}", item.id));
            }
        }
    }
}

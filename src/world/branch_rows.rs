//! Rows of single branches, which can be in storage only.

use crate::base::{BranchId, CharacterId, RoomId};
use crate::world::{Branch, Character, Exit, Floor, Item, Place, Room};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Branches that are asleep, and the number of their rows that are not in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AsleepRows {
    /// Branches that are asleep.
    pub branches: BTreeSet<BranchId>,
    /// Number of their rooms.
    pub rooms: u64,
    /// Number of their creatures.
    pub characters: u64,
    /// Number of their items.
    pub items: u64,
}

/// All rows of a branch except the branch itself and its players, each table in the order of ids.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BranchRows {
    /// Rooms of the branch.
    pub rooms: Vec<Room>,
    /// Exits of these rooms.
    pub exits: Vec<Exit>,
    /// Creatures in these rooms.
    pub characters: Vec<Character>,
    /// Items in these rooms, carried by the creatures, or inside such items.
    pub items: Vec<Item>,
    /// Floors of the branch.
    pub floors: Vec<Floor>,
}

impl BranchRows {
    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        let Self { rooms, exits, characters, items, floors } = self;
        rooms.len() + exits.len() + characters.len() + items.len() + floors.len()
    }

    /// Returns the violations, each with table and id: rows that do not belong to the branch, or that refer to more than
    /// each other and the start room of the branch.
    pub fn check(&self, row: &Branch) -> Vec<String> {
        let branch = row.id;
        let mut wrong = Vec::new();
        let mut need = |holds: bool, what: &dyn Fn() -> String| wrong.extend((!holds).then(what));
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
        let creatures: BTreeSet<CharacterId> = self.characters.iter().map(|body| body.id).collect();
        for body in &self.characters {
            need(!body.is_player() && rooms.contains(&body.room), &|| {
                format!("characters {}: no creature in a room of branch {branch}", body.id)
            });
        }
        let items: BTreeSet<_> = self.items.iter().map(|item| item.id).collect();
        for item in &self.items {
            let there = match item.place {
                Place::Room(room) => rooms.contains(&room),
                Place::Holder(holder) => creatures.contains(&holder),
                Place::Inside(container) => items.contains(&container),
            };
            need(there, &|| format!("items {}: its place does not exist in branch {branch}", item.id));
        }
        wrong
    }
}

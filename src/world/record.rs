//! What goes to storage and comes back: all changes of a batch as one value, and the whole world as one value.

use crate::base::{
    AccountId, BranchId, CharacterId, ExitId, FloorId, GameTime, ItemId, PartyId, ReportId, RoomId,
};
use crate::world::meta::StartTasks;
use crate::world::{Account, Branch, Character, Exit, Floor, Item, Meta, Party, Report, Room};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one kind of thing went through: rows to write, rows to delete. An id is never in both.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableChanges<K, V> {
    /// Rows to insert or replace, in the order of their ids.
    pub put: Vec<V>,
    /// Rows to delete, in the order of their ids.
    pub gone: Vec<K>,
}

impl<K, V> Default for TableChanges<K, V> {
    fn default() -> Self {
        Self { put: Vec::new(), gone: Vec::new() }
    }
}

impl<K, V> TableChanges<K, V> {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.gone.is_empty()
    }
}

/// A line in the book of what staff did. Never changed, never deleted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// When.
    pub at: GameTime,
    /// Whose right was used.
    pub account: AccountId,
    /// What was typed, after aliases and abbreviations.
    pub action: String,
}

/// A source or a sink of money or of things. Never changed, never deleted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// When.
    pub at: GameTime,
    /// `copper`, or the prototype of a thing.
    pub what: String,
    /// How much came into the world; below zero: left it.
    pub amount: i64,
    /// By which rule: `loot`, `shop`, `used`.
    pub why: String,
    /// Whose purse or pack it touched, if anybody's.
    pub who: Option<CharacterId>,
}

/// Everything a batch changed, as one consistent cut: it is committed whole or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Changes {
    /// Accounts.
    pub accounts: TableChanges<AccountId, Account>,
    /// Characters.
    pub characters: TableChanges<CharacterId, Character>,
    /// Rooms.
    pub rooms: TableChanges<RoomId, Room>,
    /// Exits.
    pub exits: TableChanges<ExitId, Exit>,
    /// Items.
    pub items: TableChanges<ItemId, Item>,
    /// Branches.
    pub branches: TableChanges<BranchId, Branch>,
    /// Floors.
    #[serde(default)]
    pub floors: TableChanges<FloorId, Floor>,
    /// The tasks of start rooms, by room.
    pub start_tasks: TableChanges<RoomId, StartTasks>,
    /// Parties.
    #[serde(default)]
    pub parties: TableChanges<PartyId, Party>,
    /// Reports.
    pub reports: TableChanges<ReportId, Report>,
    /// The world's own row, if it changed.
    pub meta: Option<Meta>,
    /// What staff did.
    pub audit: Vec<AuditRecord>,
    /// What came into the world and left it.
    #[serde(default)]
    pub ledger: Vec<LedgerRecord>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.accounts.is_empty()
            && self.characters.is_empty()
            && self.rooms.is_empty()
            && self.exits.is_empty()
            && self.items.is_empty()
            && self.branches.is_empty()
            && self.floors.is_empty()
            && self.start_tasks.is_empty()
            && self.parties.is_empty()
            && self.reports.is_empty()
            && self.meta.is_none()
            && self.audit.is_empty()
            && self.ledger.is_empty()
    }
}

/// The whole stored world.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// Accounts.
    pub accounts: BTreeMap<AccountId, Account>,
    /// Characters.
    pub characters: BTreeMap<CharacterId, Character>,
    /// Rooms.
    pub rooms: BTreeMap<RoomId, Room>,
    /// Exits.
    pub exits: BTreeMap<ExitId, Exit>,
    /// Items.
    pub items: BTreeMap<ItemId, Item>,
    /// Branches.
    pub branches: BTreeMap<BranchId, Branch>,
    /// Floors.
    #[serde(default)]
    pub floors: BTreeMap<FloorId, Floor>,
    /// The tasks of start rooms.
    pub start_tasks: BTreeMap<RoomId, StartTasks>,
    /// Parties.
    #[serde(default)]
    pub parties: BTreeMap<PartyId, Party>,
    /// Reports.
    #[serde(default)]
    pub reports: BTreeMap<ReportId, Report>,
    /// The world's own row; none in a database that has never held a world.
    pub meta: Option<Meta>,
    /// What staff did, oldest first. Not loaded from a database: nothing in play reads it.
    pub audit: Vec<AuditRecord>,
    /// What came into the world and left it, oldest first. Not loaded either: `meta` has the sums.
    #[serde(default)]
    pub ledger: Vec<LedgerRecord>,
}

impl Snapshot {
    /// Writes a batch's changes, as the database does.
    pub fn apply(&mut self, changes: &Changes) {
        fn table<K: Ord + Copy, V: Clone>(
            rows: &mut BTreeMap<K, V>,
            changes: &TableChanges<K, V>,
            key: impl Fn(&V) -> K,
        ) {
            rows.extend(changes.put.iter().map(|row| (key(row), row.clone())));
            for gone in &changes.gone {
                rows.remove(gone);
            }
        }
        table(&mut self.accounts, &changes.accounts, |row| row.id);
        table(&mut self.characters, &changes.characters, |row| row.id);
        table(&mut self.rooms, &changes.rooms, |row| row.id);
        table(&mut self.exits, &changes.exits, |row| row.id);
        table(&mut self.items, &changes.items, |row| row.id);
        table(&mut self.branches, &changes.branches, |row| row.id);
        table(&mut self.floors, &changes.floors, |row| row.id);
        table(&mut self.start_tasks, &changes.start_tasks, |row| row.room);
        table(&mut self.parties, &changes.parties, |row| row.id);
        table(&mut self.reports, &changes.reports, |row| row.id);
        if let Some(meta) = &changes.meta {
            self.meta = Some(meta.clone());
        }
        self.audit.extend(changes.audit.iter().cloned());
        self.ledger.extend(changes.ledger.iter().cloned());
    }
}

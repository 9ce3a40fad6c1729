//! List of all tables of the world. A new table needs a line here, a file for its row, and a migration.

use crate::base::{
    AccountId, AuditId, BanId, BranchId, CharacterId, DefinitionId, ExitId, FloorId, ItemId, JournalId,
    MailId, NoteId, PartyId, ReportId, RoomId, VariableId,
};
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// Passes the list of all tables to a macro: name, row type, the field with the row's id, and the type of the
/// table. Rows are written and compared in this order.
#[macro_export]
macro_rules! for_each_table {
    ($then:ident) => {
        $then! {
            /// Accounts. Names are added and removed by [`World::add_account`](crate::world::World::add_account) and
            /// [`World::remove_account`](crate::world::World::remove_account).
            accounts: Account by id: AccountId as Accounts;
            /// Characters. Only `location` moves them.
            characters: Character by id: CharacterId as Table<Character>;
            /// Rooms.
            rooms: Room by id: RoomId as Rooms;
            /// Exits.
            exits: Exit by id: ExitId as Exits;
            /// Items. Only `location` moves them.
            items: Item by id: ItemId as Table<Item>;
            /// Branches.
            branches: Branch by id: BranchId as Branches;
            /// Floors of branches.
            floors: Floor by id: FloorId as Table<Floor>;
            /// Tasks of start rooms, by room.
            start_tasks: StartTasks by room: RoomId as Table<StartTasks>;
            /// Parties.
            parties: Party by id: PartyId as Parties;
            /// Unsettled reports from players.
            reports: Report by id: ReportId as Table<Report>;
            /// Bans of accounts and address ranges.
            bans: Ban by id: BanId as Table<Ban>;
            /// Audit log of staff actions.
            audit: AuditRecord by id: AuditId as AuditLog;
            /// Build journal.
            journal: JournalEntry by id: JournalId as Journal;
            /// Content definitions created in the game.
            definitions: Definition by id: DefinitionId as Definitions;
            /// Values of variables.
            variables: Variable by id: VariableId as Variables;
            /// Mail.
            mails: Mail by id: MailId as Mails;
            /// Notes on boards.
            notes: Note by id: NoteId as Notes;
            /// Imports of zone files that take several steps and are not complete.
            imports: PendingImport by id: JournalId as Table<PendingImport>;
            /// Expeditions, by the branch that belongs to them.
            expeditions: Expedition by branch: BranchId as Expeditions;
        }
    };
}
pub use for_each_table;

/// Row of a table.
pub trait Row: Clone {
    /// Id type, unique within the table.
    type Id: Ord + Hash + Copy + Debug + Display + Into<u64>;
    /// Name of the table.
    const TABLE: &'static str;
    /// Name of the id field, which is the primary key.
    const KEY: &'static str;

    /// Returns the id.
    fn id(&self) -> Self::Id;
}

macro_rules! rows {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {$(
        impl Row for crate::world::$row {
            type Id = $id;
            const TABLE: &'static str = stringify!($table);
            const KEY: &'static str = stringify!($key);

            fn id(&self) -> $id {
                self.$key
            }
        }
    )*};
}
for_each_table!(rows);

//! Every table of the world, once. A new one is a line here, the file of its row, and a migration.

use crate::base::{
    AccountId, AuditId, BanId, BranchId, CharacterId, DefinitionId, ExitId, FloorId, ItemId, JournalId,
    PartyId, ReportId, RoomId,
};
use std::fmt::{Debug, Display};

/// Hands the list of all tables to a macro: name, row, and the field with the row's id. Rows are written and compared
/// in this order.
macro_rules! for_each_table {
    ($then:ident) => {
        $then! {
            /// Accounts. Names enter and leave by [`World::add_account`](crate::world::World::add_account).
            accounts: Account by id: AccountId;
            /// Characters. Where they are is `location`'s.
            characters: Character by id: CharacterId;
            /// Rooms.
            rooms: Room by id: RoomId;
            /// Exits.
            exits: Exit by id: ExitId;
            /// Items. Where they are is `location`'s.
            items: Item by id: ItemId;
            /// Branches.
            branches: Branch by id: BranchId;
            /// Floors of branches.
            floors: Floor by id: FloorId;
            /// The tasks of start rooms, by room.
            start_tasks: StartTasks by room: RoomId;
            /// Parties. Who is in which is `party`'s.
            parties: Party by id: PartyId;
            /// What players have reported and staff has not settled.
            reports: Report by id: ReportId;
            /// Whom staff keep out.
            bans: Ban by id: BanId;
            /// What staff did.
            audit: AuditRecord by id: AuditId;
            /// What builders changed.
            journal: JournalEntry by id: JournalId;
            /// What of the content was made in the game.
            definitions: Definition by id: DefinitionId;
        }
    };
}
pub(crate) use for_each_table;

/// A row of a table.
pub trait Row: Clone {
    /// What tells rows of one table apart.
    type Id: Ord + Copy + Debug + Display + Into<u64>;
    /// The name of the table.
    const TABLE: &'static str;
    /// The field with the id, which is the primary key.
    const KEY: &'static str;

    /// Its id.
    fn id(&self) -> Self::Id;
}

macro_rules! rows {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {$(
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

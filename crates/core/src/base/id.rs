//! Ids. Each is allocated from a counter stored with the world, so none is reused.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$name> for u64 {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    )*};
}

ids! {
    /// Id of a room. Clients see it as `num`: a positive 31-bit integer.
    RoomId(u32);
    /// Id of a directed exit.
    ExitId(u64);
    /// Id of a character, player or creature.
    CharacterId(u64);
    /// Id of an item.
    ItemId(u64);
    /// Id of a branch of the dungeon.
    BranchId(u32);
    /// Id of a floor of a branch.
    FloorId(u64);
    /// Id of a party.
    PartyId(u32);
    /// Id of a player's report.
    ReportId(u32);
    /// Id of a ban.
    BanId(u32);
    /// Id of an audit record.
    AuditId(u64);
    /// Number of a build journal entry, or of an undo.
    JournalId(u64);
    /// Id of a content definition created in the game.
    DefinitionId(u32);
    /// Id of a value of a builder's variable.
    VariableId(u64);
    /// Id of a mail.
    MailId(u64);
    /// Id of a note on a board.
    NoteId(u64);
    /// Id of an account.
    AccountId(u32);
    /// Id of a connected client; valid for one run of the process and never stored.
    SessionId(u64);
}

impl FloorId {
    /// Returns the id of a numbered floor. Branch ids are never reused, so floor ids are not either.
    pub const fn of(branch: BranchId, number: u32) -> Self {
        Self(((branch.0 as u64) << 32) | number as u64)
    }
}

impl RoomId {
    /// Largest room number that mappers accept: a positive 31-bit integer.
    pub const MAX: u32 = 0x7fff_ffff;
}

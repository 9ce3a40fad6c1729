//! Identities. Each is handed out by a counter that is stored with the world, so none is ever used twice.

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
    /// A room. Clients see it as `num`: a positive 31-bit integer.
    RoomId(u32);
    /// A directed exit of a room.
    ExitId(u64);
    /// A body: a player's or a mob's.
    CharacterId(u64);
    /// A thing that can lie, be carried or be worn.
    ItemId(u64);
    /// A generated branch of the dungeon.
    BranchId(u32);
    /// A floor of a branch.
    FloorId(u64);
    /// Players who go together.
    PartyId(u32);
    /// What a player has reported to staff.
    ReportId(u32);
    /// Somebody whom staff keep out.
    BanId(u32);
    /// A line in the book of what staff did.
    AuditId(u64);
    /// An entry of the journal of what was built, and each undoing of one.
    JournalId(u64);
    /// Something of the content that was made in the game.
    DefinitionId(u32);
    /// Who logs in; owns characters.
    AccountId(u32);
    /// One connected client; valid for one run of the process and never stored.
    SessionId(u64);
}

impl FloorId {
    /// The floor of a branch with a number. Branches are never used twice, so neither is this.
    pub const fn of(branch: BranchId, number: u32) -> Self {
        Self(((branch.0 as u64) << 32) | number as u64)
    }
}

impl RoomId {
    /// The greatest room number that mappers accept: a positive 31-bit integer.
    pub const MAX: u32 = 0x7fff_ffff;
}

//! State and its invariants; no rules.

pub mod account;
pub mod branch;
pub mod character;
pub mod exit;
pub mod item;
pub mod meta;
pub mod record;
pub mod room;

pub use account::{Account, Role, Settings};
pub use branch::Branch;
pub use character::Character;
pub use exit::{Exit, ExitKind, ExitState};
pub use item::{Item, Place};
pub use meta::Meta;
pub use record::{Changes, Snapshot};
pub use room::{Challenge, Room, RoomKind};

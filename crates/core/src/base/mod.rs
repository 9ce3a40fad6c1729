//! Basic types for every layer: ids, time, random numbers, the grid, limits. Nothing here depends on rooms or players.

pub mod address;
pub mod amount;
pub mod budgets;
pub mod colour;
pub mod coordinates;
pub mod digest;
pub mod facts;
pub mod grid;
pub mod id;
pub mod kept;
pub mod keyed;
pub mod kind;
pub mod limits;
pub mod listed;
pub mod rare;
pub mod retired_field;
pub mod rights;
pub mod rng;
pub mod rule_limit;
pub mod shared;
pub mod tally;
pub mod time;
pub mod unicode;
pub mod work;

pub use colour::{ColourLevel, Palette};
pub use coordinates::{Coordinates, FreePlaces};
pub use digest::Digest;
pub use grid::{Direction, Point};
pub use id::{
    AccountId, AuditId, BanId, BranchId, CharacterId, DefinitionId, ExitId, FloorId, ItemId, JournalId,
    MailId, NoteId, PartyId, ReportId, RoomId, SessionId, VariableId,
};
pub use kept::Kept;
pub use keyed::Keyed;
pub use kind::{ExitKind, ExitState, Slot};
pub use listed::listed;
pub use rare::Rare;
pub use retired_field::RetiredField;
pub use rights::{Right, Rights};
pub use rng::{Dice, Rng, Seed};
pub use rule_limit::RuleLimit;
pub use shared::Shared;
pub use tally::Tally;
pub use time::{GameTime, Span};
pub use work::WorkMeter;

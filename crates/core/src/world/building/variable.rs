//! Values of builders' variables. A row holds one value of one object, so that a change writes one row. An object without
//! a row has the default of the declaration.

use crate::base::{BranchId, CharacterId, GameTime, ItemId, RoomId, VariableId};
use crate::catalog::VariableValue;
use serde::{Deserialize, Serialize};

/// Object that has values of variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariableOwner {
    /// Zone that declares the variable.
    Zone,
    /// Character of a player, or creature.
    Character(CharacterId),
    /// Item.
    Item(ItemId),
    /// Room.
    Room(RoomId),
    /// Branch.
    Branch(BranchId),
}

/// Value of a variable of one object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Unique id.
    pub id: VariableId,
    /// Object that has the value.
    pub owner: VariableOwner,
    /// Zone and name: `mill/bells`.
    pub name: String,
    /// Value.
    pub value: VariableValue,
    /// Time of the last change.
    pub at: GameTime,
    /// Branch that its character was in at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchId>,
}

//! Items and money: stacks, inventory, equipment, trade.

pub(crate) mod equipment;
pub(crate) mod inventory;
pub(crate) mod lid;
pub(crate) mod light;
pub(crate) mod money;
pub(crate) mod shop;
pub(crate) mod stacks;
pub(crate) mod trade;

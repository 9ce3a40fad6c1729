//! Items and money: stacks, inventory, equipment, trade, banks and healers.

pub(crate) mod bank;
pub(crate) mod equipment;
pub(crate) mod healer;
pub(crate) mod inventory;
pub(crate) mod lid;
pub(crate) mod light;
pub(crate) mod money;
pub(crate) mod shop;
pub(crate) mod stacks;
pub(crate) mod trade;

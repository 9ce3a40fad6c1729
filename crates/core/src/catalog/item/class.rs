//! Classes of items.

use crate::base::listed;

listed! {
    /// Class of an item, by its use.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum ItemClass {
        /// Item without a use.
        #[default]
        Trinket = "trinket",
        /// Item that is wielded.
        Weapon = "weapon",
        /// Item that is worn.
        Armour = "armour",
        /// Consumable that is drunk or applied.
        Potion = "potion",
        /// Consumable that is eaten.
        Food = "food",
        /// Money.
        Coin = "coin",
        /// Item that contains other items.
        Container = "container",
        /// Remains of a creature, with its possessions.
        Corpse = "corpse",
    }
}

impl ItemClass {
    /// Returns `true` if builders may place such an item. Coins and corpses are created only by the game.
    pub const fn may_be_placed(self) -> bool {
        !matches!(self, Self::Coin | Self::Corpse)
    }
}

//! Lookup of the prototypes of items and creatures.

use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::{CreaturePrototype, ItemClass, ItemPrototype};

/// Returns the prototype of an item, or `None` if the content no longer has it.
pub(crate) fn kind_of(turn: &Turn, item: ItemId) -> Option<&ItemPrototype> {
    turn.catalog.items.get(&turn.world.items.get(item)?.prototype)
}

/// Returns the class of an item; [`ItemClass::Trinket`] without a prototype.
pub(crate) fn class_of(turn: &Turn, item: ItemId) -> ItemClass {
    kind_of(turn, item).map_or(ItemClass::Trinket, |prototype| prototype.class)
}

/// Returns the prototype of a creature that carries the prototype's name; `None` if it has been renamed.
pub(crate) fn unrenamed_prototype(turn: &Turn, creature: CharacterId) -> Option<&CreaturePrototype> {
    let body = &turn.world.characters[creature];
    creature_prototype(turn, creature).filter(|prototype| prototype.name == body.name)
}

/// Returns the prototype of a creature; `None` for a player.
pub(crate) fn creature_prototype(turn: &Turn, creature: CharacterId) -> Option<&CreaturePrototype> {
    turn.catalog.creatures.get(turn.world.characters.get(creature)?.prototype.as_ref()?)
}

/// Converts a number from the content to game points; too large a number saturates.
pub(crate) fn points(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

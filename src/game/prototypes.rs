//! What a thing or a creature is by its prototype.

use crate::base::{CharacterId, ItemId};
use crate::catalog::{ItemClass, ItemPrototype, MobPrototype};
use crate::game::turn::Turn;

/// What a thing is an instance of; none if the content no longer knows it.
pub(crate) fn kind_of(turn: &Turn, item: ItemId) -> Option<&ItemPrototype> {
    turn.catalog.items.get(&turn.world.items.get(item)?.prototype)
}

/// What one does with a thing.
pub(crate) fn class_of(turn: &Turn, item: ItemId) -> ItemClass {
    kind_of(turn, item).map_or(ItemClass::Trinket, |prototype| prototype.class)
}

/// The prototype of a creature that has no name of its own.
pub(crate) fn kind_it_is_called(turn: &Turn, mob: CharacterId) -> Option<&MobPrototype> {
    let body = &turn.world.characters[mob];
    mob_prototype(turn, mob).filter(|prototype| prototype.name == body.name)
}

/// The prototype of a creature; none of a player.
pub(crate) fn mob_prototype(turn: &Turn, mob: CharacterId) -> Option<&MobPrototype> {
    turn.catalog.mobs.get(turn.world.characters.get(mob)?.mob.as_ref()?)
}

/// A number of content as the world counts.
pub(super) fn points(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

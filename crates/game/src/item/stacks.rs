//! Stacking of items at a place, and removal of the oldest items from a full room.

use crate::effect::Class;
use crate::message::{naming, tell};
use crate::turn::Turn;
use deepwell_core::base::{ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::ItemClass;
use deepwell_core::world::{Item, Place, VariableOwner};

/// Returns the items at a place, oldest first.
pub(crate) fn items_at(turn: &Turn, place: Place) -> &[ItemId] {
    match place {
        Place::Room(room) => turn.world.ground(room),
        Place::Holder(holder) => turn.world.carried(holder),
        Place::Inside(container) => turn.world.contents(container),
        Place::Mail(mail) => turn.world.attached(mail),
    }
}

/// Returns the number of items inside containers at a place.
pub(crate) fn nested_at(turn: &Turn, place: Place) -> usize {
    items_at(turn, place).iter().map(|item| turn.world.with_contents(*item).len() - 1).sum()
}

/// Returns the stack at a place that `count` of this item can join.
pub(crate) fn stack_for(turn: &Turn, item: &Item, count: u32, place: Place) -> Option<ItemId> {
    let prototype = turn.catalog.items.get(&item.prototype).filter(|prototype| prototype.stacks)?;
    let limits = &turn.config.limits;
    let most = if prototype.class == ItemClass::Coin { limits.coins } else { limits.stack };
    let fits = |other: &ItemId| {
        let there = &turn.world.items[*other];
        *other != item.id
            && there.prototype == item.prototype
            && there.copper == item.copper
            && there.label == item.label
            && there.worn.is_none()
            && there.triggers == item.triggers
            && turn.world.parties.rolled_for(*other).is_none()
            && [*other, item.id].iter().all(|item| !turn.world.variables.has_any(VariableOwner::Item(*item)))
            && (there.found_in, there.owner, there.owner_until, there.gone_at)
                == (item.found_in, item.owner, item.owner_until, item.gone_at)
            && there.count.saturating_add(count) <= most
    };
    items_at(turn, place).iter().copied().find(fits)
}

/// Moves an item, or `count` of a stack, and joins it to a matching stack. Returns the resulting item.
pub(crate) fn move_and_stack(turn: &mut Turn, item: ItemId, count: u32, to: Place) -> ItemId {
    let part = turn.world.split_item(item, count);
    turn.world.move_item(part, to);
    stack_up(turn, part)
}

/// Joins an item to a matching stack at its place. Returns the resulting item.
pub(crate) fn stack_up(turn: &mut Turn, item: ItemId) -> ItemId {
    let row = &turn.world.items[item];
    match stack_for(turn, row, row.count, row.place) {
        Some(stack) if row.worn.is_none() => {
            turn.world.join_items(item, stack);
            stack
        }
        _ => item,
    }
}

/// Calls [`trim_ground`] if the item is still in the room. It may have been taken or joined to a stack.
pub(crate) fn trim_ground_if_present(turn: &mut Turn, room: RoomId, newest: ItemId) {
    if turn.world.items.get(newest).is_some_and(|row| row.place == Place::Room(room)) {
        trim_ground(turn, room, newest);
    }
}

/// Removes the oldest items from a room over its limit: items without an owner first, then owned items. The newest item
/// stays.
pub(crate) fn trim_ground(turn: &mut Turn, room: RoomId, newest: ItemId) {
    let limits = turn.config.limits.clone();
    let place = Place::Room(room);
    loop {
        let is_high = turn.world.ground(room).len() > limits.items_in_room as usize;
        if !is_high && nested_at(turn, place) <= limits.items_nested as usize {
            return;
        }
        let others = || turn.world.ground(room).iter().copied().filter(|other| *other != newest);
        let free = |item: &ItemId| {
            let until = turn.world.items[*item].owner_until;
            turn.world.parties.rolled_for(*item).is_none() && until.is_none_or(|until| until <= turn.now)
        };
        let Some(oldest) = others().find(free).or_else(|| others().next()) else { return };
        let count = turn.world.items[oldest].count;
        let (lost, are) = (naming::stack_words(turn, oldest, count), if count == 1 { "is" } else { "are" });
        turn.world.remove_item(oldest, "trodden");
        turn.outbox.count_limit(if is_high { RuleLimit::ItemsInRoom } else { RuleLimit::ItemsNested });
        tell::tell_room(
            turn,
            room,
            &[],
            Class::Notice,
            format!("The heap is too high: {lost} {are} trodden to pieces."),
        );
    }
}

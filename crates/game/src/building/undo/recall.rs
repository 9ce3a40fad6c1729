//! Recall of items whose kind is deleted by an undo: they are removed from inventories, floors and containers, and
//! their holders are notified.

use super::plan::UndoPlan;
use crate::effect::Class;
use crate::item::{equipment, inventory, stacks};
use crate::message::{naming, tell};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::DefinitionKind;
use deepwell_core::text::grammar;
use deepwell_core::world::Place;

/// Removes all items of deleted kinds that no file defines. Returns lines for the builder about items held by players.
pub(super) fn recall_items(turn: &mut Turn, plan: &UndoPlan) -> Vec<String> {
    let rows = plan.definitions.out.iter().filter_map(|id| turn.world.definitions.get(*id));
    let gone = rows.filter(|row| {
        row.kind == DefinitionKind::Item && turn.of_files.text_of_file(row.kind, &row.key).is_none()
    });
    let keys: Vec<String> = gone.map(|row| row.key.clone()).collect();
    recall_kinds(turn, &keys)
}

/// Removes all items of some kinds. Returns lines for the builder about items held by players.
pub(crate) fn recall_kinds(turn: &mut Turn, keys: &[String]) -> Vec<String> {
    let is_meant = |prototype: &String| keys.contains(prototype);
    let items: Vec<ItemId> =
        turn.world.items.iter().filter(|(_, item)| is_meant(&item.prototype)).map(|(id, _)| id).collect();
    items.into_iter().filter_map(|item| recall(turn, item)).collect()
}

/// Removes an item or a whole stack, but not its contents. Returns a line about the holder, if a player held it.
fn recall(turn: &mut Turn, item: ItemId) -> Option<String> {
    let (place, count) = turn.world.items.get(item).map(|row| (row.place, row.count))?;
    let root = turn.world.root(item);
    let stack = grammar::capitalise(&naming::stack_words(turn, item, count)).into_owned();
    let is_empty = turn.world.contents(item).is_empty();
    let holder = match root {
        Some(Place::Holder(holder)) => turn.world.characters.get(holder).map(|body| body.id),
        _ => None,
    };
    replace_by_contents(turn, item, place);
    let holder = holder?;
    equipment::after_gear_change(turn, holder);
    let (is, it) = if count == 1 { ("is", "it") } else { ("are", "them") };
    let left = if is_empty { "" } else { " What was inside stays with you." };
    let message = format!("{stack} {is} no more: the builder has taken {it} back.{left}");
    tell::tell(turn, holder, Class::Notice, message.as_str());
    let body = &turn.world.characters[holder];
    body.is_player().then(|| format!("{stack} that {} had {is} gone with it.", body.name))
}

/// Removes an item. Its contents take its place, or drop to the floor if the holder's hands are full.
pub(super) fn replace_by_contents(turn: &mut Turn, item: ItemId, place: Place) {
    let inside = turn.world.contents(item).to_vec();
    for content in &inside {
        let to = match place {
            Place::Holder(who) => place_for(turn, who, *content),
            Place::Room(_) | Place::Inside(_) | Place::Mail(_) => place,
        };
        turn.world.move_item(*content, to);
    }
    turn.world.remove_item(item, super::WHY);
    for content in inside.iter().copied() {
        if turn.world.items.get(content).is_none() {
            continue;
        }
        let joined = stacks::stack_up(turn, content);
        if let Place::Room(room) = turn.world.items[joined].place {
            stacks::trim_ground(turn, room, joined);
        }
    }
}

/// Returns the place for the contents of a recalled container: the holder's inventory, or the floor if it is full.
fn place_for(turn: &Turn, who: CharacterId, item: ItemId) -> Place {
    let count = turn.world.items[item].count;
    if inventory::can_carry(turn, who, item, count) {
        return Place::Holder(who);
    }
    Place::Room(turn.world.characters[who].room)
}

//! Corpses: contents, loot ownership and decay. A creature without items leaves no corpse.

use crate::character::spawn;
use crate::effect::Class;
use crate::item::{inventory, stacks};
use crate::message::{naming, tell};
use crate::party::{members, roll};
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::catalog::{ItemClass, Rules};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Item, LootChoice, Place};

/// Puts the creature's items into a corpse owned by the winner. A winner without party companions who has `loot` set to
/// automatic takes them immediately.
pub(crate) fn leave_corpse(turn: &mut Turn, victim: CharacterId, winner: CharacterId, items: &[String]) {
    let room = turn.world.characters[victim].room;
    let place = make_corpse(turn, victim, winner, room);
    for item in turn.world.carried(victim).to_vec() {
        turn.world.move_item(item, place);
    }
    for key in items {
        spawn::spawn_item(turn, key, place, "loot");
    }
    let (items, what) = match place {
        Place::Inside(corpse) => (turn.world.contents(corpse).to_vec(), naming::the_item(turn, corpse)),
        _ => (Vec::new(), String::new()),
    };
    if items.is_empty() {
        return;
    }
    let Place::Inside(corpse) = place else { return };
    let near = turn.world.characters[winner].room == room;
    // A winner who takes all items gets one message: that of taking them.
    let taker = Some(winner).filter(|winner| near && has_auto_loot(turn, *winner));
    let takes_all = taker.is_some_and(|taker| {
        items.iter().all(|item| inventory::can_carry(turn, taker, *item, turn.world.items[*item].count))
    });
    let quiet: &[CharacterId] = if takes_all { &[winner] } else { &[] };
    let names = naming::grouped(turn, &items).into_iter().map(|(name, _)| name);
    let text = format!("{} holds {}.", grammar::capitalise(&what), grammar::list(names));
    tell::tell_room(turn, room, quiet, Class::Notice, Markup::styled(Style::Item, &text));
    stacks::trim_ground(turn, room, corpse);
    // If a companion won in another room, the items stay in the corpse for its master.
    if let Some(taker) = taker {
        inventory::take_together(turn, taker, &items, corpse);
    } else if near {
        for item in items {
            roll::award_item(turn, item, winner);
        }
    }
    if turn.world.items.get(corpse).is_some() {
        inventory::clear_away(turn, corpse);
    }
}

/// Returns `true` if the player is alone and has automatic looting switched on.
fn has_auto_loot(turn: &Turn, who: CharacterId) -> bool {
    let account = turn.world.characters[who].account.and_then(|id| turn.world.accounts.get(id));
    let alone = members::companions_of(turn, who, turn.world.characters[who].room).len() <= 1;
    alone && account.is_some_and(|account| account.settings.loot == LootChoice::Auto)
}

/// Creates an empty corpse. Returns the ground if the content defines no corpse.
fn make_corpse(turn: &mut Turn, victim: CharacterId, winner: CharacterId, room: RoomId) -> Place {
    let of = naming::creature_with_article(turn, victim);
    let kind = turn.catalog.items.values().find(|item| item.class == ItemClass::Corpse);
    let Some(key) = kind.map(|kind| kind.key.clone()) else { return Place::Room(room) };
    let times = turn.catalog.rules.corpse;
    let gone_at = turn.now + Rules::secs(times.gone_secs);
    let id = turn.world.new_item_id();
    let corpse = Item {
        label: Some(format!("corpse of {of}")),
        owner: Some(winner),
        owner_until: Some(turn.now + Rules::secs(times.owner_secs)),
        gone_at: Some(gone_at),
        found_in: turn.world.rooms[room].branch,
        ..Item::new(id, &key, Place::Room(room), turn.now)
    };
    turn.world.add_item(corpse, "death");
    turn.timers.schedule(gone_at, Timer::Crumble(id));
    Place::Inside(id)
}

/// Marks where a player falls in a branch; the mark holds what is lost there. Returns `None` elsewhere, and if the content has
/// no such item.
pub(crate) fn raise_cairn(turn: &mut Turn, who: CharacterId) -> Option<ItemId> {
    let body = &turn.world.characters[who];
    let room = body.room;
    let found_in = Some(turn.world.rooms[room].branch?);
    let key = turn.catalog.items.values().find(|item| item.marks_falls)?.key.clone();
    let id = turn.world.new_item_id();
    let cairn = Item {
        owner: Some(who),
        // All players may take what it holds.
        owner_until: Some(turn.now),
        found_in,
        ..Item::new(id, &key, Place::Room(room), turn.now)
    };
    turn.world.add_item(cairn, "defeat");
    Some(id)
}

/// Removes an expired item and leaves its contents in its place.
pub(crate) fn crumble(turn: &mut Turn, item: ItemId) {
    let Some(row) = turn.world.items.get(item) else { return };
    if row.gone_at.is_none_or(|at| at > turn.now) {
        return;
    }
    let (place, lies_at) = (row.place, turn.world.root(item));
    let what = grammar::capitalise(&naming::the_item(turn, item)).into_owned();
    let items = turn.world.contents(item).to_vec();
    let names: Vec<String> = naming::grouped(turn, &items).into_iter().map(|(name, _)| name).collect();
    for inside in &items {
        turn.world.move_item(*inside, place);
    }
    turn.world.remove_item(item, "crumbled");
    let Some(Place::Room(room)) = lies_at else { return };
    let message = if names.is_empty() {
        format!("{what} crumbles to dust.")
    } else {
        format!("{what} crumbles to dust and leaves {} on the floor.", grammar::list(&names))
    };
    tell::tell_room(turn, room, &[], Class::Notice, Markup::plain(&message));
    for inside in items {
        if turn.world.items.get(inside).is_some() {
            let joined = stacks::stack_up(turn, inside);
            stacks::trim_ground(turn, room, joined);
        }
    }
}

/// Moves corpses with an owner, and packs from outside the branch, to the start room before their room is deleted.
pub(crate) fn save_belongings(turn: &mut Turn, room: RoomId, start: RoomId) {
    let owned = |item: &ItemId| {
        let row = &turn.world.items[*item];
        let pack = prototypes::class_of(turn, *item) == ItemClass::Container && row.found_in.is_none();
        pack || row.owner_until.is_some_and(|until| until > turn.now)
    };
    let saved: Vec<ItemId> = turn.world.ground(room).iter().copied().filter(owned).collect();
    for item in saved {
        turn.world.move_item(item, Place::Room(start));
        for inside in turn.world.with_contents(item) {
            turn.world.items.change(inside, |row| row.found_in = None);
        }
        stacks::trim_ground(turn, start, item);
    }
}

//! Items and money for tests, inserted into the stored world between two starts together with the totals.

use crate::table::Table;
use deepwell::base::{ItemId, RoomId};
use deepwell::catalog::RoomKind;
use deepwell::world::{Item, Place, Snapshot};

/// Inserts a stack of items. Returns its id.
pub(crate) fn put(stored: &mut Snapshot, key: &str, count: u32, place: Place) -> ItemId {
    let meta = stored.meta.as_mut().expect("a world that was stored");
    let id = ItemId(meta.next_item);
    meta.next_item += 1;
    let stock = meta.stock.entry(key.to_owned()).or_default();
    stock.made += i64::from(count);
    stored.items.insert(id, Item { count, ..Item::new(id, key, place, meta.time) });
    id
}

/// Gives a player items, by kind and count.
pub(crate) fn grant(table: &mut Table, name: &str, things: &[(&str, u32)]) -> Vec<ItemId> {
    let who = table.body(name).id;
    let mut ids = Vec::new();
    table.edit_stored(|stored| {
        ids = things.iter().map(|(key, count)| put(stored, key, *count, Place::Holder(who))).collect();
    });
    ids
}

/// Puts items on the floor of a player's room.
pub(crate) fn put_on_floor(table: &mut Table, name: &str, things: &[(&str, u32)]) -> Vec<ItemId> {
    let room = table.body(name).room;
    let mut ids = Vec::new();
    table.edit_stored(|stored| {
        ids = things.iter().map(|(key, count)| put(stored, key, *count, Place::Room(room))).collect();
    });
    ids
}

/// Adds coppers to a player's purse.
pub(crate) fn add_money(table: &mut Table, name: &str, copper: i64) {
    let who = table.body(name).id;
    table.edit_stored(|stored| {
        stored.characters.get_mut(&who).expect("a stored body").money.purse += copper;
        stored.meta.as_mut().expect("a world that was stored").money.made += copper;
    });
}

/// Sets the number of coppers in a player's purse.
pub(crate) fn set_money(table: &mut Table, name: &str, copper: i64) {
    let owned = purse(table, name);
    add_money(table, name, copper - owned);
}

/// Changes the kind and stock of a player's room.
pub(crate) fn set_room_kind(table: &mut Table, name: &str, kind: RoomKind, stock: &[&str]) -> RoomId {
    let room = table.body(name).room;
    table.edit_stored(|stored| {
        let row = stored.rooms.get_mut(&room).expect("a stored room");
        row.sheet.kind = kind;
        row.stock = stock.iter().map(|key| (*key).to_owned()).collect();
    });
    room
}

/// Returns the number of items of a kind that a player carries or wears.
pub(crate) fn has(table: &Table, name: &str, key: &str) -> u32 {
    let carried = table.world().carried(table.body(name).id);
    let of_kind = carried.iter().map(|id| &table.world().items[*id]).filter(|item| item.prototype == key);
    of_kind.map(|item| item.count).sum()
}

/// Returns the money in a player's purse.
pub(crate) fn purse(table: &Table, name: &str) -> i64 {
    table.body(name).money.purse
}

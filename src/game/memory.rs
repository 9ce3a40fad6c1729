//! What the members of a branch know of rooms they are not in: what lay there when the last of them left, and stairs.
//! It is one memory for all of them, and it may be out of date.

use crate::base::RoomId;
use crate::game::turn::Turn;
use crate::game::{naming, rooms};
use crate::text::grammar;
use crate::world::Memory;
use std::collections::BTreeMap;

/// What is known of a room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Recollection {
    /// Whether the stairs down are in it.
    pub(crate) stairs: bool,
    /// What somebody may do there: "a merchant".
    pub(crate) feature: Option<&'static str>,
    /// Things that lay there, as "a clay lamp" and "three torch stubs".
    pub(crate) things: Vec<String>,
    /// Whether somebody of the branch is there and sees it just now.
    pub(crate) seen_now: bool,
}

impl Recollection {
    /// "stairs down, a clay lamp and a tin cup"; none if nothing is known.
    pub(crate) fn words(&self) -> Option<String> {
        let stairs = self.stairs.then(|| "stairs down".to_owned());
        let feature = self.feature.map(str::to_owned);
        let all: Vec<String> = stairs.into_iter().chain(feature).chain(self.things.iter().cloned()).collect();
        (!all.is_empty()).then(|| grammar::list(&all))
    }
}

/// A player is gone from a room; if it was the last one, what lies there is remembered.
pub(crate) fn remember_if_deserted(turn: &mut Turn, room: RoomId) {
    if !is_watched(turn, room) {
        remember_room(turn, room);
    }
}

/// Whether a player is there to see what happens.
fn is_watched(turn: &Turn, room: RoomId) -> bool {
    turn.world.occupants(room).iter().any(|who| turn.world.characters[*who].is_player())
}

/// What lies in a room is remembered.
fn remember_room(turn: &mut Turn, room: RoomId) {
    // The room may have gone with its branch when the last of its members left.
    if turn.world.rooms.get(room).is_none_or(|row| row.branch.is_none()) {
        return;
    }
    let items = things_by_kind(turn, room);
    let memory = (!items.is_empty()).then_some(Memory { items });
    if turn.world.rooms[room].memory != memory {
        turn.world.rooms.change(room, |row| row.memory = memory);
    }
}

fn things_by_kind(turn: &Turn, room: RoomId) -> BTreeMap<String, u32> {
    let mut items: BTreeMap<String, u32> = BTreeMap::new();
    for id in turn.world.ground(room) {
        let item = &turn.world.items[*id];
        let count = items.entry(item.prototype.clone()).or_default();
        *count = count.saturating_add(item.count);
    }
    items
}

/// What is known of a room of a branch that one is not in; nothing of a room under a web.
pub(crate) fn recollection(turn: &Turn, room: RoomId) -> Recollection {
    let row = &turn.world.rooms[room];
    if row.web || row.branch.is_none() {
        return Recollection::default();
    }
    let seen_now = is_watched(turn, room);
    let items = match (&row.memory, seen_now) {
        (_, true) => things_by_kind(turn, room),
        (Some(memory), false) => memory.items.clone(),
        (None, false) => BTreeMap::new(),
    };
    let things = items.iter().map(|(key, count)| naming::item_words(turn, key, *count as usize)).collect();
    let stairs = rooms::stairs_down(turn, room).is_some();
    Recollection { stairs, feature: row.kind.spec().remembered, things, seen_now }
}

/// Whether a room is remembered by a word: its stairs, what it is for, or a thing that lay there.
pub(crate) fn is_recalled(turn: &Turn, room: RoomId, word: &str) -> bool {
    let known = recollection(turn, room);
    let named = |thing: &String| thing.to_lowercase().split(' ').any(|part| part.starts_with(word));
    match word {
        "stairs" | "stair" => known.stairs,
        "shop" => turn.world.rooms[room].kind.spec().sells.is_some(),
        _ if word.len() < 3 => false,
        _ => known.feature.is_some_and(|what| what.ends_with(word)) || known.things.iter().any(named),
    }
}

//! What somebody knows of the branch they are in: the rooms they have been in themselves, with what lay there when they
//! left, and stairs. It may be out of date.

use crate::base::{CharacterId, RoomId};
use crate::game::turn::Turn;
use crate::game::{naming, rooms};
use crate::text::grammar;
use crate::world::{Memory, Room};
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

/// Whether somebody knows a room: everybody knows those that were dug by hand, and whoever is in a branch those of its
/// rooms in which they were. The inside of a puzzle is one board, which lies open to whoever is in it.
pub(crate) fn knows(turn: &Turn, who: CharacterId, room: RoomId) -> bool {
    let (body, row) = (&turn.world.characters[who], &turn.world.rooms[room]);
    let is_inside = || turn.world.rooms[body.room].floor == row.floor && turn.world.puzzle_at(room).is_some();
    let in_branch = || row.branch == body.branch && (row.memories.contains_key(&who) || is_inside());
    body.room == room || row.branch.is_none() || in_branch()
}

/// A player has left a room: what lies there now is what they remember.
pub(crate) fn remember_room(turn: &mut Turn, who: CharacterId, room: RoomId) {
    // The room may have gone with its branch when the last of its members left.
    if turn.world.rooms.get(room).is_none_or(|row| row.branch.is_none()) {
        return;
    }
    let memory = Memory { items: things_by_kind(turn, room) };
    if turn.world.rooms[room].memories.get(&who) == Some(&memory) {
        return;
    }
    let forgetful = who_forgets(turn, who, &turn.world.rooms[room]);
    turn.world.rooms.change(room, |row| {
        row.memories.insert(who, memory);
        forgetful.map(|other| row.memories.remove(&other));
    });
}

/// Who forgets a room so that one more may remember it: somebody who has left the branch, or else who came first.
fn who_forgets(turn: &Turn, who: CharacterId, room: &Room) -> Option<CharacterId> {
    let most = turn.config.limits.room_memories as usize;
    if room.memories.contains_key(&who) || room.memories.len() < most {
        return None;
    }
    let gone = |other: &&CharacterId| {
        turn.world.characters.get(**other).is_none_or(|body| body.branch != room.branch)
    };
    room.memories.keys().find(gone).or_else(|| room.memories.keys().next()).copied()
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

/// What somebody knows of a room of their branch that they are not in; nothing of a room under a web.
pub(crate) fn recollection(turn: &Turn, who: CharacterId, room: RoomId) -> Recollection {
    let row = &turn.world.rooms[room];
    if row.web || row.branch.is_none() || !knows(turn, who, room) {
        return Recollection::default();
    }
    let items = row.memories.get(&who).map(|memory| memory.items.clone()).unwrap_or_default();
    let things = items.iter().map(|(key, count)| naming::item_words(turn, key, *count as usize)).collect();
    let stairs = rooms::stairs_down(turn, room).is_some();
    Recollection { stairs, feature: row.kind.spec().remembered, things }
}

/// Whether somebody remembers a room by a word: its stairs, what it is for, or a thing that lay there.
pub(crate) fn is_recalled(turn: &Turn, who: CharacterId, room: RoomId, word: &str) -> bool {
    let known = recollection(turn, who, room);
    let named = |thing: &String| thing.to_lowercase().split(' ').any(|part| part.starts_with(word));
    match word {
        "stairs" | "stair" => known.stairs,
        "shop" => known != Recollection::default() && turn.world.rooms[room].kind.spec().sells.is_some(),
        _ if word.len() < 3 => false,
        _ => known.feature.is_some_and(|what| what.ends_with(word)) || known.things.iter().any(named),
    }
}

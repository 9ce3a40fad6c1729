//! Map memory: the rooms of a branch that a character has visited, with the items seen on leaving and any stairs. It
//! may be out of date.

use crate::branch::rooms;
use crate::exit::room_search::{RoomSearch, SearchLimit};
use crate::exit::{hidden, webs};
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::text::grammar;
use deepwell_core::world::{Exit, ExitState, Room, RoomMemory};
use std::collections::BTreeMap;

/// Remembered contents of a room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Recollection {
    /// Set if the room has stairs down, or the fixture that replaces them.
    pub(crate) stairs: bool,
    /// Exit that replaces the stairs: "a rope ladder up".
    pub(crate) portal: Option<String>,
    /// Function of the room: "a merchant".
    pub(crate) feature: Option<&'static str>,
    /// Items seen there, as "a clay lamp" and "three torch stubs".
    pub(crate) things: Vec<String>,
}

impl Recollection {
    /// Returns "stairs down, a clay lamp and a tin cup", or `None` if nothing is remembered.
    pub(crate) fn words(&self) -> Option<String> {
        let stairs = self.portal.clone().or_else(|| self.stairs.then(|| "stairs down".to_owned()));
        let feature = self.feature.map(str::to_owned);
        let all: Vec<String> = stairs.into_iter().chain(feature).chain(self.things.iter().cloned()).collect();
        (!all.is_empty()).then(|| grammar::list(&all))
    }
}

/// Returns `true` if a character knows a room. Hand-built rooms are known to all; rooms of a branch to the members who
/// have visited them. A puzzle is known as a whole to characters inside it.
pub(crate) fn knows(turn: &Turn, who: CharacterId, room: RoomId) -> bool {
    let (body, row) = (&turn.world.characters[who], &turn.world.rooms[room]);
    let is_inside = || turn.world.rooms[body.room].floor == row.floor && turn.world.puzzle_at(room).is_some();
    // All members of a weekly expedition uncover one map.
    let is_shared = || row.branch.is_some_and(|branch| turn.world.expeditions.weekly(branch).is_some());
    let is_seen = || row.memories.contains_key(&who) || is_shared();
    let in_branch = || row.branch == body.branch && (is_seen() || is_inside());
    body.room == room || row.branch.is_none() || in_branch()
}

/// Returns `true` if an exit leads to a room of the branch that others have explored and the character has not seen.
pub(crate) fn leads_to_unseen(turn: &Turn, who: CharacterId, exit: &Exit) -> bool {
    exit.to.is_some_and(|to| turn.world.rooms.get(to).is_some() && !knows(turn, who, to))
}

/// Returns the known rooms of the character's area or branch: the current room first, then by distance, at most `most`.
pub(crate) fn rooms_known(turn: &Turn, who: CharacterId, most: usize) -> Vec<RoomId> {
    let here = turn.world.characters[who].room;
    let room = &turn.world.rooms[here];
    let Some(branch) = room.branch else {
        let in_area = |other: &Room| other.branch.is_none() && other.area == room.area;
        return search_known(turn, who, SearchLimit::NONE, in_area).take(most).collect();
    };
    let Some(index) = turn.world.branches.index_of(branch) else { return Vec::new() };
    let mut known: Vec<_> = index
        .rooms
        .iter()
        .filter(|(_, id)| knows(turn, who, **id))
        .map(|((floor, at), id)| {
            let far = at.x.abs_diff(room.at.x).saturating_add(at.y.abs_diff(room.at.y));
            ((floor.abs_diff(room.floor), far, *floor, *at), *id)
        })
        .collect();
    known.sort_unstable();
    known.truncate(most);
    let mut known: Vec<RoomId> = known.into_iter().map(|(_, id)| id).collect();
    let hidden = webs::hidden_by_webs(turn, here, &known.iter().copied().collect());
    known.retain(|id| !hidden.contains(id));
    known
}

/// Returns the search over the rooms that a character knows and that are `inside`, from the current room through open
/// exits.
pub(crate) fn search_known<'w>(
    turn: &'w Turn,
    who: CharacterId,
    limit: SearchLimit,
    inside: impl Fn(&Room) -> bool,
) -> RoomSearch<'w, impl Fn(RoomId) -> Vec<&'w Exit>> {
    let leads_on = move |exit: &&Exit| {
        let is_open = !matches!(exit.state, ExitState::Unexplored | ExitState::Locked);
        let leads_inside = |to| inside(&turn.world.rooms[to]) && knows(turn, who, to);
        is_open && hidden::is_seen(turn, who, exit) && exit.to.is_some_and(leads_inside)
    };
    RoomSearch::new(turn.world.characters[who].room, limit, move |room| {
        turn.world.exits.of(room).filter(&leads_on).collect()
    })
}

/// Stores the items on the floor of a room as the memory of a player who has just left it.
pub(crate) fn remember_room(turn: &mut Turn, who: CharacterId, room: RoomId) {
    // The room may have been deleted with its branch when the last member left.
    if turn.world.rooms.get(room).is_none_or(|row| row.branch.is_none()) {
        return;
    }
    let memory = RoomMemory { items: items_by_kind(turn, room).into() };
    if turn.world.rooms[room].memories.get(&who) == Some(&memory) {
        return;
    }
    let forgetful = memory_to_evict(turn, who, &turn.world.rooms[room]);
    turn.world.rooms.change(room, |row| {
        row.memories.insert(who, memory);
        forgetful.map(|other| row.memories.remove(&other));
    });
}

/// Returns the character whose memory of a full room is evicted: one who has left the branch, else the lowest id.
fn memory_to_evict(turn: &Turn, who: CharacterId, room: &Room) -> Option<CharacterId> {
    let most = turn.config.limits.room_memories as usize;
    if room.memories.contains_key(&who) || room.memories.len() < most {
        return None;
    }
    let gone =
        |other: &&CharacterId| turn.world.membership(**other).is_none_or(|around| around != room.branch);
    room.memories.keys().find(gone).or_else(|| room.memories.keys().next()).copied()
}

fn items_by_kind(turn: &Turn, room: RoomId) -> BTreeMap<String, u32> {
    let mut items: BTreeMap<String, u32> = BTreeMap::new();
    for id in turn.world.ground(room) {
        let item = &turn.world.items[*id];
        let count = items.entry(item.prototype.clone()).or_default();
        *count = count.saturating_add(item.count);
    }
    items
}

/// Returns what a character remembers of another room of their branch. Empty for a room hidden by a web.
pub(crate) fn recollection(turn: &Turn, who: CharacterId, room: RoomId) -> Recollection {
    let row = &turn.world.rooms[room];
    if row.web || row.branch.is_none() || !knows(turn, who, room) {
        return Recollection::default();
    }
    let items = row.memories.get(&who).map(|memory| memory.items.clone()).unwrap_or_default();
    let things = items.iter().map(|(key, count)| naming::item_words(turn, key, *count as usize)).collect();
    let stairs = rooms::stairs_down(turn, room).is_some();
    let portal = rooms::portal(turn, room).and_then(|exit| {
        let (icon, _) = exit.icons.as_ref()?;
        Some(format!("{} {}", grammar::with_article(icon, None), exit.direction?))
    });
    Recollection { stairs, portal, feature: row.sheet.kind.spec().remembered, things }
}

/// Returns `true` if a remembered room matches a keyword: its stairs, its function, or an item seen there.
pub(crate) fn is_recalled(turn: &Turn, who: CharacterId, room: RoomId, word: &str) -> bool {
    let known = recollection(turn, who, room);
    let named = |thing: &String| thing.to_lowercase().split(' ').any(|part| part.starts_with(word));
    match word {
        "stairs" | "stair" => known.stairs,
        "shop" => {
            known != Recollection::default() && turn.world.rooms[room].sheet.kind.spec().sells.is_some()
        }
        _ if word.len() < 3 => false,
        _ => {
            known.feature.is_some_and(|what| what.ends_with(word))
                || known.things.iter().chain(&known.portal).any(named)
        }
    }
}

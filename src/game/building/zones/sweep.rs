//! Incremental search through all hand-built rooms, with a bounded number of rooms per step. The searches are in
//! [`search`](super::search) and [`check`](super::check).

use super::{check, search};
use crate::base::{CharacterId, ItemId, RoomId, SessionId, Span};
use crate::game::building::built_rooms;
use crate::game::state::sweeps::{Remark, SearchTarget, Stage, Sweep};
use crate::game::state::timers::Timer;
use crate::game::turn::Turn;
use crate::world::ExitKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Time for other inputs between two slices of a search.
const PAUSE: Span = Span::millis(5);

/// Prepares a search.
fn prepare(turn: &Turn, sought: SearchTarget, page: usize) -> Sweep {
    let rooms: BTreeSet<RoomId> = turn.world.built_rooms().collect();
    let stage = match sought {
        SearchTarget::Unlinked | SearchTarget::Mistakes { .. } => Stage::Walk,
        SearchTarget::Orphans => Stage::Ways,
        _ => Stage::Rooms,
    };
    let town = built_rooms::town(turn);
    Sweep {
        sought,
        page,
        stage,
        rooms: rooms.into_iter().collect(),
        next: 0,
        thing: None,
        walkable: BTreeSet::from([town]),
        to_walk: vec![town],
        entered: BTreeSet::new(),
        using: BTreeMap::new(),
        first: Vec::new(),
        found: Vec::new(),
        remarks: Vec::new(),
        cut_off: BTreeMap::new(),
        locked: BTreeMap::new(),
        given: BTreeSet::new(),
    }
}

/// Searches the whole world in this step.
pub(crate) fn whole(turn: &Turn, sought: SearchTarget, page: usize) -> Sweep {
    let mut sweep = prepare(turn, sought, page);
    while !go_on(turn, &mut sweep, u32::MAX) {}
    sweep
}

/// Returns all remarks about the rooms of the given zones, mistakes first, by room.
pub(crate) fn remarks(turn: &Turn, zones: BTreeSet<String>) -> Vec<Remark> {
    let sought = SearchTarget::Mistakes { zones, name: String::new(), typed: String::new() };
    check::finish(turn, whole(turn, sought, 1))
}

/// Begins a search for a player. Returns the search if it finished within the first slice; otherwise a timer continues
/// it. The web builder gets the whole search immediately, and so do players in read-only mode, which has no timers.
pub(crate) fn begin(
    turn: &mut Turn,
    session: SessionId,
    who: CharacterId,
    sought: SearchTarget,
    page: usize,
) -> Option<Sweep> {
    if turn.desk.is_some() || turn.read_only {
        return Some(whole(turn, sought, page));
    }
    let mut sweep = prepare(turn, sought, page);
    if go_on(turn, &mut sweep, turn.config.limits.search_rooms) {
        turn.sweeps.forget(session);
        return Some(sweep);
    }
    if turn.sweeps.add(session, who, sweep) {
        turn.timers.schedule(turn.now + PAUSE, Timer::Sweep);
    }
    None
}

/// Continues the next due search. Returns a finished search with its session and character if the player is still
/// connected.
pub(crate) fn next_slice(turn: &mut Turn) -> Option<(SessionId, CharacterId, Sweep)> {
    let (session, who, mut sweep) = turn.sweeps.take_due()?;
    let plays = turn.seats.get(&session).is_some_and(|seat| seat.character == who);
    let ended = plays && go_on(turn, &mut sweep, turn.config.limits.search_rooms);
    let at = turn.now + PAUSE;
    if plays && !ended {
        if turn.sweeps.add(session, who, sweep) {
            turn.timers.schedule(at, Timer::Sweep);
        }
        return None;
    }
    if turn.sweeps.must_schedule() {
        turn.timers.schedule(at, Timer::Sweep);
    }
    ended.then_some((session, who, sweep))
}

/// Processes a number of rooms or items. Returns `true` if none is left.
fn go_on(turn: &Turn, sweep: &mut Sweep, budget: u32) -> bool {
    for _ in 0..budget {
        match sweep.stage {
            Stage::Walk => walk(turn, sweep),
            Stage::Ways => {
                if let Some(room) = next_room(turn, sweep, Stage::Rooms) {
                    sweep.entered.extend(turn.world.exits_of(room).filter_map(|exit| exit.to));
                }
            }
            Stage::Rooms => {
                if let Some(room) = next_room(turn, sweep, Stage::Keys) {
                    look_at_room(turn, sweep, room);
                }
            }
            Stage::Keys => {
                if sweep.locked.is_empty() {
                    sweep.stage = Stage::Done;
                } else if let Some(room) = next_room(turn, sweep, Stage::Things) {
                    check::note_provided_keys(turn, sweep, room);
                }
            }
            Stage::Things => note_thing(turn, sweep),
            Stage::Done => return true,
        }
    }
    sweep.stage == Stage::Done
}

/// Follows the exits of one room, including through closed doors.
fn walk(turn: &Turn, sweep: &mut Sweep) {
    let Some(room) = sweep.to_walk.pop() else {
        sweep.stage = Stage::Rooms;
        return;
    };
    let ways = turn.world.exits_of(room).filter(|exit| exit.kind == ExitKind::Exit);
    for to in ways.filter_map(|exit| exit.to) {
        if sweep.walkable.insert(to) {
            sweep.to_walk.push(to);
        }
    }
}

/// Returns the next room that still exists. After the last one, the next stage starts with the first room.
fn next_room(turn: &Turn, sweep: &mut Sweep, then: Stage) -> Option<RoomId> {
    let room = sweep.rooms.get(sweep.next).copied();
    if room.is_none() {
        (sweep.stage, sweep.next) = (then, 0);
    }
    sweep.next += usize::from(room.is_some());
    room.filter(|room| turn.world.rooms.get(*room).is_some_and(|row| row.branch.is_none()))
}

fn look_at_room(turn: &Turn, sweep: &mut Sweep, room: RoomId) {
    let room = &turn.world.rooms[room];
    match &sweep.sought {
        SearchTarget::Mistakes { zones, .. } if zones.contains(&room.area) => {
            check::look_at(turn, sweep, room);
        }
        SearchTarget::Mistakes { .. } => {}
        _ => search::look_at(turn, sweep, room),
    }
}

fn note_thing(turn: &Turn, sweep: &mut Sweep) {
    let after: (Bound<ItemId>, Bound<ItemId>) =
        (sweep.thing.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let Some((id, item)) = turn.world.items.range(after).next() else {
        sweep.stage = Stage::Done;
        return;
    };
    sweep.thing = Some(id);
    if sweep.locked.contains_key(&item.prototype) {
        sweep.given.insert(item.prototype.clone());
    }
}

//! Incremental search through all hand-built rooms, with a bounded amount of work per step. The searches are in
//! [`search`](super::search) and [`check`](super::check).

use super::{check, check_trade, search};
use crate::building::built_rooms;
use crate::state::slices::{PAUSE, WAIT};
use crate::state::sweeps::{Finds, Page, Remark, Remarks, SearchStage, SearchTarget, Sweep};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId, SessionId};
use deepwell_core::catalog::Referent;
use deepwell_core::world::ExitKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Estimated work per hand-built room. A search that is estimated to fit into a slice is not spread over steps.
const WORK_PER_ROOM: u64 = 10;

/// Prepares a search.
fn prepare(turn: &Turn, sought: SearchTarget, page: Page) -> Sweep {
    let stage = match sought {
        SearchTarget::Unlinked | SearchTarget::Mistakes { .. } => SearchStage::Walk,
        SearchTarget::Orphans => SearchStage::Ways,
        _ => SearchStage::Rooms,
    };
    let town = built_rooms::town(turn);
    Sweep {
        sought,
        page,
        stage,
        room: None,
        body: None,
        item: None,
        walkable: BTreeSet::from([town]),
        to_walk: vec![town],
        entered: BTreeSet::new(),
        using: BTreeMap::new(),
        steps_done: BTreeSet::new(),
        around: BTreeMap::new(),
        first: Finds::default(),
        found: Finds::default(),
        remarks: Remarks::default(),
        cut_off: BTreeMap::new(),
        groups: BTreeMap::new(),
        locked: BTreeMap::new(),
        given: BTreeSet::new(),
        asks: BTreeMap::new(),
        buyers: Vec::new(),
        has_usual_buyer: false,
    }
}

/// Searches the whole world in this step.
fn whole(turn: &Turn, sought: SearchTarget, page: Page) -> Sweep {
    let mut sweep = prepare(turn, sought, page);
    while !go_on(turn, &mut sweep, u64::MAX) {}
    sweep
}

/// Returns all remarks about the rooms of the given zones, mistakes first, by room.
pub(crate) fn remarks(turn: &Turn, zones: BTreeSet<String>) -> Vec<Remark> {
    let sought = SearchTarget::Mistakes { zones, name: String::new(), typed: String::new() };
    whole(turn, sought, Page::WHOLE).remarks.sorted()
}

/// Begins a search for a player. Returns the search if it finished within this step; otherwise a timer carries it out.
/// The web builder gets the whole search immediately, and so do players in read-only mode, which has no timers.
pub(crate) fn begin(
    turn: &mut Turn,
    session: SessionId,
    who: CharacterId,
    sought: SearchTarget,
    page: Page,
) -> Option<Sweep> {
    let is_short =
        turn.world.rooms.built_count() as u64 * WORK_PER_ROOM <= turn.config.limits.slice_work.into();
    if is_short || turn.web_builder.is_some() || turn.read_only {
        turn.sweeps.forget(session);
        return Some(whole(turn, sought, page));
    }
    let sweep = prepare(turn, sought, page);
    if turn.sweeps.add(session, who, sweep) {
        turn.timers.schedule(turn.now + WAIT, Timer::Sweep);
    }
    None
}

/// Continues the next due search. Returns a finished search with its session and character if the player is still
/// connected.
pub(crate) fn next_slice(turn: &mut Turn) -> Option<(SessionId, CharacterId, Sweep)> {
    if !turn.slices.take(turn.now) {
        turn.timers.schedule(turn.now + WAIT, Timer::Sweep);
        return None;
    }
    let (session, who, mut sweep) = turn.sweeps.take_due()?;
    let plays = turn.seats.get(&session).is_some_and(|seat| seat.character == who);
    let ended = plays && go_on(turn, &mut sweep, turn.config.limits.slice_work.into());
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

/// Continues a search until the work budget is used up; one room more may exceed it. Returns `true` if the search has
/// ended.
fn go_on(turn: &Turn, sweep: &mut Sweep, budget: u64) -> bool {
    let end = turn.world.work().saturating_add(budget);
    while sweep.stage != SearchStage::Done && turn.world.work() < end {
        go_one_step(turn, sweep);
    }
    sweep.stage == SearchStage::Done
}

/// Processes one room, creature, item or group.
fn go_one_step(turn: &Turn, sweep: &mut Sweep) {
    turn.world.note_work(1);
    match sweep.stage {
        SearchStage::Walk => walk(turn, sweep),
        SearchStage::Ways => match next_room(turn, sweep) {
            Some(room) => sweep.entered.extend(turn.world.exits.of(room).filter_map(|exit| exit.to)),
            None => sweep.stage = SearchStage::Rooms,
        },
        SearchStage::Rooms => match next_room(turn, sweep) {
            Some(room) => look_at_room(turn, sweep, room),
            None => end_rooms(turn, sweep),
        },
        SearchStage::Keys => match next_room(turn, sweep) {
            Some(room) => check::note_provided_keys(turn, sweep, room),
            None => sweep.stage = SearchStage::Items,
        },
        SearchStage::Bodies => count_creature(turn, sweep),
        SearchStage::Items => note_item(turn, sweep),
        SearchStage::Groups => check::count_cut_off(sweep),
        SearchStage::Unreachable => check::report_unreachable(turn, sweep),
        SearchStage::Doors => check::report_locked(turn, sweep),
        SearchStage::Prices => check_trade::report_profit(turn, sweep),
        SearchStage::Done => {}
    }
}

/// Chooses the stage after the search of the rooms.
fn end_rooms(turn: &Turn, sweep: &mut Sweep) {
    sweep.stage = match sweep.sought {
        SearchTarget::Mistakes { .. } if sweep.locked.is_empty() => SearchStage::Groups,
        SearchTarget::Mistakes { .. } => {
            check::note_keys_of_content(turn, sweep);
            SearchStage::Keys
        }
        SearchTarget::Prototypes(..) | SearchTarget::Unused => SearchStage::Bodies,
        _ => SearchStage::Done,
    };
}

/// Follows the exits of one room, including through closed doors.
fn walk(turn: &Turn, sweep: &mut Sweep) {
    let Some(room) = sweep.to_walk.pop() else {
        sweep.stage = SearchStage::Rooms;
        return;
    };
    let ways = turn.world.exits.of(room).filter(|exit| exit.kind == ExitKind::Exit);
    for to in ways.filter_map(|exit| exit.to) {
        if sweep.walkable.insert(to) {
            sweep.to_walk.push(to);
        }
    }
}

/// Returns the next hand-built room, in order of numbers; `None` after the last one.
fn next_room(turn: &Turn, sweep: &mut Sweep) -> Option<RoomId> {
    sweep.room = turn.world.rooms.built_after(sweep.room).next();
    sweep.room
}

fn look_at_room(turn: &Turn, sweep: &mut Sweep, room: RoomId) {
    let room = &turn.world.rooms[room];
    match &sweep.sought {
        SearchTarget::Mistakes { zones, .. } => {
            if zones.contains(&room.area) {
                check::look_at(turn, sweep, room);
            }
            check_trade::note_prices(turn, sweep, room);
        }
        _ => search::look_at(turn, sweep, room),
    }
}

fn count_creature(turn: &Turn, sweep: &mut Sweep) {
    let after = (sweep.body.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let Some((id, body)) = turn.world.characters.range(after).next() else {
        sweep.stage = SearchStage::Items;
        return;
    };
    sweep.body = Some(id);
    if let Some(key) = &body.prototype {
        *sweep.around.entry((Referent::Creature, key.clone())).or_default() += 1;
    }
}

fn note_item(turn: &Turn, sweep: &mut Sweep) {
    let after: (Bound<ItemId>, Bound<ItemId>) =
        (sweep.item.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let is_check = matches!(sweep.sought, SearchTarget::Mistakes { .. });
    let Some((id, item)) = turn.world.items.range(after).next() else {
        sweep.stage = if is_check { SearchStage::Groups } else { SearchStage::Done };
        return;
    };
    sweep.item = Some(id);
    if !is_check {
        *sweep.around.entry((Referent::Item, item.prototype.clone())).or_default() += 1;
    } else if sweep.locked.contains_key(&item.prototype) {
        sweep.given.insert(item.prototype.clone());
    }
}

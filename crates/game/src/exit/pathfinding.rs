//! Pathfinding for creatures. Every search is limited to `roaming.seek_rooms` steps, and in a zone to `roaming.route_rooms`
//! rooms, so its cost does not grow with the branch or the zone. Rooms are visited in a fixed order, so its result is
//! deterministic.

use crate::access::drafts;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId, RoomId};
use deepwell_core::world::{Branch, Exit, ExitKind, ExitState, Posture};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Distance in steps from rooms to the nearest player, for the rooms around players.
#[derive(Debug, Default)]
pub(crate) struct PlayerDistances(BTreeMap<RoomId, u32>);

impl PlayerDistances {
    /// Returns the steps to the nearest player, or `None` if none is within range.
    pub(crate) fn steps(&self, room: RoomId) -> Option<u32> {
        self.0.get(&room).copied()
    }
}

/// Room within earshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    pub(crate) room: RoomId,
    /// Distance in rooms.
    pub(crate) steps: u32,
    /// Direction of the first step back from there to the origin of the search.
    pub(crate) towards: Direction,
    /// Direction of the first step there from the origin of the search.
    pub(crate) away: Direction,
}

/// Returns the state of an exit as shown to players. A start exit is unexplored while it has no branch. The exit out of
/// a branch whose window has closed is shown as one-way, because players cannot return by it.
pub(crate) fn shown_state(turn: &Turn, exit: &Exit) -> ExitState {
    match exit.state {
        _ if exit.shut_door().is_some() => ExitState::Locked,
        _ if exit.kind != ExitKind::Exit && exit.to.is_none() => ExitState::Unexplored,
        ExitState::Open if leaves_for_good(turn, exit) => ExitState::OneWay,
        state => state,
    }
}

/// Returns `true` if an exit leads out of a branch whose window has closed, and not out of an expedition, whose members
/// come back.
pub(crate) fn leaves_for_good(turn: &Turn, exit: &Exit) -> bool {
    let branch_of = |room| turn.world.rooms.get(room).and_then(|room| room.branch);
    let branch = branch_of(exit.room).and_then(|branch| turn.world.branches.get(branch));
    let leads_out = exit.kind == ExitKind::Exit && exit.to.is_some_and(|to| branch_of(to).is_none());
    let is_closed = |branch: &Branch| !branch.window_open && turn.world.expeditions.get(branch.id).is_none();
    leads_out && branch.is_some_and(is_closed)
}

/// Returns the exits that creatures may take from a room: explored exits within the branch and floor that do not lead to
/// a peaceful room; in a hand-built room, exits without a shut door to rooms of the zone with fights.
pub(crate) fn ways(turn: &Turn, room: RoomId) -> impl Iterator<Item = (ExitId, RoomId)> {
    turn.world.exits.of(room).filter_map(|exit| Some((exit.id, way(turn, exit)?)))
}

/// Returns the room to which an exit leads a creature, or `None` if creatures may not take it.
pub(crate) fn way(turn: &Turn, exit: &Exit) -> Option<RoomId> {
    let open = matches!(exit.state, ExitState::Open | ExitState::OneWay);
    let to = exit.to.filter(|_| open && exit.kind == ExitKind::Exit)?;
    let there = &turn.world.rooms[to];
    let may_go = match turn.world.rooms[exit.room].branch {
        Some(_) => turn.world.puzzle_at(exit.room).is_none(),
        None => there.is_deadly() && exit.shut_door().is_none(),
    };
    (may_go && is_same_area(turn, exit.room, to) && !there.sheet.kind.spec().peaceful).then_some(to)
}

/// Returns `true` if two rooms are in the same branch, or the same zone.
fn is_same_area(turn: &Turn, one: RoomId, other: RoomId) -> bool {
    let (one, other) = (&turn.world.rooms[one], &turn.world.rooms[other]);
    one.branch == other.branch && (one.branch.is_some() || one.area == other.area)
}

/// Returns the exit in a direction that a creature may take.
pub(crate) fn way_towards(turn: &Turn, room: RoomId, direction: Direction) -> Option<(ExitId, RoomId)> {
    let exit = turn.world.exits.of(room).find(|exit| exit.direction == Some(direction))?;
    Some((exit.id, way(turn, exit)?))
}

/// Returns the rooms in sight straight ahead, nearest first; a web ends the view.
pub(crate) fn straight(turn: &Turn, from: RoomId, direction: Direction, most: u32) -> Vec<RoomId> {
    let mut hall = Vec::new();
    let mut at = from;
    while hall.len() < most as usize {
        let Some((_, next)) = way_towards(turn, at, direction) else { break };
        if turn.world.rooms[next].web {
            break;
        }
        hall.push(next);
        at = next;
    }
    hall
}

/// Returns the adjacent room on the grid of the floor; in a zone, the one to which the exit leads.
fn adjacent_room(turn: &Turn, room: RoomId, direction: Direction) -> Option<RoomId> {
    let row = &turn.world.rooms[room];
    if let Some(branch) = row.branch {
        return turn.world.branches.room_at(branch, row.floor, row.at.step(direction));
    }
    let exit = turn.world.exits.of(room).find(|exit| exit.direction == Some(direction))?;
    exit.to.filter(|to| exit.kind == ExitKind::Exit && is_same_area(turn, room, *to))
}

/// Returns the maximum number of rooms that a search from a room visits. The rooms of a branch have places on a grid, so
/// a limit of steps is one of rooms.
fn rooms_most(turn: &Turn, room: RoomId) -> usize {
    let is_built = turn.world.rooms[room].branch.is_none();
    if is_built { turn.catalog.rules.roaming.route_rooms as usize } else { usize::MAX }
}

/// Returns the distances of rooms to the nearest player among characters.
pub(crate) fn player_distances(turn: &Turn, among: impl Iterator<Item = CharacterId>) -> PlayerDistances {
    let found = |who: CharacterId| {
        let body = &turn.world.characters[who];
        let hidden = turn.world.rooms[body.room].sheet.kind.spec().peaceful;
        let is_player = body.is_player() && body.awake && body.posture != Posture::Down;
        (is_player && !hidden).then_some(body.room)
    };
    PlayerDistances(distances_to(turn, among.filter_map(found)))
}

/// Returns the distance of every nearby room to the nearest of the goals, by a search against the direction of exits.
pub(crate) fn distances_to(turn: &Turn, goals: impl Iterator<Item = RoomId>) -> BTreeMap<RoomId, u32> {
    let most = turn.catalog.rules.roaming.seek_rooms;
    let mut steps: BTreeMap<RoomId, u32> = goals.map(|goal| (goal, 0)).collect();
    let mut queue: VecDeque<(RoomId, u32)> = steps.iter().map(|(room, steps)| (*room, *steps)).collect();
    while let Some((room, far)) = queue.pop_front() {
        if far >= most {
            continue;
        }
        for direction in Direction::around() {
            let Some(from) = adjacent_room(turn, room, direction) else { continue };
            let leads = ways(turn, from).any(|(_, to)| to == room);
            if leads && !steps.contains_key(&from) && steps.len() < rooms_most(turn, from) {
                steps.insert(from, far + 1);
                queue.push_back((from, far + 1));
            }
        }
    }
    steps
}

/// Meaning of closed doors for a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClosedDoors {
    /// They block the path.
    Block,
    /// They can be opened.
    Open,
}

/// Returns the exits of a shortest path between two hand-built rooms, the first one last, or `None` if the search has
/// visited so many rooms without a result. A path stays inside or outside of a draft.
pub(crate) fn built_path(
    turn: &Turn,
    from: RoomId,
    to: RoomId,
    rooms_most: u32,
    doors: ClosedDoors,
) -> Option<Vec<ExitId>> {
    let mut came: BTreeMap<RoomId, Option<ExitId>> = BTreeMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    while let Some(room) = queue.pop_front().filter(|_| !came.contains_key(&to)) {
        for exit in turn.world.exits.of(room).filter(|exit| exit.kind == ExitKind::Exit) {
            let is_built = |to: &RoomId| turn.world.rooms.get(*to).is_some_and(|row| row.branch.is_none());
            let Some(next) = exit.to.filter(is_built) else { continue };
            let is_shut = doors == ClosedDoors::Block && exit.shut_door().is_some();
            let is_new = came.len() < rooms_most as usize && !came.contains_key(&next);
            if is_new && !is_shut && !drafts::is_border(turn, room, next) {
                came.insert(next, Some(exit.id));
                queue.push_back(next);
            }
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while let Some(exit) = came.get(&at).copied()? {
        path.push(exit);
        at = turn.world.exits[exit].room;
    }
    Some(path)
}

/// Returns the rooms of the branch or zone within earshot of a room, nearest first. Sound passes one-way exits in both
/// directions.
pub(crate) fn rooms_near(turn: &Turn, room: RoomId, most: u32) -> Vec<Near> {
    let mut near: Vec<Near> = Vec::new();
    let mut next = 0;
    let (mut from, mut far, mut first) = (room, 0, None);
    loop {
        if far < most {
            for direction in Direction::around() {
                let Some(to) = adjacent_room(turn, from, direction) else { continue };
                let known = to == room || near.iter().any(|other| other.room == to);
                if !known && near.len() < rooms_most(turn, to) && is_joined(turn, from, to) {
                    let away = first.unwrap_or(direction);
                    near.push(Near { room: to, steps: far + 1, towards: direction.opposite(), away });
                }
            }
        }
        let Some(at) = near.get(next) else { return near };
        next += 1;
        (from, far, first) = (at.room, at.steps, Some(at.away));
    }
}

/// Returns these rooms and all rooms at most `most` exits away, in either direction of the exits.
pub(crate) fn surroundings(turn: &Turn, rooms: BTreeSet<RoomId>, most: u32) -> BTreeSet<RoomId> {
    let mut around: BTreeSet<RoomId> =
        rooms.into_iter().filter(|room| turn.world.rooms.get(*room).is_some()).collect();
    let mut edge: Vec<RoomId> = around.iter().copied().collect();
    for _ in 0..most {
        let mut further = Vec::new();
        for room in edge {
            for next in Direction::around().filter_map(|direction| adjacent_room(turn, room, direction)) {
                let is_new = !around.contains(&next) && around.len() < rooms_most(turn, next);
                if is_new && is_joined(turn, room, next) {
                    around.insert(next);
                    further.push(next);
                }
            }
        }
        edge = further;
    }
    around
}

/// Returns `true` if an explored exit joins two rooms, in either direction.
fn is_joined(turn: &Turn, one: RoomId, other: RoomId) -> bool {
    let leads = |from, to| turn.world.exits.of(from).any(|exit| exit.to == Some(to));
    leads(one, other) || leads(other, one)
}

/// Returns "from the east", "from below", or "from somewhere you did not see" if no exit leads back. A branch counts as
/// behind the exit that opened it, even while another branch can be entered there.
pub(crate) fn way_in(turn: &Turn, room: RoomId, from: RoomId) -> String {
    use deepwell_core::base::Direction::{Down, In, Out, Up};
    let branch = turn.world.rooms[from].branch.and_then(|branch| turn.world.branches.get(branch));
    let entrance = branch.map(|branch| branch.start_exit);
    let back = turn.world.exits.of(room).find(|exit| exit.to == Some(from));
    let back = back.or_else(|| turn.world.exits.of(room).find(|exit| Some(exit.id) == entrance));
    match back.and_then(|exit| exit.direction) {
        Some(Up) => "from above".into(),
        Some(Down) => "from below".into(),
        Some(In) => "from inside".into(),
        Some(Out) => "from outside".into(),
        Some(direction) => format!("from the {direction}"),
        None => "from somewhere you did not see".into(),
    }
}

/// Returns the exit with a name or alias, ignoring case.
pub(crate) fn exit_named<'a>(turn: &'a Turn, room: RoomId, word: &str) -> Option<&'a Exit> {
    turn.world.exits.of(room).find(|exit| is_called(exit, word))
}

/// Returns `true` if a word is the name of an exit or an alias, ignoring case.
pub(crate) fn is_called(exit: &Exit, word: &str) -> bool {
    same(&exit.name, word) || exit.all_aliases().any(|alias| same(alias, word))
}

/// Compares two words ignoring case.
fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || (!one.is_ascii() && one.to_lowercase() == other.to_lowercase())
}

/// Parses a direction; diagonals only if the server or a level type enables them.
pub(crate) fn direction_named(turn: &Turn, word: &str) -> Option<Direction> {
    let is_enabled = || turn.config.diagonals || turn.catalog.has_diagonals();
    Direction::parse_any(word).filter(|direction| !direction.is_diagonal() || is_enabled())
}

//! Exits of generated rooms, and the age of their branch.

use crate::branch::collapse_warnings;
use crate::input::config::RenewedBy;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, Direction, ExitId, Rare, RoomId};
use deepwell_core::world::{Branch, Exit, ExitKind, ExitState};

/// Default description of an exit that leads back.
pub(crate) const WAY_BACK: &str = "That is the way you came.";

/// Returns the stairs down of a room, if any.
pub(crate) fn stairs_down(turn: &Turn, room: RoomId) -> Option<&Exit> {
    turn.world.exits.of(room).find(|exit| exit.is_stairs_down())
}

/// Returns the exit to another floor, or out of the dungeon, that is not stairs.
pub(crate) fn portal(turn: &Turn, room: RoomId) -> Option<&Exit> {
    turn.world.exits.of(room).find(|exit| exit.is_stairs() && !exit.back && exit.icons.is_some())
}

/// Returns the deepest dungeon level of a branch that a player has reached.
pub(crate) fn deepest_dungeon_level(turn: &Turn, branch: BranchId) -> u32 {
    let of_floors = turn.world.floors.of(branch).map(|floor| floor.dungeon_level).max();
    let stored = turn.world.branches.get(branch).map(|row| row.deepest_level);
    of_floors.max(stored).unwrap_or(1).max(1)
}

/// Refreshes the age of a branch after activity, at most once per sixty-fourth of its life, so that walking in known
/// rooms does not write the branch at every step. Does nothing if only new rooms refresh branches, which a branch that
/// outlives its members does not follow.
pub(crate) fn note_activity(turn: &mut Turn, branch: BranchId) {
    let by_rooms = turn.config.dungeon.renewed_by == RenewedBy::Rooms;
    if by_rooms && turn.world.branches.get(branch).is_none_or(|row| !row.outlives_members) {
        return;
    }
    let stale = |row: &Branch| turn.now.since(row.last_updated_at).0 >= (row.max_life.0 / 64).max(1);
    if turn.world.branches.get(branch).is_some_and(stale) {
        refresh(turn, branch);
    }
}

pub(crate) fn new_exit(
    turn: &mut Turn,
    room: RoomId,
    direction: Direction,
    state: ExitState,
    to: Option<RoomId>,
    back: bool,
) -> ExitId {
    let id = turn.world.new_exit_id();
    let kind = if direction.stays_on_floor() { ExitKind::Exit } else { ExitKind::Stairs };
    turn.world.exits.add(Exit { kind, state, to, back, ..Exit::new(id, room, Some(direction)) });
    id
}

/// Connects the exit of a room that points at the place of a new room to that room. It is one-way if the new room has
/// no exit back along it.
pub(crate) fn join(turn: &mut Turn, room: RoomId, direction: Direction, to: RoomId, state: ExitState) {
    let exit = turn.world.exits.of(room).find(|e| e.direction == Some(direction)).map(|e| e.id);
    if let Some(row) = exit.and_then(|exit| turn.world.exits.edit(exit)) {
        row.state = state;
        row.to = Some(to);
        (row.omen, row.trap) = (Rare::usual(), Rare::usual());
    }
}

/// Resets the age of a branch.
pub(crate) fn refresh(turn: &mut Turn, branch: BranchId) {
    let now = turn.now;
    turn.world.branches.refresh(branch, now);
    collapse_warnings::reschedule(turn, branch);
}

//! Branch cleanup: rows of collapsed branches are deleted in slices of bounded size, so that players do not have to
//! wait.

use crate::attack;
use crate::attack::corpse;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, GameTime, Span};
use deepwell_core::world::CleanupStep;

/// Pause between two slices, in which other inputs are processed.
const PAUSE: Span = Span::millis(20);

/// Schedules the next slice if cleanup is pending, also after a start.
pub(crate) fn schedule(turn: &mut Turn) {
    let at = turn.now + PAUSE;
    if turn.world.branches.next_to_clean_up().is_some() && turn.clearing.schedule(at) {
        turn.timers.schedule(at, Timer::ClearAway);
    }
}

/// Deletes the next slice when its timer is due.
pub(crate) fn delete_next_slice(turn: &mut Turn, due: GameTime) {
    if turn.clearing.take_due(due) {
        delete_collapsed(turn);
    }
}

/// Deletes rows of collapsed branches up to the limit of this step, and schedules the rest.
pub(crate) fn delete_collapsed(turn: &mut Turn) {
    while turn.clearing.has_budget()
        && let Some(branch) = turn.world.branches.next_to_clean_up()
    {
        let rows = delete_remnant(turn, branch);
        turn.clearing.spend(rows);
    }
    schedule(turn);
}

/// Deletes one part of a collapsed branch. Returns the number of rows affected.
fn delete_remnant(turn: &mut Turn, branch: BranchId) -> u32 {
    let rows = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
    match turn.world.next_cleanup_step(branch) {
        Some(CleanupStep::Creature(creature)) => {
            let carried = turn.world.carried(creature).len();
            attack::stop_fights_of(turn, creature);
            attack::forget(turn, creature);
            turn.world.remove_character(creature);
            rows(1 + carried)
        }
        Some(CleanupStep::Exits(room)) => turn.world.cut_off(room),
        Some(CleanupStep::Room(room)) => {
            corpse::save_belongings(turn, room, turn.world.branches[branch].start_room);
            if let Some(item) = turn.world.ground(room).first().copied() {
                // Each item is one row, plus one row of the ledger.
                let items = turn.world.with_contents(item).len();
                turn.world.remove_item(item, "collapse");
                return rows(2 * items);
            }
            turn.world.remove_room(room);
            1
        }
        Some(CleanupStep::Floor(floor)) => {
            turn.world.floors.remove(floor);
            1
        }
        Some(CleanupStep::Branch) | None => {
            turn.world.remove_branch(branch);
            1
        }
    }
}

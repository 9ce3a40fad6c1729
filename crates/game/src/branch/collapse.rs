//! Collapse of a branch: its members are moved to the start room, then the branch is deleted in slices.

use crate::attack;
use crate::attack::loot;
use crate::branch::{cleanup, start_room};
use crate::character::stats;
use crate::effect::Class;
use crate::message::{notices, tell};
use crate::party::roll;
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Rare, RoomId, Tally};
use deepwell_core::catalog::StartText;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Branch;

/// Collapses a branch that a check has found expired.
pub(crate) fn collapse_if_expired(turn: &mut Turn, branch: BranchId) {
    if turn.world.branches.active(branch).is_some_and(|row| row.ends_at() <= turn.now) {
        collapse(turn, branch);
    }
}

/// Deletes an empty branch immediately if no exit leads into it, unless it outlives its members.
pub(crate) fn collapse_if_deserted(turn: &mut Turn, branch: BranchId) {
    let ends = |row: &Branch| !row.window_open && !row.outlives_members;
    let closed = turn.world.branches.active(branch).is_some_and(ends);
    if closed && turn.world.branches.index_of(branch).is_some_and(|index| index.members.is_empty()) {
        collapse(turn, branch);
    }
}

/// Ends a branch; one that is asleep when it has woken. One batch moves all members to the start room and unlinks the
/// branch; then its creatures, exits, rooms and floors are deleted, and the branch last. Work beyond the limit of one
/// step is left to later steps, so that no command waits for it.
pub(crate) fn collapse(turn: &mut Turn, branch: BranchId) {
    if turn.world.asleep.has(branch) {
        return turn.sleepers.doom(branch);
    }
    let Some(row) = turn.world.branches.active(branch) else { return };
    let (start_room, start_exit) = (row.start_room, row.start_exit);
    if turn.world.exits.get(start_exit).and_then(|e| *e.window).is_some_and(|w| w.branch == branch)
        && let Some(exit) = turn.world.exits.edit(start_exit)
    {
        exit.to = None;
        exit.window = Rare::usual();
    }
    roll::settle_rolls_in(turn, branch);
    turn.emit_event(GameEvent::Collapsed { branch });
    for member in turn.world.branches.members(branch) {
        evacuate(turn, member, start_room);
    }
    turn.world.branches.expire(branch);
    turn.outbox.count(Tally::BranchesCollapsed);
    cleanup::delete_collapsed(turn);
    // The exit of a deleted start room is not one of the room that takes its place.
    if turn.world.exits.get(start_exit).is_some_and(|exit| exit.room == start_room) {
        turn.emit_event(GameEvent::RoomChanged { room: start_room });
    }
}

/// Moves a member out of its branch without a word.
pub(crate) fn carry_out(turn: &mut Turn, member: CharacterId, start_room: RoomId) {
    attack::stop_fights_of(turn, member);
    stats::end_incapacitation(turn, member);
    stats::get_up(turn, member);
    attack::forget(turn, member);
    turn.world.move_character(member, start_room);
    turn.world.set_membership(member, None);
    loot::secure_run(turn, member);
}

fn evacuate(turn: &mut Turn, member: CharacterId, start_room: RoomId) {
    let awake = turn.world.characters[member].awake;
    turn.emit_event(GameEvent::Sounded { who: member, sound: Sound::Collapse });
    let message = Markup::styled(Style::Harm, start_room::text(turn, start_room, StartText::Collapse));
    notices::tell(turn, member, message);
    carry_out(turn, member, start_room);
    if awake {
        let seen = format!(" {}", start_room::text(turn, start_room, StartText::CollapseSeen));
        tell::tell_others(turn, member, Class::Movement, &seen);
        let ending = start_room::text(turn, start_room, StartText::CollapseEnd).to_owned();
        tell::tell(turn, member, Class::Notice, ending);
        turn.emit_event(GameEvent::SawRoom { who: member });
    }
}

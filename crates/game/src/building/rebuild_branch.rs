//! Branch rebuild from the original seed, requested by staff when a branch is broken.

use crate::branch::{collapse, grow};
use crate::message::notices;
use crate::movement;
use crate::party::roll;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Point};
use deepwell_core::dungeon::Recent;
use deepwell_core::level::UsedLimits;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Branch, ExitKind, ExitState, OpenWindow};

/// Replaces a branch by a new one with the same seed and settings at the same start exit. Members are moved to its
/// first room, and the old branch collapses. The same moves create the same rooms. The new branch has its own id,
/// because ids are never reused.
pub(crate) fn rebuild_branch(turn: &mut Turn, old: BranchId) -> Result<BranchId, Refusal> {
    let row = turn.world.branches.active(old).ok_or_else(|| no_branch(old))?.clone();
    if let Some(expedition) = turn.world.expeditions.get(old) {
        return Err(refuse!(
            "It belongs to the expedition {}. To end it, type branch collapse {old}.",
            expedition.name
        ));
    }
    let kind = turn.world.floors.at(old, 1).map(|floor| floor.level_type.clone());
    let kind = kind.ok_or_else(|| no_branch(old))?;
    let exit = turn.world.exits.get(row.start_exit).cloned().ok_or_else(start_exit_gone)?;
    // Trials of puzzles have another kind of exit.
    if exit.kind != ExitKind::Branch {
        return Err(start_exit_gone());
    }
    let entry = exit.entry();
    let open = exit.window.filter(|window| window.branch == old);
    let members = turn.world.branches.members(old);
    if open.is_none() && members.is_empty() {
        return Err(refuse!("Nobody is in it, and nobody could enter it."));
    }
    let new = turn.world.new_branch_id();
    let now = turn.now;
    turn.world.branches.add(Branch {
        id: new,
        name: format!("{}-{}", exit.name, now.0),
        opened_at: now,
        last_updated_at: now,
        warnings: 0,
        rooms_made: 0,
        recent: Recent::default(),
        greatest_depth: 0,
        used: UsedLimits::new(),
        ..row
    });
    let first = grow::add_floor(turn, new, 1, &kind, Some(entry))
        .and_then(|floor| grow::grow(turn, new, floor, Point::ORIGIN, entry, Some(exit.id), row.start_room));
    let first = first.inspect_err(|_| turn.world.remove_branch(new))?;
    if let Some(window) = open
        && let Some(exit) = turn.world.exits.edit(exit.id)
    {
        exit.to = Some(first);
        exit.state = ExitState::Open;
        exit.window = Some(OpenWindow { branch: new, ..window }).into();
    }
    roll::settle_rolls_in(turn, old);
    for member in members {
        move_to_new_branch(turn, member, first);
    }
    // Companions that came along are still in the dungeon for which they joined.
    turn.parting.forget(old);
    collapse::collapse(turn, old);
    Ok(new)
}

fn move_to_new_branch(turn: &mut Turn, member: CharacterId, first: deepwell_core::base::RoomId) {
    let message =
        "Everything around you comes undone, stone by stone, and is laid anew as it was on the first day.";
    notices::tell(turn, member, Markup::styled(Style::Harm, message));
    movement::relocate(turn, member, first);
    if turn.world.characters[member].awake {
        turn.emit_event(GameEvent::SawRoom { who: member });
    }
}

/// Returns the refusal of a number that no open branch has.
pub(crate) fn no_branch(id: BranchId) -> Refusal {
    refuse!("There is no branch {id}.")
}

/// Returns the refusal to rebuild a branch without a start exit.
fn start_exit_gone() -> Refusal {
    refuse!("The exit that it hangs on is gone: all one can do is collapse it.")
}

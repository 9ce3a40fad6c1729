//! The window of a start exit: while it is open, the exit leads to its branch. When the guaranteed time is over, resets
//! close it at random.

use crate::branch::{asleep, collapse};
use crate::effect::Class;
use crate::message::{notices, tell};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, Dice, ExitId, GameTime, Rare};
use deepwell_core::text::{Markup, Style};

/// Closes, at random, the windows of start exits whose guaranteed time is over. The random seed depends only on the due
/// time, so a late run has the same result.
pub(crate) fn close_at_random(turn: &mut Turn, exits: &[ExitId], due: GameTime) {
    let over: Vec<(ExitId, BranchId)> = exits
        .iter()
        .filter_map(|exit| Some((*exit, (*turn.world.exits.get(*exit)?.window)?)))
        .filter(|(_, window)| window.guaranteed_until <= turn.now)
        .map(|(exit, window)| (exit, window.branch))
        .collect();
    for (exit, branch) in over {
        let mut dice = turn.moment_seed("reset", exit.0, due).rng();
        if dice.up_to(999) < turn.world.branches[branch].reset_chance_permille {
            close(turn, exit, branch);
        }
    }
}

/// Unlinks a start exit from its branch. Inside the branch nothing changes.
pub(crate) fn close(turn: &mut Turn, exit: ExitId, branch: BranchId) {
    let now = turn.now;
    let first = turn.world.exits[exit].to;
    if let Some(row) = turn.world.exits.edit(exit) {
        row.to = None;
        row.window = Rare::usual();
    }
    if let Some(row) = turn.world.branches.edit(branch) {
        row.window_open = false;
        row.window_ends_at = now;
    }
    let (room, name) = (turn.world.exits[exit].room, turn.world.exits[exit].name.clone());
    tell::tell_room(
        turn,
        room,
        &[],
        Class::Notice,
        Markup::plain("Stone grinds on stone: the way ")
            .with(Style::Exit, &name)
            .and(" leads somewhere new now."),
    );
    turn.emit_event(GameEvent::RoomChanged { room });
    tell_inside(turn, branch);
    if let Some(room) = first {
        // The room's way out is now one-way.
        turn.emit_event(GameEvent::RoomChanged { room });
    }
    collapse::collapse_if_deserted(turn, branch);
    asleep::schedule_sleep(turn, branch);
}

/// Notifies players inside the branch that its entrance has closed.
fn tell_inside(turn: &mut Turn, branch: BranchId) {
    let message = "Far behind you stone grinds on stone, and a draught that you had not noticed is gone. The way in has \
                 closed: you can still walk out by it, but nobody comes back in.";
    for who in turn.world.branches.members(branch) {
        if turn.world.rooms[turn.world.characters[who].room].branch == Some(branch) {
            notices::tell(turn, who, message);
        }
    }
}

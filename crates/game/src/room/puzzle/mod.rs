//! Puzzles in the game. A puzzle is behind the exit `in` of an uncleared room, on a separate floor that is generated
//! when a player first enters. Moves and actions inside are passed to the engine in `deepwell_core::puzzle`; its events are
//! applied to text, rooms and exits here. This module has no puzzle rules: play uses the engine that verified the
//! board.
//!
//! ```text
//!   gate shut by the puzzle --in--> generated and built --enter, act--> ... --finish--> outer room clear
//!                                          ^                              |
//!                                          +------- loss: all to the entrance, one tier less
//! ```

pub(crate) mod views;
pub(crate) mod deeds;
pub(crate) mod events;
pub(crate) mod hint;
pub(crate) mod trial;
#[cfg(test)]
mod tests;

use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, FloorId, RoomId};
use deepwell_core::puzzle;
use deepwell_core::puzzle::Event;
use deepwell_core::world::PuzzleRun;

/// Handles a character's entry into a puzzle room, after it has seen the room.
pub(crate) fn enter_puzzle(turn: &mut Turn, who: CharacterId, from: RoomId) {
    let Some(body) = turn.world.characters.get(who) else { return };
    let (room, plays) = (body.room, body.is_player());
    let Some((floor, run, cell)) = turn.world.puzzle_at(room) else { return };
    if !plays {
        // Companions do not count as players, but must not remain in a portal cell.
        let to = run.portal_of(cell).and_then(|cell| run.room_of(cell));
        if let Some(to) = to {
            events::shift(turn, who, to);
        }
        return;
    }
    if turn.world.floor_of(from).is_none_or(|row| row.id != floor) {
        views::tell_task(turn, who, floor);
    }
    play(turn, floor, Some(who), |run| {
        let PuzzleRun { board, state, .. } = run;
        puzzle::enter(board, state, cell)
    });
}

/// Handles a character's departure from a puzzle room, by an exit or by leaving the game.
pub(crate) fn leave_puzzle(turn: &mut Turn, who: CharacterId, from: RoomId, to: Option<RoomId>) {
    if !turn.world.characters[who].is_player() {
        return;
    }
    let Some((floor, run, cell)) = turn.world.puzzle_at(from) else { return };
    if to.is_some_and(|to| run.cell_of(to).is_some()) {
        // The character moves on to another cell; plates are re-evaluated on arrival.
        if let Some(run) = turn.world.floors.edit_puzzle(floor) {
            run.player_left(cell);
        }
        return;
    }
    play(turn, floor, None, |run| {
        let PuzzleRun { board, state, .. } = run;
        puzzle::leave(board, state, cell)
    });
}

/// Runs the engine on a puzzle and applies the resulting events.
pub(crate) fn play(
    turn: &mut Turn,
    floor: FloorId,
    who: Option<CharacterId>,
    play: impl FnOnce(&mut PuzzleRun) -> Vec<Event>,
) {
    let Some(run) = turn.world.floors.edit_puzzle(floor) else { return };
    let before = run.state.might;
    let events = play(run);
    let changed = run.state.might != before;
    events::apply_events(turn, floor, who, events);
    if changed {
        for member in turn.world.players_in_puzzle(floor) {
            turn.emit_event(GameEvent::VitalsChanged { who: member });
        }
    }
}

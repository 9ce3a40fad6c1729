//! Puzzles in play (H). A puzzle hangs behind the exit `in` of a room that is not clear, on a floor of its own that comes
//! to be when somebody first goes in. Whoever moves or does something inside moves in the engine of `crate::puzzle` too;
//! its events become words, places and exits here. What was proved is what is played: no rule of a puzzle stands here.
//!
//! ```text
//!   gate shut by the puzzle --in--> drawn and built --enter, act--> ... --finish--> outer room clear
//!                                          ^                         |
//!                                          +------- loss: all to the entrance, one tier less
//! ```

pub(crate) mod deeds;
pub(crate) mod events;
pub(crate) mod hint;
pub(crate) mod sights;
pub(crate) mod trial;
#[cfg(test)]
mod tests;

use crate::base::{CharacterId, FloorId, RoomId};
use crate::game::happening::Happening;
use crate::game::turn::Turn;
use crate::puzzle;
use crate::puzzle::Event;
use crate::world::PuzzleRun;

/// A body has come into a room and has seen it: if a puzzle goes on there, it acts on whoever enters.
pub(crate) fn enter_puzzle(turn: &mut Turn, who: CharacterId, from: RoomId) {
    let Some(body) = turn.world.characters.get(who) else { return };
    let (room, plays) = (body.room, body.is_player());
    let Some((floor, run, cell)) = turn.world.puzzle_at(room) else { return };
    if !plays {
        // Companions count for nothing, but they must not be left where nobody can stay.
        let to = run.portal_of(cell).and_then(|cell| run.room_of(cell));
        if let Some(to) = to {
            events::shift(turn, who, to);
        }
        return;
    }
    if turn.world.floor_of(from).is_none_or(|row| row.id != floor) {
        sights::tell_task(turn, who, floor);
    }
    play(turn, floor, Some(who), |run| {
        let PuzzleRun { layout, state, .. } = run;
        puzzle::enter(layout, state, cell)
    });
}

/// A body has left a room, or the world: a puzzle that goes on there has one less in it.
pub(crate) fn leave_puzzle(turn: &mut Turn, who: CharacterId, from: RoomId, to: Option<RoomId>) {
    if !turn.world.characters[who].is_player() {
        return;
    }
    let Some((floor, run, cell)) = turn.world.puzzle_at(from) else { return };
    if to.is_some_and(|to| run.cell_of(to).is_some()) {
        // It is on its way to another cell: plates look again when it has arrived.
        if let Some(run) = turn.world.edit_puzzle(floor) {
            run.step_out(cell);
        }
        return;
    }
    play(turn, floor, None, |run| {
        let PuzzleRun { layout, state, .. } = run;
        puzzle::leave(layout, state, cell)
    });
}

/// Lets the engine act on a puzzle, and makes what came of it so.
pub(crate) fn play(
    turn: &mut Turn,
    floor: FloorId,
    who: Option<CharacterId>,
    play: impl FnOnce(&mut PuzzleRun) -> Vec<Event>,
) {
    let Some(run) = turn.world.edit_puzzle(floor) else { return };
    let before = run.state.might;
    let events = play(run);
    let changed = run.state.might != before;
    events::unfold(turn, floor, who, events);
    if changed {
        for member in turn.world.people_in_puzzle(floor) {
            turn.happen(Happening::VitalsChanged { who: member });
        }
    }
}

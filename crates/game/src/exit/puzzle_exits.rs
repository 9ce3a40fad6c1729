//! The puzzle around a room: its run and its passable exits.

use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, FloorId, RoomId};
use deepwell_core::puzzle;
use deepwell_core::puzzle::{ActionRefusal, CellId, Deed, Mechanism, Verb};
use deepwell_core::world::{Exit, PuzzleRun};

/// Describes the bolt of a closed gate.
pub(crate) fn gate_words() -> String {
    "A bolt holds it from the far side of the gate: go in and solve the puzzle there.".into()
}

/// Returns the map letter of a puzzle room.
pub(crate) fn puzzle_mark(turn: &Turn, room: RoomId) -> Option<char> {
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    let left = mechanisms(run, cell).iter().enumerate().filter(|(number, _)| !run.is_spent(cell, *number));
    let marks = left.filter_map(|(_, mechanism)| match mechanism {
        Mechanism::Enemy { .. } | Mechanism::Guard { .. } => Some('E'),
        Mechanism::PowerUp { .. } => Some('G'),
        Mechanism::Portal { .. } => Some('P'),
        Mechanism::Finish => Some('F'),
        other => (other.verb() != Some(Verb::Search)).then_some('T'),
    });
    let entrance = (cell == run.board.entrance).then_some('N');
    entrance.into_iter().chain(marks).next().or(Some('o'))
}

pub(crate) fn run(turn: &Turn, floor: FloorId) -> Option<&PuzzleRun> {
    turn.world.floors.get(floor)?.puzzle.as_deref()
}

/// Returns the might of the puzzle that a character is in, or `None` if the puzzle does not count it.
pub(crate) fn might_of(turn: &Turn, who: CharacterId) -> Option<i64> {
    let (_, run, _) = turn.world.puzzle_at(turn.world.characters[who].room)?;
    run.state.might
}

/// Refuses an exit inside a puzzle that cannot be passed at present, with the reason.
pub(crate) fn may_pass(turn: &Turn, exit: &Exit) -> Result<(), Refusal> {
    let Some((_, run, cell)) = turn.world.puzzle_at(exit.room) else { return Ok(()) };
    let Some(direction) = exit.direction.filter(|_| !exit.is_gate()) else { return Ok(()) };
    puzzle::passable(&run.board, &run.state, cell, direction)
        .map(drop)
        .map_err(|hitch| Refusal::Blocked(hitch_words(run, cell, direction, &hitch)))
}

/// Returns the reason why the puzzle has no exit in a direction, such as the way back of a one-way passage.
pub(crate) fn closed_way(turn: &Turn, room: RoomId, direction: Direction) -> Option<Refusal> {
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    match puzzle::passable(&run.board, &run.state, cell, direction) {
        Err(ActionRefusal::NoWay) | Ok(_) => None,
        Err(hitch) => Some(Refusal::Said(hitch.sentence(&run.board).into())),
    }
}

pub(crate) fn mechanisms(run: &PuzzleRun, cell: CellId) -> &[Mechanism] {
    run.board.cell(cell).map_or(&[], |cell| &cell.mechanisms)
}

/// Describes why an exit cannot be passed, and adds the command if the player has the key.
pub(crate) fn hitch_words(run: &PuzzleRun, cell: CellId, way: Direction, hitch: &ActionRefusal) -> String {
    let sentence = hitch.sentence(&run.board);
    let can_unlock = puzzle::deeds(&run.board, &run.state, cell).contains(&Deed::Unlock(way));
    if can_unlock { format!("{sentence} You have the key: type unlock {way}.") } else { sentence }
}

//! Puzzles behind hand-built exits. A player who takes such an exit enters a puzzle in a branch for it alone, together with
//! the players inside, and is led to the room beyond once it is solved. The branch ends when the last player has left.

use crate::branch::gate::PuzzleSite;
use crate::branch::{gate, grow, start_room};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId, RoomId};
use deepwell_core::puzzle;
use deepwell_core::puzzle::{PuzzleConfig, PuzzleEntry};
use deepwell_core::world::{Exit, ExitKind};

/// Returns a puzzle that does without settings.
fn entry(turn: &Turn, name: &str) -> Result<PuzzleEntry, Refusal> {
    let puzzles = &turn.catalog.puzzles;
    let puzzle = puzzles.find(name).ok_or_else(|| {
        refuse!(
            "There is no puzzle \"{name}\"; there are {}.",
            puzzles.names().collect::<Vec<_>>().join(", ")
        )
    })?;
    let config = PuzzleConfig::of(&*puzzle);
    match puzzle.check_config(&config) {
        Ok(()) => Ok(PuzzleEntry::new(puzzle, config)),
        Err(reason) => Err(refuse!("The puzzle {name} does not do without settings: {reason}.")),
    }
}

/// Returns the reason why the puzzle of an exit cannot be built, in a sentence.
pub(crate) fn problem(turn: &Turn, exit: &Exit) -> Option<String> {
    let name = exit.puzzle.as_deref()?;
    entry(turn, name).err().map(|reason| reason.markup().text().to_owned())
}

/// Refuses a puzzle that cannot stand behind an exit.
pub(crate) fn require_usable(turn: &Turn, exit: ExitId, name: &str) -> Result<(), Refusal> {
    let exit = &turn.world.exits[exit];
    let to = exit.to.and_then(|to| turn.world.rooms.get(to));
    if exit.kind != ExitKind::Exit || to.is_none_or(|room| room.branch.is_some()) {
        return Err(refuse!("A puzzle stands behind an exit that leads to a room built by hand."));
    }
    entry(turn, name).map(drop)
}

/// Returns the room that a character enters through a hand-built exit: the entrance of its puzzle, which is built if no
/// player is inside, or the room beyond. Creatures pass, and players if the puzzle no longer exists.
pub(crate) fn enter(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
    let beyond = exit.to.ok_or(Refusal::NoWay)?;
    let body = &turn.world.characters[who];
    let Some(name) = exit.puzzle.as_deref().filter(|_| body.is_player() || body.master.is_some()) else {
        return Ok(beyond);
    };
    if let Some(entrance) = entrance_of(turn, exit.id) {
        return Ok(entrance);
    }
    let entry = match entry(turn, name) {
        Ok(entry) => entry,
        Err(reason) => {
            let reason = reason.markup();
            gate::warn_builders(turn, &format!("No puzzle in room {}: {}", exit.room, reason.text()));
            return Ok(beyond);
        }
    };
    grow::require_space_for_branch(turn)?;
    let branch = grow::new_branch(turn, exit, Direction::North)?;
    let now = turn.now;
    if let Some(row) = turn.world.branches.edit(branch) {
        (row.window_open, row.window_ends_at) = (false, now);
    }
    let seed = turn.world.branches[branch].seed;
    let drawn = puzzle::draw(&entry, seed);
    let site = PuzzleSite { branch, gate: exit.room, seed, test: false, beyond: Some(beyond) };
    Ok(gate::build_puzzle(turn, site, drawn.board))
}

/// Returns the entrance of the puzzle behind an exit, if a player is inside.
fn entrance_of(turn: &Turn, exit: ExitId) -> Option<RoomId> {
    let (branch, _) = start_room::branches_behind(turn, exit).find(|(_, row)| !row.window_open)?;
    let run = turn.world.floors.of(branch).find_map(|floor| floor.puzzle.as_deref())?;
    run.room_of(run.board.entrance)
}

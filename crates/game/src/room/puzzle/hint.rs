//! Solutions as commands to type, for builders (`puzzle solve`) and bots.

use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::puzzle;
use deepwell_core::puzzle::answer::typed;
use deepwell_core::puzzle::{CellId, Event, SolutionStep, State};
use deepwell_core::world::PuzzleRun;
use std::collections::{BTreeSet, VecDeque};

/// Maximum number of states searched for the next step.
const STATES: usize = 4_000;

/// Returns the next command towards the solution. `None` if the puzzle needs several players, or the search exceeds its
/// limit.
pub(crate) fn puzzle_hint(turn: &Turn, who: CharacterId) -> Option<String> {
    let (_, run, cell) = turn.world.puzzle_at(turn.world.characters.get(who)?.room)?;
    let first = search_on(run, cell)?.into_iter().next()?;
    Some(typed(&run.board, &first))
}

/// Searches for the steps from a character's cell to the finish, with all other characters staying in place.
fn search_on(run: &PuzzleRun, cell: CellId) -> Option<Vec<SolutionStep>> {
    let board = &run.board;
    if run.state.finished {
        return None;
    }
    let mut seen: BTreeSet<(State, CellId)> = BTreeSet::from([(run.state.clone(), cell)]);
    let mut queue: VecDeque<(State, CellId, Vec<SolutionStep>)> =
        VecDeque::from([(run.state.clone(), cell, Vec::new())]);
    while let Some((state, at, steps)) = queue.pop_front() {
        for step in puzzle::steps_from(board, &state, at) {
            let mut after = state.clone();
            let Some((to, events)) = puzzle::take_alone(board, &mut after, &step) else { continue };
            if events.iter().any(|event| matches!(event, Event::Lost { .. })) {
                continue;
            }
            let trail: Vec<SolutionStep> = steps.iter().cloned().chain([step]).collect();
            if after.finished || (after.won && !run.has_finish()) {
                return Some(trail);
            }
            if seen.len() < STATES && seen.insert((after.clone(), to)) {
                queue.push_back((after, to, trail));
            }
        }
    }
    None
}

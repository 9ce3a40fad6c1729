//! Exhaustive breadth-first solver for any board, with one or more players. It finds the shortest solution or proves
//! that no solution exists. The number of states is bounded, since it can be huge.

use rustc_hash::FxHashSet;

use crate::puzzle::board::Board;
use crate::puzzle::engine::{act, enter, passable, start, walk};
use crate::puzzle::event::Event;
use crate::puzzle::id::CellId;
use crate::puzzle::solver::solution::{Act, SolutionStep, Verdict};
use crate::puzzle::state::State;
use crate::puzzle::visible::deeds;

/// Searches for a solution with this number of players, all starting at the entrance, in at most `limit` states.
pub fn search(board: &Board, players: u32, limit: u32) -> Verdict {
    search_until(board, players, limit, |verdict| verdict.solution.is_some())
}

/// Like [`search`], but continues after a solution until a way to lose is found, too.
pub(in crate::puzzle) fn search_losable(board: &Board, players: u32, limit: u32) -> Verdict {
    search_until(board, players, limit, |verdict| verdict.solution.is_some() && verdict.losable)
}

fn search_until(board: &Board, players: u32, limit: u32, is_enough: fn(&Verdict) -> bool) -> Verdict {
    let first = begin(board, players);
    let mut verdict = Verdict::default();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    seen.insert(first.clone());
    // All states, each with the index of its predecessor and the step from there.
    let mut found: Vec<(State, usize, Option<SolutionStep>)> = vec![(first, 0, None)];
    let mut next = 0;
    while let Some((state, ..)) = found.get(next) {
        if verdict.states >= limit {
            verdict.gave_up = true;
            break;
        }
        verdict.states += 1;
        let state = state.clone();
        for step in steps(board, &state) {
            let mut after = state.clone();
            let Some(events) = take(board, &mut after, &step) else { continue };
            if events.iter().any(|event| matches!(event, Event::Lost { .. })) {
                verdict.losable = true;
                continue;
            }
            if after.finished {
                if verdict.solution.is_none() {
                    verdict.solution = Some(trail(&found, next, step));
                }
            } else if seen.insert(after.clone()) {
                found.push((after, next, Some(step)));
            }
        }
        if is_enough(&verdict) {
            break;
        }
        next += 1;
    }
    verdict
}

/// Returns the state after this number of players, at least one, have entered.
pub(in crate::puzzle) fn begin(board: &Board, players: u32) -> State {
    let mut state = start(board);
    for _ in 0..players.max(1) {
        enter(board, &mut state, board.entrance);
    }
    state
}

/// Plays a step; `None` if it is impossible.
pub fn take(board: &Board, state: &mut State, step: &SolutionStep) -> Option<Vec<Event>> {
    match &step.act {
        Act::Walk(direction) => walk(board, state, step.from, *direction).ok().map(|(_, events)| events),
        Act::Do(deed) => act(board, state, step.from, deed).ok(),
    }
}

/// Returns `true` if the steps lead from the entrance to the finish without a loss.
pub fn proves(board: &Board, players: u32, solution: &[SolutionStep]) -> bool {
    let mut state = begin(board, players);
    let mut plays = |step: &SolutionStep| {
        state.people.contains_key(&step.from)
            && take(board, &mut state, step)
                .is_some_and(|events| !events.iter().any(|event| matches!(event, Event::Lost { .. })))
    };
    solution.iter().all(&mut plays) && state.finished
}

/// Returns all steps that any player can take next.
fn steps(board: &Board, state: &State) -> Vec<SolutionStep> {
    state.people.keys().flat_map(|from| steps_from(board, state, *from)).collect()
}

/// Returns all steps that a player in a cell can take next.
pub fn steps_from(board: &Board, state: &State, from: CellId) -> Vec<SolutionStep> {
    let ways = board.cell(from).into_iter().flat_map(|cell| cell.exits.keys().copied());
    let open = ways.filter(|way| passable(board, state, from, *way).is_ok());
    let walks = open.map(|way| SolutionStep { from, act: Act::Walk(way) });
    let deeds = deeds(board, state, from).into_iter();
    walks.chain(deeds.map(|deed| SolutionStep { from, act: Act::Do(deed) })).collect()
}

/// Plays a step of one player and returns their new cell and the events. `None` if it is impossible.
pub fn take_alone(board: &Board, state: &mut State, step: &SolutionStep) -> Option<(CellId, Vec<Event>)> {
    let Act::Walk(way) = &step.act else { return Some((step.from, take(board, state, step)?)) };
    let (to, events) = walk(board, state, step.from, *way).ok()?;
    let ported = events.iter().rev().find_map(|event| match event {
        Event::Ported { to } => Some(*to),
        _ => None,
    });
    Some((ported.unwrap_or(to), events))
}

fn trail(
    found: &[(State, usize, Option<SolutionStep>)],
    last: usize,
    step: SolutionStep,
) -> Vec<SolutionStep> {
    let mut trail = vec![step];
    let mut at = last;
    while let Some((_, before, Some(step))) = found.get(at) {
        trail.push(step.clone());
        at = *before;
    }
    trail.reverse();
    trail
}

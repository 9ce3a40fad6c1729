//! Visible mechanisms of a cell, and the actions possible there.

use crate::puzzle::answer::plain_answer;
use crate::puzzle::board::Board;
use crate::puzzle::device;
use crate::puzzle::engine::lock_of;
use crate::puzzle::event::{ActionRefusal, Deed};
use crate::puzzle::id::CellId;
use crate::puzzle::mechanism::{Mechanism, Thing, Verb};
use crate::puzzle::state::State;

/// Visible mechanism in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleMechanism<'a> {
    /// Verb that uses it; `None` for plates.
    pub verb: Option<Verb>,
    /// Name and texts.
    pub thing: &'a Thing,
    /// Sentence that currently shows it.
    pub seen: &'a str,
    /// Set if it is used up: an open chest, an answered riddle.
    pub done: bool,
    /// Index for [`Deed::Work`], or for [`Deed::Push`] if it is a weight.
    pub number: usize,
}

/// Returns all visible mechanisms in a cell, with the weights currently there.
pub fn sights<'a>(board: &'a Board, state: &State, at: CellId) -> Vec<VisibleMechanism<'a>> {
    let mut seen = Vec::new();
    for (number, mechanism) in board.mechanisms(at).iter().enumerate() {
        let Some(thing) = mechanism.thing() else { continue };
        if !matches!(mechanism, Mechanism::Weight { .. }) {
            let done = state.spent.has(State::mark(at, number));
            let now = match mechanism {
                Mechanism::Device { looks, .. } => device::seen(board, state, thing, looks),
                _ => &thing.seen,
            };
            seen.push(VisibleMechanism { verb: mechanism.verb(), thing, seen: now, done, number });
        }
    }
    for (number, thing) in board.weights().enumerate() {
        if state.weights.get(number) == Some(&at) {
            seen.push(VisibleMechanism {
                verb: Some(Verb::Push),
                thing,
                seen: &thing.seen,
                done: false,
                number,
            });
        }
    }
    seen
}

/// Resolves typed words to a mechanism in the cell that takes this verb. Unused mechanisms are preferred.
pub fn find<'a>(
    board: &'a Board,
    state: &State,
    at: CellId,
    verb: Verb,
    phrase: &str,
) -> Result<VisibleMechanism<'a>, ActionRefusal> {
    let wanted = plain_answer(phrase);
    let fits = |sight: &VisibleMechanism<'_>| {
        let name = sight.thing.name.to_lowercase();
        sight.verb == Some(verb)
            && !wanted.is_empty()
            && wanted.split_whitespace().all(|word| name.split_whitespace().any(|own| own.starts_with(word)))
    };
    let mut found: Vec<VisibleMechanism<'a>> = sights(board, state, at).into_iter().filter(fits).collect();
    found.sort_by_key(|sight| sight.done);
    let first = found.first().copied().ok_or(ActionRefusal::Nothing)?;
    if first.done { Err(ActionRefusal::Done) } else { Ok(first) }
}

/// Returns all relevant actions in a cell. A riddle contributes its right answer, and a wrong one if wrong answers
/// count.
pub fn deeds(board: &Board, state: &State, at: CellId) -> Vec<Deed> {
    let mut found = Vec::new();
    let Some(cell) = board.cell(at) else { return found };
    for (number, mechanism) in cell.mechanisms.iter().enumerate() {
        if state.spent.has(State::mark(at, number)) {
            continue;
        }
        match mechanism {
            Mechanism::Riddle { answers, tries, .. } => {
                found.extend(answers.first().cloned().map(Deed::Answer));
                if tries.is_some() {
                    found.push(Deed::Answer(String::new()));
                }
            }
            Mechanism::Lever { .. }
            | Mechanism::Chest { .. }
            | Mechanism::Guard { .. }
            | Mechanism::Hidden { .. } => {
                found.push(Deed::Work(number));
            }
            Mechanism::Device { uses, .. } => found.extend(device::deeds(board, number, uses)),
            _ => {}
        }
    }
    for (weight, place) in state.weights.iter().enumerate() {
        if *place == at {
            found.extend(cell.exits.keys().map(|direction| Deed::Push { weight, direction: *direction }));
        }
    }
    found.extend(
        cell.exits
            .keys()
            .filter(|way| lock_of(board, state, at, **way).is_ok())
            .map(|way| Deed::Unlock(*way)),
    );
    found
}

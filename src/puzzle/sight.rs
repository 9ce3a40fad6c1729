//! What somebody sees in a cell of a puzzle, and what could be done there.

use super::board::Board;
use super::device;
use super::engine::lock_of;
use super::event::{Deed, Hitch};
use super::id::CellId;
use super::mechanism::{Mechanism, Thing, Verb};
use super::state::State;
use super::words::plain_answer;

/// Something in a cell that can be seen and worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight<'a> {
    /// What one does to it; none for plates.
    pub verb: Option<Verb>,
    /// Its words.
    pub thing: &'a Thing,
    /// The sentence that shows it just now.
    pub seen: &'a str,
    /// Whether it is done with: an open chest, an answered riddle.
    pub done: bool,
    /// The number for [`Deed::Work`], or for [`Deed::Push`] if one pushes it.
    pub number: usize,
}

/// Everything in a cell that has words, with the weights that are there now.
pub fn sights<'a>(layout: &'a Board, state: &State, at: CellId) -> Vec<Sight<'a>> {
    let mut seen = Vec::new();
    for (number, mechanism) in layout.mechanisms(at).iter().enumerate() {
        let Some(thing) = mechanism.thing() else { continue };
        if !matches!(mechanism, Mechanism::Weight { .. }) {
            let done = state.spent.has(State::mark(at, number));
            let now = match mechanism {
                Mechanism::Device { looks, .. } => device::seen(layout, state, thing, looks),
                _ => &thing.seen,
            };
            seen.push(Sight { verb: mechanism.verb(), thing, seen: now, done, number });
        }
    }
    for (number, thing) in layout.weights().enumerate() {
        if state.weights.get(number) == Some(&at) {
            seen.push(Sight { verb: Some(Verb::Push), thing, seen: &thing.seen, done: false, number });
        }
    }
    seen
}

/// The thing that words mean, among those in a cell that one does this to. What is not done with comes first.
pub fn find<'a>(
    layout: &'a Board,
    state: &State,
    at: CellId,
    verb: Verb,
    words: &str,
) -> Result<Sight<'a>, Hitch> {
    let wanted = plain_answer(words);
    let fits = |sight: &Sight<'_>| {
        let name = sight.thing.name.to_lowercase();
        sight.verb == Some(verb)
            && !wanted.is_empty()
            && wanted.split_whitespace().all(|word| name.split_whitespace().any(|own| own.starts_with(word)))
    };
    let mut found: Vec<Sight<'a>> = sights(layout, state, at).into_iter().filter(fits).collect();
    found.sort_by_key(|sight| sight.done);
    let first = found.first().copied().ok_or(Hitch::Nothing)?;
    if first.done { Err(Hitch::Done) } else { Ok(first) }
}

/// Everything that could be done in a cell now and might matter. Riddles get their right answer, and a wrong one where
/// wrong answers count.
pub fn deeds(layout: &Board, state: &State, at: CellId) -> Vec<Deed> {
    let mut found = Vec::new();
    let Some(cell) = layout.cell(at) else { return found };
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
            Mechanism::Device { uses, .. } => found.extend(device::deeds(layout, number, uses)),
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
            .filter(|way| lock_of(layout, state, at, **way).is_ok())
            .map(|way| Deed::Unlock(*way)),
    );
    found
}

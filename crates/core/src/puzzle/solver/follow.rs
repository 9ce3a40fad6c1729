//! Solutions listed by authors, one typed command per line. They are played from the entrance; each line must match one
//! of the steps possible at that point.

use crate::puzzle::answer::{plain_answer, typed};
use crate::puzzle::board::Board;
use crate::puzzle::event::{Deed, Event};
use crate::puzzle::solver::search::{begin, steps_from, take_alone};
use crate::puzzle::solver::solution::{Act, SolutionStep};
use thiserror::Error;

/// Failure of a listed solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::puzzle) struct SolutionFailure {
    /// Line number, from 0; the number of lines if the solution ends before the finish.
    pub(in crate::puzzle) line: usize,
    /// Reason.
    pub(in crate::puzzle) reason: FailureReason,
    /// Commands possible at that point.
    pub(in crate::puzzle) possible: Vec<String>,
}

/// Reason of the failure of a listed solution, with the failing line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(in crate::puzzle) enum FailureReason {
    #[error("`{0}` cannot be done then")]
    Impossible(String),
    #[error("`{0}` is a mistake")]
    Mistake(String),
    #[error("it ends before the finish")]
    Unfinished,
}

/// Returns the steps of the solution listed in a board, played by one player.
pub(in crate::puzzle) fn follow(board: &Board) -> Result<Vec<SolutionStep>, SolutionFailure> {
    let mut state = begin(board, 1);
    let (mut at, mut steps) = (board.entrance, Vec::new());
    for (line, command) in board.solution.iter().enumerate() {
        let possible = steps_from(board, &state, at);
        let fits = |step: &&SolutionStep| is_spoken(step, command) || means(&typed(board, step), command);
        let failure = |reason: fn(String) -> FailureReason| SolutionFailure {
            line,
            reason: reason(command.clone()),
            possible: possible.iter().map(|step| typed(board, step)).collect(),
        };
        let step = possible.iter().find(fits).map(|step| spoken(step, command));
        let taken = step.and_then(|step| Some((take_alone(board, &mut state, &step)?, step)));
        let ((to, events), step) = taken.ok_or_else(|| failure(FailureReason::Impossible))?;
        if events.iter().any(|event| matches!(event, Event::Lost { .. } | Event::WrongAnswer { .. })) {
            return Err(failure(FailureReason::Mistake));
        }
        at = to;
        steps.push(step);
    }
    if state.finished {
        return Ok(steps);
    }
    let possible = steps_from(board, &state, at).iter().map(|step| typed(board, step)).collect();
    Err(SolutionFailure { line: board.solution.len(), reason: FailureReason::Unfinished, possible })
}

/// Returns the spoken text of a line, if there is any.
fn speech(command: &str) -> Option<&str> {
    ["say ", "answer "].iter().find_map(|verb| command.strip_prefix(verb))
}

/// Returns `true` if both line and step are speech.
fn is_spoken(step: &SolutionStep, command: &str) -> bool {
    matches!(step.act, Act::Do(Deed::Answer(_))) && speech(command).is_some()
}

/// Returns the step with the exact text of a line.
fn spoken(step: &SolutionStep, command: &str) -> SolutionStep {
    match (&step.act, speech(command)) {
        (Act::Do(Deed::Answer(_)), Some(speech)) => {
            SolutionStep { act: Act::Do(Deed::Answer(speech.to_owned())), ..step.clone() }
        }
        _ => step.clone(),
    }
}

/// Returns `true` if a line matches the command of a step, ignoring articles and case.
fn means(typed: &str, command: &str) -> bool {
    let bare = |command: &str| {
        let words = command.split_whitespace().filter(|word| !matches!(*word, "the" | "a" | "an" | "go"));
        plain_answer(&words.collect::<Vec<_>>().join(" "))
    };
    bare(typed) == bare(command)
}

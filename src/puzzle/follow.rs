//! Solutions as their authors write them down, a line for each thing that is typed: played from the entrance, each line is one
//! of the steps that can be taken then.

use super::board::Board;
use super::engine::{enter, start};
use super::event::{Deed, Event};
use super::search::{steps_from, take_alone};
use super::solution::{Act, Step};
use super::words::{plain_answer, typed};

/// Where a written solution goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Astray {
    /// Which line, from 0; as many as there are lines if it ends before the finish.
    pub(super) line: usize,
    /// What is wrong with it.
    pub(super) wrong: String,
    /// What could be typed instead.
    pub(super) possible: Vec<String>,
}

/// The steps of the solution that a layout has written down, played by one.
pub(super) fn follow(layout: &Board) -> Result<Vec<Step>, Astray> {
    let mut state = start(layout);
    enter(layout, &mut state, layout.entrance);
    let (mut at, mut steps) = (layout.entrance, Vec::new());
    for (line, words) in layout.solution.iter().enumerate() {
        let possible = steps_from(layout, &state, at);
        let fits = |step: &&Step| said(step, words) || means(&typed(layout, step), words);
        let wrong = |wrong: &str| Astray {
            line,
            wrong: format!("`{words}` {wrong}"),
            possible: possible.iter().map(|step| typed(layout, step)).collect(),
        };
        let step = possible.iter().find(fits).ok_or_else(|| wrong("cannot be done then"))?;
        let step = spoken(step, words);
        let (to, events) =
            take_alone(layout, &mut state, &step).ok_or_else(|| wrong("cannot be done then"))?;
        if events.iter().any(|event| matches!(event, Event::Lost { .. } | Event::WrongAnswer { .. })) {
            return Err(wrong("is a mistake"));
        }
        at = to;
        steps.push(step);
    }
    if state.finished {
        return Ok(steps);
    }
    let possible = steps_from(layout, &state, at).iter().map(|step| typed(layout, step)).collect();
    Err(Astray { line: layout.solution.len(), wrong: "it ends before the finish".into(), possible })
}

/// What is said on a line, if something is.
fn speech(words: &str) -> Option<&str> {
    ["say ", "answer "].iter().find_map(|verb| words.strip_prefix(verb))
}

/// Whether a line says something, and a step is to say something.
fn said(step: &Step, words: &str) -> bool {
    matches!(step.act, Act::Do(Deed::Answer(_))) && speech(words).is_some()
}

/// The step with the very words that a line says.
fn spoken(step: &Step, words: &str) -> Step {
    match (&step.act, speech(words)) {
        (Act::Do(Deed::Answer(_)), Some(speech)) => {
            Step { act: Act::Do(Deed::Answer(speech.to_owned())), ..step.clone() }
        }
        _ => step.clone(),
    }
}

/// Whether a line is what is typed for a step, but for articles and capitals.
fn means(typed: &str, words: &str) -> bool {
    let bare = |words: &str| {
        let words = words.split_whitespace().filter(|word| !matches!(*word, "the" | "a" | "an" | "go"));
        plain_answer(&words.collect::<Vec<_>>().join(" "))
    };
    bare(typed) == bare(words)
}

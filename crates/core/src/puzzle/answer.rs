//! Lines that players type at puzzles: answers in the form in which they are compared, and steps as commands.

use super::board::Board;
use super::event::Deed;
use super::mechanism::{Mechanism, Verb};
use crate::puzzle::solver::solution::{Act, SolutionStep};

/// Normalises an answer for comparison: lower case, without a leading article and without surrounding punctuation.
pub fn plain_answer(answer: &str) -> String {
    let lower = answer.to_lowercase();
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    let articles = ["a", "an", "the", "it's", "its", "it", "is"];
    while words.len() > 1 && words.first().is_some_and(|first| articles.contains(first)) {
        words.remove(0);
    }
    words.join(" ").trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Returns the command for an action on a device: "turn bronze dial to moon", "put ruby in socket".
pub fn handling(verb: Verb, name: &str, with: &str) -> String {
    let word = verb.name();
    match (verb, with) {
        (_, "") => format!("{word} {name}"),
        (Verb::Put, _) => format!("{word} {with} in {name}"),
        (Verb::Use, _) => format!("{word} {with} on {name}"),
        _ => format!("{word} {name} to {with}"),
    }
}

/// Returns a step as a typed command.
pub fn typed(board: &Board, step: &SolutionStep) -> String {
    let deed = match &step.act {
        Act::Walk(direction) => return direction.name().to_owned(),
        Act::Do(deed) => deed,
    };
    match deed {
        Deed::Answer(answer) => format!("answer {answer}"),
        Deed::Unlock(direction) => format!("unlock {direction}"),
        Deed::Push { weight, direction } => {
            let name = board.weights().nth(*weight).map_or("weight", |thing| thing.name.as_str());
            format!("push {name} {direction}")
        }
        Deed::Handle { number, verb, with } => {
            let thing = board.mechanisms(step.from).get(*number).and_then(Mechanism::thing);
            handling(*verb, thing.map_or("it", |thing| &thing.name), with)
        }
        Deed::Work(number) => {
            let mechanism = board.mechanisms(step.from).get(*number);
            let name = mechanism.and_then(Mechanism::thing).map_or("it", |thing| thing.name.as_str());
            let verb = mechanism.and_then(Mechanism::verb).unwrap_or(Verb::Pull);
            format!("{} {name}", verb.name())
        }
    }
}

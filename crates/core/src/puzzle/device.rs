//! Devices with uses defined by an author: selection of the use that applies, current appearance, and resolution of
//! names typed by players.

use super::answer::{handling, plain_answer};
use super::board::Board;
use super::event::{ActionRefusal, Deed};
use super::id::CellId;
use super::mechanism::{Look, Mechanism, Thing, Use, Verb, When};
use super::settle::is_on;
use super::state::State;

/// Returns the second noun of a use: the setting it turns to, or the item put in or used.
pub(super) fn with<'a>(board: &'a Board, one: &'a Use) -> &'a str {
    match (one.verb, &one.to, one.key) {
        (Verb::Turn, Some(to), _) => to,
        (Verb::Put | Verb::Use, _, Some(key)) => {
            board.keys.get(usize::from(key.0)).map_or("", String::as_str)
        }
        _ => "",
    }
}

/// Returns `true` if a condition holds.
pub(super) fn holds(board: &Board, state: &State, when: &When) -> bool {
    when.on.iter().all(|switch| is_on(board, state, *switch))
        && !when.off.iter().any(|switch| is_on(board, state, *switch))
}

/// Returns `true` if a use currently applies.
pub(super) fn fits(board: &Board, state: &State, one: &Use) -> bool {
    one.key.is_none_or(|key| state.keys.has(u32::from(key.0))) && holds(board, state, &one.when)
}

/// Returns the sentence that currently describes a device.
pub(super) fn seen<'a>(board: &Board, state: &State, thing: &'a Thing, looks: &'a [Look]) -> &'a str {
    let look = looks.iter().find(|look| holds(board, state, &look.when));
    look.map_or(&thing.seen, |look| &look.seen)
}

/// Returns `true` if a device accepts spoken answers.
pub(super) fn listens(mechanism: &Mechanism) -> bool {
    matches!(mechanism, Mechanism::Device { uses, .. } if uses.iter().any(|one| one.verb == Verb::Answer))
}

/// Returns the use triggered by an answer, and the name of its device.
pub(super) fn use_by_answer<'a>(
    board: &Board,
    state: &State,
    mechanisms: &'a [Mechanism],
    answer: &str,
) -> Option<(&'a str, &'a Use)> {
    mechanisms.iter().find_map(|mechanism| {
        let Mechanism::Device { thing, uses, .. } = mechanism else { return None };
        let hears = |one: &&Use| {
            one.verb == Verb::Answer && one.words.iter().any(|word| word == answer) && fits(board, state, one)
        };
        Some((thing.name.as_str(), uses.iter().find(hears)?))
    })
}

/// Returns all distinct actions on a device.
pub(super) fn deeds(board: &Board, number: usize, uses: &[Use]) -> Vec<Deed> {
    let mut found = Vec::new();
    for one in uses {
        let deed = match one.verb {
            Verb::Answer => Deed::Answer(one.words.first().cloned().unwrap_or_default()),
            verb => Deed::Handle { number, verb, with: with(board, one).to_owned() },
        };
        if !found.contains(&deed) {
            found.push(deed);
        }
    }
    found
}

/// Resolves what a player typed after a verb, such as "the dial to moon" for [`Verb::Turn`], to an action on a device
/// in the cell. `None` if no device takes it.
pub fn find_device(
    board: &Board,
    at: CellId,
    verb: Verb,
    phrase: &str,
) -> Option<Result<Deed, ActionRefusal>> {
    // Pushing a stud means pressing it.
    let verb = if verb == Verb::Push { Verb::Press } else { verb };
    let (name, with) = parts(verb, phrase);
    let mut deeds = Vec::new();
    let mut names = Vec::new();
    for (number, mechanism) in board.mechanisms(at).iter().enumerate() {
        let Mechanism::Device { thing, uses, .. } = mechanism else { continue };
        let own = self::deeds(board, number, uses).into_iter();
        let own: Vec<Deed> =
            own.filter(|deed| matches!(deed, Deed::Handle { verb: own, .. } if *own == verb)).collect();
        if !own.is_empty() && means(&thing.name, &name) {
            names.push(thing.name.as_str());
            deeds.push(own);
        }
    }
    let (name, deeds) = names.first().zip(deeds.first())?;
    let asked = |deed: &&Deed| match (deed, &with) {
        (Deed::Handle { with: own, .. }, Some(with)) => means(own, with),
        (Deed::Handle { with: own, .. }, None) => own.is_empty(),
        _ => false,
    };
    if let Some(deed) = deeds.iter().find(asked) {
        return Some(Ok(deed.clone()));
    }
    let settings: Vec<&str> = deeds
        .iter()
        .filter_map(|deed| match deed {
            Deed::Handle { with, .. } if verb == Verb::Turn && !with.is_empty() => Some(with.as_str()),
            _ => None,
        })
        .collect();
    match (verb, settings.is_empty()) {
        (Verb::Turn, false) => Some(Err(ActionRefusal::Unsaid(handling(verb, name, &settings.join(" or "))))),
        // The player may mean a carried item that is not part of the puzzle.
        (Verb::Put | Verb::Use, _) if with.is_none() => {
            Some(Err(ActionRefusal::Unsaid(handling(verb, name, "THING"))))
        }
        (Verb::Put | Verb::Use, _) => None,
        _ => Some(Err(ActionRefusal::Nothing)),
    }
}

/// Returns the verbs that a device in a cell accepts; empty for other mechanisms.
pub fn uses_of(board: &Board, at: CellId, number: usize) -> Vec<&'static str> {
    let Some(Mechanism::Device { uses, .. }) = board.mechanisms(at).get(number) else { return Vec::new() };
    let mut verbs: Vec<Verb> = uses.iter().map(|one| one.verb).collect();
    verbs.sort_unstable();
    verbs.dedup();
    verbs.into_iter().map(Verb::name).collect()
}

/// Returns the name of a mechanism in a cell.
pub fn mechanism_name(board: &Board, at: CellId, number: usize) -> &str {
    let thing = board.mechanisms(at).get(number).and_then(Mechanism::thing);
    thing.map_or("", |thing| thing.name.as_str())
}

/// Returns the next hint with its number: the first applicable one not yet given, or else the last applicable one.
pub fn next_hint<'a>(board: &'a Board, state: &State) -> Option<(u32, &'a str)> {
    let hints = (0..).zip(&board.hints);
    let mut helping = hints.filter(|(_, hint)| holds(board, state, &hint.when));
    let fresh = helping.clone().find(|(number, _)| !state.hinted.has(*number));
    fresh.or_else(|| helping.by_ref().last()).map(|(number, hint)| (number, hint.text.as_str()))
}

/// Splits typed text into the name of a device and the second noun.
fn parts(verb: Verb, phrase: &str) -> (String, Option<String>) {
    let phrase = phrase.trim().to_lowercase();
    let between: &[&str] = match verb {
        Verb::Turn => &[" to "],
        Verb::Put => &[" into ", " in ", " onto ", " on "],
        Verb::Use => &[" on ", " with ", " in "],
        _ => &[],
    };
    let split = between.iter().find_map(|word| phrase.split_once(word));
    match split {
        Some((name, with)) if verb == Verb::Turn => (plain_answer(name), Some(plain_answer(with))),
        Some((with, name)) => (plain_answer(name), Some(plain_answer(with))),
        None => (plain_answer(&phrase), None),
    }
}

/// Returns `true` if each typed word is a prefix of a word of the name.
fn means(name: &str, phrase: &str) -> bool {
    let name = name.to_lowercase();
    !phrase.is_empty()
        && phrase.split_whitespace().all(|word| name.split_whitespace().any(|own| own.starts_with(word)))
}

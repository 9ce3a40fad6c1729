//! Things whose uses an author has written one by one: which use counts, how they look just now, and what somebody means
//! who names them.

use super::board::Board;
use super::event::{Deed, Hitch};
use super::id::CellId;
use super::mechanism::{Look, Mechanism, Thing, Use, Verb, When};
use super::settle::is_on;
use super::state::State;
use super::words::{handling, plain_answer};

/// What one names besides the thing itself: what it is turned to, or what is put in it or used on it.
pub(super) fn with<'a>(layout: &'a Board, one: &'a Use) -> &'a str {
    match (one.verb, &one.to, one.key) {
        (Verb::Turn, Some(to), _) => to,
        (Verb::Put | Verb::Use, _, Some(key)) => {
            layout.keys.get(usize::from(key.0)).map_or("", String::as_str)
        }
        _ => "",
    }
}

/// Whether something holds.
pub(super) fn holds(layout: &Board, state: &State, when: &When) -> bool {
    when.on.iter().all(|switch| is_on(layout, state, *switch))
        && !when.off.iter().any(|switch| is_on(layout, state, *switch))
}

/// Whether a use counts just now.
pub(super) fn fits(layout: &Board, state: &State, one: &Use) -> bool {
    one.key.is_none_or(|key| state.keys.has(u32::from(key.0))) && holds(layout, state, &one.when)
}

/// The sentence that shows a device just now.
pub(super) fn seen<'a>(layout: &Board, state: &State, thing: &'a Thing, looks: &'a [Look]) -> &'a str {
    let look = looks.iter().find(|look| holds(layout, state, &look.when));
    look.map_or(&thing.seen, |look| &look.seen)
}

/// Whether it waits for something to be said.
pub(super) fn listens(mechanism: &Mechanism) -> bool {
    matches!(mechanism, Mechanism::Device { uses, .. } if uses.iter().any(|one| one.verb == Verb::Answer))
}

/// The use that an answer sets off, and the name of its device.
pub(super) fn said<'a>(
    layout: &Board,
    state: &State,
    mechanisms: &'a [Mechanism],
    answer: &str,
) -> Option<(&'a str, &'a Use)> {
    mechanisms.iter().find_map(|mechanism| {
        let Mechanism::Device { thing, uses, .. } = mechanism else { return None };
        let hears = |one: &&Use| {
            one.verb == Verb::Answer
                && one.words.iter().any(|word| word == answer)
                && fits(layout, state, one)
        };
        Some((thing.name.as_str(), uses.iter().find(hears)?))
    })
}

/// Everything that can be done to a device, each once.
pub(super) fn deeds(layout: &Board, number: usize, uses: &[Use]) -> Vec<Deed> {
    let mut found = Vec::new();
    for one in uses {
        let deed = match one.verb {
            Verb::Answer => Deed::Answer(one.words.first().cloned().unwrap_or_default()),
            verb => Deed::Handle { number, verb, with: with(layout, one).to_owned() },
        };
        if !found.contains(&deed) {
            found.push(deed);
        }
    }
    found
}

/// What somebody means who does something to a device in a cell, such as "the dial to moon" for [`Verb::Turn`]; none where
/// no device takes that.
pub fn find_device(layout: &Board, at: CellId, verb: Verb, words: &str) -> Option<Result<Deed, Hitch>> {
    // Whoever pushes a stud means to press it.
    let verb = if verb == Verb::Push { Verb::Press } else { verb };
    let (name, with) = parts(verb, words);
    let mut deeds = Vec::new();
    let mut names = Vec::new();
    for (number, mechanism) in layout.mechanisms(at).iter().enumerate() {
        let Mechanism::Device { thing, uses, .. } = mechanism else { continue };
        let own = self::deeds(layout, number, uses).into_iter();
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
        (Verb::Turn, false) => Some(Err(Hitch::Unsaid(handling(verb, name, &settings.join(" or "))))),
        // What one carries besides a puzzle may be meant.
        (Verb::Put | Verb::Use, _) if with.is_none() => {
            Some(Err(Hitch::Unsaid(handling(verb, name, "THING"))))
        }
        (Verb::Put | Verb::Use, _) => None,
        _ => Some(Err(Hitch::Nothing)),
    }
}

/// The verbs that a device in a cell takes; none of anything else.
pub fn uses_of(layout: &Board, at: CellId, number: usize) -> Vec<&'static str> {
    let Some(Mechanism::Device { uses, .. }) = layout.mechanisms(at).get(number) else { return Vec::new() };
    let mut verbs: Vec<Verb> = uses.iter().map(|one| one.verb).collect();
    verbs.sort_unstable();
    verbs.dedup();
    verbs.into_iter().map(Verb::name).collect()
}

/// What something in a cell is called.
pub fn mechanism_name(layout: &Board, at: CellId, number: usize) -> &str {
    let thing = layout.mechanisms(at).get(number).and_then(Mechanism::thing);
    thing.map_or("", |thing| thing.name.as_str())
}

/// The hint for somebody who asks now, with its number: the first that helps and has not been told, else the last that was.
pub fn next_hint<'a>(layout: &'a Board, state: &State) -> Option<(u32, &'a str)> {
    let hints = (0..).zip(&layout.hints);
    let mut helping = hints.filter(|(_, hint)| holds(layout, state, &hint.when));
    let fresh = helping.clone().find(|(number, _)| !state.hinted.has(*number));
    fresh.or_else(|| helping.by_ref().last()).map(|(number, hint)| (number, hint.text.as_str()))
}

/// The name of a device, and what is named besides.
fn parts(verb: Verb, words: &str) -> (String, Option<String>) {
    let words = words.trim().to_lowercase();
    let between: &[&str] = match verb {
        Verb::Turn => &[" to "],
        Verb::Put => &[" into ", " in ", " onto ", " on "],
        Verb::Use => &[" on ", " with ", " in "],
        _ => &[],
    };
    let split = between.iter().find_map(|word| words.split_once(word));
    match split {
        Some((name, with)) if verb == Verb::Turn => (plain_answer(name), Some(plain_answer(with))),
        Some((with, name)) => (plain_answer(name), Some(plain_answer(with))),
        None => (plain_answer(&words), None),
    }
}

/// Whether words mean a name: each of them begins one of the name's.
fn means(name: &str, words: &str) -> bool {
    let name = name.to_lowercase();
    !words.is_empty()
        && words.split_whitespace().all(|word| name.split_whitespace().any(|own| own.starts_with(word)))
}

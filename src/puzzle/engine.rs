//! Rules of puzzles: entering cells and acting in them. The game and the solver use the same functions, so that the
//! proven puzzle is the one played.

use crate::base::Direction;

use super::board::{Board, Gate, Lock, Opening};
use super::device;
use super::event::{ActionRefusal, Deed, Event, Loss};
use super::feature::Goal;
use super::id::{CellId, GateId, KeyId};
use super::mechanism::{Mechanism, Outcome, Use, Verb};
use super::settle::settle;
use super::state::State;
use super::words::plain_answer;

/// Returns the initial state of a puzzle, without players.
pub fn start(layout: &Board) -> State {
    let mut state = State { might: layout.might, ..State::default() };
    for (id, cell) in layout.ids() {
        let weights = cell.mechanisms.iter().filter(|m| matches!(m, Mechanism::Weight { .. }));
        state.weights.extend(weights.map(|_| id));
    }
    settle(layout, &mut state);
    state
}

/// Returns the cell that a direction currently leads to.
pub fn passable(
    layout: &Board,
    state: &State,
    from: CellId,
    direction: Direction,
) -> Result<CellId, ActionRefusal> {
    let exits = layout.cell(from).map(|cell| &cell.exits);
    let passage = exits.and_then(|exits| exits.get(&direction)).ok_or(ActionRefusal::NoWay)?;
    match passage.lock {
        Lock::Open => Ok(passage.to),
        Lock::Closed => Err(ActionRefusal::WayBackClosed),
        Lock::Gate(gate) if state.open.has(u32::from(gate.0)) => Ok(passage.to),
        Lock::Gate(gate) => Err(ActionRefusal::Shut(gate)),
    }
}

/// Moves a player from one cell to the next: [`passable`], [`leave`] and [`enter`] in one.
pub fn walk(
    layout: &Board,
    state: &mut State,
    from: CellId,
    direction: Direction,
) -> Result<(CellId, Vec<Event>), ActionRefusal> {
    let to = passable(layout, state, from, direction)?;
    take_out(state, from);
    Ok((to, enter(layout, state, to)))
}

/// Removes a player from a cell, when they leave the puzzle or are taken away.
pub fn leave(layout: &Board, state: &mut State, from: CellId) -> Vec<Event> {
    take_out(state, from);
    if layout.restarts && state.people.is_empty() && !state.finished {
        restart(layout, state);
    }
    settle(layout, state)
}

/// Adds a player to a cell, from outside or from the cell they have left. Mechanisms there act immediately.
pub fn enter(layout: &Board, state: &mut State, at: CellId) -> Vec<Event> {
    let mut events = Vec::new();
    arrive(layout, state, at, &mut events);
    events
}

/// Performs an action of a player in a cell.
pub fn act(layout: &Board, state: &mut State, at: CellId, deed: &Deed) -> Result<Vec<Event>, ActionRefusal> {
    let mut events = Vec::new();
    match deed {
        Deed::Work(number) => work(layout, state, at, *number, &mut events)?,
        Deed::Answer(words) => answer(layout, state, at, words, &mut events)?,
        Deed::Push { weight, direction } => push(layout, state, at, (*weight, *direction), &mut events)?,
        Deed::Unlock(direction) => unlock(layout, state, at, *direction, &mut events)?,
        Deed::Handle { number, verb, with } => {
            handle(layout, state, (at, *number), (*verb, with), &mut events)?;
        }
    }
    events.extend(settle(layout, state));
    Ok(events)
}

fn take_out(state: &mut State, from: CellId) {
    if let Some(count) = state.people.get_mut(&from) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            state.people.remove(&from);
        }
    }
}

fn arrive(layout: &Board, state: &mut State, at: CellId, events: &mut Vec<Event>) {
    *state.people.entry(at).or_default() += 1;
    let mechanisms = layout.mechanisms(at);
    let mut port = None;
    for (number, mechanism) in mechanisms.iter().enumerate() {
        let spent = State::mark(at, number);
        if state.spent.has(spent) {
            continue;
        }
        match mechanism {
            Mechanism::Enemy { power, name } => {
                let might = state.might.unwrap_or(0);
                if might < *power {
                    let why = Loss::Overpowered { name: name.clone(), power: *power, might };
                    return lose(layout, state, why, events);
                }
                let might = might.saturating_add(*power);
                state.might = Some(might);
                state.spent.set(spent, true);
                events.push(Event::Beaten { name: name.clone(), power: *power, might });
            }
            Mechanism::PowerUp { op, factor, words } => {
                let might = op.apply(state.might.unwrap_or(0), *factor);
                state.might = Some(might);
                state.spent.set(spent, true);
                events.push(Event::Changed { op: *op, factor: *factor, words: words.clone(), might });
                if might <= 0 {
                    return lose(layout, state, Loss::NoMight { might }, events);
                }
            }
            Mechanism::Portal { to } => port = Some(*to),
            Mechanism::Finish => {
                events.extend(settle(layout, state));
                if layout.goal == Goal::ReachFinish && !state.won {
                    state.won = true;
                    events.push(Event::GoalMet);
                }
                if state.won && !state.finished {
                    state.finished = true;
                    events.push(Event::Finished);
                }
            }
            _ => {}
        }
    }
    let leads_on = |to: CellId| {
        let there = layout.mechanisms(to);
        there.iter().any(|mechanism| matches!(mechanism, Mechanism::Portal { .. }))
    };
    // A chain of portals might never end; a portal that leads to a portal stays inactive.
    if let Some(to) = port.filter(|to| *to != at && !leads_on(*to)) {
        take_out(state, at);
        events.push(Event::Ported { to });
        return arrive(layout, state, to, events);
    }
    events.extend(settle(layout, state));
}

/// Resets the puzzle after a loss and moves all players to the entrance.
fn lose(layout: &Board, state: &mut State, why: Loss, events: &mut Vec<Event>) {
    let inside: u32 = state.people.values().sum();
    let mut fresh = start(layout);
    fresh.losses = state.losses.saturating_add(1);
    fresh.hinted = std::mem::take(&mut state.hinted);
    if inside > 0 {
        fresh.people.insert(layout.entrance, inside);
    }
    *state = fresh;
    events.push(Event::Lost { why });
    settle(layout, state);
}

/// Resets the puzzle with all players in place. Mistakes still count.
fn restart(layout: &Board, state: &mut State) {
    let mut fresh = start(layout);
    (fresh.losses, fresh.guesses) = (state.losses, state.guesses);
    fresh.hinted = std::mem::take(&mut state.hinted);
    fresh.people = std::mem::take(&mut state.people);
    *state = fresh;
}

/// Performs an action on a device.
fn handle(
    layout: &Board,
    state: &mut State,
    (at, number): (CellId, usize),
    (verb, with): (Verb, &str),
    events: &mut Vec<Event>,
) -> Result<(), ActionRefusal> {
    let Some(Mechanism::Device { thing, uses, .. }) = layout.mechanisms(at).get(number) else {
        return Err(ActionRefusal::Nothing);
    };
    let meant = |one: &&Use| one.verb == verb && device::with(layout, one) == with;
    if !uses.iter().any(|one| meant(&one)) {
        return Err(ActionRefusal::Nothing);
    }
    if let Some(one) = uses.iter().filter(meant).find(|one| device::fits(layout, state, one)) {
        carry_out(layout, state, &thing.name, one, events);
        return Ok(());
    }
    // A named item that is missing is the reason for the refusal, even if other conditions fail as well.
    let key = uses.iter().filter(meant).find_map(|one| one.key.filter(|_| !with.is_empty()));
    if let Some(key) = key.filter(|key| !state.keys.has(u32::from(key.0))) {
        return Err(ActionRefusal::NoKey(key));
    }
    events.push(Event::Worked { verb, name: thing.name.clone(), told: thing.told.clone() });
    Ok(())
}

fn carry_out(layout: &Board, state: &mut State, name: &str, one: &Use, events: &mut Vec<Event>) {
    events.push(Event::Worked { verb: one.verb, name: name.to_owned(), told: one.told.clone() });
    events.extend(one.sound.clone().map(|sound| Event::Sounded { sound }));
    bring_about(layout, state, &one.does, events);
}

/// Counts a mistake, if the puzzle limits them.
fn slip(layout: &Board, state: &mut State, events: &mut Vec<Event>) {
    let Some(tries) = layout.tries else { return };
    state.guesses = state.guesses.saturating_add(1);
    let left = tries.saturating_sub(state.guesses);
    if left == 0 {
        lose(layout, state, Loss::TooManyMistakes, events);
    } else {
        events.push(Event::Slipped { left });
    }
}

fn work(
    layout: &Board,
    state: &mut State,
    at: CellId,
    number: usize,
    events: &mut Vec<Event>,
) -> Result<(), ActionRefusal> {
    let mechanism =
        layout.cell(at).and_then(|cell| cell.mechanisms.get(number)).ok_or(ActionRefusal::Nothing)?;
    let (Some(verb), Some(thing)) = (mechanism.verb(), mechanism.thing()) else {
        return Err(ActionRefusal::Nothing);
    };
    if matches!(verb, Verb::Answer | Verb::Push) {
        return Err(ActionRefusal::Nothing);
    }
    if state.spent.has(State::mark(at, number)) {
        return Err(ActionRefusal::Done);
    }
    if !matches!(mechanism, Mechanism::Lever { .. }) {
        state.spent.set(State::mark(at, number), true);
    }
    events.push(Event::Worked { verb, name: thing.name.clone(), told: thing.told.clone() });
    bring_about(layout, state, mechanism.does(), events);
    Ok(())
}

fn answer(
    layout: &Board,
    state: &mut State,
    at: CellId,
    words: &str,
    events: &mut Vec<Event>,
) -> Result<(), ActionRefusal> {
    let mechanisms = layout.mechanisms(at);
    let plain = plain_answer(words);
    if let Some((name, one)) = device::said(layout, state, mechanisms, &plain) {
        carry_out(layout, state, name, one, events);
        return Ok(());
    }
    let asked = mechanisms.iter().enumerate().find_map(|(number, mechanism)| match mechanism {
        Mechanism::Riddle { thing, answers, tries, does, .. }
            if !state.spent.has(State::mark(at, number)) =>
        {
            Some((number, thing, answers, *tries, does))
        }
        _ => None,
    });
    let Some((number, thing, answers, tries, does)) = asked else {
        let listens = mechanisms.iter().any(device::listens);
        events.extend(listens.then_some(Event::WrongAnswer { left: None }));
        return if listens { Ok(()) } else { Err(ActionRefusal::NotAsked) };
    };
    if answers.contains(&plain) {
        state.spent.set(State::mark(at, number), true);
        events.push(Event::Worked { verb: Verb::Answer, name: thing.name.clone(), told: thing.told.clone() });
        bring_about(layout, state, does, events);
        return Ok(());
    }
    // Counted only if limited, so that guesses do not create new states for the solver.
    let left = tries.map(|tries| {
        state.guesses = state.guesses.saturating_add(1);
        tries.saturating_sub(state.guesses)
    });
    if left == Some(0) {
        lose(layout, state, Loss::TooManyGuesses, events);
    } else {
        events.push(Event::WrongAnswer { left });
    }
    Ok(())
}

fn push(
    layout: &Board,
    state: &mut State,
    at: CellId,
    (weight, direction): (usize, Direction),
    events: &mut Vec<Event>,
) -> Result<(), ActionRefusal> {
    if state.weights.get(weight) != Some(&at) {
        return Err(ActionRefusal::Nothing);
    }
    let to = passable(layout, state, at, direction)?;
    let name = layout.weights().nth(weight).map(|thing| thing.name.clone()).unwrap_or_default();
    if let Some(place) = state.weights.get_mut(weight) {
        *place = to;
    }
    events.push(Event::Pushed { name, direction, to });
    Ok(())
}

/// Returns the locked gate in a direction if its key is available, with the key and `true` if the lock keeps it.
pub(super) fn lock_of(
    layout: &Board,
    state: &State,
    at: CellId,
    direction: Direction,
) -> Result<(GateId, KeyId, bool), ActionRefusal> {
    let exits = layout.cell(at).map(|cell| &cell.exits);
    let passage = exits.and_then(|exits| exits.get(&direction)).ok_or(ActionRefusal::NoWay)?;
    let Lock::Gate(id) = passage.lock else { return Err(ActionRefusal::Nothing) };
    let Some(Gate { opening: Opening::Key { key, kept }, .. }) = layout.gate(id) else {
        return Err(ActionRefusal::Nothing);
    };
    if state.open.has(u32::from(id.0)) {
        return Err(ActionRefusal::Done);
    }
    if !state.keys.has(u32::from(key.0)) {
        return Err(ActionRefusal::NoKey(*key));
    }
    Ok((id, *key, *kept))
}

fn unlock(
    layout: &Board,
    state: &mut State,
    at: CellId,
    direction: Direction,
    events: &mut Vec<Event>,
) -> Result<(), ActionRefusal> {
    let (gate, key, kept) = lock_of(layout, state, at, direction)?;
    state.open.set(u32::from(gate.0), true);
    if kept {
        state.keys.set(u32::from(key.0), false);
    }
    events.push(Event::Opened { gate });
    Ok(())
}

fn bring_about(layout: &Board, state: &mut State, does: &[Outcome], events: &mut Vec<Event>) {
    for outcome in does {
        match outcome {
            Outcome::Key(key) => {
                if state.keys.set(u32::from(key.0), true) {
                    events.push(Event::Found { key: *key });
                }
            }
            Outcome::On(switch) => {
                state.switches.set(u32::from(switch.0), true);
            }
            Outcome::Off(switch) => {
                state.switches.set(u32::from(switch.0), false);
            }
            Outcome::Toggle(switch) => {
                let on = state.switches.has(u32::from(switch.0));
                state.switches.set(u32::from(switch.0), !on);
            }
            Outcome::Lose(key) => {
                state.keys.set(u32::from(key.0), false);
            }
            Outcome::Mistake => slip(layout, state, events),
            Outcome::Restart => {
                restart(layout, state);
                events.push(Event::Restarted);
            }
        }
    }
}

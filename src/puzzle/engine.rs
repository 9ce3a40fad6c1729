//! The rules of puzzles: what happens when somebody enters a cell or does something there. The same functions serve the
//! game and the search, so that what was proved is what is played.

use crate::base::Direction;

use super::event::{Deed, Event, Hitch, Loss};
use super::feature::Goal;
use super::layout::{
    CellId, Gate, GateId, KeyId, Layout, Lock, Mechanism, Opening, Outcome, SwitchId, Thing, Verb,
};
use super::state::State;
use super::words::plain_answer;

/// Something in a cell that can be seen and worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight<'a> {
    /// What one does to it; none for plates.
    pub verb: Option<Verb>,
    /// Its words.
    pub thing: &'a Thing,
    /// Whether it is done with: an open chest, an answered riddle.
    pub done: bool,
    /// The number for [`Deed::Work`], or for [`Deed::Push`] if one pushes it.
    pub number: usize,
}

/// A puzzle in which nothing has happened and nobody is.
pub fn start(layout: &Layout) -> State {
    let mut state = State { might: layout.might, ..State::default() };
    for (id, cell) in layout.ids() {
        let weights = cell.mechanisms.iter().filter(|m| matches!(m, Mechanism::Weight { .. }));
        state.weights.extend(weights.map(|_| id));
    }
    settle(layout, &mut state);
    state
}

/// Where a direction leads from a cell just now.
pub fn passable(layout: &Layout, state: &State, from: CellId, direction: Direction) -> Result<CellId, Hitch> {
    let exits = layout.cell(from).map(|cell| &cell.exits);
    let passage = exits.and_then(|exits| exits.get(&direction)).ok_or(Hitch::NoWay)?;
    match passage.lock {
        Lock::Open => Ok(passage.to),
        Lock::Closed => Err(Hitch::WayBackClosed),
        Lock::Gate(gate) if state.open.has(u32::from(gate.0)) => Ok(passage.to),
        Lock::Gate(gate) => Err(Hitch::Shut(gate)),
    }
}

/// Somebody walks from one cell to the next: [`passable`], [`leave`] and [`enter`] in one.
pub fn walk(
    layout: &Layout,
    state: &mut State,
    from: CellId,
    direction: Direction,
) -> Result<(CellId, Vec<Event>), Hitch> {
    let to = passable(layout, state, from, direction)?;
    take_out(state, from);
    Ok((to, enter(layout, state, to)))
}

/// Somebody leaves a cell, for outside or because they were taken away.
pub fn leave(layout: &Layout, state: &mut State, from: CellId) -> Vec<Event> {
    take_out(state, from);
    settle(layout, state)
}

/// Somebody enters a cell, from outside or from a cell that they have left. What is there acts on them at once.
pub fn enter(layout: &Layout, state: &mut State, at: CellId) -> Vec<Event> {
    let mut events = Vec::new();
    arrive(layout, state, at, &mut events);
    events
}

/// Somebody does something in a cell.
pub fn act(layout: &Layout, state: &mut State, at: CellId, deed: &Deed) -> Result<Vec<Event>, Hitch> {
    let mut events = Vec::new();
    match deed {
        Deed::Work(number) => work(layout, state, at, *number, &mut events)?,
        Deed::Answer(words) => answer(layout, state, at, words, &mut events)?,
        Deed::Push { weight, direction } => push(layout, state, at, (*weight, *direction), &mut events)?,
        Deed::Unlock(direction) => unlock(layout, state, at, *direction, &mut events)?,
    }
    events.extend(settle(layout, state));
    Ok(events)
}

/// Everything in a cell that has words, with the weights that are there now.
pub fn sights<'a>(layout: &'a Layout, state: &State, at: CellId) -> Vec<Sight<'a>> {
    let mut seen = Vec::new();
    for (number, mechanism) in layout.cell(at).map_or(&[][..], |cell| &cell.mechanisms).iter().enumerate() {
        let Some(thing) = mechanism.thing() else { continue };
        if !matches!(mechanism, Mechanism::Weight { .. }) {
            let done = state.spent.has(mark(at, number));
            seen.push(Sight { verb: mechanism.verb(), thing, done, number });
        }
    }
    for (number, thing) in weights(layout).enumerate() {
        if state.weights.get(number) == Some(&at) {
            seen.push(Sight { verb: Some(Verb::Push), thing, done: false, number });
        }
    }
    seen
}

/// The thing that words mean, among those in a cell that one does this to. What is not done with comes first.
pub fn find<'a>(
    layout: &'a Layout,
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
pub fn deeds(layout: &Layout, state: &State, at: CellId) -> Vec<Deed> {
    let mut found = Vec::new();
    let Some(cell) = layout.cell(at) else { return found };
    for (number, mechanism) in cell.mechanisms.iter().enumerate() {
        if state.spent.has(mark(at, number)) {
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

/// The mark of a mechanism in [`State::spent`].
fn mark(at: CellId, number: usize) -> u32 {
    u32::from(at.0) * 256 + u32::try_from(number).unwrap_or(u32::MAX).min(255)
}

/// The words of all weights, in the order of [`State::weights`].
fn weights(layout: &Layout) -> impl Iterator<Item = &Thing> {
    layout.cells.iter().flat_map(|cell| &cell.mechanisms).filter_map(|mechanism| match mechanism {
        Mechanism::Weight { thing } => Some(thing),
        _ => None,
    })
}

fn take_out(state: &mut State, from: CellId) {
    if let Some(count) = state.people.get_mut(&from) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            state.people.remove(&from);
        }
    }
}

fn arrive(layout: &Layout, state: &mut State, at: CellId, events: &mut Vec<Event>) {
    *state.people.entry(at).or_default() += 1;
    let mechanisms = layout.cell(at).map_or(&[][..], |cell| &cell.mechanisms);
    let mut port = None;
    for (number, mechanism) in mechanisms.iter().enumerate() {
        let spent = mark(at, number);
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
        let there = layout.cell(to).map_or(&[][..], |cell| &cell.mechanisms);
        there.iter().any(|mechanism| matches!(mechanism, Mechanism::Portal { .. }))
    };
    // A portal into a portal would never end; such a one stays shut.
    if let Some(to) = port.filter(|to| *to != at && !leads_on(*to)) {
        take_out(state, at);
        events.push(Event::Ported { to });
        return arrive(layout, state, to, events);
    }
    events.extend(settle(layout, state));
}

/// Puts everybody at the entrance and everything back as it was at first.
fn lose(layout: &Layout, state: &mut State, why: Loss, events: &mut Vec<Event>) {
    let inside: u32 = state.people.values().sum();
    let mut fresh = start(layout);
    fresh.losses = state.losses.saturating_add(1);
    if inside > 0 {
        fresh.people.insert(layout.entrance, inside);
    }
    *state = fresh;
    events.push(Event::Lost { why });
    settle(layout, state);
}

fn work(
    layout: &Layout,
    state: &mut State,
    at: CellId,
    number: usize,
    events: &mut Vec<Event>,
) -> Result<(), Hitch> {
    let mechanism = layout.cell(at).and_then(|cell| cell.mechanisms.get(number)).ok_or(Hitch::Nothing)?;
    let (Some(verb), Some(thing)) = (mechanism.verb(), mechanism.thing()) else { return Err(Hitch::Nothing) };
    if matches!(verb, Verb::Answer | Verb::Push) {
        return Err(Hitch::Nothing);
    }
    if state.spent.has(mark(at, number)) {
        return Err(Hitch::Done);
    }
    if !matches!(mechanism, Mechanism::Lever { .. }) {
        state.spent.set(mark(at, number), true);
    }
    events.push(Event::Worked { verb, name: thing.name.clone(), told: thing.told.clone() });
    bring_about(state, mechanism.does(), events);
    Ok(())
}

fn answer(
    layout: &Layout,
    state: &mut State,
    at: CellId,
    words: &str,
    events: &mut Vec<Event>,
) -> Result<(), Hitch> {
    let mechanisms = layout.cell(at).map_or(&[][..], |cell| &cell.mechanisms);
    let asked = mechanisms.iter().enumerate().find_map(|(number, mechanism)| match mechanism {
        Mechanism::Riddle { thing, answers, tries, does, .. } if !state.spent.has(mark(at, number)) => {
            Some((number, thing, answers, *tries, does))
        }
        _ => None,
    });
    let (number, thing, answers, tries, does) = asked.ok_or(Hitch::NotAsked)?;
    if answers.contains(&plain_answer(words)) {
        state.spent.set(mark(at, number), true);
        events.push(Event::Worked { verb: Verb::Answer, name: thing.name.clone(), told: thing.told.clone() });
        bring_about(state, does, events);
        return Ok(());
    }
    // Counted only where it matters, so that guessing does not make ever new states.
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
    layout: &Layout,
    state: &mut State,
    at: CellId,
    (weight, direction): (usize, Direction),
    events: &mut Vec<Event>,
) -> Result<(), Hitch> {
    if state.weights.get(weight) != Some(&at) {
        return Err(Hitch::Nothing);
    }
    let to = passable(layout, state, at, direction)?;
    let name = weights(layout).nth(weight).map(|thing| thing.name.clone()).unwrap_or_default();
    if let Some(place) = state.weights.get_mut(weight) {
        *place = to;
    }
    events.push(Event::Pushed { name, direction, to });
    Ok(())
}

/// The shut gate with a lock in a direction, if its key is at hand, and whether the lock keeps the key.
fn lock_of(
    layout: &Layout,
    state: &State,
    at: CellId,
    direction: Direction,
) -> Result<(GateId, KeyId, bool), Hitch> {
    let exits = layout.cell(at).map(|cell| &cell.exits);
    let passage = exits.and_then(|exits| exits.get(&direction)).ok_or(Hitch::NoWay)?;
    let Lock::Gate(id) = passage.lock else { return Err(Hitch::Nothing) };
    let Some(Gate { opening: Opening::Key { key, kept }, .. }) = layout.gate(id) else {
        return Err(Hitch::Nothing);
    };
    if state.open.has(u32::from(id.0)) {
        return Err(Hitch::Done);
    }
    if !state.keys.has(u32::from(key.0)) {
        return Err(Hitch::NoKey(*key));
    }
    Ok((id, *key, *kept))
}

fn unlock(
    layout: &Layout,
    state: &mut State,
    at: CellId,
    direction: Direction,
    events: &mut Vec<Event>,
) -> Result<(), Hitch> {
    let (gate, key, kept) = lock_of(layout, state, at, direction)?;
    state.open.set(u32::from(gate.0), true);
    if kept {
        state.keys.set(u32::from(key.0), false);
    }
    events.push(Event::Opened { gate });
    Ok(())
}

fn bring_about(state: &mut State, does: &[Outcome], events: &mut Vec<Event>) {
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
        }
    }
}

/// Whether a switch is on: turned on, or a plate of it is down.
pub fn is_on(layout: &Layout, state: &State, switch: SwitchId) -> bool {
    let plate = |(id, number): (CellId, usize)| {
        state.down.has(mark(id, number))
            && matches!(
                layout.cell(id).and_then(|cell| cell.mechanisms.get(number)),
                Some(Mechanism::Plate { switch: own, .. }) if *own == switch
            )
    };
    state.switches.has(u32::from(switch.0))
        || state
            .down
            .iter()
            .any(|mark| plate((CellId(u16::try_from(mark / 256).unwrap_or(u16::MAX)), (mark % 256) as usize)))
}

/// Lets plates, gates and the goal follow what has happened.
fn settle(layout: &Layout, state: &mut State) -> Vec<Event> {
    let mut events = Vec::new();
    settle_plates(layout, state, &mut events);
    for (number, gate) in (0_u16..).zip(&layout.gates) {
        let (id, was) = (GateId(number), state.open.has(u32::from(number)));
        let open = match &gate.opening {
            Opening::Key { .. } => was,
            Opening::Switches { on, off, stays } => {
                was && *stays
                    || on.iter().all(|switch| is_on(layout, state, *switch))
                        && !off.iter().any(|switch| is_on(layout, state, *switch))
            }
            Opening::Beaten(cells) => was || cells.iter().all(|cell| beaten(layout, state, *cell)),
            Opening::Goal => false,
        };
        if !matches!(gate.opening, Opening::Goal) && state.open.set(u32::from(number), open) {
            events.push(if open { Event::Opened { gate: id } } else { Event::Shut { gate: id } });
        }
    }
    if !state.won && met(layout, state) {
        state.won = true;
        events.push(Event::GoalMet);
        for (number, gate) in (0_u16..).zip(&layout.gates) {
            if gate.opening == Opening::Goal && state.open.set(u32::from(number), true) {
                events.push(Event::Opened { gate: GateId(number) });
            }
        }
    }
    events
}

fn settle_plates(layout: &Layout, state: &mut State, events: &mut Vec<Event>) {
    for (id, cell) in layout.ids() {
        for (number, mechanism) in cell.mechanisms.iter().enumerate() {
            let Mechanism::Plate { thing, .. } = mechanism else { continue };
            let down = state.people.contains_key(&id) || state.weights.contains(&id);
            if state.down.set(mark(id, number), down) {
                events.push(if down {
                    Event::Pressed { at: id, told: thing.told.clone() }
                } else {
                    Event::Released { at: id, name: thing.name.clone() }
                });
            }
        }
    }
}

/// Whether no enemy is left in a cell.
fn beaten(layout: &Layout, state: &State, at: CellId) -> bool {
    let mechanisms = layout.cell(at).map_or(&[][..], |cell| &cell.mechanisms);
    mechanisms
        .iter()
        .enumerate()
        .all(|(number, one)| !matches!(one, Mechanism::Enemy { .. }) || state.spent.has(mark(at, number)))
}

/// Whether what has to be done is done.
fn met(layout: &Layout, state: &State) -> bool {
    match layout.goal {
        Goal::KillAll => layout.ids().all(|(id, _)| beaten(layout, state, id)),
        Goal::Solve => {
            !layout.solved.is_empty() && layout.solved.iter().all(|switch| is_on(layout, state, *switch))
        }
        Goal::ReachFinish => false,
    }
}

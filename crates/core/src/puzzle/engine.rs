//! Rules of puzzles: entering cells and acting in them. The game and the solver use the same functions, so that the
//! proven puzzle is the one played.

use crate::base::Direction;

use super::answer::plain_answer;
use super::board::{Board, Gate, Lock, Opening};
use super::device;
use super::event::{ActionRefusal, Deed, Event, Loss};
use super::feature::Goal;
use super::id::{CellId, GateId, KeyId};
use super::mechanism::{Mechanism, Outcome, Thing, Use, Verb};
use super::settle::settle;
use super::state::State;

/// Returns the initial state of a puzzle, without players.
pub fn start(board: &Board) -> State {
    let mut state = State { might: board.might, ..State::default() };
    for (id, cell) in board.ids() {
        let weights = cell.mechanisms.iter().filter(|m| matches!(m, Mechanism::Weight { .. }));
        state.weights.extend(weights.map(|_| id));
    }
    settle(board, &mut state);
    state
}

/// Returns the cell that a direction currently leads to.
pub fn passable(
    board: &Board,
    state: &State,
    from: CellId,
    direction: Direction,
) -> Result<CellId, ActionRefusal> {
    let exits = board.cell(from).map(|cell| &cell.exits);
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
    board: &Board,
    state: &mut State,
    from: CellId,
    direction: Direction,
) -> Result<(CellId, Vec<Event>), ActionRefusal> {
    let to = passable(board, state, from, direction)?;
    take_out(state, from);
    Ok((to, enter(board, state, to)))
}

/// Removes a player from a cell, when they leave the puzzle or are taken away.
pub fn leave(board: &Board, state: &mut State, from: CellId) -> Vec<Event> {
    take_out(state, from);
    if board.restarts && state.people.is_empty() && !state.finished {
        restart(board, state);
    }
    settle(board, state)
}

/// Adds a player to a cell, from outside or from the cell they have left. Mechanisms there act immediately.
pub fn enter(board: &Board, state: &mut State, at: CellId) -> Vec<Event> {
    let mut play = PlayedAction { board, state, at, events: Vec::new() };
    play.arrive();
    play.events
}

/// Performs an action of a player in a cell.
pub fn act(board: &Board, state: &mut State, at: CellId, deed: &Deed) -> Result<Vec<Event>, ActionRefusal> {
    let mut play = PlayedAction { board, state, at, events: Vec::new() };
    match deed {
        Deed::Work(number) => play.work(*number)?,
        Deed::Answer(answer) => play.answer(answer)?,
        Deed::Push { weight, direction } => play.push(*weight, *direction)?,
        Deed::Unlock(direction) => play.unlock(*direction)?,
        Deed::Handle { number, verb, with } => play.handle(*number, *verb, with)?,
    }
    play.settle();
    Ok(play.events)
}

/// Action in progress of a player in a cell, with the events so far.
struct PlayedAction<'p> {
    board: &'p Board,
    state: &'p mut State,
    at: CellId,
    events: Vec<Event>,
}

impl PlayedAction<'_> {
    fn settle(&mut self) {
        self.events.extend(settle(self.board, self.state));
    }

    fn arrive(&mut self) {
        *self.state.people.entry(self.at).or_default() += 1;
        let mechanisms = self.board.mechanisms(self.at);
        let mut port = None;
        for (number, mechanism) in mechanisms.iter().enumerate() {
            let spent = State::mark(self.at, number);
            if self.state.spent.has(spent) {
                continue;
            }
            match mechanism {
                Mechanism::Enemy { power, name } => {
                    let might = self.state.might.unwrap_or(0);
                    if might < *power {
                        let why = Loss::Overpowered { name: name.clone(), power: *power, might };
                        return self.lose(why);
                    }
                    let might = might.saturating_add(*power);
                    self.state.might = Some(might);
                    self.state.spent.set(spent, true);
                    self.events.push(Event::Beaten { name: name.clone(), power: *power, might });
                }
                Mechanism::PowerUp { op, factor, words } => {
                    let might = op.apply(self.state.might.unwrap_or(0), *factor);
                    self.state.might = Some(might);
                    self.state.spent.set(spent, true);
                    self.events.push(Event::Changed {
                        op: *op,
                        factor: *factor,
                        words: words.clone(),
                        might,
                    });
                    if might <= 0 {
                        return self.lose(Loss::NoMight { might });
                    }
                }
                Mechanism::Portal { to } => port = Some(*to),
                Mechanism::Finish => {
                    self.settle();
                    if self.board.goal == Goal::ReachFinish && !self.state.won {
                        self.state.won = true;
                        self.events.push(Event::GoalMet);
                    }
                    if self.state.won && !self.state.finished {
                        self.state.finished = true;
                        self.events.push(Event::Finished);
                    }
                }
                _ => {}
            }
        }
        let leads_on = |to: CellId| {
            let there = self.board.mechanisms(to);
            there.iter().any(|mechanism| matches!(mechanism, Mechanism::Portal { .. }))
        };
        // A chain of portals might never end; a portal that leads to a portal stays inactive.
        if let Some(to) = port.filter(|to| *to != self.at && !leads_on(*to)) {
            take_out(self.state, self.at);
            self.events.push(Event::Ported { to });
            self.at = to;
            return self.arrive();
        }
        self.settle();
    }

    /// Resets the puzzle after a loss and moves all players to the entrance.
    fn lose(&mut self, why: Loss) {
        let inside: u32 = self.state.people.values().sum();
        let mut fresh = start(self.board);
        fresh.losses = self.state.losses.saturating_add(1);
        fresh.hinted = std::mem::take(&mut self.state.hinted);
        if inside > 0 {
            fresh.people.insert(self.board.entrance, inside);
        }
        *self.state = fresh;
        self.events.push(Event::Lost { why });
        settle(self.board, self.state);
    }

    /// Performs an action on a device.
    fn handle(&mut self, number: usize, verb: Verb, with: &str) -> Result<(), ActionRefusal> {
        let Some(Mechanism::Device { thing, uses, .. }) = self.board.mechanisms(self.at).get(number) else {
            return Err(ActionRefusal::Nothing);
        };
        let meant = |one: &&Use| one.verb == verb && device::with(self.board, one) == with;
        if !uses.iter().any(|one| meant(&one)) {
            return Err(ActionRefusal::Nothing);
        }
        if let Some(one) = uses.iter().filter(meant).find(|one| device::fits(self.board, self.state, one)) {
            self.carry_out(&thing.name, one);
            return Ok(());
        }
        // A named item that is missing is the reason for the refusal, even if other conditions fail as well.
        let key = uses.iter().filter(meant).find_map(|one| one.key.filter(|_| !with.is_empty()));
        if let Some(key) = key.filter(|key| !self.state.keys.has(u32::from(key.0))) {
            return Err(ActionRefusal::NoKey(key));
        }
        self.worked(verb, thing);
        Ok(())
    }

    fn worked(&mut self, verb: Verb, thing: &Thing) {
        self.events.push(Event::Worked { verb, name: thing.name.clone(), message: thing.told.clone() });
    }

    fn carry_out(&mut self, name: &str, one: &Use) {
        self.events.push(Event::Worked { verb: one.verb, name: name.to_owned(), message: one.told.clone() });
        self.events.extend(one.sound.clone().map(|sound| Event::Sounded { sound }));
        self.bring_about(&one.does);
    }

    /// Counts a mistake, if the puzzle limits them.
    fn slip(&mut self) {
        let Some(tries) = self.board.tries else { return };
        self.state.guesses = self.state.guesses.saturating_add(1);
        let left = tries.saturating_sub(self.state.guesses);
        if left == 0 {
            self.lose(Loss::TooManyMistakes);
        } else {
            self.events.push(Event::Slipped { left });
        }
    }

    fn work(&mut self, number: usize) -> Result<(), ActionRefusal> {
        let mechanism = self
            .board
            .cell(self.at)
            .and_then(|cell| cell.mechanisms.get(number))
            .ok_or(ActionRefusal::Nothing)?;
        let (Some(verb), Some(thing)) = (mechanism.verb(), mechanism.thing()) else {
            return Err(ActionRefusal::Nothing);
        };
        if matches!(verb, Verb::Answer | Verb::Push) {
            return Err(ActionRefusal::Nothing);
        }
        if self.state.spent.has(State::mark(self.at, number)) {
            return Err(ActionRefusal::Done);
        }
        if !matches!(mechanism, Mechanism::Lever { .. }) {
            self.state.spent.set(State::mark(self.at, number), true);
        }
        self.worked(verb, thing);
        self.bring_about(mechanism.does());
        Ok(())
    }

    fn answer(&mut self, answer: &str) -> Result<(), ActionRefusal> {
        let mechanisms = self.board.mechanisms(self.at);
        let plain = plain_answer(answer);
        if let Some((name, one)) = device::use_by_answer(self.board, self.state, mechanisms, &plain) {
            self.carry_out(name, one);
            return Ok(());
        }
        let asked = mechanisms.iter().enumerate().find_map(|(number, mechanism)| match mechanism {
            Mechanism::Riddle { thing, answers, tries, does, .. }
                if !self.state.spent.has(State::mark(self.at, number)) =>
            {
                Some((number, thing, answers, *tries, does))
            }
            _ => None,
        });
        let Some((number, thing, answers, tries, does)) = asked else {
            let listens = mechanisms.iter().any(device::listens);
            self.events.extend(listens.then_some(Event::WrongAnswer { left: None }));
            return if listens { Ok(()) } else { Err(ActionRefusal::NotAsked) };
        };
        if answers.contains(&plain) {
            self.state.spent.set(State::mark(self.at, number), true);
            self.worked(Verb::Answer, thing);
            self.bring_about(does);
            return Ok(());
        }
        // Counted only if limited, so that guesses do not create new states for the solver.
        let left = tries.map(|tries| {
            self.state.guesses = self.state.guesses.saturating_add(1);
            tries.saturating_sub(self.state.guesses)
        });
        if left == Some(0) {
            self.lose(Loss::TooManyGuesses);
        } else {
            self.events.push(Event::WrongAnswer { left });
        }
        Ok(())
    }

    fn push(&mut self, weight: usize, direction: Direction) -> Result<(), ActionRefusal> {
        if self.state.weights.get(weight) != Some(&self.at) {
            return Err(ActionRefusal::Nothing);
        }
        let to = passable(self.board, self.state, self.at, direction)?;
        let name = self.board.weights().nth(weight).map(|thing| thing.name.clone()).unwrap_or_default();
        if let Some(place) = self.state.weights.get_mut(weight) {
            *place = to;
        }
        self.events.push(Event::Pushed { name, direction, to });
        Ok(())
    }

    fn unlock(&mut self, direction: Direction) -> Result<(), ActionRefusal> {
        let (gate, key, kept) = lock_of(self.board, self.state, self.at, direction)?;
        self.state.open.set(u32::from(gate.0), true);
        if kept {
            self.state.keys.set(u32::from(key.0), false);
        }
        self.events.push(Event::Opened { gate });
        Ok(())
    }

    fn bring_about(&mut self, does: &[Outcome]) {
        for outcome in does {
            match outcome {
                Outcome::Key(key) => {
                    if self.state.keys.set(u32::from(key.0), true) {
                        self.events.push(Event::Found { key: *key });
                    }
                }
                Outcome::On(switch) => {
                    self.state.switches.set(u32::from(switch.0), true);
                }
                Outcome::Off(switch) => {
                    self.state.switches.set(u32::from(switch.0), false);
                }
                Outcome::Toggle(switch) => {
                    let on = self.state.switches.has(u32::from(switch.0));
                    self.state.switches.set(u32::from(switch.0), !on);
                }
                Outcome::Lose(key) => {
                    self.state.keys.set(u32::from(key.0), false);
                }
                Outcome::Mistake => self.slip(),
                Outcome::Restart => {
                    restart(self.board, self.state);
                    self.events.push(Event::Restarted);
                }
            }
        }
    }
}

fn take_out(state: &mut State, from: CellId) {
    if let Some(count) = state.people.get_mut(&from) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            state.people.remove(&from);
        }
    }
}

/// Resets the puzzle with all players in place. Mistakes still count.
fn restart(board: &Board, state: &mut State) {
    let mut fresh = start(board);
    (fresh.losses, fresh.guesses) = (state.losses, state.guesses);
    fresh.hinted = std::mem::take(&mut state.hinted);
    fresh.people = std::mem::take(&mut state.people);
    *state = fresh;
}

/// Returns the locked gate in a direction if its key is available, with the key and `true` if the lock keeps it.
pub(super) fn lock_of(
    board: &Board,
    state: &State,
    at: CellId,
    direction: Direction,
) -> Result<(GateId, KeyId, bool), ActionRefusal> {
    let exits = board.cell(at).map(|cell| &cell.exits);
    let passage = exits.and_then(|exits| exits.get(&direction)).ok_or(ActionRefusal::NoWay)?;
    let Lock::Gate(id) = passage.lock else { return Err(ActionRefusal::Nothing) };
    let Some(Gate { opening: Opening::Key { key, kept }, .. }) = board.gate(id) else {
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

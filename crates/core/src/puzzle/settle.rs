//! Derived state after an action: plates, gates and the goal.

use super::board::{Board, Opening};
use super::event::Event;
use super::feature::Goal;
use super::id::{CellId, GateId, SwitchId};
use super::mechanism::Mechanism;
use super::state::State;

/// Returns `true` if a switch is on: turned on, or held by a plate that is down.
pub fn is_on(board: &Board, state: &State, switch: SwitchId) -> bool {
    let plate = |(id, number): (CellId, usize)| {
        state.down.has(State::mark(id, number))
            && matches!(
                board.cell(id).and_then(|cell| cell.mechanisms.get(number)),
                Some(Mechanism::Plate { switch: own, .. }) if *own == switch
            )
    };
    state.switches.has(u32::from(switch.0))
        || state
            .down
            .iter()
            .any(|mark| plate((CellId(u16::try_from(mark / 256).unwrap_or(u16::MAX)), (mark % 256) as usize)))
}

/// Updates plates, gates and the goal, and returns the resulting events.
pub(super) fn settle(board: &Board, state: &mut State) -> Vec<Event> {
    let mut events = Vec::new();
    settle_plates(board, state, &mut events);
    for (number, gate) in (0_u16..).zip(&board.gates) {
        let (id, was) = (GateId(number), state.open.has(u32::from(number)));
        let open = match &gate.opening {
            Opening::Key { .. } => was,
            Opening::Switches { on, off, stays } => {
                was && *stays
                    || on.iter().all(|switch| is_on(board, state, *switch))
                        && !off.iter().any(|switch| is_on(board, state, *switch))
            }
            Opening::Beaten(cells) => was || cells.iter().all(|cell| beaten(board, state, *cell)),
            Opening::Goal => false,
        };
        if !matches!(gate.opening, Opening::Goal) && state.open.set(u32::from(number), open) {
            events.push(if open { Event::Opened { gate: id } } else { Event::Shut { gate: id } });
        }
    }
    if !state.won && met(board, state) {
        state.won = true;
        events.push(Event::GoalMet);
        for (number, gate) in (0_u16..).zip(&board.gates) {
            if gate.opening == Opening::Goal && state.open.set(u32::from(number), true) {
                events.push(Event::Opened { gate: GateId(number) });
            }
        }
    }
    events
}

fn settle_plates(board: &Board, state: &mut State, events: &mut Vec<Event>) {
    for (id, cell) in board.ids() {
        for (number, mechanism) in cell.mechanisms.iter().enumerate() {
            let Mechanism::Plate { thing, .. } = mechanism else { continue };
            let down = state.people.contains_key(&id) || state.weights.contains(&id);
            if state.down.set(State::mark(id, number), down) {
                events.push(if down {
                    Event::Pressed { at: id, message: thing.told.clone() }
                } else {
                    Event::Released { at: id, name: thing.name.clone() }
                });
            }
        }
    }
}

/// Returns `true` if all enemies in a cell are beaten.
fn beaten(board: &Board, state: &State, at: CellId) -> bool {
    let mechanisms = board.mechanisms(at);
    mechanisms.iter().enumerate().all(|(number, one)| {
        !matches!(one, Mechanism::Enemy { .. }) || state.spent.has(State::mark(at, number))
    })
}

/// Returns `true` if the goal is met.
fn met(board: &Board, state: &State) -> bool {
    match board.goal {
        Goal::KillAll => board.ids().all(|(id, _)| beaten(board, state, id)),
        Goal::Solve => {
            !board.solved.is_empty() && board.solved.iter().all(|switch| is_on(board, state, *switch))
        }
        Goal::ReachFinish => false,
    }
}

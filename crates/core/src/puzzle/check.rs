//! Validation of boards from any puzzle, before solving is attempted.

use std::collections::BTreeSet;

use super::answer::plain_answer;
use super::board::{Board, Cell, Gate, Lock, Opening};
use super::device;
use super::error::BoardFlaw;
use super::feature::{Feature, Goal};
use super::id::{CellId, KeyId};
use super::kind::Puzzle;
use super::mechanism::{Mechanism, Outcome, Thing, Verb};

/// Returns all flaws of a board.
pub fn flaws(puzzle: &dyn Puzzle, board: &Board) -> Vec<BoardFlaw> {
    let allowed = puzzle.description();
    let mut found = Vec::new();
    if board.cell(board.entrance).is_none() {
        found.push(BoardFlaw::NoEntrance);
    }
    if !allowed.goals.contains(&board.goal) {
        found.push(BoardFlaw::Goal(board.goal));
    }
    if board.goal == Goal::Solve && board.solved.is_empty() {
        found.push(BoardFlaw::NothingToSolve);
    }
    let undeclared = features(board).into_iter().filter(|feature| !allowed.features.contains(feature));
    found.extend(undeclared.map(BoardFlaw::Feature));
    let mut places = BTreeSet::new();
    for (id, cell) in board.ids() {
        if !places.insert(cell.at) {
            found.push(BoardFlaw::SharedPosition(cell.at));
        }
        let mut mistakes = Vec::new();
        cell_flaws(board, id, cell, &mut mistakes);
        found.extend(mistakes.into_iter().map(|flaw| BoardFlaw::Cell(id, cell.at, Box::new(flaw))));
    }
    for gate in &board.gates {
        gate_flaws(board, gate, &mut found);
    }
    found
}

/// Returns the features that a board uses.
pub(super) fn features(board: &Board) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    for cell in &board.cells {
        if cell.exits.values().any(|passage| passage.lock == Lock::Closed) {
            found.insert(Feature::OneWay);
        }
        found.extend(cell.mechanisms.iter().map(|mechanism| match mechanism {
            Mechanism::Enemy { .. } | Mechanism::PowerUp { .. } => Feature::Might,
            Mechanism::Portal { .. } => Feature::Portal,
            Mechanism::Finish => Feature::Finish,
            Mechanism::Lever { .. } | Mechanism::Chest { .. } | Mechanism::Hidden { .. } => Feature::Levers,
            Mechanism::Guard { .. } => Feature::Guards,
            Mechanism::Riddle { .. } => Feature::Words,
            Mechanism::Device { .. } if device::listens(mechanism) => Feature::Words,
            Mechanism::Device { .. } => Feature::Devices,
            Mechanism::Plate { .. } | Mechanism::Weight { .. } => Feature::Plates,
        }));
    }
    if board.gates.iter().any(|gate| matches!(gate.opening, Opening::Key { .. })) {
        found.insert(Feature::Keys);
    }
    found
}

fn cell_flaws(board: &Board, id: CellId, cell: &Cell, found: &mut Vec<BoardFlaw>) {
    check_text(&cell.name, "name", found);
    check_text(&cell.description, "description", found);
    for (direction, passage) in &cell.exits {
        if board.cell(passage.to).is_none_or(|to| to.at != cell.at.step(*direction) || to.at == cell.at) {
            found.push(BoardFlaw::Passage(*direction));
        }
        if let Lock::Gate(gate) = passage.lock
            && board.gate(gate).is_none()
        {
            found.push(BoardFlaw::NoGate(*direction));
        }
    }
    if cell.mechanisms.len() > 255 {
        found.push(BoardFlaw::TooManyMechanisms);
    }
    for mechanism in &cell.mechanisms {
        // Players can arrive at the entrance without walking; mechanisms then do not act on them.
        if id == board.entrance && mechanism.thing().is_none() {
            found.push(BoardFlaw::ActiveEntrance);
        }
        mechanism_flaws(board, mechanism, found);
    }
}

fn mechanism_flaws(board: &Board, mechanism: &Mechanism, found: &mut Vec<BoardFlaw>) {
    if let Some(Thing { name, seen, told: message }) = mechanism.thing() {
        check_text(name, "name of a thing", found);
        check_text(seen, "sight of a thing", found);
        check_text(message, "sentence of a thing", found);
    }
    for outcome in mechanism.outcomes() {
        if let Outcome::Key(key) | Outcome::Lose(key) = outcome {
            key_flaw(board, *key, found);
        }
    }
    match mechanism {
        Mechanism::Enemy { .. } | Mechanism::PowerUp { .. } if board.might.is_none() => {
            found.push(BoardFlaw::NoMight);
        }
        Mechanism::Enemy { name, .. } => check_text(name, "name of an enemy", found),
        Mechanism::PowerUp { words, .. } => check_text(words, "words of a power-up", found),
        Mechanism::Portal { to } => {
            let leads_on =
                |cell: &Cell| cell.mechanisms.iter().any(|m| matches!(m, Mechanism::Portal { .. }));
            if board.cell(*to).is_none_or(leads_on) {
                found.push(BoardFlaw::Portal);
            }
        }
        Mechanism::Device { looks, uses, .. } => {
            for look in looks {
                check_text(&look.seen, "sight of a thing", found);
            }
            for one in uses {
                check_text(&one.told, "sentence of a use", found);
            }
        }
        Mechanism::Hidden { verb, .. } if !matches!(verb, Verb::Search | Verb::Pull) => {
            found.push(BoardFlaw::HiddenVerb);
        }
        Mechanism::Riddle { asks, answers, tries, .. } => {
            check_text(asks, "question", found);
            if answers.is_empty() || answers.iter().any(|a| a.is_empty() || plain_answer(a) != *a) {
                found.push(BoardFlaw::Answer);
            }
            if *tries == Some(0) {
                found.push(BoardFlaw::NoTries);
            }
        }
        _ => {}
    }
}

fn gate_flaws(board: &Board, gate: &Gate, found: &mut Vec<BoardFlaw>) {
    check_text(&gate.name, "name of a gate", found);
    check_text(&gate.shut, "words of a shut gate", found);
    check_text(&gate.told, "words of an opening gate", found);
    match &gate.opening {
        Opening::Key { key, .. } => key_flaw(board, *key, found),
        Opening::Beaten(cells) if cells.iter().any(|cell| board.cell(*cell).is_none()) => {
            found.push(BoardFlaw::NoBeatenCell(gate.name.clone()));
        }
        _ => {}
    }
}

fn key_flaw(board: &Board, key: KeyId, found: &mut Vec<BoardFlaw>) {
    match board.keys.get(usize::from(key.0)) {
        Some(name) => check_text(name, "name of a key", found),
        None => found.push(BoardFlaw::NoKey),
    }
}

/// Checks that a text is present and displayable on any client.
fn check_text(text: &str, what: &'static str, found: &mut Vec<BoardFlaw>) {
    if text.trim().is_empty() || !text.is_ascii() {
        found.push(BoardFlaw::Text(what, text.to_owned()));
    }
}

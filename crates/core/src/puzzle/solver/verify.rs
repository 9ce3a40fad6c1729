//! Independent verification of generated puzzles by playing them.

use crate::base::Seed;
use crate::puzzle::check::flaws;
use crate::puzzle::{
    Board, BoardFlaw, CellId, Fallback, GateId, Lock, Mechanism, Opening, Outcome, PuzzleEntry, draw, proves,
};
use std::collections::BTreeSet;
use thiserror::Error;

/// Result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardProof {
    /// Number of rejected boards.
    pub redrawn: u32,
    /// Reason for using the fallback, if it was used.
    pub plain: Option<Fallback>,
    /// Defects in the puzzle that players would see.
    pub defects: Vec<Defect>,
}

/// Defect of a puzzle that players would see.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// The solution does not reach the finish, or causes a loss.
    #[error("its solution does not lead to the finish (H6)")]
    FalseSolution,
    /// All keys of the gate with this name are behind it.
    #[error("the key of the {0} lies behind it (H17)")]
    LockedIn(String),
    /// The board has a flaw.
    #[error("{0}")]
    Flaw(BoardFlaw),
    /// It cannot be lost, although that is required.
    #[error("there is no way to lose it (H17)")]
    NoLoss,
}

/// Generates the puzzle of an entry and plays its solution. The solution must reach the finish without a loss, all
/// features must be declared, and no key may be behind its own door. If a way to lose is required, there must be one.
/// The fallback cannot be lost; callers count how often it is used.
pub fn verify(entry: &PuzzleEntry, seed: Seed) -> BoardProof {
    let drawn = draw(entry, seed);
    let (puzzle, config) = (&*entry.puzzle, &entry.config);
    let mut proof =
        BoardProof { redrawn: drawn.tries.saturating_sub(1), plain: drawn.plain, ..BoardProof::default() };
    let defects = &mut proof.defects;
    if drawn.solution.is_empty() || !proves(&drawn.board, config.players, &drawn.solution) {
        defects.push(Defect::FalseSolution);
    }
    defects.extend(locked_in(&drawn.board).map(|name| Defect::LockedIn(name.to_owned())));
    if proof.plain.is_none() {
        defects.extend(flaws(puzzle, &drawn.board).into_iter().map(Defect::Flaw));
        if config.require_choice && !puzzle.solve(&drawn.board, config).losable {
            defects.push(Defect::NoLoss);
        }
    }
    proof
}

/// Returns the names of the gates whose keys are all behind them.
fn locked_in(board: &Board) -> impl Iterator<Item = &str> {
    (0..).map(GateId).zip(&board.gates).filter_map(|(id, gate)| {
        let Opening::Key { key, .. } = &gate.opening else { return None };
        let before = before(board, id);
        let has = |cell: &CellId| {
            let things = board.cell(*cell).into_iter().flat_map(|cell| &cell.mechanisms);
            things.flat_map(Mechanism::outcomes).any(|outcome| *outcome == Outcome::Key(*key))
        };
        (!before.iter().any(has)).then_some(gate.name.as_str())
    })
}

/// Returns the cells reachable while one gate is closed; other gates count as open.
fn before(board: &Board, shut: GateId) -> BTreeSet<CellId> {
    let mut reached = BTreeSet::from([board.entrance]);
    let mut next = vec![board.entrance];
    while let Some(cell) = next.pop().and_then(|id| board.cell(id)) {
        let ported = cell.mechanisms.iter().filter_map(|thing| match thing {
            Mechanism::Portal { to } => Some(*to),
            _ => None,
        });
        let open = cell.exits.values().filter(|way| way.lock != Lock::Closed && way.lock != Lock::Gate(shut));
        for to in open.map(|way| way.to).chain(ported) {
            if reached.insert(to) {
                next.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Direction, Point};
    use crate::puzzle::{Cell, CellKind, Gate, PuzzleConfig, Registry, Thing};
    use std::sync::Arc;

    /// Covers all puzzles at their defaults, which must not end in the fallback.
    #[test]
    fn h6_h17_built_in_puzzles_have_no_defects() {
        for puzzle in Registry::builtin().all() {
            let entry = PuzzleEntry::new(Arc::clone(puzzle), PuzzleConfig::of(&**puzzle).with_power(40));
            let proofs = (0..60).map(|seed| verify(&entry, Seed(seed)));
            for (seed, proof) in proofs.enumerate() {
                assert_eq!(
                    (proof.defects, proof.plain),
                    (Vec::new(), None),
                    "{}, seed {seed}",
                    puzzle.name()
                );
            }
        }
    }

    /// A key behind its own door is found, and one before it is not.
    #[test]
    fn h17_keys_behind_their_doors_are_detected() {
        for (holder, count) in [(0, 0), (1, 1)] {
            let mut board = Board::default();
            let key = board.add_key("iron key");
            let gate = board.add_gate(Gate {
                name: "iron door".into(),
                shut: "The iron door is locked.".into(),
                told: "The iron door opens.".into(),
                opening: Opening::Key { key, kept: false },
            });
            let cell = |x| Cell::new(Point::new(x, 0), CellKind::Chamber, "A room", "A room of stone.");
            let (here, there) = (board.add(cell(0)), board.add(cell(1)));
            board.join(here, Direction::East, there, Lock::Gate(gate));
            let chest = Mechanism::Chest { thing: Thing::default(), does: vec![Outcome::Key(key)] };
            board.cells[holder].mechanisms.push(chest);
            assert_eq!(locked_in(&board).count(), count);
        }
    }
}

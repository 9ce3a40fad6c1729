//! Puzzle instances on floors of their own: board, progress and the room of each cell. Their effects on the game are
//! in the game rules.

use crate::base::{CharacterId, Direction, ExitState, RoomId, Seed};
use crate::catalog::RoomKind;
use crate::puzzle::{Board, CellId, CellKind, Lock, Mechanism, State};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Puzzle in play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// Room outside the puzzle, with the exit `in`.
    pub gate: RoomId,
    /// Seed of its random decisions.
    pub seed: Seed,
    /// Board. The texts of its cells are stored in the rooms.
    #[serde(rename = "layout")]
    pub board: Board,
    /// Progress so far.
    pub state: State,
    /// Room of each cell.
    pub rooms: Vec<RoomId>,
    /// Guardian creatures, each with its cell and the index of the guarded mechanism.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub guards: BTreeMap<CharacterId, (CellId, usize)>,
    /// Set for a builder's test run: solving it clears nothing and gives no reward.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// Room that it leads to once it is solved, for a puzzle behind a hand-built exit. Its gate is that exit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<RoomId>,
}

impl PuzzleRun {
    /// Returns the cell of a room.
    pub fn cell_of(&self, room: RoomId) -> Option<CellId> {
        let place = self.rooms.iter().position(|own| *own == room)?;
        u16::try_from(place).ok().map(CellId)
    }

    /// Returns the room of a cell.
    pub fn room_of(&self, cell: CellId) -> Option<RoomId> {
        self.rooms.get(usize::from(cell.0)).copied()
    }

    /// Returns `true` if a mechanism is used up: an enemy beaten, a glyph taken, a chest opened.
    pub fn is_spent(&self, cell: CellId, number: usize) -> bool {
        let number = u32::try_from(number).unwrap_or(u32::MAX).min(255);
        self.state.spent.has(u32::from(cell.0) * 256 + number)
    }

    fn mechanisms(&self) -> impl Iterator<Item = (CellId, usize, &Mechanism)> {
        let cells = self.board.ids();
        cells.flat_map(|(id, cell)| cell.mechanisms.iter().enumerate().map(move |(n, one)| (id, n, one)))
    }

    /// Returns the number of enemies still to be beaten.
    pub fn enemies_left(&self) -> usize {
        let enemies = self.mechanisms().filter(|(.., one)| matches!(one, Mechanism::Enemy { .. }));
        enemies.filter(|(cell, number, _)| !self.is_spent(*cell, *number)).count()
    }

    /// Returns `true` if a room finishes the puzzle.
    pub fn has_finish(&self) -> bool {
        self.mechanisms().any(|(.., one)| matches!(one, Mechanism::Finish))
    }

    /// Returns the destination of the portal in a cell, if it has one.
    pub fn portal_of(&self, cell: CellId) -> Option<CellId> {
        self.board.cell(cell)?.mechanisms.iter().find_map(|one| match one {
            Mechanism::Portal { to } => Some(*to),
            _ => None,
        })
    }

    /// Decrements the number of players in a cell.
    pub fn player_left(&mut self, cell: CellId) {
        if let Some(count) = self.state.people.get_mut(&cell) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.state.people.remove(&cell);
            }
        }
    }

    /// Returns the current state of an exit; `None` if there is no exit.
    pub fn exit_state(&self, cell: CellId, direction: Direction) -> Option<ExitState> {
        let passage = self.board.cell(cell)?.exits.get(&direction)?;
        let back = self.board.cell(passage.to)?.exits.get(&direction.opposite());
        let returns = back.is_some_and(|back| back.to == cell && back.lock != Lock::Closed);
        match passage.lock {
            Lock::Closed => None,
            Lock::Gate(gate) if !self.state.open.has(u32::from(gate.0)) => Some(ExitState::Locked),
            Lock::Open | Lock::Gate(_) if returns => Some(ExitState::Open),
            Lock::Open | Lock::Gate(_) => Some(ExitState::OneWay),
        }
    }
}

/// Returns the room kind for a cell kind.
pub const fn room_kind(kind: CellKind) -> RoomKind {
    match kind {
        CellKind::Entrance | CellKind::Chamber => RoomKind::Chamber,
        CellKind::Gallery => RoomKind::Gallery,
        CellKind::Slot => RoomKind::Slot,
        CellKind::Portal => RoomKind::Portal,
        CellKind::Finish => RoomKind::Finish,
    }
}

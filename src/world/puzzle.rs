//! A puzzle that has been made real on a floor of its own: its layout, how far it has come, and which room is which cell.
//! What the rules make of it is the game's.

use crate::base::{CharacterId, Direction, ExitState, RoomId, Seed};
use crate::catalog::RoomKind;
use crate::puzzle::{Board, CellId, CellKind, Lock, Mechanism, State};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A puzzle in play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PuzzleRun {
    /// The room outside, with the exit `in`.
    pub gate: RoomId,
    /// Where its draws began.
    pub seed: Seed,
    /// What it is made of. The words of its cells are in the rooms.
    pub layout: Board,
    /// What has happened in it.
    pub state: State,
    /// The room of each cell.
    pub rooms: Vec<RoomId>,
    /// The creatures that guard something: the cell, and the place among its mechanisms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub guards: BTreeMap<CharacterId, (CellId, usize)>,
    /// Whether a builder made it to try it: it clears nothing and gives nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
}

impl PuzzleRun {
    /// The cell that a room is.
    pub fn cell_of(&self, room: RoomId) -> Option<CellId> {
        let place = self.rooms.iter().position(|own| *own == room)?;
        u16::try_from(place).ok().map(CellId)
    }

    /// The room that a cell is.
    pub fn room_of(&self, cell: CellId) -> Option<RoomId> {
        self.rooms.get(usize::from(cell.0)).copied()
    }

    /// Whether a mechanism is done with: an enemy beaten, a glyph taken, a chest opened.
    pub fn is_spent(&self, cell: CellId, number: usize) -> bool {
        let number = u32::try_from(number).unwrap_or(u32::MAX).min(255);
        self.state.spent.has(u32::from(cell.0) * 256 + number)
    }

    fn mechanisms(&self) -> impl Iterator<Item = (CellId, usize, &Mechanism)> {
        let cells = self.layout.ids();
        cells.flat_map(|(id, cell)| cell.mechanisms.iter().enumerate().map(move |(n, one)| (id, n, one)))
    }

    /// How many enemies have not been beaten.
    pub fn enemies_left(&self) -> usize {
        let enemies = self.mechanisms().filter(|(.., one)| matches!(one, Mechanism::Enemy { .. }));
        enemies.filter(|(cell, number, _)| !self.is_spent(*cell, *number)).count()
    }

    /// Whether there is a room that ends it.
    pub fn has_finish(&self) -> bool {
        self.mechanisms().any(|(.., one)| matches!(one, Mechanism::Finish))
    }

    /// Where the portal of a cell leads, if it has one.
    pub fn portal_of(&self, cell: CellId) -> Option<CellId> {
        self.layout.cell(cell)?.mechanisms.iter().find_map(|one| match one {
            Mechanism::Portal { to } => Some(*to),
            _ => None,
        })
    }

    /// One person less is in a cell.
    pub fn step_out(&mut self, cell: CellId) {
        if let Some(count) = self.state.people.get_mut(&cell) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.state.people.remove(&cell);
            }
        }
    }

    /// How an exit of a cell stands just now; none if it is no exit.
    pub fn exit_state(&self, cell: CellId, direction: Direction) -> Option<ExitState> {
        let passage = self.layout.cell(cell)?.exits.get(&direction)?;
        let back = self.layout.cell(passage.to)?.exits.get(&direction.opposite());
        let returns = back.is_some_and(|back| back.to == cell && back.lock != Lock::Closed);
        match passage.lock {
            Lock::Closed => None,
            Lock::Gate(gate) if !self.state.open.has(u32::from(gate.0)) => Some(ExitState::Locked),
            Lock::Open | Lock::Gate(_) if returns => Some(ExitState::Open),
            Lock::Open | Lock::Gate(_) => Some(ExitState::OneWay),
        }
    }
}

/// The kind of the room that a cell becomes.
pub const fn room_kind(kind: CellKind) -> RoomKind {
    match kind {
        CellKind::Entrance | CellKind::Chamber => RoomKind::Chamber,
        CellKind::Gallery => RoomKind::Gallery,
        CellKind::Slot => RoomKind::Slot,
        CellKind::Portal => RoomKind::Portal,
        CellKind::Finish => RoomKind::Finish,
    }
}

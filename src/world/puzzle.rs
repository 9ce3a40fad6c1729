//! A puzzle that has been made real on a floor of its own: its layout, how far it has come, and which room is which cell.
//! What the rules make of it is the game's; here is what must always hold.

use crate::base::{CharacterId, Direction, ExitState, FloorId, RoomId, RoomKind, Seed};
use crate::puzzle::{CellId, CellKind, Layout, Lock, Mechanism, State};
use crate::world::{Exit, Floor, World};
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
    pub layout: Layout,
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
    pub fn steps_out(&mut self, cell: CellId) {
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

impl Exit {
    /// Whether it is the gate to a puzzle, from outside or from inside.
    pub fn is_gate(&self) -> bool {
        matches!(self.direction, Some(Direction::In | Direction::Out)) && self.is_stairs()
    }
}

impl World {
    /// The puzzle that a room is part of: its floor, and the cell.
    pub fn puzzle_at(&self, room: RoomId) -> Option<(FloorId, &PuzzleRun, CellId)> {
        let floor = self.floor_of(room)?;
        let run = floor.puzzle.as_deref()?;
        Some((floor.id, run, run.cell_of(room)?))
    }

    /// A puzzle, to be changed.
    pub fn edit_puzzle(&mut self, floor: FloorId) -> Option<&mut PuzzleRun> {
        self.floors.edit(floor)?.puzzle.as_deref_mut()
    }

    /// What was derived for a floor whose rooms are gone.
    pub fn forget_floor(&mut self, floor: FloorId) {
        for (branch, index) in &mut self.index.branches {
            index.frontiers.retain(|number, _| FloorId::of(*branch, *number) != floor);
        }
    }

    /// Players who stand in a puzzle, in the order of its cells.
    pub fn people_in_puzzle(&self, floor: FloorId) -> Vec<CharacterId> {
        let rooms = self.floors.get(floor).and_then(|floor| floor.puzzle.as_deref()).map(|run| &run.rooms);
        let people = rooms.into_iter().flatten().flat_map(|room| self.occupants(*room)).copied();
        people.filter(|id| self.characters[*id].is_player()).collect()
    }

    /// Every invariant of a puzzle's floor: rooms and exits are those of its layout and its state, people are counted
    /// where they are, and nothing lives there that does not belong there.
    pub(super) fn check_puzzle(&self, floor: &Floor, run: &PuzzleRun, wrong: &mut Vec<String>) {
        let id = floor.id;
        if run.rooms.len() != run.layout.cells.len() {
            wrong.push(format!(
                "floors {id}: {} rooms for {} cells",
                run.rooms.len(),
                run.layout.cells.len()
            ));
        }
        for (cell, plan) in run.layout.ids() {
            let room = run.room_of(cell).and_then(|room| self.rooms.get(room));
            let there = |room: &&crate::world::Room| {
                (room.branch, room.floor, room.at, room.kind)
                    == (Some(floor.branch), floor.number, plan.at, room_kind(plan.kind))
            };
            let Some(room) = room.filter(there) else {
                wrong.push(format!("floors {id}: cell {} has no room of its own", cell.0));
                continue;
            };
            self.check_puzzle_exits(run, cell, room.id, wrong);
            let people =
                self.occupants(room.id).iter().filter(|who| self.characters[**who].is_player()).count();
            if run.state.people.get(&cell).copied().unwrap_or(0) as usize != people {
                wrong.push(format!("floors {id}: {people} characters in cell {}, counted otherwise", cell.0));
            }
            for mob in self.occupants(room.id).iter().map(|mob| &self.characters[*mob]) {
                let belongs = mob.is_player() || mob.master.is_some() || run.rooms.contains(&mob.home);
                if !belongs {
                    wrong.push(format!("characters {}: strayed into the puzzle of floor {id}", mob.id));
                }
            }
        }
        self.check_gate(run, id, wrong);
    }

    fn check_puzzle_exits(&self, run: &PuzzleRun, cell: CellId, room: RoomId, wrong: &mut Vec<String>) {
        let Some(plan) = run.layout.cell(cell) else { return };
        let expected: BTreeMap<Direction, _> = plan
            .exits
            .iter()
            .filter_map(|(way, passage)| {
                Some((*way, (run.room_of(passage.to)?, run.exit_state(cell, *way)?)))
            })
            .collect();
        let gate = (cell == run.layout.entrance).then_some((Direction::Out, (run.gate, ExitState::Open)));
        let expected: BTreeMap<Direction, _> = expected.into_iter().chain(gate).collect();
        let found: BTreeMap<Direction, _> =
            self.exits_of(room).filter_map(|exit| Some((exit.direction?, (exit.to?, exit.state)))).collect();
        if found != expected || self.exits_of(room).count() != found.len() {
            wrong.push(format!("rooms {room}: exits {found:?} in a puzzle that has {expected:?}"));
        }
    }

    /// The gate leads in and out, and creatures that guard something are where they stand guard.
    fn check_gate(&self, run: &PuzzleRun, id: FloorId, wrong: &mut Vec<String>) {
        let entrance = run.room_of(run.layout.entrance);
        let leads_in = |exit: &Exit| exit.direction == Some(Direction::In) && exit.to == entrance;
        if self.rooms.get(run.gate).is_none() || !self.exits_of(run.gate).any(leads_in) {
            wrong.push(format!("floors {id}: no gate leads to its puzzle"));
        }
        let solved = run.state.finished && !run.test;
        if solved && self.rooms.get(run.gate).is_some_and(|gate| gate.challenge.puzzle.is_some()) {
            wrong.push(format!("floors {id}: solved, but its gate is still barred (H16)"));
        }
        for (mob, (cell, _)) in &run.guards {
            let post = run.room_of(*cell);
            if self.characters.get(*mob).is_none_or(|body| Some(body.room) != post) {
                wrong
                    .push(format!("characters {mob}: does not stand guard in cell {} of floor {id}", cell.0));
            }
        }
    }
}

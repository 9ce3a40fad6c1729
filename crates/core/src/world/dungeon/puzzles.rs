//! Puzzles of the world: their rooms, their players and the invariants of their floors.

use crate::base::{CharacterId, Direction, ExitState, FloorId, RoomId};
use crate::puzzle::CellId;
use crate::world::dungeon::floor::Floor;
use crate::world::dungeon::puzzle::{PuzzleRun, room_kind};
use crate::world::{Exit, World};
use std::collections::BTreeMap;

impl World {
    /// Returns the puzzle that a room belongs to, with floor and cell.
    pub fn puzzle_at(&self, room: RoomId) -> Option<(FloorId, &PuzzleRun, CellId)> {
        let floor = self.floor_of(room)?;
        let run = floor.puzzle.as_deref()?;
        Some((floor.id, run, run.cell_of(room)?))
    }

    /// Returns the players in a puzzle, in cell order.
    pub fn players_in_puzzle(&self, floor: FloorId) -> Vec<CharacterId> {
        let rooms = self.floors.get(floor).and_then(|floor| floor.puzzle.as_deref()).map(|run| &run.rooms);
        let people = rooms.into_iter().flatten().flat_map(|room| self.occupants(*room)).copied();
        people.filter(|id| self.characters[*id].is_player()).collect()
    }
}

/// Checks a puzzle's floor: rooms and exits match board and state, player counts match the occupants, and no other
/// creatures are on it.
pub(in crate::world) fn check(world: &World, floor: &Floor, run: &PuzzleRun, violations: &mut Vec<String>) {
    let id = floor.id;
    if run.rooms.len() != run.board.cells.len() {
        violations.push(format!(
            "floors {id}: {} rooms for {} cells",
            run.rooms.len(),
            run.board.cells.len()
        ));
    }
    for (cell, plan) in run.board.ids() {
        let room = run.room_of(cell).and_then(|room| world.rooms.get(room));
        let there = |room: &&crate::world::Room| {
            (room.branch, room.floor, room.at, room.sheet.kind)
                == (Some(floor.branch), floor.number, plan.at, room_kind(plan.kind))
        };
        let Some(room) = room.filter(there) else {
            violations.push(format!("floors {id}: cell {} has no room of its own", cell.0));
            continue;
        };
        check_puzzle_exits(world, run, cell, room.id, violations);
        let people =
            world.occupants(room.id).iter().filter(|who| world.characters[**who].is_player()).count();
        if run.state.people.get(&cell).copied().unwrap_or(0) as usize != people {
            violations
                .push(format!("floors {id}: {people} characters in cell {}, counted otherwise", cell.0));
        }
        for creature in world.occupants(room.id).iter().map(|creature| &world.characters[*creature]) {
            let belongs =
                creature.is_player() || creature.master.is_some() || run.rooms.contains(&creature.home);
            if !belongs {
                violations.push(format!("characters {}: strayed into the puzzle of floor {id}", creature.id));
            }
        }
    }
    check_gate(world, run, id, violations);
}

fn check_puzzle_exits(
    world: &World,
    run: &PuzzleRun,
    cell: CellId,
    room: RoomId,
    violations: &mut Vec<String>,
) {
    let Some(plan) = run.board.cell(cell) else { return };
    let expected: BTreeMap<Direction, _> = plan
        .exits
        .iter()
        .filter_map(|(way, passage)| Some((*way, (run.room_of(passage.to)?, run.exit_state(cell, *way)?))))
        .collect();
    let gate = (cell == run.board.entrance).then_some((Direction::Out, (run.gate, ExitState::Open)));
    let expected: BTreeMap<Direction, _> = expected.into_iter().chain(gate).collect();
    let found: BTreeMap<Direction, _> =
        world.exits.of(room).filter_map(|exit| Some((exit.direction?, (exit.to?, exit.state)))).collect();
    if found != expected || world.exits.of(room).count() != found.len() {
        violations.push(format!("rooms {room}: exits {found:?} in a puzzle that has {expected:?}"));
    }
}

/// Checks that the gate leads in and out, and that guardians are at their posts.
fn check_gate(world: &World, run: &PuzzleRun, id: FloorId, violations: &mut Vec<String>) {
    let entrance = run.room_of(run.board.entrance);
    let leads_in = |exit: &Exit| exit.direction == Some(Direction::In) && exit.to == entrance;
    // The gate of a puzzle behind a hand-built exit is that exit.
    let has_way_in = run.beyond.is_some() || world.exits.of(run.gate).any(leads_in);
    if world.rooms.get(run.gate).is_none() || !has_way_in {
        violations.push(format!("floors {id}: no gate leads to its puzzle"));
    }
    let solved = run.state.finished && !run.test;
    if solved && world.rooms.get(run.gate).is_some_and(|gate| gate.challenge.puzzle().is_some()) {
        violations.push(format!("floors {id}: solved, but its gate is still barred (H16)"));
    }
    for (creature, (cell, _)) in &run.guards {
        let post = run.room_of(*cell);
        if world.characters.get(*creature).is_none_or(|body| Some(body.room) != post) {
            violations.push(format!(
                "characters {creature}: does not stand guard in cell {} of floor {id}",
                cell.0
            ));
        }
    }
}

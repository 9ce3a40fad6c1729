//! Maps of puzzles for builders, the seed catalogue and the gallery: the cells on a grid, their contents, and the
//! solution as commands.

use deepwell_core::base::{ExitState, Seed};
use deepwell_core::dungeon::map::{self, MapExit, MapRoom};
use deepwell_core::puzzle::answer::typed;
use deepwell_core::puzzle::{
    Act, Board, Cell, CellKind, DrawnPuzzle, Lock, Mechanism, PuzzleEntry, Verb, draw,
};
use deepwell_core::text::grammar;

/// Meanings of the marks of [`map_rooms`].
pub const MARKS: &[(char, &str)] = &[
    ('E', "the entrance"),
    ('F', "the finish"),
    ('o', "a room with nothing in it"),
    ('g', "a room of the gallery"),
    ('m', "a room with an enemy"),
    ('u', "a room that changes the might"),
    ('w', "a room that leads elsewhere at once"),
    ('l', "a room with a lever"),
    ('c', "a room with a chest"),
    ('k', "a room with a guard that carries something"),
    ('s', "a room with something hidden"),
    ('r', "a room with a riddle"),
    ('p', "a room with a plate"),
    ('b', "a room with a weight to push"),
    ('d', "a room with a device"),
];

/// Returns the cells of a puzzle as rooms of a map.
pub fn map_rooms(board: &Board) -> Vec<MapRoom> {
    board
        .cells
        .iter()
        .map(|cell| MapRoom { at: cell.at, mark: mark(cell), exits: exits(board, cell) })
        .collect()
}

fn exits(board: &Board, cell: &Cell) -> Vec<MapExit> {
    let ways = cell.exits.iter().filter(|(_, passage)| passage.lock != Lock::Closed);
    let state = |passage: &deepwell_core::puzzle::Passage, back| {
        let closed = |beyond: &Cell| beyond.exits.get(&back).is_none_or(|way| way.lock == Lock::Closed);
        match passage.lock {
            Lock::Gate(_) => ExitState::Locked,
            _ if board.cell(passage.to).is_some_and(closed) => ExitState::OneWay,
            _ => ExitState::Open,
        }
    };
    ways.map(|(direction, passage)| MapExit {
        direction: *direction,
        state: state(passage, direction.opposite()),
    })
    .collect()
}

fn mark(cell: &Cell) -> char {
    match (cell.kind, cell.mechanisms.first()) {
        (CellKind::Entrance, _) => 'E',
        (CellKind::Finish, _) | (_, Some(Mechanism::Finish)) => 'F',
        (_, Some(Mechanism::Enemy { .. })) => 'm',
        (_, Some(Mechanism::PowerUp { .. })) => 'u',
        (_, Some(Mechanism::Portal { .. })) => 'w',
        (_, Some(Mechanism::Lever { .. })) => 'l',
        (_, Some(Mechanism::Chest { .. })) => 'c',
        (_, Some(Mechanism::Guard { .. })) => 'k',
        (_, Some(Mechanism::Hidden { .. })) => 's',
        (_, Some(Mechanism::Riddle { .. })) => 'r',
        (_, Some(Mechanism::Plate { .. })) => 'p',
        (_, Some(Mechanism::Weight { .. })) => 'b',
        (_, Some(Mechanism::Device { .. })) => 'd',
        (CellKind::Gallery, None) => 'g',
        (_, None) => 'o',
    }
}

/// Returns the page of a puzzle generated from a seed: the map, the legend, one line per cell, and the solution.
pub fn page(entry: &PuzzleEntry, seed: Seed) -> String {
    let DrawnPuzzle { board, solution, tries, plain } = draw(entry, seed);
    let rooms = map_rooms(&board);
    let (number, drawn) = (board.cells.len(), grammar::times(tries));
    let mut lines = vec![format!("puzzle {}, seed {seed}, {number} rooms, drawn {drawn}", board.kind)];
    lines.push(format!("Task: {}", board.task));
    lines.extend(board.might.map(|might| format!("Might to begin with: {might}")));
    lines.extend(plain.map(|why| format!("This is the plain fallback: {why}")));
    lines.push(String::new());
    lines.extend(map::picture(&rooms, None));
    lines.push(String::new());
    lines.extend(map::legend(&rooms, MARKS));
    lines.push(String::new());
    lines.extend(
        board.ids().map(|(id, cell)| format!("{:3} {} {}{}", id.0 + 1, cell.at, cell.name, held(cell))),
    );
    lines.extend(board.gates.iter().map(|gate| format!("    Gate: {}", gate.name)));
    lines.push(String::new());
    lines.push("Solution:".to_owned());
    lines.extend(solution.iter().zip(1..).map(|(step, number)| {
        let at = board.cell(step.from).map_or("", |cell| cell.name.as_str());
        let somewhere = board.players > 1 || !matches!(step.act, Act::Walk(_));
        let at = if somewhere { format!(", in {at}") } else { String::new() };
        format!("{number:3} {}{at}", typed(&board, step))
    }));
    lines.join("\n") + "\n"
}

/// Describes the contents of a cell.
fn held(cell: &Cell) -> String {
    let things: Vec<String> = cell.mechanisms.iter().filter_map(held_thing).collect();
    if things.is_empty() { String::new() } else { format!(": {}", things.join("; ")) }
}

fn held_thing(mechanism: &Mechanism) -> Option<String> {
    Some(match mechanism {
        Mechanism::Enemy { power, name } => format!("{name} of power {power}"),
        Mechanism::PowerUp { words, .. } => words.clone(),
        Mechanism::Portal { to } => format!("leads to room {} at once", to.0 + 1),
        Mechanism::Finish => return None,
        other => {
            let verb = match other.verb() {
                Some(Verb::Pull) => "to pull",
                Some(Verb::Open) => "to open",
                Some(Verb::Search) => "to search",
                Some(Verb::Beat) => "to beat",
                Some(Verb::Answer) => "to answer",
                Some(Verb::Push) => "to push",
                _ if matches!(other, Mechanism::Device { .. }) => "to work",
                _ => "to stand on",
            };
            format!("{}, {verb}", other.thing().map_or("it", |thing| thing.name.as_str()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::puzzle::{PuzzleConfig, Registry};
    use std::sync::Arc;

    /// The page of every shipped puzzle has an entrance, a finish, a legend for each mark, and a solution.
    #[test]
    fn h6_h17_every_shipped_puzzle_has_a_complete_page() {
        for puzzle in Registry::builtin().all() {
            let entry = PuzzleEntry::new(Arc::clone(puzzle), PuzzleConfig::of(&**puzzle).with_power(40));
            let drawn = draw(&entry, Seed(7));
            let rooms = map_rooms(&drawn.board);
            assert!(rooms.iter().all(|room| MARKS.iter().any(|(mark, _)| *mark == room.mark)), "{rooms:?}");
            let page = page(&entry, Seed(7));
            for part in ["\nE is the entrance.\n", "\nF is the finish.\n", "\nSolution:\n  1 "] {
                assert!(page.contains(part), "{part} is not in\n{page}");
            }
            assert_eq!(
                page.lines().last().map(|line| line.trim_start().starts_with(char::is_numeric)),
                Some(true)
            );
            assert!(page.is_ascii());
        }
    }
}

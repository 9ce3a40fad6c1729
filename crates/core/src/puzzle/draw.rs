//! Generation of a puzzle from a seed. Boards are generated from successive derived seeds until one is valid, solvable
//! and as requested. After a bounded number of attempts a plain fallback puzzle is used, so that every puzzle shown has
//! a solution.

use crate::base::{Direction, Point, Seed};
use thiserror::Error;

use super::check::flaws;
use super::{
    Board, BoardError, Cell, CellKind, Gate, Goal, Lock, Mechanism, Opening, Outcome, Puzzle, PuzzleConfig,
    PuzzleEntry, SettingError, SolutionStep, SwitchId, Thing,
};
use crate::puzzle::solver::search::{proves, search};

/// Puzzle with a proven solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPuzzle {
    /// Board of the puzzle.
    pub board: Board,
    /// Steps of a solution.
    pub solution: Vec<SolutionStep>,
    /// Number of boards generated.
    pub tries: u32,
    /// Reason for using the fallback; `None` if the puzzle is as requested.
    pub plain: Option<Fallback>,
}

/// Reason for using the fallback.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fallback {
    /// The puzzle kind with this name rejects the configuration.
    #[error("{0} does not accept its settings: {1}")]
    Settings(String, SettingError),
    /// All boards of the puzzle kind with this name were rejected, the last one for this reason.
    #[error("{0} found no layout: {1}")]
    NoBoard(String, BoardError),
}

/// Generates the puzzle of an entry. The result is determined by entry and seed.
pub fn draw(entry: &PuzzleEntry, seed: Seed) -> DrawnPuzzle {
    let (puzzle, config) = (&*entry.puzzle, &entry.config);
    let kind = puzzle.name().to_owned();
    if let Err(reason) = puzzle.check_config(config) {
        return plain(config, 0, Fallback::Settings(kind, reason));
    }
    let mut last = BoardError::NoSolution;
    let most = puzzle.description().tries;
    for tries in 1..=most {
        let mut board = puzzle.generate(seed.named("puzzle").numbered(tries.into()), config);
        board.kind.clone_from(&kind);
        board.task.clone_from(&config.goal);
        match prove(puzzle, config, &board) {
            Ok(solution) => return DrawnPuzzle { board, solution, tries, plain: None },
            Err(reason) => last = reason,
        }
    }
    plain(config, most, Fallback::NoBoard(kind, last))
}

/// Returns a solution of a board, or the reason why the board must not be shown to players.
pub fn prove(
    puzzle: &dyn Puzzle,
    config: &PuzzleConfig,
    board: &Board,
) -> Result<Vec<SolutionStep>, BoardError> {
    if let Some(flaw) = flaws(puzzle, board).into_iter().next() {
        return Err(BoardError::Flawed(flaw));
    }
    let verdict = puzzle.solve(board, config);
    puzzle.check_board(board, &verdict, config)?;
    let solution = verdict.solution.ok_or(BoardError::NoSolution)?;
    // The solution of a puzzle-specific solver must be confirmed by the engine.
    if proves(board, config.players, &solution) { Ok(solution) } else { Err(BoardError::FalseSolution) }
}

/// Returns the fallback puzzle, solvable by any party: a lever and a gate that it raises.
fn plain(config: &PuzzleConfig, tries: u32, reason: Fallback) -> DrawnPuzzle {
    let switch = SwitchId(0);
    let mut board = Board {
        kind: "plain".into(),
        task: "Find the way through.".into(),
        goal: Goal::Solve,
        solved: vec![switch],
        players: 1,
        ..Board::default()
    };
    let stone = "Four plain walls and a flagged floor. Whoever built this had no time for ornament.";
    let swept = "A closet of dressed stone, swept clean.";
    let far = Point::new(1, 0);
    let hall = board.add(Cell::new(Point::ORIGIN, CellKind::Entrance, "A bare stone hall", stone));
    let end = board.add(Cell::new(far, CellKind::Finish, "Behind the grating", swept));
    let gate = board.add_gate(Gate {
        name: "iron grating".into(),
        shut: "The iron grating is down.".into(),
        told: "The iron grating rattles up into the wall.".into(),
        opening: Opening::Goal,
    });
    board.join(hall, Direction::East, end, Lock::Gate(gate));
    let lever =
        Thing::new("iron lever", "An iron lever juts from the wall.", "The iron lever moves with a groan.");
    board.put(hall, Mechanism::Lever { thing: lever, does: vec![Outcome::On(switch)] });
    board.put(end, Mechanism::Finish);
    let solution = search(&board, config.players, 100).solution.unwrap_or_default();
    DrawnPuzzle { board, solution, tries, plain: Some(reason) }
}

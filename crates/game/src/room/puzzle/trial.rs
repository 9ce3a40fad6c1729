//! Puzzle trials for builders: built next to the builder's room, solved automatically, and removed again.

use crate::attack::corpse;
use crate::branch::gate::PuzzleSite;
use crate::branch::{collapse, gate, grow, rooms};
use crate::effect::Class;
use crate::exit::puzzle_exits;
use crate::message::{notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::{attack, movement};
use deepwell_core::base::{BranchId, CharacterId, Direction, ExitId, ExitState, FloorId, RoomId, Seed};
use deepwell_core::puzzle;
use deepwell_core::puzzle::answer::typed;
use deepwell_core::puzzle::{Act, Description, ParamKind, Puzzle, PuzzleConfig, PuzzleEntry, Registry};
use deepwell_core::text::{Markup, Style, grammar};
use std::sync::Arc;

/// Returns the registry of puzzle kinds.
fn registry(turn: &Turn) -> &Registry {
    &turn.catalog.puzzles
}

/// Lists all puzzles, one per line.
pub(crate) fn puzzle_list(turn: &Turn) -> Markup {
    let mut page = Markup::styled(Style::Heading, "Puzzles");
    for puzzle in registry(turn).all() {
        page.line(Style::Plain, &format!("{}: {}", puzzle.name(), puzzle.description().about));
    }
    page
}

/// Describes the features, goals and settings of a puzzle.
pub(crate) fn puzzle_info(turn: &Turn, name: &str) -> Result<Markup, Refusal> {
    let puzzle = puzzle_named(turn, name)?;
    let Description { name, about, features, goals, params, .. } = puzzle.description();
    let mut page = Markup::styled(Style::Heading, name);
    page.line(Style::Plain, about);
    let features: Vec<&str> = features.iter().map(|feature| feature.name()).collect();
    page.line(Style::Plain, &format!("Features: {}", grammar::or_none(&features.join(", "))));
    let goals: Vec<&str> = goals.iter().map(|goal| goal.name()).collect();
    page.line(Style::Plain, &format!("Goals: {}", grammar::or_none(&goals.join(", "))));
    for param in params {
        page.line(Style::Plain, &format!("{}: {}; {}", param.name, range_words(param.kind), param.about));
    }
    let plain = PuzzleConfig::of(&*puzzle);
    if let Err(reason) = puzzle.check_config(&plain) {
        page.line(Style::Plain, &format!("It does not do without settings: {reason}."));
    }
    let used: Vec<&str> = turn
        .catalog
        .themes
        .values()
        .filter(|theme| theme.puzzles.iter().any(|entry| entry.puzzle.name() == name))
        .map(|theme| theme.key.as_str())
        .collect();
    page.line(Style::Plain, &format!("Themes that list it: {}", grammar::or_none(&used.join(", "))));
    Ok(page)
}

pub(crate) fn puzzle_named(turn: &Turn, name: &str) -> Result<Arc<dyn Puzzle>, Refusal> {
    let registry = registry(turn);
    registry.find(&name.to_lowercase()).ok_or_else(|| {
        refuse!(
            "There is no puzzle \"{name}\"; there are {}.",
            registry.names().collect::<Vec<_>>().join(", ")
        )
    })
}

/// Parameters of a puzzle trial.
pub(crate) struct PuzzleTrial {
    /// Puzzle kind.
    pub(crate) puzzle: Arc<dyn Puzzle>,
    /// Seed of the generator.
    pub(crate) seed: u64,
    /// Puzzle settings.
    pub(crate) config: PuzzleConfig,
}

/// Builds a puzzle behind an exit `in` of the current room.
pub(crate) fn puzzle_test(turn: &mut Turn, who: CharacterId, trial: PuzzleTrial) -> Result<(), Refusal> {
    let PuzzleTrial { puzzle, seed, config } = trial;
    let name = puzzle.name().to_owned();
    puzzle
        .check_config(&config)
        .map_err(|reason| refuse!("{name} does not accept these settings: {reason}."))?;
    let gate = turn.world.characters[who].room;
    if turn.world.exits.of(gate).any(|exit| exit.direction == Some(Direction::In)) {
        return Err(refuse!("There is an exit in here already; puzzle close takes a trial away."));
    }
    let drawn = puzzle::draw(&PuzzleEntry::new(puzzle, config), Seed(seed));
    let branch = match turn.world.rooms[gate].branch {
        Some(branch) => branch,
        None => branch_for_trial(turn, gate)?,
    };
    let rooms = drawn.board.cells.len();
    let plain = drawn.plain.map(|reason| format!(" It is only a plain one: {reason}.")).unwrap_or_default();
    gate::build_puzzle(
        turn,
        PuzzleSite { branch, gate, seed: Seed(seed), test: true, beyond: None },
        drawn.board,
    );
    let message = format!(
        "{name} with seed {seed}: {rooms} rooms, {} steps to solve it, drawn {}.{plain} Type in to go there, \
         puzzle solve for the solution, puzzle close when you are done.",
        drawn.solution.len(),
        grammar::times(drawn.tries)
    );
    tell::tell(turn, who, Class::Reply, message);
    turn.emit_event(GameEvent::RoomChanged { room: gate });
    Ok(())
}

/// Creates a branch for a trial next to a hand-built room.
fn branch_for_trial(turn: &mut Turn, gate: RoomId) -> Result<BranchId, Refusal> {
    grow::require_space_for_branch(turn)?;
    rooms::new_exit(turn, gate, Direction::In, ExitState::Open, None, false);
    let exit = turn.world.exits.of(gate).find(|exit| exit.is_gate()).cloned().ok_or(Refusal::NoWay)?;
    let made = grow::new_branch(turn, &exit, Direction::North);
    if made.is_err() {
        turn.world.exits.remove(exit.id);
    }
    made
}

/// Returns the trial that a character is inside of or in front of.
fn trial_of(turn: &Turn, who: CharacterId) -> Result<FloorId, Refusal> {
    let room = turn.world.characters[who].room;
    let inside = turn.world.puzzle_at(room).map(|(floor, ..)| floor);
    let before = || {
        let gate = turn.world.exits.of(room).find(|exit| exit.direction == Some(Direction::In))?;
        turn.world.puzzle_at(gate.to?).map(|(floor, ..)| floor)
    };
    inside.or_else(before).ok_or_else(|| refuse!("There is no puzzle here."))
}

/// Handles `puzzle solve`: lists the commands from the entrance to the finish.
pub(crate) fn puzzle_solve(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    let floor = trial_of(turn, who)?;
    let run = puzzle_exits::run(turn, floor).ok_or(Refusal::NoWay)?;
    let board = &run.board;
    let solved = registry(turn).find(&board.kind).and_then(|puzzle| {
        let mut config = PuzzleConfig::of(&*puzzle);
        config.players = board.players.max(1);
        puzzle.solve(board, &config).solution
    });
    let steps = solved.or_else(|| puzzle::search(board, board.players, SEARCHED).solution);
    let steps = steps.ok_or_else(|| refuse!("No solution was found from the beginning."))?;
    let mut page = Markup::styled(Style::Heading, "From the beginning:");
    let several = board.players > 1;
    for step in &steps {
        let place = run.room_of(step.from).map_or("", |room| turn.world.rooms[room].sheet.name.as_str());
        let somewhere = several || !matches!(step.act, Act::Walk(_));
        let at = if somewhere { format!(", in {place}") } else { String::new() };
        page.line(Style::Plain, &format!("{}{at}", typed(board, step)));
    }
    Ok(page)
}

/// Handles `puzzle close`: moves all players out of a trial and removes the trial.
pub(crate) fn puzzle_close(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let floor = trial_of(turn, who)?;
    let Some(run) = puzzle_exits::run(turn, floor).filter(|run| run.test) else {
        return Err(refuse!("This puzzle belongs to the dungeon; only trials can be closed."));
    };
    let gate = run.gate;
    let (branch, hand_built) = (turn.world.floors[floor].branch, turn.world.rooms[gate].branch.is_none());
    close_trial(turn, floor);
    if hand_built {
        collapse::collapse(turn, branch);
    }
    tell::tell(turn, who, Class::Reply, "The trial is gone, and everybody is out of it.");
    turn.emit_event(GameEvent::RoomChanged { room: gate });
    Ok(())
}

/// Removes a trial: players are moved out first, then creatures, rooms, the floor and the gate are removed.
fn close_trial(turn: &mut Turn, floor: FloorId) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let (gate, rooms) = (run.gate, run.rooms.clone());
    let branch = turn.world.floors[floor].branch;
    let members = turn.world.branches.members(branch);
    let inside = |who: &CharacterId| rooms.contains(&turn.world.characters[*who].room);
    let people: Vec<CharacterId> = members.into_iter().filter(inside).collect();
    for who in people.iter().copied() {
        notices::tell(turn, who, "The walls thin out like smoke, and you stand outside.");
        movement::relocate(turn, who, gate);
    }
    // The branch of a trial in a hand-built room collapses when it is empty.
    if turn.world.floors.get(floor).is_some() {
        remove_trial(turn, floor, gate, &rooms);
    }
    for who in people {
        turn.emit_event(GameEvent::SawRoom { who });
    }
}

/// Removes the creatures, the rooms, the floor and the gate of a trial without players.
fn remove_trial(turn: &mut Turn, floor: FloorId, gate: RoomId, rooms: &[RoomId]) {
    let exit =
        turn.world.exits.of(gate).find(|exit| exit.direction == Some(Direction::In)).map(|exit| exit.id);
    for room in rooms {
        for creature in turn.world.occupants(*room).to_vec() {
            attack::stop_fights_of(turn, creature);
            if turn.world.characters[creature].master.is_some() {
                turn.world.move_character(creature, gate);
                turn.world.set_membership(creature, turn.world.rooms[gate].branch);
            } else {
                turn.world.remove_character(creature);
            }
        }
        corpse::save_belongings(turn, *room, gate);
        turn.world.remove_room(*room);
    }
    turn.world.floors.remove(floor);
    turn.world.branches.forget_floor(floor);
    if let Some(exit) = exit {
        turn.world.exits.remove(exit);
    }
}

/// Removes trial gates in hand-built rooms when their branch is deleted.
pub(crate) fn forget_trials(turn: &mut Turn, branch: BranchId) {
    let gates: Vec<RoomId> = turn
        .world
        .floors
        .of(branch)
        .filter_map(|floor| floor.puzzle.as_deref())
        .map(|run| run.gate)
        .filter(|gate| turn.world.rooms.get(*gate).is_some_and(|room| room.branch.is_none()))
        .collect();
    for gate in gates {
        let exits: Vec<ExitId> =
            turn.world.exits.of(gate).filter(|exit| exit.is_gate()).map(|exit| exit.id).collect();
        for exit in exits {
            turn.world.exits.remove(exit);
        }
        turn.emit_event(GameEvent::RoomChanged { room: gate });
    }
}

/// Maximum number of states searched if the puzzle kind no longer has a solver.
const SEARCHED: u32 = 100_000;

/// Describes the range and default of a parameter: "3 to 15, 5 if not given".
pub(crate) fn range_words(kind: ParamKind) -> String {
    match kind {
        ParamKind::Number { least, most, default } => format!("{least} to {most}, {default} if not given"),
        ParamKind::Truth { default } => format!("true or false, {default} if not given"),
        ParamKind::Choice(words) => {
            format!("{}, {} if not given", words.join(" or "), words.first().copied().unwrap_or_default())
        }
        ParamKind::Texts => "a list of texts".into(),
    }
}

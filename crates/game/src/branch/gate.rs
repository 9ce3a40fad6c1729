//! Puzzle gates. A puzzle is generated and built when its gate is first entered, and its rooms are guarded. If no
//! puzzle can be built, the gate's room becomes an ordinary one.

use crate::access::permissions;
use crate::attack;
use crate::branch::rooms;
use crate::character::spawn;
use crate::effect::{Class, Effect};
use crate::exit::{clearing, puzzle_exits};
use crate::message::tell;
use crate::party::scale;
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Direction, FloorId, Right, RoomId, RuleLimit, Seed};
use deepwell_core::catalog::RoomSheet;
use deepwell_core::dungeon::gate::{puzzle_guard, puzzle_reward, puzzle_seed};
use deepwell_core::puzzle;
use deepwell_core::puzzle::{Board, CellId, PuzzleEntry, Thing, Verb};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::dungeon::puzzle::room_kind;
use deepwell_core::world::{Exit, ExitState, Floor, PuzzleRun, Room, RoomKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Location of a puzzle to be built.
#[derive(Clone, Copy)]
pub(crate) struct PuzzleSite {
    /// Branch of the puzzle.
    pub(crate) branch: BranchId,
    /// Room outside the gate.
    pub(crate) gate: RoomId,
    /// Seed of the generated puzzle.
    pub(crate) seed: Seed,
    /// Set for a builder's test of the puzzle.
    pub(crate) test: bool,
    /// Room to which it leads, if its gate is a hand-built exit.
    pub(crate) beyond: Option<RoomId>,
}

/// Creates the gate of a puzzle in a new room. It has no destination until it is first entered. If the puzzle does not
/// accept its settings, the room becomes an ordinary one.
pub(crate) fn place_gate(turn: &mut Turn, room: RoomId, number: u32) {
    let refusal = match entry(turn, room, number) {
        Some(entry) => entry.puzzle.check_config(&entry.config).err().map(|reason| {
            format!("{}: {} does not accept its settings: {reason}", line_of(entry), entry.puzzle.name())
        }),
        None => Some(format!("the theme has no puzzle {number}")),
    };
    if let Some(reason) = refusal {
        return drop_puzzle(turn, room, &reason);
    }
    rooms::new_exit(turn, room, Direction::In, ExitState::Open, None, false);
}

/// Returns an entry of the puzzle list of the room's theme.
fn entry(turn: &Turn, room: RoomId, number: u32) -> Option<&PuzzleEntry> {
    let theme = turn.catalog.themes.get(&turn.world.rooms[room].area)?;
    theme.puzzles.get(number as usize)
}

/// Returns the sound of the puzzle behind a gate.
pub(crate) fn sound_behind(turn: &Turn, gate: RoomId) -> Option<String> {
    let number = turn.world.rooms.get(gate)?.challenge.puzzle()?;
    entry(turn, gate, number)?.config.sound.clone()
}

/// Makes the room an ordinary one without a puzzle, and warns builders.
fn drop_puzzle(turn: &mut Turn, room: RoomId, reason: &str) {
    warn_builders(turn, &format!("No puzzle in room {room}: {reason}."));
    if let Some(row) = turn.world.rooms.edit(room) {
        row.challenge.feature = None;
        row.sheet.kind = RoomKind::Dungeon;
    }
    clearing::check_clear(turn, room);
}

/// Logs a problem with the content and notifies connected builders.
pub(super) fn warn_builders(turn: &mut Turn, warning: &str) {
    turn.outbox.push(Effect::Warning { text: warning.to_owned() });
    let builders: Vec<_> = turn
        .seats
        .values()
        .filter(|seat| permissions::has(turn, seat.account, Right::Puzzles))
        .map(|seat| seat.character)
        .collect();
    for builder in builders {
        tell::tell(turn, builder, Class::System, format!("Warning: {warning}"));
    }
}

/// Returns the first room of the puzzle behind a gate, building the puzzle on the first entry.
pub(crate) fn enter_gate(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
    match exit.to {
        Some(to) => Ok(to),
        None => open_puzzle(turn, who, exit),
    }
}

fn open_puzzle(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
    let room = &turn.world.rooms[exit.room];
    let (gate, floor, at) = (room.id, room.floor, room.at);
    let branch = room.branch.ok_or(Refusal::NoWay)?;
    let entry = room.challenge.puzzle().and_then(|number| entry(turn, gate, number)).cloned();
    let Some(entry) = entry else {
        drop_puzzle(turn, gate, "the theme no longer has it");
        return Err(puzzle_fallen());
    };
    let seed = puzzle_seed(turn.world.branches[branch].seed, floor, at);
    let drawn = puzzle::draw(&entry, seed);
    if let Some(reason) = &drawn.plain {
        warn_builders(turn, &format!("A plain puzzle in room {gate}: {}: {reason}.", line_of(&entry)));
    }
    let rooms = turn.world.branches.index_of(branch).map_or(0, |index| index.rooms.len());
    let (limits, wants) = (&turn.config.limits, rooms + drawn.board.cells.len());
    if let Err(refusal) =
        refusal::require_at_most(limits, RuleLimit::RoomsPerBranch, wants, |_| puzzle_fallen())
    {
        drop_puzzle(turn, gate, "the branch has as many rooms as it may");
        return Err(refusal);
    }
    let entrance =
        build_puzzle(turn, PuzzleSite { branch, gate, seed, test: false, beyond: None }, drawn.board);
    let run = turn.world.puzzle_at(entrance).map(|(_, run, _)| run.rooms.clone());
    for room in run.unwrap_or_default() {
        scale::scale_for_arrival(turn, room, who, gate);
    }
    Ok(entrance)
}

/// Builds all rooms of a puzzle on a floor of their own. Returns the room behind the gate.
pub(crate) fn build_puzzle(turn: &mut Turn, site: PuzzleSite, mut board: Board) -> RoomId {
    let dungeon_level = turn.world.floor_of(site.gate).map_or(1, |floor| floor.dungeon_level);
    let number = turn.world.floors.next_number(site.branch);
    let row = Floor::new(site.branch, number, dungeon_level, board.kind.clone());
    let floor = row.id;
    turn.world.floors.put(Floor { budgeted: false, ..row });
    let outside = turn.world.rooms[site.gate].clone();
    let area = turn.world.branches[site.branch].theme.clone();
    let mut rooms = Vec::new();
    for cell in &mut board.cells {
        let id = turn.world.new_room_id();
        rooms.push(id);
        let sheet = RoomSheet {
            description: std::mem::take(&mut cell.description),
            environment: outside.sheet.environment.clone(),
            ..RoomSheet::new(room_kind(cell.kind), std::mem::take(&mut cell.name))
        };
        turn.world.add_room(Room {
            area: if outside.branch.is_some() { outside.area.clone() } else { area.clone() },
            branch: Some(site.branch),
            floor: number,
            at: cell.at,
            depth: outside.depth,
            difficulty: outside.difficulty,
            ..Room::new(id, sheet)
        });
    }
    let state = puzzle::start(&board);
    let PuzzleSite { gate, seed, test, beyond, .. } = site;
    let run = PuzzleRun { gate, seed, board, state, rooms, guards: BTreeMap::new(), test, beyond };
    let entrance = run.room_of(run.board.entrance).unwrap_or(gate);
    create_puzzle_exits(turn, &run, entrance);
    turn.world.floors.change(floor, |row| row.puzzle = Some(Box::new(run)));
    reset_guards(turn, floor);
    entrance
}

/// Creates the exits of a new puzzle and links its gate.
fn create_puzzle_exits(turn: &mut Turn, run: &PuzzleRun, entrance: RoomId) {
    for (cell, plan) in run.board.ids() {
        for (direction, passage) in &plan.exits {
            let ends = run.room_of(cell).zip(run.room_of(passage.to));
            if let Some(((from, to), state)) = ends.zip(run.exit_state(cell, *direction)) {
                rooms::new_exit(turn, from, *direction, state, Some(to), false);
            }
        }
    }
    rooms::new_exit(turn, entrance, Direction::Out, ExitState::Open, Some(run.gate), true);
    if run.beyond.is_some() {
        return;
    }
    let way_in = turn.world.exits.of(run.gate).find(|exit| exit.is_gate()).map(|exit| exit.id);
    let way_in = way_in
        .unwrap_or_else(|| rooms::new_exit(turn, run.gate, Direction::In, ExitState::Open, None, false));
    turn.world.exits.change(way_in, |exit| exit.to = Some(entrance));
}

/// Removes the guards of a puzzle and posts new ones at each mechanism that is still guarded.
pub(crate) fn reset_guards(turn: &mut Turn, floor: FloorId) {
    let Some(run) = turn.world.floors.edit_puzzle(floor) else { return };
    let old = std::mem::take(&mut run.guards);
    for creature in
        old.into_keys().filter(|creature| turn.world.characters.get(*creature).is_some()).collect::<Vec<_>>()
    {
        attack::stop_fights_of(turn, creature);
        attack::forget(turn, creature);
        turn.world.remove_character(creature);
    }
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let mut posts: Vec<(CellId, usize, Thing)> = Vec::new();
    for (cell, _) in run.board.ids() {
        let sights = puzzle::sights(&run.board, &run.state, cell);
        let posted = sights.iter().filter(|sight| sight.verb == Some(Verb::Beat) && !sight.done);
        posts.extend(posted.map(|sight| (cell, sight.number, sight.thing.clone())));
    }
    for (cell, number, thing) in posts {
        post_guard(turn, floor, cell, number, thing);
    }
}

/// Spawns the guard of a mechanism, with the name and looks that the puzzle gives it.
fn post_guard(turn: &mut Turn, floor: FloorId, cell: CellId, number: usize, thing: Thing) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let branch = turn.world.floors[floor].branch;
    let Some(room) = run.room_of(cell) else { return };
    let dice = run.seed.named("guard").numbered(cell.0.into());
    let catalog = Arc::clone(&turn.catalog);
    let row = &turn.world.rooms[room];
    let key =
        catalog.themes.get(&row.area).and_then(|theme| puzzle_guard(theme, &catalog, row.difficulty, dice));
    let guard = key.and_then(|key| spawn::spawn_creature(turn, &key, room, Some(branch)));
    match guard {
        Some(guard) => {
            turn.world
                .characters
                .change(guard, |body| (body.name, body.description) = (thing.name, thing.seen));
            if let Some(run) = turn.world.floors.edit_puzzle(floor) {
                run.guards.insert(guard, (cell, number));
            }
        }
        // Without a fitting creature, the mechanism is unguarded.
        None => turn.emit_event(GameEvent::Unguarded { floor, who: None, cell, number }),
    }
}

/// Frees the mechanisms whose guards are dead.
pub(crate) fn free_guarded(turn: &mut Turn, room: RoomId) {
    let Some((floor, run, _)) = turn.world.puzzle_at(room) else { return };
    let gone = |creature: &CharacterId| turn.world.characters.get(*creature).is_none();
    let fallen: Vec<_> = run
        .guards
        .iter()
        .filter(|(creature, _)| gone(creature))
        .map(|(creature, post)| (*creature, *post))
        .collect();
    for (creature, (cell, number)) in fallen {
        if let Some(run) = turn.world.floors.edit_puzzle(floor) {
            run.guards.remove(&creature);
        }
        if let Some(room) = puzzle_exits::run(turn, floor).and_then(|run| run.room_of(cell)) {
            tell_guarded(turn, floor, room, number, cell);
        }
        turn.emit_event(GameEvent::Unguarded { floor, who: None, cell, number });
    }
}

/// Adds the reward for solving the puzzle to the room outside: items and coins of the theme's hoards, by tier.
pub(crate) fn lay_reward(turn: &mut Turn, floor: FloorId, gate: RoomId) {
    let Some(run) = puzzle_exits::run(turn, floor) else { return };
    let (seed, losses) = (run.seed, run.state.losses);
    let row = &turn.world.rooms[gate];
    let Some(theme) = turn.catalog.themes.get(&row.area) else { return };
    let reward = puzzle_reward(theme, &turn.catalog, row.difficulty, losses, seed);
    if let Some(row) = turn.world.rooms.edit(gate) {
        row.challenge.reward.extend(reward.items);
        row.challenge.coins = row.challenge.coins.saturating_add(reward.coins);
    }
}

/// Announces in the room that a guarded mechanism is free.
fn tell_guarded(turn: &mut Turn, floor: FloorId, room: RoomId, number: usize, cell: CellId) {
    let message = puzzle_exits::run(turn, floor).and_then(|run| {
        let thing = run.board.cell(cell)?.mechanisms.get(number)?.thing()?;
        Some(thing.told.clone())
    });
    if let Some(message) = message {
        tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, &message));
    }
}

/// Returns the source location of an entry: "themes/well.toml:210".
fn line_of(entry: &PuzzleEntry) -> String {
    format!("{}:{}", entry.place.file, entry.place.line)
}

/// Returns the refusal to enter a puzzle that cannot be built.
fn puzzle_fallen() -> Refusal {
    refuse!("Behind the gate the roof has come down. There is nothing to solve.")
}

//! Tests of puzzles in the game: hand-made boards with every mechanism, played by typed commands.

use crate::branch::gate::PuzzleSite;
use crate::branch::{collapse, gate};
use crate::table::{Table, seeded};
use crate::{Input, attack};
use deepwell_core::base::{CharacterId, Direction, FloorId, Point, Seed, Span};
use deepwell_core::catalog::{RoomFeature, RoomKind};
use deepwell_core::puzzle::{
    Board, Cell, CellId, CellKind, Gate, Goal, KeyId, Lock, Mechanism, Op, Opening, Outcome, SwitchId, Thing,
    Verb,
};
use deepwell_core::world::{ExitState, Posture, PuzzleRun};

/// Places players before the gate of a custom puzzle: the first room of a branch becomes the outer room.
fn play_of(names: &[&str], board: Board) -> Table {
    let mut play = Table::new(seeded(11));
    for name in names {
        play.sit(name);
        play.types_all(name, &["down", "east"]);
    }
    let outside = play.room(names[0]).id;
    let row = play.game.turn.world.rooms.edit(outside).unwrap();
    (row.sheet.kind, row.clear) = (RoomKind::Puzzle, false);
    row.challenge.feature = Some(RoomFeature::Gate { puzzle: 0 });
    let branch = row.branch.unwrap();
    let creatures: Vec<CharacterId> =
        play.world().branches.index_of(branch).unwrap().creatures.iter().copied().collect();
    for creature in creatures {
        attack::stop_fights_of(&mut play.game.turn, creature);
        play.game.turn.world.remove_character(creature);
    }
    gate::build_puzzle(
        &mut play.game.turn,
        PuzzleSite { branch, gate: outside, seed: Seed(5), test: false, beyond: None },
        board,
    );
    play.commit();
    play
}

impl Table {
    fn run(&self) -> &PuzzleRun {
        self.game.turn.world.floors.iter().find_map(|(_, floor)| floor.puzzle.as_deref()).unwrap()
    }

    fn floor(&self) -> FloorId {
        self.game.turn.world.floors.iter().find(|(_, floor)| floor.puzzle.is_some()).unwrap().0
    }

    /// Returns the number of a player's cell.
    fn cell(&self, name: &str) -> Option<u16> {
        self.run().cell_of(self.room(name).id).map(|cell| cell.0)
    }

    fn state(&self, name: &str, direction: Direction) -> Option<ExitState> {
        let mut exits = self.world().exits.of(self.room(name).id);
        exits.find(|exit| exit.direction == Some(direction)).map(|exit| exit.state)
    }
}

fn thing(name: &str) -> Thing {
    Thing { name: name.into(), seen: format!("Here is a {name}."), told: format!("The {name} has done it.") }
}

fn gate(name: &str, opening: Opening) -> Gate {
    Gate {
        name: name.into(),
        shut: format!("The {name} is shut."),
        told: format!("The {name} swings open."),
        opening,
    }
}

/// Builds rooms in a row from west to east: the entrance, chambers with these mechanisms, and the finish behind a gate.
fn row(goal: Goal, rooms: Vec<Vec<Mechanism>>) -> Board {
    let mut board = Board { kind: "test".into(), task: "Do it".into(), goal, players: 1, ..Board::default() };
    let last = board.add_gate(gate("last door", Opening::Goal));
    let mut before = board.add(Cell::new(Point::ORIGIN, CellKind::Entrance, "The way in", "A bare room."));
    for (x, mechanisms) in (1..).zip(rooms) {
        let mut cell = Cell::new(Point::new(x, 0), CellKind::Chamber, &format!("Room {x}"), "A bare room.");
        cell.mechanisms = mechanisms;
        let cell = board.add(cell);
        board.join(before, Direction::East, cell, Lock::Open);
        before = cell;
    }
    let x = i32::try_from(board.cells.len()).unwrap();
    let mut end = Cell::new(Point::new(x, 0), CellKind::Finish, "The end", "A bare room.");
    end.mechanisms.push(Mechanism::Finish);
    let end = board.add(end);
    board.join(before, Direction::East, end, Lock::Gate(last));
    board
}

fn enemy(power: i64) -> Mechanism {
    Mechanism::Enemy { power, name: "stone warrior".into() }
}

/// Consecutive rooms: a won duel, a glyph, and a finish that is shut before and open after.
#[test]
fn h1_to_h18_duel_and_glyph_raise_might_and_open_finish() {
    let glyph = Mechanism::PowerUp { op: Op::Multiply, factor: 2, words: "doubles your might".into() };
    let mut board = row(Goal::KillAll, vec![vec![enemy(30)], vec![glyph], vec![enemy(140)]]);
    board.might = Some(40);
    let mut play = play_of(&["Olad"], board);
    let gate = play.room("Olad").id;
    assert!(play.types("Olad", "look").contains("in leads to a puzzle"));
    let read = play.types("Olad", "in");
    assert!(read.contains("Do it") && read.contains("you all share 40"), "H4: {read}");
    let read = play.types("Olad", "east");
    assert!(read.contains("power 30") && read.contains("your might is 70"), "H18: {read}");
    let read = play.types("Olad", "east");
    assert!(read.contains("doubles your might. Your might is 140 now."), "H15: {read}");
    assert!(play.types("Olad", "goal").contains("Left: one enemy"), "H4");
    let read = play.types("Olad", "east");
    assert!(read.contains("your might is 280") && read.contains("go to the finish"), "H18: {read}");
    assert_eq!(play.state("Olad", Direction::East), Some(ExitState::Open), "H16: open after");
    let read = play.types("Olad", "east");
    assert!(read.contains("The puzzle is solved."), "H16: {read}");
    let row = &play.game.turn.world.rooms[gate];
    assert!(row.clear && row.challenge.puzzle().is_none(), "E26");
    assert_eq!(play.game.turn.world.ground(gate).len(), 3, "the reward of a puzzle that was never lost");
    play.types_all("Olad", &["west", "west", "west", "west", "out"]);
    assert_eq!(play.room("Olad").id, gate);
    assert!(play.game.turn.world.characters[play.id("Olad")].money.purse > 0, "coins lie there too");
}

/// Beaten enemies disappear from the frieze at the arch, which always shows the remaining ones.
#[test]
fn h11_beaten_foes_leave_the_frieze() {
    let mut board = row(Goal::KillAll, vec![vec![], vec![enemy(30)], vec![enemy(60)]]);
    board.might = Some(40);
    board.cells[1].kind = CellKind::Gallery;
    (board.cells[2].kind, board.cells[3].kind) = (CellKind::Slot, CellKind::Slot);
    let mut play = play_of(&["Olad"], board);
    play.types("Olad", "in");
    let read = play.types("Olad", "east");
    let both = "in this order: a stone warrior of power 30, then a stone warrior of power 60.";
    assert!(read.contains(both), "{read}");
    play.types("Olad", "east");
    let read = play.types("Olad", "west");
    assert!(read.contains("in this order: a stone warrior of power 60."), "{read}");
    play.types_all("Olad", &["east", "east", "west"]);
    let read = play.types("Olad", "west");
    assert!(read.contains("The frieze beside the arch is blank: nothing waits beyond."), "{read}");
}

/// The finish is locked before the goal is met, and a message says so.
#[test]
fn h16_e33_finish_is_locked_until_the_goal_is_met() {
    let mut board = row(Goal::KillAll, vec![vec![], vec![enemy(10)]]);
    board.might = Some(40);
    let end = CellId(3);
    board.join(CellId(0), Direction::South, end, Lock::Gate(deepwell_core::puzzle::GateId(0)));
    board.cells[3].at = Point::new(0, -1);
    board.cells[2].exits.remove(&Direction::East);
    board.cells[3].exits.remove(&Direction::West);
    let mut play = play_of(&["Olad"], board);
    play.types("Olad", "in");
    assert_eq!(play.state("Olad", Direction::South), Some(ExitState::Locked));
    let refused = play.types("Olad", "south");
    assert!(refused.contains("You cannot go that way yet. The last door is shut."), "{refused}");
    assert!(play.types("Olad", "look south").contains("The last door is shut."));
    assert!(play.types("Olad", "map").contains("+ on a way: it is shut."));
    play.types_all("Olad", &["east", "east", "west", "west"]);
    assert_eq!(play.state("Olad", Direction::South), Some(ExitState::Open));
    assert!(play.types("Olad", "south").contains("solved"));
}

/// A loss returns all players inside to the entrance and restarts the same board. The only cost is one tier of the
/// reward. Party members share their might.
#[test]
fn h18_loss_resets_the_puzzle_and_costs_one_reward_tier() {
    let mut board = row(Goal::KillAll, vec![vec![enemy(30)], vec![enemy(71)]]);
    board.might = Some(40);
    let mut play = play_of(&["Olad", "Bera"], board);
    let gate = play.room("Olad").id;
    let hp = play.game.turn.world.characters[play.id("Bera")].hp;
    play.types("Olad", "in");
    play.types("Bera", "in");
    play.types("Olad", "east");
    assert!(play.hears("Bera").contains("Your might is 70 now."), "shared by the party inside");
    play.types("Bera", "east");
    play.types("Bera", "quit");
    let read = play.types("Olad", "east");
    assert!(read.contains("A might of 70 is not enough.") && read.contains("at the entrance"), "{read}");
    assert_eq!((play.cell("Olad"), play.cell("Bera")), (Some(0), Some(0)), "asleep or not");
    assert_eq!((play.run().state.might, play.run().state.losses), (Some(40), 1));
    assert_eq!(play.game.turn.world.characters[play.id("Bera")].hp, hp, "nothing else is lost");
    assert!(play.types("Olad", "goal").contains("It was lost once"));
    // The same board, with more might shared by a party member.
    let floor = play.floor();
    play.game.turn.world.floors.edit_puzzle(floor).unwrap().state.might = Some(50);
    play.types_all("Olad", &["east", "east", "east"]);
    assert!(play.game.turn.world.rooms[gate].clear);
    assert_eq!(play.game.turn.world.ground(gate).len(), 2, "one tier lower");
}

/// A one-way section ends in a portal, visible in both rooms.
#[test]
fn h7_h12_h13_one_way_section_ends_in_a_portal() {
    let mut board = row(Goal::ReachFinish, vec![vec![]]);
    let slot = board.add(Cell::new(Point::new(0, 1), CellKind::Slot, "Slot", "A slot."));
    let mut portal = Cell::new(Point::new(0, 2), CellKind::Portal, "Fold", "A fold.");
    portal.mechanisms.push(Mechanism::Portal { to: CellId(0) });
    let portal = board.add(portal);
    board.join_one_way(CellId(0), Direction::North, slot);
    board.join_one_way(slot, Direction::North, portal);
    let mut play = play_of(&["Olad", "Bera"], board);
    for name in ["Olad", "Bera"] {
        play.types(name, "in");
    }
    assert!(play.types("Olad", "look north").contains("you see an empty room, then a portal."));
    play.types("Olad", "north");
    assert_eq!(play.types("Olad", "south"), "The way back is closed.", "H7");
    assert_eq!(play.state("Olad", Direction::North), Some(ExitState::OneWay));
    play.hears("Bera");
    let read = play.types("Olad", "north");
    assert!(read.contains("folds up") && read.contains("The way in"), "H13: {read}");
    assert!(play.hears("Bera").contains("Olad steps out of a fold in the air."), "H13");
    assert_eq!(play.cell("Olad"), Some(0));
    // Followers are moved as well.
    play.types("Olad", "party invite bera");
    play.types_all("Bera", &["party accept", "follow olad"]);
    play.types("Olad", "north");
    assert_eq!(play.cell("Bera"), play.cell("Olad"));
    play.types("Olad", "north");
    assert_eq!((play.cell("Bera"), play.cell("Olad")), (Some(0), Some(0)));
}

/// Levers, chests, hidden objects, keys and doors, by typed commands.
#[test]
fn levers_chests_keys_and_doors_work_by_command() {
    let key = KeyId(0);
    let hidden =
        Mechanism::Hidden { thing: thing("moss"), verb: Verb::Search, does: vec![Outcome::Key(key)] };
    let chest = Mechanism::Chest { thing: thing("oak chest"), does: vec![Outcome::On(SwitchId(0))] };
    let lever = Mechanism::Lever { thing: thing("brass lever"), does: vec![Outcome::Toggle(SwitchId(1))] };
    let mut board = row(Goal::Solve, vec![vec![hidden, chest], vec![lever]]);
    board.solved = vec![SwitchId(0), SwitchId(1)];
    board.add_key("iron key");
    let door = board.add_gate(gate("iron door", Opening::Key { key, kept: true }));
    board.join(CellId(1), Direction::East, CellId(2), Lock::Gate(door));
    let mut play = play_of(&["Olad"], board);
    play.types_all("Olad", &["in", "east"]);
    assert_eq!(play.types("Olad", "unlock"), "It wants the iron key, and nobody here has that.");
    assert_eq!(play.types("Olad", "search stove"), "There is nothing like that here.");
    assert!(play.types("Olad", "look moss").contains("Here is a moss."));
    let read = play.types("Olad", "search moss");
    assert!(read.contains("You search the moss.") && read.contains("The iron key is yours now"), "{read}");
    assert_eq!(play.types("Olad", "search moss"), "That has been done already.");
    assert!(play.types("Olad", "east").contains("You have the key: type unlock east."));
    assert!(play.types("Olad", "goal").contains("At hand: the iron key."));
    assert!(play.types("Olad", "unlock iron door").contains("The iron door swings open."));
    assert!(play.types("Olad", "open chest").contains("You open the oak chest."));
    let read = play.types_all("Olad", &["east", "pull lever"]);
    assert!(read.contains("You pull the brass lever.") && read.contains("go to the finish"), "{read}");
    assert!(play.types("Olad", "east").contains("solved"));
}

/// Plates count characters and weights, across quitting, disconnecting and restarts.
#[test]
fn plates_count_characters_and_weights() {
    let plate = Mechanism::Plate { thing: thing("worn plate"), switch: SwitchId(0) };
    let block = Mechanism::Weight { thing: thing("stone block") };
    let mut board = row(Goal::Solve, vec![vec![block], vec![plate]]);
    board.solved = vec![SwitchId(1)];
    let lever = Mechanism::Lever { thing: thing("lever"), does: vec![Outcome::On(SwitchId(1))] };
    let mut closet = Cell::new(Point::new(1, 1), CellKind::Chamber, "Closet", "A closet.");
    closet.mechanisms.push(lever);
    let closet = board.add(closet);
    let held = Opening::Switches { on: vec![SwitchId(0)], off: vec![], stays: false };
    let grate = board.add_gate(gate("grate", held));
    board.join(CellId(1), Direction::North, closet, Lock::Gate(grate));
    let mut play = play_of(&["Olad", "Bera"], board);
    play.types_all("Bera", &["in", "east"]);
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Locked));
    play.types_all("Olad", &["in", "east", "east"]);
    assert!(play.hears("Bera").contains("The grate swings open."));
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Open));
    play.types("Olad", "quit");
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Locked), "who sleeps weighs nothing");
    play.crash();
    for name in ["Olad", "Bera"] {
        play.comes_back(name);
    }
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Open), "and who wakes weighs again");
    play.types("Olad", "recall");
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Locked));
    assert!(play.types("Bera", "push block up").contains("There is no way there."));
    assert!(play.types("Bera", "push block east").contains("You push the stone block east."));
    assert_eq!(play.state("Bera", Direction::North), Some(ExitState::Open), "a weight will do");
    play.types_all("Bera", &["north", "pull lever", "south", "east"]);
    assert!(play.types("Bera", "east").contains("solved"));
}

/// A riddle accepts correct answers by `answer` and `say`; too many wrong guesses lose.
#[test]
fn riddles_accept_answer_and_say() {
    let asks = "What has roots?".to_owned();
    let riddle = Mechanism::Riddle {
        thing: thing("stone face"),
        asks,
        answers: vec!["mountain".into()],
        tries: Some(2),
        does: vec![Outcome::On(SwitchId(0))],
    };
    let mut board = row(Goal::Solve, vec![vec![riddle]]);
    board.solved = vec![SwitchId(0)];
    let mut play = play_of(&["Olad"], board);
    play.types_all("Olad", &["in", "east"]);
    assert!(play.types("Olad", "look").contains("What has roots?"));
    play.types_all("Olad", &["say hello there", "say who knows?"]);
    assert_eq!(play.run().state.guesses, 0, "talk is free");
    assert!(play.types("Olad", "answer river").contains("That is not the answer."));
    assert!(play.types("Olad", "answer tree").contains("one wrong answer too many"));
    assert_eq!((play.cell("Olad"), play.run().state.losses), (Some(0), 1));
    play.types("Olad", "east");
    play.step(Input::StorageReadOnly(true));
    assert!(!play.types("Olad", "say A mountain!").contains("The stone face"), "O3: it could not be written");
    play.step(Input::StorageReadOnly(false));
    let olad = play.id("Olad");
    let until = Some(play.now() + Span::secs(60));
    let body = play.game.turn.world.characters.edit(olad).unwrap();
    let hp = std::mem::take(&mut body.hp);
    (body.posture, body.down_until) = (Posture::Down, until);
    assert!(!play.types("Olad", "say A mountain!").contains("The stone face"), "who is down does nothing");
    let body = play.game.turn.world.characters.edit(olad).unwrap();
    (body.posture, body.down_until, body.hp) = (Posture::Standing, None, hp);
    assert!(play.types("Olad", "say A mountain!").contains("The stone face has done it."));
    assert!(play.types("Olad", "east").contains("solved"));
}

/// A key guard is an ordinary creature: it fights, its mechanism triggers when it dies, and a loss respawns it.
#[test]
fn guard_death_triggers_its_mechanism() {
    let guard = Mechanism::Guard { thing: thing("clay sentry"), does: vec![Outcome::On(SwitchId(0))] };
    let mut board = row(Goal::Solve, vec![vec![guard]]);
    board.solved = vec![SwitchId(0)];
    let mut play = play_of(&["Olad"], board);
    let olad = play.id("Olad");
    let body = play.game.turn.world.characters.edit(olad).unwrap();
    (body.hp, body.max_hp, body.attack) = (9_999, 9_999, 999);
    let read = play.types_all("Olad", &["in", "east"]);
    assert!(read.contains("clay sentry"), "{read}");
    assert_eq!(play.run().guards.len(), 1);
    for _ in 0..20 {
        if play.run().guards.is_empty() {
            break;
        }
        play.types("Olad", "kill sentry");
        play.waits(Span::secs(3));
    }
    assert!(play.run().guards.is_empty());
    assert!(play.run().state.won, "what it guarded is free");
    let floor = play.floor();
    play.game.turn.world.floors.edit_puzzle(floor).unwrap().state.spent =
        deepwell_core::puzzle::Marks::default();
    gate::reset_guards(&mut play.game.turn, floor);
    play.commit();
    assert_eq!(play.run().guards.len(), 1, "a reset sets it up again");
}

/// A restart preserves might, beaten enemies and positions.
#[test]
fn restart_preserves_puzzle_progress() {
    let mut board = row(Goal::KillAll, vec![vec![enemy(30)], vec![enemy(60)]]);
    board.might = Some(40);
    let mut play = play_of(&["Olad"], board);
    play.types_all("Olad", &["in", "east"]);
    play.restart();
    assert_eq!((play.run().state.might, play.cell("Olad")), (Some(70), Some(1)));
    let read = play.types("Olad", "west");
    assert!(!read.contains("power 30"), "{read}");
    play.types_all("Olad", &["east", "east"]);
    assert!(play.types("Olad", "east").contains("solved"));
}

/// A puzzle's floor is deleted with its branch, and its players are moved out.
#[test]
fn e49_puzzle_floor_is_deleted_with_its_branch() {
    let mut board = row(Goal::KillAll, vec![vec![enemy(30)]]);
    board.might = Some(40);
    let mut play = play_of(&["Olad"], board);
    play.types_all("Olad", &["in", "east"]);
    let branch = play.game.turn.world.characters[play.id("Olad")].branch.unwrap();
    collapse::collapse(&mut play.game.turn, branch);
    play.commit();
    assert_eq!(play.game.turn.world.characters[play.id("Olad")].branch, None);
    assert!(play.game.turn.world.floors.iter().all(|(_, floor)| floor.puzzle.is_none()));
}

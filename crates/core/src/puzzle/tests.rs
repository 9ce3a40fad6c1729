//! Tests of engine and search, with a small puzzle for each mechanism.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::base::{Direction, Point, Seed};

/// Returns a row of cells from west to east, from entrance to finish.
fn row(length: i32, goal: Goal) -> Board {
    let mut board = Board { goal, players: 1, task: "Get through.".into(), ..Board::default() };
    for x in 0..length {
        let kind = match x {
            0 => CellKind::Entrance,
            x if x == length - 1 => CellKind::Finish,
            _ => CellKind::Chamber,
        };
        board.add(Cell::new(Point::new(x, 0), kind, "A cell", "Bare stone."));
        if x > 0 {
            let (x, from) = (u16::try_from(x).unwrap(), u16::try_from(x - 1).unwrap());
            board.join(CellId(from), Direction::East, CellId(x), Lock::Open);
        }
    }
    put(&mut board, length - 1, Mechanism::Finish);
    board
}

fn put(board: &mut Board, x: i32, mechanism: Mechanism) {
    let cell = board.at(Point::new(x, 0)).unwrap();
    board.cells[usize::from(cell.0)].mechanisms.push(mechanism);
}

/// Puts a gate east of a cell.
fn gate(board: &mut Board, x: u16, opening: Opening) -> GateId {
    let owned = |text: &str| text.to_owned();
    let id = board.add_gate(Gate {
        name: owned("iron door"),
        shut: owned("The iron door is shut."),
        told: owned("The iron door swings open."),
        opening,
    });
    board.join(CellId(x), Direction::East, CellId(x + 1), Lock::Gate(id));
    id
}

fn thing(name: &str) -> Thing {
    Thing { name: name.into(), seen: format!("A {name} is here."), told: format!("The {name} gives way.") }
}

fn lever(does: Vec<Outcome>) -> Mechanism {
    Mechanism::Lever { thing: thing("brass lever"), does }
}

fn on(switches: &[u16], off: &[u16], stays: bool) -> Opening {
    let ids = |ids: &[u16]| ids.iter().copied().map(SwitchId).collect();
    Opening::Switches { on: ids(switches), off: ids(off), stays }
}

fn inside(board: &Board, people: &[u16]) -> State {
    let mut state = start(board);
    for at in people {
        enter(board, &mut state, CellId(*at));
    }
    state
}

/// Returns `true` if the search finds a solution that the engine confirms.
fn solvable(board: &Board, players: u32) -> bool {
    let verdict = search(board, players, 50_000);
    assert!(!verdict.gave_up);
    let solution = verdict.solution;
    assert!(solution.as_ref().is_none_or(|solution| proves(board, players, solution)));
    solution.is_some()
}

#[derive(Debug)]
struct Corridor;

impl Puzzle for Corridor {
    fn description(&self) -> Description<'static> {
        Description {
            name: "corridor",
            about: "Walk.",
            features: &[Feature::Finish],
            goals: &[Goal::ReachFinish],
            params: const { &[Param::number("length", 2..=9, 3, "how many cells")] },
            ..Description::DEFAULT
        }
    }

    fn check_config(&self, _config: &PuzzleConfig) -> Result<(), SettingError> {
        Ok(())
    }
    fn generate(&self, _seed: Seed, config: &PuzzleConfig) -> Board {
        row(config.number("length").cast_signed(), Goal::ReachFinish)
    }
    fn solve(&self, board: &Board, config: &PuzzleConfig) -> Verdict {
        search_losable(board, config.players, 1_000)
    }
}

/// A registered puzzle is read from data, generated and proved.
#[test]
fn h1_registered_puzzle_is_generated() {
    let mut registry = Registry::builtin();
    registry.register(Arc::new(Corridor));
    assert!(registry.names().any(|name| name == "corridor"));
    let mut mistakes = Vec::new();
    let text = "kind = \"corridor\"\nweight = 3\nfirst_difficulty = 2\n[params]\nlength = 5\n";
    let mut reader = crate::data::Reader::parse("a.toml", text, &mut mistakes).unwrap();
    let entry = PuzzleEntry::read(&mut reader, &registry).unwrap();
    reader.finish();
    assert_eq!(mistakes, []);
    assert_eq!((entry.weight, entry.is_for(1), entry.is_for(2)), (3, false, true));
    let drawn = draw(&entry, Seed(1));
    assert_eq!((drawn.plain, drawn.tries, drawn.board.kind.as_str()), (None, 1, "corridor"));
    assert_eq!((drawn.board.cells.len(), drawn.solution.len()), (5, 4));
}

/// A puzzle that cannot be lost is replaced by the fallback if a choice is required.
#[test]
fn h17_unlosable_puzzle_is_replaced_if_choice_is_required() {
    let mut entry = PuzzleEntry::new(Arc::new(Corridor), PuzzleConfig::of(&Corridor));
    entry.config.require_choice = true;
    let drawn = draw(&entry, Seed(1));
    let reason = drawn.plain.unwrap().to_string();
    assert_eq!(reason, "corridor found no layout: there is no way to lose");
    assert!(proves(&drawn.board, 1, &drawn.solution));
}

/// Flaws are undeclared features and goals, cells in the same position, and missing texts.
#[test]
fn h3_h4_board_flaws_are_reported() {
    let mut board = row(3, Goal::Solve);
    assert_eq!(flaws(&Corridor, &row(3, Goal::ReachFinish)), []);
    put(&mut board, 1, Mechanism::Enemy { power: 3, name: String::new() });
    put(&mut board, 0, Mechanism::Portal { to: CellId(9) });
    board.cells[2].at = Point::new(1, 0);
    let gate = board.add_gate(Gate {
        name: "door".into(),
        shut: String::new(),
        told: "It opens.".into(),
        opening: Opening::Key { key: KeyId(4), kept: false },
    });
    board.join(CellId(0), Direction::South, CellId(1), Lock::Gate(gate));
    let messages: Vec<String> = flaws(&Corridor, &board).iter().map(ToString::to_string).collect();
    let text = messages.join("\n");
    for part in [
        "its goal solve is not declared",
        "nothing would solve it",
        "its feature might is not declared",
        "its feature portal is not declared",
        "its feature keys is not declared",
        "two cells are at (1,0)",
        "something at the entrance acts on whoever enters",
        "a portal leads nowhere",
        "something counts might, and there is none",
        "south does not lead to the cell beside it",
        "a key does not exist",
        "the words of a shut gate is empty",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A key opens its door from either side; a key behind its own door is no solution.
#[test]
fn keys_open_their_doors_from_either_side() {
    for (holder, solved) in [(0, true), (1, true), (2, false)] {
        let mut board = row(4, Goal::ReachFinish);
        let key = board.add_key("iron key");
        let door = gate(&mut board, 1, Opening::Key { key, kept: true });
        put(
            &mut board,
            holder,
            Mechanism::Chest { thing: thing("oak chest"), does: vec![Outcome::Key(key)] },
        );
        assert_eq!(solvable(&board, 1), solved, "{holder}");
        if !solved {
            continue;
        }
        let at = CellId(u16::try_from(holder).unwrap());
        let mut state = inside(&board, &[0]);
        let east = Deed::Unlock(Direction::East);
        assert_eq!(act(&board, &mut state, CellId(1), &east), Err(ActionRefusal::NoKey(key)));
        assert_eq!(passable(&board, &state, CellId(1), Direction::East), Err(ActionRefusal::Shut(door)));
        let sight = find(&board, &state, at, Verb::Open, "the chest").unwrap();
        let events = act(&board, &mut state, at, &Deed::Work(sight.number)).unwrap();
        assert!(events.contains(&Event::Found { key }));
        assert_eq!(find(&board, &state, at, Verb::Open, "oak").err(), Some(ActionRefusal::Done));
        assert_eq!(find(&board, &state, at, Verb::Pull, "oak").err(), Some(ActionRefusal::Nothing));
        let west = Deed::Unlock(Direction::West);
        assert_eq!(act(&board, &mut state, CellId(2), &west), Ok(vec![Event::Opened { gate: door }]));
        assert_eq!(passable(&board, &state, CellId(1), Direction::East), Ok(CellId(2)));
        assert_eq!(act(&board, &mut state, CellId(2), &west), Err(ActionRefusal::Done));
        assert!(!state.keys.has(0), "the lock keeps it");
    }
}

#[test]
fn refusal_sentences_use_names_of_the_board() {
    let board = Board { keys: vec!["brass key".into()], ..Board::default() };
    for (refusal, sentence) in [
        (ActionRefusal::NoKey(KeyId(0)), "It wants the brass key, and nobody here has that."),
        (ActionRefusal::NoKey(KeyId(9)), "It wants the right key, and nobody here has that."),
        (ActionRefusal::Shut(GateId(9)), "It is shut."),
    ] {
        assert_eq!(refusal.sentence(&board), sentence);
    }
}

/// Covers guards, hidden items and riddles.
#[test]
fn every_holder_gives_its_key() {
    let key = KeyId(0);
    let does = vec![Outcome::Key(key)];
    let holders = [
        (Mechanism::Guard { thing: thing("bone guard"), does: does.clone() }, Deed::Work(0)),
        (Mechanism::Hidden { thing: thing("moss"), verb: Verb::Search, does: does.clone() }, Deed::Work(0)),
        (
            Mechanism::Riddle {
                thing: thing("stone face"),
                asks: "What falls and is never hurt?".into(),
                answers: vec!["rain".into()],
                tries: None,
                does,
            },
            Deed::Answer("The rain!".into()),
        ),
    ];
    for (holder, deed) in holders {
        let mut board = row(3, Goal::ReachFinish);
        board.add_key("iron key");
        gate(&mut board, 1, Opening::Key { key, kept: false });
        put(&mut board, 0, holder);
        assert!(solvable(&board, 1));
        let mut state = inside(&board, &[0]);
        let events = act(&board, &mut state, CellId(0), &deed).unwrap();
        assert!(matches!(&events[..], [Event::Worked { .. }, Event::Found { .. }]), "{events:?}");
        assert!(act(&board, &mut state, CellId(0), &deed).is_err(), "once");
    }
}

/// A gate can need some switches on and others off.
#[test]
fn e40_levers_open_gates_in_other_rooms() {
    let mut board = row(5, Goal::ReachFinish);
    let door = gate(&mut board, 3, on(&[0, 1], &[2], false));
    let toggle = |ids: &[u16]| lever(ids.iter().map(|id| Outcome::Toggle(SwitchId(*id))).collect());
    for (x, ids) in [(0, &[0, 2][..]), (1, &[1, 2]), (2, &[2])] {
        put(&mut board, x, toggle(ids));
    }
    assert!(solvable(&board, 1));
    let mut state = inside(&board, &[0]);
    act(&board, &mut state, CellId(0), &Deed::Work(0)).unwrap();
    let events = act(&board, &mut state, CellId(1), &Deed::Work(0)).unwrap();
    assert!(events.contains(&Event::Opened { gate: door }), "two turns of the third leave it off");
    let events = act(&board, &mut state, CellId(2), &Deed::Work(0)).unwrap();
    assert!(events.contains(&Event::Shut { gate: door }) && !is_on(&board, &state, SwitchId(3)));
    // Without the levers that turn the first two independently of the third there is no solution.
    board.cells[0].mechanisms.clear();
    assert!(!solvable(&board, 1));
}

/// Two players can hold two plates at once, one cannot, and one with a weight can.
#[test]
fn two_plates_need_two_players_or_a_weight() {
    let plate = |switch| Mechanism::Plate { thing: thing("plate"), switch: SwitchId(switch) };
    let mut board = row(4, Goal::ReachFinish);
    let door = gate(&mut board, 2, on(&[0, 1], &[], true));
    put(&mut board, 1, plate(0));
    put(&mut board, 2, plate(1));
    assert!(solvable(&board, 2) && !solvable(&board, 1));
    let mut state = inside(&board, &[1]);
    assert!(is_on(&board, &state, SwitchId(0)) && !is_on(&board, &state, SwitchId(1)));
    let events = enter(&board, &mut state, CellId(2));
    assert!(events.contains(&Event::Opened { gate: door }), "{events:?}");
    let events = leave(&board, &mut state, CellId(1));
    assert!(matches!(&events[..], [Event::Released { at: CellId(1), .. }]), "it stays open: {events:?}");

    let mut alone = board.clone();
    put(&mut alone, 0, Mechanism::Weight { thing: thing("granite block") });
    assert!(solvable(&alone, 1));
    let mut state = inside(&alone, &[0]);
    let block = find(&alone, &state, CellId(0), Verb::Push, "block").unwrap();
    let push = Deed::Push { weight: block.number, direction: Direction::East };
    let events = act(&alone, &mut state, CellId(0), &push).unwrap();
    assert!(
        matches!(&events[..], [Event::Pushed { to: CellId(1), .. }, Event::Pressed { .. }]),
        "{events:?}"
    );
    assert_eq!(
        act(&alone, &mut state, CellId(0), &push),
        Err(ActionRefusal::Nothing),
        "it is not here any more"
    );
    assert_eq!(sights(&alone, &state, CellId(1)).len(), 2, "the plate and the block on it");

    // A gate that does not stay open needs a player who stays behind.
    let mut held = row(4, Goal::ReachFinish);
    gate(&mut held, 2, on(&[0], &[], false));
    put(&mut held, 1, plate(0));
    assert!(solvable(&held, 2) && !solvable(&held, 1));
}

/// If tries are limited, the last wrong answer causes a loss.
#[test]
fn riddles_block_the_exit_and_count_tries() {
    let mut board = row(3, Goal::Solve);
    board.solved = vec![SwitchId(0)];
    let door = gate(&mut board, 1, Opening::Goal);
    put(
        &mut board,
        1,
        Mechanism::Riddle {
            thing: thing("stone face"),
            asks: "What has a bed and never sleeps?".into(),
            answers: vec!["river".into(), "stream".into()],
            tries: Some(2),
            does: vec![Outcome::On(SwitchId(0))],
        },
    );
    let verdict = search_losable(&board, 1, 1_000);
    assert!(verdict.losable && verdict.solution.is_some());
    let mut state = inside(&board, &[1]);
    let say = |state: &mut State, answer: &str| act(&board, state, CellId(1), &Deed::Answer(answer.into()));
    assert_eq!(say(&mut state, "a log"), Ok(vec![Event::WrongAnswer { left: Some(1) }]));
    assert_eq!(say(&mut state, "a dog"), Ok(vec![Event::Lost { why: Loss::TooManyGuesses }]));
    assert_eq!((state.losses, state.guesses, state.people.get(&board.entrance)), (1, 0, Some(&1)));
    let events = say(&mut state, "It is a stream.").unwrap();
    assert!(events.contains(&Event::GoalMet) && events.contains(&Event::Opened { gate: door }));
    assert_eq!(say(&mut state, "river"), Err(ActionRefusal::NotAsked));
}

#[test]
fn states_and_boards_round_trip_through_storage() {
    let entry =
        PuzzleEntry::new(Arc::new(MyHero::shipped()), PuzzleConfig::of(&MyHero::shipped()).with_power(40));
    let drawn = draw(&entry, Seed(3));
    let mut state = inside(&drawn.board, &[drawn.board.entrance.0]);
    for step in &drawn.solution {
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
        take(&drawn.board, &mut state, step).unwrap();
    }
    assert!(state.finished);
    let text = serde_json::to_string(&drawn.board).unwrap();
    assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), drawn.board);
}

/// A search that reaches its limit reports it.
#[test]
fn search_reports_its_state_limit() {
    let mut board = row(12, Goal::ReachFinish);
    for x in 0..11 {
        let switch = SwitchId(u16::try_from(x).unwrap());
        put(&mut board, x, lever(vec![Outcome::Toggle(switch)]));
    }
    gate(&mut board, 10, on(&[99], &[], false));
    let verdict = search(&board, 1, 500);
    assert!(verdict.gave_up && verdict.states == 500 && verdict.solution.is_none());
}

#[test]
fn numbers_are_spelled_out() {
    let phrases = [0, 7, 14, 40, 42, 100, 110, 999, 1_000].map(crate::text::grammar::spelled);
    let wanted = [
        "no",
        "seven",
        "fourteen",
        "forty",
        "forty-two",
        "a hundred",
        "a hundred and ten",
        "nine hundred and ninety-nine",
        "1000",
    ];
    assert_eq!(phrases, wanted);
}

/// Returns the cells reachable while every gate is closed.
pub(super) fn within_gates(board: &Board) -> BTreeSet<CellId> {
    let mut seen = BTreeSet::from([board.entrance]);
    let mut next = vec![board.entrance];
    while let Some(cell) = next.pop().and_then(|at| board.cell(at)) {
        let open = cell.exits.values().filter(|passage| passage.lock == Lock::Open);
        next.extend(open.map(|passage| passage.to).filter(|to| seen.insert(*to)));
    }
    seen
}

/// Checks that a board has all texts in full sentences without placeholders, and that names of mechanisms are unique
/// within a room.
pub(super) fn reads_well(board: &Board) {
    let sentence = |text: &str| {
        assert!(text.is_ascii() && !text.contains(['{', '}', '|']), "{text}");
        assert!(text.starts_with(|c: char| c.is_uppercase() || c == '\''), "{text}");
        let slip = |vowel| text.contains(&format!(" a {vowel}"));
        assert!(!['a', 'e', 'i', 'o'].into_iter().any(slip), "{text}");
        assert!(text.ends_with(['.', '!', '?', '\'']), "{text}");
    };
    for cell in &board.cells {
        sentence(&format!("{}.", cell.name));
        assert!(cell.name.len() > 3 && cell.name.len() < 40, "{}", cell.name);
        sentence(&cell.description);
        let mut names = BTreeSet::new();
        for thing in cell.mechanisms.iter().filter_map(Mechanism::thing) {
            assert!(!thing.name.is_empty() && names.insert(&thing.name), "{}", thing.name);
            sentence(&thing.seen);
            sentence(&thing.told);
            assert!(thing.seen.to_lowercase().contains(&thing.name), "{} in {}", thing.name, thing.seen);
        }
    }
    for gate in &board.gates {
        sentence(&gate.shut);
        sentence(&gate.told);
        assert!(gate.shut.contains(&gate.name) && gate.told.contains(&gate.name), "{}", gate.name);
    }
}

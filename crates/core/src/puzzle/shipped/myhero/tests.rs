//! Tests of MyHero against the numbers in its specification.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::base::{Direction, Point};
use crate::data::Reader;
use crate::puzzle::board::{CellKind, Lock};
use crate::puzzle::mechanism::Mechanism;
use crate::puzzle::shipped::myhero::*;
use crate::puzzle::{
    ActionRefusal, CellId, Event, Loss, ParamValue, PuzzleEntry, Registry, State, draw, enter, flaws,
    passable, search_losable, start, walk,
};

static HERO: LazyLock<Arc<MyHero>> = LazyLock::new(|| Arc::new(MyHero::shipped()));

/// Returns a default configuration with might 40.
fn config() -> PuzzleConfig {
    PuzzleConfig::of(&**HERO).with_power(40)
}

fn sized(x: u32, y: u32) -> PuzzleConfig {
    config().with("size_x", ParamValue::Number(x)).with("size_y", ParamValue::Number(y))
}

fn mapped(lines: &[&str]) -> PuzzleConfig {
    config().with("map", ParamValue::Texts(lines.iter().map(|line| (*line).to_owned()).collect()))
}

/// Returns the worked example.
fn example() -> Board {
    let lines = ["divide by 3, empty, enemy 14", "empty, enemy 33, empty", "enemy 42, enemy 12, enemy 37"];
    HERO.generate(Seed(1), &mapped(&lines))
}

fn boards(count: u64, config: &PuzzleConfig) -> impl Iterator<Item = Board> {
    (0..count).map(move |seed| HERO.generate(Seed(seed), config))
}

fn kinds(board: &Board) -> BTreeMap<CellKind, usize> {
    let mut kinds = BTreeMap::new();
    for cell in &board.cells {
        *kinds.entry(cell.kind).or_default() += 1;
    }
    kinds
}

/// Player at the entrance of a board.
struct Hero {
    board: Board,
    state: State,
    at: CellId,
}

impl Hero {
    fn new(board: Board) -> Self {
        let mut state = start(&board);
        enter(&board, &mut state, board.entrance);
        let at = board.entrance;
        Self { board, state, at }
    }

    fn go(&mut self, direction: Direction) -> Result<Vec<Event>, ActionRefusal> {
        let (to, events) = walk(&self.board, &mut self.state, self.at, direction)?;
        self.at = to;
        for event in &events {
            match event {
                Event::Ported { to } => self.at = *to,
                Event::Lost { .. } => self.at = self.board.entrance,
                _ => {}
            }
        }
        assert_eq!(self.state.people.iter().map(|(at, n)| (*at, *n)).collect::<Vec<_>>(), [(self.at, 1)]);
        Ok(events)
    }

    fn place(&self) -> Point {
        self.board.cells[usize::from(self.at.0)].at
    }

    /// Plays the sections in an order, numbered from the north. Returns `false` on a loss.
    fn play_sections(&mut self, order: &[i32]) -> bool {
        self.go(Direction::East).unwrap();
        for section in order {
            let row = 4 - 2 * section;
            while self.place().y != row {
                self.go(if self.place().y < row { Direction::North } else { Direction::South }).unwrap();
            }
            for _ in 0..4 {
                if self.go(Direction::East).unwrap().iter().any(|e| matches!(e, Event::Lost { .. })) {
                    return false;
                }
            }
        }
        true
    }
}

/// 5 in the left column, and 3 times three slots and a portal.
#[test]
fn h8_h9_h11_default_area_has_seventeen_rooms() {
    let board = HERO.generate(Seed(7), &config());
    let kinds = kinds(&board);
    assert_eq!((kinds[&CellKind::Gallery], kinds[&CellKind::Slot], kinds[&CellKind::Portal]), (5, 9, 3));
    assert_eq!((kinds[&CellKind::Entrance], kinds[&CellKind::Finish]), (1, 1));
    assert_eq!(board.cells.len(), 17 + 2, "and the entrance and the finish");
    let names: Vec<&str> = HERO.description().features.iter().map(|feature| feature.name()).collect();
    assert_eq!(names, ["finish", "portal", "one-way", "might", "many rooms"], "H3");
    assert_eq!(HERO.description().goals, [Goal::KillAll], "H4");
}

/// Sizes are made odd and at least 3; there are (y + 1) / 2 sections, with x - 1 slots including the portal.
#[test]
fn h8_h9_sizes_are_odd_and_define_sections_and_slots() {
    for (x, y) in [(1, 1), (2, 3), (3, 3), (4, 4), (5, 5), (6, 9), (15, 15), (14, 14), (3, 15), (15, 3)] {
        let (odd_x, odd_y) = (x.max(3) | 1, y.max(3) | 1);
        let board = HERO.generate(Seed(3), &sized(x, y));
        let (floors, slots) = (odd_y.div_ceil(2) as usize, odd_x as usize - 1);
        let kinds = kinds(&board);
        assert_eq!(kinds[&CellKind::Portal], floors, "{x}x{y}");
        assert_eq!(kinds[&CellKind::Slot], floors * (slots - 1), "{x}x{y}");
        assert_eq!(kinds[&CellKind::Gallery], odd_y as usize, "{x}x{y}");
        assert_eq!(flaws(&**HERO, &board), []);
    }
}

/// The entrance joins the middle of the gallery from the west, and the finish is at the bottom left. Sections are on
/// even rows, and portals lead to the left cell of their row.
#[test]
fn h10_h11_h13_h16_map_follows_the_rules() {
    let board = HERO.generate(Seed(5), &config());
    let entrance = board.cell(board.entrance).unwrap();
    assert_eq!(entrance.at, Point::new(0, 2));
    for (id, cell) in board.ids() {
        let Point { x, y } = cell.at;
        match cell.kind {
            CellKind::Gallery => {
                assert_eq!((x, cell.exits.contains_key(&Direction::East)), (1, y % 2 == 0));
                let west: Vec<i32> = [0, 2].into_iter().filter(|row| *row == y).collect();
                assert_eq!(cell.exits.contains_key(&Direction::West), !west.is_empty(), "{y}");
            }
            CellKind::Slot => assert!((2..=4).contains(&x) && y % 2 == 0),
            CellKind::Portal => {
                assert_eq!((x, y % 2), (5, 0));
                let [Mechanism::Portal { to }] = cell.mechanisms[..] else { panic!("no portal") };
                assert_eq!(board.cell(to).unwrap().at, Point::new(1, y), "H13");
            }
            CellKind::Finish => assert_eq!(cell.at, Point::new(0, 0), "H16"),
            CellKind::Entrance => assert_eq!(id, board.entrance),
            CellKind::Chamber => panic!("none in one area"),
        }
    }
}

/// A room of the gallery can be entered from north and south, and no exit leads back from the first slot.
#[test]
fn h7_h12_first_slot_has_no_exit_back() {
    for board in boards(50, &mapped(&["empty, empty, enemy 10", "empty, empty, enemy 10", "empty, enemy 10"]))
    {
        for y in [0, 2, 4] {
            let mut hero = Hero::new(board.clone());
            hero.go(Direction::East).unwrap();
            while hero.place().y != y {
                hero.go(if y == 4 { Direction::North } else { Direction::South }).unwrap();
            }
            hero.go(Direction::East).unwrap();
            assert_eq!(hero.place(), Point::new(2, y));
            let hitch = hero.go(Direction::West).unwrap_err();
            assert_eq!(hitch.sentence(&board), "The way back is closed.");
            assert_eq!(hero.go(Direction::North), Err(ActionRefusal::NoWay));
            hero.go(Direction::East).unwrap();
            hero.go(Direction::West).unwrap();
            assert_eq!(hero.place(), Point::new(2, y), "within a section one walks as one likes");
            hero.go(Direction::East).unwrap();
            hero.go(Direction::East).unwrap();
            let events = hero.go(Direction::East).unwrap();
            assert!(events.iter().any(|event| matches!(event, Event::Ported { .. })), "H13");
            assert_eq!(hero.place(), Point::new(1, y), "H13");
        }
    }
}

/// Of 9,000 slots each kind has a third within two percent; enemies are uniform from 10 to 50.
#[test]
fn h14_slot_kinds_are_a_third_each() {
    let (mut counts, mut powers) = ([0_u32; 3], BTreeMap::new());
    for seed in 0..1_000 {
        for slot in raw_area(&config(), &mut Seed(seed).rng()).into_iter().flatten() {
            match slot {
                SlotContent::Enemy(power) => {
                    counts[0] += 1;
                    *powers.entry(power).or_insert(0_u32) += 1;
                }
                SlotContent::PowerUp(..) => counts[1] += 1,
                SlotContent::Empty => counts[2] += 1,
            }
        }
    }
    assert_eq!(counts.iter().sum::<u32>(), 9_000);
    assert!(counts.iter().all(|count| (2_820..=3_180).contains(count)), "33 % +- 2: {counts:?}");
    let ends = (powers.keys().next().copied(), powers.keys().next_back().copied());
    assert_eq!((ends, powers.len()), ((Some(10), Some(50)), 41));
    // 3,000 over 41 values are 73 each.
    assert!(powers.values().all(|count| (40..=115).contains(count)), "{powers:?}");
}

/// The four operations are equally likely, and so are the two factors of each.
#[test]
fn h15_power_ups_are_equally_likely() {
    let mut counts = BTreeMap::new();
    for seed in 0..4_000 {
        for slot in raw_area(&config(), &mut Seed(seed).rng()).into_iter().flatten() {
            if let SlotContent::PowerUp(op, factor) = slot {
                *counts.entry((op, factor)).or_insert(0_u32) += 1;
            }
        }
    }
    let wanted = [
        (Op::Multiply, 2),
        (Op::Multiply, 3),
        (Op::Divide, 2),
        (Op::Divide, 3),
        (Op::Plus, 50),
        (Op::Plus, 100),
        (Op::Minus, 50),
        (Op::Minus, 100),
    ];
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), wanted);
    let total: u32 = counts.values().sum();
    for (what, count) in counts {
        // An eighth is 125 of 1,000.
        assert!((115..=135).contains(&(count * 1_000 / total)), "{what:?}: {count} of {total}");
    }
}

/// Power-ups are read as words, never as signs.
#[test]
fn h15_power_ups_are_described_in_words() {
    let phrase = |op, factor| build::power_up(op, factor);
    assert_eq!(phrase(Op::Multiply, 2), "doubles your might");
    assert_eq!(phrase(Op::Divide, 3), "leaves you a third of your might");
    assert_eq!(phrase(Op::Plus, 100), "adds a hundred to your might");
    assert_eq!(phrase(Op::Minus, 50), "takes fifty from your might");
    for board in boards(20, &config()) {
        for mechanism in board.cells.iter().flat_map(|cell| &cell.mechanisms) {
            if let Mechanism::PowerUp { words, .. } = mechanism {
                assert!(!words.chars().any(|c| c.is_ascii_digit()), "{words}");
            }
        }
    }
}

#[test]
fn h5_seed_determines_the_board() {
    assert_eq!(HERO.generate(Seed(11), &config()), HERO.generate(Seed(11), &config()));
    assert_ne!(HERO.generate(Seed(11), &config()), HERO.generate(Seed(12), &config()));
    let entry = PuzzleEntry::new(Arc::clone(&*HERO) as Arc<dyn Puzzle>, config());
    assert_eq!(draw(&entry, Seed(4)), draw(&entry, Seed(4)));
}

/// Of 20,000 unchecked boards 79 % can be won, 23 % in any order, 56 % only in some, and 3 % have no enemy.
#[test]
fn h17_unchecked_areas_match_the_expected_rates() {
    let (mut any, mut some, mut peaceful) = (0_u32, 0_u32, 0_u32);
    for seed in 0..20_000 {
        let sections = raw_area(&config(), &mut Seed(seed).named("raw").rng());
        let verdict = AreaVerdict::of(&sections, 40);
        match (verdict.best.is_some(), verdict.losable) {
            (true, false) => any += 1,
            (true, true) => some += 1,
            (false, losable) => assert!(losable),
        }
        peaceful += u32::from(enemies(&sections) == 0);
    }
    let near = |count: u32, percent: u32| count.abs_diff(percent * 200) <= 3 * 200;
    assert!(
        near(any + some, 79) && near(any, 23) && near(some, 56) && near(peaceful, 3),
        "{any} {some} {peaceful}"
    );
}

/// 10,000 generated puzzles can be won, have at least 3 enemies, and can be lost if a choice is required. The engine
/// plays every solution to the finish.
#[test]
fn h17_ten_thousand_puzzles_are_solvable() {
    let free = PuzzleEntry::new(Arc::clone(&*HERO) as Arc<dyn Puzzle>, config());
    let mut choice = free.clone();
    choice.config.require_choice = true;
    let mut tries = 0;
    for seed in 0..10_000 {
        let entry = if seed % 2 == 0 { &free } else { &choice };
        let drawn = draw(entry, Seed(seed));
        assert_eq!(drawn.plain, None, "seed {seed}");
        let enemies = drawn.board.cells.iter().flat_map(|cell| &cell.mechanisms);
        let enemies = enemies.filter(|mechanism| matches!(mechanism, Mechanism::Enemy { .. })).count();
        assert!(enemies >= 3, "seed {seed}: {enemies} enemies");
        assert!(!entry.config.require_choice || HERO.solve(&drawn.board, &entry.config).losable);
        tries += drawn.tries;
    }
    assert!((10_000..40_000).contains(&tries), "{tries}");
}

#[test]
fn h17_solver_agrees_with_the_search() {
    let mut losable = 0;
    for board in boards(60, &config()) {
        let verdict = HERO.solve(&board, &config());
        let searched = search_losable(&board, 1, 100_000);
        assert!(!searched.gave_up);
        // The search can leave out a section that need not be entered.
        assert!(verdict.solution.is_none() || searched.solution.is_some());
        assert_eq!(verdict.losable, searched.losable);
        losable += u32::from(verdict.losable);
    }
    assert!((20..60).contains(&losable), "{losable}");
}

/// Only the order 2, 3, 1 wins, with the specified mights on the way.
#[test]
fn h20_only_one_order_of_the_example_wins() {
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let mut hero = Hero::new(example());
        let order = order.map(|section| section - 1);
        assert_eq!(hero.play_sections(&order), order == [1, 2, 0], "{order:?}");
    }
    let mut hero = Hero::new(example());
    let mut mights = Vec::new();
    let verdict = HERO.solve(&hero.board, &config());
    assert!(verdict.losable);
    for step in verdict.solution.unwrap() {
        let crate::puzzle::Act::Walk(direction) = step.act else { panic!("no deeds here") };
        assert_eq!(step.from, hero.at);
        for event in hero.go(direction).unwrap() {
            if let Event::Beaten { might, .. } | Event::Changed { might, .. } = event {
                mights.push(might);
            }
        }
    }
    assert_eq!(mights, [73, 115, 127, 164, 54, 68]);
    assert!(hero.state.finished);
}

/// Entering the finish ends the puzzle.
#[test]
fn h16_finish_opens_when_the_goal_is_met() {
    let mut hero = Hero::new(example());
    let finish = hero.board.at(Point::new(1, 0)).unwrap();
    assert!(matches!(
        passable(&hero.board, &hero.state, finish, Direction::West),
        Err(ActionRefusal::Shut(_))
    ));
    assert!(hero.play_sections(&[1, 2]));
    assert!(!hero.state.won && matches!(hero.go(Direction::West), Err(ActionRefusal::Shut(_))));
    for _ in 0..4 {
        hero.go(Direction::North).unwrap();
    }
    hero.go(Direction::East).unwrap();
    hero.go(Direction::East).unwrap();
    let events = hero.go(Direction::East).unwrap();
    assert!(events.contains(&Event::GoalMet) && hero.state.won && !hero.state.finished);
    hero.go(Direction::East).unwrap();
    for _ in 0..4 {
        hero.go(Direction::South).unwrap();
    }
    let events = hero.go(Direction::West).unwrap();
    assert_eq!((events, hero.state.finished, hero.place()), (vec![Event::Finished], true, Point::new(0, 0)));
}

/// Higher or equal might wins and gains the power; lower might loses. A loss moves all players to the entrance, resets
/// the puzzle and is counted.
#[test]
fn h18_higher_might_wins_and_a_loss_resets() {
    // This puzzle cannot be won.
    let board = HERO.generate(Seed(1), &mapped(&["enemy 40, enemy 80, enemy 161", "empty"]));
    let mut hero = Hero::new(board.clone());
    hero.go(Direction::East).unwrap();
    hero.go(Direction::North).unwrap();
    let beaten = |events: &[Event]| {
        events.iter().find_map(|event| match event {
            Event::Beaten { power, might, .. } => Some((*power, *might)),
            _ => None,
        })
    };
    assert_eq!(beaten(&hero.go(Direction::East).unwrap()), Some((40, 80)), "as strong is strong enough");
    assert_eq!(beaten(&hero.go(Direction::East).unwrap()), Some((80, 160)));
    let events = hero.go(Direction::East).unwrap();
    assert!(
        matches!(&events[..], [Event::Lost { why: Loss::Overpowered { power: 161, might: 160, .. } }]),
        "{events:?}"
    );
    let mut fresh = start(&board);
    fresh.losses = 1;
    fresh.people.insert(board.entrance, 1);
    assert_eq!((hero.at, hero.state), (board.entrance, fresh));
}

/// Division is in whole numbers, and a might of zero or less is a loss.
#[test]
fn h18_might_of_zero_is_a_loss() {
    for (line, end) in [
        ("divide by 3, empty", Some(13)),
        ("minus 39, multiply 2", Some(2)),
        ("minus 40, plus 100", None),
        ("minus 50, plus 100", None),
        ("divide by 41, plus 100", None),
    ] {
        let mut hero = Hero::new(HERO.generate(Seed(1), &mapped(&[line, "enemy 10"])));
        hero.go(Direction::East).unwrap();
        hero.go(Direction::North).unwrap();
        let events =
            [hero.go(Direction::East).unwrap(), hero.go(Direction::East).unwrap_or_default()].concat();
        let lost = events.iter().any(|event| matches!(event, Event::Lost { why: Loss::NoMight { .. } }));
        assert_eq!(lost, end.is_none(), "{line}");
        assert_eq!(hero.state.might, Some(end.unwrap_or(40)), "{line}");
    }
}

#[test]
fn h18_party_shares_its_might() {
    let board = HERO.generate(Seed(1), &mapped(&["enemy 40, enemy 81", "enemy 80, empty"]));
    let mut hero = Hero::new(board);
    enter(&hero.board, &mut hero.state, hero.board.entrance);
    let (board, state) = (&hero.board, &mut hero.state);
    let gallery = walk(board, state, board.entrance, Direction::East).unwrap().0;
    let north = walk(board, state, gallery, Direction::North).unwrap().0;
    walk(board, state, north, Direction::East).unwrap();
    let south = board.at(Point::new(1, 0)).unwrap();
    let other = walk(board, state, board.entrance, Direction::East).unwrap().0;
    assert_eq!(walk(board, state, other, Direction::South).unwrap().0, south);
    walk(board, state, south, Direction::East).unwrap();
    assert_eq!(state.might, Some(160), "the second uses what the first has won");
    let slot = board.at(Point::new(2, 2)).unwrap();
    walk(board, state, slot, Direction::East).unwrap();
    assert!(state.won);
}

/// Four and nine areas in sequence, each with the initial might, are all proved.
#[test]
fn h6_several_areas_are_chained() {
    for (rooms, count) in [(1, 17), (4, 4 * 17), (9, 9 * 17)] {
        let mut config = config().with("rooms", ParamValue::Number(rooms));
        config.require_choice = true;
        for seed in 0..20 {
            let drawn =
                draw(&PuzzleEntry::new(Arc::clone(&*HERO) as Arc<dyn Puzzle>, config.clone()), Seed(seed));
            assert_eq!(drawn.plain, None);
            let kinds = kinds(&drawn.board);
            let area = kinds[&CellKind::Gallery] + kinds[&CellKind::Slot] + kinds[&CellKind::Portal];
            assert_eq!((area, kinds[&CellKind::Finish], kinds[&CellKind::Entrance]), (count, 1, 1));
        }
    }
}

/// A ready-made map is used as it is; invalid maps are reported.
#[test]
fn h6_maps_are_read_from_text() {
    let board = example();
    let contents = |at| {
        let cell = board.cell(board.at(at).unwrap()).unwrap();
        cell.mechanisms.iter().map(|mechanism| match mechanism {
            Mechanism::Enemy { power, .. } => format!("enemy {power}"),
            Mechanism::PowerUp { op, factor, .. } => format!("{op:?} {factor}"),
            other => format!("{other:?}"),
        })
    };
    let row = |y| (2..=4).flat_map(|x| contents(Point::new(x, y)).collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!([row(4), row(2)], [vec!["Divide 3", "enemy 14"], vec!["enemy 33"]]);
    assert_eq!(row(0), ["enemy 42", "enemy 12", "enemy 37"]);
    assert_eq!(
        contents(Point::new(3, 2)).next().as_deref(),
        Some("enemy 33"),
        "empty slots keep their places"
    );
    for (lines, mistake) in [
        (&["enemy 3"][..], "has too few or too many sections or slots"),
        (&["enemy 3", "empty,,empty"], "has a slot `` that means nothing"),
        (&["enemy 3", "enemy minus"], "has a slot `enemy minus` that means nothing"),
        (&["enemy 3", "divide by 0"], "has a slot `divide by 0` that means nothing"),
        (&["empty", "empty"], "has no enemy"),
        (&["empty", "enemy 41"], "has no order of sections that wins"),
    ] {
        assert_eq!(HERO.check_config(&mapped(lines)), Err(SettingError::new(mistake)));
    }
}

/// Without might the fallback is used.
#[test]
fn h2_missing_might_ends_in_the_fallback() {
    let config = PuzzleConfig::of(&**HERO);
    assert_eq!(HERO.check_config(&config), Err(SettingError::new("`char_power` is missing")));
    let drawn = draw(&PuzzleEntry::new(Arc::clone(&*HERO) as Arc<dyn Puzzle>, config), Seed(1));
    let reason = drawn.plain.as_ref().map(ToString::to_string);
    assert_eq!(reason.as_deref(), Some("myhero does not accept its settings: `char_power` is missing"));
    assert_eq!((drawn.board.kind.as_str(), drawn.solution.len()), ("plain", 2));
    assert_eq!(HERO.check_config(&self::config()), Ok(()));
}

/// After a bounded number of attempts the fallback is used.
#[test]
fn h7_to_h17_impossible_might_ends_in_the_fallback() {
    let config = config()
        .with("enemy_least", ParamValue::Number(90_000))
        .with("enemy_most", ParamValue::Number(99_000));
    let drawn = draw(&PuzzleEntry::new(Arc::clone(&*HERO) as Arc<dyn Puzzle>, config), Seed(1));
    assert_eq!((drawn.board.kind.as_str(), drawn.tries), ("plain", 64));
}

fn read(text: &str) -> (Vec<Option<PuzzleEntry>>, Vec<String>) {
    let mut mistakes = Vec::new();
    let registry = Registry::builtin();
    let mut reader = Reader::parse("themes/well.toml", text, &mut mistakes).unwrap();
    let entries = reader.tables("puzzles", |reader| PuzzleEntry::read(reader, &registry));
    reader.finish();
    (entries, mistakes.iter().map(ToString::to_string).collect())
}

#[test]
fn h19_entry_of_the_source_loads() {
    let (entries, mistakes) = read(
        "[[puzzles]]\nkind = \"myhero\"\nchar_power = 40\ngoal = \"Complete MyHero puzzle\"\nparams = {}\n\
         sound = \"stoneage/08_the_golden_valley\"\n",
    );
    assert_eq!(mistakes, Vec::<String>::new());
    let entry = entries[0].as_ref().unwrap();
    assert_eq!((entry.puzzle.name(), entry.config.char_power), ("myhero", Some(40)));
    assert_eq!(entry.config.goal, "Complete MyHero puzzle");
    assert_eq!(entry.config.sound.as_deref(), Some("stoneage/08_the_golden_valley"));
    assert_eq!((entry.config.number("size_x"), entry.config.number("size_y")), (5, 5));
    assert_eq!(draw(entry, Seed(9)).board.task, "Complete MyHero puzzle", "H4");
}

/// All mistakes are reported together, each with its position and the nearest valid name.
#[test]
fn h19_mistakes_in_entries_have_positions() {
    let (_, mistakes) = read(
        "[[puzzles]]\nkind = \"myhreo\"\n[[puzzles]]\nkind = \"myhero\"\nweigth = 3\n[puzzles.params]\nsize_x = 99\n\
         size_w = 5\nrooms = 5\nmap = [\"enemy 3\", \"ogre\"]\n",
    );
    let mistakes = mistakes.join("\n");
    for part in [
        "themes/well.toml:2:8: unknown puzzle `myhreo`",
        "did you mean `myhero`?",
        "themes/well.toml:5:1: unknown key `weigth`",
        "themes/well.toml:7:10: `size_x` does not fit, expected a whole number from 3 to 15",
        "themes/well.toml:8:1: unknown key `size_w`",
        "themes/well.toml:9:9: `rooms` is not 1, 4 or 9",
        "themes/well.toml:10:7: `map` has a slot `ogre` that means nothing",
    ] {
        assert!(mistakes.contains(part), "{part}\n{mistakes}");
    }
}

/// Enemies and descriptions do not repeat in an ordinary puzzle.
#[test]
fn enemies_and_descriptions_do_not_repeat() {
    for board in boards(200, &config()) {
        let mut texts: Vec<&str> = board.cells.iter().map(|cell| cell.description.as_str()).collect();
        let mut names: Vec<&str> = Vec::new();
        for mechanism in board.cells.iter().flat_map(|cell| &cell.mechanisms) {
            if let Mechanism::Enemy { name, .. } = mechanism {
                assert!(!name.starts_with(['a', 'e', 'i', 'o', 'u']), "the frieze says `a {name}`");
                names.push(name);
            }
        }
        let counts = (texts.len(), names.len());
        texts.sort_unstable();
        texts.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((texts.len(), names.len()), counts);
    }
}

/// One-way passages are marked on the far side, so that players who try to return are told why.
#[test]
fn only_first_slots_and_portals_are_one_way() {
    let board = HERO.generate(Seed(2), &config());
    let closed = board.cells.iter().filter(|cell| cell.exits.values().any(|way| way.lock == Lock::Closed));
    let mut places: Vec<i32> = closed.map(|cell| cell.at.x).collect();
    places.sort_unstable();
    assert_eq!(places, [2, 2, 2, 5, 5, 5]);
}

//! Properties of all layouts, and the figures of the rules.

use super::plane::{Cells, Plane};
use super::*;
use crate::base::{Dice as _, Direction, Point, Seed};
use crate::data::CatalogError;
use std::collections::{BTreeMap, BTreeSet};

/// A floor under exploration.
struct Floor {
    layout: Arc<dyn Layout>,
    settings: GrowSettings,
    seed: Seed,
    frontier: Frontier,
    /// The exits of each room, explored or not.
    rooms: BTreeMap<Point, BTreeSet<Direction>>,
    stairs: BTreeSet<Point>,
}

impl Floor {
    fn new(layout: Arc<dyn Layout>, seed: u64, number: u32) -> Self {
        let (rooms, stairs) = (BTreeMap::new(), BTreeSet::new());
        let settings = GrowSettings::default();
        Self { layout, settings, seed: Seed(seed), frontier: Frontier::new(number), rooms, stairs }
    }

    fn arrive(&mut self, arrival: Arrival) -> Growth {
        let mut dice = self.seed.named("room").numbered(self.rooms.len() as u64).rng();
        let ground = GrownFloor { frontier: &mut self.frontier, settings: self.settings, seed: self.seed };
        let growth = self.layout.place(ground, arrival, &mut dice);
        let mut exits: BTreeSet<Direction> = growth.new_exits.iter().chain(&growth.met).copied().collect();
        assert_eq!(exits.len(), growth.new_exits.len() + growth.met.len(), "{growth:?}");
        if let Arrival::By(_, direction) = arrival {
            assert!(exits.insert(direction.opposite()), "two ways back: {growth:?}");
        }
        for met in &growth.met {
            let beyond = growth.at.step(*met);
            assert!(self.rooms[&beyond].contains(&met.opposite()), "no way back from {beyond}: {growth:?}");
        }
        assert!(self.rooms.insert(growth.at, exits).is_none());
        if growth.stairs == Some(true) {
            self.stairs.insert(growth.at);
        }
        growth
    }

    /// Opens this many more rooms, each through a random unexplored exit that is allowed.
    fn walk(&mut self, rooms: usize, walker: u64, allowed: impl Fn(Point) -> bool) {
        let mut dice = Seed(walker).named("walker").rng();
        for _ in 0..rooms {
            let open = self.frontier.open_exits().filter(|(from, side)| allowed(from.step(*side)));
            let Some((from, side)) = dice.pick(&open.collect::<Vec<_>>()).copied() else { break };
            self.arrive(Arrival::By(from, side));
        }
    }

    fn begun(layout: &Arc<dyn Layout>, seed: u64, number: u32) -> Self {
        let mut floor = Self::new(Arc::clone(layout), seed, number);
        let first = if number == 1 {
            let way = Direction::PLANE[usize::try_from(seed % 4).unwrap()];
            Arrival::By(Point::ORIGIN, way)
        } else {
            Arrival::Landing
        };
        floor.arrive(first);
        floor
    }
}

fn lattice() -> Arc<dyn Layout> {
    Arc::new(Lattice::default())
}

fn cave() -> Arc<dyn Layout> {
    Arc::new(Cellular::default())
}

fn square(half: i32) -> impl Iterator<Item = Point> {
    (-half..half).flat_map(move |y| (-half..half).map(move |x| Point::new(x, y)))
}

/// Returns the cells of the 40 by 40 square reachable from one cell, not passing `without`.
fn region(cells: &impl Cells, from: Point, without: Option<Point>) -> BTreeSet<Point> {
    let mut reached = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(cell) = next.pop() {
        for side in Direction::PLANE {
            let beyond = cell.step(side);
            let inside = (-20..20).contains(&beyond.x) && (-20..20).contains(&beyond.y);
            let open =
                inside && Some(beyond) != without && cells.is_open(beyond) && cells.is_joined(cell, side);
            if open && reached.insert(beyond) {
                next.push(beyond);
            }
        }
    }
    reached
}

/// Explores the whole 40 by 40 square around the arrival.
fn explored(layout: &Arc<dyn Layout>, seed: u64, number: u32) -> Floor {
    let mut floor = Floor::begun(layout, seed, number);
    floor.walk(usize::MAX, seed, |cell| (-20..20).contains(&cell.x) && (-20..20).contains(&cell.y));
    floor
}

/// R13, R15: in 300 seeds of 40 by 40 cells, 68 % +- 5 are open; 5, 27, 45 and 22 % of those have 1, 2, 3 and 4 exits.
#[test]
fn lattice_exit_shares_match_rule() {
    let (mut open, mut exits) = (0, [0_u32; 5]);
    for seed in 0..100 {
        let maze = Lattice::default().cells(Some(Seed(seed)));
        for cell in square(20).filter(|cell| maze.is_open(*cell)) {
            open += 1;
            exits[maze.beside(cell).into_iter().filter(|beside| *beside).count()] += 1;
        }
    }
    let percent = open * 100 / (100 * 1_600);
    assert!((63..=73).contains(&percent), "{percent} % are open");
    let shares = exits.map(|count| count * 1_000 / open);
    for (share, expected) in shares.into_iter().zip([0, 50, 270, 450, 220]).skip(1) {
        assert!(share.abs_diff(expected) <= 40, "{shares:?} of 1,000");
    }
    assert!(shares[0] < 5, "{shares:?} of 1,000");
}

/// R13: at least 900 cells of the 40 by 40 around the start are reachable, whichever exit is taken. On the first floor
/// the start's position is excluded and its four exits lead into one region.
#[test]
fn region_around_arrival_is_large() {
    let mut redrawn = 0;
    for seed in 0..100 {
        let (number, layout) = (1 + u32::try_from(seed % 2).unwrap(), Lattice::default());
        let floor = Floor::begun(&lattice(), seed, number);
        let survey = floor.frontier.survey.unwrap();
        let maze = layout.cells(survey.seed);
        assert!(survey.seed.is_some(), "the plain maze stands in for seed {seed}");
        let from = *floor.rooms.keys().next().unwrap();
        let reached = region(&maze, from, (number == 1).then_some(Point::ORIGIN));
        assert!(reached.len() >= 900, "seed {seed}: {}", reached.len());
        let arrivals = Direction::PLANE.map(|side| Point::ORIGIN.step(side));
        assert!(number > 1 || arrivals.iter().all(|cell| reached.contains(cell)), "seed {seed}");
        redrawn += u32::from(survey.seed != Some(survey.key.numbered(0)));
    }
    assert!(redrawn > 3, "no draw was ever bad: the test proves nothing");
}

/// R23: the same for caves, by exploring: the rooms match the survey.
#[test]
fn caves_and_mazes_match_survey_when_explored() {
    for (layout, least) in [(lattice(), 900), (cave(), 800)] {
        for seed in 0..10 {
            let floor = explored(&layout, seed, 1 + u32::try_from(seed % 2).unwrap());
            assert!(floor.rooms.len() >= least, "{} seed {seed}: {}", layout.name(), floor.rooms.len());
        }
    }
}

/// R13, C3: the same seed gives the same cells and stairs in any order of exploration; another seed gives others.
#[test]
fn exploration_order_does_not_change_cells() {
    for layout in [lattice(), cave()] {
        for (seed, number) in (0..6).flat_map(|seed| [(seed, 1), (seed, 2)]) {
            let inside = |cell: Point| cell.x.abs() <= 8 && cell.y.abs() <= 8;
            let walked = |walker, seed| {
                let mut floor = Floor::begun(&layout, seed, number);
                floor.walk(usize::MAX, walker, inside);
                (floor.rooms, floor.stairs)
            };
            assert_eq!(walked(1, seed), walked(2, seed), "{} seed {seed}", layout.name());
            assert_ne!(walked(1, seed).0, walked(1, seed + 100).0, "{}", layout.name());
        }
    }
}

/// C3: a floor restored from storage grows as if it had never been stored.
#[test]
fn rebuilt_frontier_grows_identically() {
    for layout in [lattice(), cave(), Arc::new(Budgeted::frontier()), Arc::new(Budgeted::corridor())] {
        for (seed, number) in (0..10).flat_map(|seed| [(seed, 1), (seed, 2)]) {
            let mut live = Floor::begun(&layout, seed, number);
            live.walk(60, seed, |_| true);
            let mut stored = Floor::new(Arc::clone(&layout), seed, number);
            let open = live.frontier.open_exits();
            stored.rooms = live.rooms.clone();
            stored.frontier =
                Frontier::rebuild(number, live.rooms.keys().copied(), open, live.frontier.has_stairs());
            for floor in [&mut live, &mut stored] {
                floor.walk(60, seed + 1, |_| true);
            }
            assert_eq!(live.rooms, stored.rooms, "{} seed {seed}", layout.name());
            assert_eq!(live.frontier.has_stairs(), stored.frontier.has_stairs());
        }
    }
}

/// Every passage of a lattice or a cave is two-way (no E18) and joins neighbours; on the first floor only the first
/// room leads to the start.
#[test]
fn all_passages_are_two_way() {
    for layout in [lattice(), cave()] {
        for (seed, number) in (0..10).flat_map(|seed| [(seed, 1), (seed, 2)]) {
            let mut floor = Floor::begun(&layout, seed, number);
            let first = *floor.rooms.keys().next().unwrap();
            floor.walk(400, seed, |_| true);
            let open: BTreeSet<_> = floor.frontier.open_exits().collect();
            for (at, exits) in &floor.rooms {
                for exit in exits {
                    let beyond = at.step(*exit);
                    let back = floor.rooms.get(&beyond).is_some_and(|exits| exits.contains(&exit.opposite()));
                    let start = number == 1 && beyond == Point::ORIGIN;
                    assert!(!start || *at == first, "{at} leads to the start");
                    assert!(back ^ open.contains(&(*at, *exit)) ^ start, "{exit} of {at}");
                }
            }
        }
    }
}

/// R14: stairs in 10 % +- 1 of 5,000 cells.
#[test]
fn stairs_are_in_a_tenth_of_cells() {
    for layout in [lattice(), cave()] {
        let (mut rooms, mut stairs) = (0, 0);
        for seed in 0..10 {
            let mut floor = Floor::begun(&layout, seed, 2);
            floor.walk(500, seed, |_| true);
            rooms += floor.rooms.len();
            stairs += floor.stairs.len();
            assert!(floor.frontier.has_stairs() && !floor.stairs.contains(&Point::ORIGIN));
        }
        assert!(rooms > 5_000 && (rooms * 9..=rooms * 11).contains(&(stairs * 100)), "{stairs} of {rooms}");
    }
}

/// R14: stairs within 12 steps of the landing even if none are rolled, but not at the landing.
#[test]
fn stairs_are_near_landing() {
    let none = |part: &str| read(&format!("part = \"{part}\"\nstairs_percent = 0\n")).0.unwrap();
    for layout in [lattice(), none("lattice"), cave(), none("cellular")] {
        for (seed, number) in (0..10).flat_map(|seed| [(seed, 1), (seed, 2), (seed, 3)]) {
            let floor = explored(&layout, seed, number);
            let arrival = match number {
                1 => Point::ORIGIN.step(Direction::PLANE[usize::try_from(seed % 4).unwrap()]),
                _ => Point::ORIGIN,
            };
            let steps = |from: Point| {
                let mut reached = BTreeMap::from([(from, 0)]);
                let mut next = std::collections::VecDeque::from([from]);
                while let Some(at) = next.pop_front() {
                    for beyond in floor.rooms[&at].iter().map(|exit| at.step(*exit)) {
                        if floor.rooms.contains_key(&beyond) && !reached.contains_key(&beyond) {
                            reached.insert(beyond, reached[&at] + 1);
                            next.push_back(beyond);
                        }
                    }
                }
                reached
            };
            let reached = steps(arrival);
            let nearest = floor.stairs.iter().filter_map(|at| reached.get(at)).min();
            assert!(nearest.is_some_and(|steps| (1..=12).contains(steps)), "seed {seed}: {nearest:?}");
        }
    }
}

/// E4: settings and layouts make measurably different dungeons, by the share of dead ends among a thousand rooms.
#[test]
fn settings_and_layouts_change_the_share_of_dead_ends() {
    let dead_ends = |layout: &Arc<dyn Layout>, open, new| {
        let (mut dead, mut rooms) = (0, 0);
        for seed in 0..20 {
            let mut floor = Floor::new(Arc::clone(layout), seed, 1);
            floor.settings = GrowSettings {
                max_unexplored_exits: open,
                max_new_exits_per_room: new,
                finishable: false,
                diagonals: false,
            };
            floor.arrive(Arrival::By(Point::ORIGIN, Direction::East));
            floor.walk(200, seed, |_| true);
            let kinds = floor.rooms.values().map(|exits| Crossing::of(exits.iter().copied()));
            dead += kinds.filter(|kind| *kind == Crossing::DeadEnd).count();
            rooms += floor.rooms.len();
        }
        dead * 1_000 / rooms
    };
    let frontier: Arc<dyn Layout> = Arc::new(Budgeted::frontier());
    let corridor: Arc<dyn Layout> = Arc::new(Budgeted::corridor());
    let shares = [
        dead_ends(&frontier, 1, 1),
        dead_ends(&lattice(), 2, 2),
        dead_ends(&frontier, 2, 2),
        dead_ends(&frontier, 12, 3),
    ];
    assert!(shares.windows(2).all(|pair| pair[0] + 20 < pair[1]), "{shares:?} of 1,000");
    assert!(dead_ends(&corridor, 12, 3) + 50 < dead_ends(&frontier, 12, 3));
}

/// Reads a table of content; returns the layout and the errors.
fn read(text: &str) -> (Option<Arc<dyn Layout>>, Vec<String>) {
    let mut mistakes: Vec<CatalogError> = Vec::new();
    let layout = Reader::parse("levels/maze.toml", text, &mut mistakes).and_then(|mut reader| {
        let read = reader.choice("part", LAYOUTS);
        let layout = read.map(|read| read(&mut reader));
        reader.finish();
        layout
    });
    (layout, mistakes.iter().map(ToString::to_string).collect())
}

/// R11, C6: the values are content; missing keys have the rule's value, and errors carry their positions.
#[test]
fn layouts_are_read_from_content() {
    let names = LAYOUTS.iter().map(|(name, _)| read(&format!("part = \"{name}\"\n")).0.unwrap().name());
    assert_eq!(names.collect::<Vec<_>>(), ["frontier", "corridor", "lattice", "cellular"]);
    let written =
        "part = \"lattice\"\nscale = 500\nthreshold = -250\nstairs_percent = 10\nleast_region = 900\n";
    let shape = |text: &str| format!("{:?}", read(text).0.unwrap());
    assert_eq!(shape(written), format!("{:?}", Lattice::default()));
    assert_eq!(shape("part = \"cellular\"\n"), format!("{:?}", Cellular::default()));
    assert_ne!(shape("part = \"lattice\"\nscale = 300\n"), format!("{:?}", Lattice::default()));
    let text = "part = \"lattice\"\nscale = 0\ntreshold = -100\nrounds = 2\nstairs_within = 41\n";
    let keys = "part, scale, threshold, window, least_region, stairs_percent, stairs_within";
    assert_eq!(
        read(text).1,
        [
            "levels/maze.toml:2:9: `scale` does not fit, expected a whole number from 1 to 4000".to_owned(),
            "levels/maze.toml:5:17: `stairs_within` does not fit, expected a whole number from 1 to 40"
                .to_owned(),
            format!("levels/maze.toml:4:1: unknown key `rounds`, expected one of {keys}"),
            format!(
                "levels/maze.toml:3:1: unknown key `treshold`, expected one of {keys}, did you mean `threshold`?"
            ),
        ]
    );
    let dense = ["lattice\"\nthreshold = 400", "cellular\"\nrock_percent = 55"];
    let mistakes = dense.map(|part| read(&format!("part = \"{part}\n")).1.join("; "));
    let less = "`least_region` is more than such a";
    assert!(mistakes[0].starts_with(&format!("levels/maze.toml:1:1: {less} maze has")), "{}", mistakes[0]);
    assert!(mistakes[1].starts_with(&format!("levels/maze.toml:1:1: {less} cave has")), "{}", mistakes[1]);
}

/// E59: in a plane of cells mechanisms can be bypassed; all other rooms stay connected without them.
#[test]
fn e59_mechanisms_of_a_plane_can_be_bypassed() {
    for layout in [lattice(), cave()] {
        let mut mechanisms = 0;
        for seed in 0..6 {
            let mut floor = Floor::begun(&layout, seed, 2);
            floor.walk(300, seed, |_| true);
            let rooms: Vec<Point> = floor.rooms.keys().copied().filter(|at| *at != Point::ORIGIN).collect();
            let mut barred = BTreeSet::new();
            for room in rooms {
                let (frontier, settings) = (&mut floor.frontier, floor.settings);
                if layout.may_bar(GrownFloor { frontier, settings, seed: Seed(seed) }, room) {
                    floor.frontier.note_mechanism(room);
                    barred.insert(room);
                }
            }
            mechanisms += barred.len();
            let (mut reached, mut next) = (BTreeSet::new(), vec![Point::ORIGIN]);
            let mut free = 0;
            while let Some(at) = next.pop() {
                if !barred.contains(&at) && reached.insert(at) {
                    let Some(exits) = floor.rooms.get(&at) else {
                        free += 1;
                        continue;
                    };
                    next.extend(exits.iter().map(|exit| at.step(*exit)));
                }
            }
            assert!(free > 0, "{} seed {seed}", layout.name());
        }
        assert!(mechanisms > 200, "{}: {mechanisms}", layout.name());
    }
}

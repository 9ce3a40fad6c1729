//! Proofs about grown branches: what must hold at each step and at the end, checked against a model of its own
//! that knows only places and exits (E13-E21, E58, T1).

use crate::base::{Direction, Point, Seed};
use crate::dungeon::branch::{STAIRS_PATIENCE, Walk};
use crate::dungeon::generator::{Placed, place_landing, place_room};
use crate::dungeon::{BranchSpec, Frontier, GrowSettings, Growth};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A rule that a branch broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The seed that shows it.
    pub seed: Seed,
    /// How many rooms the branch had before.
    pub step: u32,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, room {}: {}", self.seed, self.step, self.what)
    }
}

/// What the verifier knows of a floor.
struct Model {
    floor: u32,
    /// Rooms in the order they were made, each with the exit that made it; none for a landing.
    rooms: Vec<(Point, Option<(Point, Direction)>)>,
    taken: FxHashSet<Point>,
    /// Where each exit leads; none as long as it is unexplored.
    exits: FxHashMap<(Point, Direction), Option<Point>>,
    open: u32,
    /// Whether a room was deep enough for stairs, and how many rooms have them.
    deep: bool,
    stairs: u32,
    wrong: Vec<(u32, String)>,
}

/// Grows a branch by a seeded walk over its open exits, so many rooms on each of so many floors, and returns
/// everything that is wrong with it. From `stairs_depth` on a floor has stairs.
pub fn verify(spec: &BranchSpec, rooms: u32, floors: u32, stairs_depth: u32) -> Vec<Violation> {
    let settings = spec.grow_settings();
    let mut walk = Walk::new(spec.seed);
    let mut wrong = Vec::new();
    let mut step = 0;
    for floor in 1..=floors {
        let mut frontier = Frontier::new(floor);
        let mut model = Model::new(floor);
        if floor > 1 {
            let landing = place_landing(spec, &mut frontier, step, stairs_depth);
            model.add_landing(step, &landing, stairs_depth);
            model.check_budget(step, settings, &frontier);
            step += 1;
        }
        let most = if floor < floors { rooms.saturating_add(STAIRS_PATIENCE) } else { rooms };
        let mut made = u32::from(floor > 1);
        while made < rooms || made < most && model.stairs == 0 {
            let Some((from, direction)) = walk.next(&frontier, made) else { break };
            let placed = place_room(spec, &mut frontier, (from, direction), step, stairs_depth);
            model.add(step, from, direction, &placed.growth);
            model.add_stairs(step, &placed, stairs_depth);
            model.check_budget(step, settings, &frontier);
            made += 1;
            step += 1;
        }
        model.check_links(step);
        model.check_reach(step);
        model.check_stairs(step);
        let goes_on = model.stairs > 0;
        wrong.append(&mut model.wrong);
        if !goes_on {
            break;
        }
    }
    let violation = |(step, what)| Violation { seed: spec.seed, step, what };
    wrong.into_iter().map(violation).collect()
}

impl Model {
    fn new(floor: u32) -> Self {
        Self {
            floor,
            rooms: Vec::new(),
            taken: FxHashSet::default(),
            exits: FxHashMap::default(),
            open: 0,
            deep: false,
            stairs: 0,
            wrong: Vec::new(),
        }
    }

    fn wrong(&mut self, step: u32, what: String) {
        let what = if self.floor > 1 { format!("floor {}: {what}", self.floor) } else { what };
        self.wrong.push((step, what));
    }

    /// Whether a place belongs to the start: (0,0) of the first floor (E10).
    fn is_start(&self, place: Point) -> bool {
        self.floor == 1 && place == Point::ORIGIN
    }

    /// The first room of a deeper floor: at (0,0), with a way on (T3).
    fn add_landing(&mut self, step: u32, landing: &Placed, stairs_depth: u32) {
        let growth = &landing.growth;
        if growth.at != Point::ORIGIN || growth.depth != 0 || growth.new_exits.is_empty() {
            self.wrong(
                step,
                format!("the landing is at {} with {} exits", growth.at, growth.new_exits.len()),
            );
        }
        self.taken.insert(growth.at);
        for exit in &growth.new_exits {
            self.exits.insert((growth.at, *exit), None);
            self.open += 1;
        }
        self.rooms.push((growth.at, None));
        self.add_stairs(step, landing, stairs_depth);
    }

    /// The first room that is deep enough has the stairs, and no other (T1).
    fn add_stairs(&mut self, step: u32, placed: &Placed, stairs_depth: u32) {
        let first = placed.growth.depth >= stairs_depth && !self.deep;
        self.deep |= first;
        self.stairs += u32::from(placed.stairs);
        if placed.stairs != first {
            let (at, depth) = (placed.growth.at, placed.growth.depth);
            self.wrong(step, format!("{at} at depth {depth} has stairs: {} (T1)", placed.stairs));
        }
    }

    /// Exactly one room has stairs once one was deep enough (T1).
    fn check_stairs(&mut self, step: u32) {
        if self.stairs != u32::from(self.deep) {
            self.wrong(step, format!("{} stairs down (T1)", self.stairs));
        }
    }

    fn add(&mut self, step: u32, from: Point, direction: Direction, growth: &Growth) {
        let at = growth.at;
        if at != from.step(direction) || growth.depth != at.depth() {
            self.wrong(step, format!("{direction} of {from} gave {at} at depth {}", growth.depth));
        }
        if self.is_start(at) || !self.taken.insert(at) {
            self.wrong(step, format!("{at} is taken already (E6, E10)"));
        }
        self.resolve(step, from, direction, at);
        for (from, direction) in &growth.joined {
            if from.step(*direction) != at {
                self.wrong(step, format!("{direction} of {from} was joined to {at} (E18)"));
            }
            self.resolve(step, *from, *direction, at);
        }
        self.exits.insert((at, direction.opposite()), Some(from));
        for exit in &growth.new_exits {
            let beyond = at.step(*exit);
            if self.is_start(beyond) || self.taken.contains(&beyond) {
                self.wrong(step, format!("new exit {exit} of {at} leads to a taken place (E17, E20)"));
            }
            if self.exits.insert((at, *exit), None).is_some() {
                self.wrong(step, format!("{at} has two exits {exit}"));
            }
            self.open += 1;
        }
        self.rooms.push((at, Some((from, direction))));
    }

    fn resolve(&mut self, step: u32, from: Point, direction: Direction, at: Point) {
        if self.is_start(from) && step == 0 {
            return;
        }
        match self.exits.insert((from, direction), Some(at)) {
            Some(None) => self.open -= 1,
            _ => self.wrong(step, format!("{direction} of {from} was not unexplored (E36)")),
        }
    }

    fn check_budget(&mut self, step: u32, settings: GrowSettings, frontier: &Frontier) {
        if self.open != frontier.open_count() {
            let counted = frontier.open_count();
            self.wrong(step, format!("{} exits are open, the frontier counts {counted}", self.open));
        }
        if self.open == 0 && !settings.finishable {
            self.wrong(step, "no exit is open (E14)".to_owned());
        }
        if self.open > settings.max_unexplored_exits {
            self.wrong(step, format!("{} exits are open at once (E15)", self.open));
        }
    }

    /// Every exit has its reverse, or its target was made through another exit (E18); an exit that still is
    /// unexplored points at a free place; only the first room leads to the start (E20).
    fn check_links(&mut self, step: u32) {
        let rooms = self.rooms.clone();
        let makers: FxHashMap<Point, Option<(Point, Direction)>> = rooms.iter().copied().collect();
        for (index, (at, made_by)) in rooms.iter().enumerate() {
            for direction in Direction::PLANE {
                let beyond = at.step(direction);
                let fault = match self.exits.get(&(*at, direction)) {
                    Some(None) if self.taken.contains(&beyond) => "unexplored, but there is a room behind it",
                    None | Some(None) => continue,
                    Some(Some(to)) if *to != beyond => "leads to a place that is no neighbour",
                    Some(Some(to)) if self.is_start(*to) => {
                        if index == 0 && *made_by == Some((Point::ORIGIN, direction.opposite())) {
                            continue;
                        }
                        "leads to the start (E20)"
                    }
                    Some(Some(to)) => {
                        let paired = self.exits.contains_key(&(*to, direction.opposite()));
                        if paired || makers.get(to).is_some_and(|maker| *maker != Some((*at, direction))) {
                            continue;
                        }
                        "made its room but has no way back (E13)"
                    }
                };
                self.wrong(step, format!("{direction} of {at} {fault}"));
            }
        }
    }

    /// Every room can be reached from the first one.
    fn check_reach(&mut self, step: u32) {
        let mut reached = FxHashSet::default();
        let mut next: Vec<Point> = self.rooms.first().map(|(at, _)| *at).into_iter().collect();
        while let Some(at) = next.pop() {
            if !self.is_start(at) && reached.insert(at) {
                let beyond = Direction::PLANE.map(|d| self.exits.get(&(at, d)).copied().flatten());
                next.extend(beyond.into_iter().flatten());
            }
        }
        if reached.len() != self.taken.len() {
            let lost = self.taken.len() - reached.len();
            self.wrong(step, format!("{lost} rooms cannot be reached from the first one"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(seed: u64, settings: GrowSettings) -> BranchSpec {
        BranchSpec {
            seed: Seed(seed),
            theme: "well".to_owned(),
            generator: "frontier".to_owned(),
            settings,
            difficulty_per_floor: 5,
        }
    }

    /// E13-E21, E58 over seeds, for budgets from a thread to a sprawl.
    #[test]
    fn nothing_is_wrong_with_branches_of_many_seeds() {
        for (max_unexplored_exits, max_new_exits_per_room) in [(1, 1), (2, 2), (4, 3), (30, 3)] {
            let settings = GrowSettings { max_unexplored_exits, max_new_exits_per_room, finishable: false };
            for (seed, generator) in (0..30).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
                let spec = BranchSpec { generator: generator.to_owned(), ..spec(seed, settings) };
                let wrong = verify(&spec, 200, 1, 5);
                assert!(wrong.is_empty(), "{}", wrong[0]);
            }
        }
    }

    /// E19: without the guard branches do close, and that is the only rule they then bend.
    #[test]
    fn finishable_branches_close() {
        let settings = GrowSettings { finishable: true, ..GrowSettings::default() };
        for seed in 0..20 {
            let wrong = verify(&spec(seed, settings), 200, 1, 5);
            assert!(wrong.is_empty(), "{}", wrong[0]);
        }
    }

    /// T1, T3, E58: on every floor one stairs, a landing at (0,0) with a way on, and the budgets of its own.
    #[test]
    fn nothing_is_wrong_with_deep_branches() {
        for (seed, generator) in (0..20).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
            let spec = BranchSpec { generator: generator.to_owned(), ..spec(seed, GrowSettings::default()) };
            let wrong = verify(&spec, 30, 12, 5);
            assert!(wrong.is_empty(), "{}", wrong[0]);
        }
    }

    /// The verifier itself: a model with a flaw is reported.
    #[test]
    fn flaws_are_found() {
        let growth = |at: Point, new_exits: Vec<Direction>| Growth {
            at,
            depth: at.depth(),
            new_exits,
            ..Growth::default()
        };
        let mut model = Model::new(1);
        model.add(0, Point::ORIGIN, Direction::East, &growth(Point::new(1, 0), vec![Direction::West]));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E20")), "{:?}", model.wrong);
        let mut model = Model::new(1);
        model.add(0, Point::ORIGIN, Direction::East, &growth(Point::new(1, 0), vec![Direction::East]));
        model.add(1, Point::new(1, 0), Direction::North, &growth(Point::new(1, 1), Vec::new()));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E36")), "{:?}", model.wrong);
        for (stairs, depths) in [(false, [4, 5]), (true, [5, 6])] {
            let mut model = Model::new(1);
            for (step, x) in (0..).zip(depths) {
                let growth = growth(Point::new(x, 0), Vec::new());
                model.add_stairs(step, &Placed { growth, stairs }, 5);
            }
            assert!(model.wrong.iter().any(|(_, what)| what.contains("T1")), "{:?}", model.wrong);
        }
    }
}

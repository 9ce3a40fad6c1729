//! Proofs about grown branches: what must hold at each step and at the end, checked against a model of its own
//! that knows only places and exits (E13-E21, E58).

use crate::base::{Direction, Point, Seed};
use crate::dungeon::branch::Walk;
use crate::dungeon::generator::place_room;
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

/// What the verifier knows of a branch.
#[derive(Default)]
struct Model {
    /// Rooms in the order they were made, each with the exit that made it.
    rooms: Vec<(Point, (Point, Direction))>,
    taken: FxHashSet<Point>,
    /// Where each exit leads; none as long as it is unexplored.
    exits: FxHashMap<(Point, Direction), Option<Point>>,
    open: u32,
    wrong: Vec<(u32, String)>,
}

/// Grows a branch by a seeded walk over its open exits and returns everything that is wrong with it.
pub fn verify(spec: &BranchSpec, rooms: u32) -> Vec<Violation> {
    let settings = spec.grow_settings();
    let mut frontier = Frontier::new(1);
    let mut walk = Walk::new(spec.seed);
    let mut model = Model::default();
    for step in 0..rooms {
        let Some((from, direction)) = walk.next(&frontier, step) else { break };
        let growth = place_room(spec, &mut frontier, from, direction, step);
        model.add(step, from, direction, &growth);
        model.check_budget(step, settings, &frontier);
    }
    model.check_links(rooms);
    model.check_reach(rooms);
    let violation = |(step, what)| Violation { seed: spec.seed, step, what };
    model.wrong.into_iter().map(violation).collect()
}

impl Model {
    fn wrong(&mut self, step: u32, what: String) {
        self.wrong.push((step, what));
    }

    fn add(&mut self, step: u32, from: Point, direction: Direction, growth: &Growth) {
        let at = growth.at;
        if at != from.step(direction) || growth.depth != at.depth() {
            self.wrong(step, format!("{direction} of {from} gave {at} at depth {}", growth.depth));
        }
        if at == Point::ORIGIN || !self.taken.insert(at) {
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
            if beyond == Point::ORIGIN || self.taken.contains(&beyond) {
                self.wrong(step, format!("new exit {exit} of {at} leads to a taken place (E17, E20)"));
            }
            if self.exits.insert((at, *exit), None).is_some() {
                self.wrong(step, format!("{at} has two exits {exit}"));
            }
            self.open += 1;
        }
        self.rooms.push((at, (from, direction)));
    }

    fn resolve(&mut self, step: u32, from: Point, direction: Direction, at: Point) {
        if from == Point::ORIGIN && step == 0 {
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
        let makers: FxHashMap<Point, (Point, Direction)> = rooms.iter().copied().collect();
        for (index, (at, made_by)) in rooms.iter().enumerate() {
            for direction in Direction::PLANE {
                let beyond = at.step(direction);
                let fault = match self.exits.get(&(*at, direction)) {
                    Some(None) if self.taken.contains(&beyond) => "unexplored, but there is a room behind it",
                    None | Some(None) => continue,
                    Some(Some(to)) if *to != beyond => "leads to a place that is no neighbour",
                    Some(Some(Point::ORIGIN)) => {
                        if index == 0 && *made_by == (Point::ORIGIN, direction.opposite()) {
                            continue;
                        }
                        "leads to the start (E20)"
                    }
                    Some(Some(to)) => {
                        let paired = self.exits.contains_key(&(*to, direction.opposite()));
                        if paired || makers.get(to).is_some_and(|maker| *maker != (*at, direction)) {
                            continue;
                        }
                        "made its room but has no way back (E13)"
                    }
                };
                self.wrong(step, format!("{direction} of {at} {fault}"));
            }
        }
    }

    /// Every room can be reached from the start.
    fn check_reach(&mut self, step: u32) {
        let mut reached = FxHashSet::default();
        let mut next: Vec<Point> = self.rooms.first().map(|(at, _)| *at).into_iter().collect();
        while let Some(at) = next.pop() {
            if at != Point::ORIGIN && reached.insert(at) {
                let beyond = Direction::PLANE.map(|d| self.exits.get(&(at, d)).copied().flatten());
                next.extend(beyond.into_iter().flatten());
            }
        }
        if reached.len() != self.taken.len() {
            let lost = self.taken.len() - reached.len();
            self.wrong(step, format!("{lost} rooms cannot be reached from the start"));
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
                let wrong = verify(&spec, 200);
                assert!(wrong.is_empty(), "{}", wrong[0]);
            }
        }
    }

    /// E19: without the guard branches do close, and that is the only rule they then bend.
    #[test]
    fn finishable_branches_close() {
        let settings = GrowSettings { finishable: true, ..GrowSettings::default() };
        for seed in 0..20 {
            let wrong = verify(&spec(seed, settings), 200);
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
            joined: Vec::new(),
        };
        let mut model = Model::default();
        model.add(0, Point::ORIGIN, Direction::East, &growth(Point::new(1, 0), vec![Direction::West]));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E20")), "{:?}", model.wrong);
        let mut model = Model::default();
        model.add(0, Point::ORIGIN, Direction::East, &growth(Point::new(1, 0), vec![Direction::East]));
        model.add(1, Point::new(1, 0), Direction::North, &growth(Point::new(1, 1), Vec::new()));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E36")), "{:?}", model.wrong);
    }
}

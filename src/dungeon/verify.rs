//! Proofs about grown branches: what must hold at each step and at the end, checked against a model of its own
//! that knows only places and exits (E13-E21, E58, T1).

use crate::base::{Direction, Point, Seed};
use crate::catalog::Catalog;
use crate::dungeon::branch::{STAIRS_PATIENCE, Walk};
use crate::dungeon::generator::place;
use crate::dungeon::{BranchSpec, Frontier, GrowSettings, Growth, OnFloor, Way, plan_floor};
use crate::level::{FloorPlan, Portal};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
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
    /// Whether the budgets of E14 and E15 bind it.
    budgeted: bool,
    /// How many rooms have stairs down.
    stairs: u32,
    wrong: Vec<(u32, String)>,
}

/// Grows a branch by a seeded walk over its open exits, so many rooms on each of so many floors, and returns
/// everything that is wrong with it.
pub fn verify(spec: &BranchSpec, catalog: &Catalog, rooms: u32, floors: u32) -> Vec<Violation> {
    let mut walk = Walk::new(spec.seed);
    let mut wrong = Vec::new();
    let (mut used, mut step) = (BTreeSet::new(), 0);
    let Some(mut kind) = catalog.level(&spec.level) else { return wrong };
    for number in 1..=floors {
        let entry = (number == 1).then(|| walk.enter());
        let on = OnFloor { number, level: number, kind, plan: None, used: &used };
        let plan = match plan_floor(spec, catalog, on, entry) {
            Ok(plan) => plan,
            Err(flaw) => {
                wrong.push(Violation { seed: spec.seed, step, what: flaw.to_string() });
                break;
            }
        };
        let mut frontier = Frontier::new(number);
        let layout = spec.layout(catalog, kind);
        let mut model = Model::new(number, layout.filter(|layout| layout.is_budgeted()).is_some());
        let settings = layout.map_or(spec.settings, |layout| layout.settings(spec.settings));
        let mut below = None;
        let most = if number < floors { rooms.saturating_add(STAIRS_PATIENCE) } else { rooms };
        let mut made = 0;
        while made < rooms || made < most && below.is_none() {
            let way = match entry {
                Some(direction) if made == 0 => Way { from: Point::ORIGIN, direction, ominous: false },
                None if made == 0 => Way::DOWN,
                _ => match walk.next(&frontier) {
                    Some((from, direction)) => Way { from, direction, ominous: false },
                    None => break,
                },
            };
            let on = OnFloor { number, level: number, kind, plan: plan.as_ref(), used: &used };
            let Some(placed) = place(spec, catalog, &mut frontier, on, way, step) else {
                model.wrong(step, format!("there is no room {} of {}", way.direction, way.from));
                break;
            };
            model.add(step, way, &placed.growth);
            if let Some(portal) = &placed.sketch.portal {
                model.add_stairs(portal);
                if portal.direction == Direction::Down && below.is_none() {
                    below = catalog.level(&portal.level_type);
                }
                used.extend(portal.unique_key().map(str::to_owned));
            }
            model.check_budget(step, settings, &frontier);
            made += 1;
            step += 1;
        }
        model.check_links(step);
        model.check_reach(step);
        model.check_stairs(step, plan.as_ref());
        wrong.extend(model.wrong.into_iter().map(|(step, what)| Violation { seed: spec.seed, step, what }));
        let Some(next) = below else { break };
        kind = next;
    }
    wrong
}

impl Model {
    fn new(floor: u32, budgeted: bool) -> Self {
        Self {
            floor,
            rooms: Vec::new(),
            taken: FxHashSet::default(),
            exits: FxHashMap::default(),
            open: 0,
            budgeted,
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

    fn add_stairs(&mut self, portal: &Portal) {
        self.stairs += u32::from(portal.direction == Direction::Down && !portal.unique);
    }

    /// One room of a floor has stairs down at most, if it grows within a budget (T1); a whole floor has those of its plan,
    /// once every room is there.
    fn check_stairs(&mut self, step: u32, plan: Option<&FloorPlan>) {
        if self.budgeted && self.stairs > 1 {
            self.wrong(step, format!("{} stairs down (T1)", self.stairs));
        }
        if let Some(plan) = plan.filter(|plan| plan.rooms.len() == self.rooms.len())
            && !plan.portals().any(|(_, portal)| portal.direction == Direction::Down)
        {
            self.wrong(step, "no stairs down (T1)".to_owned());
        }
    }

    /// A room that arrives by stairs stands at (0,0), with a way on (T3).
    fn add_landing(&mut self, step: u32, growth: &Growth) {
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
    }

    fn add(&mut self, step: u32, way: Way, growth: &Growth) {
        let Way { from, direction, .. } = way;
        if direction == Direction::Down {
            self.add_landing(step, growth);
            return;
        }
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
        for side in &growth.met {
            let beyond = at.step(*side);
            self.resolve(step, beyond, side.opposite(), at);
            self.exits.insert((at, *side), Some(beyond));
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
        if !self.budgeted {
            return;
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

    fn spec(catalog: &Catalog, seed: u64, settings: GrowSettings) -> BranchSpec {
        BranchSpec { settings, ..BranchSpec::of(catalog, "well", Seed(seed)) }
    }

    /// E13-E21, E58 over seeds, for budgets from a thread to a sprawl.
    #[test]
    fn nothing_is_wrong_with_branches_of_many_seeds() {
        let catalog = Catalog::builtin();
        for (max_unexplored_exits, max_new_exits_per_room) in [(1, 1), (2, 2), (4, 3), (30, 3)] {
            let settings = GrowSettings { max_unexplored_exits, max_new_exits_per_room, finishable: false };
            for (seed, generator) in (0..30).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
                let spec = BranchSpec { generator: generator.to_owned(), ..spec(&catalog, seed, settings) };
                let wrong = verify(&spec, &catalog, 200, 1);
                assert!(wrong.is_empty(), "{}", wrong[0]);
            }
        }
    }

    /// E19: without the guard branches do close, and that is the only rule they then bend.
    #[test]
    fn finishable_branches_close() {
        let catalog = Catalog::builtin();
        let settings = GrowSettings { finishable: true, ..GrowSettings::default() };
        for seed in 0..20 {
            let wrong = verify(&spec(&catalog, seed, settings), &catalog, 200, 1);
            assert!(wrong.is_empty(), "{}", wrong[0]);
        }
    }

    /// T1, T3, E58: on every floor one stairs, a landing at (0,0) with a way on, and the budgets of its own.
    #[test]
    fn nothing_is_wrong_with_deep_branches() {
        let catalog = Catalog::builtin();
        for (seed, generator) in (0..20).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
            let spec = BranchSpec {
                generator: generator.to_owned(),
                ..spec(&catalog, seed, GrowSettings::default())
            };
            let wrong = verify(&spec, &catalog, 30, 12);
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
        let way = |from, direction| Way { from, direction, ominous: false };
        let first = way(Point::ORIGIN, Direction::East);
        let mut model = Model::new(1, true);
        model.add(0, first, &growth(Point::new(1, 0), vec![Direction::West]));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E20")), "{:?}", model.wrong);
        let mut model = Model::new(1, true);
        model.add(0, first, &growth(Point::new(1, 0), vec![Direction::East]));
        model.add(1, way(Point::new(1, 0), Direction::North), &growth(Point::new(1, 1), Vec::new()));
        assert!(model.wrong.iter().any(|(_, what)| what.contains("E36")), "{:?}", model.wrong);
        let mut model = Model::new(1, true);
        for _ in 0..2 {
            model.add_stairs(&Portal::down("well"));
        }
        model.check_stairs(9, None);
        assert!(model.wrong.iter().any(|(_, what)| what.contains("T1")), "{:?}", model.wrong);
    }
}

//! Proofs about branches: what must hold at each step and at the end, checked against a model of its own that knows only
//! places and exits; what is in each room; and the puzzles behind their gates.

use crate::base::{Direction, Point, Seed};
use crate::catalog::Catalog;
use crate::dungeon::gate::{puzzle_reward, puzzle_seed};
use crate::dungeon::generator::{furnish_room, stock};
use crate::dungeon::{BranchSpec, Frontier, GrowSettings, OnFloor, Recent, RoomPlan, Way, plan_floor};
use crate::level::{FloorPlan, Layout, LevelType, Portal, Sketch, TRIES};
use crate::puzzle;
use crate::tools::branch::{STAIRS_PATIENCE, Walk};
use crate::tools::budget::{overdrafts, reward_overdrafts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

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

/// What there is to prove of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many rooms of each floor that grows; those that are made whole are walked through.
    pub rooms: u32,
    /// How many floors.
    pub floors: u32,
    /// Whether the puzzles behind gates are drawn and solved, too.
    pub puzzles: bool,
}

/// What was proved, of one branch or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rooms that were made.
    pub rooms: u64,
    /// Floors that were walked.
    pub floors: u64,
    /// Gates whose puzzles were solved.
    pub gates: u64,
    /// Floors and puzzles that were thrown away and drawn again.
    pub redrawn: u64,
    /// Where a plain floor or puzzle had to stand in, and why.
    pub plain: Vec<Violation>,
    /// Every rule that is broken.
    pub wrong: Vec<Violation>,
}

impl Report {
    /// Adds what was proved of later seeds.
    pub fn add(&mut self, later: Self) {
        self.rooms += later.rooms;
        self.floors += later.floors;
        self.gates += later.gates;
        self.redrawn += later.redrawn;
        self.plain.extend(later.plain);
        self.wrong.extend(later.wrong);
    }

    /// Adds the draw of a puzzle.
    pub fn add_puzzle(&mut self, seed: Seed, step: u32, proof: puzzle::Proof) {
        self.gates += 1;
        self.redrawn += u64::from(proof.redrawn);
        self.plain.extend(proof.plain.map(|what| Violation { seed, step, what }));
        self.wrong.extend(proof.wrong.into_iter().map(|what| Violation { seed, step, what }));
    }
}

/// Makes a branch by a seeded walk over its open exits and down its stairs, and proves it.
pub fn verify(spec: &BranchSpec, catalog: &Catalog, extent: Extent) -> Report {
    let mut proof = Proof {
        spec,
        catalog,
        extent,
        walk: Walk::new(spec.seed),
        used: BTreeSet::new(),
        recent: Recent::default(),
        step: 0,
        report: Report::default(),
    };
    let mut kind = catalog.level(&spec.level);
    for number in 1..=extent.floors {
        let Some(below) = kind.and_then(|kind| proof.floor(number, kind)) else { break };
        kind = catalog.level(&below.level_type);
        if kind.is_none() {
            proof.wrong(format!("stairs lead to {}, which is no level type", below.level_type));
        }
    }
    proof.report
}

/// A branch that is being proved.
struct Proof<'a> {
    spec: &'a BranchSpec,
    catalog: &'a Catalog,
    extent: Extent,
    walk: Walk,
    used: BTreeSet<String>,
    recent: Recent,
    /// How many rooms there are.
    step: u32,
    report: Report,
}

impl Proof<'_> {
    fn wrong(&mut self, what: String) {
        self.report.wrong.push(Violation { seed: self.spec.seed, step: self.step, what });
    }

    /// Walks over a floor and returns the first stairs down that it came by.
    fn floor(&mut self, number: u32, kind: &Arc<LevelType>) -> Option<Portal> {
        let entry = (number == 1).then(|| self.walk.enter());
        let on = OnFloor { number, level: number, kind, plan: None, used: &self.used };
        let plan = match plan_floor(self.spec, self.catalog, on, entry) {
            Ok(plan) => plan,
            Err(flaw) => {
                self.wrong(flaw.to_string());
                return None;
            }
        };
        self.report.floors += 1;
        if let Some(plan) = &plan {
            self.check_plan(plan);
        }
        let layout = self.spec.layout(self.catalog, kind);
        let mut model = Model::new(number, layout.is_some_and(Layout::is_budgeted));
        let settings = layout.map_or(self.spec.settings, |layout| layout.settings(self.spec.settings));
        let (mut frontier, mut below, mut omens) = (Frontier::new(number), None, BTreeSet::new());
        let rooms = if plan.is_some() { u32::MAX } else { self.extent.rooms };
        let patience = if number < self.extent.floors { STAIRS_PATIENCE } else { 0 };
        let mut made = 0;
        while made < rooms || made < rooms.saturating_add(patience) && below.is_none() {
            let way = match entry {
                Some(direction) if made == 0 => Way { from: Point::ORIGIN, direction, ominous: false },
                None if made == 0 => Way::DOWN,
                _ => match self.walk.next(&frontier) {
                    Some((from, direction)) => {
                        Way { from, direction, ominous: omens.remove(&(from, direction)) }
                    }
                    None => break,
                },
            };
            let on = OnFloor { number, level: number, kind, plan: plan.as_ref(), used: &self.used };
            let (spec, catalog) = (self.spec, self.catalog);
            let Some((room, sketch)) =
                furnish_room(spec, catalog, &mut frontier, on, way, self.step, &self.recent)
            else {
                model.wrong(self.step, format!("there is no room {} of {}", way.direction, way.from));
                break;
            };
            model.add(self.step, way, &room);
            model.check_budget(self.step, settings, &frontier);
            omens.extend(room.omens.keys().map(|side| (room.at, *side)));
            if let Some(portal) = &room.portal {
                model.add_stairs(portal);
                if portal.direction == Direction::Down && below.is_none() {
                    below = Some(portal.clone());
                }
            }
            self.check_room(number, kind, room, &sketch, plan.is_some());
            made += 1;
            self.step += 1;
        }
        model.check_links(self.step);
        model.check_reach(self.step);
        model.check_stairs(self.step, plan.as_ref());
        self.report.rooms += u64::from(made);
        let seed = self.spec.seed;
        self.report.wrong.extend(model.wrong.into_iter().map(|(step, what)| Violation { seed, step, what }));
        below
    }

    /// What a whole floor tells of itself before anybody has been there: how it was drawn, and portals that are there but
    /// once in a branch.
    fn check_plan(&mut self, plan: &FloorPlan) {
        self.report.redrawn += u64::from(plan.redrawn);
        if plan.redrawn >= TRIES {
            let what = format!("no floor of {} could be proved; a plain one stands in", plan.level_type);
            self.report.plain.push(Violation { seed: self.spec.seed, step: self.step, what });
        }
        for (at, portal) in plan.portals() {
            self.note_portal(at, portal);
        }
    }

    fn note_portal(&mut self, at: Point, portal: &Portal) {
        if let Some(key) = portal.unique_key()
            && !self.used.insert(key.to_owned())
        {
            self.wrong(format!("a second way {key} at {at} (P30)"));
        }
    }

    /// What is in a room, and what lies behind its gate.
    fn check_room(
        &mut self,
        floor: u32,
        kind: &LevelType,
        mut room: RoomPlan,
        sketch: &Sketch,
        planned: bool,
    ) {
        let catalog = self.catalog;
        let Some(theme) = catalog.theme_of(kind) else {
            self.wrong(format!("level type {} has no theme", kind.name));
            return;
        };
        for what in overdrafts(&room, theme, catalog) {
            self.wrong(format!("{} at {}: {what} (T19)", room.kind.name(), room.at));
        }
        let strange = sketch.creatures.iter().filter(|key| !catalog.mobs.contains_key(*key));
        let strange = strange.chain(sketch.items.iter().filter(|key| !catalog.items.contains_key(*key)));
        for key in strange {
            self.wrong(format!("the level type puts {key} there, which is nothing"));
        }
        if !planned && let Some(portal) = &room.portal {
            self.note_portal(room.at, portal);
        }
        let gate = room.challenge.puzzle.filter(|_| self.extent.puzzles);
        if let Some(entry) = gate.and_then(|number| theme.puzzles.get(number as usize)) {
            let seed = puzzle_seed(self.spec.seed, floor, room.at);
            self.report.add_puzzle(self.spec.seed, self.step, puzzle::verify(entry, seed));
            let reward = puzzle_reward(theme, catalog, room.difficulty, 0, seed);
            for what in reward_overdrafts(&reward, theme, catalog, room.difficulty) {
                self.wrong(format!("the reward behind the gate at {}: {what} (H18)", room.at));
            }
        }
        stock(&mut room, sketch, catalog);
        self.recent.note(floor, &room, Vec::new());
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

    /// Whether a place belongs to the start: (0,0) of the first floor.
    fn is_start(&self, place: Point) -> bool {
        self.floor == 1 && place == Point::ORIGIN
    }

    fn add_stairs(&mut self, portal: &Portal) {
        self.stairs += u32::from(portal.direction == Direction::Down && !portal.unique);
    }

    /// One room of a floor has stairs down at most, if it grows within a budget. Of a whole floor every room has been
    /// walked into, and there are stairs.
    fn check_stairs(&mut self, step: u32, plan: Option<&FloorPlan>) {
        if self.budgeted && self.stairs > 1 {
            self.wrong(step, format!("{} stairs down (T1)", self.stairs));
        }
        let Some(plan) = plan else { return };
        if self.rooms.len() != plan.rooms.len() {
            let (walked, all) = (self.rooms.len(), plan.rooms.len());
            self.wrong(step, format!("{walked} of {all} rooms can be reached from the arrival (P4)"));
        }
        if !plan.portals().any(|(_, portal)| portal.direction == Direction::Down) {
            self.wrong(step, "no stairs down (T1)".to_owned());
        }
    }

    /// A room that arrives by stairs stands at (0,0), with a way on.
    fn add_landing(&mut self, step: u32, room: &RoomPlan) {
        if room.at != Point::ORIGIN || room.depth != 0 || room.new_exits.is_empty() {
            self.wrong(step, format!("the landing is at {} with {} exits", room.at, room.new_exits.len()));
        }
        self.taken.insert(room.at);
        for exit in &room.new_exits {
            self.exits.insert((room.at, *exit), None);
            self.open += 1;
        }
        self.rooms.push((room.at, None));
    }

    fn add(&mut self, step: u32, way: Way, room: &RoomPlan) {
        let Way { from, direction, .. } = way;
        if direction == Direction::Down {
            self.add_landing(step, room);
            return;
        }
        let at = room.at;
        if at != from.step(direction) || room.depth != at.depth() {
            self.wrong(step, format!("{direction} of {from} gave {at} at depth {}", room.depth));
        }
        if self.is_start(at) || !self.taken.insert(at) {
            self.wrong(step, format!("{at} is taken already (E6, E10)"));
        }
        self.resolve(step, from, direction, at);
        for (from, direction) in &room.joined {
            if from.step(*direction) != at {
                self.wrong(step, format!("{direction} of {from} was joined to {at} (E18)"));
            }
            self.resolve(step, *from, *direction, at);
        }
        for side in &room.met {
            let beyond = at.step(*side);
            self.resolve(step, beyond, side.opposite(), at);
            self.exits.insert((at, *side), Some(beyond));
        }
        self.exits.insert((at, direction.opposite()), Some(from));
        for exit in &room.new_exits {
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

    /// Every exit has its reverse, or its target was made through another exit; an exit that still is
    /// unexplored points at a free place; only the first room leads to the start.
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
    use crate::tools::branch::PlannedBranch;

    const fn extent(rooms: u32, floors: u32) -> Extent {
        Extent { rooms, floors, puzzles: false }
    }

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
                let wrong = verify(&spec, &catalog, extent(200, 1)).wrong;
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
            let wrong = verify(&spec(&catalog, seed, settings), &catalog, extent(200, 1)).wrong;
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
            let wrong = verify(&spec, &catalog, extent(30, 12)).wrong;
            assert!(wrong.is_empty(), "{}", wrong[0]);
        }
    }

    /// P4, P30, T1, T19, H17: nothing is wrong with any level type that ships, on two floors, with what is behind their
    /// gates; whole floors are walked to their last room, and no plain one had to stand in.
    #[test]
    fn nothing_is_wrong_with_what_ships() {
        let catalog = Catalog::builtin();
        let mut all = Report::default();
        for level in catalog.levels.values() {
            let mut report = Report::default();
            for seed in 0..60 {
                let spec = BranchSpec::of(&catalog, &level.name, Seed(seed));
                let puzzles = seed < 10;
                report.add(verify(&spec, &catalog, Extent { rooms: 60, floors: 2, puzzles }));
            }
            let first = report.wrong.iter().chain(&report.plain).next();
            assert!(
                first.is_none(),
                "{}: {}",
                level.name,
                first.map(ToString::to_string).unwrap_or_default()
            );
            assert!(
                level.layout.is_some() || report.rooms >= report.floors * 34,
                "{}: {report:?}",
                level.name
            );
            all.add(report);
        }
        assert!(all.gates > 20, "{} gates", all.gates);
    }

    /// E1, C3: what is proved is what is played: the same rooms, and the same in them, as a branch with all its words.
    #[test]
    fn what_is_proved_is_what_is_played() {
        let catalog = Catalog::builtin();
        let mut gates = 0;
        for seed in 0..6 {
            let spec = spec(&catalog, seed, GrowSettings::default());
            let report = verify(&spec, &catalog, Extent { rooms: 150, floors: 1, puzzles: true });
            let branch = PlannedBranch::walk(spec, &catalog, 150);
            let made = branch.rooms.iter().filter(|room| room.plan.challenge.puzzle.is_some()).count();
            assert_eq!((report.rooms, report.gates), (150, made as u64), "seed {seed}");
            gates += made;
        }
        assert!(gates > 0);
    }

    /// The verifier itself: a model with a flaw is reported.
    #[test]
    fn flaws_are_found() {
        let catalog = Catalog::builtin();
        let settings = GrowSettings::default();
        let some = PlannedBranch::walk(spec(&catalog, 1, settings), &catalog, 1).rooms.remove(0).plan;
        let growth = |at: Point, new_exits: Vec<Direction>| {
            let (joined, met) = (Vec::new(), Vec::new());
            RoomPlan { at, depth: at.depth(), new_exits, joined, met, ..some.clone() }
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

//! Verification of generated branches. Invariants are checked at each step and at the end against an independent model
//! of places and exits, and so are the contents of rooms and the puzzles behind gates.

use crate::branch::{BranchWalk, FloorProgress};
use crate::budget::{overdrafts, reward_overdrafts};
use crate::model::Model;
use deepwell_core::base::{Direction, Point, Seed};
use deepwell_core::catalog::{Catalog, PerilKind, RoomContent, RoomKind, ScriptedRoom, Theme};
use deepwell_core::dungeon::gate::{puzzle_reward, puzzle_seed};
use deepwell_core::dungeon::{
    BranchMemory, BranchSpec, FloorSpec, Frontier, NewRoomChallenge, Opened, RoomPlan, UnexploredExit, Walker,
};
use deepwell_core::level::{FloorPlan, Layout, LevelType, Portal, Sketch, TRIES, UsedLimits};
use deepwell_core::puzzle;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A violated rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// Seed that reproduces the violation.
    pub seed: Seed,
    /// Number of rooms of the branch before the violation.
    pub step: u32,
    /// Description of the violation.
    pub what: String,
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, room {}: {}", self.seed, self.step, self.what)
    }
}

/// Extent of the verification of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of rooms per floor that grows; floors generated whole are walked completely.
    pub rooms: u32,
    /// Number of floors.
    pub floors: u32,
    /// Set to also generate and solve the puzzles behind gates.
    pub puzzles: bool,
}

/// Result of the verification of one or more branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerificationReport {
    /// Number of rooms generated.
    pub rooms: u64,
    /// Number of floors walked.
    pub floors: u64,
    /// Number of gates whose puzzles were solved.
    pub gates: u64,
    /// Number of rooms that belong to vaults.
    pub of_vaults: u64,
    /// Number of floors and puzzles that were discarded and generated again.
    pub redrawn: u64,
    /// Floors and puzzles replaced by the plain fallback, with the reason.
    pub plain: Vec<RuleViolation>,
    /// Violated rules.
    pub violations: Vec<RuleViolation>,
}

impl VerificationReport {
    /// Adds the report of later seeds.
    pub fn add(&mut self, later: Self) {
        self.rooms += later.rooms;
        self.floors += later.floors;
        self.gates += later.gates;
        self.of_vaults += later.of_vaults;
        self.redrawn += later.redrawn;
        self.plain.extend(later.plain);
        self.violations.extend(later.violations);
    }

    /// Adds the verification of a puzzle.
    pub fn add_puzzle(&mut self, seed: Seed, step: u32, proof: puzzle::BoardProof) {
        self.gates += 1;
        self.redrawn += u64::from(proof.redrawn);
        let violation = |what: String| RuleViolation { seed, step, what };
        self.plain.extend(proof.plain.map(|reason| violation(reason.to_string())));
        self.violations.extend(proof.defects.iter().map(|defect| violation(defect.to_string())));
    }
}

/// Generates a branch by a seeded walk over its open exits and down its stairs, and verifies it.
pub fn verify(spec: &BranchSpec, catalog: &Catalog, extent: Extent) -> VerificationReport {
    let mut proof = BranchProof::new(spec, catalog, extent);
    let mut kind = catalog.level_type(&spec.level_type);
    for number in 1..=extent.floors {
        let Some(below) = kind.and_then(|kind| proof.floor(number, kind)) else { break };
        kind = catalog.level_type(&below.level_type);
        if kind.is_none() {
            proof.record_violation(format!("stairs lead to {}, which is no level type", below.level_type));
        }
    }
    proof.report
}

/// A branch under verification.
struct BranchProof<'a> {
    spec: &'a BranchSpec,
    catalog: &'a Catalog,
    extent: Extent,
    walk: BranchWalk,
    memory: BranchMemory,
    /// The verifier's own count of limited rooms and unique portals.
    used: UsedLimits,
    /// The verifier's own count of rooms by vault and room key.
    vault_rooms: BTreeMap<(String, String), u32>,
    /// The verifier's own count of rooms by script.
    scripted_rooms: BTreeMap<String, u32>,
    /// Number of rooms so far.
    step: u32,
    report: VerificationReport,
}

impl<'a> BranchProof<'a> {
    fn new(spec: &'a BranchSpec, catalog: &'a Catalog, extent: Extent) -> Self {
        Self {
            spec,
            catalog,
            extent,
            walk: BranchWalk::new(spec.seed, extent.floors),
            memory: BranchMemory::default(),
            used: UsedLimits::new(),
            vault_rooms: BTreeMap::new(),
            scripted_rooms: BTreeMap::new(),
            step: 0,
            report: VerificationReport::default(),
        }
    }

    fn record_violation(&mut self, what: String) {
        self.report.violations.push(RuleViolation { seed: self.spec.seed, step: self.step, what });
    }

    fn walker(&mut self) -> Walker<'_> {
        Walker::new(self.spec, self.catalog, &mut self.memory)
    }

    /// Walks and verifies a floor. Returns the first stairs down that the walk finds.
    fn floor(&mut self, number: u32, kind: &Arc<LevelType>) -> Option<Portal> {
        let entry = (number == 1).then(|| self.walk.enter());
        let floor = FloorSpec { number, dungeon_level: number, kind };
        let plan = match self.walker().add_floor(floor, entry) {
            Ok(plan) => plan,
            Err(flaw) => {
                self.record_violation(flaw.to_string());
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
        let wanted = if plan.is_some() { u32::MAX } else { self.extent.rooms };
        let mut progress = FloorProgress { floor: number, opened: 0, wanted };
        let mut way = match entry {
            Some(direction) => UnexploredExit { from: Point::ORIGIN, direction, ominous: false },
            None => UnexploredExit::DOWN,
        };
        loop {
            let Some(opened) = self.walker().open(floor, plan.as_ref(), &mut frontier, way) else {
                model.record_violation(
                    self.step,
                    format!("there is no room {} of {}", way.direction, way.from),
                );
                break;
            };
            let room = &opened.plan;
            model.add(self.step, way, room);
            model.check_budget(self.step, settings, &frontier);
            model.check_free(self.step, plan.is_some());
            if plan.is_none() {
                model.check_vaults(self.step, &self.memory.vaults, settings);
            }
            omens.extend(room.omens.keys().map(|side| (room.at, *side)));
            if let Some(portal) = &room.portal {
                model.add_stairs(portal);
                if portal.direction == Direction::Down && below.is_none() {
                    below = Some(portal.clone());
                }
            }
            self.check_room(floor, way, &opened, plan.is_some());
            progress.opened += 1;
            self.step += 1;
            let Some((from, direction)) = self.walk.next(progress, &frontier) else { break };
            way = UnexploredExit { from, direction, ominous: omens.remove(&(from, direction)) };
        }
        model.check_links(self.step);
        model.check_reach(self.step);
        model.check_stairs(self.step, plan.as_ref());
        self.report.rooms += u64::from(progress.opened);
        let seed = self.spec.seed;
        self.report.violations.extend(model.violations.into_iter().map(|(step, what)| RuleViolation {
            seed,
            step,
            what,
        }));
        below
    }

    /// Checks the plan of a floor generated whole: the number of attempts, and portals that must be unique in a branch.
    fn check_plan(&mut self, plan: &FloorPlan) {
        self.report.redrawn += u64::from(plan.redrawn);
        if plan.redrawn >= TRIES {
            let what =
                format!("no floor of {} could be verified; the plain fallback is used", plan.level_type);
            self.report.plain.push(RuleViolation { seed: self.spec.seed, step: self.step, what });
        }
        for (at, portal) in plan.portals() {
            self.note_portal(at, portal);
        }
    }

    fn note_portal(&mut self, at: Point, portal: &Portal) {
        if !self.used.allows_portal(portal) {
            let key = portal.unique_key().unwrap_or_default();
            self.record_violation(format!("a second way {key} at {at} (P30)"));
        }
        self.used.note_portal(portal);
    }

    /// Counts a room against its theme's limit for this kind, and checks that its required predecessor exists.
    fn note_kind(&mut self, floor: u32, room: &RoomPlan, theme: &Theme) {
        let (kind, limit) = (room.sheet.kind.name(), theme.limit_of(room.sheet.kind));
        if !self.used.allows_room(kind, limit, floor) {
            self.record_violation(format!("{kind} at {}: more than the theme allows (P30)", room.at));
        }
        let peril = theme.perils.iter().find(|peril| peril.kind == PerilKind::Room(room.sheet.kind));
        if let Some(before) = peril.and_then(|peril| peril.after)
            && self.used.count(before.name()) <= self.used.count(kind)
        {
            self.record_violation(format!(
                "{kind} at {}: there is no {} that leads to it (E40)",
                room.at,
                before.name()
            ));
        }
        self.used.note_room(kind, limit, floor);
    }

    /// Counts a scripted room against the limit of its script. The room is recognised by drawing it again.
    fn check_scripted_room(&mut self, floor: FloorSpec<'_>, way: UnexploredExit, room: &RoomPlan) {
        let (catalog, level_type) = (self.catalog, &floor.kind.name);
        if way.direction == Direction::Down
            || room.sheet.kind != RoomKind::Dungeon
            || room.vault_room.is_some()
        {
            return;
        }
        let back = way.direction.opposite();
        let spot = room.spot(self.spec.seed, level_type, floor.number, back);
        for (key, script) in catalog.drawn_rooms.iter() {
            let Some(rule) = script.rule(level_type) else { continue };
            let seed = self.spec.seed.named(&ScriptedRoom::counted_as(key)).numbered(self.step.into());
            let drawn = script.draw(&spot, seed, catalog).ok().flatten();
            let is_same = |drawn: RoomContent| {
                drawn.name == room.sheet.name && drawn.description == room.sheet.description
            };
            if drawn.is_some_and(is_same) {
                let there = counted(&mut self.scripted_rooms, key.clone());
                self.check_limit(&format!("rooms {key}"), there, rule.most);
            }
        }
    }

    /// Checks that a vault room belongs to a vault of the level type, and that the number of vaults is within its
    /// limit. A vault has each of its rooms once, so the branch has as many vaults as rooms of this key.
    fn check_vault(&mut self, floor: FloorSpec<'_>, room: &RoomPlan) {
        let Some(of) = &room.vault_room else { return };
        self.report.of_vaults += 1;
        let rules = floor.kind.vaults.iter().filter(|(key, _)| *key == of.vault_key);
        let most = rules.map(|(_, rule)| rule.most).max().unwrap_or(0);
        let there = counted(&mut self.vault_rooms, (of.vault_key.clone(), of.room_key.clone()));
        self.check_limit(&format!("vaults {}", of.vault_key), there, most);
        if self.catalog.vaults.get(&of.vault_key).and_then(|vault| vault.room(&of.room_key)).is_none() {
            self.record_violation(format!("{} has no room {}", of.vault_key, of.room_key));
        }
    }

    fn check_limit(&mut self, what: &str, there: u32, most: u32) {
        if there > most {
            self.record_violation(format!("{there} {what}, at most {most} (P30)"));
        }
    }

    /// Checks the contents of a room and the puzzle behind its gate.
    fn check_room(&mut self, floor: FloorSpec<'_>, way: UnexploredExit, opened: &Opened, planned: bool) {
        let (catalog, room) = (self.catalog, &opened.plan);
        let Some(theme) = catalog.theme_of(floor.kind) else {
            self.record_violation(format!("level type {} has no theme", floor.kind.name));
            return;
        };
        self.note_kind(floor.number, room, theme);
        for (side, key) in &room.traps {
            let set = room.new_exits.contains(side) && !room.omens.contains_key(side);
            let harmless = catalog.traps.iter().any(|trap| trap.key == *key && !trap.script.kills());
            if !set || !harmless || !room.sheet.details.values().any(|text| is_of(catalog, key, text)) {
                self.record_violation(format!(
                    "the trap {key} {side} of {} is invalid or undetectable (E40)",
                    room.at
                ));
            }
        }
        for what in overdrafts(&of_theme(opened), theme, catalog) {
            self.record_violation(format!("{} at {}: {what} (T19)", room.sheet.kind.name(), room.at));
        }
        self.check_vault(floor, room);
        self.check_scripted_room(floor, way, room);
        let Sketch { creatures, items, .. } = &opened.sketch;
        let strange = creatures.iter().filter(|key| !catalog.creatures.contains_key(*key));
        let strange = strange.chain(items.iter().filter(|key| !catalog.items.contains_key(*key)));
        for key in strange {
            self.record_violation(format!("the level type puts {key} there, which is nothing"));
        }
        if !planned && let Some(portal) = &room.portal {
            self.note_portal(room.at, portal);
        }
        let gate = room.puzzle().filter(|_| self.extent.puzzles);
        if let Some(entry) = gate.and_then(|number| theme.puzzles.get(number as usize)) {
            let seed = puzzle_seed(self.spec.seed, floor.number, room.at);
            self.report.add_puzzle(self.spec.seed, self.step, puzzle::verify(entry, seed));
            let reward = puzzle_reward(theme, catalog, room.difficulty, 0, seed);
            for what in reward_overdrafts(&reward, theme, catalog, room.difficulty) {
                self.record_violation(format!("the reward behind the gate at {}: {what} (H18)", room.at));
            }
        }
    }
}

/// Increments a count and returns it.
fn counted<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K) -> u32 {
    let count = counts.entry(key).or_default();
    *count += 1;
    *count
}

/// Returns the room without the creatures and items that its level type appended.
fn of_theme(opened: &Opened) -> RoomPlan {
    let mut plan = opened.plan.clone();
    let NewRoomChallenge { creatures, items, .. } = &mut plan.challenge;
    creatures.truncate(creatures.len().saturating_sub(opened.sketch.creatures.len()));
    items.truncate(items.len().saturating_sub(opened.sketch.items.len()));
    plan
}

/// Returns `true` if the text is the close-up description of the trap.
fn is_of(catalog: &Catalog, key: &str, text: &str) -> bool {
    catalog.traps.iter().any(|trap| trap.key == key && trap.detail == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::PlannedBranch;
    use deepwell_core::catalog::{BUILTIN, RoomFeature};
    use deepwell_core::dungeon::GrowSettings;

    const fn extent(rooms: u32, floors: u32) -> Extent {
        Extent { rooms, floors, puzzles: false }
    }

    fn spec(catalog: &Catalog, seed: u64, settings: GrowSettings) -> BranchSpec {
        BranchSpec { settings, ..BranchSpec::of(catalog, "well", Seed(seed)) }
    }

    /// No violations over many seeds, with narrow, default and wide exit limits.
    #[test]
    fn e13_e21_e58_e59_no_violations_over_many_seeds() {
        let catalog = Catalog::builtin();
        for (max_unexplored_exits, max_new_exits_per_room) in [(1, 1), (2, 2), (4, 3), (30, 3)] {
            let settings = GrowSettings {
                max_unexplored_exits,
                max_new_exits_per_room,
                finishable: false,
                diagonals: false,
            };
            for (seed, generator) in (0..10).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
                let spec = BranchSpec { generator: generator.to_owned(), ..spec(&catalog, seed, settings) };
                let violations = verify(&spec, &catalog, extent(200, 1)).violations;
                assert!(violations.is_empty(), "{}", violations[0]);
            }
        }
    }

    /// Without the guard, branches do close, and no other rule is violated.
    #[test]
    fn e19_finishable_branches_close() {
        let catalog = Catalog::builtin();
        let settings = GrowSettings { finishable: true, ..GrowSettings::default() };
        for seed in 0..20 {
            let violations = verify(&spec(&catalog, seed, settings), &catalog, extent(200, 1)).violations;
            assert!(violations.is_empty(), "{}", violations[0]);
        }
    }

    /// Every floor has one room with stairs, a landing at (0,0) with an exit that leads on, and its own exit limits.
    #[test]
    fn t1_t3_e58_no_violations_on_deep_branches() {
        let catalog = Catalog::builtin();
        for (seed, generator) in (0..20).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
            let spec = BranchSpec {
                generator: generator.to_owned(),
                ..spec(&catalog, seed, GrowSettings::default())
            };
            let violations = verify(&spec, &catalog, extent(30, 12)).violations;
            assert!(violations.is_empty(), "{}", violations[0]);
        }
    }

    /// No violations in any shipped level type, on two floors, including the puzzles behind gates. Floors generated
    /// whole are walked to their last room, and none is replaced by the plain fallback.
    #[test]
    fn e59_p4_p30_t1_t19_h17_shipped_level_types_verify() {
        let catalog = Catalog::builtin();
        let mut all = VerificationReport::default();
        for level_type in catalog.level_types.values() {
            let mut report = VerificationReport::default();
            for seed in 0..16 {
                let spec = BranchSpec::of(&catalog, &level_type.name, Seed(seed));
                let puzzles = seed < 8;
                report.add(verify(&spec, &catalog, Extent { rooms: 60, floors: 2, puzzles }));
            }
            let first = report.violations.iter().chain(&report.plain).next();
            assert!(
                first.is_none(),
                "{}: {}",
                level_type.name,
                first.map(ToString::to_string).unwrap_or_default()
            );
            assert!(
                level_type.layout.is_some() || report.rooms >= report.floors * 34,
                "{}: {report:?}",
                level_type.name
            );
            all.add(report);
        }
        assert!(all.gates > 20, "{} gates", all.gates);
    }

    /// Branches with vaults of every shape, from lines to rings, violate no rule with any exit limits, and some vaults
    /// are walked to their end.
    #[test]
    fn c3_e15_e18_e58_branches_with_vaults_verify() {
        let catalog = Catalog::builtin();
        for (max_unexplored_exits, max_new_exits_per_room) in [(2, 2), (3, 2), (14, 3)] {
            for finishable in [false, true] {
                let settings = GrowSettings {
                    max_unexplored_exits,
                    max_new_exits_per_room,
                    finishable,
                    diagonals: false,
                };
                let mut found = VerificationReport::default();
                for (seed, generator) in (0..5).flat_map(|seed| [(seed, "frontier"), (seed, "corridor")]) {
                    let spec = BranchSpec::of(&catalog, "cellars", Seed(seed));
                    let spec = BranchSpec { settings, generator: generator.to_owned(), ..spec };
                    found.add(verify(&spec, &catalog, extent(120, 2)));
                }
                assert!(found.violations.is_empty(), "{}", found.violations[0]);
                assert!(found.of_vaults > 0, "{settings:?}");
            }
        }
    }

    /// The verifier counts vaults and scripted rooms itself, so a generator that forgets its counts is found.
    #[test]
    fn p30_vaults_and_scripted_rooms_above_limit_are_reported() {
        const FLOORS: u32 = 8;
        let catalog = Catalog::builtin();
        for (level_type, what) in [("cellars", " vaults "), ("forest", " rooms stacked_wood, at most 2")] {
            let spec = BranchSpec::of(&catalog, level_type, Seed(1));
            for forgets in [false, true] {
                let mut proof = BranchProof::new(&spec, &catalog, extent(100, FLOORS));
                for number in 1..=FLOORS {
                    if forgets {
                        proof.memory.used = UsedLimits::new();
                    }
                    proof.floor(number, &catalog.level_types[level_type]);
                }
                let violations = &proof.report.violations;
                let is_found = violations.iter().any(|violation| violation.what.contains(what));
                assert_eq!(is_found, forgets, "{level_type}: {violations:?}");
            }
        }
    }

    /// Floors generated whole have vaults of any shape beside their rooms, and every vault room is reachable. Rooms
    /// drawn by scripts are included.
    #[test]
    fn c3_p30_whole_floors_with_vaults_verify() {
        let whole = ["archive", "upper crypt", "upper catacombs"];
        let mut files: Vec<(&str, String)> =
            BUILTIN.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        for (path, text) in &mut files {
            let listings = whole.map(|kind| {
                format!(
                    "[[level_types]]\nlevel_type = \"{kind}\"\npercent = 100\nleast_depth = 2\nmost = 9\n\n"
                )
            });
            if path.starts_with("vaults/") {
                let rest = text.find("[[rooms]]").expect("rooms");
                text.replace_range(..rest, &format!("turns = true\n\n{}", listings.concat()));
            }
            let forest = "{ level_type = \"forest\", percent = 6, least_depth = 2, most = 2 }";
            *text = text.replace(
                forest,
                &whole
                    .map(|kind| format!("{{ level_type = \"{kind}\", percent = 20, most = 9 }}"))
                    .join(", "),
            );
        }
        let catalog = Catalog::load(&files).expect("sound content");
        let vaults: u64 = catalog.vaults.len() as u64;
        for kind in whole {
            let mut found = VerificationReport::default();
            for seed in 0..8 {
                let spec = BranchSpec::of(&catalog, kind, Seed(seed));
                found.add(verify(&spec, &catalog, extent(400, 2)));
            }
            assert!(found.violations.is_empty(), "{kind}: {}", found.violations[0]);
            assert!(found.of_vaults > vaults * 16, "{kind}: {} rooms", found.of_vaults);
        }
    }

    /// The verifier generates the same rooms, with the same contents, as a branch with all its texts.
    #[test]
    fn e1_c3_verifier_generates_the_same_rooms_as_play() {
        let catalog = Catalog::builtin();
        let mut gates = 0;
        for seed in 0..6 {
            let spec = spec(&catalog, seed, GrowSettings::default());
            let report = verify(&spec, &catalog, Extent { rooms: 150, floors: 1, puzzles: true });
            let branch = PlannedBranch::walk(spec, &catalog, 150, 1);
            let made = branch.rooms.iter().filter(|room| room.plan.puzzle().is_some()).count();
            assert_eq!((report.rooms, report.gates), (150, made as u64), "seed {seed}");
            gates += made;
        }
        assert!(gates > 0);
    }

    /// The verifier reports a flawed model, such as a floor whose only exits are behind a lever. That is no flaw on a
    /// floor generated whole with free stairs down.
    #[test]
    fn e59_flaws_are_reported() {
        let catalog = Catalog::builtin();
        let settings = GrowSettings::default();
        let some = PlannedBranch::walk(spec(&catalog, 1, settings), &catalog, 1, 1).rooms.remove(0).plan;
        let growth = |at: Point, new_exits: Vec<Direction>| {
            let (joined, met) = (Vec::new(), Vec::new());
            RoomPlan { at, depth: at.depth(), new_exits, joined, met, ..some.clone() }
        };
        let way = |from, direction| UnexploredExit { from, direction, ominous: false };
        let first = way(Point::ORIGIN, Direction::East);
        let mut model = Model::new(1, true);
        model.add(0, first, &growth(Point::new(1, 0), vec![Direction::West]));
        assert!(model.violations.iter().any(|(_, what)| what.contains("E20")), "{:?}", model.violations);
        let mut model = Model::new(1, true);
        model.add(0, first, &growth(Point::new(1, 0), vec![Direction::East]));
        model.add(1, way(Point::new(1, 0), Direction::North), &growth(Point::new(1, 1), Vec::new()));
        assert!(model.violations.iter().any(|(_, what)| what.contains("E36")), "{:?}", model.violations);
        let lever = RoomFeature::portcullis(3);
        for (whole, stairs, complaints) in [(false, true, 1), (true, false, 1), (true, true, 0)] {
            let mut model = Model::new(1, true);
            let landing = growth(Point::new(1, 0), vec![Direction::East]);
            let portal = stairs.then(|| Portal::down("well"));
            model.add(0, first, &RoomPlan { portal, ..landing });
            model.check_free(0, whole);
            assert!(model.violations.is_empty(), "{:?}", model.violations);
            let mut barred = growth(Point::new(2, 0), vec![Direction::North, Direction::South]);
            barred.fixture.feature.clone_from(&lever);
            model.add(1, way(Point::new(1, 0), Direction::East), &barred);
            model.check_free(1, whole);
            let found =
                model.violations.iter().filter(|(_, what)| what.contains("2 unexplored exits are behind"));
            assert_eq!(found.count(), complaints, "{:?}", model.violations);
        }
        let mut model = Model::new(1, true);
        for _ in 0..2 {
            model.add_stairs(&Portal::down("well"));
        }
        model.check_stairs(9, None);
        assert!(model.violations.iter().any(|(_, what)| what.contains("T1")), "{:?}", model.violations);
    }
}

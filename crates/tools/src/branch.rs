//! Planned branches: a branch as a value, grown by a seeded random walk over its open exits and down its stairs. The
//! command line prints them and tests inspect them. A live branch grows by the same calls, one for each exit that a
//! player takes.

use deepwell_core::base::{Dice, Direction, ExitState, Point, Rng, Seed};
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::moves::BranchMove;
use deepwell_core::dungeon::{
    BranchMemory, BranchSpec, FloorSpec, Frontier, Opened, RoomPlan, UnexploredExit, Walker,
};
use deepwell_core::level::{FloorPlan, LevelType};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A room of a planned branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRoom {
    /// Number of its floor, from 1.
    pub floor: u32,
    /// Properties fixed when the room was generated.
    pub plan: RoomPlan,
    /// The exit that created the room: the coordinates of the room it is in, and its direction. Stairs down are on the
    /// floor above.
    pub made_by: (Point, Direction),
    /// Floor of the exit that created the room.
    pub made_on: u32,
    /// Exits by direction.
    pub exits: BTreeMap<Direction, PlannedExit>,
}

/// An exit of a planned room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedExit {
    /// Coordinates of the destination; `None` until the exit has been taken.
    pub to: Option<Point>,
    /// Floor of the destination; the floor of the exit while it is unexplored.
    pub to_floor: u32,
    /// State of the exit: open, one-way, unexplored or locked.
    pub state: ExitState,
    /// Set for the exit back to the room from which this room was created.
    pub back: bool,
    /// Set if a warning sign is beside the exit; its text is in the plan of the room.
    pub ominous: bool,
}

/// A floor of a planned branch.
#[derive(Clone, Debug)]
pub struct PlannedFloor {
    /// Dungeon level.
    pub dungeon_level: u32,
    /// Level type.
    pub kind: Arc<LevelType>,
    /// Plan of the whole floor, if its layout generates floors whole.
    pub plan: Option<FloorPlan>,
    /// Open exits and other growth state.
    pub frontier: Frontier,
}

impl PlannedFloor {
    /// Returns `true` if the limits on unexplored exits apply to the floor.
    pub fn is_budgeted(&self) -> bool {
        self.kind.layout.as_ref().is_some_and(|layout| layout.is_budgeted())
    }
}

/// A planned branch.
#[derive(Clone, Debug)]
pub struct PlannedBranch {
    /// Seed, level type and settings from which the branch is generated.
    pub spec: BranchSpec,
    /// Rooms in the order of their creation.
    pub rooms: Vec<PlannedRoom>,
    index: BTreeMap<(u32, Point), usize>,
    /// Floors, the first floor first; empty until the start exit is taken.
    pub floors: Vec<PlannedFloor>,
    memory: BranchMemory,
    /// Puzzle gates entered, each with the number of rooms that existed before.
    pub(super) gates: Vec<(usize, BranchMove)>,
}

/// Maximum number of extra rooms that a walk opens on a floor to find the stairs down.
const STAIRS_PATIENCE: u32 = 10_000;

/// A random walk that opens unexplored exits with equal probability. The first exit leads out of the start room.
pub(super) struct BranchWalk {
    dice: Rng,
    /// Number of floors to walk.
    floors: u32,
}

/// Progress of a walk on one floor.
#[derive(Clone, Copy)]
pub(super) struct FloorProgress {
    /// Floor number.
    pub(super) floor: u32,
    /// Number of rooms opened.
    pub(super) opened: u32,
    /// Number of rooms to open.
    pub(super) wanted: u32,
}

impl BranchWalk {
    pub(super) fn new(seed: Seed, floors: u32) -> Self {
        Self { dice: seed.named("walk").rng(), floors }
    }

    /// Picks the start exit.
    pub(super) fn enter(&mut self) -> Direction {
        self.dice.pick(&Direction::PLANE).copied().unwrap_or(Direction::North)
    }

    /// Picks the exit to open next on a floor. The walk continues past the wanted rooms to find the stairs to the next
    /// floor. Returns `None` when the walk of the floor is complete or no exit is open.
    pub(super) fn next(
        &mut self,
        progress: FloorProgress,
        frontier: &Frontier,
    ) -> Option<(Point, Direction)> {
        let FloorProgress { floor, opened, wanted } = progress;
        let done = floor >= self.floors || frontier.has_stairs();
        let most = if done { wanted } else { wanted.saturating_add(STAIRS_PATIENCE) };
        let last = frontier.open_count().checked_sub(1).filter(|_| opened < most)?;
        frontier.open_exits().nth(self.dice.up_to(last) as usize)
    }
}

impl PlannedBranch {
    /// Creates a branch without rooms.
    pub fn new(spec: BranchSpec) -> Self {
        Self {
            spec,
            rooms: Vec::new(),
            index: BTreeMap::new(),
            floors: Vec::new(),
            memory: BranchMemory::default(),
            gates: Vec::new(),
        }
    }

    /// Generates a branch by a seeded walk that opens `rooms` rooms on each of `floors` floors. Finding the stairs down
    /// may take more rooms; a floor that closes without stairs ends the walk.
    pub fn walk(spec: BranchSpec, catalog: &Catalog, rooms: u32, floors: u32) -> Self {
        let mut walk = BranchWalk::new(spec.seed, floors);
        let mut branch = Self::new(spec);
        for number in 1..=floors {
            if number == 1 {
                let entry = walk.enter();
                branch.open(catalog, Point::ORIGIN, entry);
            } else if !branch.descend(catalog) {
                break;
            }
            for opened in 1.. {
                let Some(floor) = branch.floors.last() else { break };
                let progress = FloorProgress { floor: number, opened, wanted: rooms };
                let Some((from, direction)) = walk.next(progress, &floor.frontier) else { break };
                branch.open(catalog, from, direction);
            }
        }
        branch
    }

    /// Opens the room behind an unexplored exit of the last floor, as a player does by walking there. The first room is
    /// behind an exit of the start room. Returns `false` if no room is generated.
    pub fn open(&mut self, catalog: &Catalog, from: Point, direction: Direction) -> bool {
        self.open_on(catalog, self.floor().max(1), from, direction)
    }

    /// Same as [`open`](Self::open), on any floor.
    pub(super) fn open_on(
        &mut self,
        catalog: &Catalog,
        floor: u32,
        from: Point,
        direction: Direction,
    ) -> bool {
        if self.floors.is_empty() {
            let Some(kind) = catalog.level_type(&self.spec.level_type) else { return false };
            self.add_floor(catalog, Arc::clone(kind), 1, Some(direction));
        }
        let exit = self.at(floor, from).and_then(|room| room.exits.get(&direction));
        let way = UnexploredExit { from, direction, ominous: exit.is_some_and(|exit| exit.ominous) };
        self.make(catalog, way, (floor, from), floor)
    }

    /// Takes the oldest stairs down of the deepest floor, which creates the first room of a new floor. Returns `false`
    /// if the floor has no stairs.
    pub fn descend(&mut self, catalog: &Catalog) -> bool {
        let above = self.floor();
        let Some(from) = self.stairs_of(above) else { return false };
        self.descend_at(catalog, above, from)
    }

    /// Takes the unused stairs down of a room.
    pub(super) fn descend_at(&mut self, catalog: &Catalog, above: u32, from: Point) -> bool {
        let portal = self.at(above, from).filter(|room| room.plan.has_stairs());
        let Some(portal) = portal.and_then(|room| room.plan.portal.as_ref()) else { return false };
        let dungeon_level = self.on(above).map_or(1, |floor| floor.dungeon_level.saturating_add(1));
        let Some(kind) = catalog.level_type(&portal.level_type) else { return false };
        self.add_floor(catalog, Arc::clone(kind), dungeon_level, None);
        self.make(catalog, UnexploredExit::DOWN, (above, from), self.floor())
    }

    /// Records that a puzzle was entered. The puzzle takes a floor number, but its rooms do not use the random streams
    /// of the branch.
    pub(super) fn pass_gate(&mut self, gate: BranchMove) {
        let Some(floor) = self.on(gate.floor) else { return };
        let (dungeon_level, kind, number) = (floor.dungeon_level, Arc::clone(&floor.kind), self.floor() + 1);
        self.floors.push(PlannedFloor { dungeon_level, kind, plan: None, frontier: Frontier::new(number) });
        self.gates.push((self.rooms.len(), gate));
    }

    fn on(&self, floor: u32) -> Option<&PlannedFloor> {
        self.floors.get((floor as usize).checked_sub(1)?)
    }

    /// Returns the coordinates of the oldest stairs down of a floor.
    fn stairs_of(&self, floor: u32) -> Option<Point> {
        let mut rooms = self.rooms.iter().filter(|room| room.floor == floor && room.plan.has_stairs());
        rooms.next().map(|room| room.plan.at)
    }

    fn add_floor(
        &mut self,
        catalog: &Catalog,
        kind: Arc<LevelType>,
        dungeon_level: u32,
        entry: Option<Direction>,
    ) {
        let number = self.floor() + 1;
        let spec = FloorSpec { number, dungeon_level, kind: &kind };
        let plan = Walker::new(&self.spec, catalog, &mut self.memory).add_floor(spec, entry);
        let plan = plan.unwrap_or_default();
        self.floors.push(PlannedFloor { dungeon_level, kind, plan, frontier: Frontier::new(number) });
    }

    /// Creates a room on floor `number`, behind an exit given by the floor and coordinates of its room.
    fn make(&mut self, catalog: &Catalog, way: UnexploredExit, from: (u32, Point), number: u32) -> bool {
        let at = (number as usize).checked_sub(1);
        let Some(floor) = at.and_then(|at| self.floors.get_mut(at)) else { return false };
        let PlannedFloor { dungeon_level, ref kind, plan: ref whole, ref mut frontier } = *floor;
        let spec = FloorSpec { number, dungeon_level, kind };
        let opened =
            Walker::new(&self.spec, catalog, &mut self.memory).open(spec, whole.as_ref(), frontier, way);
        let Some(Opened { plan, .. }) = opened else { return false };
        self.resolve(from, way.direction, (number, plan.at), ExitState::Open);
        for (from, direction) in &plan.joined {
            self.join((number, *from), *direction, (number, plan.at), ExitState::OneWay);
        }
        for side in &plan.met {
            let there = (number, plan.at.step(*side));
            self.join(there, side.opposite(), (number, plan.at), ExitState::Open);
        }
        self.add(number, plan, (from.1, way.direction), from.0);
        true
    }

    fn add(&mut self, floor: u32, plan: RoomPlan, made_by: (Point, Direction), made_on: u32) {
        let (from, direction) = made_by;
        let unexplored = |exit: &Direction| {
            let ominous = plan.omens.contains_key(exit);
            PlannedExit { to: None, to_floor: floor, state: ExitState::Unexplored, back: false, ominous }
        };
        let mut exits: BTreeMap<_, _> = plan.new_exits.iter().map(|exit| (*exit, unexplored(exit))).collect();
        let back = PlannedExit {
            to: Some(from),
            to_floor: made_on,
            state: ExitState::Open,
            back: true,
            ominous: false,
        };
        exits.insert(direction.opposite(), back);
        let back = PlannedExit { to_floor: floor, ..back };
        for side in &plan.met {
            exits.insert(*side, PlannedExit { to: Some(plan.at.step(*side)), back: false, ..back });
        }
        if let Some(portal) = &plan.portal {
            // Placeholder: open, but without a destination until a player takes it.
            exits.insert(portal.direction, PlannedExit { to: None, back: false, ..back });
        }
        self.index.insert((floor, plan.at), self.rooms.len());
        self.rooms.push(PlannedRoom { floor, plan, made_by, made_on, exits });
    }

    /// Links an older exit to a room that another exit created. Its sign is removed, because it announced a different
    /// room.
    fn join(&mut self, from: (u32, Point), direction: Direction, to: (u32, Point), state: ExitState) {
        self.resolve(from, direction, to, state);
        let room = self.index.get(&from).and_then(|index| self.rooms.get_mut(*index));
        if let Some(exit) = room.and_then(|room| room.exits.get_mut(&direction)) {
            exit.ominous = false;
        }
    }

    fn resolve(&mut self, from: (u32, Point), direction: Direction, to: (u32, Point), state: ExitState) {
        let room = self.index.get(&from).and_then(|index| self.rooms.get_mut(*index));
        if let Some(exit) = room.and_then(|room| room.exits.get_mut(&direction)) {
            (exit.to_floor, exit.to) = (to.0, Some(to.1));
            exit.state = state;
        }
    }

    /// Returns the number of the last floor.
    pub fn floor(&self) -> u32 {
        u32::try_from(self.floors.len()).unwrap_or(u32::MAX)
    }

    /// Returns the room at a place of a floor.
    pub fn at(&self, floor: u32, place: Point) -> Option<&PlannedRoom> {
        self.index.get(&(floor, place)).and_then(|index| self.rooms.get(*index))
    }

    /// Returns the number of a room in dumps: the start is 1, and the rooms follow in the order of creation.
    pub(super) fn number(&self, floor: u32, place: Point) -> u32 {
        self.index.get(&(floor, place)).map_or(1, |index| u32::try_from(index + 2).unwrap_or(u32::MAX))
    }

    /// Returns the plan of a floor that is generated whole.
    pub(super) fn plan_of(&self, floor: u32) -> Option<&FloorPlan> {
        self.floors.get((floor as usize).checked_sub(1)?)?.plan.as_ref()
    }

    /// Returns the name of the level type of a floor.
    pub(super) fn kind_of(&self, floor: u32) -> &str {
        let floor = (floor as usize).checked_sub(1).and_then(|at| self.floors.get(at));
        floor.map_or("", |floor| floor.kind.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn well(seed: u64) -> (Catalog, BranchSpec) {
        let catalog = Catalog::builtin();
        let spec = BranchSpec::of(&catalog, "well", Seed(seed));
        (catalog, spec)
    }

    #[test]
    fn c3_e1_same_seed_gives_same_bytes() {
        let (catalog, spec) = well(5);
        let bytes = |spec: &BranchSpec| {
            serde_json::to_string(&PlannedBranch::walk(spec.clone(), &catalog, 120, 1).dump()).unwrap()
        };
        assert_eq!(bytes(&spec), bytes(&spec));
        assert_ne!(bytes(&spec), bytes(&BranchSpec { seed: Seed(6), ..spec.clone() }));
    }

    /// A branch that is stored and loaded between any two rooms grows exactly like one that stays in memory.
    #[test]
    fn c3_d9_rebuilt_frontier_grows_the_same_branch() {
        let (catalog, spec) = well(11);
        let whole = PlannedBranch::walk(spec.clone(), &catalog, 150, 1);
        let mut stored = PlannedBranch::new(spec);
        for room in &whole.rooms {
            stored.open(&catalog, room.made_by.0, room.made_by.1);
            let rooms = stored.rooms.iter().map(|room| room.plan.at);
            let has_stairs = stored.rooms.iter().any(|room| room.plan.has_stairs());
            let mut rebuilt = Frontier::rebuild(1, rooms, stored.floors[0].frontier.open_exits(), has_stairs);
            for room in stored.rooms.iter().filter(|room| room.plan.sheet.kind.has_mechanism()) {
                rebuilt.note_mechanism(room.plan.at);
            }
            stored.floors[0].frontier = rebuilt;
            let recent = serde_json::to_string(&stored.memory.recent).unwrap();
            stored.memory.recent = serde_json::from_str(&recent).unwrap();
        }
        assert_eq!(stored.rooms, whole.rooms);
    }

    /// Different settings give different shares of dead ends.
    #[test]
    fn e4_e14_settings_change_the_share_of_dead_ends() {
        let (catalog, narrow) = well(2);
        let mut wide = narrow.clone();
        wide.settings.max_unexplored_exits = 12;
        wide.settings.max_new_exits_per_room = 3;
        let dead_ends = |spec| {
            let branch = PlannedBranch::walk(spec, &catalog, 200, 1);
            branch.rooms.iter().filter(|room| room.plan.new_exits.is_empty()).count()
        };
        let (narrow, wide) = (dead_ends(narrow), dead_ends(wide));
        assert!(narrow.abs_diff(wide) >= 10, "{narrow} and {wide} of 200");
    }
}

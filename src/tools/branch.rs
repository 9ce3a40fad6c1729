//! A branch as a value, grown by a seeded random walk over its open exits and down its stairs: what the command
//! line shows and tests look at. A live branch grows by the same calls, one for each exit that somebody walks.

use crate::base::{Dice, Direction, ExitState, Point, Rng, Seed};
use crate::catalog::Catalog;
use crate::dungeon::moves::Move;
use crate::dungeon::{BranchSpec, FloorSpec, Frontier, Memory, Opened, RoomPlan, Walker, Way};
use crate::level::{FloorPlan, LevelType};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A room of a planned branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRoom {
    /// The floor it is on, from 1.
    pub floor: u32,
    /// What was fixed when it was made.
    pub plan: RoomPlan,
    /// The exit that made it: the place it stands at and its direction. Stairs down stand on the floor above.
    pub made_by: (Point, Direction),
    /// The floor which that exit stands on.
    pub made_on: u32,
    /// Its exits.
    pub exits: BTreeMap<Direction, PlannedExit>,
}

/// An exit of a planned room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedExit {
    /// The place it leads to; none as long as nobody has taken it.
    pub to: Option<Point>,
    /// The floor which that place is on; its own while it leads nowhere.
    pub to_floor: u32,
    /// What can be said of it.
    pub state: ExitState,
    /// Whether it leads back the way the room was made.
    pub back: bool,
    /// Whether a sign stands beside it; what it says is in the plan of its room.
    pub ominous: bool,
}

/// A floor of a planned branch.
#[derive(Clone, Debug)]
pub struct PlannedFloor {
    /// The dungeon level.
    pub dungeon_level: u32,
    /// Its level type.
    pub kind: Arc<LevelType>,
    /// All of it, if it is made whole.
    pub plan: Option<FloorPlan>,
    /// Its edge.
    pub frontier: Frontier,
}

impl PlannedFloor {
    /// Whether the budgets of unexplored exits bind it.
    pub fn is_budgeted(&self) -> bool {
        self.kind.layout.as_ref().is_some_and(|layout| layout.is_budgeted())
    }
}

/// A branch.
#[derive(Clone, Debug)]
pub struct PlannedBranch {
    /// What it was made by.
    pub spec: BranchSpec,
    /// Its rooms in the order they were made.
    pub rooms: Vec<PlannedRoom>,
    index: BTreeMap<(u32, Point), usize>,
    /// Its floors, the first one first; none before somebody has taken the start exit.
    pub floors: Vec<PlannedFloor>,
    memory: Memory,
    /// The gates of puzzles that were passed, each with how many rooms there were before.
    pub(super) gates: Vec<(usize, Move)>,
}

/// How many rooms more than it was asked for a walk opens on a floor to find the stairs down.
const STAIRS_PATIENCE: u32 = 10_000;

/// A walk that opens one unexplored exit after another, each alike; the first leads out of the start.
pub(super) struct Walk {
    dice: Rng,
    /// How many floors it goes to.
    floors: u32,
}

impl Walk {
    pub(super) fn new(seed: Seed, floors: u32) -> Self {
        Self { dice: seed.named("walk").rng(), floors }
    }

    /// The start exit that is taken.
    pub(super) fn enter(&mut self) -> Direction {
        self.dice.pick(&Direction::PLANE).copied().unwrap_or(Direction::North)
    }

    /// The exit to open next on a floor where `made` rooms were opened and `rooms` are asked for; more where it takes more
    /// to find the stairs to the next floor. None if there are enough of them, or if the floor has closed.
    pub(super) fn next(
        &mut self,
        floor: u32,
        (made, rooms): (u32, u32),
        frontier: &Frontier,
    ) -> Option<(Point, Direction)> {
        let done = floor >= self.floors || frontier.has_stairs();
        let most = if done { rooms } else { rooms.saturating_add(STAIRS_PATIENCE) };
        let last = frontier.open_count().checked_sub(1).filter(|_| made < most)?;
        frontier.open_exits().nth(self.dice.up_to(last) as usize)
    }
}

impl PlannedBranch {
    /// A branch without rooms.
    pub fn new(spec: BranchSpec) -> Self {
        Self {
            spec,
            rooms: Vec::new(),
            index: BTreeMap::new(),
            floors: Vec::new(),
            memory: Memory::default(),
            gates: Vec::new(),
        }
    }

    /// A branch in which a seeded walk has opened this many rooms on each of so many floors, more where it takes more
    /// to find the stairs down, and fewer floors if one has closed without stairs.
    pub fn walk(spec: BranchSpec, catalog: &Catalog, rooms: u32, floors: u32) -> Self {
        let mut walk = Walk::new(spec.seed, floors);
        let mut branch = Self::new(spec);
        for number in 1..=floors {
            if number == 1 {
                let entry = walk.enter();
                branch.open(catalog, Point::ORIGIN, entry);
            } else if !branch.descend(catalog) {
                break;
            }
            for made in 1.. {
                let Some(floor) = branch.floors.last() else { break };
                let Some((from, direction)) = walk.next(number, (made, rooms), &floor.frontier) else {
                    break;
                };
                branch.open(catalog, from, direction);
            }
        }
        branch
    }

    /// Opens the room behind an unexplored exit of the floor made last, as somebody does who walks there. The first room
    /// is behind an exit of the start room. False if there is nothing behind it.
    pub fn open(&mut self, catalog: &Catalog, from: Point, direction: Direction) -> bool {
        self.open_on(catalog, self.floor().max(1), from, direction)
    }

    /// The same on any floor.
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
        let way = Way { from, direction, ominous: exit.is_some_and(|exit| exit.ominous) };
        self.make(catalog, way, (floor, from), floor)
    }

    /// Takes the stairs of the deepest floor that were made first: the first room of another floor comes to be.
    /// False if there are none.
    pub fn descend(&mut self, catalog: &Catalog) -> bool {
        let above = self.floor();
        let Some(from) = self.stairs_of(above) else { return false };
        self.descend_at(catalog, above, from)
    }

    /// Takes the stairs down of a room, which nobody has taken.
    pub(super) fn descend_at(&mut self, catalog: &Catalog, above: u32, from: Point) -> bool {
        let portal = self.at(above, from).filter(|room| room.plan.has_stairs());
        let Some(portal) = portal.and_then(|room| room.plan.portal.as_ref()) else { return false };
        let dungeon_level = self.on(above).map_or(1, |floor| floor.dungeon_level.saturating_add(1));
        let Some(kind) = catalog.level_type(&portal.level_type) else { return false };
        self.add_floor(catalog, Arc::clone(kind), dungeon_level, None);
        self.make(catalog, Way::DOWN, (above, from), self.floor())
    }

    /// A puzzle was entered: its floor has a number, but its rooms are no part of the branch's own dice.
    pub(super) fn pass_gate(&mut self, gate: Move) {
        let Some(floor) = self.on(gate.floor) else { return };
        let (dungeon_level, kind, number) = (floor.dungeon_level, Arc::clone(&floor.kind), self.floor() + 1);
        self.floors.push(PlannedFloor { dungeon_level, kind, plan: None, frontier: Frontier::new(number) });
        self.gates.push((self.rooms.len(), gate));
    }

    fn on(&self, floor: u32) -> Option<&PlannedFloor> {
        self.floors.get((floor as usize).checked_sub(1)?)
    }

    /// Where the stairs down of a floor are that were made first.
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

    /// Makes the room behind an exit, given by floor and place of the room that it stands in, on a floor.
    fn make(&mut self, catalog: &Catalog, way: Way, from: (u32, Point), number: u32) -> bool {
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
            // A proxy: open, but leading nowhere until somebody takes it.
            exits.insert(portal.direction, PlannedExit { to: None, back: false, ..back });
        }
        self.index.insert((floor, plan.at), self.rooms.len());
        self.rooms.push(PlannedRoom { floor, plan, made_by, made_on, exits });
    }

    /// An older exit that leads to a room which another exit has made: what its sign announced is not there.
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

    /// The number of the floor made last.
    pub fn floor(&self) -> u32 {
        u32::try_from(self.floors.len()).unwrap_or(u32::MAX)
    }

    /// The room at a place of a floor.
    pub fn at(&self, floor: u32, place: Point) -> Option<&PlannedRoom> {
        self.index.get(&(floor, place)).and_then(|index| self.rooms.get(*index))
    }

    /// The number of the room at a place, as a dump counts them: the start is 1, the others follow in their order.
    pub(super) fn number(&self, floor: u32, place: Point) -> u32 {
        self.index.get(&(floor, place)).map_or(1, |index| u32::try_from(index + 2).unwrap_or(u32::MAX))
    }

    /// All of a floor, if it is made whole.
    pub(super) fn plan_of(&self, floor: u32) -> Option<&FloorPlan> {
        self.floors.get((floor as usize).checked_sub(1)?)?.plan.as_ref()
    }

    /// The level type of a floor by name.
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

    /// C3, E1: the same seed gives the same bytes, another seed others.
    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let (catalog, spec) = well(5);
        let bytes = |spec: &BranchSpec| {
            serde_json::to_string(&PlannedBranch::walk(spec.clone(), &catalog, 120, 1).dump()).unwrap()
        };
        assert_eq!(bytes(&spec), bytes(&spec));
        assert_ne!(bytes(&spec), bytes(&BranchSpec { seed: Seed(6), ..spec.clone() }));
    }

    /// C3, D9: a branch that is stored and read again between any two rooms grows on the same.
    #[test]
    fn a_rebuilt_frontier_grows_the_same_branch() {
        let (catalog, spec) = well(11);
        let whole = PlannedBranch::walk(spec.clone(), &catalog, 150, 1);
        let mut stored = PlannedBranch::new(spec);
        for room in &whole.rooms {
            stored.open(&catalog, room.made_by.0, room.made_by.1);
            let rooms = stored.rooms.iter().map(|room| room.plan.at);
            let has_stairs = stored.rooms.iter().any(|room| room.plan.has_stairs());
            let mut rebuilt = Frontier::rebuild(1, rooms, stored.floors[0].frontier.open_exits(), has_stairs);
            for room in stored.rooms.iter().filter(|room| room.plan.kind.has_mechanism()) {
                rebuilt.note_mechanism(room.plan.at);
            }
            stored.floors[0].frontier = rebuilt;
            let recent = serde_json::to_string(&stored.memory.recent).unwrap();
            stored.memory.recent = serde_json::from_str(&recent).unwrap();
        }
        assert_eq!(stored.rooms, whole.rooms);
    }

    /// E4: two settings, two shares of dead ends; E14: greater budgets sprawl.
    #[test]
    fn settings_change_the_shape() {
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

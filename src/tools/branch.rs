//! A branch as a value, grown by a seeded random walk over its open exits and down its stairs: what the command
//! line shows and tests look at. A live branch grows by the same calls, one for each exit that somebody walks.

use crate::base::{Dice, Direction, Point, Rng, Seed};
use crate::base::{ExitState, RoomKind};
use crate::catalog::Catalog;
use crate::dungeon::dump::{self, BranchDump, ExitDump, FloorDump, MadeBy, RoomDump};
use crate::dungeon::map::{self, MapExit, MapRoom};
use crate::dungeon::moves::Move;
use crate::dungeon::{BranchSpec, Frontier, OnFloor, Recent, RoomPlan, Way, open_room, plan_floor};
use crate::level::{FloorPlan, LevelType, Portal};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
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
    pub level: u32,
    /// What kind of level it is.
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
    /// The unique portals that it has.
    used: BTreeSet<String>,
    /// What it remembers of the rooms made last.
    recent: Recent,
    /// The gates of puzzles that were passed, each with how many rooms there were before.
    pub(super) gates: Vec<(usize, Move)>,
}

/// How many rooms more than it was asked for a walk opens on a floor to find the stairs down.
pub(super) const STAIRS_PATIENCE: u32 = 10_000;

/// A walk that opens one unexplored exit after another, each alike; the first leads out of the start.
pub(super) struct Walk(Rng);

impl Walk {
    pub(super) fn new(seed: Seed) -> Self {
        Self(seed.named("walk").rng())
    }

    /// The start exit that is taken.
    pub(super) fn enter(&mut self) -> Direction {
        self.0.pick(&Direction::PLANE).copied().unwrap_or(Direction::North)
    }

    /// The exit to open next; none if the floor has closed.
    pub(super) fn next(&mut self, frontier: &Frontier) -> Option<(Point, Direction)> {
        let last = frontier.open_count().checked_sub(1)?;
        frontier.open_exits().nth(self.0.up_to(last) as usize)
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
            used: BTreeSet::new(),
            recent: Recent::default(),
            gates: Vec::new(),
        }
    }

    /// A branch in which a seeded walk has opened this many rooms, or fewer if it closed before.
    pub fn walk(spec: BranchSpec, catalog: &Catalog, rooms: u32) -> Self {
        Self::walk_down(spec, catalog, rooms, 1)
    }

    /// A branch in which a seeded walk has opened this many rooms on each of so many floors, more where it takes more
    /// to find the stairs down, and fewer floors if one has closed without stairs.
    pub fn walk_down(spec: BranchSpec, catalog: &Catalog, rooms: u32, floors: u32) -> Self {
        let mut walk = Walk::new(spec.seed);
        let mut branch = Self::new(spec);
        for floor in 1..=floors {
            if floor == 1 {
                let entry = walk.enter();
                branch.open(catalog, Point::ORIGIN, entry);
            } else if !branch.descend(catalog) {
                break;
            }
            let most = if floor < floors { rooms.saturating_add(STAIRS_PATIENCE) } else { rooms };
            let mut made = 1;
            while made < rooms || made < most && branch.stairs_of(branch.floor()).is_none() {
                let Some(floor) = branch.floors.last() else { break };
                let Some((from, direction)) = walk.next(&floor.frontier) else { break };
                branch.open(catalog, from, direction);
                made += 1;
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
            let Some(kind) = catalog.level(&self.spec.level) else { return false };
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
        let level = self.on(above).map_or(1, |floor| floor.level.saturating_add(1));
        let Some(kind) = catalog.level(&portal.level_type) else { return false };
        self.add_floor(catalog, Arc::clone(kind), level, None);
        self.make(catalog, Way::DOWN, (above, from), self.floor())
    }

    /// A puzzle was entered: its floor has a number, but its rooms are no part of the branch's own dice.
    pub(super) fn pass_gate(&mut self, gate: Move) {
        let Some(floor) = self.on(gate.floor) else { return };
        let (level, kind, number) = (floor.level, Arc::clone(&floor.kind), self.floor() + 1);
        self.floors.push(PlannedFloor { level, kind, plan: None, frontier: Frontier::new(number) });
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

    fn add_floor(&mut self, catalog: &Catalog, kind: Arc<LevelType>, level: u32, entry: Option<Direction>) {
        let number = self.floor() + 1;
        let on = OnFloor { number, level, kind: &kind, plan: None, used: &self.used };
        let plan = plan_floor(&self.spec, catalog, on, entry).unwrap_or_default();
        if let Some(plan) = &plan {
            self.used.extend(plan.portals().filter_map(|(_, portal)| portal.unique_key()).map(str::to_owned));
        }
        self.floors.push(PlannedFloor { level, kind, plan, frontier: Frontier::new(number) });
    }

    /// Makes the room behind an exit, given by floor and place of the room that it stands in, on a floor.
    fn make(&mut self, catalog: &Catalog, way: Way, from: (u32, Point), number: u32) -> bool {
        let index = self.made();
        let at = (number as usize).checked_sub(1);
        let Some(floor) = at.and_then(|at| self.floors.get_mut(at)) else { return false };
        let on = OnFloor {
            number,
            level: floor.level,
            kind: &floor.kind,
            plan: floor.plan.as_ref(),
            used: &self.used,
        };
        let recent = &mut self.recent;
        let Some(plan) = open_room(&self.spec, catalog, &mut floor.frontier, on, way, index, recent) else {
            return false;
        };
        self.used.extend(plan.portal.as_ref().and_then(Portal::unique_key).map(str::to_owned));
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

    /// How many rooms were made, on all floors.
    fn made(&self) -> u32 {
        u32::try_from(self.rooms.len()).unwrap_or(u32::MAX)
    }

    /// The number of the floor made last.
    pub fn floor(&self) -> u32 {
        u32::try_from(self.floors.len()).unwrap_or(u32::MAX)
    }

    /// The room at a place of a floor.
    pub fn at(&self, floor: u32, place: Point) -> Option<&PlannedRoom> {
        self.index.get(&(floor, place)).and_then(|index| self.rooms.get(*index))
    }

    /// The branch in the form of interface section 7. The start room has the number 1, the rooms follow in the
    /// order they were made; times and members are those of a branch nobody has opened: none.
    pub fn dump(&self) -> BranchDump {
        BranchDump {
            branch: 0,
            name: format!("{} {}", self.spec.theme, self.spec.seed),
            seed: self.spec.seed.0,
            generator: self.spec.generator.clone(),
            theme: self.spec.theme.clone(),
            level: self.spec.level.clone(),
            moves: self.moves(),
            start_room: 1,
            opened_at: None,
            window_ends_at: None,
            last_updated_at: None,
            max_unexplored_exits: self.spec.settings.max_unexplored_exits,
            max_new_exits_per_room: self.spec.settings.max_new_exits_per_room,
            finishable: self.spec.settings.finishable,
            greatest_depth: self.rooms.iter().map(|room| room.plan.depth).max().unwrap_or(0),
            members: Vec::new(),
            floors: (1..=self.floor()).map(|floor| self.dump_floor(floor)).collect(),
        }
    }

    fn number(&self, floor: u32, place: Point) -> u32 {
        self.index.get(&(floor, place)).map_or(1, |index| u32::try_from(index + 2).unwrap_or(u32::MAX))
    }

    fn dump_floor(&self, floor: u32) -> FloorDump {
        let rooms = self.rooms.iter().filter(|room| room.floor == floor);
        FloorDump {
            floor,
            kind: self.kind_of(floor).to_owned(),
            rooms: rooms.map(|room| self.dump_room(room)).collect(),
        }
    }

    fn kind_of(&self, floor: u32) -> &str {
        let floor = (floor as usize).checked_sub(1).and_then(|at| self.floors.get(at));
        floor.map_or("", |floor| floor.kind.name.as_str())
    }

    fn dump_room(&self, room: &PlannedRoom) -> RoomDump {
        let untaken =
            |dir: Direction, exit: &PlannedExit| !Direction::PLANE.contains(&dir) && exit.to.is_none();
        let exits =
            room.exits.iter().filter(|(dir, exit)| !untaken(**dir, exit)).map(|(dir, exit)| ExitDump {
                dir: *dir,
                to: exit.to.map(|place| self.number(exit.to_floor, place)),
                state: exit.state,
                back: exit.back,
                omen: room.plan.omens.get(dir).filter(|_| exit.ominous).cloned(),
            });
        let (from, dir) = room.made_by;
        RoomDump {
            num: self.number(room.floor, room.plan.at),
            x: room.plan.at.x,
            y: room.plan.at.y,
            depth: room.plan.depth,
            difficulty: room.plan.difficulty,
            kind: room.plan.kind.name().to_owned(),
            name: room.plan.name.clone(),
            description: room.plan.description.clone(),
            clear: room.plan.clear,
            tags: dump::tags(room.plan.clear, room.plan.has_stairs(), room.plan.out_of_depth),
            made_by_exit: Some(MadeBy { room: self.number(room.made_on, from), dir }),
            exits: exits.collect(),
            creatures: room.plan.challenge.creatures.clone(),
            creature_states: Vec::new(),
            items: room.plan.challenge.items.clone(),
        }
    }

    /// The rooms of a floor for a picture: on the first the start too, and each room marked by what is in it.
    pub fn map_rooms(&self, floor: u32) -> Vec<MapRoom> {
        let first = self.rooms.first().filter(|_| floor == 1).map(|room| room.made_by.1);
        let start = first.map(|direction| MapRoom {
            at: Point::ORIGIN,
            mark: 'S',
            exits: vec![MapExit { direction, state: ExitState::Open }],
        });
        let rooms = self.rooms.iter().filter(|room| room.floor == floor).map(|room| MapRoom {
            at: room.plan.at,
            mark: mark(room),
            exits: room
                .exits
                .iter()
                .map(|(direction, exit)| MapExit { direction: *direction, state: exit.state })
                .collect(),
        });
        start.into_iter().chain(rooms).collect()
    }

    /// The rooms of all floors for one picture, each floor below the one before it.
    pub fn all_map_rooms(&self) -> Vec<MapRoom> {
        let mut all: Vec<MapRoom> = Vec::new();
        for floor in 1..=self.floor() {
            let rooms = self.map_rooms(floor);
            let top = rooms.iter().map(|room| room.at.y).max().unwrap_or(0);
            let shift = all.iter().map(|room| room.at.y).min().map_or(0, |bottom| bottom - 3 - top);
            let lowered = |room: MapRoom| MapRoom { at: Point::new(room.at.x, room.at.y + shift), ..room };
            all.extend(rooms.into_iter().map(lowered));
        }
        all
    }

    /// What a person wants to see of it: a picture of each floor, the legend, and each room on a line.
    pub fn page(&self) -> String {
        let settings = self.spec.settings;
        let open: u32 = self.floors.iter().map(|floor| floor.frontier.open_count()).sum();
        let mut head = format!(
            "level type {}, theme {}, generator {}, seed {}, {} rooms; {open} exits unexplored",
            self.spec.level,
            self.spec.theme,
            self.spec.generator,
            self.spec.seed,
            self.rooms.len(),
        );
        if self.floors.first().is_some_and(PlannedFloor::is_budgeted) {
            let each = if self.floor() > 1 { " on a floor" } else { "" };
            let (most, new) = (settings.max_unexplored_exits, settings.max_new_exits_per_room);
            let _ = write!(head, ", at most {most}{each}; at most {new} new in a room");
        }
        let mut lines = vec![head];
        let mut shown = Vec::new();
        for floor in 1..=self.floor() {
            lines.push(String::new());
            if self.floor() > 1 {
                lines.push(format!("Dungeon level {floor}, {}:", self.kind_of(floor)));
            }
            let rooms = self.map_rooms(floor);
            lines.extend(map::picture(&rooms, None));
            shown.extend(rooms);
        }
        lines.push(String::new());
        lines.extend(map::legend(&shown, &MARKS));
        lines.push(String::new());
        lines.extend(self.rooms.iter().enumerate().map(|(number, room)| self.line(number + 1, room)));
        lines.join("\n") + "\n"
    }

    /// A room on a line.
    fn line(&self, number: usize, room: &PlannedRoom) -> String {
        let RoomPlan { at, depth, name, challenge, out_of_depth, .. } = &room.plan;
        let warned = if *out_of_depth { ", out of depth" } else { "" };
        let stairs = match &room.plan.portal {
            Some(portal) if portal.exits_dungeon => "way out",
            Some(portal) if portal.direction == Direction::Down => "stairs down",
            _ => "",
        };
        let held = [stairs, &challenge.creatures.join(", "), &challenge.items.join(", ")];
        let held: Vec<&str> = held.into_iter().filter(|list| !list.is_empty()).collect();
        let held = if held.is_empty() { String::new() } else { format!(": {}", held.join("; ")) };
        let level = if self.floor() > 1 { format!("level {} ", room.floor) } else { String::new() };
        format!("{number:3} {level}{at} depth {depth}{warned}, {} {name}{held}", room.plan.kind.name())
    }
}

/// What the marks of [`PlannedBranch::map_rooms`] mean.
pub const MARKS: [(char, &str); 18] = [
    ('S', "the start"),
    ('o', "a room with nothing in the way"),
    ('m', "a room with monsters in the way"),
    ('h', "a room with a hint"),
    ('l', "a room with a stuck lever"),
    ('g', "a room with a gate to a puzzle"),
    ('t', "a room with treasure"),
    ('k', "a corridor with nothing in the way"),
    ('a', "a chamber with nothing in the way"),
    ('D', "a room with stairs down"),
    ('X', "a room with a way out of the dungeon"),
    ('U', "the stairs up"),
    ('c', "a room with a captive behind monsters"),
    ('z', "a room to rest in"),
    ('b', "a room with a merchant"),
    ('p', "a room with a shrine"),
    ('r', "a room with a riddle"),
    ('*', "a landmark"),
];

fn mark(room: &PlannedRoom) -> char {
    let plan = &room.plan;
    match plan.kind {
        _ if plan.has_stairs() => 'D',
        _ if plan.portal.as_ref().is_some_and(|portal| portal.exits_dungeon) => 'X',
        _ if room.made_by.1 == Direction::Down => 'U',
        RoomKind::Hint => 'h',
        RoomKind::Puzzle if plan.challenge.puzzle.is_some() => 'g',
        RoomKind::Puzzle => 'l',
        RoomKind::Treasure => 't',
        RoomKind::Rescue => 'c',
        RoomKind::Rest => 'z',
        RoomKind::Merchant => 'b',
        RoomKind::Shrine => 'p',
        RoomKind::Riddle => 'r',
        RoomKind::Landmark => '*',
        RoomKind::Corridor if plan.clear => 'k',
        RoomKind::Chamber if plan.clear => 'a',
        _ if plan.clear => 'o',
        _ => 'm',
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
            serde_json::to_string(&PlannedBranch::walk(spec.clone(), &catalog, 120).dump()).unwrap()
        };
        assert_eq!(bytes(&spec), bytes(&spec));
        assert_ne!(bytes(&spec), bytes(&BranchSpec { seed: Seed(6), ..spec.clone() }));
    }

    /// C3, D9: a branch that is stored and read again between any two rooms grows on the same.
    #[test]
    fn a_rebuilt_frontier_grows_the_same_branch() {
        let (catalog, spec) = well(11);
        let whole = PlannedBranch::walk(spec.clone(), &catalog, 150);
        let mut stored = PlannedBranch::new(spec);
        for room in &whole.rooms {
            stored.open(&catalog, room.made_by.0, room.made_by.1);
            let rooms = stored.rooms.iter().map(|room| room.plan.at);
            let has_stairs = stored.rooms.iter().any(|room| room.plan.has_stairs());
            let rebuilt = Frontier::rebuild(1, rooms, stored.floors[0].frontier.open_exits(), has_stairs);
            stored.floors[0].frontier = rebuilt;
            let recent = serde_json::to_string(&stored.recent).unwrap();
            stored.recent = serde_json::from_str(&recent).unwrap();
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
            let branch = PlannedBranch::walk(spec, &catalog, 200);
            branch.rooms.iter().filter(|room| room.plan.new_exits.is_empty()).count()
        };
        let (narrow, wide) = (dead_ends(narrow), dead_ends(wide));
        assert!(narrow.abs_diff(wide) >= 10, "{narrow} and {wide} of 200");
    }
}

//! A branch as a value, grown by a seeded random walk over its open exits: what the command line shows and
//! tests look at. A live branch grows by the same calls, one for each exit that somebody walks.

use crate::base::{Dice, Direction, Point, Rng, Seed};
use crate::base::{ExitState, RoomKind};
use crate::catalog::Catalog;
use crate::dungeon::dump::{BranchDump, ExitDump, FloorDump, MadeBy, RoomDump};
use crate::dungeon::map::{self, MapExit, MapRoom};
use crate::dungeon::{BranchSpec, Frontier, RoomPlan, open_room};
use std::collections::BTreeMap;

/// A room of a planned branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRoom {
    /// What was fixed when it was made.
    pub plan: RoomPlan,
    /// The exit that made it: the place it stands at and its direction.
    pub made_by: (Point, Direction),
    /// Its exits.
    pub exits: BTreeMap<Direction, PlannedExit>,
}

/// An exit of a planned room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedExit {
    /// The place it leads to; none as long as it is unexplored.
    pub to: Option<Point>,
    /// What can be said of it.
    pub state: ExitState,
    /// Whether it leads back the way the room was made (E13).
    pub back: bool,
}

/// A branch of one floor.
#[derive(Clone, Debug)]
pub struct PlannedBranch {
    /// What it was made by.
    pub spec: BranchSpec,
    /// Its rooms in the order they were made.
    pub rooms: Vec<PlannedRoom>,
    index: BTreeMap<Point, usize>,
    frontier: Frontier,
}

/// A walk that opens one unexplored exit after another, each alike; the first leads out of the start.
pub(super) struct Walk(Rng);

impl Walk {
    pub(super) fn new(seed: Seed) -> Self {
        Self(seed.named("walk").rng())
    }

    /// The exit to open next; none if the branch has closed.
    pub(super) fn next(&mut self, frontier: &Frontier, made: u32) -> Option<(Point, Direction)> {
        if made == 0 {
            return self.0.pick(&Direction::PLANE).map(|direction| (Point::ORIGIN, *direction));
        }
        let last = frontier.open_count().checked_sub(1)?;
        frontier.open_exits().nth(self.0.up_to(last) as usize)
    }
}

impl PlannedBranch {
    /// A branch without rooms.
    pub fn new(spec: BranchSpec) -> Self {
        Self { spec, rooms: Vec::new(), index: BTreeMap::new(), frontier: Frontier::new(1) }
    }

    /// A branch in which a seeded walk has opened this many rooms, or fewer if it closed before (E19).
    pub fn walk(spec: BranchSpec, catalog: &Catalog, rooms: u32) -> Self {
        let mut walk = Walk::new(spec.seed);
        let mut branch = Self::new(spec);
        for made in 0..rooms {
            let Some((from, direction)) = walk.next(&branch.frontier, made) else { break };
            branch.open(catalog, from, direction);
        }
        branch
    }

    /// Opens the room behind an unexplored exit, as somebody does who walks there.
    pub fn open(&mut self, catalog: &Catalog, from: Point, direction: Direction) {
        let index = u32::try_from(self.rooms.len()).unwrap_or(u32::MAX);
        let plan = open_room(&self.spec, catalog, &mut self.frontier, 1, from, direction, index);
        let at = plan.at;
        self.resolve(from, direction, at, ExitState::Open);
        for (from, direction) in &plan.joined {
            self.resolve(*from, *direction, at, ExitState::OneWay);
        }
        let unexplored = PlannedExit { to: None, state: ExitState::Unexplored, back: false };
        let mut exits: BTreeMap<_, _> = plan.new_exits.iter().map(|exit| (*exit, unexplored)).collect();
        let back = PlannedExit { to: Some(from), state: ExitState::Open, back: true };
        exits.insert(direction.opposite(), back);
        self.index.insert(at, self.rooms.len());
        self.rooms.push(PlannedRoom { plan, made_by: (from, direction), exits });
    }

    fn resolve(&mut self, from: Point, direction: Direction, to: Point, state: ExitState) {
        let room = self.index.get(&from).and_then(|index| self.rooms.get_mut(*index));
        if let Some(exit) = room.and_then(|room| room.exits.get_mut(&direction)) {
            exit.to = Some(to);
            exit.state = state;
        }
    }

    /// The room at a place.
    pub fn at(&self, place: Point) -> Option<&PlannedRoom> {
        self.index.get(&place).and_then(|index| self.rooms.get(*index))
    }

    /// The edge it grows from.
    pub const fn frontier(&self) -> &Frontier {
        &self.frontier
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
            start_room: 1,
            opened_at: None,
            window_ends_at: None,
            last_updated_at: None,
            max_unexplored_exits: self.spec.settings.max_unexplored_exits,
            max_new_exits_per_room: self.spec.settings.max_new_exits_per_room,
            finishable: self.spec.settings.finishable,
            greatest_depth: self.rooms.iter().map(|room| room.plan.depth).max().unwrap_or(0),
            members: Vec::new(),
            floors: vec![FloorDump {
                floor: 1,
                kind: "grown".to_owned(),
                rooms: self.rooms.iter().map(|room| self.dump_room(room)).collect(),
            }],
        }
    }

    fn number(&self, place: Point) -> u32 {
        self.index.get(&place).map_or(1, |index| u32::try_from(index + 2).unwrap_or(u32::MAX))
    }

    fn dump_room(&self, room: &PlannedRoom) -> RoomDump {
        let exits = room.exits.iter().map(|(dir, exit)| ExitDump {
            dir: *dir,
            to: exit.to.map(|place| self.number(place)),
            state: exit.state,
            back: exit.back,
        });
        RoomDump {
            num: self.number(room.plan.at),
            x: room.plan.at.x,
            y: room.plan.at.y,
            depth: room.plan.depth,
            difficulty: room.plan.difficulty,
            kind: room.plan.kind.name().to_owned(),
            name: room.plan.name.clone(),
            description: room.plan.description.clone(),
            clear: room.plan.clear,
            tags: if room.plan.clear { Vec::new() } else { vec!["not_clear".to_owned()] },
            made_by_exit: Some(MadeBy { room: self.number(room.made_by.0), dir: room.made_by.1 }),
            exits: exits.collect(),
            creatures: room.plan.challenge.creatures.clone(),
            items: room.plan.challenge.items.clone(),
        }
    }

    /// The rooms for a picture: the start, and each room marked by what is in it.
    pub fn map_rooms(&self) -> Vec<MapRoom> {
        let first = self.rooms.first().map(|room| room.made_by.1);
        let out = first.map(|direction| MapExit { direction, state: ExitState::Open });
        let start = MapRoom { at: Point::ORIGIN, mark: 'S', exits: out.into_iter().collect() };
        let rooms = self.rooms.iter().map(|room| MapRoom {
            at: room.plan.at,
            mark: mark(&room.plan),
            exits: room
                .exits
                .iter()
                .map(|(direction, exit)| MapExit { direction: *direction, state: exit.state })
                .collect(),
        });
        std::iter::once(start).chain(rooms).collect()
    }

    /// What a person wants to see of it: the picture, its legend, and each room on a line.
    pub fn page(&self) -> String {
        let rooms = self.map_rooms();
        let settings = self.spec.grow_settings();
        let mut lines = vec![format!(
            "theme {}, generator {}, seed {}, {} rooms; {} exits unexplored, at most {}; at most {} new in a room",
            self.spec.theme,
            self.spec.generator,
            self.spec.seed,
            self.rooms.len(),
            self.frontier.open_count(),
            settings.max_unexplored_exits,
            settings.max_new_exits_per_room
        )];
        lines.push(String::new());
        lines.extend(map::picture(&rooms, None));
        lines.push(String::new());
        lines.extend(map::legend(&rooms, &MARKS));
        lines.push(String::new());
        for (number, room) in self.rooms.iter().enumerate() {
            let RoomPlan { at, depth, name, challenge, .. } = &room.plan;
            let held = [challenge.creatures.join(", "), challenge.items.join(", ")];
            let held: Vec<&str> = held.iter().map(String::as_str).filter(|list| !list.is_empty()).collect();
            let held = if held.is_empty() { String::new() } else { format!(": {}", held.join("; ")) };
            lines.push(format!(
                "{:3} {at} depth {depth}, {} {name}{held}",
                number + 1,
                room.plan.kind.name()
            ));
        }
        lines.join("\n") + "\n"
    }
}

/// What the marks of [`PlannedBranch::map_rooms`] mean.
pub const MARKS: [(char, &str); 6] = [
    ('S', "the start"),
    ('o', "a room with nothing in the way"),
    ('m', "a room with monsters in the way"),
    ('h', "a room with a hint"),
    ('l', "a room with a stuck lever"),
    ('t', "a room with treasure"),
];

fn mark(plan: &RoomPlan) -> char {
    match plan.kind {
        RoomKind::Hint => 'h',
        RoomKind::Puzzle => 'l',
        RoomKind::Treasure => 't',
        _ if plan.clear => 'o',
        _ => 'm',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dungeon::GrowSettings;

    fn well(seed: u64) -> (Catalog, BranchSpec) {
        let catalog = Catalog::builtin();
        let spec = BranchSpec::of(&catalog.themes["well"], Seed(seed));
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
            stored.frontier = Frontier::rebuild(1, rooms, stored.frontier.open_exits());
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

    /// The seed catalogue: pictures a person can check, the same in every release.
    #[test]
    fn the_seed_catalogue_holds() {
        let narrow = GrowSettings::default();
        let sprawl = GrowSettings { max_unexplored_exits: 8, max_new_exits_per_room: 3, finishable: false };
        let pages = [
            (1, "frontier", narrow, include_str!("../../tests/data/seeds/well-1.txt")),
            (2, "frontier", narrow, include_str!("../../tests/data/seeds/well-2.txt")),
            (3, "corridor", narrow, include_str!("../../tests/data/seeds/well-3-corridor.txt")),
            (4, "frontier", sprawl, include_str!("../../tests/data/seeds/well-4-sprawl.txt")),
        ];
        for (seed, generator, settings, page) in pages {
            let (catalog, spec) = well(seed);
            let spec = BranchSpec { generator: generator.to_owned(), settings, ..spec };
            let actual = PlannedBranch::walk(spec, &catalog, 40).page();
            assert!(actual == page, "seed {seed} with {generator} gives\n{actual}");
        }
    }
}

//! The generator: it runs the steps in order and delegates each to a part. A floor that fails verification is discarded
//! and generated again from the next seed; after [`TRIES`] attempts a plain floor is generated.

use super::ground::Location;
use super::kind::LevelType;
use super::parts::{ContentSources, LevelPart};
use super::plan::{FloorPlan, Portal, Sketch};
use super::room::{Square, Tiles};
use super::site::{Context, FloorSite, Growing, Material, Stairs};
use super::stage::{EmptyFloor, PartitionedFloor, StockedFloor};
use super::used::UsedLimits;
use super::verify::{FloorFlaw, verify};
use crate::base::grid::Rect;
use crate::base::{Dice, Direction, Point, Rng, Seed};
use crate::level::partition::Grid;
use crate::level::partition::section::{Joint, Section};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of attempts before a plain floor is generated.
pub const TRIES: u32 = 16;

/// Parameters of a whole floor.
#[derive(Clone, Debug)]
pub struct FloorRequest {
    /// Seed of all random choices.
    pub seed: Seed,
    /// Direction of the start room's exit that leads to the floor; `None` below stairs.
    pub entry: Option<Direction>,
    /// Dungeon level.
    pub dungeon_level: u32,
    /// Number of portals in addition to those of the level type; they lead to floors of the same type.
    pub new_portals: u32,
    /// Minimum width and length of a room, in paces.
    pub room_min_size: (u32, u32),
    /// Portals and limited rooms that the branch already has.
    pub used: UsedLimits,
}

impl FloorRequest {
    /// Creates a request with the defaults: no extra portals, dungeon level 1, rooms of at least 2 by 2 paces.
    pub const fn new(seed: Seed) -> Self {
        Self {
            seed,
            entry: None,
            dungeon_level: 1,
            new_portals: 0,
            room_min_size: Context::ROOM_MIN_SIZE,
            used: UsedLimits::new(),
        }
    }

    /// Creates a request with the level type's values.
    pub fn of(kind: &LevelType, seed: Seed) -> Self {
        let (new_portals, room_min_size) = (kind.context.new_portals, kind.context.room_min_size);
        Self { new_portals, room_min_size, ..Self::new(seed) }
    }
}

/// Parameters of one new room of a growing floor.
#[derive(Clone, Copy, Debug)]
pub struct RoomRequest<'a> {
    /// Seed of all random choices for this room.
    pub seed: Seed,
    /// Position of the room.
    pub at: Point,
    /// Sides with an exit, including the exit back.
    pub ways: &'a [Direction],
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Dungeon level.
    pub dungeon_level: u32,
    /// Rule for stairs down in this room.
    pub stairs: Stairs,
    /// Portals and limited rooms that the branch already has.
    pub used: &'a UsedLimits,
}

/// Generates a whole floor.
///
/// # Errors
/// The flaw of the plain floor, if that fails verification too, or a flaw if the level type has no whole floors.
pub fn generate_floor(
    kind: &LevelType,
    request: &FloorRequest,
    sources: ContentSources<'_>,
) -> Result<FloorPlan, FloorFlaw> {
    if kind.grows() {
        return Err(FloorFlaw::Growing(kind.name.clone()));
    }
    for redrawn in 0..TRIES {
        let seed =
            if redrawn == 0 { request.seed } else { request.seed.named("redraw").numbered(redrawn.into()) };
        if let Ok(mut plan) = draw(kind, request, seed, sources) {
            plan.redrawn = redrawn;
            return Ok(plan);
        }
    }
    let mut plan = draw(&plain(kind), request, request.seed.named("plain"), sources)?;
    plan.redrawn = TRIES;
    Ok(plan)
}

/// Returns the level type with a partitioner and a room generator that cannot fail.
fn plain(kind: &LevelType) -> LevelType {
    let tiles = Tiles {
        ground: Arc::clone(&kind.context.ground),
        corridor: Arc::clone(&kind.context.ground),
        wall: Material::from("empty"),
        chamber_percent: 0,
    };
    let name = || "plain".to_owned();
    let place = || kind.place.clone();
    LevelType {
        context: Arc::new(Context { rooms: Context::ROOMS, ..(*kind.context).clone() }),
        partitioners: vec![LevelPart { name: name(), part: Arc::new(Grid::default()), place: place() }],
        rooms: vec![LevelPart { name: name(), part: Arc::new(Square(tiles)), place: place() }],
        ..kind.clone()
    }
}

/// Runs all steps once.
fn draw(
    kind: &LevelType,
    request: &FloorRequest,
    seed: Seed,
    sources: ContentSources<'_>,
) -> Result<FloorPlan, FloorFlaw> {
    let site = FloorSite {
        level_type: kind.name.clone(),
        context: Arc::clone(&kind.context),
        dungeon_level: request.dungeon_level,
        room_min_size: request.room_min_size,
        used: request.used.clone(),
        growing: None,
    };
    let floor = EmptyFloor::new(site);
    let mut dice = seed.named("partition").rng();
    let part = dice.pick(&kind.partitioners).ok_or(FloorFlaw::NoPartitioner)?;
    let mut floor = part.part.partition(floor, &mut dice);
    floor.0.note("create", None);
    floor.0.note("partition", [part.name.as_str()]);
    floor.settle(request.entry, &mut seed.named("arrival").rng());
    generate_rooms(kind, &mut floor, seed);
    verify(furnish(kind, floor, seed, request.new_portals, sources))
}

/// Generates the rooms of all sections, each by a generator picked at random: first the arrival room, then the others
/// in random order.
fn generate_rooms(kind: &LevelType, floor: &mut PartitionedFloor, seed: Seed) {
    let seed = seed.named("rooms");
    let arrival = floor.0.arrival;
    let mut order: Vec<usize> = (0..floor.sections().len()).filter(|number| *number != arrival).collect();
    seed.rng().shuffle(&mut order);
    let mut used = BTreeSet::new();
    for number in std::iter::once(arrival).chain(order) {
        let mut dice = seed.numbered(u64::try_from(number).unwrap_or(u64::MAX)).rng();
        let (Some(part), Some(mut section)) = (dice.pick(&kind.rooms), floor.section(number)) else {
            continue;
        };
        part.part.generate_room(&mut section, &mut dice);
        used.insert(part.name.as_str());
    }
    floor.0.note("rooms", used);
}

/// Runs the steps after the rooms, in order.
fn furnish(
    kind: &LevelType,
    floor: PartitionedFloor,
    seed: Seed,
    new_portals: u32,
    sources: ContentSources<'_>,
) -> StockedFloor {
    let mut floor = floor.roomed();
    each(&kind.decorators, seed.named("decorate"), |part, dice| part.decorate(&mut floor, dice));
    floor.0.note("decorate", names(&kind.decorators));

    let mut floor = floor.decorated();
    each(&kind.portals, seed.named("portals"), |part, dice| part.add_portal(&mut floor, dice));
    let mut dice = seed.named("new portals").rng();
    for _ in 0..new_portals {
        let spots = floor.portal_spots(Location::Room);
        if let Some(at) = dice.pick(&spots) {
            floor.place_portal(*at, Portal::down(&kind.name));
        }
    }
    floor.0.note("portals", names(&kind.portals));

    let mut floor = floor.portalled();
    let seed_of_creatures = seed.named("creatures");
    each(&kind.creatures, seed_of_creatures, |part, dice| {
        part.add_creatures(&mut floor, sources.creatures, dice);
    });
    floor.0.note("creatures", names(&kind.creatures));

    let mut floor = floor.populated();
    each(&kind.items, seed.named("items"), |part, dice| part.add_items(&mut floor, sources.items, dice));
    floor.0.note("items", names(&kind.items));
    floor.stocked()
}

/// Runs each part with its own random stream, so that appending a part does not change the results of the others.
fn each<T: ?Sized>(parts: &[LevelPart<T>], seed: Seed, mut work: impl FnMut(&T, &mut Rng)) {
    for (number, part) in (0..).zip(parts) {
        work(&part.part, &mut seed.numbered(number).rng());
    }
}

fn names<T: ?Sized>(parts: &[LevelPart<T>]) -> impl Iterator<Item = &str> {
    parts.iter().map(|part| part.name.as_str())
}

/// Generates one new room of a growing floor: the pipeline applied to a floor of one section.
pub fn sketch_room(kind: &LevelType, request: &RoomRequest<'_>, sources: ContentSources<'_>) -> Sketch {
    let site = FloorSite {
        level_type: kind.name.clone(),
        context: Arc::clone(&kind.context),
        dungeon_level: request.dungeon_level,
        room_min_size: kind.context.room_min_size,
        used: request.used.clone(),
        growing: Some(Growing { depth: request.depth, stairs: request.stairs }),
    };
    let mut section = Section::new(Rect::at(request.at));
    let ways = Direction::PLANE.into_iter().filter(|side| request.ways.contains(side));
    section.links = ways.clone().map(|side| Joint { to: 0, side, at: request.at }).collect();
    let mut floor = EmptyFloor::new(site).partitioned(vec![section]);
    generate_rooms(kind, &mut floor, request.seed);
    let mut floor = furnish(kind, floor, request.seed, 0, sources);
    // The layout fixes the exits; changes made by generators are discarded.
    let mut room = floor.0.rooms.remove(&request.at).unwrap_or_else(|| Sketch::bare(request.at));
    room.exits = ways.collect();
    room
}

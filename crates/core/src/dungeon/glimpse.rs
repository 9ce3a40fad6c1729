//! Preview of a branch: its first rooms, explored through one exit after another. Nothing is stored, and all random
//! choices come from the seed.

use super::map::{MapExit, MapRoom};
use super::{
    BranchMemory, BranchSpec, BuilderVaults, FloorSpec, Frontier, Opened, RoomPlan, UnexploredExit, Walker,
};
use crate::base::{Dice, Direction, ExitState, Point};
use crate::catalog::Catalog;

/// A room of the preview, with the exit that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreviewRoom {
    /// Plan of the room.
    pub plan: RoomPlan,
    /// Position of the previous room.
    pub from: Point,
    /// Direction of the exit taken.
    pub direction: Direction,
}

impl PreviewRoom {
    /// Returns all its exits, clockwise from north, including the exit back.
    pub fn exits(&self) -> Vec<Direction> {
        let plan = &self.plan;
        let portal = plan.portal.iter().map(|portal| portal.direction);
        let mut exits: Vec<Direction> =
            plan.new_exits.iter().chain(&plan.met).copied().chain(portal).collect();
        exits.push(self.direction.opposite());
        exits.sort_unstable();
        exits.dedup();
        exits
    }
}

/// Returns up to `rooms` rooms of a branch's first floor, the same as on a map of this seed. They are behind a start
/// exit in the direction `entry`, or in one picked by the seed. `made` are the vaults created in the game.
pub fn preview_rooms(
    spec: &BranchSpec,
    catalog: &Catalog,
    made: &BuilderVaults,
    entry: Option<Direction>,
    rooms: u32,
) -> Vec<PreviewRoom> {
    let Some(kind) = catalog.level_type(&spec.level_type) else { return Vec::new() };
    let floor = FloorSpec { number: 1, dungeon_level: 1, kind };
    let mut memory = BranchMemory::default();
    let mut dice = spec.seed.named("walk").rng();
    let drawn = dice.pick(&Direction::PLANE).copied().unwrap_or(Direction::North);
    let entry = entry.unwrap_or(drawn);
    let mut walker = Walker::new(spec, catalog, &mut memory).with_vaults(made.clone());
    let whole = walker.add_floor(floor, Some(entry)).unwrap_or_default();
    let mut frontier = Frontier::new(1);
    let mut found: Vec<PreviewRoom> = Vec::new();
    let (mut from, mut direction) = (Point::ORIGIN, entry);
    for _ in 0..rooms {
        let before = found.iter().find(|glimpse| glimpse.plan.at == from);
        let ominous = before.is_some_and(|glimpse| glimpse.plan.omens.contains_key(&direction));
        let way = UnexploredExit { from, direction, ominous };
        let mut walker = Walker::new(spec, catalog, &mut memory).with_vaults(made.clone());
        let opened = walker.open(floor, whole.as_ref(), &mut frontier, way);
        found.extend(opened.map(|Opened { plan, .. }| PreviewRoom { plan, from, direction }));
        let Some(last) = frontier.open_count().checked_sub(1) else { break };
        let Some(next) = frontier.open_exits().nth(dice.up_to(last) as usize) else { break };
        (from, direction) = next;
    }
    found
}

/// Returns the rooms for a map, each with its mark.
pub fn map_rooms(found: &[PreviewRoom], marks: impl IntoIterator<Item = char>) -> Vec<MapRoom> {
    let is_there = |at: Point| found.iter().any(|glimpse| glimpse.plan.at == at);
    let made = |at: Point, side: Direction| {
        found.iter().any(|glimpse| glimpse.from == at && glimpse.direction == side)
    };
    let state = |glimpse: &PreviewRoom, side: Direction| {
        let (at, beyond) = (glimpse.plan.at, glimpse.plan.at.step(side));
        let both = side == glimpse.direction.opposite() || glimpse.plan.met.contains(&side) || made(at, side);
        let meets =
            |other: &PreviewRoom| other.plan.at == beyond && other.plan.met.contains(&side.opposite());
        match is_there(beyond) {
            _ if both || found.iter().any(meets) => ExitState::Open,
            true => ExitState::OneWay,
            false => ExitState::Unexplored,
        }
    };
    let room = |(glimpse, mark): (&PreviewRoom, char)| {
        let exits = glimpse.exits().into_iter();
        let exits = exits.map(|direction| MapExit { direction, state: state(glimpse, direction) });
        MapRoom { at: glimpse.plan.at, mark, exits: exits.collect() }
    };
    let start = found.first().map(|first| MapRoom {
        at: Point::ORIGIN,
        mark: 'S',
        exits: vec![MapExit { direction: first.direction, state: ExitState::Open }],
    });
    start.into_iter().chain(found.iter().zip(marks).map(room)).collect()
}

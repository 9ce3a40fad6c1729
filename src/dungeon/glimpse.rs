//! The first rooms of a branch as somebody finds them who opens one exit after another: what it would be, before anybody
//! goes there. Nothing is kept, and no dice but those of the seed are drawn.

use super::{BranchSpec, FloorSpec, Frontier, Memory, Opened, RoomPlan, Walker, Way};
use crate::base::{Dice, Direction, Point};
use crate::catalog::Catalog;

/// A room, and how one came to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glimpse {
    /// What is in it.
    pub plan: RoomPlan,
    /// The place that one came from.
    pub from: Point,
    /// The exit that one took there.
    pub direction: Direction,
}

impl Glimpse {
    /// All its exits, clockwise from north, the way back among them.
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

/// The first rooms of a branch's first floor, as many as that at most; the same ones that a drawing of this seed has.
pub fn first_rooms(spec: &BranchSpec, catalog: &Catalog, rooms: u32) -> Vec<Glimpse> {
    let Some(kind) = catalog.level_type(&spec.level_type) else { return Vec::new() };
    let floor = FloorSpec { number: 1, dungeon_level: 1, kind };
    let mut memory = Memory::default();
    let mut dice = spec.seed.named("walk").rng();
    let entry = dice.pick(&Direction::PLANE).copied().unwrap_or(Direction::North);
    let whole = Walker::new(spec, catalog, &mut memory).add_floor(floor, Some(entry)).unwrap_or_default();
    let mut frontier = Frontier::new(1);
    let mut found: Vec<Glimpse> = Vec::new();
    let (mut from, mut direction) = (Point::ORIGIN, entry);
    for _ in 0..rooms {
        let before = found.iter().find(|glimpse| glimpse.plan.at == from);
        let ominous = before.is_some_and(|glimpse| glimpse.plan.omens.contains_key(&direction));
        let way = Way { from, direction, ominous };
        let opened = Walker::new(spec, catalog, &mut memory).open(floor, whole.as_ref(), &mut frontier, way);
        found.extend(opened.map(|Opened { plan, .. }| Glimpse { plan, from, direction }));
        let Some(last) = frontier.open_count().checked_sub(1) else { break };
        let Some(next) = frontier.open_exits().nth(dice.up_to(last) as usize) else { break };
        (from, direction) = next;
    }
    found
}

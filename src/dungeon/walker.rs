//! The walker: it goes through an exit that nobody has walked and makes the room behind it, or makes the floor below
//! stairs that nobody has taken. Whoever keeps rooms (a world, a list, the model of a proof) keeps the [`Memory`] of the
//! branch and the frontiers of its floors beside them and lends both for each step.

use crate::base::Direction;
use crate::catalog::Catalog;
use crate::dungeon::generator::{OnFloor, Opened, Way, open_room, plan_floor};
use crate::dungeon::{BranchSpec, Recent};
use crate::level::{Flaw, FloorPlan, Frontier, LevelType, Portal};
use std::collections::BTreeSet;

/// What a branch has to remember from one room to the next, besides the frontiers of its floors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// How many rooms were made, over all floors: the position in the branch's dice.
    pub rooms_made: u32,
    /// What it remembers of the rooms made last.
    pub recent: Recent,
    /// The unique portals that it has.
    pub portals: BTreeSet<String>,
}

/// What a floor is made by.
#[derive(Clone, Copy, Debug)]
pub struct FloorSpec<'a> {
    /// Its number in the branch.
    pub number: u32,
    /// The dungeon level.
    pub level: u32,
    /// What kind of level it is.
    pub kind: &'a LevelType,
}

/// Whoever makes the rooms of one branch, one after the other.
#[derive(Debug)]
pub struct Walker<'a> {
    spec: &'a BranchSpec,
    catalog: &'a Catalog,
    memory: &'a mut Memory,
}

impl<'a> Walker<'a> {
    /// A walker in a branch that remembers its rooms so far.
    pub const fn new(spec: &'a BranchSpec, catalog: &'a Catalog, memory: &'a mut Memory) -> Self {
        Self { spec, catalog, memory }
    }

    /// Makes a floor: all of it, or nothing yet if floors of its kind grow. `entry` is the direction of the start exit,
    /// if it leads here.
    ///
    /// # Errors
    /// What is wrong even with the plain floor that stands in for draws that could not be proved.
    pub fn add_floor(
        &mut self,
        floor: FloorSpec<'_>,
        entry: Option<Direction>,
    ) -> Result<Option<FloorPlan>, Flaw> {
        let plan = plan_floor(self.spec, self.catalog, self.on(floor, None), entry)?;
        let portals = plan.iter().flat_map(FloorPlan::portals).map(|(_, portal)| portal);
        self.memory.portals.extend(portals.filter_map(Portal::unique_key).map(str::to_owned));
        Ok(plan)
    }

    /// Makes the room behind a way of a floor and brings the floor's frontier up to date. `plan` is the whole floor, if
    /// it was made whole. None if there is no room there.
    pub fn open(
        &mut self,
        floor: FloorSpec<'_>,
        plan: Option<&FloorPlan>,
        frontier: &mut Frontier,
        way: Way,
    ) -> Option<Opened> {
        let mut recent = std::mem::take(&mut self.memory.recent);
        let (on, index) = (self.on(floor, plan), self.memory.rooms_made);
        let opened = open_room(self.spec, self.catalog, frontier, on, way, index, &mut recent);
        self.memory.recent = recent;
        let opened = opened?;
        let portal = opened.plan.portal.as_ref().and_then(Portal::unique_key);
        self.memory.portals.extend(portal.map(str::to_owned));
        self.memory.rooms_made = index.saturating_add(1);
        Some(opened)
    }

    const fn on<'f>(&'f self, floor: FloorSpec<'f>, plan: Option<&'f FloorPlan>) -> OnFloor<'f> {
        let FloorSpec { number, level, kind } = floor;
        OnFloor { number, level, kind, plan, used: &self.memory.portals }
    }
}

//! The walker: it goes through an exit that nobody has walked and makes the room behind it, or makes the floor below
//! stairs that nobody has taken. Whoever keeps rooms (a world, a list, the model of a proof) keeps the [`Memory`] of the
//! branch and the frontiers of its floors beside them and lends both for each step.

use crate::base::Direction;
use crate::catalog::Catalog;
use crate::dungeon::generator::{open_room, plan_floor};
use crate::dungeon::vault::{self, Known};
use crate::dungeon::way::{Opened, Way};
use crate::dungeon::{BranchSpec, FloorSpec, MadeVaults, Memory};
use crate::level::{Flaw, FloorPlan, Frontier};

/// Whoever makes the rooms of one branch, one after the other.
#[derive(Debug)]
pub struct Walker<'a> {
    spec: &'a BranchSpec,
    catalog: &'a Catalog,
    memory: &'a mut Memory,
    made: MadeVaults,
}

impl<'a> Walker<'a> {
    /// A walker in a branch that remembers its rooms so far.
    pub const fn new(spec: &'a BranchSpec, catalog: &'a Catalog, memory: &'a mut Memory) -> Self {
        Self { spec, catalog, memory, made: MadeVaults::new() }
    }

    /// The same walker where vaults have been made besides those of the content.
    #[must_use]
    pub fn with_vaults(self, made: MadeVaults) -> Self {
        Self { made, ..self }
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
        let mut plan = plan_floor(self.spec, self.catalog, floor, &self.memory.used, entry)?;
        if let Some(plan) = &mut plan {
            let known = Known { catalog: self.catalog, made: &self.made };
            vault::annex(self.spec, known, floor, plan, self.memory);
        }
        for (_, portal) in plan.iter().flat_map(FloorPlan::portals) {
            self.memory.used.note_portal(portal);
        }
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
        open_room(self.spec, (self.catalog, &self.made), (floor, plan), frontier, way, self.memory)
    }
}

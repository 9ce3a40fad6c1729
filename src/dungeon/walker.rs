//! The walker: it explores an unexplored exit and creates the room behind it, or the floor below unused stairs. The
//! caller stores the rooms, the [`Memory`] of the branch and the frontiers of its floors, and lends the last two for
//! each step.

use crate::base::Direction;
use crate::catalog::Catalog;
use crate::dungeon::generator::{open_room, plan_floor};
use crate::dungeon::vault::{self, KnownVaults};
use crate::dungeon::way::{Opened, UnexploredExit};
use crate::dungeon::{BranchSpec, BuilderVaults, FloorSpec, Memory};
use crate::level::{Flaw, FloorPlan, Frontier};

/// Creator of the rooms of one branch, one after the other.
#[derive(Debug)]
pub struct Walker<'a> {
    spec: &'a BranchSpec,
    catalog: &'a Catalog,
    memory: &'a mut Memory,
    made: BuilderVaults,
}

impl<'a> Walker<'a> {
    /// Creates a walker for a branch with its memory.
    pub const fn new(spec: &'a BranchSpec, catalog: &'a Catalog, memory: &'a mut Memory) -> Self {
        Self { spec, catalog, memory, made: BuilderVaults::new() }
    }

    /// Adds the vaults created in the game.
    #[must_use]
    pub fn with_vaults(self, made: BuilderVaults) -> Self {
        Self { made, ..self }
    }

    /// Creates a floor: a complete plan, or `None` if floors of its level type grow. `entry` is the direction of the
    /// start exit, if it leads here.
    ///
    /// # Errors
    /// The flaw of the plain fallback floor, if it fails verification too.
    pub fn add_floor(
        &mut self,
        floor: FloorSpec<'_>,
        entry: Option<Direction>,
    ) -> Result<Option<FloorPlan>, Flaw> {
        let mut plan = plan_floor(self.spec, self.catalog, floor, &self.memory.used, entry)?;
        if let Some(plan) = &mut plan {
            let known = KnownVaults { catalog: self.catalog, made: &self.made };
            vault::annex(self.spec, known, floor, plan, self.memory);
        }
        for (_, portal) in plan.iter().flat_map(FloorPlan::portals) {
            self.memory.used.note_portal(portal);
        }
        Ok(plan)
    }

    /// Creates the room behind an exit and updates the frontier of the floor. `plan` is the plan of a whole floor.
    /// Returns `None` if there is no room there.
    pub fn open(
        &mut self,
        floor: FloorSpec<'_>,
        plan: Option<&FloorPlan>,
        frontier: &mut Frontier,
        way: UnexploredExit,
    ) -> Option<Opened> {
        open_room(self.spec, (self.catalog, &self.made), (floor, plan), frontier, way, self.memory)
    }
}

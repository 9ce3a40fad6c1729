//! The walker: it explores an unexplored exit and creates the room behind it, or the floor below unused stairs. The
//! caller stores the rooms, the [`Memory`] of the branch and the frontiers of its floors, and lends the last two for
//! each step.

use crate::base::Direction;
use crate::catalog::Catalog;
use crate::dungeon::{BranchSpec, BuilderVaults, FloorSpec, Memory};
use crate::level::{Flaw, FloorPlan, Request, generate_floor};

/// Creator of the rooms of one branch, one after the other.
#[derive(Debug)]
pub struct Walker<'a> {
    pub(super) spec: &'a BranchSpec,
    pub(super) catalog: &'a Catalog,
    pub(super) memory: &'a mut Memory,
    pub(super) made: BuilderVaults,
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
        if floor.kind.grows() {
            return Ok(None);
        }
        let request = Request {
            entry,
            dungeon_level: floor.dungeon_level,
            used: self.memory.used.clone(),
            ..Request::of(floor.kind, self.spec.floor_seed(floor.number))
        };
        let mut plan = generate_floor(floor.kind, &request, self.catalog.sources())?;
        self.annex_vaults(floor, &mut plan);
        for (_, portal) in plan.portals() {
            self.memory.used.note_portal(portal);
        }
        Ok(Some(plan))
    }
}

//! The walker: it explores an unexplored exit and creates the room behind it, or the floor below unused stairs. The
//! caller stores the rooms, the [`BranchMemory`] of the branch and the frontiers of its floors, and lends the last two
//! for each step.

use crate::catalog::{Catalog, Vault};
use crate::dungeon::{BranchMemory, BranchSpec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Vaults created in the game, by key.
pub type BuilderVaults = BTreeMap<String, Arc<Vault>>;

/// Creator of the rooms of one branch, one after the other.
#[derive(Debug)]
pub struct Walker<'a> {
    pub(super) spec: &'a BranchSpec,
    pub(super) catalog: &'a Catalog,
    pub(super) memory: &'a mut BranchMemory,
    pub(super) made: BuilderVaults,
}

impl<'a> Walker<'a> {
    /// Creates a walker for a branch with its memory.
    pub const fn new(spec: &'a BranchSpec, catalog: &'a Catalog, memory: &'a mut BranchMemory) -> Self {
        Self { spec, catalog, memory, made: BuilderVaults::new() }
    }

    /// Adds the vaults created in the game.
    #[must_use]
    pub fn with_vaults(self, made: BuilderVaults) -> Self {
        Self { made, ..self }
    }
}

//! The example part of docs/build/levels.md.

use std::sync::Arc;

use deepwell::base::Rng;
use deepwell::data::Reader;
use deepwell::level::{Decorator, LevelRegistry, Material, RoomedFloor};

/// Replaces a wall material by moss.
#[derive(Debug)]
pub(crate) struct Moss {
    on: Material,
}

impl Moss {
    /// Reads `on`.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Self {
        Self { on: Material::from(reader.text("on")) }
    }
}

impl Decorator for Moss {
    fn decorate(&self, floor: &mut RoomedFloor, _dice: &mut Rng) {
        for (_, cell) in floor.cells_mut() {
            if cell.wall == self.on {
                cell.wall = Material::from("moss");
            }
        }
    }
}

/// Registers the part, as `crates/core/src/level/builtin.rs` does with the shipped ones.
pub(crate) fn register(all: &mut LevelRegistry) {
    all.register_decorator("moss", |reader, _| Arc::new(Moss::read(reader)));
}

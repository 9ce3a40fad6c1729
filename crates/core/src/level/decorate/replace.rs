//! Replacement of materials by others.

use crate::base::Rng;
use crate::data::Reader;
use crate::level::{Decorator, Material, RoomedFloor};
use std::collections::BTreeMap;

/// Replacements of materials, on the ground and in walls. All are applied in one pass: a replaced material is not
/// replaced again.
#[derive(Clone, Debug, Default)]
pub struct Replace {
    /// Replacements on the ground.
    pub ground: BTreeMap<Material, Material>,
    /// Replacements in walls.
    pub walls: BTreeMap<Material, Material>,
}

impl Replace {
    /// Reads the tables `floors` and `walls`.
    pub fn read(reader: &mut Reader<'_>) -> Self {
        let mut table = |name: &str| {
            let pairs = reader.pairs(name).into_iter();
            pairs.map(|(from, to)| (Material::from(from), Material::from(to))).collect()
        };
        Self { ground: table("floors"), walls: table("walls") }
    }
}

impl Decorator for Replace {
    fn decorate(&self, floor: &mut RoomedFloor, _dice: &mut Rng) {
        for (_, cell) in floor.cells_mut() {
            if let Some(ground) = self.ground.get(&cell.ground) {
                cell.ground = ground.clone();
            }
            if let Some(wall) = self.walls.get(&cell.wall) {
                cell.wall = wall.clone();
            }
        }
    }
}

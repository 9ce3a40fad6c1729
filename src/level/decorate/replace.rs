//! Swaps materials: what is of one becomes of another.

use crate::base::Rng;
use crate::data::Reader;
use crate::level::{Decorator, Material, RoomedLevel};
use std::collections::BTreeMap;

/// Which material becomes which, on floors and in walls. All at once: what has been replaced is not replaced again.
#[derive(Clone, Debug, Default)]
pub struct Replace {
    /// On floors.
    pub floors: BTreeMap<Material, Material>,
    /// In walls.
    pub walls: BTreeMap<Material, Material>,
}

impl Replace {
    /// Reads the tables `floors` and `walls`.
    pub fn read(reader: &mut Reader<'_>) -> Self {
        let mut table = |name: &str| {
            let pairs = reader.pairs(name).into_iter();
            pairs.map(|(from, to)| (Material::from(from), Material::from(to))).collect()
        };
        Self { floors: table("floors"), walls: table("walls") }
    }
}

impl Decorator for Replace {
    fn decorate_level(&self, level: &mut RoomedLevel, _dice: &mut Rng) {
        for (_, cell) in level.cells_mut() {
            if let Some(floor) = self.floors.get(&cell.floor) {
                cell.floor = floor.clone();
            }
            if let Some(wall) = self.walls.get(&cell.wall) {
                cell.wall = wall.clone();
            }
        }
    }
}

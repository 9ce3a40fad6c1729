//! Several decorators as one, applied in the listed order.

use crate::base::Rng;
use crate::data::Reader;
use crate::level::{Decorator, LevelPart, RoomedFloor, Setup};

/// A list of decorators, applied in order.
#[derive(Clone, Debug)]
pub struct Aggregate(pub Vec<LevelPart<dyn Decorator>>);

impl Aggregate {
    /// Reads `decorators`, a list of parts.
    pub fn read(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        Self(setup.registry.read_decorators("decorators", reader, setup))
    }
}

impl Decorator for Aggregate {
    fn decorate(&self, floor: &mut RoomedFloor, dice: &mut Rng) {
        for decorator in &self.0 {
            decorator.part.decorate(floor, dice);
        }
    }
}

//! The built-in parts, by their names in level files. A new part is one file and one line here; tests register parts of
//! their own.

use super::connect::{SpanningTree, Winding};
use super::creature::{Perils, SpreadCreatures};
use super::decorate::{Aggregate, Replace, WallBuilder};
use super::item::SpreadItems;
use super::layout::LAYOUTS;
use super::portal::{PortalRule, StairsDown};
use super::registry::LevelRegistry;
use super::room::{Cavern, Pillared, Round, Square, Tiles};
use crate::level::partition::{Binary, Grid};
use std::sync::Arc;

/// Returns a registry of the built-in parts.
pub fn builtin_parts() -> LevelRegistry {
    let mut all = LevelRegistry::empty();
    all.register_partitioner("grid", |reader, setup| Arc::new(Grid::read(reader, setup)));
    all.register_partitioner("binary", |reader, setup| Arc::new(Binary::read(reader, setup)));
    all.register_connector("tree", |reader, _| Arc::new(SpanningTree::read(reader)));
    all.register_connector("winding", |reader, _| Arc::new(Winding::read(reader)));
    all.register_room("square", |reader, setup| Arc::new(Square(Tiles::read(reader, setup.context))));
    all.register_room("round", |reader, setup| Arc::new(Round(Tiles::read(reader, setup.context))));
    all.register_room("pillared", |reader, setup| Arc::new(Pillared::read(reader, setup.context)));
    all.register_room("cavern", |reader, setup| Arc::new(Cavern(Tiles::read(reader, setup.context))));
    all.register_decorator("replace", |reader, _| Arc::new(Replace::read(reader)));
    all.register_decorator("walls", |reader, _| Arc::new(WallBuilder::read(reader)));
    all.register_decorator("aggregate", |reader, setup| Arc::new(Aggregate::read(reader, setup)));
    all.register_portal("stairs", |reader, setup| Arc::new(StairsDown::read(reader, setup)));
    all.register_portal("portal", |reader, setup| Arc::new(PortalRule::read_part(reader, setup)));
    all.register_creature("spread", |reader, setup| Arc::new(SpreadCreatures::read(reader, setup)));
    all.register_creature("perils", |reader, _| Arc::new(Perils::read(reader)));
    all.register_item("spread", |reader, setup| Arc::new(SpreadItems::read(reader, setup)));
    for (name, read) in LAYOUTS {
        all.register_layout(name, move |reader, _| read(reader));
    }
    all
}

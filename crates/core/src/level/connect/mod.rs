//! Connectors: they choose which neighbouring sections of a whole floor are joined.

mod tree;
mod winding;

pub use tree::SpanningTree;
pub use winding::Winding;

use super::parts::{Connector, LevelPart};
use super::registry::Setup;
use crate::base::{Dice, Rng};
use crate::data::Reader;
use crate::level::partition::section::{Border, Section};

/// Connectors of a partitioner, one of which is picked at random for each floor. Without any, sections are joined by a
/// [`SpanningTree`] with the partitioner's `extra_links`.
#[derive(Clone, Debug, Default)]
pub struct Connectors {
    extra_links: u32,
    parts: Vec<LevelPart<dyn Connector>>,
}

impl Connectors {
    /// Reads `extra_links` and `connectors`.
    pub fn read(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        let extra_links = reader.number_or("extra_links", 0..=1_000, 0);
        let registry = setup.registry;
        let parts =
            if reader.has("connectors") { registry.read_connectors(reader, setup) } else { Vec::new() };
        Self { extra_links, parts }
    }

    /// Creates connectors that always use a tree with this many extra links.
    pub const fn tree(extra_links: u32) -> Self {
        Self { extra_links, parts: Vec::new() }
    }

    /// Joins the sections along some of the borders.
    pub fn connect(&self, sections: &mut [Section], borders: Vec<Border>, dice: &mut Rng) {
        match dice.pick(&self.parts) {
            Some(part) => part.part.connect(sections, borders, dice),
            None => SpanningTree { extra_links: self.extra_links }.connect(sections, borders, dice),
        }
    }
}

//! Random spanning tree with optional loops: short paths and many forks.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::Connector;
use crate::level::partition::section::{Border, Section, connect_sections};

definition! {
    /// A random spanning tree.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SpanningTree {
        /// Number of links beyond the spanning tree.
        pub extra_links: u32 = number_or(0..=1_000, 0),
    }
}

impl Connector for SpanningTree {
    fn connect(&self, sections: &mut [Section], mut borders: Vec<Border>, dice: &mut Rng) {
        dice.shuffle(&mut borders);
        let mut groups: Vec<usize> = (0..sections.len()).collect();
        let mut spare = Vec::new();
        for border in borders {
            let (one, other) = (group(&mut groups, border.from), group(&mut groups, border.to));
            if one == other {
                spare.push(border);
            } else {
                groups[one] = other;
                connect_sections(sections, border);
            }
        }
        for border in spare.into_iter().take(self.extra_links as usize) {
            connect_sections(sections, border);
        }
    }
}

/// Returns the group of a section (union-find with path halving).
fn group(groups: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}

//! One long path that winds through the sections and backtracks at dead ends (depth-first search): few forks and
//! distant ends.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::Connector;
use crate::level::partition::section::{Border, Section, connect_sections};

definition! {
    /// A winding path.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Winding {
        /// Number of links beyond the path.
        pub extra_links: u32 = number_or(0..=1_000, 0),
    }
}

impl Connector for Winding {
    fn connect(&self, sections: &mut [Section], mut borders: Vec<Border>, dice: &mut Rng) {
        dice.shuffle(&mut borders);
        let mut seen = vec![false; sections.len()];
        let mut trail = vec![0];
        seen.iter_mut().take(1).for_each(|first| *first = true);
        while let Some(here) = trail.last().copied() {
            let is_new = |number: usize| seen.get(number) == Some(&false);
            let next = borders.iter().position(|border| {
                border.from == here && is_new(border.to) || border.to == here && is_new(border.from)
            });
            let Some(next) = next else {
                trail.pop();
                continue;
            };
            let border = borders.remove(next);
            let beyond = if border.from == here { border.to } else { border.from };
            if let Some(beyond) = seen.get_mut(beyond) {
                *beyond = true;
            }
            connect_sections(sections, border);
            trail.push(beyond);
        }
        for border in borders.into_iter().take(self.extra_links as usize) {
            connect_sections(sections, border);
        }
    }
}

//! What must hold of every layout, whatever puzzle made it, before it is even tried to be solved.

use super::{Layout, Puzzle};

/// Everything that is wrong with a layout.
pub fn flaws(_puzzle: &dyn Puzzle, layout: &Layout) -> Vec<String> {
    let mut found = Vec::new();
    if layout.cell(layout.entrance).is_none() {
        found.push("it has no entrance".into());
    }
    found
}

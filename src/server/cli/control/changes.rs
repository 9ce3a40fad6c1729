//! Changed settings as lines.

use crate::server::config::ConfigChanges;
use std::fmt::Write as _;

/// Formats changes, a line each, behind the effect of those that a reload applies and of those that need a restart.
pub(in crate::server::cli) fn lines(changes: &ConfigChanges, effects: [&str; 2]) -> String {
    let mut lines = String::new();
    for (effect, changes) in effects.into_iter().zip([&changes.in_force, &changes.need_restart]) {
        for change in changes {
            let _ = writeln!(lines, "{effect}: {change}");
        }
    }
    lines
}

//! `deepwell dungeon stats --words`: counts texts that repeat too soon in the rooms of each level type.

use super::prove::{ALL, level_types};
use super::{BranchSelection, CliFailure, first_spec, json, show};
use deepwell_core::base::Seed;
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::BranchSpec;
use deepwell_game::DungeonConfig;
use deepwell_tools::words::{WordTotals, shared_faults};
use std::io::Write;

/// Counts repetitions and prints them, one level type after another.
pub(super) fn count(
    catalog: &Catalog,
    config: &DungeonConfig,
    branches: &BranchSelection,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let mut counted = Vec::new();
    let mut faults = 0;
    for name in level_types(catalog, branches) {
        let first = first_spec(catalog, config, name)?;
        let mut totals = WordTotals { level_type: name.to_owned(), ..WordTotals::default() };
        for number in 0..branches.seeds {
            let spec = BranchSpec { seed: Seed(branches.seed.wrapping_add(number)), ..first.clone() };
            totals.add(catalog, &spec, branches.rooms);
            totals.add_beginning(catalog, &spec);
        }
        faults += totals.faults().len();
        show(out, &if as_json { json(&totals)? + "\n" } else { totals.to_string() })?;
        counted.push(totals);
    }
    if branches.theme == ALL {
        let shared = shared_faults(catalog, &counted);
        faults += shared.len();
        if !as_json {
            shared.iter().try_for_each(|fault| show(out, &format!("{fault}\n")))?;
        }
    }
    if faults > 0 { Err(CliFailure::Found(faults)) } else { Ok(()) }
}

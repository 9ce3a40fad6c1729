//! Import of zone files: existing rooms and exits keep their identity, new ones are created, and those missing from the
//! files are removed. It happens after [`super::mistakes`] has found no mistake: in one step and hence one batch, or for
//! large files over several steps.

pub(super) mod former;
mod layout;
pub(super) mod read;
mod removal;
pub(super) mod run;
mod stages;
pub(super) mod visit;
pub(super) mod write;

use super::ZoneFiles;
use crate::branch::asleep;
use crate::refusal::Refusal;
pub(crate) use crate::state::file_work::import_run::Imported;
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::turn::Turn;
use std::collections::BTreeMap;

/// Refuses if a character in a room that an import would remove, or at home there, is asleep.
pub(super) fn require_awake_in_gone(turn: &mut Turn, files: &ZoneFiles) -> Result<(), Refusal> {
    let mut run = ImportRun::new(None);
    while run.stage < ImportStage::Close {
        stages::compare_one_room(turn, files, &mut run);
    }
    asleep::require_awake_in(turn, &run.gone)
}

/// Updates each zone to the contents of its file in one step.
pub(super) fn import(turn: &mut Turn, files: ZoneFiles) -> BTreeMap<String, Imported> {
    carry_out(turn, files, ImportRun::new(None))
}

/// Does the rest of an import in one step.
pub(super) fn carry_out(
    turn: &mut Turn,
    mut files: ZoneFiles,
    mut run: ImportRun,
) -> BTreeMap<String, Imported> {
    while run.stage != ImportStage::Done {
        // An import in one step waits for no rows.
        _ = stages::go_one_step(turn, &mut files, &mut run);
    }
    run.imported
}

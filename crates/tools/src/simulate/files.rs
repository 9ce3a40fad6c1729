//! In-memory files of builders for the simulation. As on the server, files are written and read after the batch that
//! requests it. Reading may return an older version, as if an operator had restored it.

use deepwell_core::base::{Dice, Digest, Rng};
use deepwell_game::{Declined, Effect, ExportFile, FileKind, FileStore, Input};
use std::collections::BTreeMap;

/// Number of versions stored per file.
const KEPT: usize = 4;

/// Stored files and the answers not yet sent to the game.
#[derive(Debug, Default)]
pub(super) struct SimulatedFiles {
    /// Written versions by path, the newest last.
    written: BTreeMap<String, Vec<String>>,
    /// Answers to completed requests.
    pub(super) answers: Vec<Input>,
}

impl SimulatedFiles {
    /// Handles an effect if it is a file request.
    pub(super) fn take(&mut self, effect: &Effect, dice: &mut Rng) {
        if let Effect::Files(request) = effect {
            self.answers.push(request.carry_out(&mut Folder { written: &mut self.written, dice }));
        }
    }
}

/// Access to the stored files for one request.
struct Folder<'a> {
    written: &'a mut BTreeMap<String, Vec<String>>,
    dice: &'a mut Rng,
}

impl FileStore for Folder<'_> {
    fn location(&self, path: &str) -> String {
        path.to_owned()
    }

    fn write(&mut self, path: &str, file: &ExportFile) -> Result<(), Declined> {
        let versions = self.written.entry(path.to_owned()).or_default();
        let is_known =
            versions.last().is_none_or(|last| file.known.contains(&Digest::of_text(last).to_string()));
        if !is_known {
            return Err(Declined::Reason("Somebody else has changed the file.".to_owned()));
        }
        versions.push(file.text.clone());
        if versions.len() > KEPT {
            versions.remove(0);
        }
        Ok(())
    }

    fn read(&mut self, path: &str) -> Result<String, Declined> {
        let versions = self.written.get_mut(path);
        let versions = versions.ok_or_else(|| Declined::Reason("There is no such file.".to_owned()))?;
        let newest = versions.len().saturating_sub(1);
        let read = versions.remove(newest.min(self.dice.up_to(3) as usize));
        versions.push(read.clone());
        Ok(read)
    }

    fn definitions(&self) -> Result<Vec<String>, Declined> {
        let folder = FileKind::Definition.path("");
        Ok(self.written.keys().filter_map(|path| path.strip_prefix(&folder)).map(str::to_owned).collect())
    }
}

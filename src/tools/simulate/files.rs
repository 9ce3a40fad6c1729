//! In-memory zone files for the simulation. As on the server, files are written and read after the batch that requests
//! it. Reading may return an older version, as if an operator had restored it.

use crate::base::{Dice, Digest, Rng};
use crate::game::{Declined, Effect, Input, MadeFileResult};
use std::collections::BTreeMap;

/// Number of versions stored per file.
const KEPT: usize = 4;

/// Stored files (zones by name, definitions by path) and the answers not yet sent to the game.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Written versions of each file, the newest last.
    written: BTreeMap<String, Vec<String>>,
    /// Answers to completed requests.
    pub(super) answers: Vec<Input>,
}

impl Files {
    /// Handles an effect if it is a file request.
    pub(super) fn take(&mut self, effect: &Effect, dice: &mut Rng) {
        match effect {
            Effect::WriteZone { asker, zone, text, digest, known } => {
                let (asker, zone, digest) = (*asker, zone.clone(), digest.clone());
                let came = self.write(&zone, text, known);
                self.answers.push(Input::ZoneWritten { asker, zone, digest, came });
            }
            Effect::ReadZones { asker, zones, then } => {
                let texts = zones.iter().map(|zone| {
                    let there = self.written.get_mut(zone)?;
                    let at = there.len().checked_sub(1)?.min(dice.up_to(3) as usize);
                    let read = there.remove(at);
                    there.push(read.clone());
                    Some(read)
                });
                let came: Option<Vec<String>> = texts.collect();
                let came = came.ok_or_else(|| Declined::Reason("There is no such file.".to_owned()));
                self.answers.push(Input::ZonesRead {
                    asker: *asker,
                    zones: zones.clone(),
                    then: *then,
                    came,
                });
            }
            Effect::WriteMade { asker, files } => {
                let came = files.iter().map(|file| MadeFileResult {
                    path: file.path.clone(),
                    digest: file.digest.clone(),
                    came: self.write(&file.path, &file.text, &file.known),
                });
                let came = came.collect();
                self.answers.push(Input::MadeWritten { asker: *asker, came, others: Vec::new() });
            }
            Effect::ReadMade { asker, then } => {
                let made = self.written.iter().filter(|(path, _)| path.contains('/'));
                let read = made.filter_map(|(path, there)| {
                    let at = there.len().checked_sub(1)?.min(dice.up_to(3) as usize);
                    Some((path.clone(), there.get(at)?.clone()))
                });
                let came = Ok(read.collect());
                self.answers.push(Input::MadeRead { asker: *asker, then: *then, came });
            }
            _ => {}
        }
    }

    fn write(&mut self, zone: &str, text: &str, known: &[String]) -> Result<String, Declined> {
        let there = self.written.entry(zone.to_owned()).or_default();
        let is_known = there.last().is_none_or(|last| known.contains(&Digest::of_text(last).to_string()));
        if !is_known {
            return Err(Declined::Reason("Somebody else has changed the file.".to_owned()));
        }
        there.push(text.to_owned());
        if there.len() > KEPT {
            there.remove(0);
        }
        Ok(format!("{zone}.toml"))
    }
}

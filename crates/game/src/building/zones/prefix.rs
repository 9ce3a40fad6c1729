//! Packages whose keys get a prefix, so that a world can take the same package in more than once.

use super::KEY_CHARS_MAX;
use super::outcome::Failed;
use super::package_entry::PackageEntry;
use crate::refusal::refuse;
use deepwell_core::catalog::area::zone_file;
use deepwell_core::catalog::references::luau_keys;
use deepwell_core::catalog::vault::vault_text;
use deepwell_core::catalog::{Area, DefinitionKind, Renaming, Vault};
use deepwell_core::data::archive::Archive;
use deepwell_core::text::grammar;
use std::collections::{BTreeMap, BTreeSet};

/// Archive whose keys have a prefix.
pub(super) struct Prefixed {
    /// The archive.
    pub(super) archive: Archive,
    /// Sentences about the lines of scripts that the builder must look at.
    pub(super) doubts: Vec<String>,
}

/// Returns an archive with the prefix before each key. Files with mistakes keep their text, so that reading them reports the mistakes.
pub(super) fn prefixed(archive: &Archive, prefix: &str) -> Result<Prefixed, Failed> {
    let renaming = renaming(archive, prefix);
    if let Some(key) = renaming.keys().find(|key| key.len() > KEY_CHARS_MAX) {
        return Err(refuse!(
            "The prefix {prefix} is too long: {key} would have {} letters, and a key has forty at most.",
            key.len()
        )
        .into());
    }
    let (mut texts, mut doubts) = (BTreeMap::new(), Vec::new());
    for (path, text) in &archive.0 {
        let (path, text) = match PackageEntry::of_path(path) {
            Some(PackageEntry::Zone(key)) => {
                let area = area(path, text).map(|area| zone_file::write(&renaming.area(area)));
                (PackageEntry::Zone(&renaming.prefixed(key)).path(), area.unwrap_or_else(|| text.clone()))
            }
            Some(PackageEntry::Vault(key)) => {
                let vault = vault(path, text).map(|vault| vault_text::write(&renaming.vault(vault)));
                (PackageEntry::Vault(&renaming.prefixed(key)).path(), vault.unwrap_or_else(|| text.clone()))
            }
            Some(PackageEntry::Definition(DefinitionKind::Script, key)) => {
                let (text, lines) = luau_keys::renamed(text, &renaming);
                let key = renaming.prefixed(key);
                doubts.extend(doubt(&key, &lines));
                (PackageEntry::Definition(DefinitionKind::Script, &key).path(), text)
            }
            Some(PackageEntry::Definition(kind, key)) => (
                PackageEntry::Definition(kind, &renaming.prefixed(key)).path(),
                renaming.definition(kind, text),
            ),
            None => (path.clone(), text.clone()),
        };
        texts.insert(path, text);
    }
    Ok(Prefixed { archive: Archive(texts), doubts })
}

fn renaming(archive: &Archive, prefix: &str) -> Renaming {
    let mut renaming = Renaming::new(prefix);
    for (path, text) in &archive.0 {
        match PackageEntry::of_path(path) {
            Some(PackageEntry::Zone(key)) => {
                renaming.add_zone(key, &area(path, text).unwrap_or_else(|| Area::empty(key)));
            }
            Some(PackageEntry::Vault(key)) => renaming.add_vault(key),
            Some(PackageEntry::Definition(kind, key)) => renaming.add_definition(kind, key),
            None => {}
        }
    }
    renaming
}

/// Returns the zone of a file without mistakes.
fn area(path: &str, text: &str) -> Option<Area> {
    let mut mistakes = Vec::new();
    Area::parse(path, text, &mut mistakes).filter(|_| mistakes.is_empty())
}

/// Returns the vault of a file without mistakes.
fn vault(path: &str, text: &str) -> Option<Vault> {
    let mut mistakes = Vec::new();
    Vault::parse(path, text, &mut mistakes).filter(|_| mistakes.is_empty())
}

/// Tells which lines of a script may still name content by its old key.
fn doubt(key: &str, lines: &BTreeSet<usize>) -> Option<String> {
    let shown = grammar::list(lines.iter().map(ToString::to_string));
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    (!lines.is_empty())
        .then(|| format!("The script {key} may name something by its old key: look at {noun} {shown} of it."))
}

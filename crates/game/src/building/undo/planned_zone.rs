//! Planned state of a zone: its people, its files and its vaults.

use crate::building::zones;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::catalog::Vault;
use deepwell_core::world::{FileVersions, JournalEntry, Zone, ZoneChange};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the zone after the change that `piece` has as its result; `None` if it is removed.
///
/// # Errors
/// If the zone has changed since the entry, or cannot come back.
pub(super) fn planned_zone(
    turn: &Turn,
    entry: &JournalEntry,
    key: &str,
    piece: &ZoneChange,
) -> Result<Option<Zone>, Refusal> {
    let now = turn.world.meta().zones.get(key);
    let people = |zone: &Zone| (zone.owner, zone.authors.clone());
    let fits = |was: Option<&Zone>| now.map(people) == was.map(people);
    Ok(match (&piece.before, &piece.after) {
        (None, Some(is)) => {
            if now.is_some_and(|zone| people(zone) != people(&Zone::default())) {
                return Err(zones::taken(key));
            }
            if now.is_none() {
                zones::require_space(turn, 1)?;
            }
            Some(is.clone())
        }
        (was, is) if fits(was.as_ref()) && vaults_fit(was.as_ref(), is.as_ref(), now) => {
            is.as_ref().map(|is| {
                let vaults = vaults_after(was.as_ref(), is, now);
                let mut vault_files = now.map(|now| now.vault_files.clone()).unwrap_or_default();
                vault_files.retain(|key, _| vaults.contains_key(key));
                let file = now.map_or_else(FileVersions::default, |now| now.file.clone());
                let package = now.map_or_else(FileVersions::default, |now| now.package.clone());
                Zone { file, vaults, vault_files, package, ..is.clone() }
            })
        }
        _ => {
            return Err(changed_since(&format!("The zone {key}"), &entry.line));
        }
    })
}

/// Vaults of a zone by key.
type ZoneVaults = BTreeMap<String, Arc<Vault>>;

/// Returns the vault of a zone with a key, if any.
fn vault<'z>(zone: Option<&'z Zone>, key: &str) -> Option<&'z Arc<Vault>> {
    zone.and_then(|zone| zone.vaults.get(key))
}

/// Returns the keys of the vaults that differ.
fn changed_vaults<'z>(was: Option<&'z Zone>, is: Option<&'z Zone>) -> BTreeSet<&'z String> {
    let keys = was.into_iter().chain(is).flat_map(|zone| zone.vaults.keys());
    keys.filter(|key| vault(was, key) != vault(is, key)).collect()
}

/// Returns `true` if the vaults to be changed are still in their recorded state.
fn vaults_fit(was: Option<&Zone>, is: Option<&Zone>, now: Option<&Zone>) -> bool {
    changed_vaults(was, is).into_iter().all(|key| vault(now, key) == vault(was, key))
}

/// Returns the planned vaults of a zone. Vaults that the entry did not change keep their current state.
fn vaults_after(was: Option<&Zone>, is: &Zone, now: Option<&Zone>) -> ZoneVaults {
    let mut vaults = now.map(|now| now.vaults.clone()).unwrap_or_default();
    for key in changed_vaults(was, Some(is)) {
        match is.vaults.get(key) {
            Some(vault) => _ = vaults.insert(key.clone(), Arc::clone(vault)),
            None => _ = vaults.remove(key),
        }
    }
    vaults
}

/// Returns the refusal for an object that has changed since the entry.
pub(super) fn changed_since(what: &str, line: &str) -> Refusal {
    refuse!("{what} is not as \"{line}\" left it. Nothing is changed.")
}

//! Zones: hand-built areas stored as files, with the builders allowed to edit them.

use crate::base::{AccountId, Coordinates};
use crate::catalog::{DefinitionKind, VariableDeclaration, Vault};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Zone data, apart from its rooms.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Zone {
    /// World coordinates of the zone file's `[0, 0, 0]`.
    pub origin: Coordinates,
    /// Owner, who controls editing access. `None` lets all builders edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<AccountId>,
    /// Builders allowed to edit the zone in addition to the owner.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub authors: BTreeSet<AccountId>,
    /// Variables, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, VariableDeclaration>,
    /// Known digests of the zone file.
    #[serde(skip_serializing_if = "FileVersions::is_new")]
    pub file: FileVersions,
    /// Vaults created from its rooms, by key, until they become content files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vaults: BTreeMap<String, Arc<Vault>>,
    /// Known digests of the vault files, by vault key.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vault_files: BTreeMap<String, FileVersions>,
    /// Known digests of the package of the zone.
    #[serde(skip_serializing_if = "FileVersions::is_new")]
    pub package: FileVersions,
    /// Draft details, if the zone is a draft of another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<ZoneDraft>,
}

/// Draft of a zone, hidden from players until it is published.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ZoneDraft {
    /// Key of the zone that the draft will replace or create.
    pub of: String,
    /// Digest of that zone's text when the draft was created.
    pub since: String,
    /// Published definitions that its publication removes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub removes: BTreeSet<RemovedDefinition>,
    /// Invited testers, in addition to the builders.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub testers: BTreeSet<AccountId>,
}

/// Published definition that a draft removes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RemovedDefinition {
    /// Kind of content.
    pub kind: DefinitionKind,
    /// Key.
    pub key: String,
    /// Digest of its text at that time.
    pub since: String,
}

impl Zone {
    /// Returns `true` if the account is owner, builder or tester.
    pub fn mentions(&self, account: AccountId) -> bool {
        let tries = self.draft.as_ref().is_some_and(|draft| draft.testers.contains(&account));
        tries || self.owner == Some(account) || self.authors.contains(&account)
    }

    /// Removes an account from owner, builders and testers.
    pub fn forget(&mut self, account: AccountId) {
        self.owner = self.owner.filter(|owner| *owner != account);
        self.authors.remove(&account);
        self.draft.iter_mut().for_each(|draft| _ = draft.testers.remove(&account));
    }
}

/// Digests of file contents that are not foreign changes. First comes the content when the file was last written or
/// read. Then come later writes whose completion is not yet known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileVersions(Vec<String>);

impl FileVersions {
    /// Maximum number of pending writes stored; more than can be in flight.
    const ATTEMPTS_MAX: usize = 64;

    pub(in crate::world) fn is_new(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the known digests.
    pub fn digests(&self) -> &[String] {
        &self.0
    }

    /// Records that a write of this content is starting.
    pub fn attempt(&mut self, digest: String) {
        self.0.push(digest);
        if self.0.len() > Self::ATTEMPTS_MAX {
            // The oldest attempt; index 0 is the last known content.
            self.0.remove(1);
        }
    }

    /// Records that the file has this content. Earlier digests are dropped, as their writes are over.
    pub fn settle(&mut self, digest: String) {
        let later = self.0.iter().position(|known| *known == digest).map_or(self.0.len(), |at| at + 1);
        self.0.splice(..later, [digest]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(digests: &[&str]) -> FileVersions {
        FileVersions(digests.iter().map(|digest| (*digest).to_owned()).collect())
    }

    #[test]
    fn settling_a_write_keeps_later_pending_writes() {
        let mut zone = file(&["old", "one", "two"]);
        zone.settle("one".into());
        assert_eq!(zone, file(&["one", "two"]));
        zone.settle("an edit".into());
        assert_eq!(zone, file(&["an edit"]));
    }

    #[test]
    fn failed_attempts_are_bounded() {
        let mut zone = file(&["old"]);
        for number in 0..200 {
            zone.attempt(number.to_string());
        }
        assert_eq!(zone.digests().len(), FileVersions::ATTEMPTS_MAX);
        assert_eq!(zone.digests()[0], "old");
    }
}

//! Zones: hand-built areas that are kept as files, with whoever may build in them.

use crate::base::{AccountId, Coordinates};
use crate::catalog::Vault;
use crate::dungeon::MadeVaults;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is kept of a zone besides its rooms.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Zone {
    /// The place that its file calls `[0, 0, 0]`.
    pub origin: Coordinates,
    /// Who says who may build in it; all builders may where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<AccountId>,
    /// Who may build in it besides.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub authors: BTreeSet<AccountId>,
    /// What the file was when it was last written or read.
    #[serde(skip_serializing_if = "ZoneFile::is_new")]
    pub file: ZoneFile,
    /// Vaults that its rooms were made, by key, until they are files of the content.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vaults: BTreeMap<String, Arc<Vault>>,
    /// What the files of those were when they were last written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vault_files: BTreeMap<String, ZoneFile>,
    /// What it is a draft of, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<ZoneDraft>,
}

/// A zone that is to become another, and that players do not see until then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ZoneDraft {
    /// The zone that it is to become, by key; there need not be one yet.
    pub of: String,
    /// Digest of that zone's text when the draft was made.
    pub since: String,
    /// Who was asked to try it, besides those who build.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub testers: BTreeSet<AccountId>,
}

impl Zone {
    /// Whether somebody is its owner, builds in it, or was asked to try it.
    pub fn mentions(&self, account: AccountId) -> bool {
        let tries = self.draft.as_ref().is_some_and(|draft| draft.testers.contains(&account));
        tries || self.owner == Some(account) || self.authors.contains(&account)
    }

    /// Somebody has nothing to do with it any more.
    pub fn forget(&mut self, account: AccountId) {
        self.owner = self.owner.filter(|owner| *owner != account);
        self.authors.remove(&account);
        self.draft.iter_mut().for_each(|draft| _ = draft.testers.remove(&account));
    }
}

impl World {
    /// The vaults made in the game, by key.
    pub fn made_vaults(&self) -> MadeVaults {
        let all = self.meta().zones.values().flat_map(|zone| &zone.vaults);
        all.map(|(key, vault)| (key.clone(), Arc::clone(vault))).collect()
    }
}

/// Digests of what the file of a zone may be without anybody else having changed it: first what it was when it was last
/// written or read, then what has been written since, of which nobody knows yet whether it came to its end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ZoneFile(Vec<String>);

impl ZoneFile {
    /// Attempts at writing that are kept; more than can wait at a time.
    const ATTEMPTS_MAX: usize = 64;

    pub(super) fn is_new(&self) -> bool {
        self.0.is_empty()
    }

    /// What the file may be.
    pub fn digests(&self) -> &[String] {
        &self.0
    }

    /// Something is about to be written.
    pub fn attempt(&mut self, digest: String) {
        self.0.push(digest);
        if self.0.len() > Self::ATTEMPTS_MAX {
            // The oldest attempt; what the file is stands before it.
            self.0.remove(1);
        }
    }

    /// The file is this: of what came before, nothing can turn up any more.
    pub fn settle(&mut self, digest: String) {
        let later = self.0.iter().position(|known| *known == digest).map_or(self.0.len(), |at| at + 1);
        self.0.splice(..later, [digest]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(digests: &[&str]) -> ZoneFile {
        ZoneFile(digests.iter().map(|digest| (*digest).to_owned()).collect())
    }

    #[test]
    fn what_is_still_being_written_stays_known_when_an_earlier_writing_ends() {
        let mut zone = file(&["old", "one", "two"]);
        zone.settle("one".into());
        assert_eq!(zone, file(&["one", "two"]));
        zone.settle("an edit".into());
        assert_eq!(zone, file(&["an edit"]));
    }

    #[test]
    fn attempts_that_fail_do_not_pile_up() {
        let mut zone = file(&["old"]);
        for number in 0..200 {
            zone.attempt(number.to_string());
        }
        assert_eq!(zone.digests().len(), ZoneFile::ATTEMPTS_MAX);
        assert_eq!(zone.digests()[0], "old");
    }
}

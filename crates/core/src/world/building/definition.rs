//! Content definitions created in the game, stored as the text of the content file. The catalog parses them.

use crate::base::{AccountId, DefinitionId, GameTime};
use crate::catalog::{DefinitionKind, draft_key};
use crate::world::indexed::{Indexed, TableIndex};
use crate::world::{FileVersions, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Creature, item or other content definition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Definition {
    /// Unique id.
    pub id: DefinitionId,
    /// Kind of content.
    pub kind: DefinitionKind,
    /// Key, unique within its kind; also the file name.
    pub key: String,
    /// Text of the content file.
    pub text: String,
    /// Author, who may edit it. `None` lets all builders edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<AccountId>,
    /// Zone whose owner and builders may edit it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Set for a version that belongs to a draft of a zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftVersion>,
    /// Time of the last change.
    pub at: GameTime,
    /// Keys that it had before: creatures, items and players that were in storage may still have one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub former_keys: BTreeSet<String>,
    /// Known digests of the content file.
    #[serde(default, skip_serializing_if = "FileVersions::is_new")]
    pub file: FileVersions,
}

/// Version of a definition that belongs to a draft of a zone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "StoredVersion", into = "StoredVersion")]
pub struct DraftVersion {
    /// Key of the draft.
    pub zone: String,
    /// Digest of the published text that it is a version of. `None` if the draft has made it.
    pub since: Option<String>,
}

/// Stored form of a version: a list, which the journal keeps as a whole.
type StoredVersion = (String, Option<String>);

impl From<StoredVersion> for DraftVersion {
    fn from((zone, since): StoredVersion) -> Self {
        Self { zone, since }
    }
}

impl From<DraftVersion> for StoredVersion {
    fn from(DraftVersion { zone, since }: DraftVersion) -> Self {
        (zone, since)
    }
}

impl Definition {
    /// Returns `true` if the row belongs to a draft.
    pub fn is_of_draft(&self, zone: &str) -> bool {
        self.draft.as_ref().is_some_and(|draft| draft.zone == zone)
    }

    /// Returns the draft and the published digest of a draft's version of a published definition.
    pub fn version(&self) -> Option<(&str, &str)> {
        let draft = self.draft.as_ref()?;
        Some((&draft.zone, draft.since.as_deref()?))
    }
}

/// Definitions by kind and key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefinitionIndex(BTreeMap<DefinitionKind, BTreeMap<String, DefinitionId>>);

impl TableIndex<Definition> for DefinitionIndex {
    fn note(&mut self, row: &Definition) {
        self.0.entry(row.kind).or_default().insert(row.key.clone(), row.id);
    }

    fn forget(&mut self, row: &Definition) {
        if let Some(keys) = self.0.get_mut(&row.kind) {
            keys.remove(&row.key);
        }
    }
}

/// Content definitions created in the game.
pub type Definitions = Indexed<Definition, DefinitionIndex>;

impl Definitions {
    /// Returns the definition with this kind and key.
    pub fn find(&self, kind: DefinitionKind, key: &str) -> Option<&Definition> {
        self.get(*self.index.0.get(&kind)?.get(key)?)
    }

    /// Returns the definition of this kind that had a key before, if none has it now.
    pub fn find_former(&self, kind: DefinitionKind, key: &str) -> Option<&Definition> {
        let mut of_kind = self.index.0.get(&kind)?.values().filter_map(|id| self.get(*id));
        of_kind.find(|row| row.former_keys.contains(key)).filter(|_| self.find(kind, key).is_none())
    }

    /// Gives a definition another key.
    pub fn change_key(&mut self, id: DefinitionId, key: &str) {
        let Some(mut row) = self.remove(id) else { return };
        row.former_keys.insert(std::mem::replace(&mut row.key, key.to_owned()));
        row.former_keys.remove(key);
        self.add(row);
    }
}

/// Checks that keys are unique within a kind, texts are not empty, and authors and drafts exist.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut keys = BTreeSet::new();
    for (id, row) in world.definitions.iter() {
        let kind = row.kind.name();
        if !keys.insert((row.kind, &row.key)) {
            violations.push(format!("definitions {id}: there are two of the {kind} {}", row.key));
        }
        if !DefinitionKind::is_key(&row.key) || row.text.trim().is_empty() {
            violations.push(format!("definitions {id}: the {kind} {} has no key or no text", row.key));
        }
        let is_draft = |zone: &str| world.meta().zones.get(zone).is_some_and(|zone| zone.draft.is_some());
        if row.draft.as_ref().is_some_and(|draft| !is_draft(&draft.zone)) {
            violations
                .push(format!("definitions {id}: the {kind} {} belongs to no draft that exists", row.key));
        }
        let is_named = |draft: &str| draft_key::split(&row.key).is_some_and(|(of, _)| of == draft);
        if row.draft.as_ref().is_some_and(|draft| draft.since.is_some() != is_named(&draft.zone)) {
            violations.push(format!("definitions {id}: the {kind} {} has not the key of its draft", row.key));
        }
        if row.author.is_some_and(|author| world.accounts.get(author).is_none()) {
            violations.push(format!("definitions {id}: the {kind} {} belongs to nobody who exists", row.key));
        }
    }
}

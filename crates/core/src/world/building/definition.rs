//! Content definitions created in the game, stored as the text of the content file. The catalog parses them.

use crate::base::{AccountId, DefinitionId, GameTime};
use crate::catalog::DefinitionKind;
use crate::world::{FileVersions, Table, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    /// Time of the last change.
    pub at: GameTime,
    /// Known digests of the content file.
    #[serde(default, skip_serializing_if = "FileVersions::is_new")]
    pub file: FileVersions,
}

impl Table<Definition> {
    /// Returns the definition with this kind and key.
    pub fn find(&self, kind: DefinitionKind, key: &str) -> Option<&Definition> {
        self.iter().map(|(_, row)| row).find(|row| row.kind == kind && row.key == key)
    }
}

/// Checks that keys are unique within a kind, texts are not empty and authors exist.
pub(in crate::world) fn check(world: &World, wrong: &mut Vec<String>) {
    let mut keys = BTreeSet::new();
    for (id, row) in world.definitions.iter() {
        let kind = row.kind.name();
        if !keys.insert((row.kind, &row.key)) {
            wrong.push(format!("definitions {id}: there are two of the {kind} {}", row.key));
        }
        if !DefinitionKind::is_key(&row.key) || row.text.trim().is_empty() {
            wrong.push(format!("definitions {id}: the {kind} {} has no key or no text", row.key));
        }
        if row.author.is_some_and(|author| world.accounts.get(author).is_none()) {
            wrong.push(format!("definitions {id}: the {kind} {} belongs to nobody who exists", row.key));
        }
    }
}

//! Something of the content that was made in the game: the text that its file would have. Whoever reads it is the catalog.

use crate::base::{AccountId, DefinitionId, GameTime};
use crate::catalog::DefinitionKind;
use crate::world::{World, ZoneFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A creature, a thing, or what else is content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Definition {
    /// Identity.
    pub id: DefinitionId,
    /// What it is.
    pub kind: DefinitionKind,
    /// Its key among those of its kind, which is the name of its file.
    pub key: String,
    /// The text of its file.
    pub text: String,
    /// Who made it and says who changes it; all builders may where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<AccountId>,
    /// When it was changed last.
    pub at: GameTime,
    /// What its file was when it was last written or read.
    #[serde(default, skip_serializing_if = "ZoneFile::is_new")]
    pub file: ZoneFile,
}

impl World {
    /// What was made in the game under a key.
    pub fn definition(&self, kind: DefinitionKind, key: &str) -> Option<&Definition> {
        self.definitions.iter().map(|(_, row)| row).find(|row| row.kind == kind && row.key == key)
    }
}

/// Each key of a kind is there once, says something, and belongs to somebody who exists.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
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

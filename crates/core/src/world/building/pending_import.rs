//! Imports of zone files that take several steps. Their files are stored until the import is complete, so that a server
//! that was killed in between completes it after its next start.

use crate::base::{AccountId, JournalId, RoomId};
use crate::world::{FormerZones, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Import that has begun and is not complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PendingImport {
    /// Number of its entry in the build journal, which is written when it is complete.
    pub id: JournalId,
    /// Account of the builder; `None` for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    /// Room in which the command was typed; `None` for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    /// Command as typed.
    pub line: String,
    /// Files by zone.
    pub files: BTreeMap<String, String>,
    /// Key of the draft that is published, and removed afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<String>,
    /// Set if the draft is that of a new zone, which takes its rooms over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves_rooms: bool,
    /// Zones before the import; `None` if it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<FormerZones>,
    /// Entry of the journal that is undone, or done again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverses: Option<JournalId>,
}

/// Checks that the builders of imports exist, and that imports have files.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    for (id, row) in world.imports.iter() {
        let is_empty = row.files.is_empty() && row.draft.is_none();
        if row.account.is_some_and(|account| world.accounts.get(account).is_none()) || is_empty {
            violations.push(format!("imports {id}: without a builder who exists, or without files"));
        }
    }
}

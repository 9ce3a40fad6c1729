//! Definitions of drafts as the content has them: their references lead to the versions, rooms and variables of the draft.

use crate::access::draft_names::{renaming_to, zone_of};
use crate::turn::Turn;
use deepwell_core::base::Digest;
use deepwell_core::catalog::{DefinitionKind, Renaming, draft_key};
use deepwell_core::world::Definition;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Changes to definitions: new texts by kind and key, or `None` to delete.
pub(crate) type DefinitionChanges = BTreeMap<(DefinitionKind, String), Option<String>>;

/// Returns the zone of a draft, also before its row is there.
pub(super) fn zone_before<'t>(turn: &'t Turn, draft: &'t str) -> &'t str {
    zone_of(turn, draft).or_else(|| draft.strip_suffix(draft_key::DRAFT_ENDING)).unwrap_or(draft)
}

/// Returns the draft of a definition: that of its row, or of its key.
pub(super) fn draft_of<'t>(turn: &'t Turn, kind: DefinitionKind, key: &'t str) -> Option<&'t str> {
    match turn.world.definitions.find(kind, key) {
        Some(row) => row.draft.as_ref().map(|draft| draft.zone.as_str()),
        None => draft_key::split(key).map(|(draft, _)| draft).filter(|draft| zone_of(turn, draft).is_some()),
    }
}

/// Returns the digest of the text of a definition.
pub(crate) fn digest(text: &str) -> String {
    Digest::of_text(text).to_string()
}

/// Returns the texts of rows as the content has them.
pub(super) fn compiled<'r>(turn: &Turn, rows: &[&'r Definition]) -> Vec<Cow<'r, str>> {
    let mut renamings: BTreeMap<&str, Renaming> = BTreeMap::new();
    let compile = |row: &&'r Definition| {
        let Some(draft) = row.draft.as_ref().map(|draft| draft.zone.as_str()) else {
            return Cow::Borrowed(row.text.as_str());
        };
        let all = rows.iter().filter(|row| row.is_of_draft(draft)).map(|row| (row.kind, row.key.as_str()));
        let zone = zone_before(turn, draft);
        let renaming = renamings.entry(draft).or_insert_with(|| renaming_to(zone, draft, all));
        Cow::Owned(renaming.definition(row.kind, &row.text))
    };
    rows.iter().map(compile).collect()
}

/// Returns changes as the content has them. With the set of versions of a draft, the references of all its definitions may
/// change.
pub(super) fn compiled_changes(
    turn: &Turn,
    made_in: Option<&str>,
    changes: &DefinitionChanges,
) -> DefinitionChanges {
    let draft_of = |kind: DefinitionKind, key: &str| {
        let is_new = turn.world.definitions.find(kind, key).is_none();
        draft_of(turn, kind, key).or_else(|| made_in.filter(|_| is_new)).map(str::to_owned)
    };
    let mut written = changes.clone();
    let drafts: BTreeSet<String> = changes.keys().filter_map(|(kind, key)| draft_of(*kind, key)).collect();
    for draft in drafts {
        let rows = || turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(&draft));
        let known = rows().filter(|row| !turn.set_aside.contains_key(&row.id));
        let mut keys: BTreeSet<(DefinitionKind, &str)> =
            known.map(|row| (row.kind, row.key.as_str())).collect();
        let before = keys.clone();
        for ((kind, key), text) in changes {
            if text.is_some() {
                keys.insert((*kind, key))
            } else {
                keys.remove(&(*kind, key.as_str()))
            };
        }
        let zone = zone_before(turn, &draft);
        let renaming = renaming_to(zone, &draft, keys.iter().copied());
        if keys != before {
            for row in rows().filter(|row| !turn.set_aside.contains_key(&row.id)) {
                let text = || Some(row.text.clone());
                written.entry((row.kind, row.key.clone())).or_insert_with(text);
            }
        }
        for ((kind, key), text) in &mut written {
            if draft_of(*kind, key).as_ref() == Some(&draft)
                && let Some(text) = text
            {
                *text = renaming.definition(*kind, text);
            }
        }
    }
    written
}

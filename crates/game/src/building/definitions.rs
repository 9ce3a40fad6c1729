//! Definitions created in the game, which override those of the content files. The effective content follows from the
//! two alone. The format is that of the files. A definition that conflicts with the files is inactive until it fits.

use crate::access::permissions;
use crate::building::zones;
use crate::effect::Effect;
use crate::quest;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, DefinitionId, Right, RuleLimit};
use deepwell_core::catalog::{Catalog, CatalogError, DefinitionKind, Written};
use deepwell_core::text::nearest;
use deepwell_core::world::{Definition, FileVersions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Changes to definitions: new texts by kind and key, or `None` to delete.
pub(crate) type Changes = BTreeMap<(DefinitionKind, String), Option<String>>;

/// Applies the stored definitions to the current content files. Deletes stored definitions that equal their file, and
/// returns a message for each.
pub(crate) fn settle(turn: &mut Turn) -> Vec<String> {
    let mut told = Vec::new();
    let rows: Vec<DefinitionId> = turn.world.definitions.iter().map(|(id, _)| id).collect();
    for id in rows {
        let Some(row) = turn.world.definitions.get(id) else { continue };
        if turn.of_files.text_of_file(row.kind, &row.key) == Some(row.text.as_str()) {
            told.push(format!("The {} {} is what its file says.", row.kind.noun(), row.key));
            turn.world.definitions.remove(id);
        }
    }
    apply_overrides(turn);
    quest::announce_to_all(turn);
    for text in inactive_definitions(turn) {
        turn.outbox.push(Effect::Warning { text });
    }
    told
}

/// Activates the definitions that fit and deactivates the others.
fn apply_overrides(turn: &mut Turn) {
    turn.set_aside.clear();
    loop {
        let mistakes = match catalog_with_overrides(turn) {
            Ok(catalog) => {
                turn.catalog = catalog;
                return;
            }
            Err(mistakes) => mistakes,
        };
        let of_row = |row: &Definition| -> Vec<CatalogError> {
            let path = row.kind.path(&row.key);
            mistakes.iter().filter(|mistake| mistake.place.file == path).cloned().collect()
        };
        let in_force = || turn.world.definitions.iter().filter(|(id, _)| !turn.set_aside.contains_key(id));
        let mut wrong: BTreeMap<DefinitionId, Vec<CatalogError>> =
            in_force().map(|(id, row)| (id, of_row(row))).filter(|(_, found)| !found.is_empty()).collect();
        if wrong.is_empty() {
            // Errors in files without a stored definition, such as a missing part of a theme, may come from any
            // override.
            wrong.extend(in_force().map(|(id, _)| (id, mistakes.clone())));
        }
        turn.set_aside.extend(wrong);
    }
}

/// Describes the inactive definitions, one line for each error.
pub(crate) fn inactive_definitions(turn: &Turn) -> Vec<String> {
    let lines = turn.set_aside.iter().filter_map(|(id, mistakes)| {
        let row = turn.world.definitions.get(*id)?;
        let (kind, key) = (row.kind.noun(), &row.key);
        Some(
            mistakes
                .iter()
                .map(move |wrong| format!("The {kind} {key} made in the game is not in force: {wrong}.")),
        )
    });
    lines.flatten().collect()
}

/// Builds the catalog from the files and all active definitions.
fn catalog_with_overrides(turn: &Turn) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let rows = turn.world.definitions.iter().filter(|(id, _)| !turn.set_aside.contains_key(id));
    let written: Vec<Written<'_>> = rows
        .map(|(_, row)| Written { kind: row.kind, key: &row.key, text: Some(row.text.as_str()) })
        .collect();
    if written.is_empty() {
        return Ok(Arc::clone(&turn.of_files));
    }
    turn.of_files.with(&written).map(Arc::new)
}

/// Builds the catalog as it would be with some changes. Parses only the changed definitions.
///
/// # Errors
/// All errors in the changed content.
pub(crate) fn preview_catalog(turn: &Turn, changes: &Changes) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let mut written = Vec::new();
    for ((kind, key), text) in changes {
        written.push(Written { kind: *kind, key, text: text.as_deref() });
    }
    turn.catalog.with(&written).map(Arc::new)
}

/// Returns the text of a definition: the stored one, else that of its file.
pub(crate) fn text_of<'t>(turn: &'t Turn, kind: DefinitionKind, key: &str) -> Option<&'t str> {
    let made = turn.world.definitions.find(kind, key).map(|row| row.text.as_str());
    made.or_else(|| turn.of_files.text_of_file(kind, key))
}

/// Refuses an undefined key, with the nearest defined one as a suggestion.
pub(crate) fn require(turn: &Turn, kind: DefinitionKind, key: &str) -> Result<(), Refusal> {
    if text_of(turn, kind, key).is_some() {
        return Ok(());
    }
    let meant = nearest(key, turn.catalog.defined(kind));
    Err(refuse!("There is no {} {key}.{}", kind.noun(), refusal::did_you_mean(meant)))
}

/// Refuses a builder who may not change a definition. A stored definition belongs to its author and to the builders of its
/// zone; definitions of files need [`Right::AllZones`], which also allows changing those of others.
pub(crate) fn require_author(
    turn: &Turn,
    account: AccountId,
    kind: DefinitionKind,
    key: &str,
) -> Result<(), Refusal> {
    if permissions::has(turn, account, Right::AllZones) {
        return Ok(());
    }
    if turn.of_files.text_of_file(kind, key).is_some() {
        return Err(refuse!(
            "The {} {key} is in the files of the server; only an admin changes it here. make {} NEW_KEY like \
             {key} makes one like it.",
            kind.noun(),
            kind.name()
        ));
    }
    let row = turn.world.definitions.find(kind, key);
    if row.and_then(|row| row.zone.as_ref()).is_some_and(|zone| zones::is_builder(turn, account, zone)) {
        return Ok(());
    }
    match row
        .and_then(|row| row.author)
        .filter(|author| *author != account)
        .and_then(|author| turn.world.accounts.get(author))
    {
        Some(author) => Err(refuse!(
            "{} made the {} {key}, and says what it is. make {} NEW_KEY like {key} makes one like it.",
            author.name,
            kind.noun(),
            kind.name()
        )),
        None => Ok(()),
    }
}

/// Refuses to exceed the limit on definitions.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let (limits, wants) = (&turn.config.limits, turn.world.definitions.len() + more);
    refusal::require_at_most(limits, RuleLimit::Definitions, wants, |most| {
        refuse!("At most {most} creatures, things, pages and others are made in the game.")
    })
}

/// Creates, replaces and deletes definitions as one change.
///
/// # Errors
/// If there would be too many, one is too long, or the content would have errors.
pub(crate) fn write(turn: &mut Turn, author: Option<AccountId>, changes: &Changes) -> Result<(), Refusal> {
    let is_new = |((kind, key), text): &(&(DefinitionKind, String), &Option<String>)| {
        text.is_some() && turn.world.definitions.find(*kind, key).is_none()
    };
    let new = changes.iter().filter(is_new).count();
    if new > 0 {
        require_space(turn, new)?;
    }
    let longest = changes.values().flatten().map(String::len).max().unwrap_or_default();
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::DefinitionBytes, longest, |most| {
        refuse!("That would be too long: its text has at most {most} bytes.")
    })?;
    let catalog = preview_catalog(turn, changes).map_err(|mistakes| refused(changes, &mistakes))?;
    for ((kind, key), text) in changes {
        let id = turn.world.definitions.find(*kind, key).map(|row| row.id);
        match (id, text) {
            (Some(id), Some(text)) => {
                let now = turn.now;
                turn.world.definitions.change(id, |row| (row.text, row.at) = (text.clone(), now));
            }
            (None, Some(text)) => {
                let id = turn.world.new_definition_id();
                let (key, text, at) = (key.clone(), text.clone(), turn.now);
                let row = Definition {
                    id,
                    kind: *kind,
                    key,
                    text,
                    author,
                    zone: None,
                    at,
                    file: FileVersions::default(),
                };
                turn.world.definitions.put(row);
            }
            (Some(id), None) => _ = turn.world.definitions.remove(id),
            (None, None) => {}
        }
        id.map(|id| turn.set_aside.remove(&id));
    }
    turn.catalog = catalog;
    quest::announce_to_all(turn);
    Ok(())
}

/// Gives a definition to a zone, or to its author alone.
pub(crate) fn set_zone(turn: &mut Turn, kind: DefinitionKind, key: &str, zone: Option<String>) {
    if let Some(id) = turn.world.definitions.find(kind, key).filter(|row| row.zone != zone).map(|row| row.id)
    {
        turn.world.definitions.change(id, |row| row.zone = zone);
    }
}

/// Gives the definitions of a zone to another.
pub(crate) fn rename_zone(turn: &mut Turn, from: &str, to: &str) {
    let is_meant = |row: &Definition| row.zone.as_deref() == Some(from);
    turn.world.definitions.change_where(is_meant, |row| row.zone = Some(to.to_owned()));
}

/// Lists the errors for the builder. Errors in the only changed text are given without their location, unless it is a
/// script, whose lines have numbers.
pub(crate) fn refused(changes: &Changes, mistakes: &[CatalogError]) -> Refusal {
    let only =
        changes.keys().next().filter(|(kind, _)| changes.len() == 1 && *kind != DefinitionKind::Script);
    let only = only.map(|(kind, key)| kind.path(key));
    let told = |mistake: &CatalogError| {
        if Some(&mistake.place.file) == only.as_ref() { mistake.words() } else { mistake.to_string() }
    };
    Refusal::Mistakes(mistakes.iter().map(told).collect())
}

/// Returns the refusal of a key that a definition has.
pub(crate) fn taken(kind: DefinitionKind, key: &str) -> Refusal {
    refuse!("There is a {} {key} already. examine {} {key} tells what it is.", kind.noun(), kind.name())
}

//! Definitions created in the game, which override those of the content files. The effective content follows from the
//! two alone. The format is that of the files. A definition that conflicts with the files is inactive until it fits.

use crate::access::permissions;
use crate::building::{draft_content, zones};
use crate::effect::Effect;
use crate::quest;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, DefinitionId, Right, RuleLimit};
use deepwell_core::catalog::{Catalog, CatalogError, DefinitionKind, OverridingText, draft_key};
use deepwell_core::text::nearest;
use deepwell_core::world::{Built, Definition, DraftVersion, FileVersions};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) use crate::building::draft_content::DefinitionChanges;

/// Applies the stored definitions to the current content files. Deletes stored definitions that equal their file, and
/// returns a message for each.
pub(crate) fn settle(turn: &mut Turn) -> Vec<String> {
    let mut lines = Vec::new();
    let rows: Vec<DefinitionId> = turn.world.definitions.iter().map(|(id, _)| id).collect();
    for id in rows {
        let Some(row) = turn.world.definitions.get(id) else { continue };
        if turn.of_files.text_of_file(row.kind, &row.key) == Some(row.text.as_str()) {
            lines.push(format!("The {} {} is what its file says.", row.kind.noun(), row.key));
            turn.world.definitions.remove(id);
        }
    }
    apply_overrides(turn);
    quest::announce_to_all(turn);
    for text in inactive_definitions(turn) {
        turn.outbox.push(Effect::Warning { text });
    }
    lines
}

/// Activates the definitions that fit and deactivates the others.
pub(super) fn apply_overrides(turn: &mut Turn) {
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
        let mut by_definition: BTreeMap<DefinitionId, Vec<CatalogError>> =
            in_force().map(|(id, row)| (id, of_row(row))).filter(|(_, found)| !found.is_empty()).collect();
        if by_definition.is_empty() {
            // Errors in files without a stored definition, such as a missing part of a theme, may come from any
            // override.
            by_definition.extend(in_force().map(|(id, _)| (id, mistakes.clone())));
        }
        turn.set_aside.extend(by_definition);
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
                .map(move |mistake| format!("The {kind} {key} made in the game is not in force: {mistake}.")),
        )
    });
    lines.flatten().collect()
}

/// Builds the catalog from the files and all active definitions.
fn catalog_with_overrides(turn: &Turn) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let rows = turn.world.definitions.iter().filter(|(id, _)| !turn.set_aside.contains_key(id));
    let rows: Vec<&Definition> = rows.map(|(_, row)| row).collect();
    if rows.is_empty() {
        return Ok(Arc::clone(&turn.of_files));
    }
    let texts = draft_content::compiled(turn, &rows);
    let written = rows.iter().zip(&texts);
    let written: Vec<OverridingText<'_>> = written
        .map(|(row, text)| OverridingText { kind: row.kind, key: &row.key, text: Some(text) })
        .collect();
    turn.of_files.with(&written).map(Arc::new)
}

/// Builds the catalog as it would be with some changes. Parses only the changed definitions.
///
/// # Errors
/// All errors in the changed content.
pub(crate) fn preview_catalog(
    turn: &Turn,
    changes: &DefinitionChanges,
) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    preview_in(turn, None, changes)
}

/// Builds the catalog as [`preview_catalog`]. New definitions belong to a draft, if one is given.
pub(crate) fn preview_in(
    turn: &Turn,
    draft: Option<&str>,
    changes: &DefinitionChanges,
) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let all = draft_content::compiled_changes(turn, draft, changes);
    let written: Vec<OverridingText<'_>> = all
        .iter()
        .map(|((kind, key), text)| OverridingText { kind: *kind, key, text: text.as_deref() })
        .collect();
    turn.catalog.with(&written).map(Arc::new)
}

/// Returns the name of the builder who changed a stored definition last.
pub(crate) fn last_author(turn: &Turn, row: &Definition) -> String {
    let mut entries = turn.world.journal.iter().rev().map(|(_, entry)| entry);
    let last = entries.find(|entry| entry.undone.is_none() && entry.touches(Built::Definition(row.id)));
    last.map_or_else(|| author_name(turn, row).to_owned(), |entry| entry.name.clone())
}

/// Returns the name of the builder who made a stored definition.
pub(crate) fn author_name<'t>(turn: &'t Turn, row: &Definition) -> &'t str {
    let author = row.author.and_then(|author| turn.world.accounts.get(author));
    author.map_or("a builder who is gone", |author| author.name.as_str())
}

/// Returns the text of a definition: the stored one, else that of its file.
pub(crate) fn text_of<'t>(turn: &'t Turn, kind: DefinitionKind, key: &str) -> Option<&'t str> {
    let made = turn.world.definitions.find(kind, key).map(|row| row.text.as_str());
    made.or_else(|| turn.of_files.text_of_file(kind, key))
}

/// Returns the present key of a definition that had this key before; `None` if a definition has it.
pub(crate) fn renamed_key(turn: &Turn, kind: DefinitionKind, key: &str) -> Option<String> {
    let row = turn.world.definitions.find_former(kind, key)?;
    (!turn.catalog.defines(kind, key)).then(|| row.key.clone())
}

/// Refuses an undefined key, with the nearest defined one as a suggestion.
pub(crate) fn require(turn: &Turn, kind: DefinitionKind, key: &str) -> Result<(), Refusal> {
    if text_of(turn, kind, key).is_some() {
        return Ok(());
    }
    if let Some(row) = turn.world.definitions.find_former(kind, key) {
        return Err(refuse!("The {} {key} has the key {} now.", kind.noun(), row.key));
    }
    let known = turn.catalog.defined(kind).into_iter().filter(|known| draft_key::split(known).is_none());
    let meant = nearest(key, known.collect::<Vec<_>>());
    Err(refuse!("There is no {} {}.{}", kind.noun(), draft_key::plain(key), refusal::did_you_mean(meant)))
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
    if let Some(draft) = row.and_then(|row| row.draft.as_ref()) {
        zones::require_author(turn, account, &draft.zone)?;
        let plain = draft_key::plain(key);
        return if plain == key { Ok(()) } else { require_author(turn, account, kind, plain) };
    }
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
        refuse!("At most {most} creatures, items, pages and others are made in the game.")
    })
}

/// Creates, replaces and deletes definitions as one change.
///
/// # Errors
/// If there would be too many, one is too long, or the content would have errors.
pub(crate) fn write(
    turn: &mut Turn,
    author: Option<AccountId>,
    changes: &DefinitionChanges,
) -> Result<(), Refusal> {
    write_in(turn, author, None, changes)
}

/// Creates, replaces and deletes definitions as [`write`]. New ones belong to a draft, if one is given.
pub(crate) fn write_in(
    turn: &mut Turn,
    author: Option<AccountId>,
    draft: Option<&str>,
    changes: &DefinitionChanges,
) -> Result<(), Refusal> {
    let is_there = |(kind, key): &(DefinitionKind, String)| turn.world.definitions.find(*kind, key).is_some();
    let new = changes.iter().filter(|(named, text)| text.is_some() && !is_there(named)).count();
    let gone = changes.iter().filter(|(named, text)| text.is_none() && is_there(named)).count();
    if new > gone {
        require_space(turn, new - gone)?;
    }
    let longest = changes.values().flatten().map(String::len).max().unwrap_or_default();
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::DefinitionBytes, longest, |most| {
        refuse!("That would be too long: its text has at most {most} bytes.")
    })?;
    for (kind, key) in changes.iter().filter(|(_, text)| text.is_some()).map(|(named, _)| named) {
        if let Some(row) = turn.world.definitions.find_former(*kind, key) {
            return Err(refuse!("{key} was the key of the {} {}. Take another.", kind.noun(), row.key));
        }
    }
    let catalog = preview_in(turn, draft, changes).map_err(|mistakes| refused(changes, &mistakes))?;
    for ((kind, key), text) in changes {
        let id = turn.world.definitions.find(*kind, key).map(|row| row.id);
        match (id, text) {
            (Some(id), Some(text)) => {
                let now = turn.now;
                turn.world.definitions.change(id, |row| (row.text, row.at) = (text.clone(), now));
            }
            (None, Some(text)) => {
                let mark = mark_of(turn, draft, *kind, key);
                let id = add_row(turn, *kind, key, text, author);
                if let Some(mark) = mark {
                    turn.world.definitions.change(id, |row| {
                        (row.zone, row.draft) = (Some(mark.zone.clone()), Some(mark));
                    });
                }
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

/// Gives a definition another key, and other definitions new texts.
///
/// # Errors
/// If the content would have errors.
pub(crate) fn change_key(
    turn: &mut Turn,
    id: DefinitionId,
    key: &str,
    mut texts: DefinitionChanges,
) -> Result<(), Refusal> {
    let row = &turn.world.definitions[id];
    let (before, after) = ((row.kind, row.key.clone()), (row.kind, key.to_owned()));
    let own = texts.remove(&before).flatten().unwrap_or_else(|| row.text.clone());
    let mut changes = texts.clone();
    changes.extend([(before, None), (after.clone(), Some(own.clone()))]);
    let catalog = preview_catalog(turn, &changes).map_err(|mistakes| refused(&changes, &mistakes))?;
    turn.world.definitions.change_key(id, key);
    texts.insert(after, Some(own));
    for ((kind, key), text) in texts {
        let id = turn.world.definitions.find(kind, &key).map(|row| row.id);
        if let (Some(id), Some(text)) = (id, text) {
            let now = turn.now;
            turn.world.definitions.change(id, |row| (row.text, row.at) = (text, now));
            turn.set_aside.remove(&id);
        }
    }
    turn.catalog = catalog;
    quest::announce_to_all(turn);
    Ok(())
}

/// Returns the mark of a new definition: that of a version by its key, or else of the draft in which it is made.
fn mark_of(turn: &Turn, made_in: Option<&str>, kind: DefinitionKind, key: &str) -> Option<DraftVersion> {
    if let Some(draft) = draft_content::draft_of(turn, kind, key) {
        let published = text_of(turn, kind, draft_key::plain(key)).unwrap_or_default();
        return Some(DraftVersion { zone: draft.to_owned(), since: Some(draft_content::digest(published)) });
    }
    made_in.map(|draft| DraftVersion { zone: draft.to_owned(), since: None })
}

/// Adds the row of a definition.
pub(crate) fn add_row(
    turn: &mut Turn,
    kind: DefinitionKind,
    key: &str,
    text: &str,
    author: Option<AccountId>,
) -> DefinitionId {
    let id = turn.world.new_definition_id();
    let (key, text, at) = (key.to_owned(), text.to_owned(), turn.now);
    let file = FileVersions::default();
    turn.world.definitions.add(Definition {
        id,
        kind,
        key,
        text,
        author,
        zone: None,
        draft: None,
        at,
        former_keys: BTreeSet::new(),
        file,
    });
    id
}

/// Removes definitions, whose users are gone already.
pub(crate) fn remove_all(turn: &mut Turn, gone: &BTreeSet<(DefinitionKind, String)>) {
    let changes: DefinitionChanges = gone.iter().map(|named| (named.clone(), None)).collect();
    let content = preview_catalog(turn, &changes);
    for (kind, key) in gone {
        if let Some(id) = turn.world.definitions.find(*kind, key).map(|row| row.id) {
            turn.world.definitions.remove(id);
            turn.set_aside.remove(&id);
        }
    }
    match content {
        Ok(content) => turn.catalog = content,
        Err(_) => apply_overrides(turn),
    }
    quest::announce_to_all(turn);
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
pub(crate) fn refused(changes: &DefinitionChanges, mistakes: &[CatalogError]) -> Refusal {
    let only =
        changes.keys().next().filter(|(kind, _)| changes.len() == 1 && *kind != DefinitionKind::Script);
    let only = only.map(|(kind, key)| kind.path(key));
    let line = |mistake: &CatalogError| {
        let is_only = Some(&mistake.place.file) == only.as_ref();
        draft_key::plain_text(&if is_only { mistake.words() } else { mistake.to_string() })
    };
    Refusal::Mistakes(mistakes.iter().map(line).collect())
}

/// Returns the refusal of a key that a definition has.
pub(crate) fn taken(kind: DefinitionKind, key: &str) -> Refusal {
    let named = draft_key::described(key);
    let key = draft_key::plain(key);
    refuse!("There is a {} {named} already. examine {} {key} tells what it is.", kind.noun(), kind.name())
}

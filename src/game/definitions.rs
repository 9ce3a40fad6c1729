//! What of the content was made in the game, laid over what the files say: the content in force follows from both alone. Nothing
//! is made that a file could not say; what does not fit the files any more is set aside until it does.

use crate::base::{AccountId, DefinitionId, Right};
use crate::catalog::{Catalog, CatalogError, DefinitionKind, Written};
use crate::game::effect::Effect;
use crate::game::refusal::{DefinitionRefusal, Refusal};
use crate::game::rights;
use crate::game::turn::Turn;
use crate::text::nearest;
use crate::world::{Definition, ZoneFile};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is to become of definitions: their new texts; none of those that go.
pub(crate) type Changes = BTreeMap<(DefinitionKind, String), Option<String>>;

/// Lays what was made over the files as they are now. What the files say themselves by now is kept no longer, which is told.
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
    lay_over(turn);
    for text in set_aside(turn) {
        turn.outbox.push(Effect::Warning { text });
    }
    told
}

/// Puts in force what fits, and sets the rest aside.
fn lay_over(turn: &mut Turn) {
    turn.set_aside.clear();
    loop {
        let mistakes = match all_laid_over(turn) {
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
            // What a theme lacks is the doing of whatever is another than in its file.
            wrong.extend(in_force().map(|(id, _)| (id, mistakes.clone())));
        }
        turn.set_aside.extend(wrong);
    }
}

/// What is set aside, a line for each mistake.
pub(crate) fn set_aside(turn: &Turn) -> Vec<String> {
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

/// The files with everything over them that is not set aside.
fn all_laid_over(turn: &Turn) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let rows = turn.world.definitions.iter().filter(|(id, _)| !turn.set_aside.contains_key(id));
    let written: Vec<Written<'_>> = rows
        .map(|(_, row)| Written { kind: row.kind, key: &row.key, text: Some(row.text.as_str()) })
        .collect();
    if written.is_empty() {
        return Ok(Arc::clone(&turn.of_files));
    }
    turn.of_files.with(&written).map(Arc::new)
}

/// The content as it would be with some changes. Only these are read.
///
/// # Errors
/// Every mistake in it.
pub(crate) fn tried(turn: &Turn, changes: &Changes) -> Result<Arc<Catalog>, Vec<CatalogError>> {
    let mut written = Vec::new();
    for ((kind, key), text) in changes {
        written.push(Written { kind: *kind, key, text: text.as_deref() });
    }
    turn.catalog.with(&written).map(Arc::new)
}

/// The text of a definition: as it was made, or that of its file.
pub(crate) fn text_of<'t>(turn: &'t Turn, kind: DefinitionKind, key: &str) -> Option<&'t str> {
    let made = turn.world.definition(kind, key).map(|row| row.text.as_str());
    made.or_else(|| turn.of_files.text_of_file(kind, key))
}

/// Refuses a key under which there is nothing, and says which may have been meant.
pub(crate) fn require(turn: &Turn, kind: DefinitionKind, key: &str) -> Result<(), Refusal> {
    if text_of(turn, kind, key).is_some() {
        return Ok(());
    }
    let meant = nearest(key, turn.catalog.defined(kind)).map(str::to_owned);
    Err(DefinitionRefusal::NoSuch { kind, key: key.to_owned(), meant }.into())
}

/// Refuses whoever may not change a definition: what somebody made is theirs, and what the files say is for those who may
/// build everywhere.
pub(crate) fn require_author(
    turn: &Turn,
    account: AccountId,
    kind: DefinitionKind,
    key: &str,
) -> Result<(), Refusal> {
    if rights::has(turn, account, Right::AllZones) {
        return Ok(());
    }
    if turn.of_files.text_of_file(kind, key).is_some() {
        return Err(DefinitionRefusal::OfFiles { kind, key: key.to_owned() }.into());
    }
    let author = turn.world.definition(kind, key).and_then(|row| row.author);
    match author.filter(|author| *author != account).and_then(|author| turn.world.accounts.get(author)) {
        Some(author) => {
            let (key, name) = (key.to_owned(), author.name.clone());
            Err(DefinitionRefusal::NotAuthor { kind, key, name }.into())
        }
        None => Ok(()),
    }
}

/// Makes definitions what they are to be, all or none of them.
///
/// # Errors
/// If there would be too many, one is too long, or the content would have mistakes.
pub(crate) fn write(turn: &mut Turn, author: Option<AccountId>, changes: &Changes) -> Result<(), Refusal> {
    let is_new = |((kind, key), text): &(&(DefinitionKind, String), &Option<String>)| {
        text.is_some() && turn.world.definition(*kind, key).is_none()
    };
    let limits = &turn.config.limits;
    let (most, bytes_most) = (limits.definitions, limits.definition_bytes);
    let new = changes.iter().filter(is_new).count();
    if new > 0 && turn.world.definitions.len() + new > most as usize {
        return Err(DefinitionRefusal::TooMany(most).into());
    }
    if changes.values().flatten().any(|text| text.len() > bytes_most as usize) {
        return Err(DefinitionRefusal::TooLong(bytes_most).into());
    }
    let catalog = tried(turn, changes).map_err(|mistakes| refused(changes, &mistakes))?;
    for ((kind, key), text) in changes {
        let id = turn.world.definition(*kind, key).map(|row| row.id);
        match (id, text) {
            (Some(id), Some(text)) => {
                let now = turn.now;
                turn.world.definitions.change(id, |row| (row.text, row.at) = (text.clone(), now));
            }
            (None, Some(text)) => {
                let id = turn.world.new_definition_id();
                let (key, text, at) = (key.clone(), text.clone(), turn.now);
                let row = Definition { id, kind: *kind, key, text, author, at, file: ZoneFile::default() };
                turn.world.definitions.put(row);
            }
            (Some(id), None) => _ = turn.world.definitions.remove(id),
            (None, None) => {}
        }
        id.map(|id| turn.set_aside.remove(&id));
    }
    turn.catalog = catalog;
    Ok(())
}

/// The mistakes in words for whoever types; where only one text is changed, those in it need no place.
pub(crate) fn refused(changes: &Changes, mistakes: &[CatalogError]) -> Refusal {
    let only = changes.keys().next().filter(|_| changes.len() == 1).map(|(kind, key)| kind.path(key));
    let told = |mistake: &CatalogError| {
        if Some(&mistake.place.file) == only.as_ref() { mistake.words() } else { mistake.to_string() }
    };
    DefinitionRefusal::Mistakes(mistakes.iter().map(told).collect()).into()
}

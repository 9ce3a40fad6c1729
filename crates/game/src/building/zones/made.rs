//! Content created in the game, as files in the format of `content/`: writing, comparing and importing. The digest of
//! each is stored with it, so that a file changed by others is never overwritten.

use super::outcome::{Failed, account, begin_write};
use crate::building::definitions::DefinitionChanges;
use crate::building::{definitions, journal};
use crate::effect::files::{ExportFile, FilePurpose};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Digest, SessionId};
use deepwell_core::catalog::DefinitionKind;
use deepwell_core::data::{CatalogError, Position, edit};
use deepwell_core::text::grammar;
use std::collections::BTreeSet;

/// Texts of content files, by kind and key.
type Texts = Vec<(DefinitionKind, String, String)>;

/// Returns all files to be written.
///
/// # Errors
/// If there is no such content.
pub(super) fn files(turn: &mut Turn) -> Result<Vec<ExportFile>, Refusal> {
    if turn.world.definitions.iter().all(|(_, row)| row.draft.is_some()) {
        return Err(refuse!(
            "Nothing of the content has been made in the game. The word make makes a creature, an item, a \
             page of help or a theme."
        ));
    }
    let mut files = Vec::new();
    turn.world.definitions.change_where(
        |row| row.draft.is_none(),
        |row| files.push(begin_write(&mut row.file, row.kind.path(&row.key), row.text.clone())),
    );
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// Records the digest of a written file, and returns the description of its content; `None` if the definition has been
/// deleted.
pub(super) fn settle(turn: &mut Turn, path: &str, digest: String) -> Option<String> {
    let (kind, key) = DefinitionKind::of_path(path)?;
    let id = turn.world.definitions.find(kind, key)?.id;
    turn.world.definitions.change(id, |row| row.file.settle(digest));
    Some(format!("{} {key}.", kind.noun()))
}

/// Compares the files with the game, or imports them.
pub(super) fn take_in(
    turn: &mut Turn,
    asker: SessionId,
    files: Vec<(String, String)>,
    purpose: FilePurpose,
) -> Result<Vec<String>, Failed> {
    let texts = texts(files)?;
    match purpose {
        FilePurpose::Compare => Ok(compare(turn, &texts)),
        FilePurpose::Import | FilePurpose::ImportMany => take_over(turn, asker, &texts),
    }
}

/// Parses the definitions in the files; files of no known kind are reported.
fn texts(files: Vec<(String, String)>) -> Result<Texts, Failed> {
    let (mut texts, mut found) = (Texts::new(), Vec::new());
    for (path, text) in files {
        if let Some((kind, key)) = DefinitionKind::of_path(&path) {
            texts.push((kind, key.to_owned(), text));
            continue;
        }
        let place = Position::start(&path);
        let expected = "mobs/KEY.toml, items/KEY.toml, themes/KEY.toml, dialogues/KEY.toml, quests/KEY.toml, scripts/KEY.luau or help/KEY.md with a key of small letters, figures and _";
        found.push(CatalogError::new(&place, "this is no file of what is made in the game", expected));
    }
    texts.sort();
    if found.is_empty() { Ok(texts) } else { Err(mistakes(&found)) }
}

fn mistakes(found: &[CatalogError]) -> Failed {
    Failed::mistakes("What was made stays as it is, for these mistakes of its files:", found)
}

/// Lists the differences between the files and the game.
fn compare(turn: &Turn, texts: &Texts) -> Vec<String> {
    let mut lines = Vec::new();
    for (kind, key, text) in texts {
        let name = kind.noun();
        let Some(row) = turn.world.definitions.find(*kind, key) else {
            lines.push(format!("The {name} {key} is in the files alone."));
            continue;
        };
        if row.text == *text {
            continue;
        }
        lines.extend(differences(*kind, key, (&row.text, "in the game"), (text, "in the file")));
    }
    for (_, row) in turn.world.definitions.iter().filter(|(_, row)| row.draft.is_none()) {
        if !texts.iter().any(|(kind, key, _)| *kind == row.kind && *key == row.key) {
            lines.push(format!("The {} {} is in the game alone.", row.kind.noun(), row.key));
        }
    }
    if lines.is_empty() { vec!["What was made and its files say the same.".to_owned()] } else { lines }
}

/// Describes the differences between two texts of a definition, one sentence each. Each text is given with its place.
pub(super) fn differences(
    kind: DefinitionKind,
    key: &str,
    (here, place): (&str, &str),
    (there, other): (&str, &str),
) -> Vec<String> {
    if kind == DefinitionKind::Script {
        return vec![script_difference(key, (here, place), (there, other))];
    }
    let name = kind.noun();
    let fields = |text: &str| kind.fields(text).unwrap_or_default();
    let (here, there) = (fields(here), fields(there));
    let of = |fields: &[(String, deepwell_core::data::FileValue)], key: &str| {
        let found = fields.iter().find(|(field, _)| field == key);
        found.map_or_else(|| "nothing".to_owned(), |(_, value)| edit::written(value))
    };
    let fields: BTreeSet<&String> = here.iter().chain(&there).map(|(field, _)| field).collect();
    let mut lines = Vec::new();
    for field in fields {
        let (is, says) = (of(&here, field), of(&there, field));
        if is != says {
            lines.push(format!("The {name} {key}, {field}: {is} {place}, {says} {other}."));
        }
    }
    if lines.is_empty() {
        lines.push(format!("The {name} {key} is written otherwise {other}, and says the same."));
    }
    lines
}

/// Describes the first difference between two texts of a script.
fn script_difference(key: &str, (here, place): (&str, &str), (there, other): (&str, &str)) -> String {
    let (mut is, mut says) = (here.lines(), there.lines());
    let differing = (1..).map(|number| (number, is.next(), says.next()));
    let first = differing.into_iter().find(|(_, is, says)| is != says || is.is_none());
    let shown =
        |line: Option<&str>| line.map_or_else(|| "nothing".to_owned(), |line| format!("`{}`", line.trim()));
    match first {
        Some((number, is, says)) if is != says => {
            format!(
                "The script {key} differs from line {number} on: {} {place}, {} {other}.",
                shown(is),
                shown(says)
            )
        }
        _ => format!("The script {key} ends its lines otherwise {other}."),
    }
}

/// Imports the files if none has mistakes. Definitions without a file are kept.
fn take_over(turn: &mut Turn, asker: SessionId, texts: &Texts) -> Result<Vec<String>, Failed> {
    turn.require_writable()?;
    let author = account(turn, asker);
    let mut changes = DefinitionChanges::new();
    let (mut new, mut edited) = (0, 0);
    for (kind, key, text) in texts {
        match definitions::text_of(turn, *kind, key) {
            Some(now) if now == text => continue,
            _ if turn.world.definitions.find(*kind, key).is_some() => edited += 1,
            _ => new += 1,
        }
        if let Some(account) = author {
            definitions::require_author(turn, account, *kind, key)?;
        }
        super::require_no_zone(turn, *kind, key)?;
        changes.insert((*kind, key.clone()), Some(text.clone()));
    }
    definitions::preview_catalog(turn, &changes).map_err(|found| mistakes(&found))?;
    let room = turn.seats.get(&asker).map(|seat| turn.world.characters[seat.character].room);
    journal::watch(turn);
    let result = definitions::write(turn, author, &changes);
    let notice = journal::write_entry(turn, author, "zone import made", room);
    result?;
    for (kind, key, text) in texts {
        if let Some(id) = turn.world.definitions.find(*kind, key).map(|row| row.id) {
            let digest = Digest::of_text(text).to_string();
            turn.world.definitions.change(id, |row| row.file.settle(digest));
        }
    }
    let (new, edited) = (grammar::number(new), grammar::number(edited));
    let same = grammar::number(texts.len() - changes.len());
    let message =
        format!("What was made is as its files say: {new} new, {edited} changed, {same} as before.");
    Ok([message].into_iter().chain(notice.map(str::to_owned)).collect())
}

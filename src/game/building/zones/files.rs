//! Files of zones, vaults, definitions and packages: requests to write and read them, and handling of the answers. The digest of
//! the text last written or read is stored in the world, so that a file changed by others is never overwritten.

use super::import::{Imported, import, require_awake_in_gone};
use super::mistakes::{Found, examine};
use super::outcome::{Failed, account, answer, begin_write, shown};
pub(crate) use super::package::Unpacking;
use super::vaults::vault_named;
use super::{
    Files, MADE, change, create, line, made, package, require_author, require_key, require_zone, text,
};
use crate::base::{AccountId, Digest, RoomId, RuleLimit, SessionId};
use crate::catalog::{Area, area_text, vault_text};
use crate::game::building::journal;
use crate::game::effect::files::{FileKind, FileOperation, FilePurpose, FileRequest};
use crate::game::effect::{Declined, Effect};
use crate::game::input::files::WrittenFile;
use crate::game::refusal::{self, Refusal, ZoneRefusal};
use crate::game::turn::Turn;
use crate::text::grammar;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns an error unless the session's account may use the zone's file. Requests of the operator, who has no seat,
/// are always permitted.
fn require_right(turn: &Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    match account(turn, asker) {
        Some(account) => require_author(turn, account, zone),
        None => Ok(()),
    }
}

fn request(turn: &mut Turn, asker: SessionId, kind: FileKind, operation: FileOperation) {
    turn.outbox.push(Effect::Files(Arc::new(FileRequest { asker, kind, operation })));
}

/// Requests writing the file of a zone, or those of all definitions created in the game.
pub(crate) fn ask_to_write(turn: &mut Turn, asker: SessionId, name: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    if name == MADE {
        let files = made::files(turn)?;
        request(turn, asker, FileKind::Definition, FileOperation::Write(files));
        return Ok(());
    }
    require_zone(turn, name)?;
    require_key(name)?;
    require_right(turn, asker, name)?;
    let text = area_text::write(&text::area(turn, name));
    let file = change(turn, name, |zone| begin_write(&mut zone.file, name.to_owned(), text));
    request(turn, asker, FileKind::Zone, FileOperation::Write(vec![file]));
    Ok(())
}

/// Requests writing the package of a zone.
pub(crate) fn ask_to_pack(turn: &mut Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    require_zone(turn, zone)?;
    require_key(zone)?;
    require_right(turn, asker, zone)?;
    let file = package::file(turn, zone);
    request(turn, asker, FileKind::Package, FileOperation::Write(vec![file]));
    Ok(())
}

/// Requests reading a package, to tell what it would bring or to take it in.
pub(crate) fn ask_to_unpack(
    turn: &mut Turn,
    asker: SessionId,
    name: &str,
    prefix: Option<String>,
    purpose: FilePurpose,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    require_key(name)?;
    require_prefix(prefix.as_deref())?;
    let names = vec![name.to_owned()];
    request(turn, asker, FileKind::Package, FileOperation::Read { names, purpose, prefix });
    Ok(())
}

/// Refuses a prefix that cannot be part of a key.
fn require_prefix(prefix: Option<&str>) -> Result<(), Refusal> {
    prefix.map_or(Ok(()), |prefix| require_key(prefix).map_err(|_| ZoneRefusal::BadPrefix.into()))
}

/// Returns the package of a zone as the JSON of its archive.
pub(crate) fn packed(turn: &Turn, account: AccountId, zone: &str) -> Result<String, Refusal> {
    require_zone(turn, zone)?;
    require_key(zone)?;
    require_author(turn, account, zone)?;
    Ok(package::json(turn, zone))
}

/// Takes in a package that a builder has sent, or tells what it would bring: sentences for the builder, either way.
pub(crate) fn unpack(turn: &mut Turn, asked: &Unpacking<'_>, text: &str) -> Result<Vec<String>, Vec<String>> {
    let writable = turn.require_writable().and_then(|()| require_key(asked.name));
    let permitted = writable.and_then(|()| require_prefix(asked.prefix));
    permitted.map_err(Failed::from).and_then(|()| package::take_in(turn, asked, text)).map_err(Failed::lines)
}

/// Requests writing the file of a vault.
pub(crate) fn ask_to_write_vault(turn: &mut Turn, asker: SessionId, name: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    let (zone, vault) = vault_named(turn, name)?;
    require_right(turn, asker, &zone)?;
    let text = vault_text::write(&vault);
    let file = change(turn, &zone, |zone| {
        begin_write(zone.vault_files.entry(name.to_owned()).or_default(), name.to_owned(), text)
    });
    request(turn, asker, FileKind::Vault, FileOperation::Write(vec![file]));
    Ok(())
}

/// Requests reading the files of zones together, or those of all definitions created in the game. Zones may be new.
pub(crate) fn ask_to_read(
    turn: &mut Turn,
    asker: SessionId,
    names: Vec<String>,
    purpose: FilePurpose,
) -> Result<(), Refusal> {
    if purpose == FilePurpose::Import {
        turn.require_writable()?;
    }
    if names == [MADE] {
        let all = FileOperation::Read { names: Vec::new(), purpose, prefix: None };
        request(turn, asker, FileKind::Definition, all);
        return Ok(());
    }
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::ZonesAtOnce, names.len(), ZoneRefusal::TooManyAtOnce)?;
    for zone in &names {
        require_key(zone)?;
        require_right(turn, asker, zone)?;
    }
    request(turn, asker, FileKind::Zone, FileOperation::Read { names, purpose, prefix: None });
    Ok(())
}

/// Handles the answer to a request to write files.
pub(crate) fn written(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    files: Vec<WrittenFile>,
    others: &[String],
) {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for WrittenFile { name, digest, result } in files {
        match result {
            Ok(path) => match settle(turn, kind, &name, digest) {
                Some(content) => lines.push(format!("{path} holds the {content}")),
                None if kind == FileKind::Definition => {
                    wrong.push(format!("{path} is written, and the world does not know it."));
                }
                None => wrong.push(ZoneRefusal::Unrecorded(name).to_string()),
            },
            // The file may exist even so, if only its sync failed.
            Err(reason) => wrong.push(reason.to_string()),
        }
    }
    lines.extend(others.iter().map(|path| {
        format!(
            "{path} lies there too, and is nothing that was made: zone import made takes it in, or delete it."
        )
    }));
    let outcome = if wrong.is_empty() { Ok(lines) } else { Err(Failed::Errors([wrong, lines].concat())) };
    answer(turn, asker, outcome);
}

/// Records the digest of a written file, and returns the description of its content; `None` if the world is read-only
/// or has lost the content.
fn settle(turn: &mut Turn, kind: FileKind, name: &str, digest: String) -> Option<String> {
    if turn.read_only {
        return None;
    }
    match kind {
        FileKind::Zone => {
            turn.world.meta().zones.get(name)?;
            change(turn, name, |zone| zone.file.settle(digest));
            Some(format!("zone {}.", line(turn, name)))
        }
        FileKind::Vault => {
            let (zone, _) = vault_named(turn, name).ok()?;
            change(turn, &zone, |zone| {
                zone.vault_files.entry(name.to_owned()).or_default().settle(digest);
            });
            Some(format!("vault {name}. In content/vaults it is one of the content."))
        }
        FileKind::Definition => made::settle(turn, name, digest),
        FileKind::Package => package::settle(turn, name, digest),
    }
}

/// Refuses if a character in a room that the import of zone files would remove, or at home there, is asleep.
pub(crate) fn require_awake(
    turn: &mut Turn,
    kind: FileKind,
    purpose: FilePurpose,
    files: &Result<Vec<(String, String)>, Declined>,
) -> Result<(), Refusal> {
    let is_import = kind == FileKind::Zone && purpose == FilePurpose::Import;
    let Some(texts) = files.as_ref().ok().filter(|_| is_import) else { return Ok(()) };
    let read = |(zone, text): &(String, String)| {
        let area = Area::parse(&format!("zones/{zone}.toml"), text, &mut Vec::new())?;
        Some((zone.clone(), area))
    };
    require_awake_in_gone(turn, &texts.iter().filter_map(read).collect())
}

/// Handles the answer to a request to read files.
pub(crate) fn read(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    purpose: FilePurpose,
    prefix: Option<&str>,
    files: Result<Vec<(String, String)>, Declined>,
) {
    let outcome = files.map_err(Failed::from).and_then(|texts| match kind {
        FileKind::Zone | FileKind::Vault => take_in(turn, asker, &texts.into_iter().collect(), purpose),
        FileKind::Definition => made::take_in(turn, asker, texts, purpose),
        FileKind::Package => {
            // The operator cannot ask for a package, so an asker without a seat has left.
            let Some(account) = account(turn, asker) else { return Ok(Vec::new()) };
            let (account, room) = (Some(account), room_of(turn, asker));
            texts.iter().try_fold(Vec::new(), |mut told, (name, text)| {
                let unpacking = Unpacking { name, prefix, purpose, account, room };
                told.extend(package::take_in(turn, &unpacking, text)?);
                Ok(told)
            })
        }
    });
    answer(turn, asker, outcome);
}

/// Returns the room of the asker; `None` for the operator.
fn room_of(turn: &Turn, asker: SessionId) -> Option<RoomId> {
    turn.seats.get(&asker).map(|seat| turn.world.characters[seat.character].room)
}

fn take_in(
    turn: &mut Turn,
    asker: SessionId,
    texts: &BTreeMap<String, String>,
    purpose: FilePurpose,
) -> Result<Vec<String>, Failed> {
    let (mut files, mut found) = (Files::new(), Vec::new());
    for (zone, text) in texts {
        require_right(turn, asker, zone)?;
        let area = Area::parse(&format!("zones/{zone}.toml"), text, &mut found);
        files.extend(area.map(|area| (zone.clone(), area)));
    }
    found.sort();
    if !found.is_empty() {
        return Err(Failed::mistakes(heading(texts.len()), &found));
    }
    match purpose {
        FilePurpose::Compare => Ok(files.iter().flat_map(|(zone, file)| compare(turn, zone, file)).collect()),
        FilePurpose::Import => {
            turn.require_writable()?;
            let room = room_of(turn, asker);
            journal::watch(turn);
            let outcome = take_over(turn, asker, &files, texts);
            let zones: Vec<&str> = files.keys().map(String::as_str).collect();
            let line = format!("zone import {}", zones.join(" "));
            let notice = journal::write_entry(turn, account(turn, asker), &line, room);
            outcome.map(|lines| lines.into_iter().chain(notice.map(str::to_owned)).collect())
        }
    }
}

fn compare(turn: &Turn, zone: &str, file: &Area) -> Vec<String> {
    let differences = area_text::differences(&text::area(turn, zone), file, "file");
    let same = vec![format!("The zone {zone} and its file say the same.")];
    if differences.is_empty() { same } else { differences }
}

/// Imports zone files if none has mistakes.
fn take_over(
    turn: &mut Turn,
    asker: SessionId,
    files: &Files,
    texts: &BTreeMap<String, String>,
) -> Result<Vec<String>, Failed> {
    let Found { mistakes, doubts } = examine(turn, files);
    if !mistakes.is_empty() {
        return Err(Failed::mistakes(heading(files.len()), &mistakes));
    }
    let is_new =
        |zone: &&String| !turn.world.meta().zones.contains_key(*zone) && !super::has_rooms(turn, zone);
    let new: Vec<&str> = files.keys().filter(is_new).map(String::as_str).collect();
    let owner = account(turn, asker);
    create(turn, owner, &new)?;
    let imported = import(turn, files);
    for (zone, text) in texts {
        change(turn, zone, |zone| zone.file.settle(Digest::of_text(text).to_string()));
    }
    let rooms = |count| grammar::counted(count, "room");
    let says = |(zone, Imported { made, kept, gone }): (String, Imported)| {
        let (made, kept, gone) = (rooms(made), rooms(kept), rooms(gone));
        format!("The zone {zone} is as its file says: {made} made, {kept} kept, {gone} gone.")
    };
    let mut lines: Vec<String> = imported.into_iter().map(says).collect();
    if !doubts.is_empty() {
        lines.push("What may not be meant so:".to_owned());
        lines.extend(shown(&doubts));
    }
    Ok(lines)
}

/// Returns the heading of a list of mistakes.
const fn heading(files: usize) -> &'static str {
    if files == 1 {
        "The zone stays as it is, for these mistakes of its file:"
    } else {
        "The zones stay as they are, for these mistakes of their files:"
    }
}

//! Files of zones, vaults, definitions and packages: requests to write and read them, and handling of the answers. The digest of
//! the text last written or read is stored in the world, so that a file changed by others is never overwritten.

use super::file_work::{self, Postponed};
use super::outcome::{Failed, account, answer, begin_write, request, require_right, room_of, write_file};
pub(crate) use super::package::Unpacking;
use super::vaults::vault_named;
use super::{MADE, change, line, made, package, require_author, require_key, require_zone, row, text};
use crate::building::pace;
use crate::effect::Declined;
use crate::effect::files::{FileKind, FileOperation, FilePurpose};
use crate::input::files::WrittenFile;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Digest, RuleLimit, SessionId};
use deepwell_core::catalog::vault::vault_text;

/// Requests writing the file of a zone, or those of all definitions created in the game.
pub(crate) fn ask_to_write(turn: &mut Turn, asker: SessionId, name: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    if name == MADE {
        let files = made::files(turn)?;
        return request(turn, asker, FileKind::Definition, FileOperation::Write(files));
    }
    require_zone(turn, name)?;
    require_key(name)?;
    require_right(turn, asker, name)?;
    if pace::are_many(turn, turn.world.rooms.of_zone(name).len()) && !turn.read_only {
        file_work::export(turn, asker, name);
        return Ok(());
    }
    let text = text::file(turn, name);
    let digest = Digest::of_text(&text);
    write_file(turn, asker, name.to_owned(), text, digest)
}

/// Requests writing the package of a zone.
pub(crate) fn ask_to_pack(turn: &mut Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    require_zone(turn, zone)?;
    require_key(zone)?;
    require_right(turn, asker, zone)?;
    require_published(turn, zone)?;
    if pace::are_many(turn, turn.world.rooms.of_zone(zone).len()) && !turn.read_only {
        file_work::pack(turn, asker, zone);
        return Ok(());
    }
    let file = package::file(turn, zone);
    request(turn, asker, FileKind::Package, FileOperation::Write(vec![file]))
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
    request(turn, asker, FileKind::Package, FileOperation::Read { names, purpose, prefix })
}

/// Refuses a prefix that cannot be part of a key.
fn require_prefix(prefix: Option<&str>) -> Result<(), Refusal> {
    prefix.map_or(Ok(()), |prefix| {
        require_key(prefix).map_err(|_| refuse!("A prefix is made of small letters, figures and _."))
    })
}

/// Returns the package of a zone as the JSON of its archive.
pub(crate) fn packed(turn: &Turn, account: AccountId, zone: &str) -> Result<String, Refusal> {
    require_zone(turn, zone)?;
    require_key(zone)?;
    require_author(turn, account, zone)?;
    require_published(turn, zone)?;
    if pace::are_many(turn, turn.world.rooms.of_zone(zone).len()) {
        return Err(refuse!(
            "The zone {zone} has too many rooms to be packed at once. zone pack {zone} writes its package little by little."
        ));
    }
    Ok(package::json(turn, zone))
}

/// Refuses to pack a draft.
fn require_published(turn: &Turn, zone: &str) -> Result<(), Refusal> {
    match row(turn, zone).draft {
        Some(draft) => Err(refuse!("{zone} is a draft of {}. Publish it, and pack the zone.", draft.of)),
        None => Ok(()),
    }
}

/// Takes in a package that a builder has sent, or tells what it would bring, as sentences for the builder.
pub(crate) fn unpack(turn: &mut Turn, asked: &Unpacking<'_>, text: &str) -> Result<Vec<String>, Failed> {
    let writable = turn.require_writable().and_then(|()| require_key(asked.name));
    let permitted = writable.and_then(|()| require_prefix(asked.prefix));
    permitted?;
    package::take_in(turn, asked, text)
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
    request(turn, asker, FileKind::Vault, FileOperation::Write(vec![file]))
}

/// Requests reading the files of zones together, or those of all definitions created in the game. Zones may be new.
pub(crate) fn ask_to_read(
    turn: &mut Turn,
    asker: SessionId,
    names: Vec<String>,
    purpose: FilePurpose,
) -> Result<(), Refusal> {
    if purpose.is_import() {
        turn.require_writable()?;
    }
    if names == [MADE] {
        let all = FileOperation::Read { names: Vec::new(), purpose, prefix: None };
        return request(turn, asker, FileKind::Definition, all);
    }
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::ZonesAtOnce, names.len(), |most| {
        refuse!("At most {most} zones come in at once.")
    })?;
    for zone in &names {
        require_key(zone)?;
        require_right(turn, asker, zone)?;
    }
    request(turn, asker, FileKind::Zone, FileOperation::Read { names, purpose, prefix: None })
}

/// Handles the answer to a request to write files.
pub(crate) fn written(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    files: Vec<WrittenFile>,
    others: &[String],
) {
    let (mut lines, mut mistakes) = (Vec::new(), Vec::new());
    for WrittenFile { name, digest, result } in files {
        match result {
            Ok(path) => match settle(turn, kind, &name, digest) {
                Some(content) => lines.push(format!("{path} holds the {content}")),
                None if kind == FileKind::Definition => {
                    mistakes.push(format!("{path} is written, and the world does not know it."));
                }
                None => mistakes.push(format!(
                    "The file of {name} is written, but the world has not kept that. Export it again."
                )),
            },
            // The file may exist even so, if only its sync failed.
            Err(reason) => mistakes.push(reason.to_string()),
        }
    }
    lines.extend(others.iter().map(|path| {
        format!(
            "{path} lies there too, and is nothing that was made: zone import made takes it in, or delete it."
        )
    }));
    let outcome =
        if mistakes.is_empty() { Ok(lines) } else { Err(Failed::Errors([mistakes, lines].concat())) };
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

/// Handles the answer to a request to read files. If a part of the world that is asleep has to be read first, nothing
/// has happened, and it is returned with the input to repeat.
pub(crate) fn read(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    purpose: FilePurpose,
    prefix: Option<&str>,
    files: Result<Vec<(String, String)>, Declined>,
) -> Result<(), Postponed> {
    let builder = account(turn, asker);
    let outcome = match (kind, files) {
        (FileKind::Zone | FileKind::Vault, Ok(texts)) => {
            return file_work::begin(turn, asker, purpose, texts.into_iter().collect());
        }
        (FileKind::Definition, Ok(texts)) => {
            pace::charged(turn, builder, |turn| made::take_in(turn, asker, texts, purpose))
        }
        (FileKind::Package, Ok(texts)) => pace::charged(turn, builder, |turn| {
            // The operator cannot ask for a package, so an asker without a seat has left.
            let Some(account) = builder else { return Ok(Vec::new()) };
            let (account, room) = (Some(account), room_of(turn, asker));
            texts.iter().try_fold(Vec::new(), |mut lines, (name, text)| {
                let unpacking = Unpacking { name, prefix, purpose, account, room };
                lines.extend(package::take_in(turn, &unpacking, text)?);
                Ok(lines)
            })
        }),
        (_, Err(declined)) => Err(Failed::from(declined)),
    };
    answer(turn, asker, outcome);
    Ok(())
}

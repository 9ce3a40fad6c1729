//! Zone files: requests to write and read them, and handling of the results. The digest of the text last written or
//! read is stored in the world, so that a file changed by others is never overwritten.

use super::import::{Imported, import};
use super::mistakes::{Found, examine};
use super::vaults::made;
use super::{Files, change, create, line, require_author, require_key, require_zone, row, text};
use crate::base::{AccountId, Digest, SessionId};
use crate::catalog::{Area, CatalogError, area_text, vault_text};
use crate::game::building::journal;
use crate::game::building::reload::MISTAKES_SHOWN;
use crate::game::effect::{Class, Declined, Effect, ZoneUse};
use crate::game::refusal::{Refusal, ZoneRefusal};
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reason why files were not written, read or imported.
pub(super) enum Failed {
    /// The server could not write or read them.
    Declined(Declined),
    /// Refused by the rules.
    Refused(Refusal),
    /// Mistakes in the files, one per line.
    Told(Vec<String>),
}

impl Failed {
    fn lines(self) -> Vec<String> {
        match self {
            Self::Declined(reason) => vec![reason.to_string()],
            Self::Refused(refusal) => refusal.markup().text().lines().map(str::to_owned).collect(),
            Self::Told(lines) => lines,
        }
    }
}

impl From<Declined> for Failed {
    fn from(reason: Declined) -> Self {
        Self::Declined(reason)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Returns an error unless the session's account may use the zone's file. Requests of the operator, who has no seat,
/// are always permitted.
fn require_right(turn: &Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    match account(turn, asker) {
        Some(account) => require_author(turn, account, zone),
        None => Ok(()),
    }
}

pub(super) fn account(turn: &Turn, asker: SessionId) -> Option<AccountId> {
    turn.seats.get(&asker).map(|seat| seat.account)
}

/// Requests writing the file of a zone.
pub(crate) fn ask_to_write(turn: &mut Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    require_zone(turn, zone)?;
    require_key(zone)?;
    require_right(turn, asker, zone)?;
    let text = area_text::write(&text::area(turn, zone));
    let digest = Digest::of_text(&text).to_string();
    change(turn, zone, |zone| zone.file.attempt(digest.clone()));
    let known = row(turn, zone).file.digests().to_vec();
    turn.outbox.push(Effect::WriteZone { asker, zone: zone.to_owned(), text, digest, known });
    Ok(())
}

/// Path prefix of vault files, next to the files of zones.
const VAULTS: &str = "vaults/";

/// Requests writing the file of a vault.
pub(crate) fn ask_to_write_vault(turn: &mut Turn, asker: SessionId, name: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    let (zone, vault) = made(turn, name)?;
    require_right(turn, asker, &zone)?;
    let text = vault_text::write(&vault);
    let digest = Digest::of_text(&text).to_string();
    let mut known = Vec::new();
    change(turn, &zone, |zone| {
        let file = zone.vault_files.entry(name.to_owned()).or_default();
        file.attempt(digest.clone());
        known = file.digests().to_vec();
    });
    turn.outbox.push(Effect::WriteZone { asker, zone: format!("{VAULTS}{name}"), text, digest, known });
    Ok(())
}

/// Handles the result of writing a vault file.
fn vault_written(
    turn: &mut Turn,
    asker: SessionId,
    name: &str,
    digest: String,
    came: Result<String, Declined>,
) {
    let answered = match (came, made(turn, name)) {
        (Err(reason), _) => Err(reason.into()),
        (Ok(path), Ok((zone, _))) if !turn.read_only => {
            change(turn, &zone, |zone| {
                zone.vault_files.entry(name.to_owned()).or_default().settle(digest);
            });
            Ok(vec![format!("{path} holds the vault {name}. In content/vaults it is one of the content.")])
        }
        _ => Err(Refusal::from(ZoneRefusal::Unrecorded(name.to_owned())).into()),
    };
    answer(turn, asker, answered);
}

/// Requests reading the files of zones together. Zones may be new.
pub(crate) fn ask_to_read(
    turn: &mut Turn,
    asker: SessionId,
    zones: Vec<String>,
    then: ZoneUse,
) -> Result<(), Refusal> {
    if then == ZoneUse::Import {
        turn.require_writable()?;
    }
    let most = turn.config.limits.zones_at_once;
    if zones.len() > most as usize {
        return Err(ZoneRefusal::TooManyAtOnce(most).into());
    }
    for zone in &zones {
        require_key(zone)?;
        require_right(turn, asker, zone)?;
    }
    turn.outbox.push(Effect::ReadZones { asker, zones, then });
    Ok(())
}

/// Handles the result of writing a zone file.
pub(crate) fn written(
    turn: &mut Turn,
    asker: SessionId,
    zone: &str,
    digest: String,
    came: Result<String, Declined>,
) {
    if let Some(name) = zone.strip_prefix(VAULTS) {
        return vault_written(turn, asker, name, digest, came);
    }
    if turn.read_only || !turn.world.meta().zones.contains_key(zone) {
        let refusal = Refusal::from(ZoneRefusal::Unrecorded(zone.to_owned()));
        return answer(turn, asker, Err(refusal.into()));
    }
    match came {
        Ok(path) => {
            change(turn, zone, |zone| zone.file.settle(digest));
            answer(turn, asker, Ok(vec![format!("{path} holds the zone {}.", line(turn, zone))]));
        }
        // The file may exist even so, if only its sync failed.
        Err(reason) => answer(turn, asker, Err(reason.into())),
    }
}

/// Handles the result of reading zone files.
pub(crate) fn read(
    turn: &mut Turn,
    asker: SessionId,
    zones: &[String],
    then: ZoneUse,
    came: Result<Vec<String>, Declined>,
) {
    let came = came.map_err(Failed::from).and_then(|texts| {
        let texts: BTreeMap<&String, String> = zones.iter().zip(texts).collect();
        take_in(turn, asker, &texts, then)
    });
    answer(turn, asker, came);
}

fn take_in(
    turn: &mut Turn,
    asker: SessionId,
    texts: &BTreeMap<&String, String>,
    then: ZoneUse,
) -> Result<Vec<String>, Failed> {
    let (mut files, mut found) = (Files::new(), Vec::new());
    for (zone, text) in texts {
        require_right(turn, asker, zone)?;
        let area = Area::parse(&format!("zones/{zone}.toml"), text, &mut found);
        files.extend(area.map(|area| ((*zone).clone(), area)));
    }
    found.sort();
    if !found.is_empty() {
        return Err(Failed::Told(told(&found, texts.len())));
    }
    match then {
        ZoneUse::Compare => Ok(files.iter().flat_map(|(zone, file)| compare(turn, zone, file)).collect()),
        ZoneUse::Import => {
            turn.require_writable()?;
            let room = turn.seats.get(&asker).map(|seat| turn.world.characters[seat.character].room);
            journal::watch(turn);
            let came = take_over(turn, asker, &files, texts);
            let zones: Vec<&str> = files.keys().map(String::as_str).collect();
            let line = format!("zone import {}", zones.join(" "));
            let notice = journal::write_entry(turn, account(turn, asker), &line, room);
            came.map(|said| said.into_iter().chain(notice.map(str::to_owned)).collect())
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
    texts: &BTreeMap<&String, String>,
) -> Result<Vec<String>, Failed> {
    let Found { mistakes, doubts } = examine(turn, files);
    if !mistakes.is_empty() {
        return Err(Failed::Told(told(&mistakes, files.len())));
    }
    let is_new = |zone: &&String| {
        !turn.world.meta().zones.contains_key(*zone) && super::rooms(turn, zone).next().is_none()
    };
    let new: Vec<&str> = files.keys().filter(is_new).map(String::as_str).collect();
    let owner = account(turn, asker);
    create(turn, owner, &new)?;
    let imported = import(turn, files);
    for (zone, text) in texts {
        change(turn, zone, |zone| zone.file.settle(Digest::of_text(text).to_string()));
    }
    let rooms = |count| grammar::counted(count, "room", None);
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

/// Formats the mistakes in files, one per line.
fn told(found: &[CatalogError], files: usize) -> Vec<String> {
    let stay = if files == 1 {
        "The zone stays as it is, for these mistakes of its file:"
    } else {
        "The zones stay as they are, for these mistakes of their files:"
    };
    [stay.to_owned()].into_iter().chain(shown(found)).collect()
}

/// Returns the first mistakes of a list, up to the display limit, and the number omitted.
pub(crate) fn shown(found: &[impl ToString]) -> Vec<String> {
    let mut lines: Vec<String> = found.iter().take(MISTAKES_SHOWN).map(ToString::to_string).collect();
    if let Some(more) = found.len().checked_sub(MISTAKES_SHOWN).filter(|more| *more > 0) {
        lines.push(format!("And {more} more."));
    }
    lines
}

/// Sends the result to the asker: a player who is still connected, or the operator.
pub(super) fn answer(turn: &mut Turn, asker: SessionId, came: Result<Vec<String>, Failed>) {
    let came = came.map_err(Failed::lines);
    if !turn.seats.contains_key(&asker) {
        let answer = came.map_err(|lines| lines.join("\n").into());
        return turn.outbox.push(Effect::Answered { asker, answer });
    }
    let (class, lines) = match came {
        Ok(lines) => (Class::Reply, lines),
        Err(lines) => (Class::Refusal, lines),
    };
    let mut page = Markup::default();
    for line in &lines {
        page.line(Style::Plain, line);
    }
    turn.outbox.text(asker, class, &Arc::new(page));
    turn.outbox.prompt(asker);
}

//! Zones before an import over several steps. The entry of the journal keeps them, so that `undo` can import them.

use crate::building::zones::outcome::Failed;
use crate::building::zones::{ZoneFiles, is_zone};
use crate::effect::files::FilePurpose;
use crate::refusal::{Refusal, refuse};
use crate::state::file_work::check::{CheckStage, FileCheck, RoomKeys};
use crate::state::file_work::writing::ZoneText;
use crate::state::file_work::{FileTask, FileWork};
use crate::turn::Turn;
use deepwell_core::base::{JournalId, RoomId};
use deepwell_core::catalog::AreaRoom;
use deepwell_core::world::{Exit, FormerRoom, FormerZones};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Returns the ids and exits that an undo restores in addition to the files.
pub(in crate::building::zones) fn former_of(turn: &Turn, entry: Option<JournalId>) -> FormerZones {
    let former = entry.and_then(|entry| turn.world.journal.get(entry)?.former.clone());
    FormerZones { files: BTreeMap::new(), ..former.unwrap_or_default() }
}

/// Returns `true` if a file has a room.
pub(super) fn is_in_file(keys: &RoomKeys, zone: &str, key: &str) -> bool {
    keys.get(zone).is_some_and(|keys| keys.contains_key(key))
}

/// Returns `true` if an exit leads into a room that the files remove.
fn leads_into_gone(turn: &Turn, files: &ZoneFiles, keys: &RoomKeys, exit: &Exit) -> bool {
    let to = exit.to.and_then(|to| turn.world.rooms.get(to));
    to.is_some_and(|to| files.contains_key(&to.area) && !is_in_file(keys, &to.area, &to.zone_key()))
}

/// Notes the ids that a room and its exits lose by an import.
pub(in crate::building::zones) fn note_room(
    turn: &Turn,
    files: &ZoneFiles,
    keys: &RoomKeys,
    former: &mut FormerZones,
    id: RoomId,
    in_file: Option<&AreaRoom>,
) {
    let stays = |exit: &Exit| {
        let mut exits = in_file.into_iter().flat_map(|room| &room.exits);
        exits.any(|other| other.name == exit.name && other.kind == exit.kind)
            && !leads_into_gone(turn, files, keys, exit)
    };
    let gone = turn.world.exits.of(id).filter(|exit| !stays(exit));
    let exits = gone.map(|exit| (exit.name.clone(), exit.id)).collect();
    let room = FormerRoom { id, exits };
    if in_file.is_none() || !room.exits.is_empty() {
        let row = &turn.world.rooms[id];
        former.rooms.insert(format!("{}/{}", row.area, row.zone_key()), room);
    }
}

/// Notes the next exit if it leads from another zone into a room that the files remove.
pub(in crate::building::zones) fn note_next_exit(turn: &Turn, files: &ZoneFiles, check: &mut FileCheck) {
    let Some(former) = check.former.as_mut().filter(|former| !former.rooms.is_empty()) else {
        return check.begin(CheckStage::Done);
    };
    let after = (check.exit.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
    let Some((id, exit)) = turn.world.exits.range(after).next() else {
        return check.begin(CheckStage::Done);
    };
    check.exit = Some(id);
    let is_elsewhere = !files.contains_key(&turn.world.rooms[exit.room].area);
    if is_elsewhere && leads_into_gone(turn, files, &check.keys, exit) {
        former.exits.push(exit.clone());
    }
}

/// Begins to write the next zone before the import. Returns `true` when all are written, or are too large to keep. An import
/// that cannot be undone has to be confirmed.
pub(in crate::building::zones) fn are_kept(turn: &Turn, work: &mut FileWork) -> Result<bool, Refusal> {
    let Some(former) = work.check.as_mut().and_then(|check| check.former.as_mut()) else { return Ok(true) };
    let limits = &turn.config.limits;
    if former.bytes() > limits.undo_import_bytes.min(limits.journal_bytes / 2) as usize {
        if work.purpose == FilePurpose::Import {
            let zones = work.areas.keys().cloned().collect::<Vec<_>>().join(" ");
            return Err(refuse!(
                "undo cannot take back an import of so many rooms. zone export keeps what is there now, and zone import \
                 {zones} now brings the rooms in."
            ));
        }
        work.check.get_or_insert_default().former = None;
        return Ok(true);
    }
    match work.areas.keys().find(|zone| !former.files.contains_key(*zone)) {
        Some(zone) if is_zone(turn, zone) => work.writing = Some(ZoneText::new(zone, zone)),
        Some(zone) => _ = former.files.insert(zone.clone(), None),
        None => return Ok(true),
    }
    Ok(false)
}

/// Keeps the text of a zone before the import. Refuses to undo an import if the zone has changed since.
pub(in crate::building::zones) fn note_written(
    turn: &Turn,
    work: &mut FileWork,
    writing: ZoneText,
) -> Result<(), Failed> {
    let ZoneText { zone, text, state, .. } = writing;
    if let FileTask::Reverse(entry) = &work.task
        && let Some(entry) = turn.world.journal.get(*entry)
        && entry.former.as_ref().and_then(|former| former.digests.get(&zone)) != Some(&state.to_string())
    {
        return Err(Failed::from(refuse!(
            "The zone {zone} has changed since \"{}\", which undo and redo never overwrite. zone import brings in a file.",
            entry.line
        )));
    }
    if let Some(former) = work.check.as_mut().and_then(|check| check.former.as_mut()) {
        former.files.insert(zone, Some(text));
    }
    Ok(())
}

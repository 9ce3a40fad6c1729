//! Import of very many rooms: its stored files, its steps, and what the builder is told of it.

use super::{Imported, slices};
use crate::building::zones::followers::Followers;
use crate::building::zones::outcome::{Failed, account, room_of};
use crate::building::zones::{change, create, draft, is_zone, row};
use crate::building::{definitions, journal};
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::state::file_work::{FileTask, FileWork};
use crate::turn::Turn;
use deepwell_core::base::Digest;
use deepwell_core::text::grammar;
use deepwell_core::world::PendingImport;
use std::collections::BTreeMap;

/// Returns the command that imports a group.
pub(in crate::building::zones) fn line_of(group: &[String]) -> String {
    format!("zone import {}", group.join(" "))
}

/// Stores the files of a group, so that its import is completed also after a crash, and begins it.
pub(in crate::building::zones) fn begin(
    turn: &mut Turn,
    work: &mut FileWork,
    group: &[String],
) -> Result<(), Failed> {
    let account = work.asker.and_then(|asker| account(turn, asker));
    let room = work.asker.and_then(|asker| room_of(turn, asker));
    let draft = match &work.task {
        FileTask::Publish(key) | FileTask::Discard(key) => Some(key.clone()),
        FileTask::Files | FileTask::Export | FileTask::Draft => None,
    };
    let meant = draft.as_ref().and_then(|key| Some((key.clone(), row(turn, key).draft?)));
    match (&work.task, &meant) {
        (FileTask::Draft, _) => {
            let of = group.first().and_then(|key| key.strip_suffix(draft::ENDING)).unwrap_or_default();
            draft::create_row(turn, account, of, work.since.clone())?;
        }
        (FileTask::Publish(_), Some((key, draft))) => {
            let followers = Followers::definitions_of(turn, key, draft);
            let written = followers.write_definitions(turn);
            written.map_err(|found| Failed::mistakes(&heading(work), &found))?;
            draft::create_published(turn, key, draft);
        }
        _ => create(turn, account, &new_zones(turn, group.iter()))?,
    }
    let id = turn.world.new_journal_id();
    let files = work.texts.iter().filter(|(zone, _)| group.contains(zone));
    let files = files.map(|(zone, text)| (zone.clone(), text.to_string())).collect();
    let line = if work.line.is_empty() { line_of(group) } else { work.line.clone() };
    let is_publication = matches!(work.task, FileTask::Publish(_));
    let moves_rooms = is_publication && meant.as_ref().is_some_and(|(_, of)| draft::moves_rooms(turn, of));
    turn.world.imports.put(PendingImport { id, account, room, line, files, draft, moves_rooms });
    let areas = group.iter().filter_map(|zone| work.areas.remove_entry(zone));
    let mut run = ImportRun { files: areas.collect(), draft: meant, moves_rooms, ..ImportRun::new(id) };
    if group.is_empty() {
        run.leave_draft();
    }
    work.run = Some(run);
    Ok(())
}

/// Imports some rooms. After the last, it writes the entry of the journal, and removes the stored files.
pub(in crate::building::zones) fn go_on(turn: &mut Turn, work: &mut FileWork) {
    let Some(mut run) = work.run.take() else { return };
    let mut files = std::mem::take(&mut run.files);
    files.append(&mut work.areas_of_run());
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    while run.stage != ImportStage::Done && turn.world.work() < end {
        if slices::go_one_step(turn, &mut files, &mut run).is_err() {
            break;
        }
    }
    run.files = files;
    if run.stage != ImportStage::Done {
        work.run = Some(run);
        return;
    }
    let is_import = work.task == FileTask::Files && run.draft.is_none();
    for zone in run.files.keys().filter(|_| is_import) {
        let digest = work.digests.get(zone).copied();
        let of_text = || work.texts.get(zone).map(|text| Digest::of_text(text));
        if let Some(digest) = digest.or_else(of_text) {
            change(turn, zone, |zone| zone.file.settle(digest.to_string()));
        }
    }
    let row = turn.world.imports.remove(run.id);
    let has_published = row.as_ref().is_some_and(|row| !row.files.is_empty());
    if let Some(PendingImport { id, account, room, line, .. }) = row {
        journal::write_large(turn, id, account, &line, room);
    }
    if let Some((key, draft)) = &run.draft {
        if has_published {
            definitions::rename_zone(turn, key, &draft.of);
        }
        turn.world.remove_zone(key);
    }
    work.lines.extend(told(work, run));
    work.lines.push(journal::TOO_LARGE.to_owned());
}

/// Returns sentences for the builder about a complete import.
fn told(work: &FileWork, mut run: ImportRun) -> Vec<String> {
    let rooms = |count| grammar::counted(count, "room");
    match (&work.task, &run.draft) {
        (FileTask::Publish(_), Some((_, draft))) => {
            let told = run.imported.remove(&draft.of).unwrap_or_default();
            let told = if run.moves_rooms { told.all_made() } else { told };
            vec![told.published(&draft.of)]
        }
        (FileTask::Discard(key), _) => vec![format!("The draft {key} is gone.")],
        (FileTask::Draft, _) => {
            let Some((key, Imported { made, .. })) = run.imported.into_iter().next() else {
                return Vec::new();
            };
            let zone = key.strip_suffix(draft::ENDING).unwrap_or(&key);
            let made = rooms(made);
            vec![format!(
                "{key} is a draft of the zone {zone}: {made} that players do not see. rehearse {zone} takes you there, \
                 zone publish makes it what they see."
            )]
        }
        _ => said(run.imported).collect(),
    }
}

/// Returns the zones that do not exist.
pub(in crate::building::zones) fn new_zones<'z>(
    turn: &Turn,
    zones: impl Iterator<Item = &'z String>,
) -> Vec<&'z str> {
    zones.filter(|zone| !is_zone(turn, zone)).map(String::as_str).collect()
}

/// Returns a sentence for each zone that was imported.
pub(in crate::building::zones) fn said(imported: BTreeMap<String, Imported>) -> impl Iterator<Item = String> {
    let rooms = |count| grammar::counted(count, "room");
    imported.into_iter().map(move |(zone, Imported { made, kept, gone })| {
        let (made, kept, gone) = (rooms(made), rooms(kept), rooms(gone));
        format!("The zone {zone} is as its file says: {made} made, {kept} kept, {gone} gone.")
    })
}

/// Returns the heading of a list of mistakes.
pub(in crate::building::zones) fn heading(work: &FileWork) -> String {
    match &work.task {
        FileTask::Draft => "No draft of it can be made, for these mistakes:".to_owned(),
        FileTask::Publish(key) | FileTask::Discard(key) => {
            format!("The draft {key} stays as it is, for these mistakes:")
        }
        FileTask::Files | FileTask::Export if work.texts.len() == 1 => {
            "The zone stays as it is, for these mistakes of its file:".to_owned()
        }
        FileTask::Files | FileTask::Export => {
            "The zones stay as they are, for these mistakes of their files:".to_owned()
        }
    }
}

//! Import of very many rooms: its stored files, its steps, and what the builder is told of it.

use super::{Imported, former, stages};
use crate::building::zones::draft::definitions::Publication;
use crate::building::zones::followers::Followers;
use crate::building::zones::outcome::{Failed, account, room_of};
use crate::building::zones::{change, create, draft, is_zone, row};
use crate::building::{draft_versions, journal};
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::state::file_work::writing::ZoneText;
use crate::state::file_work::{FileTask, FileWork};
use crate::turn::Turn;
use deepwell_core::base::Digest;
use deepwell_core::text::grammar;
use deepwell_core::world::{FormerZones, PendingImport};
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
        _ => None,
    };
    let meant = draft.as_ref().and_then(|key| Some((key.clone(), row(turn, key).draft?)));
    match (&work.task, &meant) {
        (FileTask::Draft, _) => {
            let of = group.first().and_then(|key| key.strip_suffix(draft::ENDING)).unwrap_or_default();
            draft::require_space_for_versions(turn, &draft::key_of(of))?;
            draft::create_row(turn, account, of, work.since.clone())?;
            draft_versions::begin(turn, account, &draft::key_of(of))?;
        }
        (FileTask::Publish(_), Some((key, draft))) => {
            let followers = Followers::definitions_of(turn, key, draft);
            let publication = Publication::of(turn, key, draft).with_followers(followers.definitions());
            let content = publication.content(turn, key, &draft.of);
            let content = content.map_err(|found| Failed::mistakes(&heading(work), &found))?;
            publication.write(turn, draft, content)?;
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
    let former = work.former.as_ref().map(|former| former.of_zones(group));
    let reverses = match work.task {
        FileTask::Reverse(entry) => Some(entry),
        _ => None,
    };
    let row = PendingImport { id, account, room, line, files, draft, moves_rooms, former, reverses };
    turn.world.imports.put(row);
    let areas = group.iter().filter_map(|zone| work.areas.remove_entry(zone));
    let mut run = ImportRun { files: areas.collect(), draft: meant, moves_rooms, ..ImportRun::new(Some(id)) };
    run.former = former::former_of(turn, reverses);
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
        if stages::go_one_step(turn, &mut files, &mut run).is_err() {
            break;
        }
    }
    run.files = files;
    if run.stage != ImportStage::Done || !is_digested(turn, work, &mut run) {
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
    let row = run.id.and_then(|id| turn.world.imports.remove(id));
    let has_published = row.as_ref().is_some_and(|row| !row.files.is_empty());
    let mut can_turn_over = false;
    if let Some(PendingImport { id, account, room, line, former, reverses, .. }) = row {
        let former = former.map(|former| FormerZones { digests: std::mem::take(&mut run.digests), ..former });
        can_turn_over = match reverses {
            Some(entry) => journal::reverse(turn, entry, account, former),
            None => journal::write_large(turn, id, account, &line, room, former),
        };
    }
    if let Some((key, draft)) = &run.draft {
        draft::end(turn, key, draft, has_published);
    }
    work.lines.extend(report_lines(work, run));
    if !can_turn_over {
        work.lines.push(journal::TOO_LARGE.to_owned());
    }
}

/// Returns `true` if all zones of an import that can be undone have digests, and begins to write the next one otherwise.
/// Removes those first that the import has removed as a whole.
fn is_digested(turn: &mut Turn, work: &mut FileWork, run: &mut ImportRun) -> bool {
    let Some(row) = run.id.and_then(|id| turn.world.imports.get(id)) else { return true };
    if row.former.is_none() && row.reverses.is_none() {
        return true;
    }
    let zones: Vec<String> = row.files.keys().cloned().collect();
    let entry = row.reverses.and_then(|entry| turn.world.journal.get(entry));
    let kept = entry.and_then(|entry| entry.former.as_ref()).map(|former| &former.files);
    let is_gone = |zone: &String| kept.is_some_and(|files| files.get(zone) == Some(&None));
    let gone: Vec<String> = zones.iter().filter(|zone| is_gone(zone)).cloned().collect();
    for zone in &gone {
        turn.world.remove_zone(zone);
    }
    for zone in zones {
        if !run.digests.contains_key(&zone) && is_zone(turn, &zone) {
            work.writing = Some(ZoneText::new(&zone, &zone));
            return false;
        }
    }
    true
}

/// Returns sentences for the builder about a complete import.
fn report_lines(work: &FileWork, mut run: ImportRun) -> Vec<String> {
    let rooms = |count| grammar::counted(count, "room");
    match (&work.task, &run.draft) {
        (FileTask::Publish(_), Some((_, draft))) => {
            let imported = run.imported.remove(&draft.of).unwrap_or_default();
            let imported = if run.moves_rooms { imported.all_made() } else { imported };
            vec![imported.published(&draft.of)]
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
        (FileTask::Reverse(_), _) => {
            let lines = run
                .imported
                .into_iter()
                .map(|(zone, counts)| counts.line(&format!("The zone {zone} is as it was")));
            lines.collect()
        }
        _ => import_lines(run.imported).collect(),
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
pub(in crate::building::zones) fn import_lines(
    imported: BTreeMap<String, Imported>,
) -> impl Iterator<Item = String> {
    imported.into_iter().map(|(zone, counts)| counts.line(&format!("The zone {zone} is as its file says")))
}

/// Returns the heading of a list of mistakes.
pub(in crate::building::zones) fn heading(work: &FileWork) -> String {
    match &work.task {
        FileTask::Draft => "No draft of it can be made, for these mistakes:".to_owned(),
        FileTask::Publish(key) | FileTask::Discard(key) => {
            format!("The draft {key} stays as it is, for these mistakes:")
        }
        FileTask::Reverse(_) => "It stays as it is, for these mistakes of what was there before:".to_owned(),
        _ if work.texts.len() == 1 => "The zone stays as it is, for these mistakes of its file:".to_owned(),
        _ => "The zones stay as they are, for these mistakes of their files:".to_owned(),
    }
}

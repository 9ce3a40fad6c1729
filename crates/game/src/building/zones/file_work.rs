//! Comparing and importing zone files. Large files are handled over several steps: each is parsed and compared in
//! separate ones, and zones that lead into each other are imported in one, and hence in one batch. Files of very many rooms are
//! also checked and imported over several steps; builders change nothing meanwhile.

use super::findings::ZoneFindings;
use super::import::{former, import, read, require_awake_in_gone, run, visit};
use super::mistakes::{self, examine, with_content};
use super::outcome::{Failed, account, answer, room_of, shown, tell};
use super::{ZoneFiles, change, create, draft, row as zone_row};
use crate::building::{draft_versions, journal, pace};
use crate::effect::files::{FileKind, FilePurpose};
use crate::input::Input;
use crate::refusal::Refusal;
use crate::state::file_work::check::{CheckStage, FileCheck};
use crate::state::file_work::writing::ZoneText;
use crate::state::file_work::{FileTask, FileWork};
use crate::state::slices::{PAUSE, WAIT};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Digest, JournalId, SessionId};
use deepwell_core::catalog::Area;
use deepwell_core::world::{FormerZones, PendingImport, WorldPart, ZoneDraft};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bytes of files that are handled in the step in which they arrive, for each unit of work of a slice.
const AT_ONCE_BYTES: usize = 16;

/// Told before the first of very many rooms is imported.
const COMING_IN: &str = "There are no mistakes, and the rooms come in. You are told when all are there; until then nothing \
                         is built.";

/// Part of the world that is asleep and has to be read first, and the input to repeat then.
pub(crate) type Postponed = Box<(WorldPart, Input)>;

/// Begins to compare or import zone files. While the world is read-only, which has no timers, that is one step.
pub(super) fn begin(
    turn: &mut Turn,
    asker: SessionId,
    purpose: FilePurpose,
    texts: BTreeMap<String, String>,
) -> Result<(), Postponed> {
    let bytes: usize = texts.values().map(String::len).sum();
    let standing: usize = texts.keys().map(|zone| turn.world.rooms.of_zone(zone).len()).sum();
    let has_many = purpose.is_import() && pace::are_many(turn, standing);
    let most = turn.config.limits.slice_work as usize * AT_ONCE_BYTES;
    let is_large = (bytes > most || has_many) && !turn.read_only;
    let mut work = FileWork::new(Some(asker), purpose, texts, is_large);
    if !is_large {
        loop {
            if let Some(outcome) = go_one_step(turn, &mut work) {
                return finish(turn, work, outcome);
            }
        }
    }
    pace::queue(turn, work);
    Ok(())
}

/// Completes imports that had begun when the server ended.
pub(crate) fn resume(turn: &mut Turn) {
    let pending: Vec<FileWork> = turn
        .world
        .imports
        .iter()
        .map(|(_, row)| FileWork::resumed(row, draft_of(turn, row), former::former_of(turn, row.reverses)))
        .collect();
    for work in pending {
        pace::queue(turn, work);
    }
    draft_versions::localise_large_drafts(turn);
}

/// Returns the draft that an import publishes or discards.
fn draft_of(turn: &Turn, row: &PendingImport) -> Option<ZoneDraft> {
    row.draft.as_ref().and_then(|key| zone_row(turn, key).draft)
}

/// Begins to pack a large zone.
pub(super) fn pack(turn: &mut Turn, asker: SessionId, zone: &str) {
    pace::queue(turn, FileWork::of_reading_task(asker, FileTask::Pack, zone));
}

/// Begins to tell the consequences of publishing a large draft.
pub(crate) fn preview(turn: &mut Turn, asker: SessionId, key: &str, draft: &ZoneDraft) {
    pace::queue(turn, FileWork::of_reading_task(asker, FileTask::Preview(key.to_owned()), &draft.of));
}

/// Begins to undo an import that took several steps, or to do it again.
pub(crate) fn reverse(turn: &mut Turn, asker: SessionId, entry: JournalId, former: &FormerZones) {
    pace::queue(turn, FileWork::reverse(asker, entry, former));
}

/// Begins to write a large zone to its file.
pub(super) fn export(turn: &mut Turn, asker: SessionId, zone: &str) {
    let writing = ZoneText::new(zone, zone);
    pace::queue(turn, FileWork::of_task(asker, FileTask::Export, "", Some(writing)));
}

/// Begins to make a draft of a large zone.
pub(crate) fn begin_draft(turn: &mut Turn, asker: SessionId, zone: &str) {
    let (writing, line) = (ZoneText::new(zone, &draft::key_of(zone)), format!("zone draft {zone}"));
    pace::queue(turn, FileWork::of_task(asker, FileTask::Draft, &line, Some(writing)));
}

/// Begins to replace a large zone by its draft.
pub(crate) fn publish(turn: &mut Turn, asker: SessionId, key: &str, draft: &ZoneDraft) {
    let (writing, line) = (ZoneText::new(key, &draft.of), format!("zone publish {key} now"));
    pace::queue(turn, FileWork::of_task(asker, FileTask::Publish(key.to_owned()), &line, Some(writing)));
}

/// Begins to remove a large draft.
pub(crate) fn discard(turn: &mut Turn, asker: SessionId, key: &str) {
    let line = format!("zone discard {key} now");
    pace::queue(turn, FileWork::of_task(asker, FileTask::Discard(key.to_owned()), &line, None));
}

/// Does the next step of the work that waits longest.
pub(crate) fn go_on(turn: &mut Turn) -> Result<(), Postponed> {
    if !turn.slices.take(turn.now) {
        turn.timers.schedule(turn.now + WAIT, Timer::Files);
        return Ok(());
    }
    let Some(mut work) = turn.file_work.pop_front() else { return Ok(()) };
    let done = if let Some(outcome) = go_one_step(turn, &mut work) {
        finish(turn, work, outcome)
    } else if work.is_exclusive() {
        turn.file_work.push_front(work);
        Ok(())
    } else {
        turn.file_work.push_back(work);
        Ok(())
    };
    if !turn.file_work.is_empty() {
        turn.timers.schedule(turn.now + PAUSE, Timer::Files);
    }
    done
}

/// Does one step of the work, and charges the builder for it. Returns the outcome after the last one.
fn go_one_step(turn: &mut Turn, work: &mut FileWork) -> Option<Result<Vec<String>, Failed>> {
    let builder = work.asker.and_then(|asker| account(turn, asker));
    pace::charged(turn, builder, |turn| {
        if work.writing.is_some() {
            return read::write_part(turn, work);
        }
        if work.reading.is_some() {
            read::read_part(turn, work);
            return None;
        }
        if work.visit.is_some() {
            return visit::go_on(turn, work);
        }
        if let Some((zone, text)) = work.next() {
            read::begin_to_read(turn, work, zone, text);
            return None;
        }
        if !work.is_checked {
            return match check(turn, work) {
                Ok(true) => {
                    work.is_checked = true;
                    None
                }
                Ok(false) => None,
                Err(failed) => Some(Err(failed)),
            };
        }
        if work.run.is_some() {
            run::go_on(turn, work);
            return None;
        }
        let lines = std::mem::take(&mut work.lines);
        let Some(group) = work.groups.pop() else { return Some(Ok([lines, work.doubts.clone()].concat())) };
        match import_group(turn, work, &group) {
            Ok(imported) => {
                work.lines = [lines, imported].concat();
                None
            }
            Err(Failed::Refused(Refusal::Asleep(part))) => {
                work.groups.push(group);
                Some(Err(Refusal::Asleep(part).into()))
            }
            Err(failed) if lines.is_empty() => Some(Err(failed)),
            Err(failed) => Some(Err(Failed::Errors([lines, failed.lines()].concat()))),
        }
    })
}

/// Checks all files before the first is imported, and decides which are imported together. Returns `false` if the check is
/// continued in a later step.
fn check(turn: &mut Turn, work: &mut FileWork) -> Result<bool, Failed> {
    if work.check.is_none() {
        work.texts.keys().try_for_each(|zone| read::require_right_of(turn, work, zone))?;
        work.found.sort();
        if !work.found.is_empty() {
            return Err(Failed::mistakes(&run::heading(work), &work.found));
        }
        if work.purpose == FilePurpose::Compare {
            return Ok(true);
        }
        turn.require_writable()?;
        turn.require_no_import()?;
        if let FileTask::Publish(key) | FileTask::Discard(key) = &work.task {
            work.areas.insert(key.clone(), Area::empty(key));
        }
        let content = match (&work.task, draft_of_task(turn, &work.task)) {
            (FileTask::Publish(key), Some(draft)) => draft::content(turn, key, &draft).map(Some),
            (FileTask::Discard(key), _) => match draft::definitions::used_elsewhere(turn, key) {
                found if found.is_empty() => Ok(None),
                found => Err(found),
            },
            _ => Ok(None),
        };
        work.content = content.map_err(|found| Failed::mistakes(&run::heading(work), &found))?;
        let is_import = work.task == FileTask::Files;
        let is_sliced =
            work.is_large && (!is_import || pace::are_many(turn, rooms_of(turn, work.areas.iter())));
        if !is_sliced {
            require_awake_in_gone(turn, &work.areas)?;
            let found = with_content(turn, work.content.as_ref(), |turn| examine(turn, &work.areas));
            return end_check(turn, work, found).map(|()| true);
        }
    }
    let is_undone = matches!(work.task, FileTask::Files | FileTask::Reverse(_));
    let check = work.check.get_or_insert_with(|| FileCheck {
        former: is_undone.then(FormerZones::default),
        ..FileCheck::default()
    });
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    with_content(turn, work.content.as_ref(), |turn| {
        while check.stage != CheckStage::Done && turn.world.work() < end {
            mistakes::go_one_step(turn, &work.areas, check);
        }
    });
    if check.stage != CheckStage::Done || (check.mistakes.is_empty() && !former::are_kept(turn, work)?) {
        return Ok(false);
    }
    let FileCheck { mistakes, doubts, links, former, .. } =
        std::mem::take(work.check.get_or_insert_default());
    work.former = former;
    end_check(turn, work, ZoneFindings { mistakes, doubts, links })?;
    if let Some(asker) = work.asker {
        tell(turn, asker, COMING_IN);
    }
    Ok(true)
}

/// Returns the draft of a task.
fn draft_of_task(turn: &Turn, task: &FileTask) -> Option<ZoneDraft> {
    match task {
        FileTask::Publish(key) | FileTask::Discard(key) => zone_row(turn, key).draft,
        _ => None,
    }
}

/// Returns the number of rooms in files, and in their zones.
fn rooms_of<'f>(turn: &Turn, files: impl Iterator<Item = (&'f String, &'f Area)>) -> usize {
    files.map(|(zone, area)| area.rooms.len().max(turn.world.rooms.of_zone(zone).len())).sum()
}

fn end_check(turn: &Turn, work: &mut FileWork, found: ZoneFindings) -> Result<(), Failed> {
    let ZoneFindings { mistakes, doubts, links } = found;
    if !mistakes.is_empty() {
        return Err(Failed::mistakes(&run::heading(work), &mistakes));
    }
    super::require_space(turn, run::new_zones(turn, work.areas.keys()).len())?;
    let is_one = !work.is_large || work.task != FileTask::Files;
    work.groups =
        if is_one { vec![work.texts.keys().cloned().collect()] } else { groups(&work.texts, &links) };
    if !doubts.is_empty() {
        work.doubts = [vec!["What may not be meant so:".to_owned()], shown(&doubts)].concat();
    }
    Ok(())
}

/// Groups zones that lead into each other, in their files or in the world. The last group is the first to be imported.
fn groups(zones: &BTreeMap<String, Arc<str>>, links: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let mut group_of: BTreeMap<&str, usize> =
        zones.keys().enumerate().map(|(at, zone)| (zone.as_str(), at)).collect();
    for (one, other) in links {
        let [Some(kept), Some(gone)] = [one, other].map(|zone| group_of.get(zone.as_str()).copied()) else {
            continue;
        };
        group_of.values_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
    }
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (zone, group) in group_of {
        groups.entry(group).or_default().push(zone.to_owned());
    }
    groups.into_values().rev().collect()
}

/// Imports the files of a group as one change, which can be undone, or begins to import very many rooms.
fn import_group(turn: &mut Turn, work: &mut FileWork, group: &[String]) -> Result<Vec<String>, Failed> {
    turn.require_writable()?;
    let of_group = work.areas.iter().filter(|(zone, _)| group.contains(zone));
    let is_sliced = work.task != FileTask::Files || pace::are_many(turn, rooms_of(turn, of_group));
    if work.check.is_some() && is_sliced {
        run::begin(turn, work, group)?;
        return Ok(Vec::new());
    }
    let areas = work.areas.iter().filter(|(zone, _)| group.contains(zone));
    let files: ZoneFiles = areas.map(|(zone, area)| (zone.clone(), area.clone())).collect();
    require_awake_in_gone(turn, &files)?;
    if work.is_large && work.check.is_none() {
        // The world may have changed since all files were checked.
        let found = examine(turn, &files).mistakes;
        if !found.is_empty() {
            return Err(Failed::mistakes(&run::heading(work), &found));
        }
    }
    let account = work.asker.and_then(|asker| account(turn, asker));
    let room = work.asker.and_then(|asker| room_of(turn, asker));
    journal::watch(turn);
    let outcome = take_over(turn, account, files, &work.texts);
    let notice = journal::write_entry(turn, account, &run::line_of(group), room);
    outcome.map(|lines| lines.into_iter().chain(notice.map(str::to_owned)).collect())
}

/// Answers the asker. If a part of the world has to be read first, the files that are not imported are read again then.
fn finish(
    turn: &mut Turn,
    mut work: FileWork,
    outcome: Result<Vec<String>, Failed>,
) -> Result<(), Postponed> {
    let (Some(asker), purpose) = (work.asker, work.purpose) else { return Ok(()) };
    if let Err(Failed::Refused(Refusal::Asleep(part))) = outcome {
        if work.groups.iter().any(|group| !group.is_empty()) {
            work.texts.retain(|zone, _| work.groups.iter().any(|group| group.contains(zone)));
        }
        let texts = work.texts.into_iter().map(|(zone, text)| (zone, text.to_string()));
        let (kind, files) = (FileKind::Zone, Ok(texts.collect()));
        return Err(Box::new((part, Input::FilesRead { asker, kind, purpose, prefix: None, files })));
    }
    // The server answers when it has written the file.
    if !matches!(work.task, FileTask::Export | FileTask::Pack) || outcome.is_err() {
        answer(turn, asker, outcome);
    }
    Ok(())
}

/// Imports zone files that have no mistakes.
fn take_over(
    turn: &mut Turn,
    owner: Option<AccountId>,
    files: ZoneFiles,
    texts: &BTreeMap<String, Arc<str>>,
) -> Result<Vec<String>, Failed> {
    let new = run::new_zones(turn, files.keys());
    create(turn, owner, &new)?;
    let imported = import(turn, files);
    for (zone, text) in texts.iter().filter(|(zone, _)| imported.contains_key(*zone)) {
        change(turn, zone, |zone| zone.file.settle(Digest::of_text(text).to_string()));
    }
    Ok(run::import_lines(imported).collect())
}

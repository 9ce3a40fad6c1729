//! Comparing and importing zone files. Large files are handled over several steps: each is parsed and compared in one of its
//! own, all are checked in one, and zones that lead into each other are imported in one, and hence in one batch.

use super::findings::Found;
use super::import::{Imported, import, require_awake_in_gone};
use super::mistakes::examine;
use super::outcome::{Failed, account, answer, require_right, room_of, shown};
use super::{Files, change, create, text};
use crate::building::{journal, pace};
use crate::effect::files::{FileKind, FilePurpose};
use crate::input::Input;
use crate::refusal::Refusal;
use crate::state::file_work::FileWork;
use crate::state::slices::{PAUSE, WAIT};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{Digest, SessionId};
use deepwell_core::catalog::Area;
use deepwell_core::catalog::area::area_text;
use deepwell_core::text::grammar;
use deepwell_core::world::Part;
use std::collections::BTreeMap;

/// Total size in bytes of files that are handled in the step in which they arrive.
const AT_ONCE_BYTES: usize = 65_536;

/// Part of the world that is asleep and has to be read first, and the input to repeat then.
pub(crate) type Postponed = Box<(Part, Input)>;

/// Begins to compare or import zone files. While the world is read-only, which has no timers, that is one step.
pub(super) fn begin(
    turn: &mut Turn,
    asker: SessionId,
    purpose: FilePurpose,
    texts: BTreeMap<String, String>,
) -> Result<(), Postponed> {
    let bytes: usize = texts.values().map(String::len).sum();
    let is_large = bytes > AT_ONCE_BYTES && !turn.read_only;
    let mut work = FileWork::new(asker, purpose, texts, is_large);
    if !is_large {
        loop {
            if let Some(outcome) = go_one_step(turn, &mut work) {
                return finish(turn, work, outcome);
            }
        }
    }
    turn.file_work.push_back(work);
    if turn.file_work.len() == 1 {
        turn.timers.schedule(turn.now + WAIT, Timer::Files);
    }
    Ok(())
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
    let builder = account(turn, work.asker);
    pace::charged(turn, builder, |turn| {
        if let Some((zone, text)) = work.next() {
            read_one(turn, work, zone, &text);
            return None;
        }
        if !work.is_checked {
            work.is_checked = true;
            return check(turn, work).err().map(Err);
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

/// Parses a file and, to compare it, lists its differences.
fn read_one(turn: &Turn, work: &mut FileWork, zone: String, text: &str) {
    let Some(area) = text::parse(turn, &zone, text, &mut work.found) else { return };
    if work.purpose == FilePurpose::Compare && require_right(turn, work.asker, &zone).is_ok() {
        work.lines.extend(compare(turn, &zone, &area));
    }
    work.areas.insert(zone, area);
}

/// Checks all files before the first is imported, and decides which are imported together.
fn check(turn: &mut Turn, work: &mut FileWork) -> Result<(), Failed> {
    work.texts.keys().try_for_each(|zone| require_right(turn, work.asker, zone))?;
    work.found.sort();
    if !work.found.is_empty() {
        return Err(Failed::mistakes(heading(work.texts.len()), &work.found));
    }
    if work.purpose == FilePurpose::Compare {
        return Ok(());
    }
    turn.require_writable()?;
    require_awake_in_gone(turn, &work.areas)?;
    let Found { mistakes, doubts } = examine(turn, &work.areas);
    if !mistakes.is_empty() {
        return Err(Failed::mistakes(heading(work.texts.len()), &mistakes));
    }
    super::require_space(turn, new_zones(turn, work.areas.keys()).len())?;
    work.groups =
        if work.is_large { groups(turn, &work.texts) } else { vec![work.texts.keys().cloned().collect()] };
    if !doubts.is_empty() {
        work.doubts = [vec!["What may not be meant so:".to_owned()], shown(&doubts)].concat();
    }
    Ok(())
}

/// Groups zones that lead into each other, in their files or in the world. The last group is the first to be imported.
fn groups(turn: &Turn, texts: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let mut group_of: BTreeMap<&str, usize> =
        texts.keys().enumerate().map(|(at, zone)| (zone.as_str(), at)).collect();
    let mut join = |one: &str, other: &str| {
        let [Some(kept), Some(gone)] = [one, other].map(|zone| group_of.get(zone).copied()) else { return };
        group_of.values_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
    };
    for (zone, text) in texts {
        for (before, _) in text.match_indices('/').map(|(at, _)| text.split_at(at)) {
            let is_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let key = before.len() - before.chars().rev().take_while(|c| is_key(*c)).count();
            join(zone, &before[key..]);
        }
        for room in turn.world.rooms.of_zone(zone) {
            for to in turn.world.exits.of(room).filter_map(|exit| exit.to) {
                join(zone, turn.world.rooms.get(to).map_or("", |room| &room.area));
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (zone, group) in group_of {
        groups.entry(group).or_default().push(zone.to_owned());
    }
    groups.into_values().rev().collect()
}

/// Imports the files of a group as one change, which can be undone.
fn import_group(turn: &mut Turn, work: &FileWork, group: &[String]) -> Result<Vec<String>, Failed> {
    turn.require_writable()?;
    let areas = work.areas.iter().filter(|(zone, _)| group.contains(zone));
    let files: Files = areas.map(|(zone, area)| (zone.clone(), area.clone())).collect();
    require_awake_in_gone(turn, &files)?;
    if work.is_large {
        // The world may have changed since all files were checked.
        let found = examine(turn, &files).mistakes;
        if !found.is_empty() {
            return Err(Failed::mistakes(heading(files.len()), &found));
        }
    }
    let room = room_of(turn, work.asker);
    journal::watch(turn);
    let outcome = take_over(turn, work.asker, &files, &work.texts);
    let line = format!("zone import {}", group.join(" "));
    let notice = journal::write_entry(turn, account(turn, work.asker), &line, room);
    outcome.map(|lines| lines.into_iter().chain(notice.map(str::to_owned)).collect())
}

/// Answers the asker. If a part of the world has to be read first, the files that are not imported are read again then.
fn finish(
    turn: &mut Turn,
    mut work: FileWork,
    outcome: Result<Vec<String>, Failed>,
) -> Result<(), Postponed> {
    let (asker, purpose) = (work.asker, work.purpose);
    if let Err(Failed::Refused(Refusal::Asleep(part))) = outcome {
        if work.groups.iter().any(|group| !group.is_empty()) {
            work.texts.retain(|zone, _| work.groups.iter().any(|group| group.contains(zone)));
        }
        let (kind, files) = (FileKind::Zone, Ok(work.texts.into_iter().collect()));
        return Err(Box::new((part, Input::FilesRead { asker, kind, purpose, prefix: None, files })));
    }
    answer(turn, asker, outcome);
    Ok(())
}

/// Returns the zones that do not exist.
fn new_zones<'z>(turn: &Turn, zones: impl Iterator<Item = &'z String>) -> Vec<&'z str> {
    zones.filter(|zone| !super::is_zone(turn, zone)).map(String::as_str).collect()
}

fn compare(turn: &Turn, zone: &str, file: &Area) -> Vec<String> {
    let differences = area_text::differences(&text::area(turn, zone), file, "file");
    let same = vec![format!("The zone {zone} and its file say the same.")];
    if differences.is_empty() { same } else { differences }
}

/// Imports zone files that have no mistakes.
fn take_over(
    turn: &mut Turn,
    asker: SessionId,
    files: &Files,
    texts: &BTreeMap<String, String>,
) -> Result<Vec<String>, Failed> {
    let new = new_zones(turn, files.keys());
    let owner = account(turn, asker);
    create(turn, owner, &new)?;
    let imported = import(turn, files);
    for (zone, text) in texts.iter().filter(|(zone, _)| files.contains_key(*zone)) {
        change(turn, zone, |zone| zone.file.settle(Digest::of_text(text).to_string()));
    }
    let rooms = |count| grammar::counted(count, "room");
    let says = |(zone, Imported { made, kept, gone }): (String, Imported)| {
        let (made, kept, gone) = (rooms(made), rooms(kept), rooms(gone));
        format!("The zone {zone} is as its file says: {made} made, {kept} kept, {gone} gone.")
    };
    Ok(imported.into_iter().map(says).collect())
}

/// Returns the heading of a list of mistakes.
const fn heading(files: usize) -> &'static str {
    if files == 1 {
        "The zone stays as it is, for these mistakes of its file:"
    } else {
        "The zones stay as they are, for these mistakes of their files:"
    }
}

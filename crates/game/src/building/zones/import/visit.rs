//! Visits of large zones, room by room: `zone diff`, the preview of `zone publish`, packages, and versions of definitions in
//! drafts.

use crate::access::draft_names;
use crate::building::draft_versions;
use crate::building::zones::draft::preview;
use crate::building::zones::followers::{Followers, Names};
use crate::building::zones::outcome::{Failed, request, shown};
use crate::building::zones::removed::{check_kept_exits, check_removed_room};
use crate::building::zones::{draft, package, room_called, row, text};
use crate::effect::files::{FileKind, FileOperation};
use crate::state::file_work::visit::{VisitStage, ZoneVisit};
use crate::state::file_work::{FileTask, FileWork};
use crate::turn::Turn;
use deepwell_core::catalog::area::zone_file;
use deepwell_core::catalog::{Area, AreaRoom};

/// Visits some rooms. Returns the outcome of the work if it ends with the visit.
pub(in crate::building::zones) fn go_on(
    turn: &mut Turn,
    work: &mut FileWork,
) -> Option<Result<Vec<String>, Failed>> {
    let mut visit = work.visit.take()?;
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    while visit.stage != VisitStage::Done && turn.world.work() < end {
        turn.world.note_work(1);
        match visit.stage {
            VisitStage::Localise => localise_next(turn, &mut visit, end),
            _ => go_one_step(turn, work, &mut visit),
        }
    }
    if visit.stage != VisitStage::Done {
        work.visit = Some(visit);
        return None;
    }
    finish(turn, work, visit)
}

fn go_one_step(turn: &Turn, work: &FileWork, visit: &mut ZoneVisit) {
    let area = work.areas.get(&visit.zone);
    let file = area.and_then(|area| area.rooms.get(visit.place));
    match visit.stage {
        VisitStage::Keys => {
            if let Some(room) = file {
                visit.keys.insert(room.key.clone());
                visit.place += 1;
            } else {
                visit.lines = area.map(|area| heads(turn, area, called(work))).unwrap_or_default();
                visit.begin(VisitStage::Missing);
            }
        }
        VisitStage::Missing => {
            visit.room = turn.world.rooms.of_zone_after(&visit.zone, visit.room).next();
            match visit.room {
                Some(id) if visit.keys.contains(&turn.world.rooms[id].zone_key()) => {}
                Some(id) => {
                    if let Some(area) = area {
                        check_removed_room(turn, area, id, &mut visit.mistakes);
                    }
                    let lines = rooms(&visit.zone, Some(text::room(turn, id)), None, called(work));
                    visit.lines.extend(lines);
                }
                None => visit.begin(VisitStage::Rooms),
            }
        }
        VisitStage::Rooms => match file {
            Some(room) => {
                turn.world.note_work(text::work_of(room));
                check_kept_exits(turn, &visit.zone, room, &mut visit.mistakes);
                let standing = room_called(turn, &visit.zone, &room.key).map(|id| text::room(turn, id));
                visit.lines.extend(rooms(&visit.zone, standing, Some(room), called(work)));
                visit.place += 1;
            }
            None if matches!(work.task, FileTask::Preview(_)) => visit.begin(VisitStage::Followers),
            None => visit.begin(VisitStage::Done),
        },
        VisitStage::Followers | VisitStage::Lost => look_at_next(turn, work, visit),
        VisitStage::Used => {
            visit.room = turn.world.rooms.of_zone_after(&visit.zone, visit.room).next();
            match visit.room {
                Some(id) => visit.used.extend(package::names_of_room(turn, &turn.world.rooms[id])),
                None => visit.begin(VisitStage::Done),
            }
        }
        VisitStage::Localise | VisitStage::Done => {}
    }
}

/// Returns the word for a file in sentences about differences.
const fn called(work: &FileWork) -> &'static str {
    if matches!(work.task, FileTask::Preview(_)) { "draft" } else { "file" }
}

/// Compares a zone with a file, apart from their rooms.
fn heads(turn: &Turn, file: &Area, called: &str) -> Vec<String> {
    let (start, variables) = (file.start.clone(), file.variables.clone());
    let head = Area { start, variables, ..Area::empty(&file.key) };
    zone_file::differences(&text::head(turn, &file.key), &head, called)
}

/// Compares a room of a zone with that of a file.
fn rooms(zone: &str, standing: Option<AreaRoom>, file: Option<&AreaRoom>, called: &str) -> Vec<String> {
    let area = |room: Option<AreaRoom>| Area { rooms: room.into_iter().collect(), ..Area::empty(zone) };
    zone_file::differences(&area(standing), &area(file.cloned()), called)
}

/// Collects the references to a draft in the next room elsewhere, and then the losses of the next room of the draft.
fn look_at_next(turn: &Turn, work: &FileWork, visit: &mut ZoneVisit) {
    let FileTask::Preview(key) = &work.task else { return visit.begin(VisitStage::Done) };
    let Some(draft) = row(turn, key).draft else { return visit.begin(VisitStage::Done) };
    if visit.stage == VisitStage::Followers {
        visit.room = turn.world.rooms.built_after(visit.room).next();
        let Some(id) = visit.room else {
            visit.lines.extend(preview::lines_of_definitions(turn, key, &draft));
            return visit.begin(VisitStage::Lost);
        };
        let mut followers = Followers::default();
        followers.note_room(&Names::of(turn, key, &draft), id);
        visit.lines.extend(followers.lines(key, &draft.of));
    } else {
        visit.room = turn.world.rooms.of_zone_after(key, visit.room).next();
        let Some(id) = visit.room else { return visit.begin(VisitStage::Done) };
        let room = &turn.world.rooms[id];
        visit.has_board |= room.sheet.board.is_some();
        if !draft::moves_rooms(turn, &draft) {
            visit.lines.extend(preview::lost_in(turn, room));
        }
    }
}

/// Gives some rooms of a draft the names of its versions of definitions.
fn localise_next(turn: &mut Turn, visit: &mut ZoneVisit, end: u64) {
    let Some(published) = draft_names::published_renaming(turn, &visit.zone) else {
        return visit.begin(VisitStage::Done);
    };
    let renamings = [published, draft_names::renaming(turn, &visit.zone)];
    while turn.world.work() < end {
        visit.room = turn.world.rooms.of_zone_after(&visit.zone, visit.room).next();
        let Some(id) = visit.room else { return visit.begin(VisitStage::Done) };
        draft_versions::localise_room(turn, &visit.zone, id, &renamings);
    }
}

fn finish(turn: &mut Turn, work: &mut FileWork, visit: ZoneVisit) -> Option<Result<Vec<String>, Failed>> {
    let ZoneVisit { zone, lines, mistakes, has_board, text, used, .. } = visit;
    match &work.task {
        FileTask::Localise => return Some(Ok(Vec::new())),
        FileTask::Pack => {
            let file = package::file_of(turn, &zone, text, used);
            let operation = FileOperation::Write(vec![file]);
            let asked = work.asker.map_or(Ok(()), |asker| request(turn, asker, FileKind::Package, operation));
            return Some(asked.map(|()| Vec::new()).map_err(Failed::from));
        }
        FileTask::Preview(key) => {
            let draft = row(turn, key).draft?;
            let is_outdated = work.since != draft.since;
            work.lines = preview::publishing(turn, key, &draft, &lines, has_board, is_outdated);
            let how = ". The rooms are too many for undo; an export keeps what is there now.";
            work.lines.extend(draft::how_to_publish(&mistakes, how));
        }
        _ if lines.is_empty() => work.lines.push(same(&zone)),
        _ => work.lines.extend(shown(&lines)),
    }
    work.areas.remove(&zone);
    None
}

/// Tells that a zone and its file do not differ.
pub(in crate::building::zones) fn same(zone: &str) -> String {
    format!("The zone {zone} and its file say the same.")
}

//! Text of zone files: parsed, compared, or written, all of it in parts if the file is large.

use crate::building::zones::import::{former, visit, write};
use crate::building::zones::outcome::{Failed, require_right, write_file};
use crate::building::zones::text;
use crate::effect::files::FilePurpose;
use crate::refusal::Refusal;
use crate::state::file_work::visit::{VisitStage, ZoneVisit};
use crate::state::file_work::writing::ZoneText;
use crate::state::file_work::{FileTask, FileWork, ZoneReading};
use crate::turn::Turn;
use deepwell_core::base::Digest;
use deepwell_core::catalog::Area;
use deepwell_core::catalog::area::{parts, zone_file};
use std::fmt::Write as _;
use std::sync::Arc;

/// Size in bytes of the part of a large file that is parsed at a time.
const PART_BYTES: usize = 8_192;

/// Writes some rooms of a zone. The whole text is the file of an export, or is read as that of the target.
pub(in crate::building::zones) fn write_part(
    turn: &mut Turn,
    work: &mut FileWork,
) -> Option<Result<Vec<String>, Failed>> {
    let mut writing = work.writing.take()?;
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    while turn.world.work() < end {
        if write::go_one_step(turn, &mut writing) {
            if let Some(run) = &mut work.run {
                run.digests.insert(writing.zone, writing.state.to_string());
                return None;
            }
            if work.check.is_some() {
                return former::note_written(turn, work, writing).err().map(Err);
            }
            let ZoneText { zone, target, text, digest, .. } = writing;
            match &work.task {
                FileTask::Pack => {
                    work.visit = Some(ZoneVisit { text, ..ZoneVisit::new(&zone, VisitStage::Used) });
                    return None;
                }
                FileTask::Preview(key) if *key != zone => {
                    work.since = digest.to_string();
                    work.writing = Some(ZoneText::new(key, &zone));
                    return None;
                }
                _ => {}
            }
            if let (FileTask::Export, Some(asker)) = (&work.task, work.asker) {
                let asked = write_file(turn, asker, target, text, digest);
                return Some(asked.map(|()| Vec::new()).map_err(Failed::from));
            }
            if !matches!(work.task, FileTask::Preview(_)) {
                work.since = digest.to_string();
            }
            work.texts.insert(target, text.into());
            return None;
        }
    }
    work.writing = Some(writing);
    None
}

/// Begins to parse a file: a large one in parts.
pub(in crate::building::zones) fn begin_to_read(
    turn: &mut Turn,
    work: &mut FileWork,
    zone: String,
    text: Arc<str>,
) {
    if work.is_large && text.len() > PART_BYTES {
        let (found, digest) = (work.found.len(), Digest::default());
        work.reading = Some(ZoneReading { zone, text, begin: 0, above: 0, area: None, found, digest });
        return;
    }
    let area = text::parse(turn, &zone, &text, &mut work.found);
    note_read(turn, work, zone, area);
}

/// Parses parts of a large file. If one is no file itself, the file is parsed as a whole.
pub(in crate::building::zones) fn read_part(turn: &mut Turn, work: &mut FileWork) {
    let Some(mut reading) = work.reading.take() else { return };
    let end = turn.world.work().saturating_add(turn.config.limits.slice_work.into());
    while turn.world.work() < end {
        let text = Arc::clone(&reading.text);
        let part = reading.begin..parts::end_of_part(&text, reading.begin, PART_BYTES);
        let Some(area) = text::parse_part(turn, &reading, part.clone(), &mut work.found) else {
            work.found.truncate(reading.found);
            let area = text::parse(turn, &reading.zone, &text, &mut work.found);
            return note_read(turn, work, reading.zone, area);
        };
        match &mut reading.area {
            Some(before) => before.extend(area),
            None => reading.area = Some(area),
        }
        let lines = text[part.clone()].matches('\n').count();
        reading.above = reading.above.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        _ = reading.digest.write_str(&text[part.clone()]);
        reading.begin = part.end;
        if part.end >= text.len() {
            work.digests.insert(reading.zone.clone(), reading.digest);
            return note_read(turn, work, reading.zone, reading.area);
        }
    }
    work.reading = Some(reading);
}

/// Takes the parsed file over and, to compare it, lists its differences.
fn note_read(turn: &Turn, work: &mut FileWork, zone: String, area: Option<Area>) {
    let Some(mut area) = area else { return };
    if work.purpose == FilePurpose::Compare {
        if work.is_large {
            work.visit = Some(ZoneVisit::new(&zone, VisitStage::Keys));
            work.areas.insert(zone.clone(), Area { key: zone, ..area });
        } else if require_right_of(turn, work, &zone).is_ok() {
            work.lines.extend(compare(turn, &zone, &area));
        }
        return;
    }
    text::localise(turn, &zone, &mut area);
    work.areas.insert(zone, area);
}

/// Refuses if the asker has no right to the zone, or has left.
pub(in crate::building::zones) fn require_right_of(
    turn: &Turn,
    work: &FileWork,
    zone: &str,
) -> Result<(), Refusal> {
    work.asker.map_or(Ok(()), |asker| require_right(turn, asker, zone))
}

fn compare(turn: &Turn, zone: &str, file: &Area) -> Vec<String> {
    let differences = zone_file::differences(&text::area(turn, zone), file, "file");
    if differences.is_empty() { vec![visit::same(zone)] } else { differences }
}

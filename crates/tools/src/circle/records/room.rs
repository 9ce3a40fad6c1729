//! Room records of a `.wld` file.

use crate::circle::place::FileLine;
use crate::circle::records::flags::Flags;
use crate::circle::records::lines::{Malformed, Record, trigger_of};
use crate::circle::report::{ImportReport, NoteKind};

/// Directions by number, each with the number of the opposite direction.
pub(in crate::circle) const DIRECTIONS: [(&str, usize); 10] = [
    ("north", 2),
    ("east", 3),
    ("south", 0),
    ("west", 1),
    ("up", 5),
    ("down", 4),
    ("northwest", 8),
    ("northeast", 9),
    ("southeast", 6),
    ("southwest", 7),
];

/// A room record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct RoomRecord {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) name: String,
    pub(in crate::circle) description: String,
    pub(in crate::circle) flags: Flags,
    pub(in crate::circle) sector: i64,
    pub(in crate::circle) exits: Vec<ExitRecord>,
    pub(in crate::circle) extras: Vec<ExtraDescription>,
    /// Scripts, by number.
    pub(in crate::circle) triggers: Vec<i64>,
}

/// An exit of a room.
#[derive(Clone, Debug)]
pub(in crate::circle) struct ExitRecord {
    pub(in crate::circle) place: FileLine,
    /// Index into [`DIRECTIONS`].
    pub(in crate::circle) direction: usize,
    pub(in crate::circle) description: String,
    pub(in crate::circle) keywords: String,
    /// 0 no door; 1 door; 2 door that cannot be picked; 3 and 4 the same as 1 and 2, but hidden.
    pub(in crate::circle) door: i64,
    pub(in crate::circle) key: i64,
    pub(in crate::circle) to: i64,
}

/// Text for a closer look at a detail.
#[derive(Clone, Debug)]
pub(in crate::circle) struct ExtraDescription {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) keywords: String,
    pub(in crate::circle) text: String,
}

/// Reads the lines after the letter `E`.
pub(in crate::circle) fn extra(
    lines: &mut crate::circle::records::lines::RecordLines<'_>,
) -> Result<ExtraDescription, Malformed> {
    let place = lines.place();
    Ok(ExtraDescription {
        place,
        keywords: lines.read_text("the words of a detail")?,
        text: lines.read_text("the text of a detail")?,
    })
}

/// Reads a room record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    report: &mut ImportReport,
) -> Result<RoomRecord, Malformed> {
    let Record { number, place, lines } = record;
    let whose = format!("room {number}");
    let (name, description) = (lines.read_text("the name")?, lines.read_text("the description")?);
    let line = lines.read_line("zone, flags and sector")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let (flags, sector) = match *words.as_slice() {
        [_, flags, sector] => (Flags::read(&[flags]), sector),
        [_, one, two, three, four, sector, ..] => (Flags::read(&[one, two, three, four]), sector),
        _ => return Err(lines.malformed("zone, flags and sector were expected")),
    };
    let (Some(flags), Ok(sector)) = (flags, sector.parse()) else {
        return Err(lines.malformed("flags and a sector were expected"));
    };
    let mut room = RoomRecord {
        place: place.clone(),
        name,
        description,
        flags,
        sector,
        exits: Vec::new(),
        extras: Vec::new(),
        triggers: Vec::new(),
    };
    loop {
        let line = lines.read_line("the S at its end")?;
        match line.split_at_checked(1).unwrap_or_default() {
            ("D", digits) => {
                let exit = exit(digits, lines)?;
                if exit.direction >= DIRECTIONS.len() {
                    report.note(
                        NoteKind::Mistake,
                        &exit.place,
                        &whose,
                        &format!("direction {digits} is none; left out"),
                    );
                } else if room.exits.iter().any(|other| other.direction == exit.direction) {
                    report.note(
                        NoteKind::Mistake,
                        &exit.place,
                        &whose,
                        &format!("a second D{digits}; left out"),
                    );
                } else {
                    room.exits.push(exit);
                }
            }
            ("E", "") => room.extras.push(extra(lines)?),
            // Some servers write the scripts before the end of the record.
            ("T", _) if trigger_of(line).is_some() => room.triggers.extend(trigger_of(line)),
            ("S", "") => break,
            _ => return Err(lines.malformed("D, E or S was expected")),
        }
    }
    room.triggers.extend(lines.read_triggers());
    Ok(room)
}

fn exit(
    digits: &str,
    lines: &mut crate::circle::records::lines::RecordLines<'_>,
) -> Result<ExitRecord, Malformed> {
    let place = lines.place();
    let direction =
        digits.trim().parse().map_err(|_| lines.malformed("the number of a direction was expected"))?;
    let description = lines.read_text("what is seen in a direction")?;
    let keywords = lines.read_text("the keywords of a door")?;
    let wanted = "door, key and room of an exit";
    match *lines.read_numbers(3, wanted)?.as_slice() {
        [door, key, to, ..] => Ok(ExitRecord { place, direction, description, keywords, door, key, to }),
        _ => Err(lines.malformed(wanted)),
    }
}

//! Zone records of a `.zon` file: reset interval and reset commands.

use crate::circle::place::FileLine;
use crate::circle::records::lines::{Malformed, Record, RecordLines, numbers};
use crate::circle::report::{ImportReport, NoteKind};

/// A zone record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct ZoneRecord {
    pub(in crate::circle) place: FileLine,
    /// Minutes between resets.
    pub(in crate::circle) lifespan: i64,
    /// Reset mode: 0 never, 1 when no player is in the zone, 2 always.
    pub(in crate::circle) mode: i64,
    pub(in crate::circle) commands: Vec<ResetCommand>,
}

/// A reset command.
#[derive(Clone, Debug)]
pub(in crate::circle) struct ResetCommand {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) letter: char,
    /// Arguments after the if-flag; 0 if unused.
    pub(in crate::circle) numbers: [i64; 3],
}

/// Command letters, each with its number of arguments after the if-flag.
const COMMANDS: [(char, usize); 9] =
    [('M', 3), ('O', 3), ('G', 2), ('E', 3), ('P', 3), ('D', 3), ('R', 2), ('T', 2), ('V', 3)];

/// Reads a zone record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    report: &mut ImportReport,
) -> Result<ZoneRecord, Malformed> {
    let Record { number, place, lines } = record;
    let (lifespan, mode) = header(lines)?;
    let mut commands = Vec::new();
    let whose = format!("zone {number}");
    loop {
        let Some(line) = lines.next_line() else {
            report.note(
                NoteKind::Mistake,
                &lines.place(),
                &whose,
                "the S at its end is missing; all commands were read",
            );
            break;
        };
        let letter = line.chars().next().unwrap_or(' ');
        if letter == 'S' {
            break;
        }
        let place = lines.place();
        let behind = numbers(line.get(letter.len_utf8()..).unwrap_or_default());
        match COMMANDS.iter().find(|(known, _)| *known == letter) {
            None => {
                report.note(NoteKind::Mistake, &place, &whose, &format!("{letter} is no command; left out"));
            }
            Some((_, wanted)) if behind.len() <= *wanted => {
                let mistake = format!("{letter} needs {} numbers; left out", wanted + 1);
                report.note(NoteKind::Mistake, &place, &whose, &mistake);
            }
            Some(_) => {
                let number = |at: usize| behind.get(at).copied().unwrap_or_default();
                commands.push(ResetCommand { place, letter, numbers: [number(1), number(2), number(3)] });
            }
        }
    }
    Ok(ZoneRecord { place: place.clone(), lifespan, mode, commands })
}

/// Reads the lines above the commands: builders and name, or only the name, then numbers, of which old files have
/// three.
fn header(lines: &mut RecordLines<'_>) -> Result<(i64, i64), Malformed> {
    for _ in 0..3 {
        let line = lines.read_line("lifespan and mode")?;
        if line.contains('~') {
            continue;
        }
        match *numbers(line).as_slice() {
            [_, lifespan, mode] | [_, _, lifespan, mode, ..] => return Ok((lifespan, mode)),
            _ => {}
        }
    }
    Err(lines.malformed("first and last room, lifespan and mode were expected"))
}

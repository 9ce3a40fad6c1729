//! Item records of an `.obj` file.

use crate::circle::place::FileLine;
use crate::circle::records::flags::Flags;
use crate::circle::records::lines::{Malformed, Record, trigger_of};
use crate::circle::records::room::{ExtraDescription, extra};
use crate::circle::report::ImportReport;

/// An item record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct ObjectRecord {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) keywords: String,
    pub(in crate::circle) short: String,
    pub(in crate::circle) long: String,
    /// Text of a note, or message shown when the item is used.
    pub(in crate::circle) action: String,
    pub(in crate::circle) kind: i64,
    pub(in crate::circle) flags: Flags,
    pub(in crate::circle) worn: Flags,
    pub(in crate::circle) affections: Flags,
    pub(in crate::circle) values: [i64; 4],
    pub(in crate::circle) weight: i64,
    pub(in crate::circle) cost: i64,
    /// Minimum level.
    pub(in crate::circle) level: i64,
    pub(in crate::circle) extras: Vec<ExtraDescription>,
    /// Modifiers of the wearer: place in the file, kind and amount.
    pub(in crate::circle) applies: Vec<(FileLine, i64, i64)>,
    /// Scripts, by number.
    pub(in crate::circle) triggers: Vec<i64>,
}

/// Reads an item record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    _: &mut ImportReport,
) -> Result<ObjectRecord, Malformed> {
    let Record { place, lines, .. } = record;
    let (keywords, short) = (lines.read_text("the keywords")?, lines.read_text("the short description")?);
    let (long, action) =
        (lines.read_text("the long description")?, lines.read_text("the action description")?);
    let line = lines.read_line("type and flags")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let (kind, flags, worn, affections) = match *words.as_slice() {
        [kind, ref flags @ ..] if flags.len() >= 12 => {
            let four = |from: usize| flags.get(from..from + 4).and_then(Flags::read);
            (kind, four(0), four(4), four(8))
        }
        [kind, flags, worn] => (kind, Flags::read(&[flags]), Flags::read(&[worn]), Some(Flags::default())),
        [kind, flags, worn, affections] => (
            kind,
            Flags::read(&[flags]),
            Flags::read(&[worn]),
            Flags::read(&[affections]).map(Flags::shifted),
        ),
        _ => return Err(lines.malformed("a type and flags were expected")),
    };
    let (Ok(kind), Some(flags), Some(worn), Some(affections)) = (kind.parse(), flags, worn, affections)
    else {
        return Err(lines.malformed("a type and flags were expected"));
    };
    let values = lines.read_numbers(4, "four values")?.first_chunk().copied().unwrap_or_default();
    let ends = lines.read_numbers(3, "weight, cost and rent")?;
    let end = |at: usize| ends.get(at).copied().unwrap_or_default();
    let (weight, cost, level) = (end(0), end(1), end(3));
    let mut object = ObjectRecord {
        place: place.clone(),
        keywords,
        short,
        long,
        action,
        kind,
        flags,
        worn,
        affections,
        values,
        weight,
        cost,
        level,
        extras: Vec::new(),
        applies: Vec::new(),
        triggers: Vec::new(),
    };
    while let Some(line) = lines.next_line() {
        match line.chars().next() {
            Some('E') => object.extras.push(extra(lines)?),
            Some('A') => match *lines.read_numbers(2, "a place and a number")?.as_slice() {
                [what, by, ..] => object.applies.push((lines.place(), what, by)),
                _ => return Err(lines.malformed("a place and a number were expected")),
            },
            Some('T') if trigger_of(line).is_some() => object.triggers.extend(trigger_of(line)),
            Some('#') => {
                lines.put_back();
                break;
            }
            _ => return Err(lines.malformed("E, A, T or the next record was expected")),
        }
    }
    Ok(object)
}

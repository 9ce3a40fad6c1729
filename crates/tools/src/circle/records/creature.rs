//! Creature records of a `.mob` file, simple and enhanced.

use crate::circle::place::FileLine;
use crate::circle::records::flags::Flags;
use crate::circle::records::lines::{Malformed, Record, RecordLines, trigger_of};
use crate::circle::report::{ImportReport, NoteKind};

/// A creature record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct CreatureRecord {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) keywords: String,
    pub(in crate::circle) short: String,
    pub(in crate::circle) long: String,
    pub(in crate::circle) description: String,
    pub(in crate::circle) flags: Flags,
    pub(in crate::circle) affections: Flags,
    pub(in crate::circle) alignment: i64,
    /// Level, chance to hit and armour class.
    pub(in crate::circle) numbers: [i64; 3],
    pub(in crate::circle) hit_points: DiceRoll,
    pub(in crate::circle) damage: DiceRoll,
    pub(in crate::circle) gold: i64,
    /// Default posture and sex.
    pub(in crate::circle) posture: i64,
    pub(in crate::circle) sex: i64,
    /// Fields after the numbers of an enhanced record: place, keyword and value.
    pub(in crate::circle) more: Vec<(FileLine, String, i64)>,
    /// Scripts, by number.
    pub(in crate::circle) triggers: Vec<i64>,
}

/// A dice roll such as `3d8+10`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::circle) struct DiceRoll {
    pub(in crate::circle) number: i64,
    pub(in crate::circle) sides: i64,
    pub(in crate::circle) more: i64,
}

impl DiceRoll {
    fn read(word: &str) -> Option<Self> {
        let (number, rest) = word.split_once(['d', 'D'])?;
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let (sides, more) = rest.split_at_checked(end)?;
        let more = if more.is_empty() { Some(0) } else { more.parse().ok() };
        Some(Self { number: number.parse().ok()?, sides: sides.parse().ok()?, more: more? })
    }

    /// Returns the average, never below 0.
    pub(in crate::circle) fn average(self) -> i64 {
        let Self { number, sides, more } = self;
        let thrown = number.max(0).saturating_mul(sides.max(0).saturating_add(1)) / 2;
        let thrown = if sides > 0 { thrown } else { 0 };
        thrown.saturating_add(more).clamp(0, i64::from(u32::MAX))
    }
}

/// Reads a creature record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    report: &mut ImportReport,
) -> Result<CreatureRecord, Malformed> {
    let Record { number, place, lines } = record;
    let (keywords, short) = (lines.read_text("the keywords")?, lines.read_text("the short description")?);
    let (long, description) = (lines.read_text("the long description")?, lines.read_text("the description")?);
    let line = lines.read_line("flags, alignment and type")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let four = |from: usize| words.get(from..from + 4).and_then(Flags::read);
    let (flags, affections, alignment, kind) = match words.len() {
        4 => (Flags::read(&[word(0)]), Flags::read(&[word(1)]).map(Flags::shifted), word(2), word(3)),
        10.. => (four(0), four(4), word(8), word(9)),
        _ => return Err(lines.malformed("flags, affections, alignment and type were expected")),
    };
    let (Some(flags), Some(affections), Ok(alignment)) = (flags, affections, alignment.parse()) else {
        return Err(lines.malformed("flags, affections and an alignment were expected"));
    };
    let is_enhanced = match kind.chars().next() {
        Some('S' | 's') => false,
        Some('E' | 'e') => true,
        _ => return Err(lines.malformed(format!("type {kind} is none of S and E"))),
    };
    let (numbers, hit_points, damage) = fighting(lines)?;
    let gold = lines.read_numbers(2, "gold and experience")?.first().copied().unwrap_or_default();
    let ends = lines.read_numbers(3, "two postures and a sex")?;
    let (posture, sex) = match *ends.as_slice() {
        [_, posture, sex, ..] => (posture, sex),
        _ => (8, 0),
    };
    let (more, mut triggers) =
        if is_enhanced { enhancements(lines, report, *number)? } else { (Vec::new(), Vec::new()) };
    triggers.extend(lines.read_triggers());
    Ok(CreatureRecord {
        place: place.clone(),
        keywords,
        short,
        long,
        description,
        flags,
        affections,
        alignment,
        numbers,
        hit_points,
        damage,
        gold,
        posture,
        sex,
        more,
        triggers,
    })
}

fn fighting(lines: &mut RecordLines<'_>) -> Result<([i64; 3], DiceRoll, DiceRoll), Malformed> {
    let wanted = "level, chance to hit, armour class, hit points and damage";
    let line = lines.read_line(wanted)?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let read = match *words.as_slice() {
        [one, two, three, hit_points, damage, ..] => {
            let numbers = [one, two, three].map(|word| word.parse().ok());
            match numbers {
                [Some(one), Some(two), Some(three)] => DiceRoll::read(hit_points)
                    .zip(DiceRoll::read(damage))
                    .map(|(hp, dealt)| ([one, two, three], hp, dealt)),
                _ => None,
            }
        }
        _ => None,
    };
    read.ok_or_else(|| lines.malformed(format!("{wanted} were expected, as `5 15 4 3d8+40 1d6+2`")))
}

/// Fields with their places, and numbers of scripts.
type Enhancements = (Vec<(FileLine, String, i64)>, Vec<i64>);

/// Reads the lines up to a lone `E`: fields, and the numbers of scripts, which some servers write there.
fn enhancements(
    lines: &mut RecordLines<'_>,
    report: &mut ImportReport,
    number: i64,
) -> Result<Enhancements, Malformed> {
    let (mut found, mut triggers) = (Vec::new(), Vec::new());
    loop {
        let line = lines.read_line("the E at its end")?;
        if line == "E" {
            return Ok((found, triggers));
        }
        if let Some(number) = trigger_of(line) {
            triggers.push(number);
            continue;
        }
        let read =
            line.split_once(':').and_then(|(word, value)| Some((word.trim(), value.trim().parse().ok()?)));
        match read {
            Some((word, value)) => found.push((lines.place(), word.to_owned(), value)),
            None => report.note(
                NoteKind::Mistake,
                &lines.place(),
                &format!("creature {number}"),
                "left out: `WORD: NUMBER` was expected",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_read_in_all_their_forms() {
        let average = |word: &str| DiceRoll::read(word).map(DiceRoll::average);
        assert_eq!(average("3d8+10"), Some(23));
        assert_eq!(average("0d0+100"), Some(100));
        assert_eq!((average("2d4-2"), average("1D6"), average("1d1-9")), (Some(3), Some(3), Some(0)));
        assert_eq!(average("9223372036854775807d9223372036854775807+1"), Some(4_294_967_295));
        for text in ["", "d", "3d", "3d8+", "8", "xdy+z", "99999999999999999999d1+1"] {
            assert_eq!(average(text), None, "{text}");
        }
    }
}

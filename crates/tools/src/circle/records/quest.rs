//! Quest records of a `.qst` file.

use crate::circle::place::FileLine;
use crate::circle::records::flags::Flags;
use crate::circle::records::lines::{Malformed, Record};
use crate::circle::report::ImportReport;

/// A quest record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct QuestRecord {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) name: String,
    pub(in crate::circle) description: String,
    /// Text when it begins, when it is done, and when the player gives it up.
    pub(in crate::circle) info: String,
    pub(in crate::circle) done: String,
    pub(in crate::circle) quit: String,
    /// Kind of the goal: 0 find an item, 1 a room, 2 a creature; 3 kill or 4 save one; 5 return an item; 6 clear a room.
    pub(in crate::circle) kind: i64,
    /// Creature that gives it out.
    pub(in crate::circle) master: i64,
    pub(in crate::circle) flags: Flags,
    pub(in crate::circle) target: i64,
    /// Quests before and behind it.
    pub(in crate::circle) before: i64,
    pub(in crate::circle) next: i64,
    /// Item that the player has to carry.
    pub(in crate::circle) needs: i64,
    pub(in crate::circle) points: i64,
    pub(in crate::circle) penalty: i64,
    pub(in crate::circle) levels: (i64, i64),
    /// Time in hours of that server, or -1.
    pub(in crate::circle) time: i64,
    /// Creature that gets the item.
    pub(in crate::circle) taker: i64,
    pub(in crate::circle) quantity: i64,
    pub(in crate::circle) gold: i64,
    pub(in crate::circle) experience: i64,
    pub(in crate::circle) reward: i64,
}

/// Numbers of the two lines before the reward.
const NUMBERS: usize = 7;

/// Reads a quest record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    _: &mut ImportReport,
) -> Result<QuestRecord, Malformed> {
    let Record { place, lines, .. } = record;
    let (name, description) = (lines.read_text("the name")?, lines.read_text("the description")?);
    let (info, done, quit) = (
        lines.read_text("the text at its beginning")?,
        lines.read_text("the text at its end")?,
        lines.read_text("the text of giving it up")?,
    );
    let wanted = "kind, master, flags, target, two quests and an item";
    let line = lines.read_line(wanted)?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<i64>().ok());
    let flags = words.get(2).and_then(|word| Flags::read(&[word]));
    let (Some(kind), Some(master), Some(flags), Some(target), Some(before), Some(next), Some(needs)) =
        (number(0), number(1), flags, number(3), number(4), number(5), number(6))
    else {
        return Err(lines.malformed(format!("{wanted} were expected")));
    };
    let values = lines.read_numbers(NUMBERS, "seven values")?;
    let rewards = lines.read_numbers(3, "gold, experience and an item")?;
    let value = |at: usize| values.get(at).copied().unwrap_or_default();
    let reward = |at: usize| rewards.get(at).copied().unwrap_or_default();
    lines.read_line("the S at its end")?;
    Ok(QuestRecord {
        place: place.clone(),
        name,
        description,
        info,
        done,
        quit,
        kind,
        master,
        flags,
        target,
        before,
        next,
        needs,
        points: value(0),
        penalty: value(1),
        levels: (value(2), value(3)),
        time: value(4),
        taker: value(5),
        quantity: value(6),
        gold: reward(0),
        experience: reward(1),
        reward: reward(2),
    })
}

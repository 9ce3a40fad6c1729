//! Trigger records of a `.trg` file: the event of a script, and its commands.

use crate::circle::place::FileLine;
use crate::circle::records::flags::Flags;
use crate::circle::records::lines::{Malformed, Record};
use crate::circle::report::ImportReport;

/// A trigger record.
#[derive(Clone, Debug)]
pub(in crate::circle) struct TriggerRecord {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) name: String,
    /// Kind of its owner: 0 creature, 1 item, 2 room.
    pub(in crate::circle) attach: i64,
    /// Events, by position.
    pub(in crate::circle) events: Flags,
    /// Numeric argument, such as a chance in percent.
    pub(in crate::circle) number: i64,
    /// Argument of the event, such as words or a command.
    pub(in crate::circle) argument: String,
    pub(in crate::circle) commands: Vec<TriggerCommand>,
}

/// A line of a script.
#[derive(Clone, Debug)]
pub(in crate::circle) struct TriggerCommand {
    pub(in crate::circle) place: FileLine,
    pub(in crate::circle) words: String,
}

/// Reads a trigger record.
pub(in crate::circle) fn read(
    record: &mut Record<'_>,
    _: &mut ImportReport,
) -> Result<TriggerRecord, Malformed> {
    let Record { place, lines, .. } = record;
    let name = lines.read_text("the name")?;
    let line = lines.read_line("the owner, the events and a number")?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let (Some(attach), Some(events)) = (
        words.first().and_then(|word| word.parse().ok()),
        words.get(1).and_then(|word| Flags::read(&[word])),
    ) else {
        return Err(lines.malformed("the owner, the events and a number were expected"));
    };
    let number = words.get(2).and_then(|word| word.parse().ok()).unwrap_or_default();
    let argument = lines.read_text("the argument")?;
    let begin = lines.place();
    let script = lines.read_text("the commands")?;
    let commands = (1..).zip(script.lines()).map(|(line, text): (u32, &str)| TriggerCommand {
        place: FileLine { line: begin.line.saturating_add(line), ..begin.clone() },
        words: text.trim().to_owned(),
    });
    let commands =
        commands.filter(|command| !command.words.is_empty() && !command.words.starts_with('*')).collect();
    Ok(TriggerRecord { place: place.clone(), name, attach, events, number, argument, commands })
}

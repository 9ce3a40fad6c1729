//! Fields of definitions that refer to other content, by kind of definition. A path leads through lists and tables:
//! `steps.kill` is the field `kill` of each step.

use crate::catalog::DefinitionKind;
use crate::data::Value;

/// Form of a reference in a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::catalog) enum Reference {
    /// Key of a definition.
    Key(DefinitionKind),
    /// Key of a creature that gets an item, or a room by `ZONE/KEY` to which a creature is brought.
    Recipient,
    /// Key of a captive, or the word for any.
    Captive,
    /// Room by `ZONE/KEY`.
    Room,
    /// Part of a schedule.
    Appointment,
    /// Event of a creature.
    Event,
    /// Condition.
    Condition,
    /// Line of a script.
    Line,
    /// Text for players, in which slots name variables.
    Slots,
    /// Title of a help page.
    Title,
    /// Alias of a help page.
    Alias,
}

use DefinitionKind as Kind;
use Reference::{Alias, Appointment, Captive, Condition, Event, Key, Line, Recipient, Room, Slots, Title};

const CREATURE: &[(&str, Reference)] = &[
    ("inherits", Key(Kind::Creature)),
    ("dialogue", Key(Kind::Dialogue)),
    ("on_tick", Line),
    ("triggers.on", Event),
    ("triggers.lines", Line),
    ("patrol", Room),
    ("schedule", Appointment),
];

const THING: &[(&str, Reference)] = &[
    ("opens_with", Key(Kind::Thing)),
    ("filled_with", Key(Kind::Thing)),
    ("fuel", Key(Kind::Thing)),
    ("triggers.lines", Line),
];

const THEME: &[(&str, Reference)] = &[
    ("inherits", Key(Kind::Theme)),
    ("creatures", Key(Kind::Creature)),
    ("treasure", Key(Kind::Thing)),
    ("captives.mob", Key(Kind::Creature)),
    ("inhabitants.creatures.mob", Key(Kind::Creature)),
    ("landmarks.on_enter", Line),
];

const DIALOGUE: &[(&str, Reference)] = &[
    ("nodes.text", Slots),
    ("nodes.lines", Line),
    ("nodes.choices.text", Slots),
    ("nodes.choices.only_if", Condition),
    ("nodes.choices.lines", Line),
    ("starts.only_if", Condition),
];

const QUEST: &[(&str, Reference)] = &[
    ("only_if", Condition),
    ("items", Key(Kind::Thing)),
    ("lines", Line),
    ("steps.kill", Key(Kind::Creature)),
    ("steps.reach", Room),
    ("steps.fetch", Key(Kind::Thing)),
    ("steps.talk", Key(Kind::Dialogue)),
    ("steps.use", Key(Kind::Thing)),
    ("steps.rescue", Captive),
    ("steps.give", Key(Kind::Thing)),
    ("steps.escort", Key(Kind::Creature)),
    ("steps.to", Recipient),
    ("steps.condition", Condition),
    ("steps.lines", Line),
];

const HELP: &[(&str, Reference)] = &[("title", Title), ("aliases", Alias), ("see", Key(Kind::Help))];

const fn fields(kind: Kind) -> &'static [(&'static str, Reference)] {
    match kind {
        Kind::Creature => CREATURE,
        Kind::Thing => THING,
        Kind::Theme => THEME,
        Kind::Dialogue => DIALOGUE,
        Kind::Quest => QUEST,
        Kind::Help => HELP,
        // The references of a script are in its source.
        Kind::Script => &[],
    }
}

/// Calls a function for each text in the field of a definition that holds a reference.
pub(in crate::catalog) fn each(
    kind: Kind,
    field: &str,
    value: &mut Value,
    visit: &mut impl FnMut(Reference, &mut String),
) {
    for (path, of) in fields(kind) {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        if first == field {
            descend(value, rest, &mut |text| visit(*of, text));
        }
    }
}

fn descend(value: &mut Value, path: &str, visit: &mut dyn FnMut(&mut String)) {
    match value {
        Value::List(values) => values.iter_mut().for_each(|value| descend(value, path, visit)),
        Value::Table(table) => {
            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
            if let Some(value) = table.get_mut(first) {
                descend(value, rest, visit);
            }
        }
        Value::Text(text) if path.is_empty() => visit(text),
        Value::Text(_) | Value::Number(_) | Value::Truth(_) => {}
    }
}

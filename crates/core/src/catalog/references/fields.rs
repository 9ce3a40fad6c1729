//! Fields of definitions that refer to other content, by kind of definition. A path leads through lists and tables:
//! `steps.kill` is the field `kill` of each step.

use crate::catalog::DefinitionKind;
use crate::data::FileValue;

/// Form of a reference in a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::catalog) enum FieldReference {
    /// Key of a definition.
    Key(DefinitionKind),
    /// Key of a creature that gets an item, or a room by `ZONE/KEY` to which a creature or an item is brought.
    Recipient,
    /// Key of a creature, or the word for any.
    CreatureOrAny,
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
use FieldReference::{
    Alias, Appointment, Condition, CreatureOrAny, Event, Key, Line, Recipient, Room, Slots, Title,
};

const CREATURE: &[(&str, FieldReference)] = &[
    ("inherits", Key(Kind::Creature)),
    ("dialogue", Key(Kind::Dialogue)),
    ("on_tick", Line),
    ("triggers.on", Event),
    ("triggers.lines", Line),
    ("patrol", Room),
    ("schedule", Appointment),
];

const THING: &[(&str, FieldReference)] = &[
    ("opens_with", Key(Kind::Item)),
    ("filled_with", Key(Kind::Item)),
    ("fuel", Key(Kind::Item)),
    ("triggers.lines", Line),
];

const THEME: &[(&str, FieldReference)] = &[
    ("inherits", Key(Kind::Theme)),
    ("creatures", Key(Kind::Creature)),
    ("treasure", Key(Kind::Item)),
    ("captives.mob", Key(Kind::Creature)),
    ("inhabitants.creatures.mob", Key(Kind::Creature)),
    ("landmarks.on_enter", Line),
];

const DIALOGUE: &[(&str, FieldReference)] = &[
    ("nodes.text", Slots),
    ("nodes.lines", Line),
    ("nodes.choices.text", Slots),
    ("nodes.choices.only_if", Condition),
    ("nodes.choices.lines", Line),
    ("starts.only_if", Condition),
];

const QUEST: &[(&str, FieldReference)] = &[
    ("only_if", Condition),
    ("items", Key(Kind::Item)),
    ("lines", Line),
    ("steps.kill", CreatureOrAny),
    ("steps.reach", Room),
    ("steps.fetch", Key(Kind::Item)),
    ("steps.talk", Key(Kind::Dialogue)),
    ("steps.use", Key(Kind::Item)),
    ("steps.rescue", CreatureOrAny),
    ("steps.give", Key(Kind::Item)),
    ("steps.carry", Key(Kind::Item)),
    ("steps.bring", Key(Kind::Item)),
    ("steps.escort", Key(Kind::Creature)),
    ("steps.to", Recipient),
    ("steps.condition", Condition),
    ("steps.lines", Line),
];

const HELP: &[(&str, FieldReference)] = &[("title", Title), ("aliases", Alias), ("see", Key(Kind::Help))];

const fn fields(kind: Kind) -> &'static [(&'static str, FieldReference)] {
    match kind {
        Kind::Creature => CREATURE,
        Kind::Item => THING,
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
    value: &mut FileValue,
    visit: &mut impl FnMut(FieldReference, &mut String),
) {
    for (path, of) in fields(kind) {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        if first == field {
            descend(value, rest, &mut |text| visit(*of, text));
        }
    }
}

fn descend(value: &mut FileValue, path: &str, visit: &mut dyn FnMut(&mut String)) {
    match value {
        FileValue::List(values) => values.iter_mut().for_each(|value| descend(value, path, visit)),
        FileValue::Table(table) => {
            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
            if let Some(value) = table.get_mut(first) {
                descend(value, rest, visit);
            }
        }
        FileValue::Text(text) if path.is_empty() => visit(text),
        FileValue::Text(_) | FileValue::Number(_) | FileValue::Truth(_) => {}
    }
}

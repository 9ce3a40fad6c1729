//! Settings of start rooms, and of the branches that start exits open, as typed by builders.

use crate::access::draft_names;
use crate::branch::expiry;
use crate::command::build::room::setting_table::{self, RoomSetting};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{
    DefinitionKind, StartSetting, StartSettings, StartText, StartValue, StartValues,
};
use deepwell_core::text::{grammar, sanitise};
use std::ops::RangeInclusive;

/// Changes one of the settings of a start room, or a setting of all its exits.
pub(crate) fn change_room(
    turn: &mut Turn,
    room: RoomId,
    mut settings: StartSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    match StartText::named(setting) {
        Some(text) if value == "default" => _ = settings.texts.remove(&text),
        Some(text) => {
            let sentence = sanitise::clean_line(value, StartText::MOST_CHARS);
            settings.texts.insert(text, sentence);
        }
        None => change(turn, room, &mut settings, setting, value)?,
    }
    expiry::set_start_settings(turn, room, settings);
    Ok(())
}

/// Changes a setting of a start exit.
pub(crate) fn change_exit(turn: &mut Turn, exit: ExitId, setting: &str, value: &str) -> Result<(), Refusal> {
    let row = &turn.world.exits[exit];
    let mut settings = row.start_settings();
    change(turn, row.room, &mut settings, setting, value)?;
    expiry::set_exit_settings(turn, exit, &settings);
    Ok(())
}

/// Changes a setting of start exits, as typed by a builder.
fn change(
    turn: &Turn,
    room: RoomId,
    settings: &mut StartSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    let Some(row) = StartSetting::all().iter().find(|row| row.name == setting) else {
        let names = |rows: Vec<RoomSetting>| grammar::list(rows.iter().map(|row| row.name));
        return Err(refuse!(
            "There is no setting \"{setting}\"; there are {}, and of the room {}.",
            names(setting_table::branch().collect()),
            names(setting_table::start_texts().collect())
        ));
    };
    let value = if value == "default" { None } else { Some(read(turn, room, row, value)?) };
    row.set(settings, value);
    Ok(())
}

/// Reads a value as typed by a builder.
fn read(turn: &Turn, room: RoomId, setting: &StartSetting, value: &str) -> Result<StartValue, Refusal> {
    let name = setting.name;
    let word = |known: &mut dyn Iterator<Item = &str>| {
        let known: Vec<&str> = known.collect();
        if known.contains(&value) {
            return Ok(value.to_owned());
        }
        Err(refuse!("{name} takes one of: {}, or default.", known.join(", ")))
    };
    match &setting.values {
        StartValues::LevelType => {
            let known = turn.catalog.level_types.keys().map(String::as_str);
            let theme = word(&mut known.filter(|key| draft_names::is_shown(turn, room, key)))?;
            Ok(StartValue::Word(draft_names::key_at(turn, room, DefinitionKind::Theme, &theme)))
        }
        StartValues::Layout => {
            word(&mut turn.catalog.layouts.keys().map(String::as_str)).map(StartValue::Word)
        }
        StartValues::Number(range) => number(name, value, range).map(StartValue::Number),
        StartValues::Percent => {
            number(name, value, &(0..=100)).map(|percent| StartValue::Number(percent * 10))
        }
        StartValues::YesNo => match value {
            "true" | "yes" | "on" => Ok(StartValue::YesNo(true)),
            "false" | "no" | "off" => Ok(StartValue::YesNo(false)),
            _ => Err(refuse!("{name} takes yes, no or default.")),
        },
        StartValues::Secs(range) => time(name, value, range).map(StartValue::Time),
    }
}

fn number(setting: &str, value: &str, range: &RangeInclusive<u32>) -> Result<u32, Refusal> {
    let number = value.parse::<u32>().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        refuse!("{setting} takes a number from {least} to {most}, or default.")
    })
}

/// Parses whole seconds, plain or with a unit, as in `12s`, `5m` and `2h`.
fn time(setting: &str, value: &str, within: &RangeInclusive<u32>) -> Result<Span, Refusal> {
    let [least, most] = [within.start(), within.end()].map(|secs| Span::secs((*secs).into()));
    let span = Span::parse(value).filter(|span| span.0 % 1_000 == 0 && (least..=most).contains(span));
    span.ok_or_else(|| {
        let (least, most) = (least.written(), most.written());
        refuse!(
            "{setting} takes a time from {least} to {most}, in seconds or with a unit, as in 90, 12s, 5m or \
             2h, or default."
        )
    })
}

/// Formats a value for confirmation: durations as words, other values as typed.
pub(crate) fn setting_line(setting: &str, value: &str) -> String {
    let is_time = |row: &StartSetting| row.name == setting && matches!(row.values, StartValues::Secs(_));
    let time = Span::parse(value).filter(|_| StartSetting::all().iter().any(is_time));
    time.map_or_else(|| value.to_owned(), Span::exact_words)
}

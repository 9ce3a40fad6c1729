//! Settings of start rooms, and of the branches that start exits open, as typed by builders.

use crate::access::draft_names;
use crate::branch::expiry;
use crate::command::build::room::setting_table::{self, RoomSetting, Takes};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{DefinitionKind, StartText, area};
use deepwell_core::text::{grammar, sanitise};
use deepwell_core::world::{ExitBranchSettings, StartSettings, StartTask};
use std::ops::RangeInclusive;

/// Changes one of the settings of a start room, or a branch setting of its exits.
pub(crate) fn change_room(
    turn: &mut Turn,
    room: RoomId,
    mut settings: StartSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    if let Some(task) = StartTask::named(setting) {
        *settings.interval_mut(task) = time(setting, value, &area::INTERVAL_SECS)?;
    } else {
        match StartText::named(setting) {
            Some(text) if value == "default" => _ = settings.texts.remove(&text),
            Some(text) => {
                let words = sanitise::clean_line(value, StartText::MOST_CHARS);
                settings.texts.insert(text, words);
            }
            None => change(turn, room, &mut settings.exits, setting, value)?,
        }
    }
    expiry::set_start_settings(turn, room, settings);
    Ok(())
}

/// Changes a setting of a start exit: a branch setting, or one of the exit's intervals.
pub(crate) fn change_exit(turn: &mut Turn, exit: ExitId, setting: &str, value: &str) -> Result<(), Refusal> {
    if let Some(task) = StartTask::named(setting) {
        expiry::set_own_interval(turn, exit, task, time(setting, value, &area::INTERVAL_SECS)?);
    } else {
        let mut settings = turn.world.exits[exit].settings.clone();
        change(turn, turn.world.exits[exit].room, &mut settings, setting, value)?;
        turn.world.exits.change(exit, |row| row.settings = settings);
    }
    Ok(())
}

/// Changes a branch setting of a start exit, as typed by a builder.
fn change(
    turn: &Turn,
    room: RoomId,
    settings: &mut ExitBranchSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    let number = |range| number(setting, value, &range);
    let word = |known: &mut dyn Iterator<Item = &str>| {
        let known: Vec<&str> = known.collect();
        match value {
            "default" => Ok(None),
            value if known.contains(&value) => Ok(Some(value.to_owned())),
            _ => Err(refuse!("{setting} takes one of: {}, or default.", known.join(", "))),
        }
    };
    match setting {
        "theme" => {
            let known = turn.catalog.level_types.keys().map(String::as_str);
            let theme = word(&mut known.filter(|key| draft_names::is_shown(turn, room, key)))?;
            settings.theme = theme.map(|key| draft_names::key_at(turn, room, DefinitionKind::Theme, &key));
        }
        "generator" => settings.generator = word(&mut turn.catalog.layouts.keys().map(String::as_str))?,
        "max_unexplored_exits" => settings.max_unexplored_exits = number(area::UNEXPLORED_EXITS)?,
        "max_new_exits_per_room" => settings.max_new_exits_per_room = number(area::NEW_EXITS)?,
        "window" => settings.times.window = time(setting, value, &area::LIFE_SECS)?,
        "max_life" => settings.times.max_life = time(setting, value, &area::LIFE_SECS)?,
        "reset_chance" => {
            settings.times.reset_chance_permille = number(0..=100)?.map(|percent| percent * 10);
        }
        "finishable" => {
            settings.finishable = match value {
                "default" => None,
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => return Err(refuse!("finishable takes yes, no or default.")),
            };
        }
        _ => {
            let names = |rows: &[RoomSetting]| grammar::list(rows.iter().map(|row| row.name));
            let texts: Vec<RoomSetting> = setting_table::start_texts().collect();
            return Err(refuse!(
                "There is no setting \"{setting}\"; there are {}, and of the room {}.",
                names(&setting_table::BRANCH),
                names(&texts)
            ));
        }
    }
    Ok(())
}

fn number(setting: &str, value: &str, range: &RangeInclusive<u32>) -> Result<Option<u32>, Refusal> {
    match value.parse::<u32>() {
        _ if value == "default" => Ok(None),
        Ok(n) if range.contains(&n) => Ok(Some(n)),
        _ => {
            let (least, most) = (range.start(), range.end());
            Err(refuse!("{setting} takes a number from {least} to {most}, or default."))
        }
    }
}

/// Parses whole seconds, plain or with a unit, as in `12s`, `5m` and `2h`; `None` for `default`.
fn time(setting: &str, value: &str, within: &RangeInclusive<u32>) -> Result<Option<Span>, Refusal> {
    if value == "default" {
        return Ok(None);
    }
    let [least, most] = [within.start(), within.end()].map(|secs| Span::secs((*secs).into()));
    let span = Span::parse(value).filter(|span| span.0 % 1_000 == 0 && (least..=most).contains(span));
    span.map(Some).ok_or_else(|| {
        let (least, most) = (least.written(), most.written());
        refuse!(
            "{setting} takes a time from {least} to {most}, in seconds or with a unit, as in 90, 12s, 5m or \
             2h, or default."
        )
    })
}

/// Formats a value for confirmation: durations as words, other values as typed.
pub(crate) fn setting_line(setting: &str, value: &str) -> String {
    let is_time = |row: &RoomSetting| row.name == setting && matches!(row.takes, Takes::Secs(_));
    let time = Span::parse(value).filter(|_| setting_table::BRANCH.iter().any(is_time));
    time.map_or_else(|| value.to_owned(), Span::exact_words)
}

//! Settings of start rooms, and of the branches that start exits open, as typed by builders.

use crate::branch::expiry;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{BranchTimes, StartText};
use deepwell_core::text::sanitise;
use deepwell_core::world::{BranchSettings, StartSettings, StartTask};
use std::ops::RangeInclusive;

/// Valid range of reset and check intervals.
const INTERVAL: RangeInclusive<Span> = Span::secs(10)..=Span::secs(604_800);

/// Valid range of a window, and of the lifetime of an unchanged branch.
const LIFE: RangeInclusive<Span> = Span::secs(1)..=Span::secs(BranchTimes::SECS_MAX as i64);

/// Settings that are durations.
const TIMES: [&str; 4] = ["window", "max_life", "reset_interval", "check_interval"];

/// Changes one of the settings of a start room, or a branch setting of its exits.
pub(crate) fn change_room(
    turn: &mut Turn,
    room: RoomId,
    mut settings: StartSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    if let Some(task) = StartTask::named(setting) {
        *settings.interval_mut(task) = time(setting, value, INTERVAL)?;
    } else {
        match StartText::named(setting) {
            Some(text) if value == "default" => _ = settings.texts.remove(&text),
            Some(text) => {
                let words = sanitise::clean_line(value, StartText::MOST_CHARS);
                settings.texts.insert(text, words);
            }
            None => change(turn, &mut settings.exits, setting, value)?,
        }
    }
    expiry::set_start_settings(turn, room, settings);
    Ok(())
}

/// Changes a setting of a start exit: a branch setting, or one of the exit's intervals.
pub(crate) fn change_exit(turn: &mut Turn, exit: ExitId, setting: &str, value: &str) -> Result<(), Refusal> {
    if let Some(task) = StartTask::named(setting) {
        expiry::set_own_interval(turn, exit, task, time(setting, value, INTERVAL)?);
    } else {
        let mut settings = turn.world.exits[exit].settings.clone();
        change(turn, &mut settings, setting, value)?;
        turn.world.exits.change(exit, |row| row.settings = settings);
    }
    Ok(())
}

/// Changes a branch setting of a start exit, as typed by a builder.
fn change(turn: &Turn, settings: &mut BranchSettings, setting: &str, value: &str) -> Result<(), Refusal> {
    let number = |least, most| number(setting, value, least, most);
    let word = |known: &mut dyn Iterator<Item = &str>| {
        let known: Vec<&str> = known.collect();
        match value {
            "default" => Ok(None),
            value if known.contains(&value) => Ok(Some(value.to_owned())),
            _ => Err(refuse!("{setting} takes one of: {}, or default.", known.join(", "))),
        }
    };
    match setting {
        "theme" => settings.theme = word(&mut turn.catalog.level_types.keys().map(String::as_str))?,
        "generator" => settings.generator = word(&mut turn.catalog.layouts.keys().map(String::as_str))?,
        "max_unexplored_exits" => settings.max_unexplored_exits = number(1, 50)?,
        "max_new_exits_per_room" => settings.max_new_exits_per_room = number(1, 3)?,
        "window" => settings.times.window = time(setting, value, LIFE)?,
        "max_life" => settings.times.max_life = time(setting, value, LIFE)?,
        "reset_chance" => {
            settings.times.reset_chance_permille = number(0, 100)?.map(|percent| percent * 10);
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
            return Err(refuse!(
                "There is no setting \"{setting}\"; there are theme, generator, max_unexplored_exits, \
                 max_new_exits_per_room, finishable, window, reset_chance, max_life, reset_interval and \
                 check_interval, and of the room footer, collapse, collapse_end and collapse_seen."
            ));
        }
    }
    Ok(())
}

fn number(setting: &str, value: &str, least: u32, most: u32) -> Result<Option<u32>, Refusal> {
    match value.parse::<u32>() {
        _ if value == "default" => Ok(None),
        Ok(n) if (least..=most).contains(&n) => Ok(Some(n)),
        _ => Err(refuse!("{setting} takes a number from {least} to {most}, or default.")),
    }
}

/// Parses whole seconds, plain or with a unit, as in `12s`, `5m` and `2h`; `None` for `default`.
fn time(setting: &str, value: &str, within: RangeInclusive<Span>) -> Result<Option<Span>, Refusal> {
    if value == "default" {
        return Ok(None);
    }
    let span = Span::parse(value).filter(|span| span.0 % 1_000 == 0 && within.contains(span));
    span.map(Some).ok_or_else(|| {
        let (least, most) = (within.start().written(), within.end().written());
        refuse!(
            "{setting} takes a time from {least} to {most}, in seconds or with a unit, as in 90, 12s, 5m or \
             2h, or default."
        )
    })
}

/// Formats a value for confirmation: durations as words, other values as typed.
pub(crate) fn told(setting: &str, value: &str) -> String {
    let time = Span::parse(value).filter(|_| TIMES.contains(&setting));
    time.map_or_else(|| value.to_owned(), Span::exact_words)
}

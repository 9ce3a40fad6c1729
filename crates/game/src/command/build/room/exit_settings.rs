//! Settings of start rooms, and of the branches that start exits open, as typed by builders.

use crate::branch::expiry;
use crate::command::build::room::setting_table::{self, RoomSetting};
use crate::command::build::room::setting_values;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{SettingValues, StartSetting, StartSettings, StartText};
use deepwell_core::text::{grammar, sanitise};

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
    row.set(settings, setting_values::read(turn, room, row, value, "default")?);
    Ok(())
}

/// Formats a value for confirmation: durations as words, other values as typed.
pub(crate) fn setting_line(setting: &str, value: &str) -> String {
    let is_time = |row: &StartSetting| row.name == setting && matches!(row.values, SettingValues::Secs(_));
    let time = Span::parse(value).filter(|_| StartSetting::all().iter().any(is_time));
    time.map_or_else(|| value.to_owned(), Span::exact_words)
}

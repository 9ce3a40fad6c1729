//! Values of the settings of rooms and exits: as lists in the game and the web builder show them, and as builders type
//! them.

use crate::access::draft_names;
use crate::command::build::room::setting_table::{self, RoomSetting};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{
    DefinitionKind, RoomFlag, RoomSheet, Setting, SettingValue, SettingValues, StartSetting, StartSettings,
    StartText,
};
use deepwell_core::text::sanitise;
use deepwell_core::world::{Exit, ExitKind, Room, RoomKind};
use std::ops::RangeInclusive;

/// A setting with its value as one types it; empty if its default applies.
pub(crate) type ListedSetting = (RoomSetting, String);

/// Returns the settings of a hand-built room: those of every room, of a shop, and of a start room.
pub(crate) fn of_room(turn: &Turn, id: RoomId) -> Vec<ListedSetting> {
    let room = &turn.world.rooms[id];
    let mut values: Vec<ListedSetting> = setting_table::room()
        .zip([room.zone_key()].into_iter().chain(written(RoomSheet::settings(), &room.sheet)))
        .collect();
    values.extend(setting_table::flags().zip(RoomFlag::ALL.map(|flag| yes_or_no(room.has(flag)))));
    let of_shop = with_values(&setting_table::SHOP, |name| shop_value(room, name));
    match room.sheet.kind {
        RoomKind::Shop => values.extend(of_shop),
        RoomKind::Room => values.extend(of_shop.filter(|(setting, _)| setting.name == setting_table::WARES)),
        _ => {}
    }
    if let Some(tasks) = turn.world.start_tasks.get(id) {
        values.extend(of_branch(&tasks.settings));
        let texts = StartText::ALL.map(|text| tasks.settings.texts.get(&text).cloned().unwrap_or_default());
        values.extend(setting_table::start_texts().zip(texts));
    }
    typed(turn, id, values)
}

/// Returns the settings of an exit to a hand-built room, or of a start exit.
pub(crate) fn of_exit(turn: &Turn, id: ExitId) -> Vec<ListedSetting> {
    let exit = &turn.world.exits[id];
    let values = match exit.kind {
        ExitKind::Exit => with_values(&setting_table::EXIT, |name| exit_value(exit, name)).collect(),
        ExitKind::Branch => of_branch(&exit.start_settings()).collect(),
        ExitKind::Stairs => Vec::new(),
    };
    typed(turn, exit.room, values)
}

/// Returns values as a builder types them in a room.
fn typed(turn: &Turn, room: RoomId, values: Vec<ListedSetting>) -> Vec<ListedSetting> {
    let values = values.into_iter();
    values.map(|(setting, value)| (setting, draft_names::typed(turn, room, &value))).collect()
}

fn with_values(
    rows: &'static [RoomSetting],
    value: impl Fn(&str) -> String,
) -> impl Iterator<Item = ListedSetting> {
    rows.iter().map(move |row| (row.clone(), value(row.name)))
}

fn shop_value(room: &Room, name: &str) -> String {
    fn listed<T: ToString>(parts: impl IntoIterator<Item = T>) -> String {
        parts.into_iter().map(|part| part.to_string()).collect::<Vec<_>>().join(", ")
    }
    match name {
        setting_table::WARES => listed(room.shop.wares_of(&room.stock)),
        "buys" => listed(&room.shop.buys),
        "open" => listed(&room.shop.open),
        "closed" => room.shop.closed.clone(),
        _ => room.shop.refill.to_string(),
    }
}

fn exit_value(exit: &Exit, name: &str) -> String {
    let door = exit.door.as_ref();
    match name {
        "door" => door.map(|door| door.name.clone()).unwrap_or_default(),
        "key" => door.and_then(|door| door.key.clone()).unwrap_or_default(),
        "puzzle" => exit.puzzle.to_value().unwrap_or_default(),
        _ => yes_or_no(exit.hidden),
    }
}

/// Returns the settings of a start room or start exit.
fn of_branch(settings: &StartSettings) -> impl Iterator<Item = ListedSetting> {
    setting_table::branch().zip(written(StartSetting::all(), settings))
}

/// Returns the values of settings as one types them.
fn written<'a, T>(settings: &'static [Setting<T>], of: &'a T) -> impl Iterator<Item = String> + use<'a, T> {
    settings.iter().map(move |setting| match setting.value(of) {
        Some(SettingValue::Word(word)) => word,
        Some(SettingValue::Number(number)) if matches!(setting.values, SettingValues::Percent) => {
            (number / 10).to_string()
        }
        Some(SettingValue::Number(number)) => number.to_string(),
        Some(SettingValue::YesNo(yes)) => yes_or_no(yes),
        Some(SettingValue::Time(span)) => span.written(),
        None => String::new(),
    })
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// Reads a value as typed by a builder in a room. The word for no value, and `default`, give none.
pub(crate) fn read<T>(
    turn: &Turn,
    room: RoomId,
    setting: &Setting<T>,
    value: &str,
    none: &'static str,
) -> Result<Option<SettingValue>, Refusal> {
    if [none, "default"].contains(&value) {
        return Ok(None);
    }
    let number =
        |range: &RangeInclusive<u32>| value.parse::<u32>().ok().filter(|number| range.contains(number));
    let read = match &setting.values {
        SettingValues::LevelType => {
            let shown = level_types(turn, room).any(|key| key == value);
            shown.then(|| SettingValue::Word(draft_names::key_at(turn, room, DefinitionKind::Theme, value)))
        }
        SettingValues::Layout => {
            turn.catalog.layouts.contains_key(value).then(|| SettingValue::Word(value.to_owned()))
        }
        SettingValues::Word(_, fits) => {
            let word = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
            (!word.is_empty() && fits(&word)).then_some(SettingValue::Word(word))
        }
        SettingValues::Number(range) => number(range).map(SettingValue::Number),
        SettingValues::Percent => number(&(0..=100)).map(|percent| SettingValue::Number(percent * 10)),
        SettingValues::YesNo => yes_no(value).map(SettingValue::YesNo),
        SettingValues::Secs(range) => {
            let [least, most] = [range.start(), range.end()].map(|secs| Span::secs((*secs).into()));
            let is_valid = |span: &Span| span.0 % 1_000 == 0 && (least..=most).contains(span);
            Span::parse(value).filter(is_valid).map(SettingValue::Time)
        }
    };
    read.map(Some).ok_or_else(|| {
        let takes = match &setting.values {
            SettingValues::LevelType => one_of(&mut level_types(turn, room)),
            SettingValues::Layout => one_of(&mut turn.catalog.layouts.keys().map(String::as_str)),
            _ => setting_table::declared(setting, none).takes.to_string(),
        };
        refuse!("{} takes {takes}, or {none}.", setting.name)
    })
}

/// Returns the level types that a builder in a room can name.
fn level_types(turn: &Turn, room: RoomId) -> impl Iterator<Item = &str> {
    turn.catalog
        .level_types
        .keys()
        .map(String::as_str)
        .filter(move |key| draft_names::is_shown(turn, room, key))
}

fn one_of(names: &mut dyn Iterator<Item = &str>) -> String {
    format!("one of: {}", names.collect::<Vec<_>>().join(", "))
}

/// Reads yes or no in one of their spellings.
pub(crate) fn yes_no(value: &str) -> Option<bool> {
    match value {
        "yes" | "on" | "true" => Some(true),
        "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

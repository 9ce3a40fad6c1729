//! Values of the settings of rooms and exits, for the lists in the game and for the web builder.

use crate::access::draft_names;
use crate::command::build::room::setting_table::{self, RoomSetting};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId};
use deepwell_core::catalog::{RoomFlag, StartSetting, StartSettings, StartText, StartValue, StartValues};
use deepwell_core::world::{Exit, ExitKind, Room, RoomKind};

/// A setting with its value as one types it; empty if its default applies.
pub(crate) type SettingValue = (RoomSetting, String);

/// Returns the settings of a hand-built room: those of every room, of a shop, and of a start room.
pub(crate) fn of_room(turn: &Turn, id: RoomId) -> Vec<SettingValue> {
    let room = &turn.world.rooms[id];
    let mut values: Vec<SettingValue> =
        with_values(&setting_table::ROOM, |name| own_value(room, name)).collect();
    values.extend(setting_table::flags().zip(RoomFlag::ALL.map(|flag| yes_or_no(room.has(flag)))));
    let of_shop = with_values(&setting_table::SHOP, |name| shop_value(room, name));
    match room.kind {
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
pub(crate) fn of_exit(turn: &Turn, id: ExitId) -> Vec<SettingValue> {
    let exit = &turn.world.exits[id];
    let values = match exit.kind {
        ExitKind::Exit => with_values(&setting_table::EXIT, |name| exit_value(exit, name)).collect(),
        ExitKind::Branch => of_branch(&exit.start_settings()).collect(),
        ExitKind::Stairs => Vec::new(),
    };
    typed(turn, exit.room, values)
}

/// Returns values as a builder types them in a room.
fn typed(turn: &Turn, room: RoomId, values: Vec<SettingValue>) -> Vec<SettingValue> {
    let values = values.into_iter();
    values.map(|(setting, value)| (setting, draft_names::typed(turn, room, &value))).collect()
}

fn with_values(
    rows: &'static [RoomSetting],
    value: impl Fn(&str) -> String,
) -> impl Iterator<Item = SettingValue> {
    rows.iter().map(move |row| (row.clone(), value(row.name)))
}

fn own_value(room: &Room, name: &str) -> String {
    match name {
        "environment" => room.environment.clone(),
        "key" => room.zone_key(),
        _ => room.board.as_deref().unwrap_or_default().to_owned(),
    }
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
fn of_branch(settings: &StartSettings) -> impl Iterator<Item = SettingValue> {
    let values = StartSetting::all().iter().map(|setting| match setting.value(settings) {
        Some(StartValue::Word(word)) => word,
        Some(StartValue::Number(number)) if setting.values == StartValues::Percent => {
            (number / 10).to_string()
        }
        Some(StartValue::Number(number)) => number.to_string(),
        Some(StartValue::YesNo(yes)) => yes_or_no(yes),
        Some(StartValue::Time(span)) => span.written(),
        None => String::new(),
    });
    setting_table::branch().zip(values)
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

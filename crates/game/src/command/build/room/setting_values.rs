//! Values of the settings of rooms and exits, for the lists in the game and for the web builder.

use crate::access::draft_names;
use crate::command::build::room::setting_table::{self, RoomSetting};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId, Span};
use deepwell_core::catalog::{RoomFlag, StartText};
use deepwell_core::world::{Exit, ExitBranchSettings, ExitKind, Room, RoomKind, StartTask};

/// A setting with its value as one types it; empty if its default applies.
pub(crate) type SettingValue = (RoomSetting, String);

/// Returns the settings of a hand-built room: those of every room, of a shop, and of a start room.
pub(crate) fn of_room(turn: &Turn, id: RoomId) -> Vec<SettingValue> {
    let room = &turn.world.rooms[id];
    let mut values: Vec<SettingValue> =
        with_values(&setting_table::ROOM, |name| own_value(room, name)).collect();
    let yes_or_no = |flag| if room.has(flag) { "yes" } else { "no" }.to_owned();
    values.extend(setting_table::flags().zip(RoomFlag::ALL.map(yes_or_no)));
    let of_shop = with_values(&setting_table::SHOP, |name| shop_value(room, name));
    match room.kind {
        RoomKind::Shop => values.extend(of_shop),
        RoomKind::Room => values.extend(of_shop.filter(|(setting, _)| setting.name == setting_table::WARES)),
        _ => {}
    }
    if let Some(tasks) = turn.world.start_tasks.get(id) {
        let settings = &tasks.settings;
        let interval = |task| settings.interval(task);
        let of_branch = |name: &str| branch_value(&settings.exits, interval, name);
        values.extend(with_values(&setting_table::BRANCH, of_branch));
        let texts = StartText::ALL.map(|text| settings.texts.get(&text).cloned().unwrap_or_default());
        values.extend(setting_table::start_texts().zip(texts));
    }
    typed(turn, id, values)
}

/// Returns the settings of an exit to a hand-built room, or of a start exit.
pub(crate) fn of_exit(turn: &Turn, id: ExitId) -> Vec<SettingValue> {
    let exit = &turn.world.exits[id];
    let values = match exit.kind {
        ExitKind::Exit => with_values(&setting_table::EXIT, |name| exit_value(exit, name)).collect(),
        ExitKind::Branch => {
            let interval = |task| exit.own_tasks.get(task).map(|own| own.interval);
            with_values(&setting_table::BRANCH, |name| branch_value(&exit.settings, interval, name)).collect()
        }
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
        _ => if exit.hidden { "yes" } else { "no" }.to_owned(),
    }
}

fn branch_value(
    settings: &ExitBranchSettings,
    interval: impl Fn(StartTask) -> Option<Span>,
    name: &str,
) -> String {
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let time = |span: Option<Span>| span.map(Span::written);
    let value = match name {
        "theme" => settings.theme.clone(),
        "generator" => settings.generator.clone(),
        "max_unexplored_exits" => number(settings.max_unexplored_exits),
        "max_new_exits_per_room" => number(settings.max_new_exits_per_room),
        "finishable" => settings.finishable.map(|yes| if yes { "yes" } else { "no" }.to_owned()),
        "window" => time(settings.times.window),
        "reset_chance" => number(settings.times.reset_chance_permille.map(|permille| permille / 10)),
        "max_life" => time(settings.times.max_life),
        _ => time(StartTask::named(name).and_then(interval)),
    };
    value.unwrap_or_default()
}

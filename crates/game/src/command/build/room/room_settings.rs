//! Settings of hand-built rooms and exits other than those of branches, as typed behind `set`.

use crate::branch::built_gate;
use crate::building::keys;
use crate::command::build::room::exits::require_builder;
use crate::command::build::room::setting_table;
use crate::command::build::room::setting_values::{self, ListedSetting};
use crate::command::build::room::{exit_settings, stock, trigger};
use crate::command::build::shop;
use crate::command::parse::Actor;
use crate::exit::doors;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{ExitId, Right, RoomId};
use deepwell_core::catalog::{RoomFlag, RoomSheet};
use deepwell_core::text::{Markup, Style, grammar, nearest, sanitise};
use deepwell_core::world::{Door, ExitKind, RoomKind};

/// Returns `true` for a setting of an exit to a hand-built room.
pub(crate) fn is_of_exit(setting: &str) -> bool {
    setting_table::EXIT.iter().any(|row| row.name == setting)
}

/// Returns the names of the settings of every hand-built room.
fn of_rooms() -> impl Iterator<Item = &'static str> {
    let rows = setting_table::room().chain(setting_table::flags()).map(|row| row.name);
    rows.chain(setting_table::SHOP.iter().map(|row| row.name))
}

/// Returns `true` for a setting of a hand-built room or exit. Those of branches are not among them.
pub(crate) fn is_known(setting: &str) -> bool {
    is_of_exit(setting) || of_rooms().any(|name| name == setting)
}

/// Returns the refusal of an unknown setting of a room.
fn no_room_setting(setting: &str) -> Refusal {
    let known: Vec<&str> = of_rooms().collect();
    let nearest = nearest(setting, known.iter().copied());
    refuse!(
        "A room has no setting \"{setting}\"{}: set here takes {}; a start room (dig NAME:start) takes those \
         of its branches too, as in set here theme = cave.",
        nearest.map_or_else(String::new, |near| format!("; the nearest is {near}")),
        grammar::list(&known)
    )
}

/// Returns the names of the settings of every exit to a hand-built room.
pub(crate) fn names_for_exits() -> String {
    grammar::list(setting_table::EXIT.iter().map(|row| row.name))
}

/// Changes a setting of a room.
pub(crate) fn change_room(
    turn: &mut Turn,
    actor: Actor,
    room: RoomId,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    match setting {
        "on_enter" => {
            actor.require(turn, Right::Scripts)?;
            return trigger::set_enter(turn, actor, room, value);
        }
        "key" => return change_key(turn, actor, room, value),
        _ if setting_table::SHOP.iter().any(|row| row.name == setting) => {
            actor.require(turn, Right::Creatures)?;
            return shop::set(turn, actor, room, setting, value);
        }
        _ => {
            if let Some(row) = RoomSheet::settings().iter().find(|row| row.name == setting) {
                let value = setting_values::read(turn, room, row, value, "none")?;
                turn.world.rooms.change(room, |room| row.set(&mut room.sheet, value));
            } else if let Some(flag) = RoomFlag::named(setting) {
                change_flag(turn, room, flag, value)?;
            } else {
                let tasks = turn.world.start_tasks.get(room).ok_or_else(|| no_room_setting(setting))?;
                exit_settings::change_room(turn, room, tasks.settings.clone(), setting, value)?;
            }
        }
    }
    turn.emit_event(GameEvent::RoomChanged { room });
    answer(turn, actor, setting, value)
}

fn answer(turn: &mut Turn, actor: Actor, setting: &str, value: &str) -> Result<(), Refusal> {
    actor.answer(turn, format!("{setting} is {} now.", exit_settings::setting_line(setting, value)))
}

/// Reads the value of a flag.
fn yes_or_no(setting: &str, value: &str) -> Result<bool, Refusal> {
    let read = if value == "default" { Some(false) } else { setting_values::yes_no(value) };
    read.ok_or_else(|| refuse!("{setting} takes yes or no."))
}

fn change_flag(turn: &mut Turn, room: RoomId, flag: RoomFlag, value: &str) -> Result<(), Refusal> {
    let yes = yes_or_no(flag.name(), value)?;
    if flag == RoomFlag::Fights && turn.world.rooms[room].sheet.kind != RoomKind::Room {
        return Err(refuse!("Creatures may be fought only in an ordinary room."));
    }
    turn.world.rooms.change(room, |row| {
        let mut flags = row.sheet.flags.to_value();
        if yes {
            flags.insert(flag)
        } else {
            flags.remove(&flag)
        };
        row.sheet.flags = flags.into();
    });
    Ok(())
}

/// Gives a room another key. Tells what follows, and the definitions of files that have the old name.
fn change_key(turn: &mut Turn, actor: Actor, room: RoomId, value: &str) -> Result<(), Refusal> {
    let (zone, old) = (turn.world.rooms[room].area.clone(), turn.world.rooms[room].zone_key());
    let followers = keys::change_room_key(turn, room, value)?;
    let mut lines = vec![format!("The key of this room is {zone}/{value} now.")];
    lines.extend(followers);
    let before = format!("{zone}/{old}");
    let by = turn.catalog.naming_room(&before);
    if !by.is_empty() {
        lines.push(format!("{before} is still named by {}.", grammar::list(&by)));
    }
    actor.answer(turn, lines.join("\n"))
}

/// Changes a setting of an exit to a hand-built room, on both sides if it is about the door.
pub(crate) fn change_exit(
    turn: &mut Turn,
    actor: Actor,
    exit: ExitId,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    if setting == "hidden" {
        if turn.world.exits[exit].kind != ExitKind::Exit {
            return Err(refuse!("A branch exit cannot be hidden."));
        }
        let hidden = yes_or_no(setting, value)?;
        turn.world.exits.change(exit, |row| row.hidden = hidden);
        let room = turn.world.exits[exit].room;
        turn.emit_event(GameEvent::RoomChanged { room });
    } else if setting == "puzzle" {
        let name = (!matches!(value, "none" | "default")).then(|| value.to_lowercase());
        let puzzle =
            name.map(|name| built_gate::require_usable(turn, exit, &name).map(|()| name)).transpose()?;
        turn.world.exits.change(exit, |row| row.puzzle = puzzle.into());
    } else {
        set_door(turn, actor, exit, setting, value)?;
    }
    answer(turn, actor, setting, value)
}

/// Adds a door on both sides of an exit, removes it, or sets its key.
fn set_door(turn: &mut Turn, actor: Actor, exit: ExitId, setting: &str, value: &str) -> Result<(), Refusal> {
    let leads = turn.world.exits[exit].to.and_then(|to| turn.world.rooms.get(to));
    if turn.world.exits[exit].kind != ExitKind::Exit || leads.is_none_or(|room| room.branch.is_some()) {
        return Err(refuse!("A door is in an exit that leads to a room built by hand."));
    }
    let none = matches!(value, "none" | "default");
    let mut door = turn.world.exits[exit].door.to_value();
    if setting == "door" {
        let name = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
        if name.is_empty() {
            return Err(Refusal::Missing("set EXIT door = NAME"));
        }
        let (shut, key) = door.map_or((true, None), |door| (door.shut, door.key));
        door = (!none).then_some(Door { name, shut, key });
    } else {
        let key = if none { None } else { Some(stock::item(turn, turn.world.exits[exit].room, value)?) };
        door.as_mut()
            .ok_or_else(|| refuse!("There is no door there: set EXIT door = NAME makes one."))?
            .key = key;
    }
    let sides = doors::sides(turn, exit);
    for side in &sides {
        require_builder(turn, actor.who, turn.world.exits[*side].room)?;
    }
    for side in sides {
        turn.world.exits.change(side, |row| row.door = door.clone().into());
        let room = turn.world.exits[side].room;
        turn.emit_event(GameEvent::RoomChanged { room });
    }
    Ok(())
}

/// Lists the settings of a room with their values.
pub(crate) fn list_of_room(turn: &Turn, room: RoomId) -> Markup {
    list(
        &format!("Settings of {}, room {room}", turn.world.rooms[room].sheet.name),
        setting_values::of_room(turn, room),
    )
}

/// Lists the settings of an exit with their values.
pub(crate) fn list_of_exit(turn: &Turn, exit: ExitId) -> Markup {
    let name = &turn.world.exits[exit].name;
    list(&format!("Settings of the exit {name}"), setting_values::of_exit(turn, exit))
}

fn list(heading: &str, values: Vec<ListedSetting>) -> Markup {
    let mut list = Markup::styled(Style::Heading, heading);
    for (setting, value) in values {
        list.line(Style::Plain, &setting.line(&value));
    }
    list
}

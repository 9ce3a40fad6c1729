//! Rooms and exits as the commands that recreate them.

use crate::command::build::room::setting_values::{self, ListedSetting};
use crate::turn::Turn;
use deepwell_core::text::sanitise;
use deepwell_core::world::{Exit, ExitKind, Room, Trigger};

/// Returns the commands that recreate a room without its exits.
pub(crate) fn room_lines(turn: &Turn, room: &Room) -> Vec<String> {
    let mut lines = vec![format!(
        "name here = {}",
        with_aliases(&room.sheet.name, room.sheet.aliases.iter().map(String::as_str))
    )];
    lines.push(text_line("describe here", &room.sheet.description));
    // The key follows from the name.
    let values = setting_values::of_room(turn, room.id).into_iter();
    lines.extend(setting_lines("here", values.filter(|(setting, _)| setting.unset().is_some())));
    for (nouns, text) in &room.sheet.details {
        let nouns: Vec<&str> = nouns.split(',').map(str::trim).collect();
        lines.push(text_line(&format!("detail {}", nouns.join(";")), text));
    }
    if !room.sheet.tags.is_empty() {
        let tags: Vec<&str> = room.sheet.tags.iter().map(String::as_str).collect();
        lines.push(format!("tag here = {}", tags.join(", ")));
    }
    lines.extend(room.spawns.iter().map(|rule| format!("spawn {}", rule.words())));
    lines.extend(room.triggers.iter().map(|Trigger { name, on, lines }| {
        let name = if name.is_empty() { String::new() } else { format!(" as {name}") };
        format!("trigger {on}{name} = {}", lines.join("; "))
    }));
    lines.extend(turn.world.exits.of(room.id).filter(|exit| exit.kind != ExitKind::Stairs).map(opening));
    lines
}

/// Returns the commands that recreate an exit.
pub(crate) fn exit_lines(turn: &Turn, exit: &Exit) -> Vec<String> {
    let mut lines = vec![opening(exit)];
    if !exit.description.is_empty() {
        lines.push(text_line(&format!("describe {}", exit.name), &exit.description));
    }
    lines.extend(setting_lines(&exit.name, setting_values::of_exit(turn, exit.id).into_iter()));
    lines
}

/// Returns the command that creates the exit: "open north;n:branch", "open north = #12".
fn opening(exit: &Exit) -> String {
    let named = with_aliases(&exit.name, exit.all_aliases());
    match (exit.kind, exit.to) {
        (ExitKind::Branch, _) => format!("open {named}:branch"),
        (_, Some(to)) => format!("open {named} = #{to}"),
        (_, None) => format!("open {named}"),
    }
}

fn with_aliases<'a>(name: &'a str, aliases: impl Iterator<Item = &'a str>) -> String {
    let others = aliases.filter(|alias| *alias != name);
    [name].into_iter().chain(others).collect::<Vec<_>>().join(";")
}

/// Formats a command with a text argument as a single line, even if the text has several paragraphs.
fn text_line(command: &str, text: &str) -> String {
    format!("{command} = {}", sanitise::typed_text(text))
}

/// Returns the commands for the settings that have another value than the usual one.
fn setting_lines(what: &str, values: impl Iterator<Item = ListedSetting>) -> Vec<String> {
    let is_set = |(setting, value): &ListedSetting| !value.is_empty() && value != setting.default;
    values.filter(is_set).map(|(setting, value)| format!("set {what} {} = {value}", setting.name)).collect()
}

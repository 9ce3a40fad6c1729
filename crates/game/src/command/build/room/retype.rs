//! Rooms and exits as the commands that recreate them.

use crate::turn::Turn;
use deepwell_core::base::Span;
use deepwell_core::text::sanitise;
use deepwell_core::world::{BranchSettings, Exit, ExitKind, Room, RoomKind, StartTask, Trigger};

/// Returns the commands that recreate a room without its exits.
pub(crate) fn room_lines(turn: &Turn, room: &Room) -> Vec<String> {
    let mut lines =
        vec![format!("name here = {}", with_aliases(&room.name, room.aliases.iter().map(String::as_str)))];
    lines.push(text_line("describe here", &room.description));
    if !room.environment.is_empty() {
        lines.push(format!("set here environment = {}", room.environment));
    }
    for (nouns, text) in &room.details {
        let nouns: Vec<&str> = nouns.split(',').map(str::trim).collect();
        lines.push(text_line(&format!("detail {}", nouns.join(";")), text));
    }
    if !room.tags.is_empty() {
        let tags: Vec<&str> = room.tags.iter().map(String::as_str).collect();
        lines.push(format!("tag here = {}", tags.join(", ")));
    }
    lines.extend(room.flags.iter().map(|flag| format!("set here {} = yes", flag.name())));
    lines.extend(room.board.iter().map(|board| format!("set here board = {board}")));
    if room.kind == RoomKind::Shop {
        lines.extend(shop_lines(room));
    }
    lines.extend(room.spawns.iter().map(|rule| format!("spawn {}", rule.words())));
    lines.extend(room.triggers.iter().map(|Trigger { name, on, lines }| {
        let name = if name.is_empty() { String::new() } else { format!(" as {name}") };
        format!("trigger {on}{name} = {}", lines.join("; "))
    }));
    if let Some(tasks) = turn.world.start_tasks.get(room.id) {
        let settings = &tasks.settings;
        lines.extend(interval_lines("here", |task| settings.interval(task)));
        lines.extend(setting_lines("here", &settings.exits));
        let texts = settings.texts.iter();
        lines.extend(texts.map(|(text, words)| format!("set here {} = {words}", text.name())));
    }
    lines.extend(turn.world.exits.of(room.id).filter(|exit| exit.kind != ExitKind::Stairs).map(opening));
    lines
}

/// Returns the commands that recreate a shop.
fn shop_lines(room: &Room) -> Vec<String> {
    let words = |parts: Vec<String>| parts.join("; ");
    let terms = &*room.shop;
    let mut lines = vec![format!(
        "shop here = {}",
        words(terms.wares_of(&room.stock).map(|ware| ware.to_string()).collect())
    )];
    let buys = words(terms.buys.iter().map(ToString::to_string).collect());
    let open = words(terms.open.iter().map(ToString::to_string).collect());
    let refill = if terms.refill > 0 { terms.refill.to_string() } else { String::new() };
    let said = [("buys", buys), ("open", open), ("closed", terms.closed.clone()), ("refill", refill)];
    let said = said.into_iter().filter(|(_, value)| !value.is_empty());
    lines.extend(said.map(|(field, value)| format!("set here {field} = {value}")));
    lines
}

/// Returns the commands that recreate an exit.
pub(crate) fn exit_lines(exit: &Exit) -> Vec<String> {
    let mut lines = vec![opening(exit)];
    if !exit.description.is_empty() {
        lines.push(text_line(&format!("describe {}", exit.name), &exit.description));
    }
    if exit.hidden {
        lines.push(format!("set {} hidden = yes", exit.name));
    }
    if let Some(door) = &*exit.door {
        lines.push(format!("set {} door = {}", exit.name, door.name));
        lines.extend(door.key.as_ref().map(|key| format!("set {} key = {key}", exit.name)));
    }
    lines.extend(interval_lines(&exit.name, |task| exit.own_tasks.get(task).map(|own| own.interval)));
    lines.extend(setting_lines(&exit.name, &exit.settings));
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

fn interval_lines(what: &str, interval: impl Fn(StartTask) -> Option<Span>) -> Vec<String> {
    let own = StartTask::ALL.into_iter();
    own.filter_map(|task| Some(format!("set {what} {} = {}", task.name(), interval(task)?.written())))
        .collect()
}

fn setting_lines(what: &str, settings: &BranchSettings) -> Vec<String> {
    let number = |value: Option<u32>| value.map(|value| value.to_string());
    let time = |span: Option<Span>| span.map(Span::written);
    let said = [
        ("theme", settings.theme.clone()),
        ("generator", settings.generator.clone()),
        ("max_unexplored_exits", number(settings.max_unexplored_exits)),
        ("max_new_exits_per_room", number(settings.max_new_exits_per_room)),
        ("finishable", settings.finishable.map(|yes| if yes { "yes" } else { "no" }.to_owned())),
        ("window", time(settings.times.window)),
        ("reset_chance", number(settings.times.reset_chance_permille.map(|chance| chance / 10))),
        ("max_life", time(settings.times.max_life)),
    ];
    let said = said.into_iter().filter_map(|(name, value)| Some((name, value?)));
    said.map(|(name, value)| format!("set {what} {name} = {value}")).collect()
}

//! Sheets for builders: the ids and settings of a room, an exit or a branch.

use crate::access::draft_names;
use crate::branch::start_room::Sourced;
use crate::branch::{start_room, tasks};
use crate::building::rebuild_branch::no_branch;
use crate::command::build::definition::object_trigger;
use crate::command::build::room::{exits, retype};
use crate::exit::pathfinding;
use crate::expedition::view;
use crate::refusal::Refusal;
use crate::room::look;
use crate::state::timers::TaskGroup;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, RoomId, Span};
use deepwell_core::catalog::{ExitBranchSettings, StartTask, StartText};
use deepwell_core::dungeon::Frontier;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, ExitKind, ExitState};
use std::fmt;

/// Returns the sheet of this room, or of one of its exits.
pub(crate) fn builder_view(turn: &Turn, who: CharacterId, phrase: &str) -> Option<Markup> {
    let room = turn.world.characters[who].room;
    if phrase.is_empty() || phrase.eq_ignore_ascii_case("here") {
        return Some(room_sheet(turn, room));
    }
    pathfinding::exit_named(turn, room, phrase).map(|exit| exit_sheet(turn, exit))
}

/// Returns the sheet of another hand-built room, by its number, `ZONE/KEY`, its name or an alias.
pub(crate) fn sheet_elsewhere(turn: &Turn, who: CharacterId, phrase: &str) -> Option<Markup> {
    exits::hand_built(turn, who, phrase).ok().map(|room| room_sheet(turn, room))
}

fn room_sheet(turn: &Turn, id: RoomId) -> Markup {
    let room = &turn.world.rooms[id];
    let mut sheet = Markup::styled(Style::Heading, &format!("{}, room {id}", room.sheet.name));
    sheet.line(Style::Plain, &format!("Kind: {}", room.sheet.kind.name()));
    sheet.line(Style::Plain, &format!("Area: {}, at {}, height {}", room.area, room.at, room.height()));
    if let Some(branch) = room.branch {
        sheet.line(
            Style::Plain,
            &format!(
                "Branch: {branch}, floor {}, dungeon level {}, depth {}",
                room.floor,
                turn.world.dungeon_level(room.id),
                room.depth
            ),
        );
        sheet.line(Style::Plain, &format!("Clear: {}", if room.clear { "yes" } else { "no" }));
    }
    if let Some(tasks) = turn.world.start_tasks.get(id) {
        let reset = Span(tasks.next_reset_at.0 - turn.now.0);
        let check = Span(tasks.next_check_at.0 - turn.now.0);
        sheet.line(Style::Plain, &format!("Exits reset in {reset}; branches are checked in {check}."));
        add_intervals(&mut sheet, turn, |_| TaskGroup::Room(id));
        add_settings(&mut sheet, turn, id, &ExitBranchSettings::default());
        for text in StartText::ALL {
            let sentence = start_room::text(turn, id, text);
            sheet.line(Style::Plain, &format!("{}: {sentence}", text.name()));
        }
    }
    for exit in turn.world.exits.of(id) {
        sheet.line(Style::Plain, &format!("Exit {}: {}", exit.name, look::exit_words(turn, exit)));
    }
    if room.branch.is_some() {
        sheet.line(Style::Plain, &room.sheet.description);
    } else {
        let mut typed = retype::room_lines(turn, room);
        typed.extend(object_trigger::typed_in(turn, id));
        add_typed(turn, id, &mut sheet, typed);
    }
    sheet
}

fn exit_sheet(turn: &Turn, exit: &Exit) -> Markup {
    let mut sheet = Markup::styled(Style::Heading, &format!("Exit {}, number {}", exit.name, exit.id));
    let kind = if exit.kind == ExitKind::Branch { "branch" } else { "exit" };
    sheet.line(Style::Plain, &format!("Kind: {kind}"));
    match (exit.to, exit.state) {
        (Some(to), state) => {
            let name = &turn.world.rooms[to].sheet.name;
            sheet.line(Style::Plain, &format!("Leads to: {name}, room {to}, {}", state.name()));
        }
        (None, ExitState::Unexplored) => sheet.line(Style::Plain, "Leads to: unexplored"),
        (None, _) => sheet.line(Style::Plain, "Leads to: a fresh branch"),
    }
    if exit.kind == ExitKind::Branch {
        add_intervals(&mut sheet, turn, |task| tasks::group_of(exit, task));
        add_settings(&mut sheet, turn, exit.room, &exit.settings);
    }
    if turn.world.rooms[exit.room].branch.is_none() {
        add_typed(turn, exit.room, &mut sheet, retype::exit_lines(turn, exit));
    }
    sheet
}

/// Adds the commands that recreate the room or exit.
fn add_typed(turn: &Turn, room: RoomId, sheet: &mut Markup, lines: Vec<String>) {
    sheet.line(Style::Heading, "To type it again:");
    for line in lines {
        sheet.line(Style::Command, &draft_names::typed(turn, room, &line));
    }
}

/// Adds the settings in force for the next branch behind an exit, each with its source.
fn add_settings(sheet: &mut Markup, turn: &Turn, room: RoomId, own: &ExitBranchSettings) {
    let Ok(set) = start_room::effective_settings(turn, room, own) else { return };
    add_line(sheet, "theme", &set.level_type);
    add_line(sheet, "generator", &set.generator);
    add_line(sheet, "max_unexplored_exits", &set.max_unexplored_exits);
    add_line(sheet, "max_new_exits_per_room", &set.max_new_exits_per_room);
    let Sourced(finishable, source) = set.finishable;
    add_line(sheet, "finishable", &Sourced(if finishable { "yes" } else { "no" }, source));
    add_time(sheet, "window", &set.window);
    let Sourced(chance, source) = set.reset_chance_permille;
    add_line(sheet, "reset_chance", &Sourced(format!("{} percent", chance / 10), source));
    add_time(sheet, "max_life", &set.max_life);
}

/// Adds the intervals of the tasks of a group, which may be another for each task.
fn add_intervals(sheet: &mut Markup, turn: &Turn, group: impl Fn(StartTask) -> TaskGroup) {
    for task in StartTask::ALL {
        add_time(sheet, task.name(), &tasks::interval(turn, group(task), task));
    }
}

fn add_time(sheet: &mut Markup, setting: &str, Sourced(span, source): &Sourced<Span>) {
    add_line(sheet, setting, &Sourced(span.exact_words(), *source));
}

fn add_line(sheet: &mut Markup, setting: &str, Sourced(value, source): &Sourced<impl fmt::Display>) {
    sheet.line(Style::Plain, &format!("{setting}: {value}, from {}", source.name()));
}

/// Returns the branch, seed and place of a room, enough to generate it again.
pub(crate) fn seed_words(turn: &Turn, room: RoomId) -> Option<String> {
    let row = turn.world.rooms.get(room)?;
    let branch = turn.world.branches.get(row.branch?)?;
    Some(format!("branch {}, seed {}, floor {} at {}", branch.id, branch.seed.0, row.floor, row.at))
}

pub(crate) fn branch_sheet(turn: &Turn, id: BranchId) -> Result<Markup, Refusal> {
    let branch = turn.world.branches.active(id).ok_or_else(|| no_branch(id))?;
    let index = turn.world.branches.index_of(id).ok_or_else(|| no_branch(id))?;
    let open: u32 = index.frontiers.values().map(Frontier::open_count).sum();
    let names: Vec<&str> = index.members.iter().map(|id| turn.world.characters[*id].name.as_str()).collect();
    let mut sheet = Markup::styled(Style::Heading, &format!("Branch {id}, {}", branch.name));
    for line in [
        format!("Theme: {}, generator {}", branch.theme, branch.generator),
        format!("Seed: {}", branch.seed.0),
        format!("Opened: {} ago", turn.now.since(branch.opened_at)),
        format!("Last change: {} ago", turn.now.since(branch.last_updated_at)),
        format!("Window: {}", if branch.window_open { "open" } else { "closed" }),
        format!("Rooms: {}, greatest depth {}", branch.rooms_made, branch.greatest_depth),
        format!("Floors: {}", index.frontiers.len()),
        format!("Unexplored exits: {open}, on all floors together"),
        format!("No more are opened on a floor that has: {}", branch.growth.max_unexplored_exits),
        format!("Members: {}", grammar::or_none(&names.join(", "))),
    ] {
        sheet.line(Style::Plain, &line);
    }
    if let Some(expedition) = view::staff_words(turn, id) {
        sheet.line(Style::Plain, &format!("It belongs to the {expedition}."));
    }
    Ok(sheet)
}

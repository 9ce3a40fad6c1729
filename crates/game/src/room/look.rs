//! Descriptions of rooms and exits.

use crate::access::audibility;
use crate::branch::{stairs, start_room};
use crate::creature::schedule;
use crate::effect::Class;
use crate::exit::webs::WEB;
use crate::exit::{clearing, hidden, pathfinding};
use crate::item::light;
use crate::message::{naming, tell};
use crate::room::features::lever::FAR_LEVER;
use crate::room::features::{chalk, clue, sign_of, trap};
use crate::room::occupants;
use crate::room::puzzle::views;
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{AccountId, BranchId, CharacterId, RoomId};
use deepwell_core::catalog::{RoomFlag, StartText};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{BriefRooms, Exit, ExitKind, ExitState, Room, RoomKind};

/// End of the description of the exit back.
pub(crate) const WAY_BACK: &str = "the way you came";

/// Maximum number of open exits in the summary for a returning player.
const EXITS_TOLD: usize = 4;

/// Description of a dark room for a character without a light.
const DARK: &str = "It is too dark to see more than the ways out.";

/// Shows the room to a character that has entered it. In brief mode the description is left out if the room was shown
/// before on this connection.
pub(crate) fn show_room(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    let most = turn.config.limits.rooms_known as usize;
    let Some(session) = turn.seated.get(&who) else { return };
    let Some(seat) = turn.seats.get_mut(session) else { return };
    let known = !seat.rooms_shown.insert(room);
    if seat.rooms_shown.len() > most {
        // The lowest numbers are those of the oldest rooms.
        seat.rooms_shown.pop_first();
    }
    let account = seat.account;
    let described = !(known && wants_brief(turn, account));
    let view = view(turn, who, described);
    tell::tell(turn, who, Class::Room, view);
}

/// Returns `true` if the account reads known rooms without their descriptions: by its setting, or by default with a
/// screen reader.
pub(crate) fn wants_brief(turn: &Turn, account: AccountId) -> bool {
    match turn.world.accounts[account].settings.brief {
        BriefRooms::On => true,
        BriefRooms::Off => false,
        BriefRooms::Auto => audibility::uses_screen_reader(turn, account),
    }
}

/// Describes the character's room: name, description, exits, items, occupants and obstacles.
pub(crate) fn view(turn: &Turn, who: CharacterId, described: bool) -> Markup {
    view_of(turn, who, turn.world.characters[who].room, described)
}

/// Describes any room as the character would see it there.
pub(crate) fn view_of(turn: &Turn, who: CharacterId, id: RoomId, described: bool) -> Markup {
    let room = &turn.world.rooms[id];
    let mut view = Markup::with_capacity(room.sheet.name.len() + room.sheet.description.len() + 256);
    view.push(Style::RoomName, &room.sheet.name);
    if !light::is_lit(turn, id) {
        describe_dark(turn, who, id, &mut view);
        return view;
    }
    if described {
        view.line(Style::Plain, &room.sheet.description);
    }
    if room.web {
        view.line(Style::Plain, WEB);
    }
    if let Some(hint) = &room.challenge.hint {
        view.line(Style::Plain, hint);
    }
    if let Some(clue) = clue::clue(turn, id) {
        view.line(Style::Plain, &clue);
    }
    for line in chalk::lines(turn, who, room) {
        view.line(Style::Plain, &line);
    }
    let exits: Vec<&Exit> =
        exits_in_order(turn, id).into_iter().filter(|exit| hidden::is_seen(turn, who, exit)).collect();
    for sign in exits.iter().copied().filter_map(sign_of) {
        view.line(Style::Plain, sign);
    }
    for sign in exits.iter().filter_map(|exit| trap::sign(turn, exit)) {
        view.line(Style::Plain, &sign);
    }
    if room.challenge.raises.is_some() {
        view.line(Style::Plain, FAR_LEVER);
    }
    view.line(Style::Plain, "Exits: ");
    list_exits(&exits, &mut view);
    if let Some(stairs) = stairs::stairs_line(turn, id) {
        view.line(Style::Plain, &stairs);
    }
    if room.sheet.board.is_some() {
        view.line(Style::Plain, "Notes hang on a board here.");
    }
    if room.has(RoomFlag::Expeditions) {
        view.line(Style::Plain, "Supplies for expeditions are sold here.");
    }
    for line in views::puzzle_lines(turn, id) {
        view.line(Style::Plain, &line);
    }
    for (name, count) in items_here(turn, id) {
        let sentence = if count == 1 { format!("{name} lies here.") } else { format!("{name} lie here.") };
        view.line(Style::Item, &grammar::capitalise(&sentence));
    }
    occupants::describe_occupants(turn, id, who, &mut view);
    if let Some(hour) = time_of_day::tried_hour(turn, who) {
        for line in schedule::lines_at(turn, id, hour) {
            view.line(Style::Hint, &line);
        }
    }
    footer(turn, room, described, &mut view);
    view
}

/// Adds what a character without a light perceives in a dark room: the exits, and that others are there.
fn describe_dark(turn: &Turn, who: CharacterId, id: RoomId, view: &mut Markup) {
    view.line(Style::Plain, DARK);
    view.line(Style::Plain, "Exits: ");
    let exits = exits_in_order(turn, id).into_iter().filter(|exit| hidden::is_seen(turn, who, exit));
    list_exits(&exits.collect::<Vec<_>>(), view);
    if turn.world.occupants(id).iter().any(|other| *other != who) {
        view.line(Style::Plain, "Something breathes here.");
    }
}

/// Returns the sentences of a room's description without its items and occupants.
pub(crate) fn text_of(turn: &Turn, id: RoomId) -> String {
    let room = &turn.world.rooms[id];
    let mut lines = vec![room.sheet.description.as_str()];
    lines.extend(room.web.then_some(WEB));
    lines.extend(room.challenge.hint.as_deref());
    lines.extend(exits_in_order(turn, id).into_iter().filter_map(sign_of));
    let traps: Vec<String> =
        exits_in_order(turn, id).into_iter().filter_map(|exit| trap::sign(turn, exit)).collect();
    lines.extend(traps.iter().map(String::as_str));
    lines.extend(room.challenge.raises.map(|_| FAR_LEVER));
    let clue = clue::clue(turn, id);
    lines.extend(clue.as_deref());
    let stairs = stairs::stairs_line(turn, id);
    lines.extend(stairs.as_deref());
    lines.join(" ")
}

/// Adds exits as "north, east", or "none"; text mappers rely on this format.
fn list_exits(exits: &[&Exit], view: &mut Markup) {
    for (at, exit) in exits.iter().enumerate() {
        if at > 0 {
            view.push(Style::Plain, ", ");
        }
        view.push(Style::Exit, &exit.name);
    }
    if exits.is_empty() {
        view.push(Style::Plain, "none");
    }
}

/// Returns the exits in conventional order: clockwise from north, then up and down, then the named ones.
pub(crate) fn exits_in_order(turn: &Turn, room: RoomId) -> Vec<&Exit> {
    let mut exits: Vec<&Exit> = turn.world.exits.of(room).collect();
    exits.sort_by_key(|exit| (exit.direction.is_none(), exit.direction));
    exits
}

fn items_here(turn: &Turn, room: RoomId) -> Vec<(String, usize)> {
    naming::grouped(turn, turn.world.ground(room))
}

/// Adds the lines below a room's text: the reason that the way onward is blocked, or in a start room the open branches
/// and the advice to companions. A start room that is not described gets the open branches in one short line.
fn footer(turn: &Turn, room: &Room, described: bool, view: &mut Markup) {
    if room.sheet.kind == RoomKind::Start {
        let exits = turn.world.exits.of(room.id).filter(|exit| exit.kind == ExitKind::Branch);
        if !described {
            open_branches(turn, exits, view);
            return;
        }
        for exit in exits {
            if let Some(line) = window_line(turn, exit) {
                view.line(Style::Hint, &line);
            }
        }
        view.line(Style::Hint, start_room::text(turn, room.id, StartText::Footer));
    } else if !room.clear {
        let leads_on = clearing::has_way_onward(turn, room.id);
        // The line about an idle guard says already what it does.
        let is_told = occupants::is_guard_idle(turn, room.id);
        let what = if is_told { String::new() } else { clearing::describe_obstacle(turn, room.id) };
        if leads_on || is_told || !what.is_empty() {
            let blocked = if leads_on { "The way onward is blocked." } else { "This dead end is blocked." };
            view.line(Style::Blocked, blocked);
            if !what.is_empty() {
                view.push(Style::Blocked, &format!(" {what}"));
            }
        }
    }
}

/// Adds "Open branches: east, west." if any branch is open.
fn open_branches<'a>(turn: &Turn, exits: impl Iterator<Item = &'a Exit>, view: &mut Markup) {
    let leads = |exit: &&Exit| exit.window.is_some_and(|to| turn.world.branches.get(to.branch).is_some());
    let open = grammar::list(exits.filter(leads).map(|exit| &exit.name));
    if !open.is_empty() {
        view.line(Style::Hint, &format!("Open branches: {open}."));
    }
}

/// Formats "East: a branch is open. ..."
fn window_line(turn: &Turn, exit: &Exit) -> Option<String> {
    Some(format!("{}: {}", grammar::capitalise(&exit.name), window_words(turn, exit)?))
}

/// Names the members of a branch; `None` if there are none.
fn members_of(turn: &Turn, branch: BranchId) -> Option<String> {
    let members: Vec<CharacterId> = turn.world.branches.members(branch).iter().copied().collect();
    let mut names = Markup::new();
    occupants::list_players(turn, &members, members.len(), &mut names);
    (!members.is_empty()).then(|| names.text().to_owned())
}

/// Describes the branches that start exits lead to, with their members, as in "Open below: east, where Bera went." The room
/// is named if several start. `None` if there are none.
pub(crate) fn open_below(turn: &Turn) -> Option<String> {
    let exits = turn.world.start_tasks.iter().flat_map(|(room, _)| turn.world.exits.of(room));
    let open = exits.filter_map(|exit| Some((exit, exit.window.as_ref()?.branch)));
    let open = open.filter(|(_, branch)| turn.world.branches.get(*branch).is_some());
    let has_several = turn.world.start_tasks.len() > 1;
    let branches = open.take(EXITS_TOLD).map(|(exit, branch)| {
        let room = &turn.world.rooms[exit.room].sheet.name;
        let place = if has_several { format!(" at {room}") } else { String::new() };
        match members_of(turn, branch) {
            Some(names) => format!("{}{place}, where {names} went", exit.name),
            None => format!("{}{place}, where nobody is now", exit.name),
        }
    });
    let branches: Vec<String> = branches.collect();
    (!branches.is_empty()).then(|| format!("Open below: {}.", branches.join("; ")))
}

fn window_words(turn: &Turn, exit: &Exit) -> Option<String> {
    let window = exit.window.as_ref()?;
    let who = members_of(turn, window.branch)
        .map_or_else(|| "Nobody is there now".to_owned(), |names| format!("{names} went there"));
    let left = deepwell_core::base::Span(window.guaranteed_until.0 - turn.now.0);
    let until = if left.0 > 0 {
        format!("It stays open for at least {left}.")
    } else {
        "It may close at any moment.".into()
    };
    Some(format!("a branch is open. {who}. {until}"))
}

/// Describes the view through an exit.
pub(crate) fn exit_words(turn: &Turn, exit: &Exit) -> String {
    if let Some(description) = views::puzzle_exit_words(turn, exit) {
        return description;
    }
    if let Some(door) = exit.shut_door() {
        return format!("the {} is shut", door.name);
    }
    match (exit.kind, exit.state, exit.to) {
        (ExitKind::Branch, _, Some(_)) => window_words(turn, exit).unwrap_or_default(),
        (ExitKind::Branch, _, None) => "a way to somewhere new, where nobody has been".into(),
        (ExitKind::Stairs, _, to) => stairs::stairs_words(turn, exit, to),
        (_, ExitState::Unexplored, _) => {
            let state = if turn.world.rooms[exit.room].clear { "unexplored" } else { "unexplored, blocked" };
            match sign_of(exit).map(str::to_owned).or_else(|| trap::sign(turn, exit)) {
                Some(sign) => format!("{state}. {sign}"),
                None => state.into(),
            }
        }
        (_, _, Some(to)) if pathfinding::leaves_for_good(turn, exit) => {
            let room = &turn.world.rooms[to].sheet.name;
            format!("{room}, one-way: the way in has closed, and whoever leaves does not come back by it")
        }
        (_, ExitState::OneWay, Some(to)) => {
            format!("{}, one-way: no path leads back from there", turn.world.rooms[to].sheet.name)
        }
        (_, _, Some(to)) if exit.back => format!("{}, {WAY_BACK}", turn.world.rooms[to].sheet.name),
        (_, _, Some(to)) => turn.world.rooms[to].sheet.name.clone(),
        (_, _, None) => "nowhere".into(),
    }
}

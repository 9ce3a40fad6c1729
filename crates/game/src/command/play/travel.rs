//! Travel commands other than directions.

use crate::character::stats;
use crate::command::build::room::walk;
use crate::command::parse::{Actor, Name};
use crate::command::spec::{CommandSpec, run, show};
use crate::exit::pathfinding;
use crate::exit::room_search::SearchLimit;
use crate::movement;
use crate::movement::enter;
use crate::refusal::{Refusal, refuse};
use crate::room::explored;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::RoomFlag;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{ExitState, RoomKind};
use std::collections::BTreeSet;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "recall",
        summary: "Takes you back to the town, from anywhere but a fight. Your branch may be lost to you.",
        example: "recall: you find yourself in the square above the well.",
        run: run!(recall),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "go",
        aliases: &["walk"],
        syntax: "go EXIT",
        summary: "Walks through an exit, or to a room next to this one. The direction alone does the same.",
        example: "go north: you walk north.",
        missing: "go and a direction or the name of an exit",
        run: run!(go),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "enter",
        aliases: &["climb"],
        syntax: "enter PLACE, climb up or down, or climb THING",
        summary: "Goes through an exit: by its name, by that of the room behind it, or by the ladder, rope or stairs that lead there.",
        example: "enter shop: you are in the chandler's shop. climb ladder: you are at the bottom of the well.",
        missing: "enter and a place, climb up, or climb down",
        yields_to_room: true,
        run: run!(|turn, actor, Name(name): Name<'_>| enter::enter(turn, actor.who, name)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "path",
        syntax: "path PLACE",
        summary: "Tells the steps to a room that you know: by its name, by what you remember of it, back to the start, to the stairs, or to the nearest exit that nobody has taken yet.",
        example: "path stairs: west, then south, then west.",
        missing: "path and the name of a room, path start, path stairs, or path unexplored",
        run: show!(path),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "where",
        summary: "Tells where you are, and which other climbers are near, with the way to each.",
        example: "where: Bera is in Clay with stones: east, then north.",
        run: show!(|turn, actor, ()| Ok(near_words(turn, actor.who))),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "descend",
        aliases: &["<", ">"],
        summary: "Goes down, where stairs or something else leads down.",
        example: "descend: you rest on the stairs for a moment, and are on the floor below.",
        run: run!(descend),
        ..CommandSpec::PLAYER
    },
];

fn recall(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    stats::require_peace(turn, actor.who)?;
    let body = &turn.world.characters[actor.who];
    let (here, home) = (body.room, body.home);
    if here == home {
        return Err(already_there());
    }
    if turn.world.rooms[here].has(RoomFlag::NoRecall) {
        return Err(refuse!("Something holds you here: recall does not work in this room."));
    }
    actor.answer(turn, "You close your eyes and think of daylight.")?;
    movement::transport(
        turn,
        actor.who,
        home,
        " closes both eyes and is gone.",
        " is suddenly here, blinking.",
    );
    turn.emit_event(GameEvent::Learned { who: actor.who, lesson: Lesson::CameHome });
    Ok(())
}

fn go(turn: &mut Turn, actor: Actor, Name(name): Name<'_>) -> Result<(), Refusal> {
    match (enter::exit_to(turn, actor.who, name), pathfinding::direction_named(turn, name)) {
        (Some(exit), _) => movement::walk(turn, actor.who, exit),
        (None, Some(direction)) => walk::step(turn, actor, direction).unwrap_or(Err(Refusal::NoWay)),
        (None, None) => Err(Refusal::NoWay),
    }
}

fn descend(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let down = pathfinding::exit_named(turn, room, "down").map(|exit| exit.id);
    let down = down.ok_or_else(|| refuse!("There are no stairs down here."))?;
    movement::walk(turn, actor.who, down)
}

fn path(turn: &Turn, actor: Actor, Name(place): Name<'_>) -> Result<Markup, Refusal> {
    if UNEXPLORED.iter().any(|word| word.eq_ignore_ascii_case(place)) {
        return way_to_unexplored(turn, actor.who);
    }
    let (steps, remembered) = steps_to(turn, actor.who, place)?;
    let mut line = way_in_words(&steps);
    if let Some(what) = remembered {
        line.push(Style::Plain, &format!(" There, as you remember it: {what}."));
    }
    Ok(line)
}

/// Formats a route: "The way: north, then east."
fn way_in_words(steps: &[String]) -> Markup {
    let mut line = Markup::plain("The way: ");
    for (n, step) in steps.iter().enumerate() {
        if n > 0 {
            line.push(Style::Plain, ", then ");
        }
        line.push(Style::Exit, step);
    }
    line.push(Style::Plain, ".");
    line
}

/// Bounds of a search for a path.
pub(crate) const PATH_LIMIT: SearchLimit = SearchLimit { rooms: 2_000, ..SearchLimit::NONE };

/// Arguments of `path` for the nearest unexplored exit.
const UNEXPLORED: [&str; 2] = ["unexplored", "onward"];

/// Finds the route through known rooms to the nearest room with unexplored exits, and those exits.
fn way_to_unexplored(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    let unexplored = |room: RoomId| -> Vec<String> {
        let exits = turn.world.exits.of(room).filter(|exit| exit.state == ExitState::Unexplored);
        exits.map(|exit| exit.name.clone()).collect()
    };
    let search = explored::search_known(turn, who, PATH_LIMIT, |_| true);
    let found = search.nearest(|room| !unexplored(room).is_empty());
    let (room, steps) =
        found.ok_or_else(|| refuse!("You know of no unexplored exit that you can reach from here."))?;
    let mut line = if steps.is_empty() { Markup::new() } else { way_in_words(&steps).and(" ") };
    let blocked = if turn.world.rooms[room].clear { "" } else { ", blocked until the room is clear" };
    let place = if steps.is_empty() { "here" } else { "from there" };
    line.push(Style::Plain, &format!("Unexplored {place}: {}{blocked}.", grammar::list(unexplored(room))));
    Ok(line)
}

/// Maximum distance, in rooms, at which a player counts as near.
const NEAR: usize = 8;

/// Describes the current location and nearby players, one per line, each with the route.
fn near_words(turn: &Turn, who: CharacterId) -> Markup {
    let here = turn.world.characters[who].room;
    let room = &turn.world.rooms[here];
    let dungeon_level = match turn.world.dungeon_level(here) {
        0 => String::new(),
        number => format!(", on dungeon level {number}"),
    };
    let mut page = Markup::plain(&format!("You are in {}{dungeon_level}.", room.name));
    let near: Vec<_> = players_near(turn, who).into_iter().filter(|(other, _)| *other != who).collect();
    let lost = party_elsewhere(turn, who, &near);
    let unknown = players_around(turn, who, &near, &lost);
    if near.is_empty() && lost.is_empty() && unknown.is_empty() {
        page.line(Style::Plain, "Nobody else is near.");
    }
    for (other, way) in near {
        let body = &turn.world.characters[other];
        page.line(Style::Player, &body.name);
        if way.is_empty() {
            page.push(Style::Plain, " is here.");
        } else {
            let place = &turn.world.rooms[body.room].name;
            page.push(Style::Plain, &format!(" is in {place}: {}.", way.join(", then ")));
        }
    }
    for other in lost {
        page.line(Style::Player, &turn.world.characters[other].name);
        page.push(Style::Plain, " is in this branch, but you know no way there.");
    }
    for other in unknown {
        page.line(Style::Player, &turn.world.characters[other].name);
        page.push(Style::Plain, " is near, but you know no way there.");
    }
    page
}

/// Returns the other awake players of the branch in the rooms around, to whom the character knows no way, or one that is too
/// long. They see the character in the same way.
fn players_around(
    turn: &Turn,
    who: CharacterId,
    near: &[(CharacterId, Vec<String>)],
    lost: &[CharacterId],
) -> Vec<CharacterId> {
    let body = &turn.world.characters[who];
    if body.branch.is_none() {
        return Vec::new();
    }
    let rooms =
        pathfinding::surroundings(turn, BTreeSet::from([body.room]), u32::try_from(NEAR).unwrap_or(u32::MAX));
    let all = rooms.into_iter().flat_map(|room| turn.world.occupants(room)).copied();
    let is_new = |other: &CharacterId| {
        let is_told = *other == who || lost.contains(other) || near.iter().any(|(found, _)| found == other);
        !is_told && turn.world.characters[*other].is_player() && turn.world.characters[*other].awake
    };
    all.filter(is_new).collect()
}

/// Returns the party members in the same branch who are not near.
fn party_elsewhere(turn: &Turn, who: CharacterId, near: &[(CharacterId, Vec<String>)]) -> Vec<CharacterId> {
    let (branch, world) = (turn.world.characters[who].branch, &turn.world);
    let party = world.parties.of(who).map(|party| world.parties[party].members.iter().copied());
    let astray = |other: &CharacterId| {
        let body = &world.characters[*other];
        let found = *other == who || near.iter().any(|(found, _)| found == other);
        !found && body.awake && branch.is_some() && body.branch == branch
    };
    party.into_iter().flatten().filter(astray).collect()
}

/// Returns the awake players in nearby rooms, nearest first, each with the route. Includes only rooms that the
/// character knows, in the same branch.
fn players_near(turn: &Turn, who: CharacterId) -> Vec<(CharacterId, Vec<String>)> {
    let branch = turn.world.rooms[turn.world.characters[who].room].branch;
    let limit = SearchLimit { steps: NEAR, ..PATH_LIMIT };
    let mut search = explored::search_known(turn, who, limit, |room| room.branch == branch);
    let mut found = Vec::new();
    while let Some(room) = search.next() {
        let players = turn.world.occupants(room).iter().filter(|id| turn.world.characters[**id].is_player());
        found.extend(players.map(|id| (*id, search.way_to(room).unwrap_or_default())));
    }
    found
}

/// Finds the route through known rooms to the nearest room with a name or a remembered feature; `start` means the start
/// room. Includes the memory by which the room was found.
fn steps_to(turn: &Turn, who: CharacterId, words: &str) -> Result<(Vec<String>, Option<String>), Refusal> {
    let typed = words.to_lowercase();
    let from = turn.world.characters[who].room;
    let floor = turn.world.rooms[from].floor;
    let start = turn.world.rooms[from].branch.map(|branch| turn.world.branches[branch].start_room);
    let home = |id: RoomId| {
        let is_start = start.map_or(turn.world.rooms[id].kind == RoomKind::Start, |start| id == start);
        matches!(typed.as_str(), "start" | "back") && is_start
    };
    let named = |id: RoomId| {
        let room = &turn.world.rooms[id];
        home(id)
            || room.name.to_lowercase().contains(&typed)
            || room.aliases.iter().any(|alias| alias.to_lowercase() == typed)
    };
    // Stairs are searched on the current floor only.
    let near = |id: RoomId| !typed.starts_with("stair") || turn.world.rooms[id].floor == floor;
    let recalled = |id: RoomId| near(id) && explored::is_recalled(turn, who, id, &typed);
    let wanted = |id: RoomId| named(id) || recalled(id);
    if recalled(from) || home(from) {
        return Err(already_there());
    }
    let search = explored::search_known(turn, who, PATH_LIMIT, |_| true);
    if let Some((room, steps)) = search.nearest(|room| room != from && wanted(room)) {
        let remembered = if named(room) { None } else { explored::recollection(turn, who, room).words() };
        return Ok((steps, remembered));
    }
    if wanted(from) {
        return Err(already_there());
    }
    Err(refuse!("You know no way to \"{words}\"."))
}

/// Returns the refusal to go to the room where the character is.
fn already_there() -> Refusal {
    refuse!("You are there already.")
}

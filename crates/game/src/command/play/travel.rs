//! Travel commands other than directions.

use crate::character::stats;
use crate::command::build::room::walk;
use crate::command::parse::{Actor, NameArgument};
use crate::command::spec::{CommandSpec, run, show};
use crate::creature::companion;
use crate::exit::pathfinding;
use crate::exit::room_search::SearchLimit;
use crate::expedition::pocket;
use crate::movement;
use crate::movement::enter;
use crate::refusal::{Refusal, refuse};
use crate::room::{explored, walk_plan};
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
        syntax: "recall [now]",
        summary: "Takes you back to the town, from anywhere but a fight, unless you lead a captive. Your branch may be lost to you. Out of an expedition it leaves behind what you do not wear, and asks before.",
        example: "recall: you find yourself in the square above the well.",
        run: run!(recall),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "go",
        aliases: &["walk"],
        syntax: "go EXIT | EXITS | PLACE",
        summary: "Walks through an exit; through several, as in go n n e or go 3n e; or to any place that path knows, such as go home, go start or go unexplored. A walk stops when something happens, and at stop.",
        example: "go 2n e: you walk north, north and east, a step at a time.",
        missing: "go and a direction, the name of an exit, or a place",
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
        run: run!(|turn, actor, NameArgument(name): NameArgument<'_>| enter::enter(turn, actor.who, name)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "path",
        syntax: "path PLACE",
        summary: "Tells the steps to a room that you know: by its name, by what you remember of it, back to the start, home, to the stairs, or to the nearest exit that nobody has taken yet.",
        example: "path stairs: west, then south, then west.",
        missing: "path and the name of a room, path start, path home, path stairs, or path unexplored",
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

fn recall(turn: &mut Turn, actor: Actor, word: Option<NameArgument<'_>>) -> Result<(), Refusal> {
    stats::require_peace(turn, actor.who)?;
    let body = &turn.world.characters[actor.who];
    let (here, home) = (body.room, body.home);
    if here == home {
        return Err(already_there());
    }
    if turn.world.rooms[here].has(RoomFlag::NoRecall) {
        return Err(refuse!("Something holds you here: recall does not work in this room."));
    }
    if companion::leads_captive(turn, actor.who) {
        return Err(refuse!(
            "Recall takes you alone, and somebody whom you have freed counts on you: walk out together, or dismiss them."
        ));
    }
    if let Some(toll) = pocket::toll(turn, actor.who) {
        if !NameArgument::or_nothing(word).eq_ignore_ascii_case("now") {
            let message = pocket::toll_words(turn, &toll);
            return actor.answer(turn, message);
        }
        pocket::pay(turn, actor.who, &toll)?;
    }
    // Leaving a branch is noted by the movement itself.
    let was_below = turn.world.characters[actor.who].branch.is_some();
    actor.answer(turn, "You close your eyes and think of daylight.")?;
    movement::transport(
        turn,
        actor.who,
        home,
        " closes both eyes and is gone.",
        " is suddenly here, blinking.",
    );
    if !was_below {
        turn.emit_event(GameEvent::Learned { who: actor.who, lesson: Lesson::CameHome });
    }
    Ok(())
}

fn go(turn: &mut Turn, actor: Actor, NameArgument(name): NameArgument<'_>) -> Result<(), Refusal> {
    match (enter::exit_to(turn, actor.who, name), pathfinding::direction_named(turn, name)) {
        (Some(exit), _) => movement::walk(turn, actor.who, exit),
        (None, Some(direction)) => walk::step(turn, actor, direction).unwrap_or(Err(Refusal::NoWay)),
        (None, None) => {
            let steps = typed_steps(turn, name)?.map_or_else(|| steps_to_place(turn, actor.who, name), Ok)?;
            walk_plan::begin(turn, actor.who, steps)
        }
    }
}

/// Parses several directions, each perhaps with a number before it: `n n e`, `2n, e`. `None` for other words.
fn typed_steps(turn: &Turn, typed: &str) -> Result<Option<Vec<String>>, Refusal> {
    let most = turn.config.limits.walk_steps as usize;
    let mut steps: Vec<String> = Vec::new();
    for word in typed.split([' ', ',']).filter(|word| !word.is_empty()) {
        let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let times = word[..word.len() - letters.len()].parse().unwrap_or(1_usize);
        let Some(direction) = pathfinding::direction_named(turn, letters) else { return Ok(None) };
        // One step too many is refused.
        let room_for = (most + 1).saturating_sub(steps.len());
        steps.extend(std::iter::repeat_n(direction.name().to_owned(), times.min(room_for)));
    }
    if steps.is_empty() { Err(Refusal::NoWay) } else { Ok(Some(steps)) }
}

/// Finds the steps to a place that `path` knows.
fn steps_to_place(turn: &Turn, who: CharacterId, place: &str) -> Result<Vec<String>, Refusal> {
    let steps = if is_unexplored(place) {
        unexplored_near(turn, who)?.1
    } else {
        steps_to(turn, who, place)?.ok_or(Refusal::NoWay)?.0
    };
    if steps.is_empty() { Err(already_there()) } else { Ok(steps) }
}

fn descend(turn: &mut Turn, actor: Actor, (): ()) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let down = pathfinding::exit_named(turn, room, "down").map(|exit| exit.id);
    let down = down.ok_or_else(|| refuse!("There are no stairs down here."))?;
    movement::walk(turn, actor.who, down)
}

fn path(turn: &Turn, actor: Actor, NameArgument(place): NameArgument<'_>) -> Result<Markup, Refusal> {
    if is_unexplored(place) {
        return way_to_unexplored(turn, actor.who);
    }
    let found = steps_to(turn, actor.who, place)?;
    let (steps, remembered) = found.ok_or_else(|| refuse!("You know no way to \"{place}\"."))?;
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

fn is_unexplored(place: &str) -> bool {
    UNEXPLORED.iter().any(|word| word.eq_ignore_ascii_case(place))
}

/// Returns the names of the unexplored exits of a room.
fn unexplored_exits(turn: &Turn, room: RoomId) -> Vec<String> {
    let exits = turn.world.exits.of(room).filter(|exit| exit.state == ExitState::Unexplored);
    exits.map(|exit| exit.name.clone()).collect()
}

/// Finds the nearest room with unexplored exits, and the route there through known rooms.
fn unexplored_near(turn: &Turn, who: CharacterId) -> Result<(RoomId, Vec<String>), Refusal> {
    let search = explored::search_known(turn, who, PATH_LIMIT, |_| true);
    let found = search.nearest(|room| !unexplored_exits(turn, room).is_empty());
    found.ok_or_else(|| refuse!("You know of no unexplored exit that you can reach from here."))
}

/// Tells the route to the nearest room with unexplored exits, and those exits.
fn way_to_unexplored(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    let (room, steps) = unexplored_near(turn, who)?;
    let mut line = if steps.is_empty() { Markup::new() } else { way_in_words(&steps).and(" ") };
    let blocked = if turn.world.rooms[room].clear { "" } else { ", blocked until the room is clear" };
    let place = if steps.is_empty() { "here" } else { "from there" };
    line.push(
        Style::Plain,
        &format!("Unexplored {place}: {}{blocked}.", grammar::list(unexplored_exits(turn, room))),
    );
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
    let mut page = Markup::plain(&format!("You are in {}{dungeon_level}.", room.sheet.name));
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
            let place = &turn.world.rooms[body.room].sheet.name;
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

/// Steps to a room, and the memory by which it was found.
type KnownWay = (Vec<String>, Option<String>);

/// Finds the route through known rooms to the nearest room with a name or a remembered feature; `start` means the start
/// room, and `home` that to which `recall` leads. Includes the memory by which the room was found. `None` if no known
/// room matches.
fn steps_to(turn: &Turn, who: CharacterId, place: &str) -> Result<Option<KnownWay>, Refusal> {
    let typed = place.to_lowercase();
    let from = turn.world.characters[who].room;
    let floor = turn.world.rooms[from].floor;
    let start = turn.world.rooms[from].branch.map(|branch| turn.world.branches[branch].start_room);
    let home = |id: RoomId| {
        let is_start = start.map_or(turn.world.rooms[id].sheet.kind == RoomKind::Start, |start| id == start);
        let is_home = typed == "home" && id == turn.world.characters[who].home;
        is_home || (matches!(typed.as_str(), "start" | "back") && is_start)
    };
    let named = |id: RoomId| {
        let room = &turn.world.rooms[id];
        home(id)
            || room.sheet.name.to_lowercase().contains(&typed)
            || room.sheet.aliases.iter().any(|alias| alias.to_lowercase() == typed)
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
        return Ok(Some((steps, remembered)));
    }
    if wanted(from) {
        return Err(already_there());
    }
    Ok(None)
}

/// Returns the refusal to go to the room where the character is.
fn already_there() -> Refusal {
    refuse!("You are there already.")
}

//! Map of the explored rooms around a character, drawn or as text.

use crate::access::audibility;
use crate::command::parse::{Actor, SpeechArgument};
use crate::command::play::travel;
use crate::exit::{clearing, hidden, pathfinding, puzzle_exits, webs};
use crate::refusal::Refusal;
use crate::room::explored;
use crate::room::explored::Recollection;
use crate::room::puzzle::views;
use crate::turn::Turn;
use deepwell_core::base::grid::Rect;
use deepwell_core::base::{CharacterId, Direction, Point, RoomId};
use deepwell_core::dungeon::map;
use deepwell_core::dungeon::map::{MapExit, MapRoom};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, ExitState, Room};
use std::collections::BTreeSet;

/// Maximum columns and lines of a map; fits a small window.
const MAP_SIZE: (u16, u16) = (73, 21);

/// Legend of map symbols.
const MARKS: &[(char, &str)] = &[
    ('@', "you"),
    ('S', "the start"),
    ('U', "the stairs up"),
    ('D', "a room with stairs down"),
    ('o', "a room"),
    ('i', "a room where something lay"),
    ('X', "a room that is not clear"),
    ('w', "a room full of web"),
    ('N', "the way in and out"),
    ('E', "a room with an enemy"),
    ('G', "a room with a glyph"),
    ('T', "a room with something in it"),
    ('P', "a portal"),
    ('F', "the finish"),
    ('u', "a room with a way up"),
    ('d', "a room with a way down"),
    ('b', "a room with ways up and down"),
];

pub(crate) fn draw_map(
    turn: &Turn,
    actor: Actor,
    SpeechArgument(typed): SpeechArgument<'_>,
) -> Result<Markup, Refusal> {
    let here = turn.world.characters[actor.who].room;
    let room = &turn.world.rooms[here];
    if audibility::uses_screen_reader(turn, actor.account) || typed.eq_ignore_ascii_case("words") {
        return Ok(chart_in_words(turn, actor.who));
    }
    let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
    let rooms = chart(turn, actor.who, view);
    let mut page = Markup::new();
    for line in map::picture(&rooms, Some(view)).iter().chain(&map::legend(&rooms, MARKS)) {
        page.line(Style::Plain, line);
    }
    for line in remembered_around(turn, actor.who, view) {
        page.line(Style::Plain, &line);
    }
    Ok(page)
}

/// Maximum number of rooms in a text map, nearest first.
const ROOMS_IN_WORDS: usize = 12;

/// Formats an offset: "two steps north and one step east", "here".
fn bearing(from: Point, to: Point) -> String {
    let steps = |count: i32, ahead: &str, behind: &str| {
        let distance = grammar::counted(count.unsigned_abs(), "step");
        (count != 0).then(|| format!("{distance} {}", if count > 0 { ahead } else { behind }))
    };
    let parts = [steps(to.y - from.y, "north", "south"), steps(to.x - from.x, "east", "west")];
    grammar::list_or("here", parts.into_iter().flatten())
}

/// Returns the positions of rooms relative to a character. In hand-built areas the route is given where it differs from
/// the bearing, because exits there may lead elsewhere.
fn headings(turn: &Turn, who: CharacterId, rooms: &[(Point, RoomId)]) -> Vec<String> {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    let bearings = rooms.iter().map(|(at, _)| bearing(room.at, *at));
    if room.branch.is_some() {
        return bearings.collect();
    }
    let mut search = explored::search_known(turn, who, travel::PATH_LIMIT, |_| true);
    let mut missing: BTreeSet<RoomId> = rooms.iter().map(|(_, id)| *id).collect();
    search.find(|room| {
        missing.remove(room);
        missing.is_empty()
    });
    let heading = |((at, id), bearing): (&(Point, RoomId), String)| {
        let far = room.at.x.abs_diff(at.x) + room.at.y.abs_diff(at.y);
        let Some(steps) = search.way_to(*id) else { return format!("{bearing}, by no way that is open") };
        let end = steps.iter().try_fold(room.at, |at, step| Some(at.step(Direction::parse_any(step)?)));
        let is_straight = steps.len() == far as usize && end == Some(*at);
        if is_straight { bearing } else { format!("by {}", steps.join(", then ")) }
    };
    rooms.iter().zip(bearings).map(heading).collect()
}

/// Describes the position of a room on its floor: "two steps north of the start".
fn whereabouts(room: &Room) -> String {
    match room.floor {
        ..=1 => format!("{} of the start", bearing(Point::ORIGIN, room.at)),
        _ if room.at == Point::ORIGIN => "at the foot of the stairs".into(),
        _ => format!("{} of the stairs up", bearing(Point::ORIGIN, room.at)),
    }
}

/// Describes the map for screen readers: the current position, and the nearest rooms with unexplored exits.
fn chart_in_words(turn: &Turn, who: CharacterId) -> Markup {
    let here = turn.world.characters[who].room;
    let room = &turn.world.rooms[here];
    let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
    let place = views::puzzle_bearing(turn, here, bearing).unwrap_or_else(|| whereabouts(room));
    let mut page = Markup::plain(&match turn.world.dungeon_level(here) {
        0 => format!("You are in {}.", room.sheet.name),
        level => format!("You are in {}, on dungeon level {level}, {place}.", room.sheet.name),
    });
    let mut around = rooms_around(turn, who, view);
    let left_out = around.len().saturating_sub(ROOMS_IN_WORDS);
    around.truncate(ROOMS_IN_WORDS);
    for ((_, id), heading) in around.iter().copied().zip(headings(turn, who, &around)) {
        let other = &turn.world.rooms[id];
        let exits = || turn.world.exits.of(id).filter(|exit| hidden::is_seen(turn, who, exit));
        let open = exits().filter(|exit| exit.state == ExitState::Unexplored);
        let open = sentence("Unexplored", open);
        let unseen =
            sentence("Not seen by you", exits().filter(|exit| explored::leads_to_unseen(turn, who, exit)));
        let shut = match (other.web, other.clear) {
            (true, _) => " A web fills it and hides what lies beyond.",
            (false, true) => "",
            (false, false) if clearing::has_way_onward(turn, id) => " The ways onward are blocked.",
            (false, false) => " It is not clear yet.",
        };
        let known = if id == here { None } else { remembered_words(turn, who, id) };
        let known = known.map(|message| format!(" {}", grammar::capitalise(&message))).unwrap_or_default();
        let known = views::puzzle_brief(turn, id).map_or(known, |inside| format!(" There: {inside}."));
        let message = format!("{heading}: {}.{open}{unseen}{shut}{known}", other.sheet.name);
        page.line(Style::Plain, &grammar::capitalise(&message));
    }
    if left_out > 0 {
        let rooms = grammar::counted(left_out, "more room");
        let are = if left_out == 1 { "is" } else { "are" };
        let rest = format!(
            "{} that you know {are} left out. Type path and a name to go there.",
            grammar::capitalise(&rooms)
        );
        page.line(Style::Hint, &rest);
    }
    page
}

/// Formats the names of exits after a heading: " Unexplored: north and east."; empty without exits.
fn sentence<'a>(heading: &str, exits: impl Iterator<Item = &'a Exit>) -> String {
    let names = grammar::list(exits.map(|exit| &exit.name));
    if names.is_empty() { names } else { format!(" {heading}: {names}.") }
}

/// Returns the known rooms of a floor within view, nearest first. Visits only the visible part of the floor.
fn rooms_around(turn: &Turn, who: CharacterId, view: Rect) -> Vec<(Point, RoomId)> {
    let here = turn.world.characters[who].room;
    let room = &turn.world.rooms[here];
    let Some(branch) = room.branch else { return rooms_built_around(turn, who, view) };
    let index = turn.world.branches.index_of(branch);
    let mut rooms: Vec<(Point, RoomId)> = index
        .into_iter()
        .flat_map(|index| index.rooms.range((room.floor, view.min)..=(room.floor, view.max)))
        .map(|((_, at), id)| (*at, *id))
        .filter(|(at, id)| view.contains(*at) && explored::knows(turn, who, *id))
        .collect();
    let hidden = webs::hidden_by_webs(turn, here, &rooms.iter().map(|(_, id)| *id).collect());
    rooms.retain(|(_, id)| !hidden.contains(id));
    rooms.sort_by_key(|(at, _)| (at.x.abs_diff(room.at.x) + at.y.abs_diff(room.at.y), *at));
    rooms
}

/// Returns the known rooms within view at the same height, in a hand-built area.
fn rooms_built_around(turn: &Turn, who: CharacterId, view: Rect) -> Vec<(Point, RoomId)> {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    let known = explored::rooms_known(turn, who, turn.config.limits.map_rooms as usize).into_iter();
    let mut rooms: Vec<(Point, RoomId)> = known.map(|id| (turn.world.rooms[id].at, id)).collect();
    rooms.retain(|(at, id)| view.contains(*at) && turn.world.rooms[*id].height() == room.height());
    rooms.sort_by_key(|(at, _)| (at.x.abs_diff(room.at.x) + at.y.abs_diff(room.at.y), *at));
    rooms
}

/// Returns the map symbol of a hand-built room: shows exits up and down.
fn mark_of_built(exits: &[MapExit]) -> char {
    let leads = |direction| exits.iter().any(|exit| exit.direction == direction);
    match (leads(Direction::Up), leads(Direction::Down)) {
        (true, true) => 'b',
        (true, false) => 'u',
        (false, true) => 'd',
        (false, false) => 'o',
    }
}

/// Formats memories of a room: "remembered: stairs down and a clay lamp."
pub(crate) fn remembered_words(turn: &Turn, who: CharacterId, room: RoomId) -> Option<String> {
    Some(format!("remembered: {}.", explored::recollection(turn, who, room).words()?))
}

/// Lists memories of the rooms in view, one per line, nearest first; in hand-built areas the names of the rooms.
fn remembered_around(turn: &Turn, who: CharacterId, view: Rect) -> Vec<String> {
    let here = turn.world.characters[who].room;
    let mut others = rooms_around(turn, who, view);
    let is_told =
        |id: RoomId| turn.world.rooms[id].branch.is_none() || remembered_words(turn, who, id).is_some();
    others.retain(|(_, id)| *id != here && is_told(*id));
    others.truncate(ROOMS_IN_WORDS);
    let line = |((_, id), heading): (&(Point, RoomId), String)| {
        let (id, heading) = (*id, grammar::capitalise(&heading).into_owned());
        let room = &turn.world.rooms[id];
        let memory = match room.branch {
            Some(_) => remembered_words(turn, who, id)?,
            None => format!("{}.", room.sheet.name),
        };
        Some(format!("{heading}, {memory}"))
    };
    others.iter().zip(headings(turn, who, &others)).filter_map(line).collect()
}

/// Returns the rooms around a character, for drawing.
fn chart(turn: &Turn, who: CharacterId, view: Rect) -> Vec<MapRoom> {
    let known = rooms_around(turn, who, view).into_iter();
    let mut rooms: Vec<MapRoom> = known.map(|(at, id)| map_room(turn, who, at, id)).collect();
    let room = &turn.world.rooms[turn.world.characters[who].room];
    if room.floor == 1 && view.contains(Point::ORIGIN) {
        rooms.push(MapRoom { at: Point::ORIGIN, mark: 'S', exits: Vec::new() });
    }
    rooms
}

fn map_room(turn: &Turn, who: CharacterId, at: Point, id: RoomId) -> MapRoom {
    let here = turn.world.characters[who].room == id;
    // A web hides the exits of its room; the connection is drawn from the other side.
    let exits = turn.world.exits.of(id).filter(|_| here || !turn.world.rooms[id].web);
    let exits = exits.filter(|exit| hidden::is_seen(turn, who, exit));
    let state = |exit: &Exit| match pathfinding::shown_state(turn, exit) {
        ExitState::Open | ExitState::OneWay if explored::leads_to_unseen(turn, who, exit) => {
            ExitState::Unexplored
        }
        state => state,
    };
    let way = |exit: &Exit| Some(MapExit { direction: exit.direction?, state: state(exit) });
    let exits: Vec<MapExit> = exits.filter_map(way).collect();
    let room = &turn.world.rooms[id];
    let known = if here { Recollection::default() } else { explored::recollection(turn, who, id) };
    let mark = match room.clear {
        _ if here => '@',
        _ if room.branch.is_none() => mark_of_built(&exits),
        _ if puzzle_exits::puzzle_mark(turn, id).is_some() => {
            puzzle_exits::puzzle_mark(turn, id).unwrap_or('o')
        }
        _ if room.web => 'w',
        _ if known.portal.is_some() => 'P',
        _ if known.stairs => 'D',
        _ if room.floor > 1 && at == Point::ORIGIN => 'U',
        false => 'X',
        true if !known.things.is_empty() => 'i',
        true => 'o',
    };
    MapRoom { at, mark, exits }
}

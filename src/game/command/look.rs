//! Seeing: the room, things and people in it, exits, what lies next door, the map.

use crate::base::grid::Rect;
use crate::base::{CharacterId, Direction, Point, RoomId};
use crate::catalog::guide::Lesson;
use crate::dungeon::map;
use crate::dungeon::map::{MapExit, MapRoom};
use crate::game::command::resolve::{means_lever, means_portcullis};
use crate::game::command::spec::{Actor, CommandSpec, Needs};
use crate::game::command::{gear, pick, resolve, sheet};
use crate::game::creatures::{heard, mind};
use crate::game::effect::Class;
use crate::game::memory::Recollection;
use crate::game::puzzle::sights;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::webs::WEB;
use crate::game::{body, hearing, look, memory, naming, portcullis, puzzle_state, tell, ways, webs};
use crate::text::{Markup, Style, grammar};
use crate::world::{Exit, ExitKind, ExitState, Role, Room};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "look",
        aliases: &["l"],
        needs: Needs::Nothing,
        syntax: "look [THING or DIRECTION]",
        summary: "Shows the room you are in, or one thing, being or exit of it.",
        example: "look east: tells what is known of the way east.",
        teaches: Some(Lesson::Looked),
        run: look,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "exits",
        aliases: &["ex"],
        needs: Needs::Nothing,
        syntax: "exits",
        summary: "Lists the ways out, one a line, and what is known of each.",
        example: "exits: north: unexplored.",
        teaches: Some(Lesson::SawExits),
        run: exits,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "examine",
        aliases: &["x", "exa"],
        needs: Needs::Nothing,
        syntax: "examine THING",
        summary: "Looks closely. Builders see a room's or an exit's settings too.",
        example: "examine rat: shows the rat and how it is doing.",
        run: examine,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "scan",
        needs: Needs::Nothing,
        syntax: "scan",
        summary: "Tells who is in the rooms next to yours.",
        example: "scan: east, in Clay with stones: a clay rat.",
        run: scan,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "listen",
        needs: Needs::Nothing,
        syntax: "listen",
        summary: "Tells what can be heard from the rooms around: heavy feet, fights, something asleep.",
        example: "listen: From the north, two rooms away: Hooves strike stone, slow and heavy.",
        run: listen,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "map",
        needs: Needs::Nothing,
        syntax: "map, or map words",
        summary: "Draws the explored rooms around you, or tells them in words, the nearest first.",
        example: "map words: You are in Clay with stones, on dungeon level 2, one step east of the start.",
        teaches: Some(Lesson::SawMap),
        run: draw_map,
        ..CommandSpec::PLAYER
    },
];

fn look(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let words = ["at ", "in "].iter().find_map(|word| words.strip_prefix(word)).unwrap_or(words);
    if words.is_empty() {
        let view = look::view(turn, actor.who, true);
        tell::tell(turn, actor.who, Class::Room, view);
        look::send_room_info(turn, actor.who);
        return Ok(());
    }
    let room = turn.world.characters[actor.who].room;
    if let Some(exit) = ways::exit_named(turn, room, words) {
        let mut view = Markup::styled(Style::Exit, &grammar::capitalise(&exit.name));
        view.push(Style::Plain, &format!(": {}.", look::exit_words(turn, exit).trim_end_matches('.')));
        if !exit.description.is_empty() {
            view.line(Style::Plain, &exit.description);
        }
        if let Some(words) = sights::glimpse(turn, exit) {
            view.line(Style::Plain, &words);
        }
        if let Some(words) = exit.to.and_then(|to| remembered_words(turn, to)) {
            view.line(Style::Plain, &grammar::capitalise(&words));
        }
        if webs::is_webbed(turn, exit) {
            view.line(Style::Plain, WEB);
        }
        tell::tell(turn, actor.who, Class::Reply, view);
        return Ok(());
    }
    if let Some(direction) = Direction::parse(words) {
        return Err(puzzle_state::closed_way(turn, room, direction).unwrap_or(Refusal::NoWay));
    }
    let view = close_look(turn, actor.who, words)?;
    tell::tell(turn, actor.who, Class::Reply, view);
    Ok(())
}

fn examine(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let builds = turn.world.accounts[actor.account].role >= Role::Builder;
    if builds && let Some(view) = sheet::builder_view(turn, actor.who, words) {
        tell::tell(turn, actor.who, Class::Reply, view);
        return Ok(());
    }
    if words.is_empty() {
        return Err(Refusal::Missing("examine and what you want to see closely"));
    }
    look(turn, actor, words)
}

fn exits(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let mut view = Markup::new();
    for exit in look::exits_in_order(turn, room) {
        view.line(Style::Exit, &exit.name);
        view.push(Style::Plain, &format!(": {}", look::exit_words(turn, exit)));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no way out.");
    }
    tell::tell(turn, actor.who, Class::Reply, view);
    Ok(())
}

fn scan(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = turn.world.characters[actor.who].room;
    let mut view = Markup::new();
    let open = |exit: &&Exit| exit.kind == ExitKind::Exit && exit.state != ExitState::Locked;
    for exit in look::exits_in_order(turn, room).into_iter().filter(open) {
        let Some(to) = exit.to else { continue };
        if webs::is_webbed(turn, exit) {
            view.line(Style::Exit, &grammar::capitalise(&exit.name));
            view.push(
                Style::Plain,
                &format!(", in {}: {WEB} You cannot see through it.", turn.world.rooms[to].name),
            );
            continue;
        }
        let names: Vec<String> =
            turn.world.occupants(to).iter().map(|id| naming::shown_name(turn, *id)).collect();
        let who = if names.is_empty() { "nobody".into() } else { grammar::list(&names) };
        view.line(Style::Exit, &grammar::capitalise(&exit.name));
        view.push(Style::Plain, &format!(", in {}: {who}.", turn.world.rooms[to].name));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no room next to this one that you can see into.");
    }
    tell::tell(turn, actor.who, Class::Reply, view);
    Ok(())
}

fn listen(turn: &mut Turn, actor: Actor, _: &str) -> Result<(), Refusal> {
    let heard = heard::listen(turn, actor.who);
    tell::tell(turn, actor.who, Class::Reply, heard);
    Ok(())
}

/// Columns and lines that a map takes at most, so that it fits a small window.
const MAP_SIZE: (u16, u16) = (73, 21);

/// What the letters of a map mean.
const MARKS: [(char, &str); 14] = [
    ('@', "you"),
    ('S', "the start"),
    ('U', "the stairs up"),
    ('D', "a room with stairs down"),
    ('o', "a room"),
    ('i', "a room where something lay"),
    ('X', "a room whose ways onward are blocked"),
    ('w', "a room full of web"),
    ('N', "the way in and out"),
    ('E', "a room with an enemy"),
    ('G', "a room with a glyph"),
    ('T', "a room with something in it"),
    ('P', "a portal"),
    ('F', "the finish"),
];

fn draw_map(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let here = turn.world.characters[actor.who].room;
    let room = &turn.world.rooms[here];
    if room.branch.is_none() {
        return Err(Refusal::Because("There is no map of this place; exits tells the ways out.".into()));
    }
    if hearing::is_read_aloud(turn, actor.account) || words.eq_ignore_ascii_case("words") {
        let page = chart_in_words(turn, here);
        tell::tell(turn, actor.who, Class::Reply, page);
        return Ok(());
    }
    let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
    let rooms = chart(turn, here, view);
    let mut page = Markup::new();
    for line in map::picture(&rooms, Some(view)).iter().chain(&map::legend(&rooms, &MARKS)) {
        page.line(Style::Plain, line);
    }
    remembered_around(turn, here, view).into_iter().for_each(|line| page.line(Style::Plain, &line));
    tell::tell(turn, actor.who, Class::Reply, page);
    Ok(())
}

/// How many rooms a map in words names, the nearest first.
const ROOMS_IN_WORDS: usize = 12;

/// "two steps north and one step east", "here".
fn bearing(from: Point, to: Point) -> String {
    let steps = |count: i32, ahead: &str, behind: &str| {
        let words = grammar::counted(count.unsigned_abs(), "step", None);
        (count != 0).then(|| format!("{words} {}", if count > 0 { ahead } else { behind }))
    };
    let parts: Vec<String> = [steps(to.y - from.y, "north", "south"), steps(to.x - from.x, "east", "west")]
        .into_iter()
        .flatten()
        .collect();
    if parts.is_empty() { "here".into() } else { grammar::list(&parts) }
}

/// Where on its floor a room is: "two steps north of the start".
fn whereabouts(room: &Room) -> String {
    match room.floor {
        ..=1 => format!("{} of the start", bearing(Point::ORIGIN, room.at)),
        _ if room.at == Point::ORIGIN => "at the foot of the stairs".into(),
        _ => format!("{} of the stairs up", bearing(Point::ORIGIN, room.at)),
    }
}

/// The map for those who have it read aloud: where one is, and the nearest rooms with their open questions.
fn chart_in_words(turn: &Turn, here: RoomId) -> Markup {
    let room = &turn.world.rooms[here];
    let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
    let mut page = Markup::plain(&format!(
        "You are in {}, on dungeon level {}, {}.",
        room.name,
        turn.world.dungeon_level(here),
        sights::puzzle_bearing(turn, here, bearing).unwrap_or_else(|| whereabouts(room))
    ));
    for (at, id) in rooms_around(turn, here, view).into_iter().take(ROOMS_IN_WORDS) {
        let other = &turn.world.rooms[id];
        let open = turn.world.exits_of(id).filter(|exit| exit.state == ExitState::Unexplored);
        let open: Vec<&str> = open.map(|exit| exit.name.as_str()).collect();
        let open = match open.as_slice() {
            [] => String::new(),
            open => format!(" Unexplored: {}.", grammar::list(open)),
        };
        let shut = match (other.web, other.clear) {
            (true, _) => " A web fills it and hides what lies beyond.",
            (false, true) => "",
            (false, false) => " The ways onward are blocked.",
        };
        let known = if id == here { None } else { remembered_words(turn, id) };
        let known = known.map(|words| format!(" {}", grammar::capitalise(&words))).unwrap_or_default();
        let known = sights::puzzle_brief(turn, id).map_or(known, |inside| format!(" There: {inside}."));
        let words = format!("{}: {}.{open}{shut}{known}", bearing(room.at, at), other.name);
        page.line(Style::Plain, &grammar::capitalise(&words));
    }
    page
}

/// The rooms of a floor that are in view, the nearest first.
fn rooms_around(turn: &Turn, here: RoomId, view: Rect) -> Vec<(Point, RoomId)> {
    let room = &turn.world.rooms[here];
    let index = room.branch.and_then(|branch| turn.world.branch_index(branch));
    let mut rooms: Vec<(Point, RoomId)> = index
        .into_iter()
        .flat_map(|index| index.rooms.range((room.floor, view.min)..=(room.floor, view.max)))
        .map(|((_, at), id)| (*at, *id))
        .filter(|(at, _)| view.contains(*at))
        .collect();
    let hidden = webs::hidden_by_webs(turn, here, &rooms.iter().map(|(_, id)| *id).collect());
    rooms.retain(|(_, id)| !hidden.contains(id));
    rooms.sort_by_key(|(at, _)| (at.x.abs_diff(room.at.x) + at.y.abs_diff(room.at.y), *at));
    rooms
}

/// "remembered: stairs down and a clay lamp."
fn remembered_words(turn: &Turn, room: RoomId) -> Option<String> {
    let known = memory::recollection(turn, room);
    let how = if known.seen_now { "one of you sees" } else { "remembered" };
    Some(format!("{how}: {}.", known.words()?))
}

/// What is remembered of the rooms in view, one a line, the nearest first.
fn remembered_around(turn: &Turn, here: RoomId, view: Rect) -> Vec<String> {
    let centre = turn.world.rooms[here].at;
    let others = rooms_around(turn, here, view).into_iter().filter(|(_, id)| *id != here);
    let line = |(at, id)| {
        Some(format!("{}, {}", grammar::capitalise(&bearing(centre, at)), remembered_words(turn, id)?))
    };
    others.filter_map(line).take(ROOMS_IN_WORDS).collect()
}

/// The rooms around somebody as a picture needs them; only the part of the floor that is in view is looked at.
fn chart(turn: &Turn, here: RoomId, view: Rect) -> Vec<MapRoom> {
    let room = &turn.world.rooms[here];
    let Some(index) = room.branch.and_then(|branch| turn.world.branch_index(branch)) else {
        return Vec::new();
    };
    let columns = (room.floor, view.min)..=(room.floor, view.max);
    let seen: Vec<(Point, RoomId)> = index
        .rooms
        .range(columns)
        .filter(|((_, at), _)| view.contains(*at))
        .map(|((_, at), id)| (*at, *id))
        .collect();
    let hidden = webs::hidden_by_webs(turn, here, &seen.iter().map(|(_, id)| *id).collect());
    let mut rooms: Vec<MapRoom> = seen
        .into_iter()
        .filter(|(_, id)| !hidden.contains(id))
        .map(|(at, id)| map_room(turn, at, id, id == here))
        .collect();
    if room.floor == 1 && view.contains(Point::ORIGIN) {
        rooms.push(MapRoom { at: Point::ORIGIN, mark: 'S', exits: Vec::new() });
    }
    rooms
}

fn map_room(turn: &Turn, at: Point, id: RoomId, here: bool) -> MapRoom {
    // A web hides where its room leads; the way to it is drawn from the other side.
    let exits = turn.world.exits_of(id).filter(|_| here || !turn.world.rooms[id].web);
    let exits =
        exits.filter_map(|exit| Some(MapExit { direction: exit.direction?, state: exit.state })).collect();
    let room = &turn.world.rooms[id];
    let known = if here { Recollection::default() } else { memory::recollection(turn, id) };
    let mark = match room.clear {
        _ if here => '@',
        _ if puzzle_state::puzzle_mark(turn, id).is_some() => {
            puzzle_state::puzzle_mark(turn, id).unwrap_or('o')
        }
        _ if room.web => 'w',
        _ if known.stairs => 'D',
        _ if room.floor > 1 && at == Point::ORIGIN => 'U',
        false => 'X',
        true if !known.things.is_empty() => 'i',
        true => 'o',
    };
    MapRoom { at, mark, exits }
}

/// A being or a thing in reach, described.
fn close_look(turn: &Turn, who: CharacterId, words: &str) -> Result<Markup, Refusal> {
    if let Ok(other) = resolve::being_here(turn, who, words) {
        return Ok(being_view(turn, who, other));
    }
    let room = turn.world.characters[who].room;
    if let Some(text) = portcullis::fixture(turn, room, means_lever(words), means_portcullis(words)) {
        return Ok(Markup::plain(&text));
    }
    if let Some(text) = sights::puzzle_detail(turn, room, words) {
        return Ok(Markup::plain(&text));
    }
    let item = resolve::item_here(turn, room, words)
        .ok()
        .or_else(|| resolve::item_among(turn, &pick::pack_of(turn, who), words));
    if let Some(item) = item {
        return Ok(gear::thing_view(turn, item));
    }
    if let Some(text) = resolve::detail_here(turn, room, words) {
        return Ok(Markup::plain(text));
    }
    let seen = resolve::seen_in_text(turn, room, words).ok_or_else(|| Refusal::NotHere(words.to_owned()))?;
    Ok(Markup::plain(&seen))
}

fn being_view(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let body = &turn.world.characters[other];
    let mut view = Markup::plain(&body.description);
    let subject = if who == other {
        "You are".to_owned()
    } else {
        format!("{} is", grammar::capitalise(&naming::the(turn, other)))
    };
    view.line(Style::Plain, &format!("{subject} {}.", body::condition_of(turn, other)));
    if body.is_player() {
        let worn = body::worn_by(turn, other).into_iter().map(|(_, item)| naming::thing_words(turn, item, 1));
        let loose = naming::grouped(turn, &pick::loose_of(turn, other)).into_iter().map(|(name, _)| name);
        let (wear, carry) =
            if who == other { ("You wear", "You carry") } else { ("They wear", "They carry") };
        for (verb, names) in [(wear, worn.collect::<Vec<_>>()), (carry, loose.collect())] {
            if !names.is_empty() {
                view.line(Style::Plain, &format!("{verb} {}.", grammar::list(&names)));
            }
        }
    }
    if !body.is_player() {
        view.push(Style::Plain, &format!(" It is {}.", mind::state_words(turn, other)));
    }
    view
}

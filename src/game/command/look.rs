//! Seeing: the room, things and people in it, exits, what lies next door, the map.

use super::Refusal;
use super::resolve::{means_lever, means_portcullis};
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::grid::Rect;
use crate::base::{CharacterId, Direction, Point, RoomId};
use crate::dungeon::map::{self, MapExit, MapRoom};
use crate::game::ai::WEB;
use crate::game::memory::Recollection;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::{Exit, ExitKind, ExitState, Role, Room};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "look",
        aliases: &["l"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "look [THING or DIRECTION]",
        summary: "Shows the room you are in, or one thing, being or exit of it.",
        example: "look east: tells what is known of the way east.",
        run: look,
    },
    CommandSpec {
        name: "exits",
        aliases: &["ex"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "exits",
        summary: "Lists the ways out, one a line, and what is known of each.",
        example: "exits: north: unexplored.",
        run: exits,
    },
    CommandSpec {
        name: "examine",
        aliases: &["x", "exa"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "examine THING",
        summary: "Looks closely. Builders see a room's or an exit's settings too.",
        example: "examine rat: shows the rat and how it is doing.",
        run: examine,
    },
    CommandSpec {
        name: "scan",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "scan",
        summary: "Tells who is in the rooms next to yours.",
        example: "scan: east, in Clay with stones: a clay rat.",
        run: scan,
    },
    CommandSpec {
        name: "listen",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "listen",
        summary: "Tells what can be heard from the rooms around: heavy feet, fights, something asleep.",
        example: "listen: From the north, two rooms away: Hooves strike stone, slow and heavy.",
        run: listen,
    },
    CommandSpec {
        name: "map",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "map, or map words",
        summary: "Draws the explored rooms around you, or tells them in words, the nearest first.",
        example: "map words: You are in Clay with stones, on dungeon level 2, one step east of the start.",
        run: draw_map,
    },
];

fn look(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let words = ["at ", "in "].iter().find_map(|word| words.strip_prefix(word)).unwrap_or(words);
    if words.is_empty() {
        let view = game.view(actor.who, true);
        game.tell(actor.who, Class::Room, view);
        game.send_room_info(actor.who);
        return Ok(());
    }
    let room = game.world.characters[actor.who].room;
    if let Some(exit) = game.exit_named(room, words) {
        let mut view = Markup::styled(Style::Exit, &grammar::capitalise(&exit.name));
        view.push(Style::Plain, &format!(": {}.", game.exit_words(exit).trim_end_matches('.')));
        if !exit.description.is_empty() {
            view.line(Style::Plain, &exit.description);
        }
        if let Some(words) = game.glimpse(exit) {
            view.line(Style::Plain, &words);
        }
        if let Some(words) = exit.to.and_then(|to| game.remembered_words(to)) {
            view.line(Style::Plain, &grammar::capitalise(&words));
        }
        if game.is_webbed(exit) {
            view.line(Style::Plain, WEB);
        }
        game.tell(actor.who, Class::Reply, view);
        return Ok(());
    }
    if let Some(direction) = Direction::parse(words) {
        return Err(game.closed_way(room, direction).unwrap_or(Refusal::NoWay));
    }
    let view = game.close_look(actor.who, words)?;
    game.tell(actor.who, Class::Reply, view);
    Ok(())
}

fn examine(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let builds = game.world.accounts[actor.account].role >= Role::Builder;
    if builds && let Some(view) = game.builder_view(actor.who, words) {
        game.tell(actor.who, Class::Reply, view);
        return Ok(());
    }
    if words.is_empty() {
        return Err(Refusal::Missing("examine and what you want to see closely"));
    }
    look(game, actor, words)
}

fn exits(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = game.world.characters[actor.who].room;
    let mut view = Markup::new();
    for exit in game.exits_in_order(room) {
        view.line(Style::Exit, &exit.name);
        view.push(Style::Plain, &format!(": {}", game.exit_words(exit)));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no way out.");
    }
    game.tell(actor.who, Class::Reply, view);
    Ok(())
}

fn scan(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let room = game.world.characters[actor.who].room;
    let mut view = Markup::new();
    let open = |exit: &&Exit| exit.kind == ExitKind::Exit && exit.state != ExitState::Locked;
    for exit in game.exits_in_order(room).into_iter().filter(open) {
        let Some(to) = exit.to else { continue };
        if game.is_webbed(exit) {
            view.line(Style::Exit, &grammar::capitalise(&exit.name));
            view.push(
                Style::Plain,
                &format!(", in {}: {WEB} You cannot see through it.", game.world.rooms[to].name),
            );
            continue;
        }
        let names: Vec<String> = game.world.occupants(to).iter().map(|id| game.shown_name(*id)).collect();
        let who = if names.is_empty() { "nobody".into() } else { grammar::list(&names) };
        view.line(Style::Exit, &grammar::capitalise(&exit.name));
        view.push(Style::Plain, &format!(", in {}: {who}.", game.world.rooms[to].name));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no room next to this one that you can see into.");
    }
    game.tell(actor.who, Class::Reply, view);
    Ok(())
}

fn listen(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let heard = game.listens(actor.who);
    game.tell(actor.who, Class::Reply, heard);
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

fn draw_map(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let here = game.world.characters[actor.who].room;
    let room = &game.world.rooms[here];
    if room.branch.is_none() {
        return Err(Refusal::Because("There is no map of this place; exits tells the ways out.".into()));
    }
    if game.is_read_aloud(actor.account) || words.eq_ignore_ascii_case("words") {
        let page = game.chart_in_words(here);
        game.tell(actor.who, Class::Reply, page);
        return Ok(());
    }
    let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
    let rooms = game.chart(here, view);
    let mut page = Markup::new();
    for line in map::picture(&rooms, Some(view)).iter().chain(&map::legend(&rooms, &MARKS)) {
        page.line(Style::Plain, line);
    }
    game.remembered_around(here, view).into_iter().for_each(|line| page.line(Style::Plain, &line));
    game.tell(actor.who, Class::Reply, page);
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

impl Game {
    /// The map for those who have it read aloud: where one is, and the nearest rooms with their open questions.
    fn chart_in_words(&self, here: RoomId) -> Markup {
        let room = &self.world.rooms[here];
        let view = map::view_around(room.at, MAP_SIZE.0, MAP_SIZE.1);
        let mut page = Markup::plain(&format!(
            "You are in {}, on dungeon level {}, {}.",
            room.name,
            self.world.dungeon_level(here),
            self.puzzle_bearing(here, bearing).unwrap_or_else(|| whereabouts(room))
        ));
        for (at, id) in self.rooms_around(here, view).into_iter().take(ROOMS_IN_WORDS) {
            let other = &self.world.rooms[id];
            let open = self.world.exits_of(id).filter(|exit| exit.state == ExitState::Unexplored);
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
            let known = if id == here { None } else { self.remembered_words(id) };
            let known = known.map(|words| format!(" {}", grammar::capitalise(&words))).unwrap_or_default();
            let known = self.puzzle_brief(id).map_or(known, |inside| format!(" There: {inside}."));
            let words = format!("{}: {}.{open}{shut}{known}", bearing(room.at, at), other.name);
            page.line(Style::Plain, &grammar::capitalise(&words));
        }
        page
    }

    /// The rooms of a floor that are in view, the nearest first.
    fn rooms_around(&self, here: RoomId, view: Rect) -> Vec<(Point, RoomId)> {
        let room = &self.world.rooms[here];
        let index = room.branch.and_then(|branch| self.world.branch_index(branch));
        let mut rooms: Vec<(Point, RoomId)> = index
            .into_iter()
            .flat_map(|index| index.rooms.range((room.floor, view.min)..=(room.floor, view.max)))
            .map(|((_, at), id)| (*at, *id))
            .filter(|(at, _)| view.contains(*at))
            .collect();
        let hidden = self.hidden_by_webs(here, &rooms.iter().map(|(_, id)| *id).collect());
        rooms.retain(|(_, id)| !hidden.contains(id));
        rooms.sort_by_key(|(at, _)| (at.x.abs_diff(room.at.x) + at.y.abs_diff(room.at.y), *at));
        rooms
    }

    /// "remembered: stairs down and a clay lamp."
    fn remembered_words(&self, room: RoomId) -> Option<String> {
        let known = self.recollection(room);
        let how = if known.seen_now { "one of you sees" } else { "remembered" };
        Some(format!("{how}: {}.", known.words()?))
    }

    /// What is remembered of the rooms in view, one a line, the nearest first.
    fn remembered_around(&self, here: RoomId, view: Rect) -> Vec<String> {
        let centre = self.world.rooms[here].at;
        let others = self.rooms_around(here, view).into_iter().filter(|(_, id)| *id != here);
        let line = |(at, id)| {
            Some(format!("{}, {}", grammar::capitalise(&bearing(centre, at)), self.remembered_words(id)?))
        };
        others.filter_map(line).take(ROOMS_IN_WORDS).collect()
    }

    /// The rooms around somebody as a picture needs them; only the part of the floor that is in view is looked at.
    fn chart(&self, here: RoomId, view: Rect) -> Vec<MapRoom> {
        let room = &self.world.rooms[here];
        let Some(index) = room.branch.and_then(|branch| self.world.branch_index(branch)) else {
            return Vec::new();
        };
        let columns = (room.floor, view.min)..=(room.floor, view.max);
        let seen: Vec<(Point, RoomId)> = index
            .rooms
            .range(columns)
            .filter(|((_, at), _)| view.contains(*at))
            .map(|((_, at), id)| (*at, *id))
            .collect();
        let hidden = self.hidden_by_webs(here, &seen.iter().map(|(_, id)| *id).collect());
        let mut rooms: Vec<MapRoom> = seen
            .into_iter()
            .filter(|(_, id)| !hidden.contains(id))
            .map(|(at, id)| self.map_room(at, id, id == here))
            .collect();
        if room.floor == 1 && view.contains(Point::ORIGIN) {
            rooms.push(MapRoom { at: Point::ORIGIN, mark: 'S', exits: Vec::new() });
        }
        rooms
    }

    fn map_room(&self, at: Point, id: RoomId, here: bool) -> MapRoom {
        // A web hides where its room leads; the way to it is drawn from the other side.
        let exits = self.world.exits_of(id).filter(|_| here || !self.world.rooms[id].web);
        let exits = exits
            .filter_map(|exit| Some(MapExit { direction: exit.direction?, state: exit.state }))
            .collect();
        let room = &self.world.rooms[id];
        let known = if here { Recollection::default() } else { self.recollection(id) };
        let mark = match room.clear {
            _ if here => '@',
            _ if self.puzzle_mark(id).is_some() => self.puzzle_mark(id).unwrap_or('o'),
            _ if room.web => 'w',
            _ if known.stairs => 'D',
            _ if room.floor > 1 && at == Point::ORIGIN => 'U',
            false => 'X',
            true if !known.things.is_empty() => 'i',
            true => 'o',
        };
        MapRoom { at, mark, exits }
    }

    /// "a clay rat", or a player's name.
    pub(in crate::game) fn shown_name(&self, who: CharacterId) -> String {
        let body = &self.world.characters[who];
        if body.is_player() { body.name.clone() } else { self.mob_with_article(who) }
    }

    /// A being or a thing in reach, described.
    fn close_look(&self, who: CharacterId, words: &str) -> Result<Markup, Refusal> {
        if let Ok(other) = self.being_here(who, words) {
            return Ok(self.being_view(who, other));
        }
        let room = self.world.characters[who].room;
        if let Some(text) = self.fixture(room, means_lever(words), means_portcullis(words)) {
            return Ok(Markup::plain(&text));
        }
        if let Some(text) = self.puzzle_detail(room, words) {
            return Ok(Markup::plain(&text));
        }
        let item = self.item_here(room, words).ok().or_else(|| self.item_among(&self.pack_of(who), words));
        if let Some(item) = item {
            return Ok(self.thing_view(item));
        }
        if let Some(text) = self.detail_here(room, words) {
            return Ok(Markup::plain(text));
        }
        let seen = self.seen_in_text(room, words).ok_or_else(|| Refusal::NotHere(words.to_owned()))?;
        Ok(Markup::plain(&seen))
    }

    fn being_view(&self, who: CharacterId, other: CharacterId) -> Markup {
        let body = &self.world.characters[other];
        let mut view = Markup::plain(&body.description);
        let subject = if who == other {
            "You are".to_owned()
        } else {
            format!("{} is", grammar::capitalise(&self.the(other)))
        };
        view.line(Style::Plain, &format!("{subject} {}.", self.condition_of(other)));
        if body.is_player() {
            let worn = self.worn_by(other).into_iter().map(|(_, item)| self.thing_words(item, 1));
            let loose = self.grouped(&self.loose_of(other)).into_iter().map(|(name, _)| name);
            let (wear, carry) =
                if who == other { ("You wear", "You carry") } else { ("They wear", "They carry") };
            for (verb, names) in [(wear, worn.collect::<Vec<_>>()), (carry, loose.collect())] {
                if !names.is_empty() {
                    view.line(Style::Plain, &format!("{verb} {}.", grammar::list(&names)));
                }
            }
        }
        if !body.is_player() {
            view.push(Style::Plain, &format!(" It is {}.", self.state_words(other)));
        }
        view
    }
}

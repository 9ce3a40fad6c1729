//! Preview command: a hand-built room as players see it, for a screen reader, or in a narrow window, and the first
//! rooms of a branch for a seed. Changes nothing and uses no random numbers of the game.

use std::collections::BTreeSet;

use crate::access::audibility;
use crate::branch::start_room;
use crate::command::build::room::exits::own_exit;
use crate::command::parse::{Actor, Argument, Words, site};
use crate::command::spec::{CommandSpec, show};
use crate::refusal::{self, Refusal, refuse};
use crate::room::look;
use crate::turn::Turn;
use deepwell_core::base::{ColourLevel, Direction, Right, RoomId, Seed};
use deepwell_core::dungeon::glimpse::{PreviewRoom, map_rooms, preview_rooms};
use deepwell_core::dungeon::{BranchSpec, map};
use deepwell_core::text;
use deepwell_core::text::{Markup, Style, grammar, nearest};
use deepwell_core::world::ExitKind;

/// Default and maximum number of branch rooms shown.
const ROOMS: (u32, u32) = (5, 20);
/// Valid window widths.
const COLUMNS: std::ops::RangeInclusive<u16> = 20..=200;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "preview",
    right: Some(Right::Look),
    syntax: "preview [here|#ROOM] [reader|COLUMNS]|THEME|EXIT seed NUMBER [ROOMS]",
    summary: "Shows a room as players read it, as it is read aloud, or in a window of so many columns; or the first rooms of a branch with that seed, into which nobody goes: of a theme or level type, or as a branch exit of this start room would open it. They are drawn, too, unless you have everything read aloud. Nothing changes by it.",
    example: "preview here 40 shows this room 40 columns wide, preview well seed 7 the first rooms of a branch.",
    missing: "preview, and if you like here or #12, and reader or a number of columns; or a theme or exit, seed and its number",
    run: show!(preview),
    ..CommandSpec::BUILDER
}];

/// Form in which a room is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PreviewForm {
    /// The builder's own screen.
    Screen,
    /// Text for a screen reader.
    Reader,
    /// In a window of this width.
    Columns(u16),
}

/// Argument of `preview`.
#[derive(Clone, Copy)]
enum PreviewOrder<'a> {
    /// A room; no words select the builder's current room.
    Room(Words<'a>, PreviewForm),
    /// A branch: the name of its theme or level type, its seed, and the number of rooms.
    Branch(Words<'a>, Seed, u32),
}

impl<'a> Argument<'a> for PreviewOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        if let Some((name, numbers)) = words.around("seed") {
            let (seed, rooms) = numbers.first_word();
            let seed = seed.text().parse().map_err(|_| words.missing())?;
            let rooms = match rooms.text() {
                "" => ROOMS.0,
                number => number.parse().map_err(|_| words.missing())?,
            };
            if !(1..=ROOMS.1).contains(&rooms) {
                return Err(refuse!("A preview shows 1 to {} rooms of a branch.", ROOMS.1));
            }
            return Ok(Self::Branch(name, Seed(seed), rooms));
        }
        let (before, last) = words.last_word().unwrap_or((words.without(), words));
        let form = match last.text().parse::<u16>() {
            Ok(columns) if COLUMNS.contains(&columns) => Some(PreviewForm::Columns(columns)),
            Ok(_) => return Err(refuse!("A window has {} to {} columns.", COLUMNS.start(), COLUMNS.end())),
            Err(_) => last.text().eq_ignore_ascii_case("reader").then_some(PreviewForm::Reader),
        };
        Ok(form.map_or(Self::Room(words, PreviewForm::Screen), |form| Self::Room(before, form)))
    }
}

fn preview(turn: &Turn, actor: Actor, sight: PreviewOrder<'_>) -> Result<Markup, Refusal> {
    Ok(match sight {
        PreviewOrder::Room(words, form) if words.is_empty() => {
            let room = turn.workplace(actor.who);
            of_room(turn, actor, room, form)
        }
        PreviewOrder::Room(words, form) => {
            let room = site::room(turn, actor.who, words.text())?;
            of_room(turn, actor, room, form)
        }
        PreviewOrder::Branch(name, seed, rooms) => of_branch(turn, actor, name.text(), seed, rooms)?,
    })
}

/// Shows a room in the given form.
fn of_room(turn: &Turn, actor: Actor, room: RoomId, form: PreviewForm) -> Markup {
    let view = look::view_of(turn, actor.who, room, true);
    let mut drawn = String::new();
    let heading = match form {
        PreviewForm::Screen => {
            let mut shown = Markup::styled(Style::Heading, "As players read it:");
            shown.line(Style::Plain, "");
            shown.append(&view);
            return shown;
        }
        PreviewForm::Reader => {
            text::plain::render(&view, &mut drawn);
            "As it is read aloud:".to_owned()
        }
        PreviewForm::Columns(columns) => {
            text::render(&view, ColourLevel::None, Some(columns), &mut drawn);
            format!("With {columns} columns:")
        }
    };
    let mut shown = Markup::styled(Style::Heading, &heading);
    for line in drawn.lines() {
        shown.line(Style::Plain, line);
    }
    shown
}

/// Shows the first rooms of a branch, in an order in which they can be opened.
fn of_branch(turn: &Turn, actor: Actor, name: &str, seed: Seed, rooms: u32) -> Result<Markup, Refusal> {
    let catalog = &turn.catalog;
    let (spec, entry) = spec_of(turn, actor, name, seed)?;
    let found = preview_rooms(&spec, catalog, &turn.world.meta().vaults_created_in_game(), entry, rooms);
    let count = grammar::counted(found.len(), "room");
    let name = name.to_lowercase();
    let head = format!("The first {count} of {name} with the seed {seed}, as one walk opens them:");
    let mut shown = Markup::styled(Style::Heading, &head);
    if !audibility::uses_screen_reader(turn, actor.account) {
        let marks = ('1'..='9').chain('a'..='z');
        for line in map::picture(&map_rooms(&found, marks), None) {
            shown.line(Style::Plain, &line);
        }
        shown.line(Style::Plain, "S is the start, 1 to 9 are the rooms below, and a is room 10.");
    }
    for (number, glimpse) in (1..).zip(&found) {
        let came = found.iter().position(|other| other.plan.at == glimpse.from);
        let came = came.map_or_else(|| "the start".to_owned(), |at| format!("room {}", at + 1));
        let direction = glimpse.direction.name();
        shown.line(Style::RoomName, &glimpse.plan.sheet.name);
        shown.push(Style::Plain, &format!(", room {number}, {direction} of {came}"));
        add_room(turn, &mut shown, glimpse);
    }
    Ok(shown)
}

/// Returns the specification of the branch for a theme, a level type, or a branch exit of the current room, with the
/// direction of that exit.
fn spec_of(
    turn: &Turn,
    actor: Actor,
    name: &str,
    seed: Seed,
) -> Result<(BranchSpec, Option<Direction>), Refusal> {
    let catalog = &turn.catalog;
    if let Ok(exit) = own_exit(turn, actor.who, name)
        && turn.world.exits[exit].kind == ExitKind::Branch
    {
        let exit = &turn.world.exits[exit];
        let set = start_room::effective_settings(turn, exit.room, &exit.settings)?;
        let (settings, generator) = (set.growth(), set.generator.0);
        let spec = BranchSpec { generator, settings, ..BranchSpec::of(catalog, &set.level_type.0, seed) };
        return Ok((spec, exit.direction));
    }
    let themes = catalog.level_types.values().map(|level_type| level_type.theme.as_str());
    let known: BTreeSet<&str> = catalog.level_types.keys().map(String::as_str).chain(themes).collect();
    let name = name.to_lowercase();
    if !known.contains(name.as_str()) {
        let meant = nearest(&name, known.iter().copied());
        return Err(refuse!(
            "There is no theme and no level type \"{name}\".{} There are {}.",
            refusal::did_you_mean(meant),
            grammar::list(known)
        ));
    }
    Ok((BranchSpec::of(catalog, &name, seed), None))
}

/// Adds the text of a room and its inhabitants.
fn add_room(turn: &Turn, shown: &mut Markup, glimpse: &PreviewRoom) {
    let plan = &glimpse.plan;
    shown.line(Style::Plain, &plan.sheet.description);
    for sign in plan.fixture.line.iter().chain(plan.omens.values()) {
        shown.line(Style::Plain, sign);
    }
    let exits: Vec<&str> = glimpse.exits().into_iter().map(Direction::name).collect();
    shown.line(Style::Plain, &format!("Exits: {}", exits.join(", ")));
    let catalog = &turn.catalog;
    let creatures = plan.challenge.creatures.iter().filter_map(|key| catalog.creatures.get(key));
    let items = plan.challenge.items.iter().filter_map(|key| catalog.items.get(key));
    let inside = grammar::list(
        creatures.map(|creature| &creature.with_article).chain(items.map(|item| &item.with_article)),
    );
    if !inside.is_empty() {
        shown.line(Style::Plain, &format!("In it: {inside}."));
    }
}

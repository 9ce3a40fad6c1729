//! Commands for looking at the room, its contents, exits and neighbours, and the map.

use crate::account::profile;
use crate::branch::{rooms, start_room};
use crate::character::stats;
use crate::command::build::definition::definition_sheet;
use crate::command::build::room::sheet;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::resolve::{means_lever, means_portcullis};
use crate::command::parse::{Actor, Argument, NameArgument, WayOut, Words, pick, resolve};
use crate::command::play::{chart, gear, trade};
use crate::command::spec::{CommandSpec, Needs, WhenFrozen, run, show};
use crate::creature::script::hooks;
use crate::creature::{heard, mind};
use crate::effect::Class;
use crate::exit::webs::WEB;
use crate::exit::{hidden, pathfinding, portcullis, puzzle_exits, webs};
use crate::gmcp::room;
use crate::item::light;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::room::features::chalk;
use crate::room::look;
use crate::room::puzzle::views;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, ItemId, Right};
use deepwell_core::catalog::ItemEvent;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, ExitKind, ExitState, TriggerEvent};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "look",
        aliases: &["l"],
        needs: Needs::Nothing,
        syntax: "look [THING or DIRECTION]",
        summary: "Shows the room you are in, or one thing, being or exit of it.",
        example: "look east: tells what is known of the way east.",
        teaches: Some(Lesson::Looked),
        when_frozen: WhenFrozen::Done,
        run: run!(look),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "exits",
        aliases: &["ex"],
        summary: "Lists the ways out, one a line, and what is known of each.",
        example: "exits: north: unexplored.",
        teaches: Some(Lesson::SawExits),
        run: show!(exits),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "examine",
        aliases: &["x", "exa"],
        needs: Needs::Nothing,
        syntax: "examine THING",
        summary: "Looks closely. Builders see a room's or an exit's settings too, and with creature KEY, thing KEY, help KEY or theme KEY all of what was made of it.",
        example: "examine rat: shows the rat and how it is doing.",
        missing: "examine and what you want to see closely",
        run: run!(examine),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "read",
        summary: "Reads what is written on something; alone, what is written in this room.",
        example: "read board: tells what the notices say.",
        yields_to_room: true,
        run: show!(read),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "scan",
        summary: "Tells who is in the rooms next to yours.",
        example: "scan: east, in Clay with stones: a clay rat.",
        run: show!(scan),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "listen",
        needs: Needs::Nothing,
        summary: "Tells what can be heard from the rooms around: heavy feet, fights, something asleep.",
        example: "listen: From the north, two rooms away: Hooves strike stone, slow and heavy.",
        run: run!(|turn, actor, ()| Ok(heard::listen(turn, actor.who))),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "map",
        syntax: "map, or map words",
        summary: "Draws the explored rooms around you, or tells them in words, the nearest first.",
        example: "map words: You are in Clay with stones, on dungeon level 2, one step east of the start.",
        teaches: Some(Lesson::SawMap),
        run: show!(chart::draw_map),
        ..CommandSpec::GUEST
    },
];

/// Target of `look`.
#[derive(Clone, Copy)]
enum LookTarget<'a> {
    /// The room.
    Room,
    /// An exit.
    Exit(ExitId),
    /// Any other name.
    Other(&'a str),
}

impl<'a> Argument<'a> for LookTarget<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let words = words.behind(&["at", "in"]);
        if words.is_empty() {
            return Ok(Self::Room);
        }
        if let Ok(WayOut(exit)) = WayOut::read(turn, actor, words) {
            return Ok(Self::Exit(exit));
        }
        let room = turn.world.characters[actor.who].room;
        match pathfinding::direction_named(turn, words.bare()) {
            Some(direction) => Err(puzzle_exits::closed_way(turn, room, direction).unwrap_or(Refusal::NoWay)),
            None => Ok(Self::Other(words.bare())),
        }
    }
}

fn look(turn: &mut Turn, actor: Actor, object: LookTarget<'_>) -> Result<(), Refusal> {
    let view = match object {
        LookTarget::Room => {
            let view = look::view(turn, actor.who, true);
            tell::tell(turn, actor.who, Class::Room, view);
            room::send_room_info(turn, actor.who);
            return Ok(());
        }
        LookTarget::Exit(exit) => exit_view(turn, actor.who, exit),
        LookTarget::Other(name) => {
            let view = close_look(turn, actor.who, name);
            let here = turn.world.characters[actor.who].room;
            let is_meant =
                |on: &TriggerEvent| matches!(on, TriggerEvent::Look(names) if hooks::is_named(names, name));
            if let Ok(view) = &view {
                actor.answer(turn, view.clone())?;
            }
            // A name with nothing to see may still fire a trigger.
            let item = item_meant(turn, actor.who, name);
            let is_writable = !turn.read_only;
            if let Some(item) = item.filter(|_| is_writable && view.is_ok()) {
                hooks::run_item_triggers(turn, actor.who, item, ItemEvent::Look);
            }
            let sprung = is_writable && hooks::run_triggers(turn, here, Some(actor.who), name, is_meant);
            return if sprung { Ok(()) } else { view.map(|_| ()) };
        }
    };
    actor.answer(turn, view)
}

fn read(turn: &Turn, actor: Actor, thing: Option<NameArgument<'_>>) -> Result<Markup, Refusal> {
    Ok(if let Some(NameArgument(name)) = thing {
        close_look(turn, actor.who, name)?
    } else {
        let room = &turn.world.rooms[turn.world.characters[actor.who].room];
        let written = room.challenge.hint.as_ref();
        let none =
            || refuse!("Nothing is written here. A thing is read by its name: read board.").of_nothing();
        Markup::plain(written.ok_or_else(none)?)
    })
}

/// Describes an exit.
fn exit_view(turn: &Turn, who: CharacterId, exit: ExitId) -> Markup {
    let exit = &turn.world.exits[exit];
    let mut view = Markup::styled(Style::Exit, &grammar::capitalise(&exit.name));
    let description = look::exit_words(turn, exit);
    view.push(Style::Plain, &format!(": {}.", description.trim_end_matches('.')));
    let sight = if exit.back && exit.description.is_empty() { rooms::WAY_BACK } else { &exit.description };
    let is_said = sight == rooms::WAY_BACK && description.ends_with(look::WAY_BACK);
    if !sight.is_empty() && !is_said {
        view.line(Style::Plain, sight);
    }
    if let Some(level) = start_room::level_sight(turn, exit) {
        view.line(Style::Plain, level);
    }
    if let Some(scene) = views::view_along(turn, exit) {
        view.line(Style::Plain, &scene);
    }
    if let Some(memory) = exit.to.and_then(|to| chart::remembered_words(turn, who, to)) {
        view.line(Style::Plain, &grammar::capitalise(&memory));
    }
    if webs::is_webbed(turn, exit) {
        view.line(Style::Plain, WEB);
    }
    view
}

/// Target of `examine`.
enum ExamineTarget<'a> {
    /// Builder view of this room, or of one of its exits.
    Settings(Markup),
    /// View for all players, and the words, which may be the name of another room for a builder.
    Seen(LookTarget<'a>, &'a str),
}

impl<'a> Argument<'a> for ExamineTarget<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let builds = actor.rights(turn).has(Right::Look);
        if builds
            && let Some(named) = DefinitionName::meant(turn, actor.who, words.text())
            && let Some(view) = definition_sheet::sheet(turn, &named)
        {
            return Ok(Self::Settings(view));
        }
        if builds && let Some(view) = sheet::builder_view(turn, actor.who, words.bare()) {
            return Ok(Self::Settings(view));
        }
        let words = words.required()?;
        let is_place = words.text().starts_with('#') || words.text().contains('/');
        let elsewhere = || sheet::sheet_elsewhere(turn, actor.who, words.text()).filter(|_| builds);
        if is_place && let Some(view) = elsewhere() {
            return Ok(Self::Settings(view));
        }
        LookTarget::read(turn, actor, words).map(|object| Self::Seen(object, words.text()))
    }
}

fn examine(turn: &mut Turn, actor: Actor, subject: ExamineTarget<'_>) -> Result<(), Refusal> {
    match subject {
        ExamineTarget::Settings(view) => actor.answer(turn, view),
        ExamineTarget::Seen(object, phrase) => look(turn, actor, object).or_else(|no| {
            let builds = actor.rights(turn).has(Right::Look);
            let elsewhere = sheet::sheet_elsewhere(turn, actor.who, phrase).filter(|_| builds);
            actor.answer(turn, elsewhere.ok_or(no)?)
        }),
    }
}

fn exits(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let room = turn.world.characters[actor.who].room;
    let mut view = Markup::new();
    for exit in
        look::exits_in_order(turn, room).into_iter().filter(|exit| hidden::is_seen(turn, actor.who, exit))
    {
        view.line(Style::Exit, &exit.name);
        view.push(Style::Plain, &format!(": {}", look::exit_words(turn, exit)));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no way out.");
    }
    Ok(view)
}

fn scan(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let room = turn.world.characters[actor.who].room;
    let mut view = Markup::new();
    let open = |exit: &&Exit| {
        exit.kind == ExitKind::Exit
            && exit.state != ExitState::Locked
            && hidden::is_seen(turn, actor.who, exit)
    };
    for exit in look::exits_in_order(turn, room).into_iter().filter(open) {
        let Some(to) = exit.to.filter(|_| exit.shut_door().is_none()) else { continue };
        if webs::is_webbed(turn, exit) {
            view.line(Style::Exit, &grammar::capitalise(&exit.name));
            view.push(
                Style::Plain,
                &format!(", in {}: {WEB} You cannot see through it.", turn.world.rooms[to].sheet.name),
            );
            continue;
        }
        if !light::is_lit(turn, to) {
            view.line(Style::Exit, &grammar::capitalise(&exit.name));
            view.push(
                Style::Plain,
                &format!(", in {}: it is too dark to see.", turn.world.rooms[to].sheet.name),
            );
            continue;
        }
        let names = turn.world.occupants(to).iter().map(|id| naming::shown_name(turn, *id));
        let who = grammar::list_or("nobody", names);
        view.line(Style::Exit, &grammar::capitalise(&exit.name));
        view.push(Style::Plain, &format!(", in {}: {who}.", turn.world.rooms[to].sheet.name));
    }
    if view.is_empty() {
        view.push(Style::Plain, "There is no room next to this one that you can see into.");
    }
    Ok(view)
}

/// Describes a character or item in reach in detail.
fn close_look(turn: &Turn, who: CharacterId, phrase: &str) -> Result<Markup, Refusal> {
    let room = turn.world.characters[who].room;
    if !light::is_lit(turn, room) {
        // In the dark, hands still know what they carry.
        let item = resolve::item_among(turn, &pick::pack_of(turn, who), phrase);
        return item.map(|item| gear::item_view(turn, item)).ok_or_else(light::too_dark);
    }
    if let Ok(other) = resolve::being_here(turn, who, phrase) {
        return Ok(being_view(turn, who, other));
    }
    if let Some(text) = portcullis::fixture(turn, room, means_lever(phrase), means_portcullis(phrase)) {
        return Ok(Markup::plain(&text));
    }
    if let Some(text) = views::puzzle_detail(turn, room, phrase) {
        return Ok(Markup::plain(&text));
    }
    if let Some(item) = item_meant(turn, who, phrase) {
        return Ok(gear::item_view(turn, item));
    }
    let of_room = || {
        let detail = resolve::detail_here(turn, room, phrase).map(str::to_owned);
        let seen = detail.or_else(|| chalk::seen(turn, who, phrase));
        seen.or_else(|| resolve::seen_in_text(turn, room, phrase)).map(|text| Markup::plain(&text))
    };
    let carried = || {
        let item = resolve::item_among(turn, &pick::pack_of(turn, who), phrase);
        item.map(|item| gear::item_view(turn, item))
    };
    let closer = || {
        let seen = resolve::seen_closer(turn, who, &pick::pack_of(turn, who), phrase);
        seen.map(|text| Markup::plain(&text))
    };
    let found = trade::ware_view(turn, who, phrase).or_else(of_room).or_else(carried).or_else(closer);
    found.ok_or_else(|| Refusal::NotHere(phrase.to_owned()))
}

/// Returns the item that a player looks at: on the ground, or carried and meant by its noun. What the room names comes before
/// what a carried item is like, so that a brass ring does not hide the brass of a door; `my` before a name means a carried item.
fn item_meant(turn: &Turn, who: CharacterId, phrase: &str) -> Option<ItemId> {
    let pack = pick::pack_of(turn, who);
    if let Some(own) = phrase.to_lowercase().strip_prefix("my ") {
        return resolve::item_among(turn, &pack, own);
    }
    let room = turn.world.characters[who].room;
    if let Ok(item) = resolve::item_here(turn, room, phrase) {
        return Some(item);
    }
    let item = resolve::item_among(turn, &pack, phrase)?;
    let is_hidden = resolve::named_detail(turn, room, phrase).is_some();
    (!is_hidden && resolve::means_noun(turn, item, phrase)).then_some(item)
}

fn being_view(turn: &Turn, who: CharacterId, other: CharacterId) -> Markup {
    let body = &turn.world.characters[other];
    let mut view = if body.is_player() {
        profile::appearance(turn, other, who)
    } else {
        Markup::plain(&body.description)
    };
    let subject = if who == other {
        "You are".to_owned()
    } else {
        format!("{} is", grammar::capitalise(&naming::the(turn, other)))
    };
    view.line(Style::Plain, &format!("{subject} {}.", stats::condition_of(turn, other)));
    if body.is_player() {
        let worn =
            stats::worn_by(turn, other).into_iter().map(|(_, item)| naming::stack_words(turn, item, 1));
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

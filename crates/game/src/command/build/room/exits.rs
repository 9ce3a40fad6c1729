//! Commands to create exits and to remove rooms and exits, with the syntax of Evennia. Changes take effect immediately
//! and are stored with the batch. Rooms of a branch cannot be changed.

use crate::attack;
use crate::branch::start_room::Rework;
use crate::branch::{asleep, start_room, window};
use crate::building::zones::draft;
use crate::building::{built_rooms, zones};
use crate::command::build::definition::change;
use crate::command::parse::build_argument::{EqualsSides, Equation, NameAndKind, named};
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::{Actor, SpeechArgument, TextArgument, resolve, without_article};
use crate::command::spec::{CommandSpec, run};
use crate::exit::pathfinding;
use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId, Right, RoomId};
use deepwell_core::puzzle::Verb;
use deepwell_core::text::grammar;
use deepwell_core::world::{Exit, ExitKind, RoomKind};
use std::collections::BTreeSet;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "open",
        syntax: "open EXIT[;ALIAS][:KIND] [= ROOM]",
        summary: "Makes an exit here. Kinds: exit, which needs a room; branch, which spawns branches of the dungeon.",
        example: "open north;n:branch makes a way into the dungeon.",
        in_puzzle: Some(Verb::Open),
        run: run!(open),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "link",
        syntax: "link EXIT = ROOM",
        summary: "Lets an exit of this room lead to another room.",
        example: "link gate = Guard Room",
        missing: "link EXIT = ROOM",
        run: run!(link),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "unlink",
        syntax: "unlink EXIT",
        summary: "Lets a branch exit forget its open branch: whoever takes it next gets a fresh one.",
        example: "unlink east",
        run: run!(unlink),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "destroy",
        syntax: "destroy EXIT|here|ROOM|CREATURE|ITEM [in #ROOM]|creature KEY|item KEY|help KEY|theme KEY",
        summary: "Removes an exit of this room, this room, or one by number or name, with everything in it but people; one creature or item that is here, or in another room by its number; or a kind of creature or item that was made here and that nothing uses.",
        example: "destroy #12 removes room 12, destroy here the one you are in.",
        missing: "destroy and the name of an exit here, or of a room",
        run: run!(destroy),
        ..CommandSpec::BUILDER
    },
];

/// Returns the room that a builder works on, or an error if it is not hand-built.
pub(crate) fn building_site(turn: &Turn, who: CharacterId) -> Result<RoomId, Refusal> {
    let room = turn.workplace(who);
    require_builder(turn, who, room)?;
    Ok(room)
}

/// Returns an error if the room is not hand-built or its zone belongs to others.
pub(crate) fn require_builder(turn: &Turn, who: CharacterId, room: RoomId) -> Result<(), Refusal> {
    let row = &turn.world.rooms[room];
    if row.branch.is_some() {
        return Err(refuse!("This room belongs to a branch of the dungeon; nothing can be built here."));
    }
    match turn.world.characters[who].account {
        Some(account) => zones::require_author(turn, account, &row.area),
        None => Ok(()),
    }
}

/// Finds an exit of the room that a builder works on.
pub(crate) fn own_exit(turn: &Turn, who: CharacterId, typed: &str) -> Result<ExitId, Refusal> {
    let room = building_site(turn, who)?;
    let name = without_article(typed);
    let exit = pathfinding::exit_named(turn, room, typed.trim())
        .or_else(|| pathfinding::exit_named(turn, room, name));
    let exit = exit.filter(|exit| !exit.is_gate()).map(|exit| exit.id);
    exit.ok_or_else(|| refuse!("There is no exit \"{name}\" here."))
}

/// Returns the kind of an exit with these words, if the room may have it. Changes nothing, so that a command creating
/// several objects can check everything first. `room` is `None` for a room about to be dug.
pub(crate) fn exit_kind(
    turn: &Turn,
    room: Option<RoomId>,
    of: RoomKind,
    named: &NameAndKind,
    leads: bool,
) -> Result<ExitKind, Refusal> {
    let kind = match named.kind.as_deref() {
        None | Some("exit") => ExitKind::Exit,
        Some("branch") => ExitKind::Branch,
        Some(other) => {
            return Err(refuse!("There is no exit kind \"{other}\"; there are exit and branch."));
        }
    };
    if kind == ExitKind::Branch && !Exit::may_open_branches(&named.name) {
        return Err(refuse!(
            "A branch exit leads north, east, south or west, or has a name that is no direction."
        ));
    }
    if kind == ExitKind::Branch && of != RoomKind::Start {
        return Err(refuse!("Branch exits belong into a start room: dig one with dig NAME:start."));
    }
    if kind == ExitKind::Exit && !leads {
        return Err(Refusal::Missing("open EXIT = ROOM: an exit has to lead somewhere"));
    }
    if let Some(room) = room {
        must_be_free(turn, room, named, None)?;
        if turn.world.exits.of(room).count() >= built_rooms::MOST_EXITS {
            return Err(built_rooms::too_many_exits());
        }
    }
    Ok(kind)
}

/// Returns an error if another exit of the room answers to these words. `but` is the exit being renamed.
pub(crate) fn must_be_free(
    turn: &Turn,
    room: RoomId,
    named: &NameAndKind,
    but: Option<ExitId>,
) -> Result<(), Refusal> {
    let letter =
        pathfinding::direction_named(turn, &named.name).map(|direction| direction.letter().to_owned());
    let all_names = named.aliases.iter().chain([&named.name]).chain(&letter);
    for word in all_names {
        if pathfinding::exit_named(turn, room, word).is_some_and(|exit| Some(exit.id) != but) {
            return Err(refuse!(
                "There is an exit \"{word}\" here already. Give another name, as in hatch, or build from \
                 another room."
            ));
        }
    }
    Ok(())
}

pub(crate) fn add_exit(
    turn: &mut Turn,
    room: RoomId,
    kind: ExitKind,
    named: &NameAndKind,
    to: Option<RoomId>,
) -> ExitId {
    let to = if kind == ExitKind::Branch { None } else { to };
    built_rooms::add_built_exit(turn, room, kind, &named.name, &named.aliases, to)
}

/// Creates a room in the zone of another, next to it.
pub(crate) fn add_room(
    turn: &mut Turn,
    from: RoomId,
    kind: RoomKind,
    named: &NameAndKind,
    direction: Option<Direction>,
) -> RoomId {
    let (area, beside) = (turn.world.rooms[from].area.clone(), turn.world.rooms[from].coordinates());
    let is_taken = |place| turn.world.rooms.built_at(place).is_some();
    let at = beside.unwrap_or_default().free_beyond(direction, is_taken);
    built_rooms::add_built_room(turn, kind, &named.name, &named.aliases, &area, at)
}

fn open(
    turn: &mut Turn,
    actor: Actor,
    EqualsSides { left, right: to }: EqualsSides<'_>,
) -> Result<(), Refusal> {
    let here = building_site(turn, actor.who)?;
    let exit = named(turn, left).map_err(|_| Refusal::Missing("open EXIT = ROOM, or open EXIT:branch"))?;
    let to = to.map(|room| hand_built(turn, actor.who, room)).transpose()?;
    to.map_or(Ok(()), |to| draft::require_outward(turn, here, to))?;
    let kind = exit_kind(turn, Some(here), turn.world.rooms[here].sheet.kind, &exit, to.is_some())?;
    add_exit(turn, here, kind, &exit, to);
    actor.answer(turn, format!("You open the exit {}.", exit.name))
}

pub(crate) fn hand_built(turn: &Turn, who: CharacterId, phrase: &str) -> Result<RoomId, Refusal> {
    let room = resolve::room_named(turn, who, phrase)?;
    if turn.world.rooms[room].branch.is_some() {
        return Err(refuse!("That room belongs to a branch; exits into a branch are the dungeon's."));
    }
    Ok(room)
}

fn link(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    let room = hand_built(turn, actor.who, right)?;
    let exit = own_exit(turn, actor.who, left)?;
    if turn.world.exits[exit].kind == ExitKind::Branch {
        return Err(refuse!("A branch exit finds its own way; unlink lets it forget an open branch."));
    }
    draft::require_outward(turn, turn.world.exits[exit].room, room)?;
    start_room::require_way_below(turn, built_rooms::town(turn), Rework::Link(exit, room))?;
    turn.world.exits.change(exit, |row| row.to = Some(room));
    let message =
        format!("{} leads to {} now.", turn.world.exits[exit].name, turn.world.rooms[room].sheet.name);
    actor.answer(turn, message)
}

fn unlink(turn: &mut Turn, actor: Actor, SpeechArgument(name): SpeechArgument<'_>) -> Result<(), Refusal> {
    let exit = own_exit(turn, actor.who, name)?;
    let row = &turn.world.exits[exit];
    match (row.kind, *row.window) {
        (ExitKind::Branch, Some(window)) => window::close(turn, exit, window.branch),
        (ExitKind::Branch, None) => return Err(refuse!("That exit leads to no open branch.")),
        (ExitKind::Exit | ExitKind::Stairs, _) => {
            return Err(refuse!(
                "An ordinary exit always leads somewhere: link it elsewhere, or destroy it."
            ));
        }
    }
    actor.answer(turn, "Whoever takes it next gets a fresh branch.")
}

fn destroy(turn: &mut Turn, actor: Actor, TextArgument(typed): TextArgument<'_>) -> Result<(), Refusal> {
    if let Some(definition) = DefinitionName::meant(turn, actor.who, typed) {
        return change::destroy(turn, actor, &definition);
    }
    if let Some((what, place)) = typed.rsplit_once(" in #") {
        let room = hand_built(turn, actor.who, place)?;
        return destroy_instance(turn, actor, room, what).unwrap_or_else(|| Err(no_such_site(what)));
    }
    let exit = own_exit(turn, actor.who, typed);
    if let Ok(exit) = exit {
        let name = turn.world.exits[exit].name.clone();
        if start_room::is_used(turn, exit) {
            return Err(start_room::branch_in_use());
        }
        start_room::require_way_below(turn, built_rooms::town(turn), Rework::DestroyExit(exit))?;
        built_rooms::remove_built_exit(turn, exit);
        return actor.answer(turn, format!("The exit {name} is gone."));
    }
    // For an exit here that belongs to others, that refusal is the answer.
    let of_others = exit.err().filter(|refusal| matches!(refusal, Refusal::NotAuthor { .. }));
    let room = hand_built(turn, actor.who, typed);
    // A room elsewhere needs its full name if the words also match something here.
    let is_exact = |room: &RoomId| {
        typed.starts_with('#')
            || *room == turn.workplace(actor.who)
            || turn.world.rooms[*room].sheet.name.eq_ignore_ascii_case(typed.trim())
    };
    if !room.as_ref().is_ok_and(is_exact)
        && let Some(done) = destroy_instance(turn, actor, turn.workplace(actor.who), typed)
    {
        return done;
    }
    destroy_room(turn, actor, room.map_err(|refusal| of_others.unwrap_or(refusal))?)
}

/// Removes one creature or item of a room; `None` if the words match neither.
fn destroy_instance(
    turn: &mut Turn,
    actor: Actor,
    room: RoomId,
    phrase: &str,
) -> Option<Result<(), Refusal>> {
    let creature = resolve::being_in(turn, actor.who, room, phrase).ok().filter(|who| {
        !turn.world.characters[*who].is_player() && turn.world.characters[*who].master.is_none()
    });
    let item = resolve::item_here(turn, room, phrase).ok();
    if creature.is_none() && item.is_none() {
        return None;
    }
    if let Err(refusal) =
        require_builder(turn, actor.who, room).and_then(|()| actor.require(turn, Right::Creatures))
    {
        return Some(Err(refusal));
    }
    let name = match (creature, item) {
        (Some(creature), _) => naming::the(turn, creature),
        (None, Some(item)) => naming::the_item(turn, item),
        (None, None) => return None,
    };
    if let Some(creature) = creature {
        attack::remove_creature(turn, creature);
        if turn.workplace(actor.who) == room {
            // The builder has read that the creature is gone.
            return Some(Ok(()));
        }
    } else if let Some(item) = item {
        turn.world.remove_item(item, "destroy");
    }
    Some(actor.answer(turn, format!("{} is gone.", grammar::capitalise(&name))))
}

fn destroy_room(turn: &mut Turn, actor: Actor, room: RoomId) -> Result<(), Refusal> {
    let town = built_rooms::town(turn);
    if room == town {
        return Err(built_rooms::town_stays());
    }
    require_builder(turn, actor.who, room)?;
    start_room::require_start_room_unused(turn, Some(actor.who), room)?;
    start_room::require_way_below(turn, town, Rework::DestroyRoom(room))?;
    let name = turn.world.rooms[room].sheet.name.clone();
    asleep::require_awake_in(turn, &BTreeSet::from([room]))?;
    built_rooms::remove_built_rooms(turn, &BTreeSet::from([room]));
    actor.answer(turn, format!("{name} is gone, and every exit that led there."))
}

/// Returns the refusal of words that name no exit and no creature.
pub(crate) fn no_such_site(name: &str) -> Refusal {
    refuse!(
        "There is no exit and no creature \"{name}\" here. The room is here, another one its number, as in \
         #12."
    )
}

//! Digging: rooms with exits in both directions, and walking that digs where no exit leads.

use crate::building::built_rooms;
use crate::command::build::room::exits::{add_exit, add_room, building_site, exit_kind};
use crate::command::build::room::walk;
use crate::command::parse::Actor;
use crate::command::parse::build_argument::{Dig, EqualsSides, NameAndKind, Tunnel, named};
use crate::command::spec::{CommandSpec, run};
use crate::exit::pathfinding;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::catalog::room_kind::RoomOrigin;
use deepwell_core::text::grammar;
use deepwell_core::world::RoomKind;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "dig",
        syntax: "dig NAME[;ALIAS][:KIND] [= EXIT[;ALIAS][, RETURN[;ALIAS]]]|-walk [ROOM|on|off]",
        summary: "Makes a room, and exits to it and back. Kinds: room, start. With -walk your steps dig: where no exit leads in a direction, there is a room then, with the ways there and back, made like the room that you name, or a bare one; -walk alone tells whether they do, and begins it if not.",
        example: "dig well:start = down,up makes the start room of a dungeon below you.",
        missing: "dig NAME = EXIT, RETURN",
        run: run!(dig),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "tunnel",
        syntax: "tunnel DIRECTION = NAME[;ALIAS][:KIND]",
        summary: "Makes a room in a direction, with an exit there and one back.",
        example: "tunnel north = Guard Room makes it, with south leading back.",
        missing: "tunnel DIRECTION = NAME",
        run: run!(tunnel),
        ..CommandSpec::BUILDER
    },
];

fn dig(turn: &mut Turn, actor: Actor, dig: Dig<'_>) -> Result<(), Refusal> {
    match dig {
        Dig::Room(EqualsSides { left, right }) => dig_room(turn, actor, left, right),
        Dig::Walk(words) => walk::switch(turn, actor, words),
    }
}

fn tunnel(turn: &mut Turn, actor: Actor, Tunnel { direction, name }: Tunnel<'_>) -> Result<(), Refusal> {
    dig_room(turn, actor, name, Some(&format!("{direction},{}", direction.opposite())))
}

fn dig_room(turn: &mut Turn, actor: Actor, room: &str, exits: Option<&str>) -> Result<(), Refusal> {
    let usage = |_| Refusal::Missing("dig NAME = EXIT, RETURN");
    let here = building_site(turn, actor.who)?;
    built_rooms::require_space(turn, 1)?;
    let room = named(turn, room).map_err(usage)?;
    let kind = room_kind(&room)?;
    let mut exits = exits.into_iter().flat_map(|exits| exits.split(','));
    let out = exits.next().map(|exit| named(turn, exit).map_err(usage)).transpose()?;
    let back = exits.next().map(|exit| named(turn, exit).map_err(usage)).transpose()?;
    let around = turn.world.rooms[here].sheet.kind;
    let out_kind = out.as_ref().map(|out| exit_kind(turn, Some(here), around, out, true)).transpose()?;
    let back_kind = back.as_ref().map(|back| exit_kind(turn, None, kind, back, true)).transpose()?;

    let direction = out.as_ref().and_then(|exit| pathfinding::direction_named(turn, &exit.name));
    let made = add_room(turn, here, kind, &room, direction);
    if let (Some(out), Some(kind)) = (&out, out_kind) {
        add_exit(turn, here, kind, out, Some(made));
    }
    if let (Some(back), Some(kind)) = (&back, back_kind) {
        add_exit(turn, made, kind, back, Some(here));
    }
    let start = if kind == RoomKind::Start { " It is a start room: its timers are running." } else { "" };
    actor.answer(turn, format!("You dig {}, room {made}.{start}", room.name))
}

fn room_kind(named: &NameAndKind) -> Result<RoomKind, Refusal> {
    let Some(word) = named.kind.as_deref() else { return Ok(RoomKind::Room) };
    let known = RoomKind::made_by(&[RoomOrigin::Builders]);
    let found = known.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
    found.ok_or_else(|| {
        let known = grammar::list(known.iter().map(|(name, _)| *name));
        refuse!("There is no room kind \"{word}\"; there are {known}.")
    })
}
